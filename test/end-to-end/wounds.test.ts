/** Wounds of others where the engine is part of the story; the others are in `test/wounds.test.ts`. */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import type { Outcome } from "../support/pulumi-cli";
import { isReadable, onStage } from "../support/stack";
import { plantedToken } from "../support/world";

const rolePath = "/v1/auth/clouda/role/web";
const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
const volumePath = "/v1/volume/csi/data";

const stepsOf = (outcome: Outcome) => {
    isReadable(outcome);
    return Object.fromEntries(outcome.steps.map(({ name, op }) => [name, op]));
};
const done = (outcome: Outcome) => {
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
    return stepsOf(outcome);
};
const failed = (outcome: Outcome) => {
    assert.notEqual(outcome.code, 0, outcome.stdout);
    isReadable(outcome);
    return outcome.stdout + outcome.stderr;
};

describe("wounds of others under the real engine", function () {
    // Several runs of the engine each, on machines that may have other work.
    this.timeout(120_000);

    it("secrets and tokens lie in the stack's state in clear (elsewhere #8265, #3201, #643)", async () => {
        const program = `
            const s = require("pulumi-statecraft");
            new s.AuthConfig("config", { tenantId: "t-1", resource: "https://app.example", clientSecret: "planted-1" });
            const place = { pathPrefix: "a/", bucket: "b" };
            const at = (name, storage) => new s.SnapshotConfig(name, { name, interval: "1h", storage: { ...place, ...storage } });
            at("one", { type: "cloudb-s3", region: "r", accessKeyId: "planted-2", secretAccessKey: "planted-3", sessionToken: "planted-4" });
            at("two", { type: "cloudc-gcs", serviceAccountKey: { type: "planted-5" } });
            new s.SnapshotConfig("three", { name: "three", interval: "1h", storage: { type: "clouda-blob", pathPrefix: "a/", container: "c", accountKey: "planted-6" } });`;
        await onStage({}, program, async ({ stack }) => {
            done(await stack.up());
            done(await stack.refresh("--expect-no-changes"));
            const kept = await stack.resources({ showSecrets: true });
            for (const { inputs } of kept) assert(Buffer.byteLength(String(inputs?.["__provider"])) <= 120);
            const clear = JSON.stringify(kept);
            for (const number of [1, 2, 3, 4, 5, 6]) assert(clear.includes(`planted-${number}`));
            assert(!clear.includes(plantedToken));
            const stored = JSON.stringify(await stack.export());
            assert.doesNotMatch(stored, /planted-\d/);
        });
    });

    it("another storage type or letter case replaces by making first and deleting the same thing then", async () => {
        const program = (name: string, policies: string, storage: string) => `
            const s = require("pulumi-statecraft");
            new s.AuthRole("web", { name: "${name}", boundLocations: ["north"], tokenPolicies: ${policies} });
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "1h", retain: 2, storage: ${storage} });`;
        const local = '{ type: "local", pathPrefix: "/a", maxSpace: 1000000 }';
        const s3 = '{ type: "cloudb-s3", pathPrefix: "a", bucket: "b", region: "r" }';
        await onStage({}, program("Web", '["b", "a"]', local), async ({ world, stack }) => {
            done(await stack.up());
            stack.write(program("web", '["a", "b"]', s3));
            const steps = { web: "same", hourly: "update" };
            assert.deepEqual(done(await stack.preview()), steps);
            await world.forget();
            assert.deepEqual(done(await stack.up()), steps);
            assert.deepEqual(
                (await world.writes()).map(({ method, path }) => [method, path]),
                [["POST", snapshotPath]],
            );
            assert.notEqual(await world.outside("GET", rolePath), undefined);
            assert.notEqual(await world.outside("GET", snapshotPath), undefined);
        });
    });

    it("a refused refresh empties the stack, and a volume that is gone stops its destroy (elsewhere #1854)", async () => {
        const program = `
            const s = require("pulumi-statecraft");
            new s.AuthRole("web", { name: "web", boundLocations: ["north"] });
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "1h", retain: 2, storage: { type: "local", pathPrefix: "/a", maxSpace: 1000000 } });
            new s.CsiVolume("data", { volumeId: "data", pluginId: "disks" });`;
        await onStage(demonstration, program, async ({ world, stack }) => {
            done(await stack.up());
            for (const status of [403, 500]) {
                const body = '{"errors":["planted"]}';
                await world.fault({ status, times: 0, body, contentType: "application/json" });
                assert.match(failed(await stack.refresh()), new RegExp(`: ${status}: planted`));
                await world.heal();
                assert.equal((await stack.resources()).length, 3);
            }
            await world.outside("DELETE", volumePath);
            assert.deepEqual(done(await stack.destroy()), { web: "delete", hourly: "delete", data: "delete" });
        });
    });

    it("a copied stack takes over what another one made, and its destroy deletes it", async () => {
        const program = `
            const { AuthRole } = require("pulumi-statecraft");
            new AuthRole("web", { name: "web", boundLocations: ["north"] });`;
        await onStage({}, program, async ({ world, stack }) => {
            const leftover = { token_policies: ["admin"], bound_locations: ["north"] };
            await world.outside("POST", rolePath, leftover);
            await world.forget();
            assert.match(
                failed(await stack.up()),
                /exists already and was left untouched\. To take it over, set `adopt: true`/,
            );
            done(await stack.destroy());
            assert.deepEqual(await world.writes(), []);
            const { data } = (await world.outside("GET", rolePath)) as { data: Record<string, unknown> };
            assert.deepEqual(data["token_policies"], ["admin"]);
        });
    });
});
