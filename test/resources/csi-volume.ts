import { planted } from "../support/canaries";
import type { NamedObjectFacts } from "../support/resource-facts";

/** The CSI plugins in the seed. */
export const plugins = [
    {
        id: "disks",
        provider: "disks.example",
        version: "1.2.3",
        controllerRequired: true,
        expands: true,
        nodes: ["node-1", "node-2"],
    },
    { id: "files", nodes: ["node-1"] },
];
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
    mountOptions: { fsType: "ext4", mountFlags: ["planted-flag"] },
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
    MountOptions: { FSType: "ext4", MountFlags: ["planted-flag"] },
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
    spellings: [
        { topologies: [{ rack: "r2" }, { zone: "a", rack: "r1" }] },
        { topologies: undefined },
        { capabilities: [readers, modes] },
        { secrets: { password: "planted-volume-password", user: "planted-volume-user" } },
        { capacityMin: undefined, capacityMax: undefined },
        { capacityMin: "1 KB", capacityMax: "2000" },
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
        [{ capacityMin: "10 tons" }, "capacityMin"],
        [{ capacityMin: "1.5GiB" }, "capacityMin"],
        [{ capacityMax: 1.5 }, "capacityMax"],
        [{ capacityMax: 0 }, "capacityMax"],
    ],
    warned: [
        [{ accessMode: "multi-node-single-writer" }],
        [{ accessMode: undefined, attachmentMode: undefined }, "accessMode"],
        [{ capabilities: [modes, { ...modes, attachmentMode: "disk" }] }, "capabilities[1].attachmentMode"],
    ],
    secrets: ["mountOptions.mountFlags", "secrets"],
    unseen: ["mountOptions", "secrets"],
    redeclared: ["mountOptions", "secrets"],
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
    copies: [
        (key) => {
            const inputs = { ...full, volumeId: key, namespace: key };
            return { inputs, edited: { ...inputs, ...edited }, seed: { namespaces: [key] } };
        },
    ],
    immutable: [
        ...["volumeId", "namespace", "externalId", "pluginId", "name", "topologies", "accessMode", "attachmentMode"],
        ...["parameters", "context", "requestedTopologies"],
    ],
    places: { path: ["volumeId"], elsewhere: ["namespace"], ids: ["default/{}", "{}/data"] },
    functions: {
        getCsiVolume: {
            args: { volumeId: "data" },
            places: ["volumeId", "namespace"],
            calls: [{ volumeId: "data", index: 0, wait: "1s" }],
        },
        getCsiVolumes: {
            args: {},
            places: ["namespace"],
            calls: [{ index: 0, wait: "1s", nodeId: "00", pluginId: "00" }],
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
};
