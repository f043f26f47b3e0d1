/** Locking, unlocking and breaking the lock of a workspace. A lock has no end of its own. */
import type { Request } from "../route";
import { isObject } from "./content";
import { latestMade, settleIntermediates, type Workspace } from "./records";
import {
    bodyOf,
    conflict,
    heldBy,
    holds,
    malformed,
    type Principal,
    Refusal,
    type StateVersionsContext,
} from "./rules";

/** Locks a workspace for the caller, who gets no second lock either. */
export function lock(request: Request, workspace: Workspace, caller: Principal): void {
    const reason = reasonOf(request);
    if (workspace.lock) {
        throw conflict(`Unable to lock workspace. The workspace ${heldBy(workspace.lock.by)}`);
    }
    workspace.lock = { by: { type: caller.type === "teams" ? "teams" : "users", id: caller.id }, reason };
}

/** Releases the caller's lock, unless the version made last still waits for its content. */
export function unlock(context: StateVersionsContext, workspace: Workspace, caller: Principal): void {
    if (!workspace.lock) {
        throw conflict("Unable to unlock workspace. The workspace is already unlocked");
    }
    if (!holds(workspace, caller)) {
        throw conflict(`Unable to unlock workspace. The workspace ${heldBy(workspace.lock.by)}`);
    }
    if (latestMade(context.world, workspace.id)?.status === "pending") {
        throw new Refusal(503, "service unavailable", "latest state version is still pending");
    }
    workspace.lock = null;
    settleIntermediates(context.world, workspace);
}

/** Breaks a lock, whoever holds it. */
export function forceUnlock(context: StateVersionsContext, workspace: Workspace): void {
    if (!workspace.lock) {
        throw conflict("Unable to unlock workspace. The workspace is already unlocked");
    }
    workspace.lock = null;
    settleIntermediates(context.world, workspace);
}

/** The reason, which clients send plain or wrapped as a document; the body may be left out. */
function reasonOf(request: Request): string {
    if (request.body.length === 0) {
        return "";
    }
    const body = bodyOf(request);
    const data = body["data"];
    const attributes = isObject(data) ? data["attributes"] : undefined;
    const reason = body["reason"] ?? (isObject(attributes) ? attributes["reason"] : undefined) ?? "";
    if (typeof reason !== "string") {
        throw malformed("reason is not a string");
    }
    return reason;
}
