/** What is done under a workspace's lock, how its resource wants the lock, and what the service's refusals of it mean. */

import type { RequestContext } from "../../core/request-context";
import { unfinishedSteps } from "../../core/resource";
import { ConflictError, NotFoundError, reworded, ServiceError } from "../../errors";
import { absentOrDenied, changedMeanwhile } from "./failures";
import { isMarked, type Marks, readLock } from "./lock-owner";
import { lockHint } from "./lock-problems";

/** An action that needs the lock. */
export interface LockedAction {
    /** What messages call it: `a rollback`. */
    readonly noun: string;
    /** The reason of the lock, where the user gives none. */
    readonly reason: string;
    /** What to look at when the service says that the request is malformed. */
    readonly malformed: string;
}

/** The inputs of a resource that concern the lock. */
export interface LockInputs {
    readonly workspaceId: string;
    readonly lock?: boolean | { reason?: string | undefined } | undefined;
    readonly keepLocked?: boolean | undefined;
    readonly lockMark?: string | undefined;
}

/** How a resource wants the lock. */
export interface LockOptions extends LockInputs {
    readonly marks: Marks;
    /** What the last deployment left to do. */
    readonly unfinished: readonly string[];
}

/** Whether state says that the last deployment could not release its lock. */
export const isRecorded = ({ unfinished }: LockOptions) => unfinished.includes("unlock");

/** The options of a resource, which may have been deployed under another name before. One whose class gives no mark has a plain one. */
export function lockOptions(
    { workspaceId, lock, keepLocked, lockMark }: LockInputs,
    state: { readonly lockMark?: string | undefined; readonly unfinished?: readonly string[] | undefined } = {},
): LockOptions {
    const mark = lockMark ?? "[statecraft]";
    const marks: Marks = state.lockMark === undefined ? [mark] : [mark, state.lockMark];
    return { workspaceId, lock, keepLocked, lockMark, marks, unfinished: unfinishedSteps(state) };
}

/** Throws a failure on, with what to do next where the service has refused the action: for `catch`. */
export function explained(context: RequestContext, options: LockOptions, action: LockedAction) {
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
        const isOurs = lock?.locked === true && isMarked(lock, options.marks);
        return lockHint(lock, action.noun, isOurs, options.lock === false);
    }
    if (error.status === 412) return changedMeanwhile();
    return error.status === 422 ? action.malformed : undefined;
}
