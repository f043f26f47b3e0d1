import assert from "node:assert/strict";
import { type Connection, type ConnectOptions, InputError } from "../../../src/client";
import type { Seed } from "../../../src/simulator/seed";
import { canaryToken } from "../../support/canaries";
import { failureOf } from "../../support/failures";
import { describeFunction } from "../../support/functions";
import { pathsOf } from "../../support/managed-resource";
import { withSimulator } from "../../support/simulator";

const volume = (fields: object) => ({ ID: "data", Name: "Data", ExternalID: "vol-1", PluginID: "disks", ...fields });
const seed: Seed = {
    plugins: [
        {
            id: "disks",
            provider: "disks.example",
            version: "1.2.3",
            controllerRequired: true,
            nodes: ["a1b2c3", "a1ffee"],
        },
        { id: "d15c", nodes: ["b7b7b7"] },
    ],
    volumes: [
        volume({
            Topologies: [{ Segments: { rack: "r1", zone: "a" } }],
            AccessMode: "single-node-writer",
            AttachmentMode: "file-system",
        }),
        volume({ ID: "more", Name: "", PluginID: "d15c" }),
        volume({ ID: "third", Namespace: "prod" }),
    ],
};

describe("functions of volumes", () => {
    const simulator = withSimulator(seed);
    let client: Connection;
    const to = (settings: ConnectOptions["volumes"] = {}) =>
        simulator.connect({
            nomad: { address: simulator.url, token: canaryToken, maxRetries: 0, ...settings },
            warn: (message) => assert.fail(message),
        });
    before(() => {
        client = to();
    });

    const blocking = { index: 3, wait: 60 };
    const claim = (fields: object) =>
        simulator.control("POST", "/simulator/claims", { volume: "data", node: "a1b2c3", ...fields });
    /** Waits until the simulator delays a blocking query, and returns the request. */
    const delayed = async () => {
        for (;;) {
            // An earlier request that the client cancelled can still arrive.
            const blocking = (await simulator.requests()).find(({ query }) => query["index"] !== undefined);
            if (blocking !== undefined) {
                assert.equal(blocking.status, null, "the request should be waiting");
                return blocking;
            }
        }
    };
    describeFunction("getCsiVolume", simulator, {
        args: { volumeId: "data" },
        path: "/v1/volume/csi/data",
        malformed: [[]],
        absent: [{ volumeId: "none" }],
    });
    describeFunction("getCsiVolumes", simulator, {
        path: "/v1/volumes",
        malformed: [{}, null, [null], [{ Name: "data" }]],
        refused: [[{ limit: 0, namespace: "a/b" }, "namespace", "limit"]],
    });

    describe("getCsiVolume", () => {
        it("returns all fields of a volume that the document lists", async () => {
            assert.deepEqual(await client.getCsiVolume({ volumeId: "data" }), {
                volumeId: "data",
                name: "Data",
                namespace: "default",
                externalId: "vol-1",
                pluginId: "disks",
                topologies: [{ rack: "r1", zone: "a" }],
                accessMode: "single-node-writer",
                attachmentMode: "file-system",
                provider: "disks.example",
                version: "1.2.3",
                schedulable: true,
                controllerRequired: true,
                controllersHealthy: 1,
                controllersExpected: 1,
                nodesHealthy: 2,
                nodesExpected: 2,
                resourceExhausted: 0,
                createIndex: 1,
                modifyIndex: 1,
                allocations: [],
                readAllocs: [],
                writeAllocs: [],
                capabilities: [],
                mountOptions: { fsType: "" },
                parameters: {},
                context: {},
                index: 3,
            });
            const sent = (await simulator.requests()).map(({ method, path, query }) => [method, path, query]);
            assert.deepEqual(sent, [["GET", "/v1/volume/csi/data", { namespace: "default" }]]);
        });

        it("returns the defaults of fields that a server omits, and an error of Vault by its name in the document", async () => {
            const withError = { TaskStates: { main: { Events: [{ VaultError: "v" }] } } };
            const allocations = { Allocations: [{ ID: "bare" }, withError], ReadAllocs: { "a-1": null } };
            await simulator.fault({ method: "GET", status: 200, body: JSON.stringify({ ID: "data", ...allocations }) });
            const found = await client.getCsiVolume({ volumeId: "data" });
            assert.deepEqual(
                [found.readAllocs, found.writeAllocs, found.topologies, found.index],
                [["a-1"], [], [], 0],
            );
            const { id, jobId, createTime, taskStates } = found.allocations[0] ?? {};
            assert.deepEqual([id, jobId, createTime, taskStates], ["bare", "", 0, {}]);
            assert.equal(found.allocations[1]?.taskStates["main"]?.events[0]?.secretsError, "v");
        });

        it("reads from `namespace`, by default that of the settings", async () => {
            assert.equal((await client.getCsiVolume({ volumeId: "third", namespace: "prod" })).namespace, "prod");
            assert.equal((await to({ namespace: "prod" }).getCsiVolume({ volumeId: "third" })).namespace, "prod");
        });

        it("waits for a change, and returns the changed volume", async () => {
            const { index } = await client.getCsiVolume({ volumeId: "data" });
            await simulator.forget();
            const changed = client.getCsiVolume({ volumeId: "data", index, wait: "5m" });
            assert.deepEqual((await delayed()).query, { namespace: "default", index: "3", wait: "300s" });
            await claim({ allocation: "alloc-1" });
            const { readAllocs, index: next } = await changed;
            assert.deepEqual([readAllocs, next], [["alloc-1"], 4]);
        });

        it("returns the unchanged volume after `wait`, by default after a minute", async () => {
            const waiting = client.getCsiVolume({ volumeId: "data", index: 3 });
            assert.equal((await delayed()).query["wait"], "60s");
            await simulator.control("POST", "/simulator/clock", { advance: 60 });
            assert.equal((await waiting).index, 3);
        });

        it("waits for the answer longer than `wait`, even if the `timeout` of the settings is shorter", async () => {
            const { getCsiVolume, getCsiVolumes } = to({ timeout: 0.001 });
            // Without the delay, the answer could arrive before the time-out elapses.
            await simulator.fault({ method: "GET", delay: 600_000 });
            await assert.rejects(getCsiVolume({ volumeId: "data" }), { code: "unreachable" });
            for (const look of [() => getCsiVolume({ volumeId: "data", ...blocking }), () => getCsiVolumes(blocking)]) {
                await simulator.reset();
                const waiting = look();
                await delayed();
                await claim({});
                assert.equal((await waiting).index, 4);
            }
        });
    });

    describe("getCsiVolumes", () => {
        it("returns all fields that the document lists, of one namespace or of all", async () => {
            const { allocations, readAllocs, writeAllocs, version, index, ...listed } = await client.getCsiVolume({
                volumeId: "data",
            });
            const { capabilities, mountOptions, parameters, context, ...documented } = listed;
            await simulator.forget();
            assert.deepEqual((await client.getCsiVolumes({})).volumes[0], documented);
            assert.deepEqual((await simulator.requests())[0]?.query, { type: "csi", namespace: "default" });
            const { volumes } = await to({ namespace: "prod" }).getCsiVolumes({});
            assert.deepEqual([volumes.length, volumes[0]?.volumeId], [1, "third"]);
        });

        for (const [args, ids, query = {}] of [
            [{}, ["data", "more"]],
            [{ namespace: "prod" }, ["third"], { namespace: "prod" }],
            [{ namespace: "*" }, ["data", "more", "third"], { namespace: "*" }],
            [{ namespace: "none" }, [], { namespace: "none" }],
            [{ nodeId: "a1b2" }, ["data"], { node_id: "a1b2" }],
            [{ pluginId: "d15c" }, ["more"], { plugin_id: "d15c" }],
            [{ nodeId: "a1", pluginId: "d1" }, [], { node_id: "a1", plugin_id: "d1" }],
            // An empty prefix filters nothing.
            [{ nodeId: "", pluginId: "" }, ["data", "more"], { node_id: "", plugin_id: "" }],
            [{ limit: 1 }, ["data"]],
            [{ limit: 2 }, ["data", "more"]],
            [{ limit: 9 }, ["data", "more"]],
        ] as const) {
            it(`lists ${ids.join(" and ") || "nothing"} for ${JSON.stringify(args)}`, async () => {
                await claim({});
                await simulator.forget();
                const { volumes } = await client.getCsiVolumes(args);
                const found = volumes.map(({ volumeId }) => volumeId);
                assert.deepEqual(found, ids);
                const queries = (await simulator.requests()).map((request) => request.query);
                assert.deepEqual(queries, [{ type: "csi", namespace: "default", ...query }]);
            });
        }

        for (const prefix of ["a1b", "A1", "disks"]) {
            it(`warns of the prefix ${prefix}, because the document requires an even number of hexadecimal digits`, async () => {
                const warnings: string[] = [];
                const warn = (message: string) => void warnings.push(message.replace("getCsiVolumes: ", ""));
                await simulator.connect({ warn }).getCsiVolumes({ nodeId: prefix, pluginId: prefix });
                assert.deepEqual(pathsOf(warnings), ["nodeId", "pluginId"]);
            });
        }

        it("refuses such a prefix with `strict`, together with all other problems", async () => {
            const strict = simulator.connect({ environment: { STATECRAFT_STRICT: "true" } });
            const { reasons } = await failureOf(strict.getCsiVolumes({ nodeId: "x", limit: 0 }), InputError);
            assert.deepEqual(pathsOf(reasons), ["limit", "nodeId"]);
        });
    });
});

