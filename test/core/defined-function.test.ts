import assert from "node:assert/strict";
import * as z from "zod";
import { defineFunction } from "../../src/core/defined-function";
import { invokeFunction } from "../../src/core/invoke";
import type { Runtime } from "../../src/core/runtime";
import { StandIns } from "../../src/core/stand-ins";
import { InputError, InternalError } from "../../src/errors";
import { serverDefaults } from "../../src/product-names";
import { property } from "../../src/schema/facts";
import { fakeService, service } from "./fake";

describe("a function", () => {
    const lookup = defineFunction({
        name: "getThing",
        service,
        description: "Looks up a thing.",
        inputs: z.strictObject({
            name: property(z.string(), { description: "Name." }),
            kind: property(z.string().optional(), { description: "Kind.", deprecated: "use name" }),
        }),
        result: z.strictObject({ name: property(z.string(), { description: "Name." }) }),
        errors: [],
        invoke: async (_, { name }) => ({ name }),
    });
    const hostWith = (strict: boolean, said: string[]): Runtime => ({
        open: async () => fakeService().session,
        defaults: () => ({ ...serverDefaults.documented, namespace: undefined }),
        strict,
        say: (_, message) => said.push(message),
        redacted: (message) => message,
        standIns: new StandIns(),
    });

    it("shows its warnings and goes on", async () => {
        const said: string[] = [];
        assert.deepEqual(await invokeFunction(lookup, hostWith(false, said), { name: "web", kind: "old" }), {
            name: "web",
        });
        assert.deepEqual(said, ["getThing: kind: is deprecated: use name"]);
    });

    it("fails with an internal error where it is mistaken itself", async () => {
        const mistake = new TypeError("nothing is not a thing");
        const broken = { ...lookup, invoke: () => Promise.reject(mistake) };
        await assert.rejects(invokeFunction(broken, hostWith(false, []), { name: "web" }), (error) => {
            assert(error instanceof InternalError);
            assert.equal(error.code, "internal");
            assert.match(error.message, /^getThing: nothing is not a thing\. This is a mistake in statecraft/);
            assert.equal(error.cause, mistake);
            return true;
        });
    });

    it("fails for its warnings in a strict stack, beside every other problem", async () => {
        const said: string[] = [];
        await assert.rejects(invokeFunction(lookup, hostWith(true, said), { kind: "old" }), (error) => {
            assert(error instanceof InputError);
            assert.deepEqual(error.reasons, ["name: is required", "kind: is deprecated: use name"]);
            return true;
        });
        assert.deepEqual(said, []);
    });
});
