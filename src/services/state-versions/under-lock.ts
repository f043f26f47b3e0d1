/** Doing something while a workspace's lock is held, and what the service's refusals of it mean. */

import { asParagraph } from "../../core/paragraph";
import type { RequestContext } from "../../core/request-context";
import { unfinishedSteps } from "../../core/resource";
import { ConflictError, NotFoundError, reworded, ServiceError, type StatecraftError } from "../../errors";
import type { Values } from "../../schema/facts";
import { describeLock, isMarked, type Lock, type Marks, readLock } from "./lock-owner";
import {
    type HeldLock,
    isLockLeft,
    lookToTake,
    lookToUse,
    releaseLeftLock,
    releaseLock,
    releaseOwnLock,
    takeLock,
    useLock,
    warnOfForgottenLock,
} from "./workspace-lock";

/** What is done under a lock. */
export interface Deed {
    /** How messages call it: `a rollback`. */
    readonly noun: string;
    /** What a lock that we take says of it, where the user says nothing else. */
    readonly reason: string;
    /** What to look at when the service takes the request for malformed. */
    readonly malformed: string;
}

/** What a resource's inputs say of locks. */
export interface LockWishes {
    readonly workspaceId: string;
    readonly lock?: boolean | { reason?: string | undefined } | undefined;
    readonly keepLocked?: boolean | undefined;
    readonly lockMark?: string | undefined;
    /** The mark of the last deployment, from state: another one after a resource or its stack was renamed. */
    readonly formerLockMark?: string | undefined;
}

/** The wishes of a resource that was deployed before, perhaps under another name. */
export function afterDeployment<Wishes extends LockWishes>(
    wishes: Wishes,
    { lockMark }: Pick<LockWishes, "lockMark">,
): Wishes {
    return lockMark === undefined ? wishes : { ...wishes, formerLockMark: lockMark };
}

/** The marks of a resource; one whose class told none has a plain one. */
export function marksOf({ lockMark, formerLockMark }: LockWishes): Marks {
    const mark = lockMark ?? formerLockMark ?? "[statecraft]";
    return formerLockMark === undefined || formerLockMark === mark ? [mark] : [mark, formerLockMark];
}

/**
 * Holds the lock while something is done, and releases what was taken, also after a failure, which is explained before.
 * `keeps` tells from the result that the lock must stay; `isOurs`, that it is one to be released.
 */
export async function underLock<Result>(
    context: RequestContext,
    wishes: LockWishes,
    deed: Deed,
    act: (lock: HeldLock) => Promise<Result>,
    keeps: (result: Result) => boolean = () => false,
): Promise<{ result: Result; isOurs: boolean; unreleased: unknown }> {
    const { workspaceId } = wishes;
    const lock = await acquire(context, wishes, deed).catch(async (error: unknown) => {
        throw await explain(context, wishes, error, deed);
    });
    const { isOurs } = lock;
    const release = async () => {
        if (isOurs) await releaseLock(context, workspaceId, marksOf(wishes));
    };
    let result: Result;
    try {
        result = await act(lock);
    } catch (error) {
        // What a refusal means, only the lock tells that was held then.
        const told = await explain(context, wishes, error, deed);
        await release().catch((stuck: unknown) => context.warn(asParagraph(stuck)));
        throw told;
    }
    if (wishes.keepLocked === true || keeps(result)) return { result, isOurs, unreleased: undefined };
    const unreleased = await release().then(
        () => undefined,
        (stuck: unknown) => stuck,
    );
    return { result, isOurs, unreleased };
}

function acquire(context: RequestContext, wishes: LockWishes, deed: Deed): Promise<HeldLock> {
    const { workspaceId, lock } = wishes;
    if (lock === false) return useLock(context, workspaceId, deed.noun);
    const reason = (typeof lock === "object" && lock.reason) || deed.reason;
    return takeLock(context, workspaceId, reason, marksOf(wishes));
}

/** Why something could not be done under the lock now, as far as a look tells. */
export async function hindrance(
    context: RequestContext,
    wishes: LockWishes,
    deed: Deed,
): Promise<StatecraftError | undefined> {
    const { workspaceId, lock } = wishes;
    const look =
        lock === false ? lookToUse(context, workspaceId, deed.noun) : lookToTake(context, workspaceId, marksOf(wishes));
    return (await look).problem;
}

