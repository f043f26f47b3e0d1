/** What the simulator remembers of workspaces and their state versions. All of it is plain JSON. */
import { createHash } from "node:crypto";

/** How the fields of new versions that the service fills in later become filled. */
export interface Processing {
    mode: "at-once" | "after-reads" | "after-seconds";
    n: number;
}

/** Who holds a lock, or acts. */
export interface Holder {
    type: "users" | "teams" | "runs";
    id: string;
}

/** A workspace; `current` is the id of its current state version. */
export interface Workspace {
    id: string;
    name: string;
    organization: string;
    current: string | null;
    lock: { by: Holder; reason: string } | null;
}

/** A state version. Contents are base64; `null` means that there is none yet. */
export interface StateVersion {
    id: string;
    workspace: string;
    createdAt: string;
    createdBy: string | null;
    status: "pending" | "finalized" | "discarded" | "backing_data_soft_deleted" | "backing_data_permanently_deleted";
    /** A snapshot that becomes current, if it is the last one, when the workspace is unlocked. */
    intermediate?: boolean;
    /** What the soft deletion was told; its backing data is deleted for good when these days are over. */
    softDeleted?: { days: number | null; until: string | null };
    vcsCommit?: { sha: string; url: string };
    serial: number;
    md5: string;
    lineage: string | null;
    run: string | null;
    rollbackOf: string | null;
    raw: string | null;
    json: string | null;
    /** Names of the outputs sent along with the version; these show at once. */
    outputNames: string[] | null;
    /** What must still happen before the later fields show; `null` when they do. */
    processing: { readsLeft: number } | { until: string } | null;
    /** Object ids of the four addresses; an upload id is `null` once it may not be used any more. */
    objects: { rawUpload: string | null; jsonUpload: string | null; rawDownload: string; jsonDownload: string };
}

/** The part of the world that belongs to state versions. Versions stand in the order of their creation. */
export interface StateVersionsWorld {
    workspaces: Workspace[];
    versions: StateVersion[];
    processing: Processing;
    /** Whether versions made from now on are intermediate. */
    intermediates?: boolean;
}

/** A world without workspaces. */
export function emptyWorld(): StateVersionsWorld {
    return { workspaces: [], versions: [], processing: { mode: "after-reads", n: 1 } };
}

/** The versions of a workspace, newest first; of two with the same time the one made later comes first. */
export function newestFirst(world: StateVersionsWorld, workspaceId: string): StateVersion[] {
    return world.versions
        .map((version, position) => ({ version, position, time: Date.parse(version.createdAt) }))
        .filter(({ version }) => version.workspace === workspaceId)
        .sort((a, b) => b.time - a.time || b.position - a.position)
        .map(({ version }) => version);
}

/** The version that was made last, whatever its status. */
export function latestMade(world: StateVersionsWorld, workspaceId: string): StateVersion | undefined {
    return world.versions.findLast((version) => version.workspace === workspaceId);
}

/** The current version of a workspace. */
export function currentOf(world: StateVersionsWorld, workspace: Workspace): StateVersion | undefined {
    return world.versions.find((version) => version.id === workspace.current);
}

/**
 * Makes a version that holds its content the current one, unless it is to be an intermediate one, and discards the older ones that
 * still wait for theirs.
 */
export function finalize(
    world: StateVersionsWorld,
    version: StateVersion,
    now: Date,
    isIntermediate = world.intermediates === true,
): void {
    version.status = "finalized";
    version.objects.rawUpload = null;
    version.processing = waiting(world.processing, now);
    for (const other of world.versions) {
        if (other === version) {
            break;
        }
        if (other.workspace === version.workspace && other.status === "pending") {
            other.status = "discarded";
            other.objects.rawUpload = null;
            other.objects.jsonUpload = null;
        }
    }
    if (isIntermediate) {
        version.intermediate = true;
        return;
    }
    const workspace = world.workspaces.find(({ id }) => id === version.workspace);
    if (workspace) {
        workspace.current = version.id;
    }
}

/** What happens when a workspace is unlocked: its last intermediate version becomes current, unless the current one came after it. */
export function settleIntermediates(world: StateVersionsWorld, workspace: Workspace): void {
    const current = world.versions.findIndex(({ id }) => id === workspace.current);
    const last = world.versions
        .slice(current + 1)
        .findLast(
            ({ workspace: id, intermediate, status }) => id === workspace.id && intermediate && status === "finalized",
        );
    if (last) {
        last.intermediate = false;
        workspace.current = last.id;
    }
}

function waiting(processing: Processing, now: Date): StateVersion["processing"] {
    if (processing.mode === "after-seconds") {
        return { until: laterThan(now, processing.n * 1000) };
    }
    return processing.mode === "after-reads" && processing.n > 0 ? { readsLeft: processing.n } : null;
}

/** The time that many milliseconds later, or the last one that a date can tell. */
export function laterThan(now: Date, milliseconds: number): string {
    return new Date(Math.min(now.getTime() + milliseconds, 8.64e15)).toISOString();
}

/** MD5 of bytes, in lower-case hexadecimal digits. */
export function md5Of(bytes: Buffer): string {
    return createHash("md5").update(bytes).digest("hex");
}
