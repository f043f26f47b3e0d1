/**
 * The lock of a workspace: taken, marked, and released by whoever took it, also after a failure. Whose a lock is, `lock-owner.ts` tells.
 *
 * An action that needs the lock:
 *
 * | owner      | `lock: true` (default)                | afterwards  | `lock: false`                                            |
 * | ---------- | ------------------------------------- | ----------- | -------------------------------------------------------- |
 * | `nobody`   | takes it                              | releases it | fails                                                    |
 * | `us`       | takes over what a killed run left     | releases it | works under it, warns that nothing releases it           |
 * | `account`  | works under it                        | leaves it   | works under it                                           |
 * | `another`  | fails                                 |             | fails, but works under one of the own account, and warns |
 * | `namesake` | fails: another token may have left it |             | fails                                                    |
 * | `unknown`  | fails                                 |             | works under it: the service decides                      |
 *
 * A stale lock, which an earlier run left, where no action needs the lock (`recoverStaleLock`):
 *
 * | owner               | `unfinished` holds `unlock` | it does not                                |
 * | ------------------- | --------------------------- | ------------------------------------------ |
 * | `us`                | releases it                 | releases it                                |
 * | `account`           | fails                       | leaves it: the user's                      |
 * | `namesake`          | fails                       | fails; a refresh or a plain destroy warns  |
 * | `unknown`           | fails                       | the same, unless it shows a reason         |
 * | `nobody`, `another` | does nothing                | does nothing                               |
 *
 * Nothing is recovered with `keepLocked`, nor with `lock: false` unless `unfinished` holds `unlock`.
 */

import { formatError } from "../../core/format-error";
import { unlessAbsent } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { AnswerError, ConflictError, isLostAnswer, mayHaveActed, ServiceError, StatecraftError } from "../../errors";
import { holdsUnknown } from "../../schema/unknown";
import { isRecorded, type LockOptions } from "./inputs";
import {
    doubtfulLock,
    explainedByLock,
    hasOtherWords,
    type LockedAction,
    lockedByAnother,
    notLocked,
    perhapsLocked,
    staleLock,
    stillLocked,
    unlocking,
    unlockWorkspace,
    warnOfForgottenLock,
} from "./lock-failures";
import { holderOf, ownerOf } from "./lock-owner";
import { type Account, describeLock, type Lock, lockIn, readLock } from "./workspace-records";

const lockWorkspace = operation("POST /workspaces/{workspaceId}/actions/lock");

/** A lock that is held while an action runs. */
export interface HeldLock {
    /** Whether we release it; what the user holds is the user's. */
    readonly isOurs: boolean;
    /** Where a run of this resource that broke off had left it: the ids of its account. */
    readonly stale?: Account | undefined;
}

/**
 * Runs what works on a workspace after all that this process has begun there before: a lock with our mark is stale then. Resources of
 * different types may have one name, and so one mark. Not to be used in what it runs.
 */
export const inTurn = <Result>(context: RequestContext, workspaceId: string, work: () => Promise<Result>) =>
    context.exclusive(`workspace ${workspaceId}`, work);

/**
 * Runs an action while the lock is held, and releases what was taken, also after a failure, which is explained before.
 * @param keeps tells from the result that the lock must stay
 * @returns `unreleased`: why the lock could not be released
 */
export async function withLock<Result>(
    context: RequestContext,
    options: LockOptions,
    action: LockedAction,
    run: (lock: HeldLock) => Promise<Result>,
    keeps: (result: Result) => boolean = () => false,
): Promise<{ result: Result; unreleased: unknown }> {
    const lock = await acquire(context, options, action).catch(explainedByLock(context, options, action));
    const release = async () => (lock.isOurs ? releaseLock(context, options) : undefined);
    // What a refusal means, only the lock tells that was held then.
    const result = await run(lock)
        .catch(explainedByLock(context, options, action))
        .catch(async (error: unknown) => {
            await release().catch((stuck: unknown) => context.warn(formatError(stuck)));
            throw error;
        });
    if (options.keepLocked === true || keeps(result)) return { result, unreleased: undefined };
    const unreleased = await release().catch((stuck: unknown) => stuck);
    return { result, unreleased };
}

