/** What state says of a rollback, and what that makes of the version that is current now. */

import { isDeepStrictEqual } from "node:util";
import { unfinishedSteps } from "../../core/definition";
import type { Props } from "../../core/field";
import type { StateVersion } from "./records";

/** Where the last deployment left the workspace; empty texts where that is unknown. */
export interface Standing {
    readonly currentStateVersionId: string;
    readonly previousStateVersionId: string;
    readonly rolledBackFrom: string;
}

/** Reads it from state. */
export function standing(state: Props): Standing {
    const word = (name: string) => (typeof state[name] === "string" ? state[name] : "");
    return {
        currentStateVersionId: word("currentStateVersionId"),
        previousStateVersionId: word("previousStateVersionId"),
        rolledBackFrom: word("rolledBackFrom"),
    };
}

/** Whether it is open if the last rollback was done. */
export const isOpen = (state: Props) => unfinishedSteps(state).includes("rollback");

/** Whether this resource has made a version that is found with the wanted content, perhaps by a request whose answer was lost. */
export function isOwn(wantedId: string, olds: Props, current: StateVersion): boolean {
    const { previousStateVersionId, currentStateVersionId, rolledBackFrom } = standing(olds);
    if (isOpen(olds) && current.id !== rolledBackFrom) return true;
    if (isOpen(olds) && previousStateVersionId === rolledBackFrom) return false;
    // A copy of just what is wanted is what a killed run leaves.
    return current.id === currentStateVersionId || current.copyOf === wantedId;
}

/** What was current before this resource's first rollback; the one that is due may be that. */
export function firstPrevious(olds: Props, current: StateVersion): string {
    const { previousStateVersionId, rolledBackFrom } = standing(olds);
    const isDone = current.id !== rolledBackFrom && current.copyOf === olds["stateVersionId"];
    // A first one that broke off without effect was none.
    if (isOpen(olds) && previousStateVersionId === rolledBackFrom && !isDone) return current.id;
    return previousStateVersionId || current.id;
}

/**
 * Whether what this resource made current shall be made anew: for changed triggers, also where the run that should have done so broke off.
 * A version that is not known here may be what a killed run has made for them, so that it is compared like any other.
 */
export function isAskedAgain(news: Props, olds: Props, current: StateVersion): boolean {
    if (current.id !== olds["currentStateVersionId"]) return false;
    if (!isDeepStrictEqual(news["triggers"] ?? [], olds["triggers"] ?? [])) return true;
    return isOpen(olds) && news["stateVersionId"] === olds["stateVersionId"];
}
