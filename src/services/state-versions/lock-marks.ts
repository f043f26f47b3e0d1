/** The marks at the end of the reasons of locks, by which a later run of a resource recognizes them. */

import * as z from "zod";
import type { DeploymentContext } from "../../core/context";
import { property } from "../../schema/property";
import type { Values } from "../../schema/values";

export const lockMarksProperty = property(z.array(z.string()).optional(), {
    internal: true,
    description: "The mark that ends the reason of the resource's locks, and those from before it was renamed.",
});

/** The inputs or the state of a resource that locks a workspace. */
export interface Marked {
    readonly lockMarks?: readonly string[] | undefined;
}

const markStart = "[statecraft";

/** The mark of a resource. `owner` is that of `DeploymentContext`. */
export const lockMark = (owner: string): string => `${markStart} ${owner}]`;

/** Adds the marks of a resource to its inputs: that of this run first, then those of earlier runs. */
export function withLockMarks(inputs: Values, { owner }: DeploymentContext, before: Values): Values {
    const former = z.array(z.string()).safeParse(before["lockMarks"]).data ?? [];
    const marks = [...new Set([...(owner === undefined ? [] : [lockMark(owner)]), ...former])];
    return marks.length === 0 || inputs["lock"] === false ? inputs : { ...inputs, lockMarks: marks };
}

/** The marks of a resource. The first one ends the reason of its next lock. */
export const marksOf = ({ lockMarks = [] }: Marked): readonly string[] =>
    lockMarks.length > 0 ? lockMarks : [`${markStart}]`];

/** Whether the reason of a lock ends in a mark of the resource. */
export function isMarkedReason(reason: string, marked: Marked): boolean {
    const mark = reason.slice(reason.lastIndexOf(markStart));
    return marksOf(marked).some((each) => each === mark || each === shortMark(mark) || shortMark(each) === mark);
}

/** A mark without the organization, as the native plugin writes it. */
const shortMark = (mark: string) => mark.replace(/^(\[statecraft )[^/ ]+\/(?=[^/ ]+\/[^/ ]+ )/, "$1");
