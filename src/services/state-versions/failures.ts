/** What the state versions' resources and functions say when something is wrong, for the reference pages. */

import type { ToldError } from "../../core/told-error";

const unlocked = (deed: string): ToldError => ({
    says: "is not locked, and … needs its lock",
    means: `The service only takes ${deed} from the account that holds the workspace's lock, and \`lock: false\` takes none.`,
    todo: "Leave out `lock: false`, or lock the workspace before with the same token.",
});

const locked: ToldError = {
    says: "Wait until it is released, or let its holder …",
    means: "Somebody else holds the lock, or another deployment by the same account; the message says who, and the reason. Nothing was sent.",
    todo: "Wait, or ask the holder. A lock that this resource did not take is never released by it.",
};

const doubtfulLock: ToldError = {
    says: "Whether a run of this resource that broke off left it, or somebody else holds it, cannot be told, so it was left alone.",
    means: "The workspace is locked, and the server does not tell by whom and why, or tells this resource's mark under another account.",
    todo: "If you hold it, set `lock: false`. If nobody works on the workspace, release the lock by hand as the message says, and run the command again.",
};

const leftLocked: ToldError = {
    says: "an earlier run has left the workspace … locked",
    means: "A warning at refresh: the lock has this resource's mark and is held by its own account. The run broke off, or `keepLocked` was set then.",
    todo: "Run `pulumi up`, or `pulumi destroy`: both release it.",
};

const absentOrDenied = (deed: string): ToldError => ({
    says: "Either it does not exist, or the token may not use it: the service answers both alike.",
    means: "The service answered 404, as it does for a workspace or version that is absent and for a token without the right.",
    todo: `Check the ids, and use a user or team token that may read and write the workspace's state versions; organization tokens cannot ${deed}.`,
});

const forbidden: ToldError = {
    says: "New versions and rollbacks need a user or team token",
    means: "The service answered 403, as some servers do where others say 404.",
    todo: "Use a token of a user or team with the right to write the workspace's state versions. It never counts as gone.",
};

const tooSlow: ToldError = {
    says: "the service has not … the version … after …",
    means: "`waitForProcessing` ended, or the service took unusually long to accept the content. The version is made and in state.",
    todo: "Run `pulumi up` again: it waits on. `waitForProcessing` takes a longer time.",
};

const refusedNow: ToldError = {
    says: "the service would refuse this now: …",
    means: "A warning of the preview, or a failure with `statecraft:strict`: what it says would be a failure if this were applied now.",
    todo: "See the line of the message that follows.",
};

