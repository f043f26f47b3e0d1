import assert from "node:assert/strict";
import { field } from "../../src/core/field";
import { type FunctionDefinition, invoke } from "../../src/core/function";
import { text } from "../../src/core/kind";
import type { Host } from "../../src/core/lifecycle";
import { InputError } from "../../src/errors";
import { fakeService, service } from "./fake";

describe("a function", () => {
    const lookup: FunctionDefinition = {
        name: "getThing",
        service,
        doc: "Looks up a thing.",
        inputs: {
            name: field(text(), { doc: "Name.", required: true }),
            kind: field(text(), { doc: "Kind.", deprecated: "use name" }),
        },
        outputs: {},
        errors: [],
        invoke: async (_, { name }) => ({ name }),
    };
    const hostWith = (strict: boolean, said: string[]): Host => ({
        open: async () => fakeService().session,
        vocabulary: () => "documented",
        defaults: () => ({ vocabulary: "documented", namespace: undefined }),
        strict,
        say: (_, message) => said.push(message),
        redacted: (message) => message,
        warnOnce: () => undefined,
        memory: {},
    });

    it("shows its warnings and goes on", async () => {
        const said: string[] = [];
        assert.deepEqual(await invoke(lookup, hostWith(false, said), { name: "web", kind: "old" }), { name: "web" });
        assert.deepEqual(said, ["getThing: kind: is deprecated: use name"]);
    });

    it("fails for its warnings in a strict stack, beside every other problem", async () => {
        const said: string[] = [];
        await assert.rejects(invoke(lookup, hostWith(true, said), { kind: "old" }), (error) => {
            assert(error instanceof InputError);
            assert.deepEqual(error.reasons, ["name: is required", "kind: is deprecated: use name"]);
            return true;
        });
        assert.deepEqual(said, []);
    });
});
