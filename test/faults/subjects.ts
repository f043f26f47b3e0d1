/** The resources that meet the faults: what their programs say, and what was there before them. */

import type { Vocabulary } from "../../src/schema/facts";
import type { MannersByService } from "../../src/simulator/manners";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import type { Simulator } from "../support/simulator";

type Props = Record<string, unknown>;

/** A resource and two programs of it, with values as the server returns them: what it has in other words a refresh may show in its own. */
export interface Subject {
    readonly type: string;
    /** What tells it from others of its type. */
    readonly variant?: string;
    readonly inputs: Props;
    /** The program after an edit. */
    readonly edited: Props;
    /** Where the resource can be told to `adopt`: the program of somebody else who has made the same object with other values. */
    readonly theirs?: Props;
    /** Whose names and rules the server has. Default: the documents'. */
    readonly vocabulary?: Vocabulary;
    /** How the services behave where the documents leave it open. */
    readonly manners?: MannersByService;
    /** What has to be so on the server before it is made, beyond the seed. */
    readonly prepare?: (simulator: Simulator) => Promise<unknown>;
    /** What happens on the server to the object once it is made. */
    readonly settle?: (simulator: Simulator) => Promise<unknown>;
    /** A one-shot resource: nobody looks later whether what was granted was done. */
    readonly isOneShot?: true;
    /** What the edit changes is never shown: nobody looks later whether an update that was granted was done. */
    readonly hidesEdit?: true;
    /** Outputs that state may lack where the service did not tell them. */
    readonly mayLack?: readonly string[];
}

/** What the subject is called in titles and tables. */
export function nameOf({ type, variant }: Subject): string {
    return variant === undefined ? type : `${type} (${variant})`;
}

/** Values that no message may show. */
export const canaries = {
    secret: "planted-secret-91c4",
    edited: "planted-secret-5d20",
    state: "planted-output-77ab",
} as const;

const resource = (name: string) => ({
    mode: "managed",
    type: "server",
    name,
    provider: "example",
    instances: [{ attributes: { id: name } }],
});
const state = (serial: number, ...names: string[]) => ({
    version: 4,
    serial,
    lineage: "6c1e54e8-0000-4000-8000-000000000001",
    outputs: { password: { value: canaries.state, type: "string", sensitive: true } },
    resources: names.map(resource),
});

/** What was there before, much of it somebody else's, which must stay as it is. */
export const seed: Seed = {
    tokens: [
        { token: canaryToken, kind: "user", id: "user-1" },
        { token: "outside", kind: "user", id: "user-2" },
    ],
    mounts: ["clouda", "edge", "rotated"],
    loginConfigs: ["rotated", "edge"].map((mount) => ({
        mount,
        fields: { tenant_id: "tenant-1", resource: "https://secrets.example/", client_secret: "first" },
    })),
    plugins: [{ id: "disks", nodes: ["node-1", "node-2"] }],
    volumes: [
        { ID: "held", Name: "Held", ExternalID: "vol-1", PluginID: "disks" },
        { ID: "data", Name: "Neighbour", Namespace: "other", ExternalID: "vol-2", PluginID: "disks" },
    ],
    workspaces: ["app", "retired", "neighbour"].map((name, number) => ({
        id: `ws-${number + 1}`,
        name,
        organization: "example",
        stateVersions: [
            { id: `sv-${number + 1}1`, state: state(1, "a") },
            { id: `sv-${number + 1}2`, state: state(2, "a", "b") },
            { id: `sv-${number + 1}3`, state: state(3) },
        ],
    })),
};

const role = { name: "web", boundResourceGroups: ["prod"], tokenPolicies: ["web"], tokenTtl: 3600 };
const config = { tenantId: "tenant-1", resource: "https://secrets.example/", clientId: "client-1" };
const storage = {
    ...{ type: "cloudb-s3", pathPrefix: "hourly", bucket: "snapshots", region: "north-1" },
    ...{ accessKeyId: "key-id-1", secretAccessKey: canaries.secret },
};
const volume = { volumeId: "data", pluginId: "disks", externalId: "vol-3", accessMode: "single-node-writer" };
const productVolume = (secret: string) => ({
    ...volume,
    attachmentMode: "file-system",
    mountOptions: { fsType: "ext4", mountFlags: [`password=${secret}`] },
    secrets: { password: secret },
});

const lockByHand = (simulator: Simulator) =>
    simulator.outside("POST", "/api/v2/workspaces/ws-1/actions/lock", {}, { authorization: `Bearer ${canaryToken}` });

