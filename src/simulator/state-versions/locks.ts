/**
 * Locks of workspaces. A lock has no end of its own.
 *
 * | action         | not locked       | locked by the caller                        | locked by somebody else |
 * |----------------|------------------|---------------------------------------------|-------------------------|
 * | `lock`         | locked           | 409                                         | 409                     |
 * | `unlock`       | 409              | unlocked; 503 while a version is pending    | 409                     |
 * | `force-unlock` | 409              | unlocked                                    | unlocked                |
 */

import { z } from "zod";
import { Refusal, validated } from "../refusal";
import { type Call, conflict, heldBy, holdsLock } from "./call";
import type { Holder, Workspace } from "./records";

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
    if (workspace.lock) throw conflict(`Unable to lock workspace. The workspace ${heldBy(workspace.lock.by)}`);
    const reason = given?.reason ?? given?.data?.attributes?.reason ?? "";
    workspace.lock = { by: { type: caller.kind === "team" ? "teams" : "users", id: caller.id }, reason };
}

/** Releases the caller's lock. */
export function unlock({ store, caller }: Call, workspace: Workspace): void {
    const holder = holderOf(workspace);
    if (!holdsLock(workspace, caller)) throw conflict(`Unable to unlock workspace. The workspace ${heldBy(holder)}`);
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
    if (!held) throw conflict("Unable to unlock workspace. The workspace is already unlocked");
    return held.by;
}
