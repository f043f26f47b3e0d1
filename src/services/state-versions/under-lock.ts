/** Doing something while a workspace's lock is held, and what the service's refusals of it mean. */

import { unfinishedSteps } from "../../core/definition";
import { isRecord } from "../../core/engine-values";
import type { Props } from "../../core/field";
import { asParagraph } from "../../core/paragraph";
import type { Session } from "../../core/session";
import { ConflictError, NotFoundError, reworded, ServiceError, type StatecraftError } from "../../errors";
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
export function afterDeployment<Wishes extends LockWishes>(wishes: Wishes, { lockMark }: Props): Wishes {
    return typeof lockMark === "string" ? { ...wishes, formerLockMark: lockMark } : wishes;
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
    session: Session,
    wishes: LockWishes,
    deed: Deed,
    act: (lock: HeldLock) => Promise<Result>,
    keeps: (result: Result) => boolean = () => false,
): Promise<{ result: Result; isOurs: boolean; unreleased: unknown }> {
    const { workspaceId } = wishes;
    const lock = await acquire(session, wishes, deed).catch(async (error: unknown) => {
        throw await explain(session, wishes, error, deed);
    });
    const { isOurs } = lock;
    const release = async () => {
        if (isOurs) await releaseLock(session, workspaceId, marksOf(wishes));
    };
    let result: Result;
    try {
        result = await act(lock);
    } catch (error) {
        // What a refusal means, only the lock tells that was held then.
        const told = await explain(session, wishes, error, deed);
        await release().catch((stuck: unknown) => session.warn(asParagraph(stuck)));
        throw told;
    }
    if (wishes.keepLocked === true || keeps(result)) return { result, isOurs, unreleased: undefined };
    const unreleased = await release().then(
        () => undefined,
        (stuck: unknown) => stuck,
    );
    return { result, isOurs, unreleased };
}

function acquire(session: Session, wishes: LockWishes, deed: Deed): Promise<HeldLock> {
    const { workspaceId, lock } = wishes;
    if (lock === false) return useLock(session, workspaceId, deed.noun);
    const reason = (isRecord(lock) && lock.reason) || deed.reason;
    return takeLock(session, workspaceId, reason, marksOf(wishes));
}

/** Why something could not be done under the lock now, as far as a look tells. */
export async function hindrance(
    session: Session,
    wishes: LockWishes,
    deed: Deed,
): Promise<StatecraftError | undefined> {
    const { workspaceId, lock } = wishes;
    const look =
        lock === false ? lookToUse(session, workspaceId, deed.noun) : lookToTake(session, workspaceId, marksOf(wishes));
    return (await look).problem;
}

/** Releases the lock that an earlier run took and could not release, as its state says. */
export function releaseOwn(session: Session, wishes: LockWishes): Promise<void> {
    return releaseOwnLock(session, wishes.workspaceId, marksOf(wishes));
}

/**
 * Releases the lock that a broken-off run of this resource may have left, and tells how it was found. What cannot be told for certain
 * is told to `unsure`, else thrown.
 */
export async function releaseLeft(
    session: Session,
    wishes: LockWishes,
    unsure?: (problem: unknown) => void,
): Promise<Lock | undefined> {
    if (!takesForATime(wishes)) return undefined;
    return releaseLeftLock(session, wishes.workspaceId, marksOf(wishes), unsure);
}

/** Ends the lock that a broken-off run of this resource left, where there is nothing to do that needs a lock. Tells how it was found. */
export async function settleLeft(session: Session, wishes: LockWishes): Promise<Lock | undefined> {
    if (wishes.lock !== false) return releaseLeft(session, wishes);
    await warnOfForgottenLock(session, wishes.workspaceId);
    return undefined;
}

/**
 * What a refresh adds to the outputs where a broken-off run of this resource has left its lock: the next `pulumi up` has it to release.
 * A workspace that may not be seen shows none; a resource of which only the id is known has left none.
 */
export async function leftIn(session: Session, wishes: LockWishes, outputs: Props): Promise<Props> {
    const steps = unfinishedSteps(outputs);
    if (steps.includes("unlock") || wishes.lockMark === undefined || !takesForATime(wishes)) return {};
    const { workspaceId } = wishes;
    const isLeft = await isLockLeft(session, workspaceId, marksOf(wishes)).catch((error: unknown) => {
        if (error instanceof NotFoundError) return false;
        throw error;
    });
    if (!isLeft) return {};
    session.warn(
        `an earlier run has left the workspace ${workspaceId} locked; the next \`pulumi up\` or \`pulumi destroy\` releases it`,
    );
    return { unfinished: [...steps, "unlock"] };
}

const takesForATime = ({ lock, keepLocked }: LockWishes) => lock !== false && keepLocked !== true;

/** Adds what to do next to a failure of the service. */
export async function explain(session: Session, wishes: LockWishes, error: unknown, deed: Deed): Promise<unknown> {
    if (!(error instanceof ServiceError)) return error;
    const hint = await hintFor(session, wishes, error, deed);
    return hint === undefined ? error : reworded(error, { hint });
}

async function hintFor(session: Session, wishes: LockWishes, error: ServiceError, deed: Deed) {
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
    if (error instanceof ConflictError && error.status === 409) return lockHint(session, wishes, deed);
    if (error.status === 412) return "The workspace changed meanwhile: run `pulumi up` again";
    return error.status === 422 ? deed.malformed : undefined;
}

/** What the lock has to do with a conflict. */
async function lockHint(session: Session, wishes: LockWishes, deed: Deed): Promise<string> {
    const lock = await readLock(session, wishes.workspaceId).catch(() => undefined);
    const need = `${deed.noun} needs its lock, held by the same account`;
    if (lock === undefined) return `The workspace is probably not locked by this token's account: ${need}`;
    if (lock.locked && isMarked(lock, marksOf(wishes))) {
        return `The workspace is ${describeLock(lock)}, as it should: what hinders ${deed.noun}, the service's own words tell`;
    }
    const next = wishes.lock === false ? "`lock: true` takes it" : "run `pulumi up` again";
    return `The workspace is ${describeLock(lock)}: ${need}; ${next}`;
}
