/** The contract tests of a volumes service, for volumes of type `csi`. */

import assert from "node:assert/strict";
import type { Connection } from "../../src/client";
import { volumes } from "../../src/services/volumes/service";
import { withCode } from "../support/messages";
import { describeEndpoints } from "./endpoints";
import { isAbsent, itKeepsContracts, itKeepsEveryProperty, type NamedObject, written } from "./named-object";
import { Ground, named, type Target, titleOf } from "./target";

/**
 * Registers the tests. `STATECRAFT_CONTRACT_PLUGIN` is the plugin of the volumes, `STATECRAFT_CONTRACT_EXTERNAL_ID` a volume of its storage
 * for a plugin that verifies the volume, and `STATECRAFT_CONTRACT_NODE` the id of a node that runs the plugin.
 */
export function describeVolumesContract(target: Target): void {
    describeEndpoints(target, "Volumes");
    describe(titleOf("volumes service", target), () => {
        const ground = new Ground(target, volumes);
        const plugin = target.environment["STATECRAFT_CONTRACT_PLUGIN"];
        const externalId = target.environment["STATECRAFT_CONTRACT_EXTERNAL_ID"];
        let client: Connection;
        before(() => {
            client = ground.client;
        });
        after(() => ground.clear());

        ground.itLogsIn((other) => other.getCsiVolumes());

        const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
        const volume = (volumeId: string, more: object = {}) => ({
            volumeId,
            pluginId: plugin ?? "",
            ...(externalId ? { externalId } : {}),
            ...modes,
            ...more,
        });
        const idOf = (volumeId: string) => `${target.settings().namespace ?? "default"}/${volumeId}`;
        const listed = async (pluginId?: string) =>
            (await client.getCsiVolumes(pluginId === undefined ? {} : { pluginId })).volumes.map(
                ({ volumeId }) => volumeId,
            );

        const object: NamedObject = {
            type: "CsiVolume",
            inputs: volume,
            show: (volumeId) => client.getCsiVolume({ volumeId }),
            list: () => listed(),
            remove: (id) => client.csiVolume.delete(id),
            read: (id) => client.csiVolume.read(id),
            idOf,
            passing: /^(schedulable|(controllers|nodes)(Healthy|Expected))$/,
            values: { namespace: target.environment["STATECRAFT_CONTRACT_NAMESPACE"] },
        };

        it("a registration with an unknown plugin fails, and registers nothing", async () => {
            const volumeId = named("unplugged");
            const resource = ground.resource("CsiVolume");
            ground.undoLater(`volume ${volumeId}`, () => client.csiVolume.delete(idOf(volumeId)));
            await assert.rejects(resource.up(volume(volumeId, { pluginId: named("plugin") })), /no CSI plugin named/);
            assert.equal(resource.state, undefined);
            await assert.rejects(client.getCsiVolume({ volumeId }), isAbsent);
        });

        if (!ground.lacks("claim")) {
            it("a claimed volume shows its allocation, and cannot be deregistered", async () => {
                const claimed = target.environment["STATECRAFT_CONTRACT_CLAIMED"];
                assert(claimed, "STATECRAFT_CONTRACT_CLAIMED names no volume that a job uses");
                const { allocations, writeAllocs } = await client.getCsiVolume({ volumeId: claimed });
                assert.deepEqual(
                    writeAllocs,
                    allocations.map(({ id }) => id),
                );
                assert.equal(allocations[0]?.clientStatus, "running");
                await assert.rejects(client.csiVolume.delete(idOf(claimed)), { code: "in-use" });
            });
        }

        describe("a volume", () => {
            before(function () {
                if (!plugin) ground.passOver(this, "plugin", "STATECRAFT_CONTRACT_PLUGIN names none");
            });

            itKeepsContracts(ground, object);

            itKeepsEveryProperty(ground, object);

            it("a list can be filtered by plugin", async () => {
                const { name } = await written(ground, object, "filtered");
                assert((await listed(plugin)).includes(name));
            });

            it("a detachment keeps the registration, and a refused detachment is a warning", async function () {
                const node = target.environment["STATECRAFT_CONTRACT_NODE"];
                if (!node) return ground.passOver(this, "node", "STATECRAFT_CONTRACT_NODE names none");
                const { name: volumeId } = await written(ground, object, "detached");
                const detachment = await ground.resource("CsiVolumeDetachment").deployed({ volumeId, node });
                assert.equal((await client.getCsiVolume({ volumeId })).volumeId, volumeId);
                const refused = withCode("server-warning");
                assert(detachment.warnings.every((warning) => refused.test(warning)));
            });
        });
    });
}
