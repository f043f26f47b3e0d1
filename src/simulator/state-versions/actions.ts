/**
 * The actions of workspaces and state versions.
 *
 * | action         | not locked       | locked by the caller                        | locked by somebody else |
 * |----------------|------------------|---------------------------------------------|-------------------------|
 * | `lock`         | locked           | 409                                         | 409                     |
 * | `unlock`       | 409              | unlocked; 503 while a version is pending    | 409                     |
 * | `force-unlock` | 409              | unlocked                                    | unlocked                |
 *
 * The self-hosted edition soft-deletes, restores and permanently deletes what backs a version: see the states in `records.ts`.
 */

import { z } from "zod";
import { badRequest, Refusal, validated } from "../refusal";
import { recordOf } from "./answers";
import { type Call, heldBy, holdsLock } from "./call";
import type { Holder, StateVersion, Workspace } from "./records";

/** Clients send the reason plain or in a document, or no body at all. */
const lockBody = z
    .object({
        reason: z.string().optional(),
        data: z.object({ attributes: z.object({ reason: z.string().optional() }).optional() }).optional(),
    })
    .optional();

/** Locks a workspace for the caller. */
export function lock({ body, caller }: Call, workspace: Workspace): void {
    const given = validated(lockBody, body, 422);
    if (workspace.lock) throw new Refusal(409, `Unable to lock workspace. The workspace ${heldBy(workspace.lock.by)}`);
    const reason = given?.reason ?? given?.data?.attributes?.reason ?? "";
    workspace.lock = { by: { type: caller.kind === "team" ? "teams" : "users", id: caller.id }, reason };
}

/** Releases the caller's lock. */
export function unlock({ store, caller }: Call, workspace: Workspace): void {
    const holder = holderOf(workspace);
    if (!holdsLock(workspace, caller))
        throw new Refusal(409, `Unable to unlock workspace. The workspace ${heldBy(holder)}`);
    const latest = store.versions.findLast((version) => version.workspace === workspace.id);
    if (latest?.status === "pending") throw new Refusal(503, "latest state version is still pending");
    workspace.lock = null;
}

/** Breaks a lock, whoever holds it. */
export function forceUnlock(_: Call, workspace: Workspace): void {
    holderOf(workspace);
    workspace.lock = null;
}

function holderOf({ lock: held }: Workspace): Holder {
    if (!held) throw new Refusal(409, "Unable to unlock workspace. The workspace is already unlocked");
    return held.by;
}

/** The document does not show whether the attribute is required; a body without it is accepted. */
const deletion = z
    .object({
        data: z
            .object({
                attributes: z.object({ "delete-older-than-n-days": z.int().nonnegative().nullish() }).optional(),
            })
            .optional(),
    })
    .optional();

/** Whether reads of a version fail. */
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

/** Brings a version back to be finalized. */
export function restore(call: Call, _workspace: Workspace, version: StateVersion): object {
    check(version.status !== "backing_data_permanently_deleted", `is ${version.status}`, "finalized");
    check(version.raw !== null, "has no content", "finalized");
    version.status = "finalized";
    return recordOf(version, call);
}

/** Deletes the backing data of a soft-deleted version for good. */
export function permanentlyDelete(call: Call, _workspace: Workspace, version: StateVersion): object {
    check(version.status === "backing_data_soft_deleted", `is ${version.status}`, "permanently deleted");
    Object.assign(version, { status: "backing_data_permanently_deleted", raw: null, json: null });
    return recordOf(version, call);
}

function check(fits: boolean, problem: string, target: string): void {
    if (!fits) throw badRequest(`The state version cannot become ${target}: it ${problem}`);
}