/** Says in a preview why an action could not be done under the lock now, as far as a look tells. */
export async function previewLock(context: RequestContext, options: LockOptions, action: LockedAction): Promise<void> {
    if (holdsUnknown(options.lock)) return;
    const { problem } = await look(context, options, action);
    if (problem !== undefined) context.reportBlocker(problem);
}

/** Looks whether the lock can be had; `problem` says why not, and `owner` whose it is where it would be taken. */
async function look(context: RequestContext, options: LockOptions, { noun }: LockedAction) {
    const { workspaceId, marks } = options;
    try {
        const lock = await readLock(context, workspaceId);
        if (options.lock === false) {
            if (!lock.locked) return { lock, owner: undefined, problem: notLocked({ workspace: workspaceId, noun }) };
            const isAnothers = (await holderOf(context, lock)) === "another";
            return { lock, owner: undefined, problem: isAnothers ? lockedByAnother(workspaceId, lock) : undefined };
        }
        const { owner, account } = await ownerOf(context, lock, marks);
        if (owner === "another") return { lock, owner, problem: lockedByAnother(workspaceId, lock) };
        const isDoubtful = owner === "namesake" || owner === "unknown";
        return { lock, owner, account, problem: isDoubtful ? doubtfulLock(workspaceId, lock) : undefined };
    } catch (error) {
        // A server that shows the workspace to nobody but its owners decides for itself later whether `lock: false` is right.
        if (options.lock === false && error instanceof StatecraftError) return { lock: undefined };
        throw error;
    }
}

/**
 * Gets the lock: takes it, takes over a stale one, or works under the account's own. A lock with our mark that our own account holds is stale:
 * Pulumi lets a stack run once at a time, this run works on a workspace in turn, and scripts have another mark each time.
 */
async function acquire(context: RequestContext, options: LockOptions, action: LockedAction): Promise<HeldLock> {
    const { workspaceId } = options;
    const { lock, owner, account, problem } = await look(context, options, action);
    if (problem !== undefined) throw problem;
    if (owner === "us") return { isOurs: true, stale: account };
    if (owner === "nobody") {
        await take(context, options, action);
        return { isOurs: true };
    }
    if (owner === undefined) warnOfForgottenLock(context, options, lock);
    else if (lock !== undefined) {
        context.inform(
            `the workspace ${workspaceId} was ${describeLock(lock)} before, the account of this token, and stays so`,
        );
    }
    return { isOurs: false };
}

/** Cancelled, it is asked for to the end all the same: a lock that was granted must be known, to be released. What follows it is cancelled. */
async function take({ cleanUp: context }: RequestContext, options: LockOptions, action: LockedAction): Promise<void> {
    const { workspaceId, marks } = options;
    const reason = (typeof options.lock === "object" && options.lock.reason) || action.reason;
    const call = { parameters: { workspaceId }, body: { reason: `${reason} ${marks[0]}` } };
    try {
        await context.client.call(lockWorkspace, call);
    } catch (error) {
        const isLost = mayHaveActed(error);
        if (!isLost && !(error instanceof ConflictError)) throw error;
        const now = await readLock(context, workspaceId).catch(() => undefined);
        if (now === undefined && isLost) {
            const request = unlocking(workspaceId);
            throw perhapsLocked.of(error, { failed: error.message, workspace: workspaceId, request });
        }
        if (!now?.locked) throw error;
        const isAnothers = async () => ["another", "namesake"].includes((await ownerOf(context, now, marks)).owner);
        if (!isLost || (await isAnothers())) throw lockedByAnother(workspaceId, now, error);
        // It was seen unlocked just before, and our request was on its way: our mark, or a server that keeps no reasons.
        if (hasOtherWords(now, marks)) throw doubtfulLock(workspaceId, now, error);
    }
}

