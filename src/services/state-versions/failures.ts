/** What the resources and functions of state versions say when something is wrong. */

import { failure, finding, sentence } from "../../catalogue";

/** An answer in another form. */
export const otherForm = sentence({
    message: "it does not hold what was asked for",
    cause: "Something else than the service answered, such as a proxy.",
    action: "Check `address` in the settings: it ends in `/api/v2`.",
});

/** The service's 404 for an action. */
export const absentOrDenied = sentence({
    message:
        "Either it does not exist, or the token may not use it: the service answers both alike, as for a version whose content was retired. It knows workspaces by their ids, not by their names. {what} needs a user or team token with permission to read and write state versions of the workspace; organization tokens cannot do it",
    cause: "The service answered 404, as it does for a workspace or version that is absent, a version whose content was retired, and a token without the right.",
    action: "Check the ids (`workspaceId` takes no name), and use a user or team token that may read and write the workspace's state versions.",
});

/** 403. */
export const otherToken = sentence({
    message:
        "New versions and rollbacks need a user or team token that may read and write the workspace's state versions; organization tokens cannot make them.",
    cause: "The service answered 403, as some servers do where others say 404. It never counts as gone.",
    action: "Use a token of a user or team with the right to write the workspace's state versions.",
});

// Locks.

/** A lock without this resource's mark. */
export const anothersLock = failure({
    code: "locked",
    message: "set `lock: false` if the lock is yours: the workspace {workspace} is locked{holder}",
    cause: "The workspace is locked, and the lock does not carry this resource's mark. Nothing was sent. A lock that this resource did not take is never released by it.",
    action: "If it is not yours, wait until its holder releases it ({request}); an administrator can force that",
});

/** `lock: false`, and no lock. */
export const notLocked = failure({
    code: "unlocked",
    message: "the workspace {workspace} is not locked, and {noun} needs its lock",
    cause: "The service only takes the request from the account that holds the workspace's lock, and `lock: false` takes none.",
    action: "Leave out `lock: false` to take the lock for that time, or lock the workspace with a token of the same account before",
});

/** The answer to our lock request was lost, and so was the look after it. */
export const perhapsLocked = failure({
    code: "open",
    message: "{failed}; whether the workspace {workspace} is locked now cannot be seen either",
    cause: "The answer to the request for the lock was lost, and the look after it failed.",
    action: "Run {up} again, which uses the lock if this run took it; to release it by hand, {request} with a token of the same account",
});

/** Our lock could not be released. */
export const unreleased = failure({
    code: "still-locked",
    message: "the workspace {workspace} is still locked{holder}: {failed}",
    cause: "The lock of this resource could not be released: the service did not answer, or a version still waits for its content.",
    action: "Run {up} again, which releases it; to do it by hand, {request} with a token of the same account, or {force} as an administrator, which also works while a version waits for its content",
});

/** A lock that may be there, on a workspace that cannot be seen. */
export const lockUnseen = failure({
    code: "open",
    message: "{failed}; whether the workspace {workspace} is still locked by this resource cannot be seen",
    cause: "When the resource is deleted, the service answers 404 for the workspace: it is gone, or the token may not see it. An error if the last deployment could not release its lock, else a warning.",
    action: "Check the token; if the workspace is gone, {forget} forgets this resource",
});

// A version that has just become current.

/** The service takes too long. */
export const tooSlow = failure({
    code: "timeout",
    message: "{reading}: the service has not {done} the version {id} after {seconds} s",
    cause: "The service took unusually long to accept an uploaded content, or `waitForProcessing` ended.",
    action: "Run {up} again; `waitForProcessing` takes a longer time",
});

/** A version is current, and the wait for its processing failed. */
export const notAwaited = sentence({
    message: "the version {id} is current, but waiting until it is processed failed",
    cause: "The version was made; `waitForProcessing` was set, and the wait ended early or ran out.",
    action: "Run {up} again: it waits again, and makes no other version.",
});

/** A version is current, and the look after it failed. */
export const unread = sentence({
    message: "the version {id} is current, but could not be read",
    cause: "The version was made; only the outputs that its record gives are missing.",
    action: "Run {up} again: it reads the version, and makes no other one.",
});

/** A version is current, and its lock stays. */
export const lockedAfter = sentence({
    message: "the version {id} is current, but the workspace's lock was not released",
    cause: "The version was made or found; the workspace is still locked by this resource.",
    action: "Run {up} again: it releases the lock. The message also says how to do it by hand.",
});

/** What a new version and a rollback have in common, for the reference pages. */
export const changeErrors = [
    lockedAfter,
    unread,
    notAwaited,
    tooSlow,
    anothersLock,
    notLocked,
    perhapsLocked,
    unreleased,
    lockUnseen,
    absentOrDenied,
    otherToken,
    otherForm,
];

// StateVersion.

/** A serial that was passed. */
export const lowSerial = failure({
    code: "serial",
    message: "content: its serial {serial} is not higher than {current}, the serial of the current version {id}",
    cause: "The service takes a version only above the serial of the current one. Nothing was sent.",
    action: "Set `serial` in the state to {next} at least, if it is meant to follow the current one; to go back to an older version, use StateVersionRollback",
});

