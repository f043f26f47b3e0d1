import { demonstration } from "../../src/simulator/demonstration";
import { planted } from "../support/canaries";
import type { Conformance } from "../support/conformance";
import { same, type Ways } from "../support/endpoints";
import type { NamedObjectFacts } from "../support/resource-facts";

/** What volumes belong to. */
export const plugins = [
    {
        id: "disks",
        provider: "disks.example",
        version: "1.2.3",
        controllerRequired: true,
        nodes: ["node-1", "node-2"],
    },
    { id: "files", nodes: ["node-1"] },
];
/** The demonstration with one volume. */
export const withDisk = {
    ...demonstration,
    volumes: [{ ID: "data", Name: "data", ExternalID: "vol-1", PluginID: "disks", Namespace: "default" }],
};
const path = "/v1/volume/csi/data";

const full = {
    volumeId: "data",
    name: "Data",
    namespace: "prod",
    externalId: "vol-0a1b",
    pluginId: "disks",
    topologies: [{ rack: "r1", zone: "a" }, { rack: "r2" }],
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
};
const edited = { accessMode: "multi-node-reader-only" };
/** What Nomad knows beside the document, left out. */
const unset = {
    MountOptions: {},
    Parameters: {},
    Context: {},
    Secrets: {},
    RequestedTopologies: null,
};
const registered = {
    ...unset,
    ID: "data",
    Name: "Data",
    Namespace: "prod",
    ExternalID: "vol-0a1b",
    PluginID: "disks",
    Topologies: [{ rack: "r1", zone: "a" }, { rack: "r2" }],
    AccessMode: "single-node-writer",
    AttachmentMode: "file-system",
    RequestedCapabilities: [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }],
};
const disk = { volumeId: "data", pluginId: "disks", externalId: "vol-3", accessMode: "single-node-writer" };
const productVolume = (secret: string) => ({
    ...disk,
    attachmentMode: "file-system",
    mountOptions: { fsType: "ext4", mountFlags: [`password=${secret}`] },
    secrets: { password: secret },
});

/** What the listed and the read form share. */
const volume = (item: string, shown: string): Ways => ({
    [`${item}ID`]: [`${shown}.volumeId`],
    ...same(
        item,
        `${shown}.`,
        `ExternalID Namespace Name Topologies AccessMode AttachmentMode Schedulable PluginID Provider ControllerRequired ControllersHealthy
        ControllersExpected NodesHealthy NodesExpected ResourceExhausted CreateIndex ModifyIndex`,
    ),
});

const allocation = "getCsiVolume().allocations[].";
const tasks = "Allocations[].TaskStates.*.";

const outputs = [
    ...["providerName", "providerVersion", "schedulable"],
    ...["controllersHealthy", "controllersExpected", "nodesHealthy", "nodesExpected"],
];

