import assert from "node:assert/strict";
import { type Connection, type ConnectOptions, connect, DeniedError, InputError } from "../../../src/client";
import { invokeFunction } from "../../../src/core/functions";
import { getCsiVolume, getCsiVolumes } from "../../../src/services/volumes/get-csi-volume";
import { createRuntime } from "../../../src/settings/runtime";
import type { Seed } from "../../../src/simulator/seed";
import { canaryToken } from "../../support/canaries";
import { failureOf } from "../../support/failures";
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
        connect({
            nomad: { address: simulator.url, token: canaryToken, maxRetries: 0, ...settings },
            environment: {},
            warn: (message) => assert.fail(message),
        });
    before(() => {
        client = to();
    });

    const claim = (fields: object) =>
        simulator.control("POST", "/simulator/claims", { volume: "data", node: "a1b2c3", ...fields });
    /** Resolves once the simulator holds a request back. */
    const isHeld = async () => {
        for (;;) {
            // Others may be there: one that was given up can still arrive.
            const blocking = (await simulator.requests()).find(({ query }) => query["index"] !== undefined);
            if (blocking !== undefined) {
                assert.equal(blocking.status, null, "the request should be waiting");
                return blocking;
            }
        }
    };
    describe("getCsiVolume", () => {
        it("shows all fields of a volume that the document lists", async () => {
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
                mountOptions: { fsType: "", mountFlags: [] },
                parameters: {},
                context: {},
                index: 3,
            });
            assert.deepEqual(
                (await simulator.requests()).map(({ method, path, query }) => [method, path, query]),
                [["GET", "/v1/volume/csi/data", { namespace: "default" }]],
            );
        });

        it("shows its allocations with the states and events of their tasks", async () => {
            await claim({ allocation: "alloc-1", job: "web" });
            await claim({ allocation: "alloc-2", job: "api", write: true, status: "failed" });
            const { allocations, readAllocs, writeAllocs } = await client.getCsiVolume({ volumeId: "data" });
            assert.deepEqual([readAllocs, writeAllocs], [["alloc-1"], ["alloc-2"]]);
            const [first, second] = allocations;
            assert.ok(first && second);
            assert.deepEqual(
                [
                    first.id,
                    first.name,
                    first.nodeId,
                    first.jobId,
                    first.taskGroup,
                    first.clientStatus,
                    first.desiredStatus,
                ],
                ["alloc-1", "web.main[0]", "a1b2c3", "web", "main", "running", "run"],
            );
            assert.deepEqual([first.rescheduleTracker, first.previousAllocation], [{ events: [] }, ""]);
            const task = second.taskStates["main"];
            assert.ok(task);
            assert.deepEqual([task.state, task.failed, task.restarts], ["dead", true, 0]);
            assert.match(task.startedAt, /^\d{4}-\d\d-\d\dT/);
            assert.deepEqual(
                [task.events.length, task.events[0]?.type, task.events[0]?.failsTask],
                [1, "Started", false],
            );
        });

        it("shows every field of the document's records, whatever a server leaves out", async () => {
            const event = {
                ...{ Type: "Terminated", Time: 7, RestartReason: "a", SetupError: "b", DriverError: "c", Message: "d" },
                ...{ KillError: "e", KillReason: "f", DownloadError: "g", ValidationError: "h", FailedSibling: "i" },
                ...{ SecretsError: "j", TaskSignalReason: "k", TaskSignal: "l", DriverMessage: "m", ExitCode: 1 },
                ...{ Signal: 9, KillTimeout: 5, StartDelay: 6, DiskLimit: 8, FailsTask: true },
            };
            const record = {
                ...{
                    ID: "alloc-1",
                    EvalID: "eval-1",
                    Name: "web.main[0]",
                    NodeID: "node-1",
                    JobID: "web",
                    TaskGroup: "main",
                },
                ...{
                    PreviousAllocation: "alloc-0",
                    NextAllocation: "alloc-2",
                    DesiredStatus: "stop",
                    DesiredDescription: "old",
                },
                ...{
                    ClientStatus: "complete",
                    ClientDescription: "done",
                    CreateIndex: 1,
                    ModifyIndex: 2,
                    CreateTime: 3,
                },
                ...{ ModifyTime: 4 },
                RescheduleTracker: {
                    Events: [{ PrevAllocID: "alloc-0", PrevNodeID: "node-0", RescheduleTime: 5, Delay: "30s" }],
                },
                TaskStates: {
                    main: {
                        ...{ State: "dead", Failed: true, Restarts: 2, StartedAt: "2026-01-01T00:00:00Z" },
                        ...{ LastRestart: "2026-01-02T00:00:00Z", FinishedAt: "2026-01-03T00:00:00Z", Events: [event] },
                    },
                },
            };
            const body = JSON.stringify({ ID: "data", Allocations: [record, { ID: "bare" }], ReadAllocs: null });
            await simulator.fault({ method: "GET", status: 200, body });
            const { allocations, readAllocs, topologies, index } = await client.getCsiVolume({ volumeId: "data" });
            assert.deepEqual([readAllocs, topologies, index], [[], [], 0]);
            assert.deepEqual(allocations[0], {
                ...{
                    id: "alloc-1",
                    evalId: "eval-1",
                    name: "web.main[0]",
                    nodeId: "node-1",
                    jobId: "web",
                    taskGroup: "main",
                },
                ...{
                    previousAllocation: "alloc-0",
                    nextAllocation: "alloc-2",
                    desiredStatus: "stop",
                    desiredDescription: "old",
                },
                ...{
                    clientStatus: "complete",
                    clientDescription: "done",
                    createIndex: 1,
                    modifyIndex: 2,
                    createTime: 3,
                },
                ...{ modifyTime: 4 },
                rescheduleTracker: {
                    events: [{ prevAllocId: "alloc-0", prevNodeId: "node-0", rescheduleTime: 5, delay: "30s" }],
                },
                taskStates: {
                    main: {
                        ...{ state: "dead", failed: true, restarts: 2, startedAt: "2026-01-01T00:00:00Z" },
                        ...{ lastRestart: "2026-01-02T00:00:00Z", finishedAt: "2026-01-03T00:00:00Z" },
                        events: [
                            {
                                ...{
                                    type: "Terminated",
                                    time: 7,
                                    restartReason: "a",
                                    setupError: "b",
                                    driverError: "c",
                                },
                                ...{
                                    message: "d",
                                    killError: "e",
                                    killReason: "f",
                                    downloadError: "g",
                                    validationError: "h",
                                },
                                ...{ failedSibling: "i", secretsError: "j", taskSignalReason: "k", taskSignal: "l" },
                                ...{
                                    driverMessage: "m",
                                    exitCode: 1,
                                    signal: 9,
                                    killTimeout: 5,
                                    startDelay: 6,
                                    diskLimit: 8,
                                },
                                failsTask: true,
                            },
                        ],
                    },
                },
            });
            assert.deepEqual(
                [allocations[1]?.id, allocations[1]?.jobId, allocations[1]?.createTime, allocations[1]?.taskStates],
                ["bare", "", 0, {}],
            );
        });

        it("looks in the given namespace, else in that of the settings", async () => {
            assert.equal((await client.getCsiVolume({ volumeId: "third", namespace: "prod" })).namespace, "prod");
            assert.equal((await to({ namespace: "prod" }).getCsiVolume({ volumeId: "third" })).namespace, "prod");
        });

        it("fails for a volume that is absent", async () => {
            await assert.rejects(client.getCsiVolume({ volumeId: "none" }), {
                code: "absent",
                message: /^getCsiVolume: .*volume none in namespace default/,
            });
        });

        it("fails without the right, and for an answer that is no volume", async () => {
            await simulator.fault({ method: "GET", status: 403, body: "Permission denied" });
            await assert.rejects(client.getCsiVolume({ volumeId: "data" }), DeniedError);
            await simulator.fault({ method: "GET", status: 200, body: "[]" });
            await assert.rejects(client.getCsiVolume({ volumeId: "data" }), { code: "answer" });
        });

        it("waits for a change, and shows it", async () => {
            const { index } = await client.getCsiVolume({ volumeId: "data" });
            await simulator.forget();
            const changed = client.getCsiVolume({ volumeId: "data", index, wait: "5m" });
            assert.deepEqual((await isHeld()).query, { namespace: "default", index: "3", wait: "300s" });
            await claim({ allocation: "alloc-1" });
            const { readAllocs, index: next } = await changed;
            assert.deepEqual([readAllocs, next], [["alloc-1"], 4]);
        });

        it("returns the present state when the wait is over; after a minute by default", async () => {
            const waiting = client.getCsiVolume({ volumeId: "data", index: 3 });
            assert.equal((await isHeld()).query["wait"], "60s");
            await simulator.control("POST", "/simulator/clock", { advance: 60 });
            assert.equal((await waiting).index, 3);
        });

        it("gives the service more time than the wait, however short the time-out of the settings", async () => {
            const hurried = to({ timeout: 0.001 });
            // Without it the answer could be there within the same turn.
            await simulator.fault({ method: "GET", delay: 600_000 });
            await assert.rejects(hurried.getCsiVolume({ volumeId: "data" }), { code: "unreachable" });
            await simulator.heal();
            await simulator.forget();
            const waiting = hurried.getCsiVolume({ volumeId: "data", index: 3, wait: 60 });
            await isHeld();
            await claim({});
            assert.equal((await waiting).index, 4);
        });
    });

    it("wait as long as the service may take: a sixteenth longer than it was asked to, and the way of its answer", async () => {
        for (const definition of [getCsiVolume, getCsiVolumes]) {
            const limits: number[] = [];
            const clock = {
                now: Date.now,
                sleep: async () => {},
                random: () => 0,
                timer: (milliseconds: number) => {
                    limits.push(milliseconds / 1000);
                    return () => {};
                },
            };
            const settings = JSON.stringify({ address: simulator.url, token: canaryToken });
            const runtime = createRuntime((key) => (key === "statecraft:nomad" ? settings : undefined), {
                environment: {},
                say: () => {},
                pace: { now: Date.now, sleep: async () => {}, clock },
            });
            const args = definition.name === "getCsiVolume" ? { volumeId: "data" } : {};
            await invokeFunction(definition, runtime, { ...args, index: 1, wait: "10m" });
            await invokeFunction(definition, runtime, args);
            const [waiting = 0, usual = 0] = limits.slice(-2);
            assert(waiting > 637.5, `the client gave up after ${waiting} s, when the service may answer after 637.5 s`);
            assert.equal(usual, 60);
        }
    });

    describe("getCsiVolumes", () => {
        const idsOf = async (args: Parameters<Connection["getCsiVolumes"]>[0]) =>
            (await client.getCsiVolumes(args)).volumes.map(({ volumeId }) => volumeId);

        it("shows all fields that the document lists, of one namespace or of all", async () => {
            const { volumes, index } = await client.getCsiVolumes({});
            assert.equal(index, 3);
            assert.deepEqual(volumes[1], {
                volumeId: "more",
                name: "",
                namespace: "default",
                externalId: "vol-1",
                pluginId: "d15c",
                topologies: [],
                accessMode: "",
                attachmentMode: "",
                provider: "",
                schedulable: true,
                controllerRequired: false,
                controllersHealthy: 0,
                controllersExpected: 0,
                nodesHealthy: 1,
                nodesExpected: 1,
                resourceExhausted: 0,
                createIndex: 2,
                modifyIndex: 2,
            });
            assert.deepEqual((await simulator.requests())[0]?.query, { type: "csi", namespace: "default" });
            assert.deepEqual(await idsOf({}), ["data", "more"]);
            assert.deepEqual(await idsOf({ namespace: "prod" }), ["third"]);
            assert.deepEqual(await idsOf({ namespace: "*" }), ["data", "more", "third"]);
            assert.deepEqual(await idsOf({ namespace: "none" }), []);
        });

        it("looks in the namespace of the settings", async () => {
            const { volumes } = await to({ namespace: "prod" }).getCsiVolumes({});
            assert.deepEqual(
                volumes.map(({ volumeId }) => volumeId),
                ["third"],
            );
        });

        it("filters by prefixes of the ids of nodes and plugins", async () => {
            await claim({});
            await simulator.forget();
            assert.deepEqual(await idsOf({ nodeId: "a1b2" }), ["data"]);
            assert.deepEqual(await idsOf({ pluginId: "d15c" }), ["more"]);
            assert.deepEqual(await idsOf({ nodeId: "a1", pluginId: "d1" }), []);
            assert.deepEqual(
                (await simulator.requests()).map(({ query }) => query),
                [
                    { type: "csi", namespace: "default", node_id: "a1b2" },
                    { type: "csi", namespace: "default", plugin_id: "d15c" },
                    { type: "csi", namespace: "default", node_id: "a1", plugin_id: "d1" },
                ],
            );
        });

        it("takes an empty prefix for none", async () => {
            assert.deepEqual(await idsOf({ nodeId: "", pluginId: "" }), ["data", "more"]);
        });

        for (const prefix of ["a", "a1b", "A1", "zz", "disks"]) {
            it(`warns of the prefix ${prefix}: the document wants an even number of hexadecimal digits`, async () => {
                const warnings: string[] = [];
                const { getCsiVolumes } = connect({
                    nomad: { address: simulator.url, token: canaryToken, maxRetries: 0 },
                    environment: {},
                    warn: (message) => void warnings.push(message),
                });
                await getCsiVolumes({ nodeId: prefix, pluginId: prefix }).catch(() => undefined);
                assert.deepEqual(pathsOf(warnings.map((text) => text.replace("getCsiVolumes: ", ""))), [
                    "nodeId",
                    "pluginId",
                ]);
            });
        }

        it("returns at most `limit` volumes", async () => {
            assert.deepEqual(await idsOf({ namespace: "*", limit: 2 }), ["data", "more"]);
            assert.deepEqual(await idsOf({ namespace: "*", limit: 9 }), ["data", "more", "third"]);
            const { reasons } = await failureOf(client.getCsiVolumes({ limit: 0, namespace: "a/b" }), InputError);
            assert.deepEqual(pathsOf(reasons), ["namespace", "limit"]);
        });

        it("waits until something is registered", async () => {
            const waiting = client.getCsiVolumes({ index: 3, wait: "1m30s" });
            assert.deepEqual((await isHeld()).query, { type: "csi", namespace: "default", index: "3", wait: "90s" });
            const fourth = volume({ ID: "fourth", RequestedCapabilities: [{}] });
            await simulator.outside("PUT", "/v1/volume/csi/fourth", { Volumes: [fourth] });
            const { volumes, index } = await waiting;
            assert.deepEqual([volumes.map(({ volumeId }) => volumeId), index], [["data", "fourth", "more"], 4]);
        });

        it("does not wait where nothing was ever written", async () => {
            assert.equal((await client.getCsiVolumes({ index: 0, wait: 5 })).index, 3);
        });

        it("fails for an answer that is no list, and without the right", async () => {
            for (const body of ["{}", "null", "[null]", '[{"Name":"data"}]']) {
                await simulator.fault({ method: "GET", status: 200, body, contentType: "application/json" });
                await assert.rejects(client.getCsiVolumes({}), {
                    code: "answer",
                });
            }
            await simulator.fault({ method: "GET", status: 403, body: "Permission denied" });
            await assert.rejects(client.getCsiVolumes({}), DeniedError);
        });
    });

    for (const name of ["getCsiVolume", "getCsiVolumes"] as const) {
        it(`${name} refuses an \`index\` and a \`wait\` that are none`, async () => {
            const call = client[name]({ volumeId: "data", index: -1, wait: "soon" } as { volumeId: string });
            const { reasons } = await failureOf(call, InputError);
            assert.deepEqual(
                pathsOf(reasons)
                    .filter((path) => path !== "volumeId")
                    .sort(),
                ["index", "wait"],
            );
        });
    }
});