/** Of rollbacks. */
export const rollbackFailures: readonly ToldError[] = [
    refusedNow,
    unlocked("a rollback"),
    locked,
    doubtfulLock,
    absentOrDenied("roll back"),
    forbidden,
    {
        says: "has become current in the place of … since this run looked, so nothing was rolled back",
        means: "Another run or person made a new version between the look at the workspace and its lock.",
        todo: "See what they did, then run `pulumi up` again.",
    },
    leftLocked,
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
        says: "the rollback is not known to be done; the next deployment looks again and does what is left",
        means: "The answer was lost. The resource is kept as half-made.",
        todo: "Run `pulumi up` again: it compares first, and never rolls back twice.",
    },
    {
        says: "the rollback is done, but its lock was not released",
        means: "The workspace is rolled back and still locked by this resource.",
        todo: "Run `pulumi up` again: it releases the lock. The message also says how to do it by hand.",
    },
    {
        says: "the rollback is done, but its version could not be read to the end",
        means: "The workspace is rolled back; only the outputs that tell of the new version are missing.",
        todo: "Run `pulumi up` again: it reads on, and does not roll back twice.",
    },
    tooSlow,
    {
        says: "keepLocked: the lock that was kept before stays",
        means: "A warning: `keepLocked` was turned off, which releases nothing.",
        todo: "Run `pulumi refresh` and `pulumi up`, let the next rollback take it over and release it, or release the lock by hand, as the message tells.",
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

/** Of new versions. */
export const versionFailures: readonly ToldError[] = [
    refusedNow,
    {
        says: "content: its serial … is not higher than …",
        means: "The service takes a version only above the serial of the current one. Nothing was sent.",
        todo: "Raise `serial` in the state, as the message says; to go back to an older version, use `StateVersionRollback`.",
    },
    {
        says: "content: its serial … is that of …, which holds another content",
        means: "Two states went different ways from the same one. Nothing was sent.",
        todo: "Look at what the current version holds (`downloadState`), and raise `serial` if this one is to follow it.",
    },
    {
        says: "content: its lineage … is another than …",
        means: "It is the state of something else. Nothing was sent.",
        todo: "Check `workspaceId` and the file. To take the place of the current state on purpose, give this one its lineage and a higher serial.",
    },
    {
        says: "must be a state: …",
        means: "The content is not JSON, or holds no serial.",
        todo: "Give the raw state, as `downloadState` returns it; the stable JSON format goes into `jsonContent`.",
    },
    {
        says: "…: the file has changed since it was checked",
        means: "The file was written to between the check and the upload. Nothing was sent of it.",
        todo: "Run again.",
    },
    unlocked("a new version"),
    locked,
    doubtfulLock,
    absentOrDenied("make versions"),
    forbidden,
    {
        says: "the version … was made, but its content is not there yet; the next `pulumi up` brings it…",
        means: "The upload broke off. The version is in state, and with `lock` the workspace stays locked until the content is there.",
        todo: "Run `pulumi up` again: it brings the content to the same version and unlocks.",
    },
    {
        says: "the version … was discarded: a newer one became current before its content came",
        means: "Somebody else was faster, so the service will never take this content.",
        todo: "Raise the serial above the current one, or run `pulumi up --replace` for this resource.",
    },
    {
        says: "whether the … was made cannot be seen either",
        means: "The answer was lost, and nobody could look.",
        todo: "Run `pulumi up` again: it looks first, and makes none where there is one.",
    },
    {
        says: "the version is made, but its lock was not released",
        means: "The content is there; the workspace is still locked by this resource.",
        todo: "Run `pulumi up` again: it releases the lock. The message also says how to do it by hand.",
    },
    {
        says: "it is made, but could not be read to the end",
        means: "The content is there; only outputs are missing.",
        todo: "Run `pulumi up` again: it reads on.",
    },
    tooSlow,
    {
        says: "state versions cannot be deleted, so … stays in its workspace",
        means: "A warning when this resource is deleted or replaced.",
        todo: "Nothing. `StateVersionBackingData` retires the content of a version on self-hosted servers.",
    },
    {
        says: "does not exist any more, its content was retired, or the token may not see it: the service answers alike, …",
        means: "A warning at refresh: the service says 404, which may mean each of the three.",
        todo: "Check the token; if the version is really gone, `pulumi state delete` forgets this resource.",
    },
];

/** Of retiring contents. */
export const backingDataFailures: readonly ToldError[] = [
    {
        says: "state: permanentlyDeleted cannot be undone; to ask for it all the same, set allowPermanentDeletion: true",
        means: "The preview refuses what nobody can take back, unless it is asked for by name.",
        todo: "Declare `softDeleted`, or set `allowPermanentDeletion: true`.",
    },
    {
        says: "state: the content of this version was deleted for good, and nothing brings it back",
        means: "`available` is declared for a version whose content is known to be deleted for good. A preview warns of it.",
        todo: "Take the resource out of the program, or leave `permanentlyDeleted`.",
    },
    {
        says: "state: the version cannot be read: if its content was deleted for good, nothing brings it back",
        means: "A warning of the preview: the program declared `permanentlyDeleted` before, and whether that was done does not show.",
        todo: "Run `pulumi up`: where it was not done, the content becomes available again.",
    },
    {
        says: "is the current version of …, whose content cannot be retired: make another version current first",
        means: "The service keeps what is current.",
        todo: "Roll the workspace back, or upload a newer version; then run `pulumi up` again.",
    },
    {
        says: "only a finalized version that is not current can be soft-deleted, and only a soft-deleted one permanently",
        means: "The version is in a status from which no action leads to what is declared; the message tells it.",
        todo: "Declare what fits the status.",
    },
    {
        says: "What was deleted for good cannot be brought back",
        means: "`available` is declared for a version whose content is gone.",
        todo: "Take the resource out of the program.",
    },
    {
        says: "These actions exist in the self-hosted edition of the service only",
        means: "The server does not know the action.",
        todo: "Take the resource out of the program: hosted servers retire contents by rules of their own.",
    },
    {
        says: "the token may not do this: the service answers both alike. These actions need …",
        means: "The service answered 404: there is no such version, or the token is not that of an organization owner.",
        todo: "Check `stateVersionId`, and use a token of an owner.",
    },
    {
        says: "now is unknown; the next `pulumi up` looks again",
        means: "The answer was lost. The resource is kept as half-made.",
        todo: "Run `pulumi up` again: it looks first, and asks only for what is not done.",
    },
    {
        says: "deleteOlderThanNDays: is only sent with a soft deletion",
        means: "A warning: beside `available` the number has no effect.",
        todo: "Leave it out.",
    },
    {
        says: "the version … cannot be read: it does not exist any more, its content was retired, or the token may not see it; …",
        means: "A warning at refresh: the service says 404, which may mean each of the three.",
        todo: "Check the token; if the version is really gone, `pulumi state delete` forgets this resource.",
    },
];

/** Of looking one version up. */
export const versionLookupFailures: readonly ToldError[] = [
    {
        says: "the version … does not exist, its content was retired…",
        means: "The service answered 404, as it does for each of these and for a token without the right to see the version.",
        todo: "Check `id` and the token; `getStateVersions` lists what a workspace has.",
    },
];

/** Of looking the current version up. */
export const currentLookupFailures: readonly ToldError[] = [
    {
        says: "the workspace … does not exist, has no current version…",
        means: "The service answered 404, as it does for each of these and for a token without the right to see the workspace.",
        todo: "Check `workspaceId` (its id, not its name) and the token.",
    },
];

/** Of listing versions. */
export const versionListFailures: readonly ToldError[] = [
    {
        says: "the workspace … of … does not exist, or the token may not see it",
        means: "The service answers both alike.",
        todo: "Check `organization` and `workspaceName` (its name, not its id) and the token.",
    },
    {
        says: "it holds no state versions",
        means: "Something else than the service answered, such as a proxy.",
        todo: "Check `address` in the settings: it ends in `/api/v2`.",
    },
    {
        says: "an entry of the list is no state version",
        means: "The server lists something else among the versions, so that what it lists cannot be relied on.",
        todo: "Look at the server's answer: with `STATECRAFT_LOG=requests`, Pulumi's log names the request.",
    },
    {
        says: "its pages do not end",
        means: "The server names a next page for ever: one brought nothing new, or there are more than a thousand.",
        todo: "Set `limit` to the number of versions that you need.",
    },
];

/** Of downloading states. */
export const downloadFailures: readonly ToldError[] = [
    {
        says: "stateVersionId: give either this, or workspaceId for its current version",
        means: "Both are given, or neither.",
        todo: "Keep one of them.",
    },
    {
        says: "a current version of …",
        means: "There is no such version or workspace, it has no version yet, or the token may not see it: the service answers alike.",
        todo: "Check the id and the token.",
    },
    {
        says: "has no … state to download",
        means: "The content is not there: the version is pending, its content was retired, or it was made without the JSON format.",
        todo: 'Take another version, or `format: "raw"`.',
    },
    {
        says: "the content of the version … is not a JSON object",
        means: "What was uploaded is no state.",
        todo: "Take another version.",
    },
];
