/** Runs the contract tests on the simulator, in both vocabularies. */

import assert from "node:assert/strict";
import { connect } from "../../src/client";
import { serviceKeys } from "../../src/settings/config-keys";
import { demonstration } from "../../src/simulator/demonstration";
import { canaryToken } from "../support/canaries";
import { testClock } from "../support/clock";
import { withSimulator } from "../support/simulator";
import { describeManagerContract } from "./manager";
import { describeStateVersionsContract } from "./state-versions";
import type { Target } from "./target";
import { describeVolumesContract } from "./volumes";

// The id is hexadecimal, because servers of the API document filter lists only by hexadecimal ids.
const plugin = { id: "d15c", provider: "disks.example", version: "1.0.0", controllerRequired: true, nodes: ["node-1"] };

const [appRole, authMethod] = [
    { at: "approle", name: "role-1", secretId: "s" },
    { at: "ci", name: "" },
];
const manager = JSON.stringify([{ mount: "approle", roleId: "role-1", secretIdVariable: "SECRET_ID" }]);
const volumes = JSON.stringify([{ authMethod: "ci", jwtVariable: "JWT" }]);
const logins = {
    ...{ SECRET_ID: "s", JWT: "e30.e30.s", STATECRAFT_CONTRACT_VAULT_LOGINS: manager },
    ...{ STATECRAFT_CONTRACT_MANAGER_LOGINS: manager, STATECRAFT_CONTRACT_NOMAD_LOGINS: volumes },
    STATECRAFT_CONTRACT_VOLUMES_LOGINS: volumes,
};

for (const vocabulary of ["documented", "product"] as const) {
    describe(`the simulator passes the contract tests: ${vocabulary}`, () => {
        const seed = {
            ...demonstration,
            tokens: [{ token: canaryToken, kind: "user" as const, id: "tester" }],
            plugins: [plugin],
            mounts: ["azure", "clouda", "contract"],
            logins: [
                { ...appRole, ttl: 60 },
                { ...authMethod, ttl: 60 },
            ],
        };
        const simulator = withSimulator(seed, { vocabulary });

        const clock = testClock();
        const target = (path = ""): Target => ({
            name: `simulator, ${vocabulary}`,
            vocabulary,
            settings: () => ({ address: simulator.url + path, token: canaryToken, maxRetries: 2, timeout: 5 }),
            environment: {
                STATECRAFT_CONTRACT_PLUGIN: plugin.id,
                STATECRAFT_CONTRACT_NODE: "node-1",
                STATECRAFT_CONTRACT_NAMESPACE: "team",
                STATECRAFT_CONTRACT_CONFIG_MOUNT: "contract",
                STATECRAFT_CONTRACT_WORKSPACE: "ws-1",
                ...logins,
            },
            pace: { ...clock, clock },
            lacks: {
                claim: "the tests of volumes and of the fault matrix claim them",
                "single properties": "the tests of resources deploy each",
            },
        });
        describeManagerContract(target());
        describeVolumesContract(target());
        describeStateVersionsContract(target("/api/v2"));

        describe("afterwards", () => {
            it("the server has no object of the tests", async () => {
                const [manager, volumes] = [serviceKeys.manager, serviceKeys.volumes].map(
                    ({ [vocabulary]: { key } }) => key,
                );
                const settings = target().settings();
                const client = connect({ [`${manager}`]: settings, [`${volumes}`]: settings, environment: {} });
                assert.deepEqual((await client.getAuthRoles({})).names, []);
                assert.deepEqual((await client.getSnapshotConfigs({})).names, []);
                assert.deepEqual((await client.getCsiVolumes({})).volumes, []);
            });
        });
    });
}
