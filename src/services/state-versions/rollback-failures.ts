/** What rollbacks say when something is wrong. */

import { failure, sentence } from "../../catalogue";

/** A refusal of a rollback's form. */
export const refusedRollback = sentence({
    message:
        "The service refused the request's form: check that `stateVersionId` is a finalized version of this workspace",
    cause: "The service answered 409 or 422, and its reason names the version.",
    action: "Choose a finalized version of this workspace; `getStateVersions` lists them.",
});

/** A version of somebody else in between. */
export const versionInBetween = failure({
    code: "overtaken",
    message:
        "the version {now} has become current in the place of {before} since this run looked, so nothing was rolled back",
    cause: "Another run or person made a new version between the look at the workspace and its lock.",
    action: "Somebody else works on this workspace: see what they did ({preview} tells), then run {up} again",
});

/** A version of another workspace. */
export const otherWorkspace = failure({
    code: "wrong-workspace",
    message: "stateVersionId: {id} is a version of the workspace {other}, not of {workspace}",
    cause: "`stateVersionId` belongs to another workspace. Nothing was sent.",
    action: "Give a version of this workspace; `getStateVersions` lists them",
});

/** A version without content. */
export const noTarget = failure({
    code: "not-finalized",
    message: "stateVersionId: {id} is {status} and holds no state to roll back to",
    cause: "The version is pending or discarded, or its content was retired.",
    action: "Choose a finalized version, or make the content available again (`StateVersionBackingData`)",
});

/** A rollback whose answer was lost, and nobody could look. */
export const rollbackUnseen = failure({
    code: "open",
    message: "{failed}; whether the rollback was done cannot be seen either",
    cause: "The answer was lost, and the look after it failed.",
    action: "The next deployment looks again",
});

/** A rollback whose answer was lost, and that was not done. */
export const undone = failure({
    code: "undone",
    message: "{failed}; nothing was rolled back: {id} is still current",
    cause: "The answer was lost, and the version from before is still current.",
    action: "The next deployment rolls back",
});

/** A rollback whose answer was lost, and somebody else made a version. */
export const overtakenRollback = failure({
    code: "overtaken",
    message: "{failed}; another version, {id}, has become current meanwhile",
    cause: "The answer was lost, and what is current now has another content than the wanted version.",
    action: "See what others did to the workspace; the next deployment looks again",
});

/** A rollback that is not known to be done. What is known of it follows. */
export const unfinishedRollback = sentence({
    message: "the rollback is unfinished",
    cause: "The answer was lost; the message goes on with what is known. The resource is kept in state as partly created.",
    action: "Run {up} again: it compares first, and never rolls back twice.",
});

/** A rollback is done, and its lock stays. */
export const lockedAfterRollback = sentence({
    message: "the rollback is done, but its lock was not released",
    cause: "The workspace is rolled back and still locked by this resource.",
    action: "Run {up} again: it releases the lock. The message also says how to do it by hand.",
});

/** A rollback is done, and the look after it failed. */
export const rollbackUnread = sentence({
    message: "the rollback is done, but its version could not be read to the end",
    cause: "The workspace is rolled back; only the outputs that tell of the new version are missing.",
    action: "Run {up} again: it reads on, and does not roll back twice.",
});

/** A rollback is done, and the wait after it failed. */
export const rollbackNotAwaited = sentence({
    message: "the rollback is done, but waiting until its version is processed failed",
    cause: "The workspace is rolled back; `waitForProcessing` was set, and the wait ended early or ran out.",
    action: "Run {up} again: it waits again, and does not roll back twice.",
});

/** A rollback is not taken back. */
export const notRestored = sentence({
    message:
        "onDelete: the newer version {id} is current, so the workspace was left as it is instead of restoring {before}",
    cause: "A warning: `onDelete: restore` found a newer version than the one that this resource made.",
    action: "Nothing, or roll back by hand to the version that the message names.",
});

/** A lock that an earlier run may have left is not sought, or not released. */
export const lockLeft = sentence({
    message: "nothing was changed, and a lock that an earlier run may have left stays: {problem}",
    cause: "A warning when this resource is deleted: the workspace could not be read, or its lock may be somebody else's. Leaving the workspace as it is needs neither.",
    action: "If a run was killed before, see whether the workspace is locked, and release the lock by hand.",
});

/** A version to restore that holds no content any more. */
export const notRestorable = failure({
    code: "not-finalized",
    message: "onDelete: {id}, the version to restore, {problem}",
    cause: "What was current before this resource's rollbacks was retired since, or has gone by the service's own retention; or the token may not see it, which the service answers alike.",
    action: 'To leave the workspace as it is, set `onDelete: "keep"`, run {up}, and delete then; or make the content available again (`StateVersionBackingData`)',
});

/** A script deletes without telling what was before. */
export const neededToRestore = sentence({
    message: "{name}: is needed to restore: give the outputs that create, update or read returned",
    cause: "A script's `delete` with `onDelete: restore` was given an id alone, which does not tell what was current before.",
    action: "Give the outputs of a former operation.",
});

/** A workspace that may be gone cannot be restored. */
export const restoreUnseen = sentence({
    message: "Nothing was restored. If the workspace is gone, {forget} forgets this resource",
    cause: "The service answered 404 when a resource with `onDelete: restore` was deleted. It never counts as gone: the workspace would stay as it is, unseen.",
    action: "Use a user or team token that may read and write the workspace's state versions; if the workspace is really gone, forget the resource.",
});

/** A workspace cannot be read. */
export const workspaceUnseen = sentence({
    message:
        "the workspace {workspace} or its current version does not exist any more, or the token may not see it: the service answers both alike, so the state is kept. If the workspace is gone, {forget} forgets this resource",
    cause: "A warning at refresh: the service says 404, which may mean gone or not permitted.",
    action: "Check the token; if the workspace is really gone, forget the resource.",
});
