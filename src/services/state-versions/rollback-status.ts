/**
 * What state keeps of a rollback: where the last deployment left the workspace, and a record of the last attempt where that is not known to
 * have succeeded. With the version that is current now, they tell what became of it.
 *
 * | `attempt`   | current is              | so                                | a rollback from there        |
 * | ----------- | ----------------------- | --------------------------------- | ---------------------------- |
 * | none        | what was found          | this resource has made nothing    | begins a chain               |
 * | none        | what was made           | it is this resource's             | goes on with the chain       |
 * | is open     | `from`                  | the attempt did nothing           | goes on if `from` is its own |
 * | is open     | a copy of `target`      | the attempt made it               | goes on with the chain       |
 * | is `undone` | a copy of `target`      | somebody else made it: superseded | begins a chain               |
 * | any         | another                 | somebody else made it: superseded | begins a chain               |
 *
 * A chain is this resource's rollbacks between which nobody else made a version. `previousStateVersionId` is what was current before it;
 * empty where `currentStateVersionId` was found and not made. A run that was killed left nothing in state, but perhaps its lock: what its
 * account made, and is found under that lock with the wanted content, is its work.
 */

import { isDeepStrictEqual } from "node:util";
import type { StateVersion } from "./records";
import type { Account } from "./workspace-records";

/** A rollback that was requested, and is not known to be done. */
export interface Attempt {
    /** The version that was current. */
    readonly from: string;
    /** The version to roll back to. */
    readonly target: string;
    /** A look showed that it had made nothing. Without this, the attempt is open. */
    readonly undone?: boolean | undefined;
}

/** Where the last deployment left the workspace; empty strings where that is unknown. */
export interface RollbackStatus {
    readonly currentStateVersionId: string;
    readonly previousStateVersionId: string;
    readonly rolledBackFrom: string;
    readonly attempt?: Attempt | undefined;
}

/** The inputs and outputs that tell of a rollback. */
export type RollbackState = Partial<RollbackStatus> & {
    readonly stateVersionId?: string;
    readonly triggers?: readonly unknown[] | undefined;
    readonly unfinished?: readonly string[] | undefined;
};

/** The status that a state holds. */
export function statusIn({
    currentStateVersionId = "",
    previousStateVersionId = "",
    rolledBackFrom = "",
    attempt,
}: RollbackState): RollbackStatus {
    return { currentStateVersionId, previousStateVersionId, rolledBackFrom, attempt };
}

/** Whether nobody knows what became of the last attempt. */
export const isOpen = ({ attempt }: RollbackState) => attempt !== undefined && attempt.undone !== true;

/** The status in the light of what is current: an open attempt may have made it. `content` is the id of a version of equal content, if one is known. */
export function statusAt(state: RollbackState, current: StateVersion, content?: string): RollbackStatus {
    const status = statusIn(state);
    const { attempt } = status;
    if (attempt === undefined || !isOpen(status) || current.id === attempt.from) return status;
    return (current.rollbackStateVersionId ?? content) === attempt.target
        ? statusAfter(status, attempt.from, current.id)
        : status;
}

/** The status after a rollback from one version made another. */
export function statusAfter(before: RollbackStatus, from: string, made: string): RollbackStatus {
    return {
        currentStateVersionId: made,
        previousStateVersionId: isOwn(before, { id: from }) ? before.previousStateVersionId : from,
        rolledBackFrom: from,
    };
}

/** Whether this resource has made a version, and nobody knows of a later one. */
export function isOwn(status: RollbackStatus, { id }: { readonly id: string }): boolean {
    return status.previousStateVersionId !== "" && status.currentStateVersionId === id;
}

/** Whether a run that was killed has made what is found with the wanted content under the stale lock, which this account had left. */
export function isOfKilledRun(stale: Account | undefined, { createdById }: StateVersion): boolean {
    return stale !== undefined && (createdById === undefined || stale.includes(createdById));
}

/** Whether to roll back whatever the content is: for changed triggers, also where the attempt to do so had no effect. */
export function isAskedAgain(news: RollbackState, olds: RollbackState, current: StateVersion): boolean {
    const { currentStateVersionId, attempt } = statusIn(olds);
    if (currentStateVersionId === "") return false;
    if (!isDeepStrictEqual(news.triggers ?? [], olds.triggers ?? [])) return true;
    return current.id === attempt?.from && news.stateVersionId === attempt.target;
}
