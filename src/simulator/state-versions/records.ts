/**
 * Workspaces and their state versions. The status of a version changes like this:
 *
 * | from                        | to                                 | after                            |
 * |-----------------------------|------------------------------------|----------------------------------|
 * | `pending`                   | `finalized`                        | the upload of its content        |
 * | `pending`                   | `discarded`                        | a later version became finalized |
 * | `finalized`, not current    | `backing_data_soft_deleted`        | the soft-delete action           |
 * | `backing_data_soft_deleted` | `finalized`                        | the restore action               |
 * | `backing_data_soft_deleted` | `backing_data_permanently_deleted` | the permanent-delete action      |
 *
 * The last `intermediate` version becomes current when its workspace is unlocked.
 */

import { createHash } from "node:crypto";
import { newId } from "../new-id";

/** The holder of a lock. */
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
    autoApply: boolean;
    /** Oldest first. The last one is current. */
    runs: Run[];
}

/** A run of a workspace. */
export interface Run {
    id: string;
    status: string;
    message: string;
    isDestroy: boolean;
    createdBy: string | null;
}

/** A state version. Its contents are `null` before their upload. */
export interface StateVersion {
    id: string;
    workspace: string;
    createdAt: string;
    createdBy: string | null;
    status: "pending" | "finalized" | "discarded" | "backing_data_soft_deleted" | "backing_data_permanently_deleted";
    /** Whether it is a snapshot that is not current yet. */
    intermediate: boolean;
    vcsCommit?: { sha: string; url: string };
    serial: number;
    md5: string;
    lineage: string | null;
    run: string | null;
    rollbackOf: string | null;
    raw: string | null;
    json: string | null;
    /** How many more reads lack the fields that a real service fills in later. */
    processing: number;
    /** The ids of its contents in the object store, and the ids that accept an upload. */
    objects: { raw: string; json: string };
    uploads: string[];
}

/** The part of the store that belongs to state versions. Versions are in the order of their creation. */
export interface StateVersionsStore {
    workspaces: Workspace[];
    versions: StateVersion[];
    /** `processing` of every new version. */
    processing: number;
}

export const emptyStateVersions = (): StateVersionsStore => ({ workspaces: [], versions: [], processing: 1 });

/** The fields that a new version needs; the others are optional. */
export type NewVersion = Pick<
    StateVersion,
    "workspace" | "createdAt" | "createdBy" | "serial" | "md5" | "lineage" | "raw" | "json"
> &
    Partial<StateVersion>;

/** Makes a version. Default: pending. */
export function newVersion(given: NewVersion): StateVersion {
    return {
        id: newId("sv"),
        status: "pending",
        intermediate: false,
        run: null,
        rollbackOf: null,
        processing: 0,
        objects: { raw: newId("object"), json: newId("object") },
        uploads: [],
        ...given,
    };
}

/** The fields of a run that a seed leaves out. */
export const newRun = { status: "applied", message: "", isDestroy: false, createdBy: null };

/** The versions of a workspace, newest first. */
export function newestFirst(store: StateVersionsStore, workspaceId: string): StateVersion[] {
    return store.versions
        .filter(({ workspace }) => workspace === workspaceId)
        .reverse()
        .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}

export function currentOf(store: StateVersionsStore, { current }: Workspace): StateVersion | undefined {
    return store.versions.find(({ id }) => id === current);
}

/** Makes a version with content the current one, and discards older ones without content. */
export function finalize(store: StateVersionsStore, version: StateVersion): void {
    version.status = "finalized";
    version.uploads = version.uploads.filter((id) => id !== version.objects.raw);
    version.processing = store.processing;
    for (const other of store.versions.slice(0, store.versions.indexOf(version))) {
        if (other.workspace !== version.workspace || other.status !== "pending") continue;
        other.status = "discarded";
        other.uploads = [];
    }
    const workspace = store.workspaces.find(({ id }) => id === version.workspace);
    if (workspace) workspace.current = version.id;
}

/** Unlocks a workspace, which makes its last intermediate version current. Earlier ones never become current. */
export function release(store: StateVersionsStore, workspace: Workspace): void {
    workspace.lock = null;
    const snapshots = store.versions.filter((version) => version.workspace === workspace.id && version.intermediate);
    workspace.current = snapshots.at(-1)?.id ?? workspace.current;
    for (const snapshot of snapshots) snapshot.intermediate = false;
}

/** MD5 of a text, in lower-case hexadecimal digits. */
export const md5Of = (text: string): string => createHash("md5").update(text).digest("hex");
