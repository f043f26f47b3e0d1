/** The contracts, kept by the simulator in both vocabularies. */

import assert from "node:assert/strict";
import { type Connection, connect } from "../../src/client";
import { serviceKeys } from "../../src/core/config-keys";
import { demonstration } from "../../src/simulator/demonstration";
import { canaryToken } from "../support/canaries";
import type { Vocabulary } from "../support/simulator";
import { withSimulator } from "../support/simulator";
import { describeManagerContract } from "./manager";
import { describeStateVersionsContract } from "./state-versions";
import type { Target } from "./target";
import { describeVolumesContract } from "./volumes";

// Its id is one that lists can be narrowed by in both vocabularies.
const plugin = { id: "d15c", provider: "disks.example", version: "1.0.0", controllerRequired: true, nodes: ["node-1"] };

for (const vocabulary of ["documented", "product"] as const satisfies Vocabulary[]) {
    describe(`the simulator keeps the contracts: ${vocabulary}`, () => {
        const simulator = withSimulator({ ...demonstration, plugins: [plugin] }, { vocabulary });

        const target = (path = ""): Target => ({
            name: `simulator, ${vocabulary}`,
            vocabulary,
            settings: () => ({
                address: simulator.url + path,
                token: canaryToken,
                maxRetries: 2,
                timeout: 5,
            }),
            environment: {
                STATECRAFT_CONTRACT_PLUGIN: plugin.id,
                STATECRAFT_CONTRACT_NODE: "node-1",
                STATECRAFT_CONTRACT_WORKSPACE: "ws-1",
            },
            complete: true,
        });
        describeManagerContract(target());
        describeVolumesContract(target());
        describeStateVersionsContract(target("/api/v2"));

        // Suites run in this order, so everything above has been undone.
        describe("afterwards", () => {
            it("nothing is left that bears a name of the run", async () => {
                const lists = {
                    manager: (client: Connection) => client.getAuthRoles({}).then(({ names }) => names),
                    snapshots: (client: Connection) => client.getSnapshotConfigs({}).then(({ names }) => names),
                    volumes: (client: Connection) =>
                        client.getCsiVolumes({}).then((list) => list.volumes.map(({ volumeId }) => volumeId)),
                };
                const settings = target().settings();
                const [{ key: managerKey }, { key: volumesKey }] = [
                    serviceKeys.manager[vocabulary],
                    serviceKeys.volumes[vocabulary],
                ];
                const client = connect({ [managerKey]: settings, [volumesKey]: settings, environment: {} });
                for (const [what, list] of Object.entries(lists)) assert.deepEqual(await list(client), [], what);
            });
        });
    });
}
