/** The lock of a workspace: taken, marked as ours, and released by whoever took it, also after a failure. */

import { operation } from "../../core/operation";
import { asParagraph } from "../../core/paragraph";
import type { RequestContext } from "../../core/request-context";
import {
    AnswerError,
    ConflictError,
    isLostAnswer,
    mayHaveActed,
    reworded,
    ServiceError,
    StatecraftError,
} from "../../errors";
import {
    describeLock,
    hasOtherWords,
    isMarkedAtAll,
    isOfThisAccount,
    type Lock,
    lockIn,
    type Marks,
    type Owner,
    ownerOf,
    readLock,
} from "./lock-owner";
import { stateVersions } from "./service";

const lockWorkspace = operation("POST /workspaces/{workspaceId}/actions/lock", "refused");
const unlockWorkspace = operation("POST /workspaces/{workspaceId}/actions/unlock", "refused");
const forceUnlock = operation("POST /workspaces/{workspaceId}/actions/force-unlock", "never");

/** Where an administrator releases a lock, whoever holds it. Only for messages: we never do. */
export const forceUnlockPath = (workspaceId: string) => forceUnlock.path({ workspaceId });

/** A lock that is held while something is done. */
export interface HeldLock {
    /** Whether we release it; what the user holds is the user's. */
    readonly isOurs: boolean;
    /** How it was found, where a run of this resource that broke off had left it. */
    readonly left?: Lock;
}

/** Looks whether the lock can be taken, or is held by the same account already; `problem` says why neither. */
export async function lookToTake(context: RequestContext, workspaceId: string, marks: Marks) {
    const lock = await readLock(context, workspaceId);
    const owner = await ownerOf(context, lock, marks);
    const isFree = owner === "nobody" || owner === "us" || owner === "account";
    return { lock, owner, problem: isFree ? undefined : held(workspaceId, lock, owner) };
}

/**
 * Looks whether the account holds the lock already, for `a rollback` or its like; `problem` says that it does not. A server that does not tell
 * who holds it, or shows the workspace to nobody but its owners, decides for itself later.
 */
export async function lookToUse(context: RequestContext, workspaceId: string, deed: string) {
    try {
        const lock = await readLock(context, workspaceId);
        if (!lock.locked) return { lock, problem: unlocked(workspaceId, deed) };
        const isOurs = await isOfThisAccount(context, lock);
        return { lock, problem: isOurs === false ? held(workspaceId, lock, "another") : undefined };
    } catch (error) {
        if (error instanceof StatecraftError) return { lock: undefined, problem: undefined };
        throw error;
    }
}

/**
 * Takes the lock, unless this account holds it already. A lock that carries our mark and is held by our own account is a dead run's, and is
 * taken over: Pulumi lets a stack run once at a time, and scripts have another mark each time.
 * @throws StatecraftError that says who holds it and how to release it
 */
export async function takeLock(
    context: RequestContext,
    workspaceId: string,
    reason: string,
    marks: Marks,
): Promise<HeldLock> {
    const { lock, owner, problem } = await lookToTake(context, workspaceId, marks);
    if (problem !== undefined) throw problem;
    if (owner === "us") return { isOurs: true, left: lock };
    if (owner === "account") {
        context.inform(
            `the workspace ${workspaceId} was ${describeLock(lock)} before, the account of this token, and stays so`,
        );
        return { isOurs: false };
    }
    const call = { parameters: { workspaceId }, body: { reason: `${reason} ${marks[0]}` } };
    try {
        await context.client.call(lockWorkspace, call);
    } catch (error) {
        if (!mayHaveActed(error) && !(error instanceof ConflictError)) throw error;
        const lost = mayHaveActed(error);
        const now = await readLock(context, workspaceId).catch(() => undefined);
        if (now === undefined) throw lost ? perhapsLocked(workspaceId, error) : error;
        if (!now.locked) throw error;
        if (!lost || (await isAnothers(context, now, marks))) throw held(workspaceId, now, "another", error);
        // It was seen unlocked just before, and our request was on its way: our mark, or a server that keeps no reasons.
        if (hasOtherWords(now, marks)) throw held(workspaceId, now, "unknown", error);
    }
    return { isOurs: true };
}

