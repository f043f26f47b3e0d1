/** What the resources and functions of state versions say when something is wrong; rollbacks, retired contents and locks have files of their own. */

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

/** 412. */
export const changedMeanwhile = sentence({
    message: "The workspace changed meanwhile: run {up} again",
    cause: "The service answered 412.",
    action: "Run the command again.",
});

/** A version is not processed in time. */
export const notProcessed = failure({
    code: "timeout",
    message: "{reading}: the service has not processed the version {id} after {seconds} s",
    cause: "`waitForProcessing` ended. The version is made and in state.",
    action: "The next {up} waits again; `waitForProcessing` takes a longer time",
});

/** A content is not accepted in time. */
export const notFinalYet = failure({
    code: "timeout",
    message: "{reading}: the service has not finalized the version {id} after {seconds} s",
    cause: "The service took unusually long to accept the content. The version is made and in state.",
    action: "The next {up} looks again",
});

/** A state of something else. */
export const otherLineage = failure({
    code: "lineage",
    message: "content: its lineage {lineage} is another than {other}, the lineage of the current version {id}",
    cause: "It is the state of something else. Nothing was sent.",
    action: "It is the state of something else. If it is meant to take the place of the current one, set its lineage to that one and its serial to a higher number",
});

/** A serial that was passed. */
export const lowSerial = failure({
    code: "serial",
    message: "content: its serial {serial} is not higher than {current}, the serial of the current version {id}",
    cause: "The service takes a version only above the serial of the current one. Nothing was sent.",
    action: "Set `serial` in the state to {next} at least, if it is meant to follow the current one; to go back to an older version, use StateVersionRollback",
});

/** A serial that another content has. */
export const sameSerial = failure({
    code: "serial",
    message:
        "content: its serial {serial} is that of the current version {id}, which holds another content (MD5 {theirs}, not {ours})",
    cause: "Two states went different ways from the same one. Nothing was sent.",
    action: "Set `serial` in the state to {next} at least",
});

/** A refusal of a new version's form. */
export const refusedContent = sentence({
    message: "The service does not take the content for a state of this workspace: look at its serial and lineage",
    cause: "The service answered 409 or 422, and its reason names the content.",
    action: "Compare serial and lineage with those of the current version.",
});

/** A content that is no state. */
export const noState = sentence({
    message: "must be a state: {problem}",
    cause: "The content is not JSON, or holds no serial.",
    action: "Give the raw state, as `downloadState` returns it; the stable JSON format goes into `jsonContent`.",
});

/** The same, of what lies behind a digest. */
export const contentNoState = failure({
    code: "content",
    message: "content: {problem}",
    cause: "The content is not JSON, or holds no serial. Nothing was sent of it.",
    action: "Give the raw state, as `downloadState` returns it",
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

/** A version waits for its content. */
export const unfilled = sentence({
    message: "the version {id} was made, but its content is not there yet; the next {up} brings it",
    cause: "The upload broke off. The version is in state.",
    action: "Run {up} again: it brings the content to the same version.",
});

/** The same under a lock of ours. */
export const unfilledUnderLock = sentence({
    message:
        "the version {id} was made, but its content is not there yet; the next {up} brings it, and the workspace stays locked until then",
    cause: "The upload broke off. The version is in state, and the workspace stays locked until the content is there.",
    action: "Run {up} again: it brings the content to the same version and unlocks.",
});

/** A version did not get its content, and will not. */
export const tooLate = sentence({
    message: "the version {id} was made, but its content came too late",
    cause: "The upload broke off, and another version became current meanwhile. The version is in state, and nothing waits for its content any more.",
    action: "See the failure that follows.",
});

/** A version will never get its content. */
export const discarded = failure({
    code: "discarded",
    message: "the version {id} was discarded: a newer one became current before its content came",
    cause: "Somebody else was faster, so the service will never take this content.",
    action: "Give the state a serial above that of the current version, or make this resource again with {replace}",
});

/** A version that waits, and does not say where. */
export const noUpload = failure({
    code: "no-upload",
    message: "the version {id} is pending, but its record names no upload address",
    cause: "The service made the version and does not say where its content goes.",
    action: "Look at the server; with `inline: true` the content travels in the request itself",
});

/** Outputs that travel with a new version alone. */
export const outputsUnsent = sentence({
    message:
        "jsonStateOutputs: the current version {id} has this content already, so no version was made and these outputs were not sent",
    cause: "A warning: the outputs travel in the request that makes a version, and none had to be made.",
    action: "Nothing: the service takes the outputs from the state after a short time.",
});

/** A JSON form that has nowhere to go. */
export const jsonUnsent = sentence({
    message: "jsonContent: the record of {id} names no upload address for the JSON form, so it was not sent",
    cause: "A warning: the service takes no JSON form of a version that is uploaded separately.",
    action: "Leave `jsonContent` out, or send it in the request that makes the version (`inline: true`).",
});

/** A version is made, and its lock stays. */
export const lockedAfterVersion = sentence({
    message: "the version is made, but its lock was not released",
    cause: "The content is there; the workspace is still locked by this resource.",
    action: "Run {up} again: it releases the lock. The message also says how to do it by hand.",
});

/** The lock of a version that never got its content. */
export const lockedForContent = sentence({
    message:
        "the content of {id} never came, and the service keeps the workspace {workspace} locked until then: to release it all the same, an administrator can {request}",
    cause: "A warning when this resource is deleted before its content came.",
    action: "Ask an administrator, or bring the content with {up} first.",
});

/** A lock that state knows of, and a workspace that cannot be seen. */
export const lockUnseen = failure({
    code: "open",
    message: "{failed}; whether the workspace {workspace} is still locked by this resource cannot be seen",
    cause: "The last deployment could not release its lock, and the service answers 404 for the workspace: it is gone, or the token may not see it.",
    action: "Check the token and run again; if the workspace is gone, {forget} forgets this resource",
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
