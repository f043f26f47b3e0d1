/** What the simulator remembers of volumes, of the plugins they need and of the claims on them. All of it is plain JSON. */
import type { Context } from "../route";
import type { Seed } from "../seed";
import { readVolume } from "./payload";
import type { Measured } from "./product";

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
    measured?: Measured;
}

/** A registered volume. */
export interface Volume extends VolumeFields {
    CreateIndex: number;
    ModifyIndex: number;
}

/** The statuses of an allocation; all but the first are terminal. */
export const allocationStatuses = ["running", "complete", "failed", "lost"] as const;

/** Status of an allocation. */
export type AllocationStatus = (typeof allocationStatuses)[number];

/** The claim of an allocation on a volume. It stays when the allocation ends, until something releases it. */
export interface Claim {
    namespace: string;
    volume: string;
    allocation: string;
    evaluation: string;
    node: string;
    job: string;
    write: boolean;
    status: AllocationStatus;
    createIndex: number;
    modifyIndex: number;
    createdAt: string;
    modifiedAt: string;
}

/** The part of the world that belongs to volumes. `index` counts the writes. */
export interface VolumesWorld {
    index: number;
    plugins: Plugin[];
    volumes: Volume[];
    claims: Claim[];
}

/** A world without volumes. */
export function emptyWorld(): VolumesWorld {
    return { index: 0, plugins: [], volumes: [], claims: [] };
}

/** The volume with this id in this namespace. */
export function findVolume(world: VolumesWorld, namespace: string, id: string): Volume | undefined {
    return world.volumes.find((volume) => volume.Namespace === namespace && volume.ID === id);
}

/** The claims on a volume. */
export function claimsOn(world: VolumesWorld, volume: Volume): Claim[] {
    return world.claims.filter((claim) => claim.volume === volume.ID && claim.namespace === volume.Namespace);
}

/** Stores a new volume. */
export function addVolume(world: VolumesWorld, fields: VolumeFields): void {
    world.index += 1;
    world.volumes.push({ ...fields, CreateIndex: world.index, ModifyIndex: world.index });
}

/** Releases claims; the volumes that had them are changed by it. */
export function release(world: VolumesWorld, claims: readonly Claim[]): void {
    if (claims.length === 0) {
        return;
    }
    touch(world, claims);
    world.claims = world.claims.filter((claim) => !claims.includes(claim));
    // Real servers forget the modes in use with the last claim.
    for (const volume of world.volumes) {
        if (
            volume.measured &&
            claimsOn(world, volume).length === 0 &&
            claims.some(({ volume: id }) => id === volume.ID)
        ) {
            volume.AccessMode = "";
            volume.AttachmentMode = "";
        }
    }
}

/** Counts a write that changes the volumes of these claims. */
export function touch(world: VolumesWorld, claims: readonly Claim[]): void {
    world.index += 1;
    for (const volume of world.volumes) {
        if (claims.some((claim) => claim.volume === volume.ID && claim.namespace === volume.Namespace)) {
            volume.ModifyIndex = world.index;
        }
    }
}

/** Lays plugins and volumes; what is there already under the same name is replaced. A volume's plugin may be gone. */
export function lay(seed: Seed, { world }: Omit<Context<VolumesWorld>, "parameters">): void {
    for (const plugin of seed.plugins ?? []) {
        world.plugins = world.plugins.filter(({ id }) => id !== plugin.id);
        world.plugins.push({
            id: plugin.id,
            provider: plugin.provider ?? "",
            version: plugin.version ?? "",
            controllerRequired: plugin.controllerRequired ?? false,
            nodes: [...plugin.nodes],
            healthy: plugin.healthy ?? true,
        });
    }
    for (const item of seed.volumes ?? []) {
        const volume = readVolume(item, "default");
        if (volume.ID === "" || volume.PluginID === "") {
            throw new Error("a volume of the seed has no ID or no PluginID");
        }
        world.volumes = world.volumes.filter(({ ID, Namespace }) => ID !== volume.ID || Namespace !== volume.Namespace);
        addVolume(world, volume);
    }
}
