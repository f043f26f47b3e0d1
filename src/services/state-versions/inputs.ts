/** Inputs that several resources of state versions share. */

import * as z from "zod";
import { unfinishedSteps } from "../../core/resource";
import { parseDuration, secondsOf } from "../../schema/duration";
import { property } from "../../schema/facts";
import { codec, stringOf } from "../../schema/property-types";

const idForm = /^[\w-]+$/;

/** The id of something. Ids stand in paths. */
export const idOf = (what: string) => stringOf(idForm, `must be the id of a ${what}`);

/** An id that stands for a resource, or `undefined` for a text that is none. */
export const parseId = (id: string): string | undefined => (idForm.test(id) ? id : undefined);

const lockMust = { error: "must be true, false, or an object with a reason" };
const lockType = z.union(
    [
        z.boolean(),
        property(
            z.strictObject(
                { reason: property(z.string().optional(), { description: "What the lock shows as its reason." }) },
                lockMust,
            ),
            { typeName: "WorkspaceLock", description: "How the workspace's lock is taken." },
        ),
    ],
    lockMust,
);

/** Whether to take the workspace's lock. `action` is what it is taken for: `the rollback`. */
export const lockProperty = (action: string) =>
    property(lockType.optional(), {
        option: true,
        default: true,
        description: `Take the workspace's lock for the time of ${action}, and release it afterwards; the lock shows the \`reason\`, if one is given. A workspace that is locked by the same account already is used as it is. On by default. \`false\`: it must be locked by the same account already.`,
    });

/** Ends the reason of every lock that the resource takes. */
export const lockMarkProperty = property(z.string().optional(), {
    internal: true,
    description: "Ends the reason of every lock that this resource takes.",
});

/** What the reasons of a resource's locks end in: the mark it has now, and the one it had when it was deployed last, under another name. */
export type Marks = readonly [now: string, ...former: string[]];

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

/** Seconds that processing may take where the program names no time. */
export const usualProcessingSeconds = 300;

/** How long to wait for the service to process a version: `true` for the usual time, seconds, or 0 for not at all. */
export type ProcessingWait = true | number;

const waitMust = { error: 'must be true, false, or a duration: whole seconds, or a string such as "5m"' };
const processingWait = codec(
    z
        .union([z.boolean(), z.number(), z.string()], waitMust)
        .refine((wait) => typeof wait === "boolean" || parseDuration(wait) !== undefined, waitMust),
    z.union([z.literal(true), z.number()]),
    (wait) => wait === true || secondsOf(wait),
);

/** Whether to wait until the service has processed a new version. */
export const waitForProcessingProperty = property(processingWait.optional(), {
    option: true,
    default: false,
    equality: processingSeconds,
    description:
        "Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default.",
});

/** Seconds to wait; 0 for not at all. */
export function processingSeconds(value: unknown): number {
    return value === true ? usualProcessingSeconds : secondsOf(value);
}