describe("functions of volumes: what Nomad adds to the document", () => {
    const simulator = withSimulator({
        plugins: [{ id: "disks", provider: "disks.example", version: "1.2.3", nodes: ["node-1"] }],
        volumes: [volume({})],
    });
    let client: Connection;
    before(() => {
        client = connect({
            nomad: { address: simulator.url, token: canaryToken, maxRetries: 0 },
            environment: {},
            warn: (message) => assert.match(message, /: (nodeId|pluginId): must be an even number/),
        });
    });

    const claim = (fields: object) =>
        simulator.control("POST", "/simulator/claims", { volume: "data", node: "node-1", ...fields });

    it("look a volume up with the documents' names", async () => {
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

    it("show what only Nomad knows, but no secret", async () => {
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
        assert.deepEqual((await client.getCsiVolume({ volumeId: "data" })).mountOptions, {
            fsType: "",
            mountFlags: [],
        });
    });

    it("show in seconds since when something is exhausted", async () => {
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

    it("list the volumes of a plugin by its whole id, which need not be hexadecimal", async () => {
        const listed = async (pluginId: string) => (await client.getCsiVolumes({ pluginId })).volumes.length;
        assert.deepEqual([await listed("disks"), await listed("disk"), await listed("zz")], [1, 0, 0]);
        assert.deepEqual((await client.getCsiVolumes({ nodeId: "node-1" })).volumes, []);
    });

    it("list the volumes of a plugin in all namespaces too, where Nomad itself finds nothing", async () => {
        const listed = async (pluginId: string) => (await client.getCsiVolumes({ namespace: "*", pluginId })).volumes;
        assert.deepEqual(
            (await listed("disks")).map(({ volumeId }) => volumeId),
            ["data"],
        );
        assert.deepEqual(await listed("zz"), []);
        assert.equal((await listed("")).length, 1);
    });

    it("wait by the index in Nomad's own header", async () => {
        const { index } = await client.getCsiVolumes({});
        assert.equal(index, 1);
        await claim({});
        assert.equal((await client.getCsiVolumes({ index, wait: 60 })).index, 2);
    });
});
