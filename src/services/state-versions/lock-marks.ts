/**
 * The marks at the end of the reasons of locks, by which a later run of a resource recognizes them.
 *
 * | lock of                     | mark                                                            |
 * | --------------------------- | --------------------------------------------------------------- |
 * | a rollback, a state version | `[statecraft <organization>/<project>/<stack> <name>]`          |
 * | a WorkspaceLock             | `[statecraft <organization>/<project>/<stack> <name>::lock]`    |
 * | a command                   | `[statecraft <command> <user>@<host> <time> <id of the run>]`   |
 * | a script                    | `[statecraft script <id of the operation>]`                     |
 *
 * The whole mark decides whose lock it is. Its fields are read for messages alone.
 */

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

/** The part of a reason that a mark can be. Empty if it does not end in one. */
const markIn = (reason: string) => /^\[statecraft.*\]$/s.exec(reason.slice(reason.lastIndexOf(markStart)))?.[0] ?? "";

/** Whether the reason of a lock ends in a mark of the resource. */
export function isMarkedReason(reason: string, marked: Marked): boolean {
    const mark = markIn(reason);
    return marksOf(marked).some((each) => isSame(each, mark));
}

/** Whether two marks are equal, an organization that only one of them has left aside. */
const isSame = (one: string, other: string) => one === other || one === shortMark(other) || shortMark(one) === other;

/** A mark without the organization, as the native plugin writes it. */
const shortMark = (mark: string) => mark.replace(/^(\[statecraft )[^/ ]+\/(?=[^/ ]+\/[^/ ]+ )/, "$1");

/**
 * The reason of a lock, as people read it: `text` without the `mark`; the `command` and the time `since` (ISO 8601) from a command's mark;
 * the name and the stack of a WorkspaceLock as `freeze`.
 */
export function readableReason(reason: string) {
    const mark = markIn(reason);
    const text = reason.slice(0, reason.length - mark.length).trimEnd();
    const [, stack = "", name] = /^\[statecraft (\S+) (.+)::lock\]$/s.exec(mark) ?? [];
    const [, command, since] = /^\[statecraft ([a-z]+) \S+@\S+ ([\d:TZ-]+) \S+\]$/.exec(mark) ?? [];
    return {
        text,
        mark,
        since,
        command,
        freeze: name === undefined ? undefined : { name: name.replace(/%(5B|5D|25)/g, decodeURIComponent), stack },
    };
}

export type Freeze = NonNullable<ReturnType<typeof readableReason>["freeze"]>;

/** Whether the WorkspaceLock of a lock belongs to the stack of a resource. */
export const isOfStack = ({ stack }: Freeze, marked: Marked): boolean =>
    marksOf(marked).some((mark) => isSame(mark.replace(/^(\[statecraft \S+ ).*$/s, "$1"), `${markStart} ${stack} `));