/** Releases the lock that an earlier run took and could not release, as its state says. */
export function releaseOwn(context: RequestContext, wishes: LockWishes): Promise<void> {
    return releaseOwnLock(context, wishes.workspaceId, marksOf(wishes));
}

/**
 * Releases the lock that a broken-off run of this resource may have left, and tells how it was found. What cannot be told for certain
 * is told to `unsure`, else thrown.
 */
export async function releaseLeft(
    context: RequestContext,
    wishes: LockWishes,
    unsure?: (problem: unknown) => void,
): Promise<Lock | undefined> {
    if (!takesForATime(wishes)) return undefined;
    return releaseLeftLock(context, wishes.workspaceId, marksOf(wishes), unsure);
}

/** Ends the lock that a broken-off run of this resource left, where there is nothing to do that needs a lock. Tells how it was found. */
export async function settleLeft(context: RequestContext, wishes: LockWishes): Promise<Lock | undefined> {
    if (wishes.lock !== false) return releaseLeft(context, wishes);
    await warnOfForgottenLock(context, wishes.workspaceId);
    return undefined;
}

/**
 * What a refresh adds to the state where a broken-off run of this resource has left its lock: the next deployment has it to release.
 * A workspace that may not be seen shows none; a resource of which only the id is known has left none.
 */
export async function leftIn(
    context: RequestContext,
    wishes: LockWishes,
    state: Values,
): Promise<{ unfinished?: string[] }> {
    const steps = unfinishedSteps(state);
    if (steps.includes("unlock") || wishes.lockMark === undefined || !takesForATime(wishes)) return {};
    const { workspaceId } = wishes;
    const isLeft = await isLockLeft(context, workspaceId, marksOf(wishes)).catch((error: unknown) => {
        if (error instanceof NotFoundError) return false;
        throw error;
    });
    if (!isLeft) return {};
    context.warn(
        `an earlier run has left the workspace ${workspaceId} locked; the next \`pulumi up\` or \`pulumi destroy\` releases it`,
    );
    return { unfinished: [...steps, "unlock"] };
}

const takesForATime = ({ lock, keepLocked }: LockWishes) => lock !== false && keepLocked !== true;

/** Adds what to do next to a failure of the service. */
export async function explain(
    context: RequestContext,
    wishes: LockWishes,
    error: unknown,
    deed: Deed,
): Promise<unknown> {
    if (!(error instanceof ServiceError)) return error;
    const hint = await hintFor(context, wishes, error, deed);
    return hint === undefined ? error : reworded(error, { hint });
}

async function hintFor(context: RequestContext, wishes: LockWishes, error: ServiceError, deed: Deed) {
    const what = deed.noun.charAt(0).toUpperCase() + deed.noun.slice(1);
    if (error instanceof NotFoundError) {
        return (
            `Either it does not exist, or the token may not use it: the service answers both alike. ${what} needs a user or team ` +
            "token with permission to read and write state versions of the workspace; organization tokens cannot do it"
        );
    }
    // Which of the two it is, only the server's words tell.
    if (error instanceof ConflictError && error.reasons.some((reason) => /serial|lineage|md5/i.test(reason))) {
        return deed.malformed;
    }
    if (error instanceof ConflictError && error.status === 409) return lockHint(context, wishes, deed);
    if (error.status === 412) return "The workspace changed meanwhile: run `pulumi up` again";
    return error.status === 422 ? deed.malformed : undefined;
}

/** What the lock has to do with a conflict. */
async function lockHint(context: RequestContext, wishes: LockWishes, deed: Deed): Promise<string> {
    const lock = await readLock(context, wishes.workspaceId).catch(() => undefined);
    const need = `${deed.noun} needs its lock, held by the same account`;
    if (lock === undefined) return `The workspace is probably not locked by this token's account: ${need}`;
    if (lock.locked && isMarked(lock, marksOf(wishes))) {
        return `The workspace is ${describeLock(lock)}, as it should: what hinders ${deed.noun}, the service's own words tell`;
    }
    const next = wishes.lock === false ? "`lock: true` takes it" : "run `pulumi up` again";
    return `The workspace is ${describeLock(lock)}: ${need}; ${next}`;
}
