/**
 * What state says of a rollback, and what that makes of the version that is current now.
 *
 * | the last run    | current is                  | so                                                             |
 * | --------------- | --------------------------- | -------------------------------------------------------------- |
 * | rolled back     | what it made                | the chain goes on: what was current before it stays remembered |
 * | rolled back     | another                     | superseded: a rollback from there begins another chain         |
 * | lost its answer | what it rolled back from    | it did nothing: all is as it was before                        |
 * | lost its answer | a copy of what it asked for | it made that                                                   |
 * | lost its answer | another                     | superseded                                                     |
 *
 * A run that was killed left nothing in state, but perhaps its lock: what its account made, and is found under that lock with the wanted
 * content, is its work.
 */

import { isDeepStrictEqual } from "node:util";
import { unfinishedSteps } from "../../core/resource";
import type { Lock } from "./lock-owner";
import type { StateVersion } from "./records";

/** Where the last deployment left the workspace; empty texts where that is unknown. */
export interface Standing {
    /** What it made current, or found current. */
    readonly currentStateVersionId: string;
    /** What was current before its latest unbroken chain of rollbacks; empty where it made none. */
    readonly previousStateVersionId: string;
    /** What was current before its last rollback, or before the one whose answer was lost. */
    readonly rolledBackFrom: string;
}

/** What state says of a rollback. */
export type Past = Partial<Standing> & {
    readonly stateVersionId?: string;
    readonly triggers?: readonly unknown[] | undefined;
    readonly unfinished?: readonly string[] | undefined;
};

/** Reads it from state. */
export function written({
    currentStateVersionId = "",
    previousStateVersionId = "",
    rolledBackFrom = "",
}: Past): Standing {
    return { currentStateVersionId, previousStateVersionId, rolledBackFrom };
}

/** Whether it is open if the last rollback was done. */
export const isOpen = (state: Past) => unfinishedSteps(state).includes("rollback");

/** What state says in the light of what is current. `content` is the id of a version that is known to have the same content. */
export function standing(state: Past, current: StateVersion, content?: string): Standing {
    const past = written(state);
    const isDone =
        (current.rollbackStateVersionId ?? content) === state.stateVersionId && current.id !== past.rolledBackFrom;
    if (!isOpen(state) || !isDone) return past;
    return { ...chained(past, past.rolledBackFrom), currentStateVersionId: current.id };
}

/** What a rollback from this version leaves in state of what was before it. */
export function chained(past: Standing, from: string): Omit<Standing, "currentStateVersionId"> {
    const goesOn = past.previousStateVersionId !== "" && past.currentStateVersionId === from;
    return { previousStateVersionId: goesOn ? past.previousStateVersionId : from, rolledBackFrom: from };
}

/** Whether this resource has made what is current. */
export function isOwn(past: Standing, { id }: StateVersion): boolean {
    const { currentStateVersionId, previousStateVersionId } = past;
    return id === currentStateVersionId && previousStateVersionId !== "" && previousStateVersionId !== id;
}

/** Whether a run that was killed has made what is found with the wanted content under the lock that it left. */
export function isOfDeadRun(left: Lock | undefined, { createdById }: StateVersion): boolean {
    return left !== undefined && (createdById === undefined || createdById === left.by?.id);
}

/** Whether to roll back whatever the content is: for changed triggers, also where the run that should have done so broke off without effect. */
export function isAskedAgain(news: Past, olds: Past, current: StateVersion): boolean {
    const { currentStateVersionId, rolledBackFrom } = written(olds);
    if (currentStateVersionId === "") return false;
    if (!isDeepStrictEqual(news.triggers ?? [], olds.triggers ?? [])) return true;
    return isOpen(olds) && current.id === rolledBackFrom && news.stateVersionId === olds.stateVersionId;
}
