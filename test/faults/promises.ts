/** Returns the endings that docs/reliability.md allows for a fault at a request. */

import { patternOf, prefixes } from "../support/endpoints";
import { endpoints } from "../support/resource-facts";
import type { Fault } from "./faults";
import type { Passed } from "./proxy";
import { type Cell, isRead } from "./verbs";

/**
 * The possible endings of a cell:
 * - `unnoticed`: the verb succeeded.
 * - `finished by the next command`: the verb failed, and the next command completed it.
 * - `adopted`: the next command refused an existing object that is not in state, and adopted it with `adopt: true`.
 * - `accepted`: the service gave a false answer that no read contradicted.
 */
export const endings = ["unnoticed", "finished by the next command", "adopted", "accepted"] as const;
export type Ending = (typeof endings)[number];

/**
 * The next step of the client after a lost answer:
 * - `repeated`: the request is idempotent and is repeated.
 * - `looked up`: the request is repeated only if the service certainly did nothing; else a read shows the effect.
 * - `in the dark`: the request is repeated only if the service certainly did nothing, and no read shows the effect.
 */
export const kinds = ["read", "repeated", "looked up", "in the dark"] as const;
export type Kind = (typeof kinds)[number];

const repeatable = endpoints.filter(({ isRepeatable }) => isRepeatable).map(patternOf);
/** Requests whose effect no read shows: a rotation, a permanent deletion, and a new version before its upload. */
const inTheDark = /\/(rotate-root|permanently_delete_backing_data)$|^POST \S+\/state-versions$/;

/** Whether the client may repeat a request. The paths in messages lack the prefix `/api/v2`. */
const isRepeated = ({ method, path }: Passed) =>
    method === "DELETE" ||
    ["", prefixes["State Versions"]].some((prefix) =>
        repeatable.some((pattern) => pattern.test(`${method} ${prefix}${path}`)),
    );

export function kindOf(request: Passed): Kind {
    if (isRead(request)) return "read";
    if (inTheDark.test(`${request.method} ${request.path}`)) return "in the dark";
    return isRepeated(request) ? "repeated" : "looked up";
}

/** Whether the client may send a request again after a fault. */
export function mayRepeat(request: Passed, { tells }: Fault): boolean {
    return tells === "untouched" || isRead(request) || isRepeated(request);
}

/** Returns the allowed endings of a cell. */
export function promised(cell: Cell): readonly Ending[] {
    const { fault, target, once, subject, verb } = cell;
    const { tells, harm } = fault;
    const acted = "acted" in harm && harm.acted;
    const isSeen = kindOf(target) === "looked up" && acted && !(subject.hidesEdit && verb.name === "update");
    const passes = tells === "untouched" || (tells === "nothing" && (mayRepeat(target, fault) || isSeen));
    if (tells === "all" || verb.neverFails || (once && passes)) return ["unnoticed"];
    // If a service acts but answers with an error, the new object is not in state.
    const isHidden = verb.found !== undefined || fault.believable || (tells === "refusal" && acted);
    return endings.filter(
        (ending) => (ending !== "accepted" || fault.believable) && (ending !== "adopted" || isHidden),
    );
}
