/**
 * Locks of workspaces. A lock has no end of its own.
 *
 * | action         | not locked       | locked by the caller                        | locked by somebody else |
 * |----------------|------------------|---------------------------------------------|-------------------------|
 * | `lock`         | locked           | 409                                         | 409                     |
 * | `unlock`       | 409              | unlocked; 503 while a version is pending    | 409                     |
 * | `force-unlock` | 409              | unlocked                                    | unlocked                |
 */

import type { Request } from "../route";
import { SimulatorError } from "../simulator-error";
import { type Holder, latestMade, settleIntermediates, type Workspace } from "./records";
import { bodyOf, type Call, conflict, heldBy, holdsLock, malformed, objectAt } from "./rules";

/** Locks a workspace for the caller. */
export function lock({ request, caller }: Call, workspace: Workspace): void {
    const reason = reasonIn(request);
    if (workspace.lock) {
        throw conflict(`Unable to lock workspace. The workspace ${heldBy(workspace.lock.by)}`);
    }
    workspace.lock = { by: { type: caller.type === "teams" ? "teams" : "users", id: caller.id }, reason };
}

/** Releases the caller's lock. */
export function unlock(call: Call, workspace: Workspace): void {
    const holder = holderOf(workspace);
    if (!holdsLock(workspace, call.caller)) {
        throw conflict(`Unable to unlock workspace. The workspace ${heldBy(holder)}`);
    }
    if (latestMade(call.versions, workspace.id)?.status === "pending") {
        throw new SimulatorError(503, "latest state version is still pending");
    }
    forceUnlock(call, workspace);
}

/** Breaks a lock, whoever holds it. */
export function forceUnlock({ versions }: Call, workspace: Workspace): void {
    holderOf(workspace);
    workspace.lock = null;
    settleIntermediates(versions, workspace);
}

function holderOf(workspace: Workspace): Holder {
    if (!workspace.lock) throw conflict("Unable to unlock workspace. The workspace is already unlocked");
    return workspace.lock.by;
}

/** The reason, which clients send plain or wrapped as a document; the body may be left out. */
function reasonIn(request: Request): string {
    if (request.body.length === 0) return "";
    const body = bodyOf(request);
    const reason = body["reason"] ?? objectAt(objectAt(body, "data"), "attributes")["reason"] ?? "";
    if (typeof reason !== "string") throw malformed("reason is not a string");
    return reason;
}
