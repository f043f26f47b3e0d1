/**
 * The actions of workspaces and state versions.
 *
 * | action         | not locked       | locked by the caller                        | locked by another       |
 * |----------------|------------------|---------------------------------------------|-------------------------|
 * | `lock`         | locked           | 409                                         | 409                     |
 * | `unlock`       | 409              | unlocked; 503 while a version is pending    | 409                     |
 * | `force-unlock` | 409              | unlocked                                    | unlocked                |
 *
 * `records.ts` has the table of the actions on a version's backing data.
 */

import { z } from "zod";
import { badRequest, Refusal, validated } from "../refusal";
import { recordOf } from "./answers";
import { type Call, holdsLock, lockedBy } from "./call";
import { type Holder, release, type StateVersion, type Workspace } from "./records";

const lockBody = z.object({ reason: z.string().default("") }).optional();

/** Locks a workspace for the caller. */
export function lock({ body, caller }: Call, workspace: Workspace): void {
    const { reason } = validated(lockBody, body, 422) ?? { reason: "" };
    if (workspace.lock)
        throw new Refusal(409, `Unable to lock workspace. The workspace ${lockedBy(workspace.lock.by)}`);
    workspace.lock = { by: { type: caller.kind === "team" ? "teams" : "users", id: caller.id }, reason };
}

/** Releases the caller's lock. */
export function unlock({ store, caller }: Call, workspace: Workspace): void {
    const holder = holderOf(workspace);
    if (!holdsLock(workspace, caller))
        throw new Refusal(409, `Unable to unlock workspace. The workspace ${lockedBy(holder)}`);
    const latest = store.versions.findLast((version) => version.workspace === workspace.id);
    if (latest?.status === "pending") throw new Refusal(503, "latest state version is still pending");
    release(store, workspace);
}

/** Releases any holder's lock. */
export function forceUnlock({ store }: Call, workspace: Workspace): void {
    holderOf(workspace);
    release(store, workspace);
}

function holderOf({ lock: current }: Workspace): Holder {
    if (!current) throw new Refusal(409, "Unable to unlock workspace. The workspace is already unlocked");
    return current.by;
}

/** The API documents do not show whether `delete-older-than-n-days` is required. */
const daysAttribute = z.object({ "delete-older-than-n-days": z.int().nonnegative().nullish() });
const deletion = z.object({ data: z.object({ attributes: daysAttribute.optional() }).optional() }).optional();

/** Whether the version's backing data is deleted, so that its reads fail. */
export function isRetired({ status }: StateVersion): boolean {
    return status === "backing_data_soft_deleted" || status === "backing_data_permanently_deleted";
}

/** Marks the backing data of a finalized version for garbage collection. */
export function softDelete(call: Call, workspace: Workspace, version: StateVersion): object {
    const days = validated(deletion, call.body)?.data?.attributes?.["delete-older-than-n-days"];
    check(version.status === "finalized", `is ${version.status}, not finalized`, "soft-deleted");
    check(workspace.current !== version.id, "is the current state version", "soft-deleted");
    version.status = "backing_data_soft_deleted";
    const record = recordOf(version, call);
    return { ...record, attributes: { ...record.attributes, ...(days && { "delete-older-than-n-days": days }) } };
}

/** Makes a version finalized again. */
export function restore(call: Call, _workspace: Workspace, version: StateVersion): object {
    check(version.status !== "backing_data_permanently_deleted", `is ${version.status}`, "finalized");
    version.status = "finalized";
    return recordOf(version, call);
}

/** Deletes the backing data of a soft-deleted version permanently. */
export function permanentlyDelete(call: Call, workspace: Workspace, version: StateVersion): object {
    check(version.status === "backing_data_soft_deleted", `is ${version.status}`, "permanently deleted");
    check(workspace.current !== version.id, "is the current state version", "permanently deleted");
    Object.assign(version, { status: "backing_data_permanently_deleted", raw: null, json: null });
    return recordOf(version, call);
}

function check(fits: boolean, problem: string, target: string): void {
    if (!fits) throw badRequest(`The state version cannot become ${target}: it ${problem}`);
}
