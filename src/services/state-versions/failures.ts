/** What the state versions' resources and functions say when something is wrong, for the reference pages. */

import type { Documented, ErrorDoc } from "../../catalogue";

const unlocked = (deed: string): ErrorDoc => ({
    message: "is not locked, and … needs its lock",
    cause: `The service only takes ${deed} from the account that holds the workspace's lock, and \`lock: false\` takes none.`,
    action: "Leave out `lock: false`, or lock the workspace before with the same token.",
});

const locked: ErrorDoc = {
    message: "Wait until it is released, or let its holder …",
    cause: "Somebody else holds the lock, or another deployment by the same account; the message says who, and the reason. Nothing was sent.",
    action: "Wait, or ask the holder. A lock that this resource did not take is never released by it.",
};

const doubtfulLock: ErrorDoc = {
    message:
        "Whether a run of this resource that broke off left it, or somebody else holds it, cannot be told, so it was left alone.",
    cause: "The workspace is locked, and the server does not tell by whom and why, or tells this resource's mark under another account.",
    action: "If you hold it, set `lock: false`. If nobody works on the workspace, release the lock by hand as the message says, and run the command again.",
};

const leftLocked: ErrorDoc = {
    message: "an earlier run has left the workspace … locked",
    cause: "A warning at refresh: the lock has this resource's mark and is held by its own account. The run broke off, or `keepLocked` was set then.",
    action: "Run `pulumi up`, or `pulumi destroy`: both release it.",
};

const absentOrDenied = (deed: string): ErrorDoc => ({
    message: "Either it does not exist, or the token may not use it: the service answers both alike.",
    cause: "The service answered 404, as it does for a workspace or version that is absent and for a token without the right.",
    action: `Check the ids, and use a user or team token that may read and write the workspace's state versions; organization tokens cannot ${deed}.`,
});

const forbidden: ErrorDoc = {
    message: "New versions and rollbacks need a user or team token",
    cause: "The service answered 403, as some servers do where others say 404.",
    action: "Use a token of a user or team with the right to write the workspace's state versions. It never counts as gone.",
};

const tooSlow: ErrorDoc = {
    message: "the service has not … the version … after …",
    cause: "`waitForProcessing` ended, or the service took unusually long to accept the content. The version is made and in state.",
    action: "Run `pulumi up` again: it waits on. `waitForProcessing` takes a longer time.",
};

const refusedNow: ErrorDoc = {
    message: "the service would refuse this now: …",
    cause: "A warning of the preview, or a failure with `statecraft:strict`: what it says would be a failure if this were applied now.",
    action: "See the line of the message that follows.",
};

/** Of rollbacks. */
export const rollbackFailures: readonly Documented[] = [
    refusedNow,
    unlocked("a rollback"),
    locked,
    doubtfulLock,
    absentOrDenied("roll back"),
    forbidden,
    {
        message: "has become current in the place of … since this run looked, so nothing was rolled back",
        cause: "Another run or person made a new version between the look at the workspace and its lock.",
        action: "See what they did, then run `pulumi up` again.",
    },
    leftLocked,
    {
        message: "is a version of the workspace …, not of …",
        cause: "`stateVersionId` belongs to another workspace. Nothing was sent.",
        action: "Give a version of this workspace; `getStateVersions` lists them.",
    },
    {
        message: "holds no state to roll back to",
        cause: "The version is pending or discarded, or its content was retired.",
        action: "Choose a finalized version, or make the content available again (`StateVersionBackingData`).",
    },
    {
        message: "the rollback is not known to be done; the next deployment looks again and does what is left",
        cause: "The answer was lost. The resource is kept as half-made.",
        action: "Run `pulumi up` again: it compares first, and never rolls back twice.",
    },
    {
        message: "the rollback is done, but its lock was not released",
        cause: "The workspace is rolled back and still locked by this resource.",
        action: "Run `pulumi up` again: it releases the lock. The message also says how to do it by hand.",
    },
    {
        message: "the rollback is done, but its version could not be read to the end",
        cause: "The workspace is rolled back; only the outputs that tell of the new version are missing.",
        action: "Run `pulumi up` again: it reads on, and does not roll back twice.",
    },
    tooSlow,
    {
        message: "keepLocked: the lock that was kept before stays",
        cause: "A warning: `keepLocked` was turned off, which releases nothing.",
        action: "Run `pulumi refresh` and `pulumi up`, let the next rollback take it over and release it, or release the lock by hand, as the message tells.",
    },
    {
        message: "so the workspace was left as it is instead of restoring …",
        cause: "A warning: `onDelete: restore` found a newer version than the one that this resource made.",
        action: "Nothing, or roll back by hand to the version that the message names.",
    },
    {
        message: "the state is kept. If the workspace is gone, `pulumi state delete` forgets this resource",
        cause: "A warning at refresh: the service says 404, which may mean gone or not permitted.",
        action: "Check the token; if the workspace is really gone, forget the resource.",
    },
].map((doc) => ({ doc }));