/** An external volume. */
export const csiVolume: NamedObjectFacts = {
    type: "CsiVolume",
    // The second one is somebody else's.
    seed: {
        plugins,
        volumes: [{ ID: "data", Name: "Neighbour", Namespace: "other", ExternalID: "vol-2", PluginID: "disks" }],
    },
    id: "prod/data",
    minimal: { volumeId: "data", namespace: "prod", pluginId: "disks" },
    optional: ["namespace"],
    full,
    path,
    requests: {
        method: "PUT",
        minimal: {
            Volumes: [
                {
                    ...unset,
                    ID: "data",
                    Name: "",
                    Namespace: "prod",
                    ExternalID: "",
                    PluginID: "disks",
                    Topologies: [],
                    AccessMode: "",
                    AttachmentMode: "",
                },
            ],
        },
        full: { Volumes: [registered] },
    },
    changes: [],
    replaces: [
        { volumeId: "other" },
        { name: "Other" },
        { namespace: "dev" },
        { externalId: "vol-2" },
        { pluginId: "files" },
        { topologies: [{ rack: "r1" }] },
        { accessMode: "multi-node-multi-writer" },
        { attachmentMode: "block-device" },
    ],
    deletesFirst: true,
    spellings: [{ topologies: [{ rack: "r2" }, { zone: "a", rack: "r1" }] }],
    options: [{ force: true }, { waitUntilSchedulable: 60 }, { adopt: true }],
    drift: ["externalId", "topologies"],
    showsEmpty: true,
    refused: [
        [{ volumeId: "a/b" }, "volumeId"],
        [{ volumeId: ".." }, "volumeId"],
        [{ volumeId: "a\nb" }, "volumeId"],
        [{ namespace: "*" }, "namespace"],
        [{ pluginId: "" }, "pluginId"],
        [{ name: "" }, "name"],
        [{ accessMode: 1 }, "accessMode"],
        [{ topologies: { rack: "r1" } }, "topologies"],
        [{ topologies: [{ rack: 1 }] }, 'topologies[0]["rack"]'],
        [{ waitUntilSchedulable: "soon" }, "waitUntilSchedulable"],
    ],
    outputs,
    query: "?namespace=prod",
    isWrittenOnce: true,
    drifted: { Volumes: [{ ...registered, ExternalID: "vol-9", Topologies: [] }] },
    beside: { waitUntilSchedulable: 3, adopt: true },
    rest: {
        force: true,
        capabilities: [{ accessMode: "single-node-writer", attachmentMode: "file-system" }],
        mountOptions: { fsType: "ext4", mountFlags: ["noatime"] },
        parameters: { tier: "fast" },
        context: { pool: "p1" },
        secrets: { password: "planted-password" },
        requestedTopologies: { required: [{ rack: "r1" }], preferred: [{ rack: "r2" }] },
        capacityMin: 1,
        capacityMax: 2,
        triggers: [1],
    },
    edited,
    copy: (key) => {
        const inputs = { ...full, volumeId: key, namespace: key };
        return { inputs, edited: { ...inputs, ...edited } };
    },
    immutable: [
        ...["volumeId", "namespace", "externalId", "pluginId", "name", "topologies", "accessMode", "attachmentMode"],
        ...["parameters", "context", "requestedTopologies"],
    ],
    places: { path: ["volumeId"], elsewhere: ["namespace"], ids: ["default/{}", "{}/data"] },
    functions: {
        getCsiVolume: {
            args: { volumeId: "data" },
            places: ["volumeId", "namespace"],
            scenario: {
                seed: withDisk,
                run: async (simulator, call) => {
                    await simulator.control("POST", "/simulator/claims", {
                        volume: "data",
                        node: "node-1",
                        write: true,
                    });
                    return call({ volumeId: "data", index: 0, wait: "1s" });
                },
            },
        },
        getCsiVolumes: {
            args: {},
            places: ["namespace"],
            scenario: {
                seed: withDisk,
                run: (_, call) => call({ index: 0, wait: "1s", nodeId: "00", pluginId: "00" }),
            },
        },
    },
    faults: [
        {
            inputs: disk,
            edited: { ...disk, accessMode: "multi-node-multi-writer" },
            theirs: { ...disk, externalId: "vol-4" },
        },
        {
            variant: "of the product",
            vocabulary: "product",
            inputs: productVolume(planted.secret),
            // In place: it is registered again.
            edited: productVolume(planted.edited),
            hidesEdit: true,
            theirs: { ...productVolume("theirs"), accessMode: "multi-node-multi-writer" },
        },
    ],
    naming: "volumeId",
    sends: { create: "GET PUT GET", refresh: "GET", update: "DELETE GET PUT GET", delete: "DELETE" },
    sendsAsProduct: { create: "GET PUT GET", refresh: "GET", update: "PUT GET", delete: "DELETE" },
    document: "Volumes",
    endpoints: [
        [
            "GET /v1/volumes",
            "getCsiVolumes",
            {
                query: {
                    // Only `csi` is supported, and without it the list is empty.
                    type: ["getCsiVolumes"],
                    node_id: ["getCsiVolumes(nodeId)"],
                    plugin_id: ["getCsiVolumes(pluginId)"],
                    // Blocking queries: supported, their parameters not shown.
                    index: ["getCsiVolumes(index)"],
                    wait: ["getCsiVolumes(wait)"],
                },
                response: volume("[].", "getCsiVolumes().volumes[]"),
            },
        ],
        [
            "GET /v1/volume/csi/:volume_id",
            ["CsiVolume", "getCsiVolume"],
            {
                query: { index: ["getCsiVolume(index)"], wait: ["getCsiVolume(wait)"] },
                response: {
                    ...volume("", "getCsiVolume()"),
                    Version: ["getCsiVolume().version", "CsiVolume.providerVersion"],
                    ...same("", "getCsiVolume().", "ReadAllocs WriteAllocs"),
                    "Allocations[].ID": [`${allocation}id`],
                    ...same(
                        "Allocations[].",
                        allocation,
                        `EvalID Name NodeID PreviousAllocation NextAllocation JobID TaskGroup DesiredStatus DesiredDescription ClientStatus
                        ClientDescription CreateIndex ModifyIndex CreateTime ModifyTime RescheduleTracker.Events[].PrevAllocID
                        RescheduleTracker.Events[].PrevNodeID RescheduleTracker.Events[].RescheduleTime RescheduleTracker.Events[].Delay`,
                    ),
                    ...same(
                        tasks,
                        `${allocation}taskStates.*.`,
                        "State FinishedAt LastRestart StartedAt Restarts Failed",
                    ),
                    ...same(
                        `${tasks}Events[].`,
                        `${allocation}taskStates.*.events[].`,
                        `Type RestartReason SetupError DriverError Message KillError KillReason DownloadError ValidationError FailedSibling
                        SecretsError TaskSignalReason TaskSignal DriverMessage Time ExitCode Signal KillTimeout StartDelay DiskLimit FailsTask`,
                    ),
                },
            },
        ],
        [
            "PUT /v1/volume/csi/:volume_id",
            "CsiVolume",
            {
                request: {
                    "Volumes[].ID": ["CsiVolume.volumeId"],
                    ...same(
                        "Volumes[].",
                        "CsiVolume.",
                        "Name Namespace ExternalID Topologies AccessMode AttachmentMode PluginID",
                    ),
                },
            },
        ],
        ["DELETE /v1/volume/csi/:volume_id", "CsiVolume", { query: { force: ["CsiVolume.force"] } }],
    ],
    life: {
        seed: withDisk,
        run: async (simulator) => {
            const volume = simulator.resource("CsiVolume");
            await volume.up({
                volumeId: "other",
                name: "Other",
                externalId: "vol-2",
                pluginId: "disks",
                topologies: [{ rack: "r1" }],
                accessMode: "single-node-writer",
                attachmentMode: "file-system",
                force: true,
            });
            const claim = { volume: "other", node: "node-1", status: "complete" };
            await simulator.control("POST", "/simulator/claims", claim);
            await volume.destroy();
        },
    },
};

