/**
 * What the simulator holds of workspaces and their state versions. A version goes through these states:
 *
 * | status                             | becomes                            | when                                           |
 * |------------------------------------|------------------------------------|------------------------------------------------|
 * | `pending`                          | `finalized`                        | its content comes                              |
 * | `pending`                          | `discarded`                        | a later version is finalized                   |
 * | `finalized`, not current           | `backing_data_soft_deleted`        | an owner asks for it                           |
 * | `backing_data_soft_deleted`        | `finalized`                        | an owner restores it                           |
 * | `backing_data_soft_deleted`        | `backing_data_permanently_deleted` | an owner asks for it                           |
 */

import { createHash } from "node:crypto";
import { newId } from "../new-id";

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

/** A state version. `null` as content means that there is none yet. */
export interface StateVersion {
    id: string;
    workspace: string;
    createdAt: string;
    createdBy: string | null;
    status: "pending" | "finalized" | "discarded" | "backing_data_soft_deleted" | "backing_data_permanently_deleted";
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
    /** How many reads do not show the later fields yet. */
    processing: number;
    /** The ids of its contents in the object store, and those of them that may still be uploaded. */
    objects: { raw: string; json: string };
    uploads: string[];
}

/** The part of the store that belongs to state versions. Versions stand in the order of their creation. */
export interface StateVersionsStore {
    workspaces: Workspace[];
    versions: StateVersion[];
    /** How many reads of a new version do not show the fields that the service fills in later. */
    processing: number;
}

/** A service without workspaces. */
export function emptyStateVersions(): StateVersionsStore {
    return { workspaces: [], versions: [], processing: 1 };
}

/** What the maker of a version says of it. */
export type NewVersion = Pick<
    StateVersion,
    "workspace" | "createdAt" | "createdBy" | "serial" | "md5" | "lineage" | "raw" | "json"
> &
    Partial<StateVersion>;

/** A version. Default: pending. */
export function newVersion(given: NewVersion): StateVersion {
    return {
        id: newId("sv"),
        status: "pending",
        run: null,
        rollbackOf: null,
        outputNames: null,
        processing: 0,
        objects: { raw: newId("object"), json: newId("object") },
        uploads: [],
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

/** The current version of a workspace. */
export function currentOf(store: StateVersionsStore, { current }: Workspace): StateVersion | undefined {
    return store.versions.find(({ id }) => id === current);
}

/** Makes a version that has its content the current one, and discards the older ones that still wait for theirs. */
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

/** MD5 of a text, in lower-case hexadecimal digits. */
export function md5Of(text: string): string {
    return createHash("md5").update(text).digest("hex");
}