/** At least one for every resource that there is; what a vocabulary does otherwise has its own. */
export const subjects: readonly Subject[] = [
    {
        type: "AuthConfig",
        inputs: { ...config, clientSecret: canaries.secret },
        edited: { ...config, clientSecret: canaries.edited, retryDelay: "9s" },
        theirs: { ...config, tenantId: "tenant-2" },
    },
    {
        type: "RootRotation",
        inputs: { mount: "rotated" },
        edited: { mount: "rotated", triggers: ["again"] },
        isOneShot: true,
    },
    {
        type: "AuthRole",
        inputs: role,
        edited: { ...role, tokenPolicies: [], tokenTtl: 7200 },
        theirs: { ...role, tokenPolicies: ["theirs"] },
    },
    {
        type: "SnapshotConfig",
        inputs: { name: "hourly", interval: 3600, retain: 24, storage },
        edited: {
            name: "hourly",
            interval: 7200,
            retain: 24,
            storage: { ...storage, secretAccessKey: canaries.edited },
        },
        theirs: { name: "hourly", interval: 60, retain: 1, storage: { ...storage, bucket: "theirs" } },
    },
    {
        type: "AuthRole",
        variant: "on a server that replaces and tells little",
        manners: { manager: ["replaces", "tells-documented"] },
        inputs: role,
        edited: { ...role, tokenPolicies: [], tokenTtl: 7200 },
    },
    {
        type: "SnapshotConfig",
        variant: "on a server that masks secrets and tells nothing empty",
        manners: { manager: ["masks-secrets", "tells-nothing-empty"] },
        inputs: { name: "hourly", interval: 3600, retain: 24, storage },
        edited: { name: "hourly", interval: 7200, retain: 24, storage: { ...storage, bucket: "others" } },
    },
    {
        type: "CsiVolume",
        variant: "of the product, on a server that masks secrets and tells what is documented",
        vocabulary: "product",
        manners: { volumes: ["masks-secrets", "tells-documented"] },
        inputs: productVolume(canaries.secret),
        edited: productVolume(canaries.edited),
        hidesEdit: true,
    },
    {
        type: "CsiVolume",
        inputs: volume,
        edited: { ...volume, accessMode: "multi-node-multi-writer" },
        theirs: { ...volume, externalId: "vol-4" },
    },
    {
        type: "CsiVolume",
        variant: "of the product",
        vocabulary: "product",
        inputs: productVolume(canaries.secret),
        // In place: it is registered again.
        edited: productVolume(canaries.edited),
        hidesEdit: true,
        theirs: { ...productVolume("theirs"), accessMode: "multi-node-multi-writer" },
    },
    {
        type: "CsiVolume",
        variant: "detached first",
        inputs: { ...volume, detachOnDelete: true },
        edited: { ...volume, detachOnDelete: true, accessMode: "multi-node-multi-writer" },
        settle: (simulator) =>
            simulator.control("POST", "/simulator/claims", { volume: "data", node: "node-1", status: "complete" }),
    },
    {
        type: "CsiVolumeDetachment",
        inputs: { volumeId: "held", node: "node-1" },
        edited: { volumeId: "held", node: "node-1", triggers: ["again"] },
        isOneShot: true,
        prepare: (simulator) =>
            simulator.control("POST", "/simulator/claims", { volume: "held", node: "node-1", status: "complete" }),
    },
    {
        type: "StateVersion",
        inputs: { workspaceId: "ws-1", content: JSON.stringify(state(4, "c")), lock: true },
        edited: { workspaceId: "ws-1", content: JSON.stringify(state(5, "c", "d")), lock: true },
    },
    {
        type: "StateVersion",
        variant: "in one request",
        inputs: { workspaceId: "ws-1", content: JSON.stringify(state(4, "c")), inline: true, lock: false },
        edited: { workspaceId: "ws-1", content: JSON.stringify(state(5, "c", "d")), inline: true, lock: false },
        prepare: lockByHand,
    },
    {
        type: "StateVersionRollback",
        inputs: { workspaceId: "ws-1", stateVersionId: "sv-11", lock: true, onDelete: "restore" },
        edited: { workspaceId: "ws-1", stateVersionId: "sv-12", lock: true, onDelete: "restore" },
    },
    {
        type: "StateVersionRollback",
        variant: "under a lock by hand",
        inputs: { workspaceId: "ws-1", stateVersionId: "sv-11", lock: false, onDelete: "restore" },
        edited: { workspaceId: "ws-1", stateVersionId: "sv-12", lock: false, onDelete: "restore" },
        prepare: lockByHand,
    },
    {
        type: "StateVersionBackingData",
        inputs: { stateVersionId: "sv-21", state: "softDeleted" },
        edited: { stateVersionId: "sv-21", state: "available" },
        mayLack: ["workspaceId", "serial"],
    },
    {
        type: "StateVersionBackingData",
        variant: "deleted for good",
        inputs: { stateVersionId: "sv-21", state: "softDeleted" },
        edited: { stateVersionId: "sv-21", state: "permanentlyDeleted", allowPermanentDeletion: true },
        hidesEdit: true,
        mayLack: ["workspaceId", "serial"],
    },
];
