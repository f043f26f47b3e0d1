/**
 * The native plugin under the real engine, in a program of YAML: the lines "languages", "to install" and "`pulumi import`" of the README's
 * table "Dynamic or native".
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { done, failed, onStage, saying } from "../support/stack";
import { each, everyResource } from "./native-program";

const rolePath = "/v1/auth/clouda/role/web";

describe("the native plugin", () => {
    it("leads every resource through preview, up, refresh with drift, change, import and destroy", async () => {
        await onStage(demonstration, { yaml: everyResource() }, async ({ simulator, stack }) => {
            assert.deepEqual(done(await stack.preview()), each("create"));
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(done(await stack.up()), each("create"));
            const stored = JSON.stringify(await stack.export());
            assert(!stored.includes("planted"), "secrets are encrypted in state");

            await simulator.forget();
            assert.deepEqual(done(await stack.up("--expect-no-changes")), each("same"));
            assert.deepEqual(await simulator.writes(), []);

            await simulator.outside("POST", rolePath, { token_ttl: "5m" });
            assert.deepEqual(done(await stack.refresh()), { ...each("same"), web: "update" });
            stack.writeYaml(everyResource({ hourly: { interval: "2h" } }));
            const changed = await stack.up();
            assert.deepEqual(done(changed), { ...each("same"), web: "update", hourly: "update" });
            const role = (await simulator.outside("GET", rolePath)) as { data: Record<string, unknown> };
            assert.equal(role.data["token_ttl"], 3600);
            assert.deepEqual(changed.steps.find(({ name }) => name === "web")?.diffs, ["tokenTtl"]);

            const resources = (await stack.resources()).map(({ type, urn, id }) => {
                const name = urn.split("::").at(-1);
                // What is deleted can be read by nobody.
                return { type, name, id: name === "old" ? "sv-2" : id };
            });
            assert.equal(resources.length, 9);
            assert.equal((await stack.pulumi("state", "delete", "--all", "--yes")).code, 0);
            await simulator.forget();
            const dynamic = "pulumi-nodejs:dynamic/statecraft:AuthRole";
            // Pulumi's dynamic host breaks where there is no provider's text.
            assert.notEqual((await stack.import(dynamic, "web", "auth/clouda/role/web")).code, 0);
            const absent = await stack.import("statecraft:index:AuthRole", "nobody", "auth/clouda/role/nobody");
            failed(absent);
            assert(saying(absent, /AuthRole auth\/clouda\/role\/nobody: it does not exist/).length > 0);

            const [list, one, others] = ["import.json", "one.yaml", "others.yaml"].map((file) =>
                join(stack.folder, file),
            );
            assert(list && one && others);
            const single = ["statecraft:index:AuthRole", "web", "auth/clouda/role/web", "--out", one];
            assert.deepEqual(done(await stack.import(...single)), { web: "import" });
            writeFileSync(list, JSON.stringify({ resources: resources.filter(({ name }) => name !== "web") }));
            const imported = await stack.import("--file", list, "--out", others);
            assert.deepEqual(done(imported), { ...each("import"), web: "same" });
            // The program that Pulumi prints is right.
            const printed = readFileSync(one, "utf8") + readFileSync(others, "utf8").replace("resources:\n", "");
            writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: ${stack.project}\nruntime: yaml\n${printed}`);
            assert.deepEqual(done(await stack.up("--expect-no-changes")), each("same"));
            assert.deepEqual(await simulator.writes(), []);

            assert.deepEqual(done(await stack.destroy()), each("delete"));
            assert.equal(await simulator.outside("GET", rolePath), undefined);
        });
    });
});