/** Of new versions. */
export const versionFailures: readonly Documented[] = [
    refusedNow,
    {
        message: "content: its serial … is not higher than …",
        cause: "The service takes a version only above the serial of the current one. Nothing was sent.",
        action: "Raise `serial` in the state, as the message says; to go back to an older version, use `StateVersionRollback`.",
    },
    {
        message: "content: its serial … is that of …, which holds another content",
        cause: "Two states went different ways from the same one. Nothing was sent.",
        action: "Look at what the current version holds (`downloadState`), and raise `serial` if this one is to follow it.",
    },
    {
        message: "content: its lineage … is another than …",
        cause: "It is the state of something else. Nothing was sent.",
        action: "Check `workspaceId` and the file. To take the place of the current state on purpose, give this one its lineage and a higher serial.",
    },
    {
        message: "must be a state: …",
        cause: "The content is not JSON, or holds no serial.",
        action: "Give the raw state, as `downloadState` returns it; the stable JSON format goes into `jsonContent`.",
    },
    {
        message: "…: the file has changed since it was checked",
        cause: "The file was written to between the check and the upload. Nothing was sent of it.",
        action: "Run again.",
    },
    unlocked("a new version"),
    locked,
    doubtfulLock,
    absentOrDenied("make versions"),
    forbidden,
    {
        message: "the version … was made, but its content is not there yet; the next `pulumi up` brings it…",
        cause: "The upload broke off. The version is in state, and with `lock` the workspace stays locked until the content is there.",
        action: "Run `pulumi up` again: it brings the content to the same version and unlocks.",
    },
    {
        message: "the version … was discarded: a newer one became current before its content came",
        cause: "Somebody else was faster, so the service will never take this content.",
        action: "Raise the serial above the current one, or run `pulumi up --replace` for this resource.",
    },
    {
        message: "whether the … was made cannot be seen either",
        cause: "The answer was lost, and nobody could look.",
        action: "Run `pulumi up` again: it looks first, and makes none where there is one.",
    },
    {
        message: "the version is made, but its lock was not released",
        cause: "The content is there; the workspace is still locked by this resource.",
        action: "Run `pulumi up` again: it releases the lock. The message also says how to do it by hand.",
    },
    {
        message: "it is made, but could not be read to the end",
        cause: "The content is there; only outputs are missing.",
        action: "Run `pulumi up` again: it reads on.",
    },
    tooSlow,
    {
        message: "state versions cannot be deleted, so … stays in its workspace",
        cause: "A warning when this resource is deleted or replaced.",
        action: "Nothing. `StateVersionBackingData` retires the content of a version on self-hosted servers.",
    },
    {
        message:
            "does not exist any more, its content was retired, or the token may not see it: the service answers alike, …",
        cause: "A warning at refresh: the service says 404, which may mean each of the three.",
        action: "Check the token; if the version is really gone, `pulumi state delete` forgets this resource.",
    },
].map((doc) => ({ doc }));

