/** Tests on the real engine for defects that users have reported for other providers. */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { done, failed, onStage } from "../support/stack";

const rolePath = "/v1/auth/clouda/role/web";
const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
const volumePath = "/v1/volume/csi/data";

describe("regressions under the real engine", () => {
    it("another storage type or letter case changes the object in place, and a volume is deleted before its replacement is created", async () => {
        const local = '{ type: "local", pathPrefix: "/a", maxSpace: 1000000 }';
        const s3 = '{ type: "cloudb-s3", pathPrefix: "a", bucket: "b", region: "r" }';
        const program = (name: string, policies: string, storage: string, externalId: string, protect: boolean) => `
            const s = require("pulumi-statecraft");
            const pulumi = require("@pulumi/pulumi");
            const web = new s.AuthRole("web", { name: "${name}", boundLocations: ["north"], tokenPolicies: ${policies}, tokenTtl: "1h" });
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "1h", retain: 2, storage: ${storage} });
            new s.CsiVolume("data", { volumeId: "data", pluginId: "disks", externalId: "${externalId}" }, { protect: ${protect} });
            // These inputs are unknown until the role web exists.
            new s.AuthRole("next", { name: pulumi.interpolate\`\${web.name}-next\`, tokenPolicies: [web.id], boundGroupIds: web.id.apply((id) => [id]), tokenTtl: web.tokenTtl });
            new s.SnapshotConfig("other", { name: "other", interval: "1h", storage: { type: "cloudc-gcs", bucket: web.server, pathPrefix: pulumi.interpolate\`\${web.mount}/\` } });
            new s.CsiVolume("late", { volumeId: web.id.apply((id) => id.toLowerCase().replace(/\\//g, "-")), pluginId: "disks", topologies: [{ rack: web.mount }] });
            exports.found = s.AuthRole.get("found", web.id).tokenTtl;
            // The function waits for the role web, although the name is known.
            exports.locations = s.getAuthRoleOutput({ name: web.name }).boundLocations;
            // Only dependsOn declares that the role must exist before the call.
            const team = new pulumi.ComponentResource("test:index:Team", "team");
            new s.AuthRole("member", { name: "member", boundLocations: ["south"] }, { parent: team });
            exports.within = s.getAuthRoleOutput({ name: "member" }, { dependsOn: team }).boundLocations;`;
        await onStage(
            demonstration,
            program("Web", '["b", "a"]', local, "vol-1", true),
            async ({ simulator, stack }) => {
                done(await stack.up("--skip-preview=false"));
                const next = (await simulator.outside("GET", `${rolePath}-next`)) as { data: Record<string, unknown> };
                assert.deepEqual(
                    [next.data["token_policies"], next.data["token_ttl"]],
                    [["auth/clouda/role/web"], 3600],
                );
                assert.notEqual(await simulator.outside("GET", "/v1/volume/csi/auth-clouda-role-web"), undefined);
                const { found, locations, within } = await stack.outputs();
                assert.deepEqual([found, locations, within], [3600, ["north"], ["south"]]);

                stack.write(program("Web", '["b", "a"]', local, "vol-2", true));
                assert.match(failed(await stack.preview()), /protect/);
                stack.write(program("web", '["a", "b"]', s3, "vol-2", false));
                await simulator.forget();
                const changed = await stack.up();
                const { data, next: after, ...rest } = done(changed);
                assert.deepEqual(rest, {
                    ...{ web: "same", team: "same", member: "same" },
                    ...{ hourly: "update", other: "same", late: "same", found: "read" },
                });
                const ops = changed.steps.filter(({ name }) => name === "data").map(({ op }) => op);
                assert.deepEqual(ops.sort(), ["create-replacement", "delete-replaced", "replace"]);
                assert.deepEqual(
                    (await simulator.writes()).map(({ method, path }) => [method, path]).sort(),
                    [
                        ["DELETE", volumePath],
                        ["POST", snapshotPath],
                        ["PUT", volumePath],
                    ],
                    "only the volume is replaced",
                );
                assert.equal(after, "same");
            },
        );
    });
});
