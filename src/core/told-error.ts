/** What failures say, what they mean, and what to do then: for the reference pages. Those here may come from any resource. */

/** One failure or warning, as a user meets it. */
export interface ToldError {
    /** Its words; `…` stands for what differs. */
    readonly says: string;
    readonly means: string;
    readonly todo: string;
}

/** Failures that every resource and function shares. */
export const sharedErrors: readonly ToldError[] = [
    {
        says: "no … is set for …",
        means: "The settings name no address, or no token, for the service.",
        todo: "Set it in the stack's configuration or in the environment: the message names both ways.",
    },
    {
        says: "… is not a setting",
        means: "A field of `statecraft:manager`, `statecraft:volumes`, `statecraft:stateVersions` or `statecraft:connections` is misspelt.",
        todo: "Take the spelling that the message suggests, or one of the [settings](../../README.md#settings).",
    },
    {
        says: "… is not an argument",
        means: "An argument is misspelt, or belongs to another resource or another form of an object.",
        todo: "Take the spelling that the message suggests, or leave it out.",
    },
    {
        says: "… is required",
        means: "An argument is missing. Every problem of the arguments is reported at once, in the preview already.",
        todo: "Add it.",
    },
    {
        says: "… exists already and was left untouched",
        means: "The object is on the server, but it is not this resource's. It may be exactly as declared and belong to another stack, or to another resource of this program, all the same.",
        todo: "Choose another name, or take it over: `adopt: true` on the resource, or `STATECRAFT_ADOPT=identical` in the environment of one run for objects that are exactly as declared.",
    },
    {
        says: "the resource … of this program is … already; one object needs one resource",
        means: "Two resources of one program have the same id: they would fight over one object. Nothing was done.",
        todo: "Remove one of them, or give it the name of an object of its own.",
    },
    {
        says: "The token is missing or invalid, or lacks the right for this request.",
        means: "The service answered 401 or 403. That never counts as gone: a refresh fails, and the state is kept.",
        todo: "Check the token and its rights. `pulumi refresh` and `pulumi destroy` use the configuration of the last `pulumi up` unless run with `--run-program`; a token in the environment is always used.",
    },
    {
        says: "Nothing is served under this path: the address in the settings, or the mount, is probably wrong.",
        means: "A 404 that is not the service's own way to say that an object is absent, or a 501.",
        todo: "Check `address` (that of the state versions ends in `/api/v2`) and `mount`.",
    },
    {
        says: "Is the service running, and its address right?",
        means: "No connection came about, or it was cut. What is safe to repeat was repeated, up to `maxRetries`.",
        todo: "Check the address, the network and the proxies, and run again: nothing is done twice.",
    },
    {
        says: "it is on …, but the settings of the … lead to …",
        means: "The resource was made on another server than the one that the settings name now. Nothing was done.",
        todo: "Point the settings back. If it is one server under two addresses, list the old one in `formerAddresses`; if the object is lost with its server, `pulumi state delete` forgets it.",
    },
    {
        says: "… names another object",
        means: "A script's arguments mean another object than the id beside them. Nothing was sent.",
        todo: "Give the id of that object, or its own arguments.",
    },
    {
        says: "… cannot change in place",
        means: "A script's `update` was asked for what only another object can have. Nothing was written.",
        todo: "Delete the object and create another one.",
    },
    {
        says: "stays as it is, because a resource of the program has it",
        means: "A note: the resource ended, and another one of the program has its object under another name.",
        todo: "Nothing.",
    },
    {
        says: "… nothing can be deployed with these settings: …",
        means: "A warning in a preview, once for each service: its address, token or files are not set or wrong. With `statecraft:strict` it is a failure.",
        todo: "Set what the message names: `pulumi up` would fail.",
    },
    {
        says: "does not exist, or may not be seen",
        means: "A lookup by id or name found nothing, or the token may not see it.",
        todo: "Check the id, its form, and the token.",
    },
    {
        says: "whether the … was made is unknown",
        means: "The answer to the creation was lost, and nobody could look. The object is kept in state as half-made.",
        todo: "Run `pulumi up` again: it looks first, and makes the object only where there is none.",
    },
    {
        says: "it was written, but could not be read back",
        means: "The write succeeded and the look after it failed. The object is in state; its output `unfinished` says what is left.",
        todo: "Run `pulumi up` again: it goes on from there.",
    },
    {
        says: "the service accepted the write but does not hold this value when read back: somebody else has written it at the same time, or the service does not know the field",
        means: "A warning: another stack, pipeline or person changed the object between the write and the look after it; or the server dropped or changed a value without a word.",
        todo: "Find out who else manages the object, and let one of them do it; else check that the version of the server knows the field, or leave it out.",
    },
];
