/** `pulumi import`: the state is right, and so is the program that Pulumi prints: a following `up` finds nothing to do. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { done, failed, onStage, saying } from "../support/stack";
import { everyResource } from "./native-program";

describe("import by the native plugin", () => {
    it("takes every resource from a file", async () => {
        await onStage(demonstration, { yaml: everyResource() }, async ({ simulator, stack }) => {
            done(await stack.up());
            const resources = (await stack.resources()).map(({ type, urn, id }) => {
                const name = urn.split("::").at(-1);
                // What is deleted can be read by nobody.
                return { type, name, id: name === "old" ? "sv-2" : id };
            });
            assert.equal(resources.length, 9);
            assert.equal((await stack.pulumi("state", "delete", "--all", "--yes")).code, 0);
            const [list, program] = ["import.json", "printed.yaml"].map((file) => join(stack.folder, file));
            assert(list && program);
            writeFileSync(list, JSON.stringify({ resources }));
            await simulator.forget();
            const imported = done(await stack.import("--file", list, "--out", program));
            const all = (op: string) => Object.fromEntries(resources.map(({ name }) => [name, op]));
            assert.deepEqual(imported, all("import"));
            const printed = readFileSync(program, "utf8");
            writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: ${stack.project}\nruntime: yaml\n${printed}`);
            assert.deepEqual(done(await stack.up("--expect-no-changes")), all("same"));
            assert.deepEqual(await simulator.writes(), []);
        });
    });

    it("takes one resource by its id, and says so when there is none", async () => {
        const yaml = {
            resources: { web: { type: "statecraft:AuthRole", properties: { name: "web", tokenTtl: "1h" } } },
        };
        await onStage({}, { yaml }, async ({ simulator, stack }) => {
            const absent = await stack.import("statecraft:index:AuthRole", "web", "auth/clouda/role/web");
            failed(absent);
            assert(saying(absent, /AuthRole auth\/clouda\/role\/web: it does not exist/).length > 0);
            await simulator.outside("POST", "/v1/auth/clouda/role/web", { token_ttl: 3600 });
            await simulator.forget();
            assert.deepEqual(done(await stack.import("statecraft:index:AuthRole", "web", "auth/clouda/role/web")), {
                web: "import",
            });
            assert.deepEqual(done(await stack.up("--expect-no-changes")), { web: "same" });
            assert.deepEqual(await simulator.writes(), []);
        });
    });
});
