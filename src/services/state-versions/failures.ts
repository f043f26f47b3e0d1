/** What the state versions' resources say when something is wrong, for the reference pages. */

import type { ToldError } from "../../core/told-error";

/** Of rollbacks. */
export const rollbackFailures: readonly ToldError[] = [
    {
        says: "is not locked, and … needs its lock",
        means: "The service only takes a rollback from the account that holds the workspace's lock.",
        todo: "Set `lock: true`, or lock the workspace before with the same token.",
    },
    {
        says: "Wait until it is released, or let its holder release it",
        means: "Somebody else holds the lock; the message says who, and the reason. Nothing was sent.",
        todo: "Wait, or ask the holder. A lock that another account took is never released by this resource.",
    },
    {
        says: "Either it does not exist, or the token may not use it: the service answers both alike.",
        means: "The service answered 404, as it does for a workspace or version that is absent and for a token without the right.",
        todo: "Check the ids, and use a user or team token that may read and write the workspace's state versions; organization tokens cannot roll back.",
    },
    {
        says: "is a version of the workspace …, not of …",
        means: "`stateVersionId` belongs to another workspace. Nothing was sent.",
        todo: "Give a version of this workspace; `getStateVersions` lists them.",
    },
    {
        says: "holds no state to roll back to",
        means: "The version is pending or discarded, or its content was retired.",
        todo: "Choose a finalized version, or make the content available again (`StateVersionBackingData`).",
    },
    {
        says: "the rollback is not known to be done; the next `pulumi up` looks again and does what is left",
        means: "The answer was lost. The resource is kept as half-made.",
        todo: "Run `pulumi up` again: it compares first, and never rolls back twice.",
    },
    {
        says: "the rollback is done, but its lock was not released",
        means: "The workspace is rolled back and still locked by this resource.",
        todo: "Run `pulumi up` again: it releases the lock. The message also says how to do it by hand.",
    },
    {
        says: "so the workspace was left as it is instead of restoring …",
        means: "A warning: `onDelete: restore` found a newer version than the one that this resource made.",
        todo: "Nothing, or roll back by hand to the version that the message names.",
    },
    {
        says: "the state is kept. If the workspace is gone, `pulumi state delete` forgets this resource",
        means: "A warning at refresh: the service says 404, which may mean gone or not permitted.",
        todo: "Check the token; if the workspace is really gone, forget the resource.",
    },
];
