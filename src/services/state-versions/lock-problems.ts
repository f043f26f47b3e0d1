/** What is said of a lock that is in the way, missing or left. */

import { operation } from "../../core/operation";
import { reworded, StatecraftError } from "../../errors";
import { describeLock, isMarkedAtAll, type Lock } from "./lock-owner";

/** Releases a lock of the token's account. */
export const unlockWorkspace = operation("POST /workspaces/{workspaceId}/actions/unlock", "refused");
const forceUnlock = operation("POST /workspaces/{workspaceId}/actions/force-unlock", "never");

/** The request that releases a lock, for messages. */
export const unlocking = (workspaceId: string) => `POST ${unlockWorkspace.path({ workspaceId })}`;

/** The one with which an administrator releases a lock, whoever holds it. Only for messages: we never send it. */
export const forceUnlocking = (workspaceId: string) => `POST ${forceUnlock.path({ workspaceId })}`;

const byHand = (workspaceId: string) =>
    `release it by hand (${unlocking(workspaceId)} with the token that took it; an administrator may use actions/force-unlock)`;

/** An error of its own, or the service's refusal in these words. */
function locked(workspaceId: string, lock: Lock, hint: string, refusal: StatecraftError | undefined): StatecraftError {
    const words = { code: "locked", message: `the workspace ${workspaceId} is ${describeLock(lock)}`, hint };
    return refusal ? reworded(refusal, words) : new StatecraftError(words.code, words.message, words);
}

/** Somebody else holds the lock. */
export function lockedByAnother(workspaceId: string, lock: Lock, refusal?: StatecraftError): StatecraftError {
    const kept = isMarkedAtAll(lock)
        ? ". To work under what another deployment by the same account keeps locked, set `lock: false`"
        : "";
    const hint = `Wait until it is released, or let its holder ${byHand(workspaceId)}${kept}`;
    return locked(workspaceId, lock, hint, refusal);
}

/** Either a run of this resource or somebody else holds the lock. */
export function doubtfulLock(workspaceId: string, lock: Lock, refusal?: StatecraftError): StatecraftError {
    const hint =
        "Whether a run of this resource that broke off left it, or somebody else holds it, cannot be told, so it was left alone. " +
        `If you hold it, \`lock: false\` works under it; if nobody works on the workspace, ${byHand(workspaceId)}, then run this again`;
    return locked(workspaceId, lock, hint, refusal);
}

/** Nobody holds the lock that `lock: false` needs. */
export function notLocked(workspaceId: string, noun: string): StatecraftError {
    return new StatecraftError("unlocked", `the workspace ${workspaceId} is not locked, and ${noun} needs its lock`, {
        hint: "Leave out `lock: false` to take the lock for that time, or lock the workspace with the same token before",
    });
}

/** The answer to our lock request was lost, and nobody can look. */
export function perhapsLocked(workspaceId: string, lost: StatecraftError): StatecraftError {
    return reworded(lost, {
        code: "open",
        message: `${lost.message}; whether the workspace ${workspaceId} is locked now cannot be seen either`,
        hint: `The next deployment takes the lock over if this run took it; to release it by hand, ${unlocking(workspaceId)} with the same token`,
    });
}

/** Our lock could not be released. */
export function stillLocked(workspaceId: string, lock: Lock | undefined, failure: unknown): unknown {
    if (!(failure instanceof StatecraftError)) return failure;
    return reworded(failure, {
        code: "still-locked",
        message: `the workspace ${workspaceId} is still ${lock ? describeLock(lock) : "locked"}: ${failure.message}`,
        hint:
            `The next deployment tries to release it again; to do it by hand, ${unlocking(workspaceId)} with the same token, or, ` +
            `while a version waits for its content, ${forceUnlocking(workspaceId)} as an administrator`,
    });
}
