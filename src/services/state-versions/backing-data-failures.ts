/** What retiring contents says when something is wrong. */

import { failure, finding, sentence } from "../../catalogue";

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

/** A content that is gone. */
export const nothingBringsBack = failure({
    code: "deleted",
    message: "state: the content of this version was deleted for good, and nothing brings it back",
    cause: "`available` is declared for a version whose content is known to be deleted for good. A preview warns of it.",
    action: "Take the resource out of the program, or leave `permanentlyDeleted`",
});

/** A content that may be gone. */
export const perhapsGone = sentence({
    message: "state: the version cannot be read: if its content was deleted for good, nothing brings it back",
    cause: "A warning of the preview: the program declared `permanentlyDeleted` before, and whether that was done does not show.",
    action: "Run {up}: where it was not done, the content becomes available again.",
});

/** A grant without effect. */
export const notHeeded = failure({
    code: "unheeded",
    message: "the service granted it, but says that the version is {status}",
    cause: "The action was granted, and the version shows another status.",
    action: "Ask whoever runs the server why it stays so",
});

/** An action whose answer was lost. */
export const unknownState = sentence({
    message: "whether the content of {id} is {state} now is unknown; the next {up} looks again",
    cause: "The answer was lost. The resource is kept in state as partly created.",
    action: "Run {up} again: it looks first, and asks only for what is not done.",
});

/** The first of two actions was granted, and the second one was not. */
export const halfway = sentence({
    message:
        "the content of {id} is {status} so far, and what comes next was refused; the next {up} goes on from there",
    cause: "`permanentlyDeleted` takes two actions: the soft deletion was granted, and the permanent one was not. The resource is kept in state with the status that was reached.",
    action: "See to what the refusal says and run {up} again, or declare `available` to take the soft deletion back.",
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

/** The current version. */
export const stillCurrent = sentence({
    message:
        "{id} is the current version of {workspace}, whose content cannot be retired: make another version current first",
    cause: "The service keeps what is current.",
    action: "Roll the workspace back, or upload a newer version; then run {up} again.",
});

/** A refusal to bring a content back. */
export const goneForGood = sentence({
    message: "What was deleted for good cannot be brought back",
    cause: "`available` is declared for a version whose content is gone.",
    action: "Take the resource out of the program.",
});

/** Any other refusal. */
export const otherStatus = sentence({
    message:
        "{id} is {status}: only a finalized version that is not current can be soft-deleted, only a soft-deleted one permanently, and one that never held content has none to bring back",
    cause: "The version is in a status from which no action leads to what is declared; the message tells it.",
    action: "Declare what fits the status.",
});