/** Of retiring contents. */
export const backingDataFailures: readonly Documented[] = [
    {
        message:
            "state: permanentlyDeleted cannot be undone; to ask for it all the same, set allowPermanentDeletion: true",
        cause: "The preview refuses what nobody can take back, unless it is asked for by name.",
        action: "Declare `softDeleted`, or set `allowPermanentDeletion: true`.",
    },
    {
        message: "state: the content of this version was deleted for good, and nothing brings it back",
        cause: "`available` is declared for a version whose content is known to be deleted for good. A preview warns of it.",
        action: "Take the resource out of the program, or leave `permanentlyDeleted`.",
    },
    {
        message: "state: the version cannot be read: if its content was deleted for good, nothing brings it back",
        cause: "A warning of the preview: the program declared `permanentlyDeleted` before, and whether that was done does not show.",
        action: "Run `pulumi up`: where it was not done, the content becomes available again.",
    },
    {
        message: "is the current version of …, whose content cannot be retired: make another version current first",
        cause: "The service keeps what is current.",
        action: "Roll the workspace back, or upload a newer version; then run `pulumi up` again.",
    },
    {
        message:
            "only a finalized version that is not current can be soft-deleted, and only a soft-deleted one permanently",
        cause: "The version is in a status from which no action leads to what is declared; the message tells it.",
        action: "Declare what fits the status.",
    },
    {
        message: "What was deleted for good cannot be brought back",
        cause: "`available` is declared for a version whose content is gone.",
        action: "Take the resource out of the program.",
    },
    {
        message: "These actions exist in the self-hosted edition of the service only",
        cause: "The server does not know the action.",
        action: "Take the resource out of the program: hosted servers retire contents by rules of their own.",
    },
    {
        message: "the token may not do this: the service answers both alike. These actions need …",
        cause: "The service answered 404: there is no such version, or the token is not that of an organization owner.",
        action: "Check `stateVersionId`, and use a token of an owner.",
    },
    {
        message: "now is unknown; the next `pulumi up` looks again",
        cause: "The answer was lost. The resource is kept as half-made.",
        action: "Run `pulumi up` again: it looks first, and asks only for what is not done.",
    },
    {
        message: "deleteOlderThanNDays: is only sent with a soft deletion",
        cause: "A warning: beside `available` the number has no effect.",
        action: "Leave it out.",
    },
    {
        message:
            "the version … cannot be read: it does not exist any more, its content was retired, or the token may not see it; …",
        cause: "A warning at refresh: the service says 404, which may mean each of the three.",
        action: "Check the token; if the version is really gone, `pulumi state delete` forgets this resource.",
    },
].map((doc) => ({ doc }));

/** Of looking one version up. */
export const versionLookupFailures: readonly Documented[] = [
    {
        message: "the version … does not exist, its content was retired…",
        cause: "The service answered 404, as it does for each of these and for a token without the right to see the version.",
        action: "Check `id` and the token; `getStateVersions` lists what a workspace has.",
    },
].map((doc) => ({ doc }));

/** Of looking the current version up. */
export const currentLookupFailures: readonly Documented[] = [
    {
        message: "the workspace … does not exist, has no current version…",
        cause: "The service answered 404, as it does for each of these and for a token without the right to see the workspace.",
        action: "Check `workspaceId` (its id, not its name) and the token.",
    },
].map((doc) => ({ doc }));

/** Of listing versions. */
export const versionListFailures: readonly Documented[] = [
    {
        message: "the workspace … of … does not exist, or the token may not see it",
        cause: "The service answers both alike.",
        action: "Check `organization` and `workspaceName` (its name, not its id) and the token.",
    },
    {
        message: "it holds no state versions",
        cause: "Something else than the service answered, such as a proxy.",
        action: "Check `address` in the settings: it ends in `/api/v2`.",
    },
    {
        message: "an entry of the list is no state version",
        cause: "The server lists something else among the versions, so that what it lists cannot be relied on.",
        action: "Look at the server's answer: with `STATECRAFT_LOG=requests`, Pulumi's log names the request.",
    },
    {
        message: "its pages do not end",
        cause: "The server names a next page for ever: one brought nothing new, or there are more than a thousand.",
        action: "Set `limit` to the number of versions that you need.",
    },
].map((doc) => ({ doc }));

/** Of downloading states. */
export const downloadFailures: readonly Documented[] = [
    {
        message: "stateVersionId: give either this, or workspaceId for its current version",
        cause: "Both are given, or neither.",
        action: "Keep one of them.",
    },
    {
        message: "a current version of …",
        cause: "There is no such version or workspace, it has no version yet, or the token may not see it: the service answers alike.",
        action: "Check the id and the token.",
    },
    {
        message: "has no … state to download",
        cause: "The content is not there: the version is pending, its content was retired, or it was made without the JSON format.",
        action: 'Take another version, or `format: "raw"`.',
    },
    {
        message: "the content of the version … is not a JSON object",
        cause: "What was uploaded is no state.",
        action: "Take another version.",
    },
].map((doc) => ({ doc }));
