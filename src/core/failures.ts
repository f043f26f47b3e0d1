/** What every resource and function may say when something is wrong. */

import { type Documented, type Failure, failure, sentence } from "../catalogue";
import { formerName, maskedValue, missingArgument, notAnArgument } from "../schema/check";
import { configKeys } from "./config-keys";

/** The settings name no address, or no token. */
export const unset = sentence({
    message: "no {field} is set for {title}",
    cause: "The settings name no address, or no token, for the service.",
    action: "Set it in the stack's configuration or in the environment: the message names both ways.",
});

/** A service has the settings of a product and those of a server of the documents. */
export const bothKeys = sentence({
    message: "{one} and {other} are both set, and lead to one service in two ways: remove one of them",
    cause: "`vault`, `nomad` and `terraform` are for the products; `manager`, `volumes` and `stateVersions` for servers that speak the API documents to the letter. A service has one of its two keys.",
    action: "Remove the one that is not meant from the configuration or the environment.",
});

/** No address was set, and the product has a usual one. */
export const usesDefault = sentence({
    message: "no address is set for {title}: {address} is used, which is the default",
    cause: "A note: a token for the default host, or the key of the service, was found, and no address.",
    action: "Set the address if it is another one.",
});

/** A field of the settings is unknown. */
export const notASetting = sentence({
    message: "{name}: is not a setting{suggestion}",
    cause: "A field of the settings of a service, or of `statecraft:connections`, is misspelt.",
    action: "Take the spelling that the message suggests, or one of the [settings](../../README.md#settings).",
});

/** A key of the configuration is unknown. */
export const notAKey = sentence({
    message: `{key}: has no effect, because it is not one of ${configKeys.join(", ")}{suggestion}`,
    cause: "A key of the stack's configuration begins like ours and is misspelt. In a project that is called `statecraft`, keys that are not ours are the program's own.",
    action: "Take the right one of the keys that the message names, and remove the other with `pulumi config rm`.",
});

/** The file that leads the engine to the native plugin could not be written. */
export const notLinked = sentence({
    message:
        "The native plugin could not be put into {folder} ({code}). If Pulumi does not find it, name its folder in Pulumi.yaml, or set PULUMI_HOME to a folder that can be written to.",
    cause: "A program that imports `pulumi-statecraft/native` leaves a file in the folder of Pulumi's plugins, which leads the engine to the plugin. That folder cannot be written to.",
    action: "Set PULUMI_HOME to a folder that can be written to, or name the plugin's folder in `Pulumi.yaml`, as docs/native.md does for YAML.",
});

/** The object of a creation is there. */
export const exists = failure({
    code: "exists",
    message: "the {title} exists already and was left untouched",
    cause: "The object is on the server, but it is not this resource's. It may be exactly as declared and belong to another stack, or to another resource of this program, all the same.",
    action: 'To take it over, set `adopt: true` on this resource, which overwrites its values, or `adopt: "identical"`, which takes it over only if it is exactly what the program says; STATECRAFT_ADOPT=identical in the environment does so for one run. {destroy} will then delete it. {own}',
});

/** Added to `exists` in the native plugin. */
export const takesOver = sentence({
    message: "`{command}` puts it into the state of this stack as it is",
    cause: "The end of a failure with the code `exists` in the native plugin.",
    action: "Run the command, and declare the object as it is.",
});

/** The object of a creation is there, and cannot become what is asked for. */
export const notAdoptable = failure({
    code: "exists",
    message: "the {title} exists already and differs in what no update can change: {names}. It was left untouched",
    cause: "`adopt: true` takes over an object by an update, and these properties are another object's. A replacement would delete it.",
    action: "Declare {names} as on the server to take it over. If nobody needs the object, delete it on the server by hand, and run {up} again",
});

/** The object of a creation is there, and differs in a run that takes over only what is exactly as declared. */
export const notIdentical = failure({
    code: "exists",
    message: "the {title} exists already and was left untouched, because it is not what the program says: {paths}",
    cause: '`adopt: "identical"`, or STATECRAFT_ADOPT=identical in the environment, takes over only objects that are exactly as declared. The message names the properties that differ.',
    action: "Write what is on the server into the program, or set `adopt: true` on this resource, which overwrites its values",
});

/** An object is there that an unfinished creation may have made, and it differs from what that asked for. */
export const perhapsAnothers = failure({
    code: "exists",
    message:
        "whether the {title} was made by the deployment that broke off is unknown, and it is not what that one asked for, so it was left untouched",
    cause: "The answer to the creation was lost. The object that is there now may be somebody else's.",
    action: "{forget} forgets it here; delete it on the server by hand if nobody else needs it",
});

/** Two resources of one program are one object. */
export const sameObject = sentence({
    message: "the resource {name} of this program is {id} already; one object needs one resource",
    cause: "Two resources of one program have the same id: they would fight over one object. Nothing was done.",
    action: "Remove one of them, or give it the name of an object of its own.",
});

