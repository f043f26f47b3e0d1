/** Volumes, their plugins and the claims on them. */

import { z } from "zod";

/** A plugin and the nodes that run it. */
export interface Plugin {
    id: string;
    provider: string;
    version: string;
    controllerRequired: boolean;
    /** Whether its controller can expand volumes. */
    expands: boolean;
    nodes: string[];
    healthy: boolean;
}

const optional = <Value>(schema: z.ZodType<Value>, absent: Value) =>
    schema.nullish().transform((value) => value ?? absent);
const text = optional(z.string(), "");
const texts = optional(z.record(z.string(), z.string()), {});
const modes = { AccessMode: text, AttachmentMode: text };
const capability = z.object(modes);
/** A list of topologies. Nomad ignores the content of one that is not wrapped in `Segments`. */
const topologies = optional(z.array(z.object({ Segments: texts })).nullable(), null);
const mountOptions = z.object({ FSType: text, MountFlags: z.array(z.string()).nullable().default(null) });

/** The fields of one volume in the body of a registration. */
export const volumeFields = z.object({
    ID: text,
    Name: text,
    Namespace: text,
    ExternalID: text,
    Topologies: optional(z.array(texts), []),
    ...modes,
    PluginID: text,
});

/** The fields of Nomad that the API documents do not have. */
export const moreFields = z.object({
    RequestedCapabilities: optional(z.array(capability), []),
    MountOptions: optional(mountOptions, { FSType: "", MountFlags: null }),
    Secrets: texts,
    Parameters: texts,
    Context: texts,
    RequestedTopologies: optional(z.object({ Required: topologies, Preferred: topologies }).nullable(), null),
    RequestedCapacityMin: optional(z.number(), 0),
    RequestedCapacityMax: optional(z.number(), 0),
    Capacity: optional(z.number(), 0),
});

/** Fields of a volume. `more` exists with the product's names only. */
export type VolumeFields = z.output<typeof volumeFields> & { more?: z.output<typeof moreFields> };

export type Volume = VolumeFields & { CreateIndex: number; ModifyIndex: number };

/** The claim of an allocation on a volume. It remains after the end of the allocation until it is released. */
export interface Claim {
    volume: string;
    node: string;
    namespace: string;
    allocation: string;
    job: string;
    write: boolean;
    /** The allocation's status. Every status but `running` is final. */
    status: "running" | "complete" | "failed" | "lost";
    createdAt: string;
    /** The index of the latest change of the claim. */
    index: number;
    modifiedAt: string;
    /** How the allocation uses the volume. Default: the first capability of the volume. */
    capability?: z.output<typeof capability>;
}

/** The part of the store that belongs to volumes. `index` counts writes. */
export interface VolumesStore {
    index: number;
    /** The namespaces in which volumes can be registered with the product's names. */
    namespaces: string[];
    plugins: Plugin[];
    volumes: Volume[];
    claims: Claim[];
}

export const emptyVolumes = (): VolumesStore => ({
    index: 0,
    namespaces: ["default"],
    plugins: [],
    volumes: [],
    claims: [],
});

export function findVolume(store: VolumesStore, namespace: string, id: string): Volume | undefined {
    return store.volumes.find((volume) => volume.Namespace === namespace && volume.ID === id);
}

export function claimsOn(store: VolumesStore, { ID, Namespace }: Volume): Claim[] {
    return store.claims.filter(({ volume, namespace }) => volume === ID && namespace === Namespace);
}

/** Adds a volume. Nomad gives one without topologies those that it requires. */
export function addVolume(store: VolumesStore, fields: VolumeFields): void {
    store.index += 1;
    const required = fields.more?.RequestedTopologies?.Required ?? [];
    const Topologies = fields.Topologies.length > 0 ? fields.Topologies : required.map(({ Segments }) => Segments);
    store.volumes.push({ ...fields, Topologies, CreateIndex: store.index, ModifyIndex: store.index });
}

/** Counts a change of claims, which also changes their volumes. */
export function touch(store: VolumesStore, claims: readonly Claim[]): void {
    store.index += 1;
    for (const { volume, namespace } of claims) {
        const claimed = findVolume(store, namespace, volume);
        if (claimed) claimed.ModifyIndex = store.index;
    }
}

/** Adds a claim. Nomad gives a volume without modes those of the claim. */
export function addClaim(store: VolumesStore, claim: Claim): void {
    store.claims.push(claim);
    touch(store, [claim]);
    const claimed = findVolume(store, claim.namespace, claim.volume);
    if (claimed?.more && claimed.AccessMode === "") {
        Object.assign(claimed, claim.capability ?? claimed.more.RequestedCapabilities[0]);
    }
}

/** Releases claims. Nomad empties both modes of a volume with the last one. */
export function release(store: VolumesStore, claims: readonly Claim[]): void {
    if (claims.length === 0) return;
    touch(store, claims);
    store.claims = store.claims.filter((other) => !claims.includes(other));
    for (const { volume, namespace } of claims) {
        const released = findVolume(store, namespace, volume);
        if (released?.more && claimsOn(store, released).length === 0) {
            Object.assign(released, { AccessMode: "", AttachmentMode: "" });
        }
    }
}
