/** What every volumes service must do with volumes of type `csi`. */

import assert from "node:assert/strict";
import type { Connection } from "../../src/client";
import { volumes } from "../../src/services/volumes/service";
import { withCode } from "../support/messages";
import { isAbsent, itKeepsContracts, type NamedObject, written } from "./named-object";
import { Ground, named, type Target, titleOf } from "./target";

/**
 * The contracts of a volumes service. `STATECRAFT_CONTRACT_PLUGIN` names the plugin to register volumes with,
 * `STATECRAFT_CONTRACT_EXTERNAL_ID` a volume of the storage provider where the plugin looks whether there is one, and
 * `STATECRAFT_CONTRACT_NODE` the id of a node that runs the plugin.
 */
export function describeVolumesContract(target: Target): void {
    describe(titleOf("volumes service", target), () => {
        const ground = new Ground(target, volumes);
        const plugin = target.environment["STATECRAFT_CONTRACT_PLUGIN"];
        const externalId = target.environment["STATECRAFT_CONTRACT_EXTERNAL_ID"];
        let client: Connection;
        before(() => {
            client = ground.client;
        });
        after(() => ground.clear());

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
        };

        it("a plugin that nobody runs is refused by its name, and nothing is registered", async () => {
            const volumeId = named("unplugged");
            const life = ground.life("CsiVolume");
            ground.leaves(`volume ${volumeId}`, () => client.csiVolume.delete(idOf(volumeId)));
            await assert.rejects(life.up(volume(volumeId, { pluginId: named("plugin") })), /no CSI plugin named/);
            assert.equal(life.state, undefined);
            await assert.rejects(client.getCsiVolume({ volumeId }), isAbsent);
        });

        describe("a volume", () => {
            before(function () {
                if (!plugin) ground.passOver(this, "STATECRAFT_CONTRACT_PLUGIN names no plugin");
            });

            const registered = async (word: string, more: object = {}) => {
                const { life, name } = await written(ground, object, word, more);
                return { life, volumeId: name };
            };

            itKeepsContracts(ground, object);

            it("is read as it was registered", async () => {
                const { volumeId } = await registered("whole", { name: "Contract" });
                const seen = await client.getCsiVolume({ volumeId });
                assert.deepEqual([seen.volumeId, seen.name, seen.pluginId], [volumeId, "Contract", plugin]);
                assert.deepEqual([seen.readAllocs, seen.writeAllocs, seen.allocations], [[], [], []]);
            });

            it("has no name where the program gives none", async () => {
                const { volumeId } = await registered("unnamed");
                assert.equal((await client.getCsiVolume({ volumeId })).name, "");
            });

            it("is listed with those of its plugin", async function () {
                // The document lets lists be narrowed by ids of hexadecimal digits only.
                if (target.vocabulary === "documented" && !/^(?:[0-9a-f]{2})+$/.test(plugin ?? "")) {
                    ground.passOver(
                        this,
                        `lists cannot be narrowed to the plugin ${plugin}, whose id is not hexadecimal`,
                    );
                }
                const { volumeId } = await registered("narrowed");
                assert((await listed(plugin)).includes(volumeId));
            });

            it("gets other modes by being replaced", async () => {
                const { life, volumeId } = await registered("changed");
                const step = await life.up(volume(volumeId, { accessMode: "single-node-reader-only" }));
                assert.equal(step, "replaced");
                await life.refresh();
                assert.equal(life.outputs()["accessMode"], "single-node-reader-only");
            });

            it("gets another name by being replaced", async () => {
                const { life, volumeId } = await registered("renamed", { name: "Before" });
                assert.equal(await life.up(volume(volumeId, { name: "After" })), "replaced");
                assert.equal((await client.getCsiVolume({ volumeId })).name, "After");
            });

            it("stays registered after a detachment, refused or not", async function () {
                const node = target.environment["STATECRAFT_CONTRACT_NODE"];
                if (!node) return ground.passOver(this, "STATECRAFT_CONTRACT_NODE names no node");
                const { volumeId } = await registered("detached");
                const detachment = ground.life("CsiVolumeDetachment");
                assert.equal(await detachment.up({ volumeId, node }), "created");
                assert.equal((await client.getCsiVolume({ volumeId })).volumeId, volumeId);
                const refused = withCode("server-warning");
                assert(detachment.warnings.every((warning) => refused.test(warning)));
            });
        });
    });
}