describe("functions of volumes: Nomad's additions to the document", () => {
    const simulator = withSimulator({
        plugins: [{ id: "disks", provider: "disks.example", version: "1.2.3", nodes: ["node-1"] }],
        volumes: [volume({})],
    });
    let client: Connection;
    before(() => {
        client = simulator.connect();
    });

    it("return the fields that only Nomad has, but no secret", async () => {
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
        assert.deepEqual(found.mountOptions, { fsType: "ext4" });
        assert.equal(found.capacityMax, undefined);
        assert(!JSON.stringify(found).includes("planted"));
        assert.deepEqual((await client.getCsiVolume({ volumeId: "data" })).mountOptions, { fsType: "" });
    });

    it("return `resourceExhausted` as a Unix time in seconds", async () => {
        for (const [exhausted, seconds] of [
            ["2026-01-02T03:04:05.678Z", 1767323045],
            ["0001-01-01T00:00:00Z", 0],
            [7, 7],
            [null, 0],
        ]) {
            await simulator.fault({
                method: "GET",
                status: 200,
                body: JSON.stringify([{ ID: "a", ResourceExhausted: exhausted }]),
            });
            assert.equal((await client.getCsiVolumes({})).volumes[0]?.resourceExhausted, seconds);
        }
    });

    it("list the volumes of a plugin by its whole id, which may be other than hexadecimal", async () => {
        const listed = async (pluginId: string) => (await client.getCsiVolumes({ pluginId })).volumes.length;
        assert.deepEqual([await listed("disks"), await listed("disk"), await listed("zz")], [1, 0, 0]);
        assert.deepEqual((await client.getCsiVolumes({ nodeId: "node-1" })).volumes, []);
    });

    it("list the volumes of a plugin in all namespaces, although Nomad's filter finds none there", async () => {
        const listed = async (pluginId: string) => (await client.getCsiVolumes({ namespace: "*", pluginId })).volumes;
        const volumeIds = (await listed("disks")).map(({ volumeId }) => volumeId);
        assert.deepEqual(volumeIds, ["data"]);
        assert.deepEqual(await listed("zz"), []);
        assert.equal((await listed("")).length, 1);
    });
});
