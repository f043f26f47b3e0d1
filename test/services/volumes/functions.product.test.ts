/** Looking volumes up and detaching them on servers that speak the product's names, as measured there. */

import assert from "node:assert/strict";
import { type Connection, connect } from "../../../src/client";
import { detachesByItself } from "../../../src/services/volumes/failures";
import type { Seed } from "../../../src/simulator/seed";
import { canaryToken } from "../../support/canaries";
import { wordsOf } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const seed: Seed = {
    plugins: [{ id: "disks", provider: "disks.example", version: "1.2.3", nodes: ["node-1"] }],
    volumes: [
        {
            ID: "data",
            Name: "Data",
            PluginID: "disks",
            RequestedCapabilities: [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }],
        },
    ],
};

describe("volumes in the vocabulary product", () => {
    const simulator = withSimulator(seed, { vocabulary: "product" });
    let client: Connection;
    before(() => {
        client = connect({
            volumes: { address: simulator.url, token: canaryToken, vocabulary: "product", maxRetries: 0 },
            environment: {},
            warn: (message) => assert.match(message, /: (nodeId|pluginId): must be an even number/),
        });
    });

    const claim = (fields: object) =>
        simulator.control("POST", "/simulator/claims", { volume: "data", node: "node-1", ...fields });

    it("are looked up with the documents' names", async () => {
        const capabilities = [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }];
        await simulator.outside("PUT", "/v1/volume/csi/placed", {
            Volumes: [
                {
                    ...{ ID: "placed", Name: "Placed", PluginID: "disks", RequestedCapabilities: capabilities },
                    Topologies: [{ Segments: { rack: "r1" } }],
                },
            ],
        });
        await claim({ volume: "placed", allocation: "alloc-1", job: "web" });
        const { volumeId, version, provider, resourceExhausted, topologies, allocations, index } =
            await client.getCsiVolume({ volumeId: "placed" });
        assert.deepEqual([volumeId, version, provider, resourceExhausted], ["placed", "1.2.3", "disks.example", 0]);
        assert.deepEqual(topologies, [{ rack: "r1" }]);
        assert.deepEqual(
            allocations.map(({ id, taskStates }) => [id, taskStates["main"]?.events[0]?.secretsError]),
            [["alloc-1", ""]],
        );
        assert.equal(index, 3);
    });

    it("are looked up with what only real servers know, but for what they keep to themselves", async () => {
        const capabilities = [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }];
        const further = {
            MountOptions: { FSType: "ext4", MountFlags: ["credentials=planted"] },
            Parameters: { tier: "fast" },
            Context: { endpoint: "http://store" },
            Secrets: { key: "planted" },
            RequestedTopologies: { Required: [{ Segments: { rack: "r1" } }], Preferred: [] },
            RequestedCapacityMin: 1000,
        };
        await simulator.outside("PUT", "/v1/volume/csi/full", {
            Volumes: [{ ID: "full", PluginID: "disks", RequestedCapabilities: capabilities, ...further }],
        });
        const found = await client.getCsiVolume({ volumeId: "full" });
        assert.deepEqual(
            [found.capabilities, found.parameters, found.context, found.requestedTopologies, found.capacityMin],
            [
                [{ accessMode: "single-node-writer", attachmentMode: "file-system" }],
                { tier: "fast" },
                { endpoint: "http://store" },
                { required: [{ rack: "r1" }], preferred: [] },
                1000,
            ],
        );
        assert.deepEqual(found.mountOptions, { fsType: "ext4", mountFlags: ["[REDACTED]"] });
        assert.equal(found.capacityMax, undefined);
        assert(!JSON.stringify(found).includes("planted"));
        assert.deepEqual((await client.getCsiVolume({ volumeId: "data" })).mountOptions, {
            fsType: "",
            mountFlags: [],
        });
    });

    it("tell since when something is exhausted in seconds, whatever a server tells it in", async () => {
        for (const [told, seconds] of [
            ["2026-01-02T03:04:05.678Z", 1767323045],
            ["0001-01-01T00:00:00Z", 0],
            [7, 7],
            [null, 0],
        ]) {
            await simulator.fault({
                method: "GET",
                status: 200,
                body: JSON.stringify([{ ID: "a", ResourceExhausted: told }]),
            });
            assert.equal((await client.getCsiVolumes({})).volumes[0]?.resourceExhausted, seconds);
        }
    });

    it("are listed by the whole id of a plugin, which need not be hexadecimal", async () => {
        const listed = async (pluginId: string) => (await client.getCsiVolumes({ pluginId })).volumes.length;
        assert.deepEqual([await listed("disks"), await listed("disk"), await listed("zz")], [1, 0, 0]);
        assert.deepEqual((await client.getCsiVolumes({ nodeId: "node-1" })).volumes, []);
    });

    it("are listed by plugin in all namespaces too, where servers themselves find nothing", async () => {
        const listed = async (pluginId: string) => (await client.getCsiVolumes({ namespace: "*", pluginId })).volumes;
        assert.deepEqual(
            (await listed("disks")).map(({ volumeId }) => volumeId),
            ["data"],
        );
        assert.deepEqual(await listed("zz"), []);
        assert.equal((await listed("")).length, 1);
    });

    it("are waited for by the index of the server's own header", async () => {
        const { index } = await client.getCsiVolumes({});
        assert.equal(index, 1);
        await claim({});
        assert.equal((await client.getCsiVolumes({ index, wait: 60 })).index, 2);
    });

    it("are detached by the server itself, which refuses to do it on request", async () => {
        const resource = simulator.resource("CsiVolumeDetachment");
        assert.equal(await resource.up({ volumeId: "data", node: "node-1" }), "created");
        assert.match(resource.warnings.join(), wordsOf(detachesByItself));
    });
});