/** A refusal of a new version. */
export const refusedContent = sentence({
    message:
        "Compare serial and lineage of the content with those of the current version; if the workspace has changed meanwhile, run {up} again",
    cause: "The service answered 409, 412 or 422 to a new version; its own reason stands before.",
    action: "Compare serial and lineage with those of the current version, or run {up} again.",
});

/** A content that is no state. */
export const noState = sentence({
    message: "must be a state: {problem}",
    cause: "The content is not JSON, or holds no serial.",
    action: "Give the raw state, as `downloadState` returns it; the stable JSON format goes into `jsonContent`.",
});

/** A file was written to between check and upload. */
export const changedFile = failure({
    code: "content",
    message: "{name}: the file has changed since it was checked",
    cause: "The file was written to between the check and the upload. Nothing was sent of it.",
    action: "Run again",
});

/** A digest without its content. */
export const contentNotAtHand = failure({
    code: "content",
    message: "{name}: the content with the digest {digest} is not at hand, because a digest is all that is kept of it",
    cause: "The content was given in an earlier run, and this one needs it again.",
    action: "Run again, with {name} given as an asset, a path or text",
});

/** A version will never get its content. */
export const discarded = failure({
    code: "discarded",
    message: "the version {id} was discarded: a newer one became current before its content came",
    cause: "Somebody else was faster, so the service will never take this content.",
    action: "Give the state a serial above that of the current version, and run {up} again",
});

/** A version that waits, and does not say where. */
export const noUpload = failure({
    code: "no-upload",
    message: "the version {id} is pending, but its record names no upload address",
    cause: "The service made the version and does not say where its content goes.",
    action: "Look at the server; with `inline: true` the content travels in the request itself",
});

/** What travels with a new version only. */
export const formsUnsent = sentence({
    message:
        "the current version {id} has this content already, so no version was made, and neither jsonContent nor jsonStateOutputs was sent",
    cause: "A warning: these inputs travel with a new version, and none had to be made.",
    action: "Nothing: the service takes the outputs from the state after a short time.",
});

/** A JSON form that has nowhere to go. */
export const jsonUnsent = sentence({
    message: "jsonContent: the record of {id} names no upload address for the JSON form, so it was not sent",
    cause: "A warning: the service takes no JSON form of a version that is uploaded separately.",
    action: "Leave `jsonContent` out, or send it in the request that makes the version (`inline: true`).",
});

/** A version stays. */
export const versionStays = sentence({
    message:
        "state versions cannot be deleted, so {id} stays in its workspace; StateVersionBackingData retires the content of one",
    cause: "A warning when this resource is deleted or replaced.",
    action: "Nothing. `StateVersionBackingData` retires the content of a version on self-hosted servers.",
});

/** A version cannot be read. */
export const versionUnseen = sentence({
    message:
        "the version {id} cannot be read: it does not exist any more, its content was retired, or the token may not see it; the service answers alike, so the state is kept. {forget} forgets this resource",
    cause: "A warning at refresh: the service says 404, which may mean each of the three.",
    action: "Check the token; if the version is really gone, {forget} forgets this resource.",
});

// StateVersionRollback.