/** Whether a lock that we took, or may have taken, is surely another one by now. */
const isAnothers = async (context: RequestContext, lock: Lock, marks: Marks) =>
    ["another", "namesake"].includes(await ownerOf(context, lock, marks));

/** Checks a lock that the user holds. */
export async function useLock(context: RequestContext, workspaceId: string, deed: string): Promise<HeldLock> {
    const { lock, problem } = await lookToUse(context, workspaceId, deed);
    if (problem !== undefined) throw problem;
    if (lock !== undefined) await warnOfForgottenLock(context, workspaceId, lock);
    return { isOurs: false };
}

function perhapsLocked(workspaceId: string, lost: StatecraftError): StatecraftError {
    return reworded(lost, {
        code: "open",
        message: `${lost.message}; whether the workspace ${workspaceId} is locked now cannot be seen either`,
        hint: `The next deployment takes the lock over if this run took it; to release it by hand, POST ${unlockWorkspace.path({ workspaceId })} with the same token`,
    });
}

function unlocked(workspaceId: string, deed: string): StatecraftError {
    return new StatecraftError("unlocked", `the workspace ${workspaceId} is not locked, and ${deed} needs its lock`, {
        hint: "Leave out `lock: false` to take the lock for that time, or lock the workspace with the same token before",
    });
}

function held(workspaceId: string, lock: Lock, owner: Owner, refusal?: StatecraftError): StatecraftError {
    const release = `POST ${unlockWorkspace.path({ workspaceId })}`;
    const byHand = `release it by hand (${release} with the token that took it; an administrator may use actions/force-unlock)`;
    const doubt =
        "Whether a run of this resource that broke off left it, or somebody else holds it, cannot be told, so it was left alone. " +
        `If you hold it, \`lock: false\` works under it; if nobody works on the workspace, ${byHand}, then run this again`;
    const wait = `Wait until it is released, or let its holder ${byHand}`;
    const kept = isMarkedAtAll(lock)
        ? ". To work under what another deployment by the same account keeps locked, set `lock: false`"
        : "";
    const hint = owner === "another" ? wait + kept : doubt;
    const words = { code: "locked", message: `the workspace ${workspaceId} is ${describeLock(lock)}`, hint };
    return refusal ? reworded(refusal, words) : new StatecraftError(words.code, words.message, words);
}

const usualPendingSeconds = 60;
const pollMilliseconds = 2_000;

/**
 * Releases a lock of ours. Asked again for a while where the server says that a version is pending, or where the answer was lost.
 * @throws StatecraftError that says who holds what and how to release it
 */
export async function releaseLock(
    { cleanUp: context }: RequestContext,
    workspaceId: string,
    marks: Marks,
): Promise<void> {
    // Whoever locks it next may do so before we have learned that it was free.
    const isReleased = async (lock: Lock) => !lock.locked || isAnothers(context, lock, marks);
    let tries = 0;
    let last: { readonly now: Lock | undefined; readonly error: unknown } | undefined;
    const wait = {
        for: "the workspace to be unlocked",
        limit: context.waitLimit(undefined, usualPendingSeconds),
        // A service in trouble is not asked that often.
        interval: () => (isPending(last?.error) ? pollMilliseconds : pollMilliseconds * 2 ** (tries - 1)),
        now: () => (isPending(last?.error) ? "a version is still pending" : "the answer was lost"),
    };
    const released = await context.poll(wait, async () => {
        tries++;
        try {
            const answer = await context.client.call(unlockWorkspace, { parameters: { workspaceId } });
            // An answer that says nothing of the lock, such as an empty one, is checked by a look.
            if (await isReleased(lockIn(answer) ?? (await readLock(context, workspaceId)))) return true;
            const operationName = `POST ${unlockWorkspace.path({ workspaceId })}`;
            throw new AnswerError({ service: stateVersions.title, operation: operationName }, "the lock is still held");
        } catch (error) {
            const now = await readLock(context, workspaceId).catch(() => undefined);
            if (now && (await isReleased(now).catch(() => false))) return true;
            // What shows other words than ours may be another one by now.
            const mayRepeat = isLostAnswer(error) && !(now && hasOtherWords(now, marks));
            if (!isPending(error) && !mayRepeat) throw stuck(workspaceId, now, error);
            last = { now, error };
            return undefined;
        }
    });
    if (released === undefined) throw stuck(workspaceId, last?.now, last?.error);
}