/** A write was granted and shows no effect. */
export const vanished = failure({
    code: "vanished",
    message: "the {title} was {done}, but is absent when read back",
    cause: "The write was granted. Somebody has deleted the object since, or the server that was asked afterwards does not know it yet.",
    action: "Run the command again: it looks first, and makes the object where there is none",
});

/** An id means no object of this type. */
export const wrongForm = failure({
    code: "id",
    message: "{what} does not have the form {form}",
    cause: "An id that was given by hand is not one of this type, or a name would make an id that could not be read again.",
    action: "Correct the id, or the arguments that it is made of",
});

/** A value cannot be part of an address. */
export const noPath = failure({
    code: "path",
    message: "{value} cannot stand in a path",
    cause: "A name is empty, `.` or `..`, or holds half a character. Nothing was sent.",
    action: "Correct the argument, or the id",
});

/** Writes the failure of a lookup that found nothing. */
export function absence<const Action extends string>(entry: { readonly cause: string; readonly action: Action }) {
    return failure({ code: "absent", message: "{title} does not exist, or may not be seen", ...entry });
}

/** A lookup that found nothing. */
export type Absence = Failure<"{title}">;

/** An import found nothing. */
export const absent = absence({
    cause: "A lookup by id or name found nothing, or the token may not see it.",
    action: "Check the id or the name, its form, and the token",
});

/** An object is elsewhere. */
export const otherServer = failure({
    code: "server",
    message: "it is on {server}, but the settings of {title} lead to {other}, so nothing was done",
    cause: "The resource was created on another server than the one that the settings name now.",
    action: "{add} if both are one server; else point `address` in `{key}` back. If the object is lost with its server, {forget} removes it from state",
});

/** A script's arguments mean another object. */
export const anotherObject = sentence({
    message: "{name}: names another object",
    cause: "A script's arguments mean another object than the id beside them. Nothing was sent.",
    action: "Give the id of that object, or its own arguments.",
});

/** A script's update would need another object. */
export const noChangeInPlace = sentence({
    message: "{name}: cannot change in place: delete this object and create another",
    cause: "A script's `update` was asked for what only another object can have. Nothing was written.",
    action: "Delete the object and create another one.",
});

/** An object is not deleted, because the program has it elsewhere. */
export const keptForAnother = sentence({
    message: "not deleted: another resource of this program manages the same object",
    cause: "A note: the resource ended, and another one of the program has its object under another name.",
    action: "Nothing.",
});

/** A preview found what would make the deployment fail. */
export const refusedNow = sentence({
    message: "this would fail now: {problem}",
    cause: "A warning of the preview, or a failure with `statecraft:strict`: a look at the service shows that the deployment would fail.",
    action: "See the line of the message that follows.",
});

/** A preview could not look. */
export const noPreview = sentence({
    message: "what this will do could not be looked up: {problem}",
    cause: "A warning of the preview: a look at the service failed. The deployment may go well all the same.",
    action: "See the line of the message that follows.",
});

/** A creation whose answer was lost, and nobody could look. */
export const unknownCreation = sentence({
    message: "whether the {title} was made is unknown; the next {up} looks again",
    cause: "The answer to the creation was lost, and nobody could look. The object is kept in state as partly created.",
    action: "Run {up} again: it looks first, and makes the object only where there is none.",
});

/** A write was granted, and the look after it failed. */
export const notReadBack = sentence({
    message: "it was written, but could not be read back; the next {up} goes on from there",
    cause: "The write succeeded and the look after it failed. The object is in state; its output `unfinished` says what is left.",
    action: "Run {up} again: it goes on from there.",
});

/** A write was granted, and the wait after it failed. */
export const notAwaited = sentence({
    message: "it was written, but waiting for it failed",
    cause: "The write succeeded. The object is in state; its output `unfinished` says what is left.",
    action: "Run {up} again: it waits again.",
});

/** The service has not taken over all that was written. */
export const droppedField = sentence({
    message:
        "{path}: the service accepted the write but does not hold this value when read back: somebody else has written it at the same time, or the service does not know the field",
    cause: "A warning: another stack, pipeline or person changed the object between the write and the look after it; or the server dropped or changed a value without a word.",
    action: "Find out who else manages the object, and let one of them do it; else check that the version of the server knows the field, or leave it out.",
});

/** The service's own warning with a success. */
export const serverWarning = sentence({
    message: "{service} says: {warning}",
    cause: "A warning of the server's own, word for word: it did what was asked, though perhaps not all of it.",
    action: "Do what it advises.",
});

/** All of them, as the page of errors lists them. */
export const sharedErrors: readonly Documented[] = [
    unset,
    bothKeys,
    usesDefault,
    notASetting,
    notAKey,
    notLinked,
    notAnArgument,
    missingArgument,
    formerName,
    maskedValue,
    wrongForm,
    noPath,
    exists,
    takesOver,
    notAdoptable,
    notIdentical,
    perhapsAnothers,
    otherServer,
    sameObject,
    absent,
    anotherObject,
    noChangeInPlace,
    keptForAnother,
    refusedNow,
    noPreview,
    unknownCreation,
    notReadBack,
    notAwaited,
    vanished,
    droppedField,
    serverWarning,
];
