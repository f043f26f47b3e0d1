/** Runs a YAML program with the native plugin on the real engine. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { bucketKey, each, everyResource } from "../languages/life";
import type { StoredResource } from "../support/pulumi-cli";
import { done, failed, onStage, type Stage, saying } from "../support/stack";

const rolePath = "/v1/auth/clouda/role/web";
const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/hourly";

/** Converts the resources of a stack to the input of `pulumi import`. */
const importsOf = (resources: readonly StoredResource[]) =>
    resources.map(({ type, urn, id }) => {
        const name = urn.split("::").at(-1);
        // The resource `old` has deleted the content of its version, so the test imports another version.
        return { type, name, id: name === "old" ? "sv-2" : id };
    });

describe("the native plugin", () => {
    it("supports preview, up, refresh, import and destroy of every resource", async () => {
        const supports = async (stage: Stage) => {
            const { simulator, stack } = stage;
            const declare = (program: string) => writeFileSync(join(stack.folder, "Pulumi.yaml"), program);
            declare(everyResource);
            // A preview that wrote a named object would make its creation fail.
            assert.deepEqual(done(await stack.up("--skip-preview=false")), each("create"));
            const stored = JSON.stringify(await stack.export());
            assert(!stored.includes("planted"), "secrets are encrypted in state");

            await simulator.outside("POST", rolePath, { token_ttl: "5m" });
            await simulator.forget();
            declare(everyResource.replace("interval: 1h", "interval: 2h"));
            const changed = await stack.up("--refresh");
            assert.deepEqual(done(changed), { ...each("same"), web: "update", hourly: "update" });
            const written = (await simulator.writes()).map(({ path }) => path);
            assert.deepEqual(written.sort(), [rolePath, snapshotPath], "unchanged resources are not written");
            const role = (await simulator.outside("GET", rolePath)) as { data: Record<string, unknown> };
            assert.equal(role.data["token_ttl"], 3600);
            assert.deepEqual(changed.steps.find(({ name }) => name === "web")?.details, { tokenTtl: "update" });

            const resources = importsOf(await stack.resources());
            assert.equal(resources.length, Object.keys(each("import")).length);
            assert.equal((await stack.pulumi("state", "delete", "--all", "--yes")).code, 0);
            const more = { token_type: "batch", token_policies: ["web", "read"], token_bound_cidrs: ["10.0.0.0/8"] };
            await simulator.outside("POST", rolePath, more);
            await simulator.forget();
            const absent = await stack.import("statecraft:index:AuthRole", "nobody", "auth/clouda/role/nobody");
            failed(absent);
            assert(saying(absent, /AuthRole auth\/clouda\/role\/nobody: it does not exist/).length > 0);

            const [list, out] = [join(stack.folder, "import.json"), join(stack.folder, "imported.yaml")];
            writeFileSync(list, JSON.stringify({ resources }));
            assert.deepEqual(done(await stack.import("--file", list, "--out", out)), each("import"));
            const printed = readFileSync(out, "utf8");
            declare(`name: test\nruntime: yaml\n${printed}`);
            assert(!printed.includes("planted"), "an import prints no secret");
            // The preview shows that the printed program lacks the key of the storage.
            assert.deepEqual(done(await stack.preview()), { ...each("same"), hourly: "update" });
            assert.deepEqual(await simulator.writes(), []);

            assert.deepEqual(done(await stack.destroy()), each("delete"));
            assert.equal(await simulator.outside("GET", rolePath), undefined);
        };
        await onStage(demonstration, { yaml: {} }, supports, bucketKey);
    });
});
