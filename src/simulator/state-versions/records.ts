/**
 * What the simulator holds of workspaces and their state versions. A version goes through these states:
 *
 * | status                             | becomes                            | when                                           |
 * |------------------------------------|------------------------------------|------------------------------------------------|
 * | `pending`                          | `finalized`                        | its content comes                              |
 * | `pending`                          | `discarded`                        | a later version is finalized                   |
 * | `finalized`, not current           | `backing_data_soft_deleted`        | an owner asks for it                           |
 * | `backing_data_soft_deleted`        | `finalized`                        | an owner restores it                           |
 * | `backing_data_soft_deleted`        | `backing_data_permanently_deleted` | an owner asks for it, or its days are over     |
 */

import { createHash } from "node:crypto";
import { newId } from "../route";

/** How the fields of new versions that the service fills in later become filled. */
export interface Processing {
    mode: "at-once" | "after-reads" | "after-seconds";
    n: number;
}

/** Who holds a lock. */
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
    /** When the backing data of a soft-deleted version is deleted for good. */
    deletedFrom?: string;
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

/** The part of the store that belongs to state versions. Versions stand in the order of their creation. */
export interface StateVersionsStore {
    workspaces: Workspace[];
    versions: StateVersion[];
    processing: Processing;
    /** Whether versions made from now on are intermediate. */
    intermediates: boolean;
}

/** A service without workspaces. */
export function emptyStateVersions(): StateVersionsStore {
    return { workspaces: [], versions: [], processing: { mode: "after-reads", n: 1 }, intermediates: false };
}

/** What a maker of a version says of it. */
export type NewVersion = Pick<
    StateVersion,
    "workspace" | "createdAt" | "createdBy" | "serial" | "md5" | "lineage" | "raw" | "json"
> &
    Partial<StateVersion>;

/** A version, pending unless told otherwise. */
export function newVersion(given: NewVersion): StateVersion {
    return {
        id: newId("sv"),
        status: "pending",
        run: null,
        rollbackOf: null,
        outputNames: null,
        processing: null,
        objects: {
            rawUpload: null,
            jsonUpload: null,
            rawDownload: newId("object"),
            jsonDownload: newId("object"),
        },
        ...given,
    };
}

/** The versions of a workspace, newest first; of two with the same time the one made later comes first. */
export function newestFirst(store: StateVersionsStore, workspaceId: string): StateVersion[] {
    return store.versions
        .filter(({ workspace }) => workspace === workspaceId)
        .reverse()
        .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}

/** The version that was made last, whatever its status. */
export function latestMade(store: StateVersionsStore, workspaceId: string): StateVersion | undefined {
    return store.versions.findLast((version) => version.workspace === workspaceId);
}

/** The current version of a workspace. */
export function currentOf(store: StateVersionsStore, workspace: Workspace): StateVersion | undefined {
    return store.versions.find((version) => version.id === workspace.current);
}

/** The content of a version as bytes. */
export function rawOf({ raw }: Pick<StateVersion, "raw">): Buffer | undefined {
    return raw === null ? undefined : Buffer.from(raw, "base64");
}

/** Makes a version that has its content the current one, unless it is to be intermediate, and discards the older ones that still wait for theirs. */
export function finalize(
    store: StateVersionsStore,
    version: StateVersion,
    now: Date,
    isIntermediate = store.intermediates,
): void {
    version.status = "finalized";
    version.objects.rawUpload = null;
    version.processing = waiting(store.processing, now);
    for (const other of store.versions.slice(0, store.versions.indexOf(version))) {
        if (other.workspace !== version.workspace || other.status !== "pending") continue;
        other.status = "discarded";
        other.objects = { ...other.objects, rawUpload: null, jsonUpload: null };
    }
    if (isIntermediate) {
        version.intermediate = true;
        return;
    }
    const workspace = store.workspaces.find(({ id }) => id === version.workspace);
    if (workspace) workspace.current = version.id;
}

/** What happens when a workspace is unlocked: its last intermediate version becomes current, unless the current one came after it. */
export function settleIntermediates(store: StateVersionsStore, workspace: Workspace): void {
    const current = store.versions.findIndex(({ id }) => id === workspace.current);
    const last = store.versions
        .slice(current + 1)
        .findLast(
            ({ workspace: id, intermediate, status }) => id === workspace.id && intermediate && status === "finalized",
        );
    if (last) {
        last.intermediate = false;
        workspace.current = last.id;
    }
}

function waiting({ mode, n }: Processing, now: Date): StateVersion["processing"] {
    if (mode === "after-seconds") return { until: laterThan(now, n * 1000) };
    return mode === "after-reads" && n > 0 ? { readsLeft: n } : null;
}

/** The time that many milliseconds later, or the last one that a date can tell. */
export function laterThan(now: Date, milliseconds: number): string {
    return new Date(Math.min(now.getTime() + milliseconds, 8.64e15)).toISOString();
}

/** MD5 of bytes, in lower-case hexadecimal digits. */
export function md5Of(bytes: Buffer): string {
    return createHash("md5").update(bytes).digest("hex");
}