/** A refusal of a rollback. */
export const refusedRollback = sentence({
    message:
        "Check that `stateVersionId` is a finalized version of this workspace and that this token's account holds the lock; if the workspace has changed meanwhile, run {up} again",
    cause: "The service answered 409, 412 or 422 to a rollback; its own reason stands before.",
    action: "Choose a finalized version of this workspace (`getStateVersions` lists them), or run {up} again.",
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

/** A rollback whose answer was lost, and so was the look after it. */
export const rollbackUnseen = failure({
    code: "open",
    message: "{failed}; whether the rollback was done cannot be seen either",
    cause: "The answer was lost, and the look after it failed.",
    action: "Run {up} again, which compares first and never rolls back twice",
});

/** A rollback whose answer was lost, and that was not done. */
export const undone = failure({
    code: "undone",
    message: "{failed}; nothing was rolled back: {id} is still current",
    cause: "The answer was lost, and the version from before is still current.",
    action: "Run {up} again",
});

/** A rollback whose answer was lost, and somebody else made a version. */
export const overtakenRollback = failure({
    code: "overtaken",
    message: "{failed}; another version, {id}, has become current meanwhile",
    cause: "The answer was lost, and what is current now has another content than the wanted version.",
    action: "See what others did to the workspace, then run {up} again, which compares first",
});

/** A rollback that is not taken back. */
export const notRestored = sentence({
    message:
        "onDelete: nothing was restored, and {id} stays current: it was not made by this resource, or nothing had to be rolled back",
    cause: "A warning: `onDelete: restore` found a version that this resource did not make.",
    action: "Nothing, or roll back to another version by hand.",
});

/** A version to restore that holds no content any more. */
export const notRestorable = failure({
    code: "not-finalized",
    message: "onDelete: {id}, the version to restore, holds no state any more, or the token may not see it",
    cause: "What was current before this resource's rollback was retired since, or has gone by the service's own retention; or the token may not see it, which the service answers alike.",
    action: 'To leave the workspace as it is, set `onDelete: "keep"`, run {up}, and delete then; or make the content available again (`StateVersionBackingData`)',
});

/** A workspace cannot be read. */
export const workspaceUnseen = sentence({
    message:
        "the workspace {workspace} or its current version does not exist any more, or the token may not see it: the service answers both alike, so the state is kept. If the workspace is gone, {forget} forgets this resource",
    cause: "A warning at refresh, and an error if a deletion was to restore a version: the service says 404, which may mean gone or not permitted.",
    action: "Check the token; if the workspace is really gone, forget the resource.",
});

// StateVersionBackingData.

/** A permanent deletion that was not asked for by name. */
export const permanentDeletion = finding({
    path: "state",
    message: "permanentlyDeleted cannot be undone; to ask for it all the same, set allowPermanentDeletion: true",
    cause: "The preview refuses what nobody can take back, unless it is asked for by name.",
    action: "Declare `softDeleted`, or set `allowPermanentDeletion: true`.",
});

/** A number of days that has no effect. */
export const unusedDays = finding({
    path: "deleteOlderThanNDays",
    message: "is only sent with a soft deletion",
    cause: "A warning: beside `available` the number has no effect.",
    action: "Leave it out.",
});

/** 404 in the service's own form. */
export const absentOrNotOwner = sentence({
    message:
        "Either {id} does not exist, or the token may not do this: the service answers both alike. These actions need permission of an organization owner",
    cause: "The service answered 404: there is no such version, or the token is not that of an organization owner.",
    action: "Check `stateVersionId`, and use a token of an owner.",
});

/** Another 404. */
export const selfHostedOnly = sentence({
    message: "These actions exist in the self-hosted edition of the service only",
    cause: "The server does not know the action.",
    action: "Take the resource out of the program: hosted servers retire contents by rules of their own.",
});

/** 400. */
export const refusedState = sentence({
    message:
        "{id} is {status}: only a finalized version that is not current can be soft-deleted, and only one that was not deleted for good can be made available again. To retire the current version, make another one current first",
    cause: "The service answered 400: no action leads from the version's status to what is declared.",
    action: "Declare what fits the status, or take the resource out of the program.",
});

/** An action was granted, and the look after it failed. */
export const unreadContent = sentence({
    message: "the content of {id} is {state} now, but the version could not be read",
    cause: "The action was granted; only the outputs that the record gives are missing.",
    action: "Run {up} again: it asks once more, which changes nothing, and reads the version.",
});

// Functions.

/** A lookup of a version found nothing. */
export const noSuchVersion = failure({
    code: "absent",
    message:
        "the version {id} does not exist, its content was retired, or the token may not see it: the service answers alike",
    cause: "The service answered 404, as it does for each of these.",
    action: "Check `id` and the token; `getStateVersions` lists what a workspace has",
});

/** A lookup of a current version found nothing. */
export const noCurrentVersion = failure({
    code: "absent",
    message:
        "the workspace {id} does not exist, has no current version, or the token may not see it: the service answers alike",
    cause: "The service answered 404, as it does for each of these.",
    action: "Check `workspaceId` (its id, not its name) and the token",
});

/** A list of a workspace found nothing. */
export const noSuchWorkspace = failure({
    code: "absent",
    message: "the workspace {name} of {organization} does not exist, or the token may not see it",
    cause: "The service answers both alike.",
    action: "Check `organization` and `workspaceName` (its name, not its id) and the token",
});

/** An entry in another form. */
export const noVersionInList = sentence({
    message: "an entry of the list is no state version",
    cause: "The server lists something else among the versions, so that what it lists cannot be relied on.",
    action: "Look at the server's answer: with `STATECRAFT_LOG=requests`, Pulumi's log names the request.",
});

/** A list without an end. */
export const endlessPages = sentence({
    message: "its pages do not end",
    cause: "The server names a next page for ever: one brought nothing new, or there are more than a thousand.",
    action: "Set `limit` to the number of versions that you need.",
});

/** A download of both or neither. */
export const eitherVersion = finding({
    path: "stateVersionId",
    message: "give either this, or workspaceId for its current version",
    cause: "Both are given, or neither.",
    action: "Keep one of them.",
});

/** A download found nothing. */
export const nothingToDownload = failure({
    code: "absent",
    message: "{what} does not exist, or the token may not see it",
    cause: "There is no such version or workspace, it has no version yet, or the token may not see it: the service answers alike.",
    action: "Check the id and the token",
});

/** A version without content in this format. */
export const noContent = failure({
    code: "no-content",
    message: "the version {id} has no {format} state to download",
    cause: "The content is not there: the version is pending, its content was retired, or it was made without the JSON format.",
    action: 'Take another version, or `format: "raw"`, which every finalized version has',
});

/** A content that is no state. */
export const notAnObject = failure({
    code: "no-content",
    message: "the content of the version {id} is not a JSON object",
    cause: "What was uploaded is no state.",
    action: "Take another version",
});