const { accessMode, attachmentMode, ...modeless } = full;
const modes = { accessMode, attachmentMode };
const pair = { AccessMode: accessMode, AttachmentMode: attachmentMode };
const readers = { accessMode: "multi-node-reader-only", attachmentMode };
const fullOfNomad = {
    ...modeless,
    capabilities: [modes, readers],
    mountOptions: { fsType: "ext4", mountFlags: ["noatime"] },
    parameters: { tier: "fast" },
    context: { endpoint: "http://store" },
    secrets: { user: "planted-volume-user", password: "planted-volume-password" },
    requestedTopologies: { required: [{ rack: "r1" }], preferred: [{ rack: "r1", zone: "a" }] },
    capacityMin: 1000,
    capacityMax: 2000,
    triggers: ["may"],
};
/** The least that Nomad registers. */
export const minimalOfNomad = {
    ...unset,
    ...pair,
    ID: "data",
    Name: "",
    Namespace: "prod",
    ExternalID: "",
    PluginID: "disks",
    Topologies: [],
    RequestedCapabilities: [pair],
};

/** The same on Nomad, which changes a registered volume in place. */
export const csiVolumeOfNomad: Conformance = {
    type: "CsiVolume",
    vocabulary: "product",
    seed: { plugins },
    id: "prod/data",
    minimal: { volumeId: "data", namespace: "prod", pluginId: "disks", ...modes },
    optional: ["namespace", "accessMode", "attachmentMode"],
    full: fullOfNomad,
    path,
    requests: {
        method: "PUT",
        minimal: { Volumes: [minimalOfNomad] },
        full: {
            Volumes: [
                {
                    ...registered,
                    Topologies: [{ Segments: { rack: "r1", zone: "a" } }, { Segments: { rack: "r2" } }],
                    AccessMode: "",
                    AttachmentMode: "",
                    RequestedCapabilities: [pair, { ...pair, AccessMode: readers.accessMode }],
                    MountOptions: { FSType: "ext4", MountFlags: ["noatime"] },
                    Parameters: { tier: "fast" },
                    Context: { endpoint: "http://store" },
                    Secrets: { user: "planted-volume-user", password: "planted-volume-password" },
                    RequestedTopologies: {
                        Required: [{ Segments: { rack: "r1" } }],
                        Preferred: [{ Segments: { rack: "r1", zone: "a" } }],
                    },
                    RequestedCapacityMin: 1000,
                    RequestedCapacityMax: 2000,
                },
            ],
        },
    },
    changes: [
        { capabilities: [modes] },
        { mountOptions: { fsType: "xfs" } },
        { mountOptions: undefined },
        { secrets: undefined },
        { secrets: { user: "planted-volume-user" } },
        { context: { endpoint: "http://other" } },
        { capacityMax: 3000 },
        { triggers: ["june"] },
    ],
    replaces: [
        { volumeId: "other" },
        { name: "Other" },
        { namespace: "dev" },
        { externalId: "vol-2" },
        { pluginId: "files" },
        { topologies: [{ rack: "r1" }] },
        { parameters: { tier: "slow" } },
        { context: {} },
        { context: undefined },
        { requestedTopologies: undefined },
    ],
    deletesFirst: true,
    spellings: [
        { topologies: [{ rack: "r2" }, { zone: "a", rack: "r1" }] },
        { capabilities: [readers, modes] },
        { secrets: { password: "planted-volume-password", user: "planted-volume-user" } },
        { capacityMin: undefined, capacityMax: undefined },
    ],
    options: [{ force: true }, { waitUntilSchedulable: 60 }],
    drifted: {
        Volumes: [
            {
                ...minimalOfNomad,
                AccessMode: "",
                AttachmentMode: "",
                MountOptions: { FSType: "xfs", MountFlags: ["ro"] },
                Context: { a: "b" },
                RequestedTopologies: {
                    Required: [{ Segments: { rack: "r1" } }],
                    Preferred: [{ Segments: { rack: "r1", zone: "a" } }],
                },
            },
        ],
    },
    drift: ["capabilities", "context", "mountOptions"],
    query: "?namespace=prod",
    refused: [
        [{ capabilities: [], accessMode: undefined, attachmentMode: undefined }, "capabilities"],
        [{ capabilities: ["writer"] }, "capabilities[0]"],
        [{ mountOptions: { flags: ["ro"] } }, "mountOptions.flags"],
        [{ requestedTopologies: { rack: "r1" } }, "requestedTopologies.rack"],
        [{ parameters: { tier: 1 } }, 'parameters["tier"]'],
        [{ capacityMin: "10GiB" }, "capacityMin"],
    ],
    secrets: ["mountOptions.mountFlags", "secrets"],
    unseen: ["mountOptions", "secrets"],
    outputs,
};
