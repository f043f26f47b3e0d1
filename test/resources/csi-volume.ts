import { demonstration } from "../../src/simulator/demonstration";
import { planted } from "../support/canaries";
import { same, type Ways } from "../support/endpoints";
import type { NamedObjectFacts } from "../support/resource-facts";

/** The CSI plugins in the seed. */
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
/** The seed of the demonstration with one volume. */
export const withDisk = {
    ...demonstration,
    volumes: [{ ID: "data", Name: "data", ExternalID: "vol-1", PluginID: "disks", Namespace: "default" }],
};
const path = "/v1/volume/csi/data";

const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
const readers = { accessMode: "multi-node-reader-only", attachmentMode: "file-system" };
const full = {
    volumeId: "data",
    name: "Data",
    namespace: "prod",
    externalId: "vol-0a1b",
    pluginId: "disks",
    topologies: [{ rack: "r1", zone: "a" }, { rack: "r2" }],
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
const edited = { capabilities: [modes] };
const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
/** The values that a registration sends for omitted inputs. */
export const unset = {
    MountOptions: {},
    Parameters: {},
    Context: {},
    Secrets: {},
    RequestedTopologies: null,
};
/** The registration of a volume with only the required inputs. */
export const leastVolume = {
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
const requestedTopologies = {
    Required: [{ Segments: { rack: "r1" } }],
    Preferred: [{ Segments: { rack: "r1", zone: "a" } }],
};
const registered = {
    ID: "data",
    Name: "Data",
    Namespace: "prod",
    ExternalID: "vol-0a1b",
    PluginID: "disks",
    Topologies: [{ Segments: { rack: "r1", zone: "a" } }, { Segments: { rack: "r2" } }],
    AccessMode: "",
    AttachmentMode: "",
    RequestedCapabilities: [pair, { ...pair, AccessMode: readers.accessMode }],
    MountOptions: { FSType: "ext4", MountFlags: ["noatime"] },
    Parameters: { tier: "fast" },
    Context: { endpoint: "http://store" },
    Secrets: { user: "planted-volume-user", password: "planted-volume-password" },
    RequestedTopologies: requestedTopologies,
    RequestedCapacityMin: 1000,
    RequestedCapacityMax: 2000,
};
const disk = { volumeId: "data", pluginId: "disks", externalId: "vol-3", ...modes };
const withSecrets = (secret: string) => ({
    ...disk,
    mountOptions: { fsType: "ext4", mountFlags: [`password=${secret}`] },
    secrets: { password: secret },
});

/** The properties for the fields that both a list and a read return. */
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

/** An external volume. */
export const csiVolume: NamedObjectFacts = {
    type: "CsiVolume",
    // Another program's volume with the same id in another namespace.
    seed: {
        plugins,
        volumes: [{ ID: "data", Name: "Neighbour", Namespace: "other", ExternalID: "vol-2", PluginID: "disks" }],
    },
    id: "prod/data",
    minimal: { volumeId: "data", namespace: "prod", pluginId: "disks", ...modes },
    optional: ["namespace", "accessMode", "attachmentMode"],
    full,
    path,
    requests: {
        method: "PUT",
        minimal: { Volumes: [leastVolume] },
        full: { Volumes: [registered] },
        edited: { Volumes: [{ ...registered, RequestedCapabilities: [pair] }] },
    },
    changes: [
        edited,
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
        { accessMode: "multi-node-reader-only" },
        { attachmentMode: "file-system" },
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
    options: [{ force: true }, { waitUntilSchedulable: 60 }, { adopt: true }],
    drift: ["capabilities", "context", "mountOptions"],
    showsEmpty: true,
    refused: [
        [{ volumeId: "a/b" }, "volumeId"],
        [{ volumeId: "a\nb" }, "volumeId"],
        [{ namespace: "*" }, "namespace"],
        [{ pluginId: "" }, "pluginId"],
        [{ name: "" }, "name"],
        [{ accessMode: 1 }, "accessMode"],
        [{ topologies: { rack: "r1" } }, "topologies"],
        [{ topologies: [{ rack: 1 }] }, 'topologies[0]["rack"]'],
        [{ waitUntilSchedulable: "soon" }, "waitUntilSchedulable"],
        [{ capabilities: [], accessMode: undefined, attachmentMode: undefined }, "capabilities"],
        [{ capabilities: ["writer"] }, "capabilities[0]"],
        [{ mountOptions: { flags: ["ro"] } }, "mountOptions.flags"],
        [{ requestedTopologies: { rack: "r1" } }, "requestedTopologies.rack"],
        [{ parameters: { tier: 1 } }, 'parameters["tier"]'],
        [{ capacityMin: "10GiB" }, "capacityMin"],
    ],
    secrets: ["mountOptions.mountFlags", "secrets"],
    unseen: ["mountOptions", "secrets"],
    query: "?namespace=prod",
    drifted: {
        Volumes: [
            {
                ...leastVolume,
                AccessMode: "",
                AttachmentMode: "",
                MountOptions: { FSType: "xfs", MountFlags: ["ro"] },
                Context: { a: "b" },
                RequestedTopologies: requestedTopologies,
            },
        ],
    },
    beside: { waitUntilSchedulable: 3, adopt: true },
    rest: { force: true, ...modes },
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
            inputs: withSecrets(planted.secret),
            // The update registers the volume again instead of replacing it.
            edited: withSecrets(planted.edited),
            hidesEdit: true,
            theirs: { ...withSecrets("theirs"), accessMode: "multi-node-multi-writer" },
        },
        {
            variant: "replaced",
            inputs: disk,
            edited: { ...disk, accessMode: "multi-node-multi-writer" },
            theirs: { ...disk, externalId: "vol-4" },
        },
    ],
    naming: "volumeId",
    document: "Volumes",
    endpoints: [
        [
            "GET /v1/volumes",
            "getCsiVolumes",
            {
                query: {
                    // The function always sends `type=csi`, because the list would be empty without it.
                    type: ["getCsiVolumes"],
                    node_id: ["getCsiVolumes(nodeId)"],
                    plugin_id: ["getCsiVolumes(pluginId)"],
                    // Parameters of blocking queries, which the document supports without describing them.
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
