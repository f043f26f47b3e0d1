/** What is promised of each request under each fault (docs/reliability.md), as the endings that a cell may have. */

import { patternOf } from "../support/endpoints";
import { endpoints } from "../support/resource-facts";
import type { Fault } from "./faults";
import type { Passed } from "./proxy";
import { type Cell, isRead } from "./verbs";

/**
 * How a cell may end well: the verb succeeded all the same; it failed and the next command did the rest; the next command refused an object that
 * the failed one, or somebody else, may have made, and took it over when told to; the service itself said what was not so, and nothing
 * contradicted it.
 */
export const endings = ["unnoticed", "finished by the next command", "taken over when told to", "believed"] as const;
export type Ending = (typeof endings)[number];

/**
 * What may be done when no answer comes.
 * - `repeated`: doing it twice has the effect of doing it once, so it is sent again.
 * - `looked up`: it is sent again only where the service surely did nothing; else a look tells whether it has.
 * - `in the dark`: the same, but no look tells.
 */
export const kinds = ["read", "repeated", "looked up", "in the dark"] as const;
export type Kind = (typeof kinds)[number];

const repeatable = endpoints.filter(({ isRepeatable }) => isRepeatable).map(patternOf);
/** A secret that only the service knows, a content that cannot be read any more, and a version without content. */
const inTheDark = /\/(rotate-root|permanently_delete_backing_data)$|^POST \S+\/state-versions$/;

export function kindOf(request: Passed): Kind {
    const line = `${request.method} ${request.path}`;
    if (isRead(request)) return "read";
    if (inTheDark.test(line)) return "in the dark";
    // What is gone stays gone.
    const isRepeated = request.method === "DELETE" || repeatable.some((pattern) => pattern.test(line));
    return isRepeated ? "repeated" : "looked up";
}

/** Whether a request may be sent again after this. */
export function mayRepeat(request: Passed, { tells }: Fault): boolean {
    return tells === "untouched" || kindOf(request) === "read" || kindOf(request) === "repeated";
}

/** The endings that are as good as what is promised. */
export function promised(cell: Cell): readonly Ending[] {
    const { fault, target, once, subject, verb } = cell;
    const { tells, harm } = fault;
    const acted = "acted" in harm && harm.acted;
    const isSeen = kindOf(target) === "looked up" && acted && !(subject.hidesEdit && verb.name === "update");
    const passes = tells === "untouched" || (tells === "nothing" && (mayRepeat(target, fault) || isSeen));
    if (tells === "all" || verb.neverFails || (once && passes)) return ["unnoticed"];
    // Where a service that has acted says otherwise, an object may be there that nobody knows of.
    const isHidden = verb.found !== undefined || fault.believable || (tells === "refusal" && acted);
    return endings.filter(
        (ending) => (ending !== "believed" || fault.believable) && (ending !== "taken over when told to" || isHidden),
    );
}
