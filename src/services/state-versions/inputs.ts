/** Inputs that several resources of state versions share. */

import * as z from "zod";
import { property } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";

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
        description: `Take the workspace's lock for the time of ${action}, and release it afterwards; the lock shows the \`reason\`, if one is given. On by default; fails if the workspace is locked. \`false\`: this account holds the lock already.`,
    });

/** Ends the reason of every lock that the resource takes. */
export const lockMarkProperty = property(z.string().optional(), {
    internal: true,
    description: "Ends the reason of every lock that this resource takes.",
});
