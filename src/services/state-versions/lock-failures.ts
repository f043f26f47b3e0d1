/** What is said of a lock that is in the way, missing or left, and what a refusal under a lock means. */

import { failure, sentence } from "../../catalogue";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { ConflictError, NotFoundError, reworded, ServiceError, StatecraftError } from "../../errors";
import { absentOrDenied, changedMeanwhile } from "./failures";
import type { LockOptions, Marks } from "./inputs";
import { describeHolder, describeLock, type Lock, readLock } from "./workspace-records";

/** Releases a lock of the token's account. */
export const unlockWorkspace = operation("POST /workspaces/{workspaceId}/actions/unlock");
const forceUnlock = operation("POST /workspaces/{workspaceId}/actions/force-unlock");

/** The request that releases a lock, for messages. */
export const unlocking = (workspaceId: string) => `POST ${unlockWorkspace.path({ workspaceId })}`;

/** The one with which an administrator releases a lock, whoever holds it. Only for messages: we never send it. */
export const forceUnlocking = (workspaceId: string) => `POST ${forceUnlock.path({ workspaceId })}`;

/** Whether the reason ends in this resource's mark. */
export const isMarked = ({ reason }: Lock, marks: Marks) => marks.some((mark) => reason.endsWith(mark));

/** Whether the reason ends in the mark of some resource. */
export const isMarkedAtAll = ({ reason }: Lock) => reason.endsWith("]") && /\[statecraft\b/.test(reason);

/** Whether the reason is words that we would not have written; not every server keeps reasons as they were given. */
export const hasOtherWords = (lock: Lock, marks: Marks) => lock.reason !== "" && !isMarked(lock, marks);

const byHand = (workspaceId: string) =>
    `release it by hand (${unlocking(workspaceId)} with a token of the account that took it; an administrator may use actions/force-unlock)`;

const anothersLock = failure({
    code: "locked",
    message: "the workspace {workspace} is locked{holder}",
    cause: "Somebody else holds the lock, or another deployment by the same account; the message says who, and the reason. Nothing was sent. A lock that this resource did not take is never released by it.",
    action: "Wait until it is released, or let its holder {byHand}{kept}",
});

const unknownLock = failure({
    code: "locked",
    message: "the workspace {workspace} is locked{holder}",
    cause: "The workspace is locked, and the server does not tell by whom and why, or tells this resource's mark under another account.",
    action: "Whether a run of this resource that broke off left it, or somebody else holds it, cannot be told, so it was left alone. If you hold it, `lock: false` works under it; if nobody works on the workspace, {byHand}, then run this again",
});

/** Nobody holds the lock that `lock: false` needs. */
export const notLocked = failure({
    code: "unlocked",
    message: "the workspace {workspace} is not locked, and {noun} needs its lock",
    cause: "The service only takes the request from the account that holds the workspace's lock, and `lock: false` takes none.",
    action: "Leave out `lock: false` to take the lock for that time, or lock the workspace with a token of the same account before",
});

/** The answer to our lock request was lost, and nobody can look. */
export const perhapsLocked = failure({
    code: "open",
    message: "{failed}; whether the workspace {workspace} is locked now cannot be seen either",
    cause: "The answer to the request for the lock was lost, and the look after it failed.",
    action: "The next deployment takes the lock over if this run took it; to release it by hand, {request} with a token of the same account",
});

const unreleased = failure({
    code: "still-locked",
    message: "the workspace {workspace} is still locked{holder}: {failed}",
    cause: "The lock of this resource could not be released.",
    action: "The next deployment tries to release it again; to do it by hand, {request} with a token of the same account, or, while a version waits for its content, {force} as an administrator",
});

/** A refresh found a stale lock. */
export const staleLock = sentence({
    message: "an earlier run has left the workspace {workspace} locked; the next {up} or {destroy} releases it",
    cause: "A warning at refresh: the lock has this resource's mark and is held by its own account. The run broke off, or `keepLocked` was set then.",
    action: "Run {up}, or {destroy}: both release it.",
});

const kept = sentence({
    message:
        "keepLocked: the lock that was kept before stays for now, because a change of this option releases nothing: {refresh} and then {up} do, or {destroy}, unless `lock` is `false`; to release it by hand, {request} with a token of the same account",
    cause: "A warning: `keepLocked` was turned off, which releases nothing.",
    action: "Run {refresh} and {up}, let the next rollback take it over and release it, or release the lock by hand, as the message tells.",
});

const forgotten = sentence({
    message:
        "the workspace {workspace} stays locked{holder}: a run with `lock` has kept that lock or broke off, and with `lock: false` nothing releases it; if nobody works under it, {request} with a token of the account that took it",
    cause: "A warning: `lock: false` was set while a lock of this package was there.",
    action: "Release the lock by hand, as the message tells, if nobody works under it.",
});

const ownLock = sentence({
    message: "The workspace is locked{holder}, as it should: what hinders {noun}, the service's own words tell",
    cause: "The service refused the request under this resource's own lock.",
    action: "See the service's reason, which stands before.",
});

const lockNeeded = sentence({
    message: "The workspace is {lock}: {noun} needs its lock, held by the same account{next}",
    cause: "The service refused the request because of the lock.",
    action: "Wait until the lock is free, or hold it with a token of the same account.",
});

/** All of them, for the reference pages. */
export const lockErrors = [
    anothersLock,
    unknownLock,
    notLocked,
    perhapsLocked,
    unreleased,
    staleLock,
    kept,
    forgotten,
    ownLock,
    lockNeeded,
];

/** Somebody else holds the lock. A service's refusal is told as this. */
export function lockedByAnother(workspaceId: string, lock: Lock, refusal?: StatecraftError): StatecraftError {
    const kept = isMarkedAtAll(lock)
        ? ". To work under what another deployment by the same account keeps locked, set `lock: false`"
        : "";
    const parts = { workspace: workspaceId, holder: describeHolder(lock), byHand: byHand(workspaceId), kept };
    return refusal ? anothersLock.of(refusal, parts) : anothersLock(parts);
}

/** Either a run of this resource or somebody else holds the lock. */
export function doubtfulLock(workspaceId: string, lock: Lock, refusal?: StatecraftError): StatecraftError {
    const parts = { workspace: workspaceId, holder: describeHolder(lock), byHand: byHand(workspaceId) };
    return refusal ? unknownLock.of(refusal, parts) : unknownLock(parts);
}

/** Our lock could not be released. */
export function stillLocked(workspaceId: string, lock: Lock | undefined, failed: unknown): unknown {
    if (!(failed instanceof StatecraftError)) return failed;
    return unreleased.of(failed, {
        workspace: workspaceId,
        holder: lock ? describeHolder(lock) : "",
        failed: failed.message,
        request: unlocking(workspaceId),
        force: forceUnlocking(workspaceId),
    });
}

/** What the lock has to do with a conflict. */
function lockHint(lock: Lock | undefined, options: LockOptions, noun: string): string {
    if (lock === undefined) return lockNeeded({ lock: "probably not locked by this token's account", noun, next: "" });
    if (lock.locked && isMarked(lock, options.marks)) return ownLock({ holder: describeHolder(lock), noun });
    const next = options.lock === false ? "; `lock: true` takes it" : "; run {up} again";
    return lockNeeded({ lock: describeLock(lock), noun, next });
}

/** Warns of a lock that an earlier run was asked to keep, as long as it may still be there. Nobody asked to release it. */
export async function warnOfKeptLock(context: RequestContext, { workspaceId, marks }: LockOptions): Promise<void> {
    const lock = await readLock(context, workspaceId).catch(() => undefined);
    const mayBeThere = lock === undefined || (lock.locked && !hasOtherWords(lock, marks));
    if (!mayBeThere) return;
    context.warn(kept({ request: unlocking(workspaceId) }));
}

/** Warns of a lock that a run of this package has taken, for a resource that takes none (any more): nobody else releases it. */
export function warnOfForgottenLock(
    context: RequestContext,
    { workspaceId }: LockOptions,
    lock: Lock | undefined,
): void {
    if (!lock?.locked || !isMarkedAtAll(lock)) return;
    context.warn(forgotten({ workspace: workspaceId, holder: describeHolder(lock), request: unlocking(workspaceId) }));
}

/** An action that needs the lock. */
export interface LockedAction {
    /** What messages call it: `a rollback`. */
    readonly noun: string;
    /** The reason of the lock, where the user gives none. */
    readonly reason: string;
    /** What to look at when the service says that the request is malformed. */
    readonly malformed: string;
}

/** Throws a failure on, with what to do next where the service has refused the action: for `catch`. */
export function explainedByLock(context: RequestContext, options: LockOptions, action: LockedAction) {
    return async (error: unknown): Promise<never> => {
        const hint = error instanceof ServiceError ? await hintFor(context, options, error, action) : undefined;
        throw error instanceof ServiceError && hint !== undefined ? reworded(error, { hint }) : error;
    };
}

async function hintFor(context: RequestContext, options: LockOptions, error: ServiceError, action: LockedAction) {
    const what = action.noun.charAt(0).toUpperCase() + action.noun.slice(1);
    if (error instanceof NotFoundError) {
        return absentOrDenied({ what });
    }
    // Only the server's words tell which of the two it is.
    if (error instanceof ConflictError && error.reasons.some((reason) => /serial|lineage|md5/i.test(reason))) {
        return action.malformed;
    }
    if (error instanceof ConflictError && error.status === 409) {
        const lock = await readLock(context, options.workspaceId).catch(() => undefined);
        return lockHint(lock, options, action.noun);
    }
    if (error.status === 412) return changedMeanwhile();
    return error.status === 422 ? action.malformed : undefined;
}
