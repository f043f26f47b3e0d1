/** The promises for each request under each fault (docs/reliability.md), as the endings that a cell may have. */

import { patternOf, prefixes } from "../support/endpoints";
import { endpoints } from "../support/resource-facts";
import type { Fault } from "./faults";
import type { Passed } from "./proxy";
import { type Cell, isRead } from "./verbs";

/**
 * How a cell may end:
 * - `unnoticed`: the verb succeeded.
 * - `finished by the next command`: the verb failed, and the next command completed it.
 * - `adopted`: the next command found an object of unknown origin, and adopted it with `adopt: true`.
 * - `accepted`: the service gave a false answer that nothing contradicted.
 */
export const endings = ["unnoticed", "finished by the next command", "adopted", "accepted"] as const;
export type Ending = (typeof endings)[number];

/**
 * What follows a lost answer.
 * - `repeated`: the request is idempotent and is repeated.
 * - `looked up`: the request is repeated only if the service did nothing for certain; else a read shows the effect.
 * - `in the dark`: the same, but no read shows the effect.
 */
export const kinds = ["read", "repeated", "looked up", "in the dark"] as const;
export type Kind = (typeof kinds)[number];

const repeatable = endpoints.filter(({ isRepeatable }) => isRepeatable).map(patternOf);
/** A rotated secret, deleted backing data, and a version without content cannot be read. */
const inTheDark = /\/(rotate-root|permanently_delete_backing_data)$|^POST \S+\/state-versions$/;

/** Messages leave out the prefix of state versions. */
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

/** Whether a request may be sent again after this. */
export function mayRepeat(request: Passed, { tells }: Fault): boolean {
    return tells === "untouched" || isRead(request) || isRepeated(request);
}

/** The endings that keep the promises. */
export function promised(cell: Cell): readonly Ending[] {
    const { fault, target, once, subject, verb } = cell;
    const { tells, harm } = fault;
    const acted = "acted" in harm && harm.acted;
    const isSeen = kindOf(target) === "looked up" && acted && !(subject.hidesEdit && verb.name === "update");
    const passes = tells === "untouched" || (tells === "nothing" && (mayRepeat(target, fault) || isSeen));
    if (tells === "all" || verb.neverFails || (once && passes)) return ["unnoticed"];
    // A service that acted but denies it may hold an object that is not in state.
    const isHidden = verb.found !== undefined || fault.believable || (tells === "refusal" && acted);
    return endings.filter(
        (ending) => (ending !== "accepted" || fault.believable) && (ending !== "adopted" || isHidden),
    );
}