const usualPendingSeconds = 60;
const pollMilliseconds = 2_000;

/**
 * Releases a lock of ours. Asked again for a while where the server says that a version is pending, or where the answer was lost.
 * @throws StatecraftError that says who holds what and how to release it
 */
async function releaseLock({ cleanUp: context }: RequestContext, { workspaceId, marks }: LockOptions): Promise<void> {
    // Whoever locks it next may do so before we have learned that it was free; with our mark they would not.
    const isReleased = async (lock: Lock) =>
        ["nobody", "another"].includes((await ownerOf(context, lock, marks)).owner);
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
            throw new AnswerError(answer.exchange, "the lock is still held");
        } catch (error) {
            const now = await readLock(context, workspaceId).catch(() => undefined);
            if (now && (await isReleased(now).catch(() => false))) return true;
            // What shows other words than ours may be another one by now.
            const mayRepeat = isLostAnswer(error) && !(now && hasOtherWords(now, marks));
            if (!isPending(error) && !mayRepeat) throw stillLocked(workspaceId, now, error);
            last = { now, error };
            return undefined;
        }
    });
    if (released === undefined) throw stillLocked(workspaceId, last?.now, last?.error);
}

/** Servers say it with different statuses. */
function isPending(error: unknown): boolean {
    return (
        error instanceof ServiceError &&
        [400, 409, 503].includes(error.status) &&
        error.reasons.some((reason) => /pending/i.test(reason))
    );
}

/** Looks for a stale lock: `stale` is the ids of the account that had left it, `problem` says that one may be stale. */
async function findStale(context: RequestContext, options: LockOptions) {
    const { workspaceId, marks } = options;
    const lock = await readLock(context, workspaceId);
    const { owner, account } = await ownerOf(context, lock, marks);
    const isDoubtful =
        owner === "namesake" ||
        (owner === "unknown" && (isRecorded(options) || !hasOtherWords(lock, marks))) ||
        // The server may have altered its reason.
        (owner === "account" && isRecorded(options));
    return {
        stale: owner === "us" ? account : undefined,
        problem: isDoubtful ? doubtfulLock(workspaceId, lock) : undefined,
    };
}

/**
 * Releases a stale lock where no action needs the lock, and tells the ids of the account that had left it.
 * @param onDoubt what to do where the lock may be somebody else's, or cannot be looked at; by default that is thrown
 */
export async function recoverStaleLock(
    context: RequestContext,
    options: LockOptions,
    onDoubt = (problem: unknown): void => {
        throw problem;
    },
): Promise<Account | undefined> {
    if (options.lock === false && !isRecorded(options)) {
        warnOfForgottenLock(context, options, await readLock(context, options.workspaceId).catch(() => undefined));
        return undefined;
    }
    if (options.keepLocked === true) return undefined;
    const found = await findStale(context, options).catch(onDoubt);
    if (found?.problem !== undefined) onDoubt(found.problem);
    if (found?.stale === undefined) return undefined;
    await releaseLock(context, options);
    return found.stale;
}

/** Releases the lock that an earlier run could not release, where state says so. */
export async function releaseRecorded(context: RequestContext, options: LockOptions): Promise<void> {
    if (isRecorded(options)) await recoverStaleLock(context, options);
}

/**
 * What a refresh adds to the state where there is a stale lock: the next deployment has it to release. A workspace that may not be seen
 * shows none; a resource of which only the id is known has left none.
 */
export async function staleLockIn(context: RequestContext, options: LockOptions): Promise<{ unfinished?: string[] }> {
    const { workspaceId, lock, keepLocked, lockMark, unfinished } = options;
    if (isRecorded(options) || lockMark === undefined || lock === false || keepLocked === true) return {};
    const found = await findStale(context, options).catch(unlessAbsent);
    if (found?.problem !== undefined) context.warn(formatError(found.problem));
    if (found?.stale === undefined) return {};
    context.warn(staleLock({ workspace: workspaceId }));
    return { unfinished: [...unfinished, "unlock"] };
}