/** Servers say it with different statuses. */
function isPending(error: unknown): boolean {
    return (
        error instanceof ServiceError &&
        [400, 409, 503].includes(error.status) &&
        error.reasons.some((reason) => /pending/i.test(reason))
    );
}

function stuck(workspaceId: string, lock: Lock | undefined, failure: unknown): unknown {
    if (!(failure instanceof StatecraftError)) return failure;
    return reworded(failure, {
        code: "still-locked",
        message: `the workspace ${workspaceId} is still ${lock ? describeLock(lock) : "locked"}: ${failure.message}`,
        hint:
            `The next deployment tries to release it again; to do it by hand, POST ${unlockWorkspace.path({ workspaceId })} with the same token, or, ` +
            `while a version waits for its content, POST ${forceUnlockPath(workspaceId)} as an administrator`,
    });
}

/** Tells of a lock that an earlier run was asked to keep, as long as it may still be there. Nobody asked to release it. */
export async function warnOfKeptLock(context: RequestContext, workspaceId: string, marks: Marks): Promise<void> {
    const lock = await readLock(context, workspaceId).catch(() => undefined);
    const mayBeThere = lock === undefined || (lock.locked && !hasOtherWords(lock, marks));
    if (!mayBeThere) return;
    context.warn(
        `keepLocked: the lock that was kept before stays for now, because a change of this option releases nothing: \`pulumi refresh\` and then \`pulumi up\` do, or \`pulumi destroy\`, unless \`lock\` is \`false\`; to release it by hand, POST ${unlockWorkspace.path({ workspaceId })} with the same token`,
    );
}

const mayBeLeft = (lock: Lock, owner: Owner, marks: Marks) =>
    owner === "namesake" || (owner === "unknown" && !hasOtherWords(lock, marks));

/** Whether a run of this resource that broke off has left its lock. Warns of one that may be its, where that cannot be told. */
export async function isLockLeft(context: RequestContext, workspaceId: string, marks: Marks): Promise<boolean> {
    const lock = await readLock(context, workspaceId);
    const owner = await ownerOf(context, lock, marks);
    if (mayBeLeft(lock, owner, marks)) context.warn(asParagraph(held(workspaceId, lock, owner)));
    return owner === "us";
}

/**
 * Warns of a lock that a run of this package has taken, for a resource that takes none (any more) and so releases none: nobody else will.
 * What was looked up before is not looked up again.
 */
export async function warnOfForgottenLock(context: RequestContext, workspaceId: string, seen?: Lock): Promise<void> {
    const lock = seen ?? (await readLock(context, workspaceId).catch(() => undefined));
    if (!lock?.locked || !isMarkedAtAll(lock)) return;
    context.warn(
        `the workspace ${workspaceId} stays ${describeLock(lock)}: a run with \`lock\` has kept that lock or broke off, and with \`lock: false\` nothing releases it; ` +
            `if nobody works under it, POST ${unlockWorkspace.path({ workspaceId })} with the token that took it`,
    );
}

/**
 * Releases the lock that an earlier run of this resource may have left, and tells how it was found. A lock of somebody else stays.
 * @param unsure what to do about a lock that may be either's, or cannot be looked at; by default the problem is thrown
 */
export async function releaseLeftLock(
    context: RequestContext,
    workspaceId: string,
    marks: Marks,
    unsure = (problem: unknown): void => {
        throw problem;
    },
): Promise<Lock | undefined> {
    const lock = await readLock(context, workspaceId).catch(unsure);
    if (!lock) return undefined;
    const owner = await ownerOf(context, lock, marks);
    if (owner === "us") await releaseLock(context, workspaceId, marks);
    else if (mayBeLeft(lock, owner, marks)) unsure(held(workspaceId, lock, owner));
    return owner === "us" ? lock : undefined;
}

/**
 * Releases the lock that an earlier run took and could not release.
 * @throws StatecraftError also where a lock is there that may be it, because the server altered its reason
 */
export async function releaseOwnLock(context: RequestContext, workspaceId: string, marks: Marks): Promise<void> {
    const lock = await readLock(context, workspaceId);
    const owner = await ownerOf(context, lock, marks);
    if (owner === "us") await releaseLock(context, workspaceId, marks);
    else if (owner !== "nobody" && owner !== "another") throw held(workspaceId, lock, "unknown");
}
