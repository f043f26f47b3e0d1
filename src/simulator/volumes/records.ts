/** What the simulator holds of volumes, of the plugins they need and of the claims on them. */

/** A plugin and the nodes that run it. */
export interface Plugin {
    id: string;
    provider: string;
    version: string;
    controllerRequired: boolean;
    nodes: string[];
    healthy: boolean;
}

/** What a register payload says of one volume. */
export interface VolumeFields {
    ID: string;
    Name: string;
    Namespace: string;
    ExternalID: string;
    Topologies: Record<string, string>[];
    AccessMode: string;
    AttachmentMode: string;
    PluginID: string;
    /** Only where real servers' rules hold. */
    measured?: MeasuredFields;
}

/** What a real scheduler keeps of a volume beside the document's fields. */
export interface MeasuredFields {
    /** `null` for a flat map, which loses its content. */
    Topologies: (Record<string, string> | null)[];
    RequestedCapabilities: { AccessMode: string; AttachmentMode: string }[];
    MountOptions: { FSType: string; MountFlags: string[] | null };
    Secrets: Record<string, string>;
    Parameters: Record<string, string>;
    Context: Record<string, string>;
    RequestedTopologies: unknown;
    RequestedCapacityMin: number;
    RequestedCapacityMax: number;
    /** The payload's names, in lower case. */
    named: string[];
}

/** A registered volume. */
export interface Volume extends VolumeFields {
    CreateIndex: number;
    ModifyIndex: number;
}

/** The statuses of an allocation; all but the first are terminal. */
export const allocationStatuses = ["running", "complete", "failed", "lost"] as const;

/** The claim of an allocation on a volume. It stays when the allocation ends, until something releases it. */
export interface Claim {
    namespace: string;
    volume: string;
    allocation: string;
    evaluation: string;
    node: string;
    job: string;
    write: boolean;
    status: (typeof allocationStatuses)[number];
    createIndex: number;
    modifyIndex: number;
    createdAt: string;
    modifiedAt: string;
}

/** The part of the store that belongs to volumes. `index` counts the writes. */
export interface VolumesStore {
    index: number;
    plugins: Plugin[];
    volumes: Volume[];
    claims: Claim[];
}

/** A scheduler without volumes. */
export function emptyVolumes(): VolumesStore {
    return { index: 0, plugins: [], volumes: [], claims: [] };
}

/** The namespace that a request is about. */
export function namespaceOf({ query }: { readonly query: URLSearchParams }): string {
    return query.get("namespace") || "default";
}

/** The volume with this id in this namespace. */
export function findVolume(store: VolumesStore, namespace: string, id: string): Volume | undefined {
    return store.volumes.find((volume) => volume.Namespace === namespace && volume.ID === id);
}

/** The claims on a volume. */
export function claimsOn(store: VolumesStore, volume: Volume): Claim[] {
    return store.claims.filter((claim) => isOn(claim, volume));
}

function isOn(claim: Claim, { ID, Namespace }: Volume): boolean {
    return claim.volume === ID && claim.namespace === Namespace;
}

/** Stores a new volume. */
export function addVolume(store: VolumesStore, fields: VolumeFields): void {
    store.index += 1;
    store.volumes.push({ ...fields, CreateIndex: store.index, ModifyIndex: store.index });
}

/** Releases claims; the volumes that had them are changed by it. */
export function release(store: VolumesStore, claims: readonly Claim[]): void {
    if (claims.length === 0) return;
    touch(store, claims);
    store.claims = store.claims.filter((claim) => !claims.includes(claim));
    for (const volume of store.volumes) {
        const wasClaimed = claims.some((claim) => isOn(claim, volume));
        // Real servers forget the modes in use with the last claim.
        if (volume.measured && wasClaimed && claimsOn(store, volume).length === 0) {
            volume.AccessMode = "";
            volume.AttachmentMode = "";
        }
    }
}

/** Counts a write that changes the volumes of these claims. */
export function touch(store: VolumesStore, claims: readonly Claim[]): void {
    store.index += 1;
    for (const volume of store.volumes) {
        if (claims.some((claim) => isOn(claim, volume))) volume.ModifyIndex = store.index;
    }
}
