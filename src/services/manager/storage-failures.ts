/** What is said of where snapshots go. */

import { finding } from "../../catalogue";

/** Snapshots beside everything else. */
export const rootPath = finding({
    path: "pathPrefix",
    message: "is the root, which Vault refuses: name a directory below it",
    cause: "A warning: the document does not forbid the root for storage of the type `local`, but Vault refuses it.",
    action: "Name a directory of its own.",
});

/** A prefix that runs into the names of the objects. */
export const prefixWithoutSlash = finding({
    path: "pathPrefix",
    message: "must end in / for this type of storage",
    cause: "A warning: the document asks for it, but Vault does not.",
    action: "Add the slash.",
});

/** Two ways to encrypt. */
export const twoEncryptions = finding({
    path: "serverSideEncryption",
    message: "cannot be combined with enableKms: choose one of them",
    cause: "Objects are encrypted in one way.",
    action: "Leave out `serverSideEncryption` or `enableKms`.",
});

/** A key that nothing uses. */
export const keyWithoutKms = finding({
    path: "kmsKey",
    message: "has no effect unless enableKms is true",
    cause: "A warning: the key is for encryption by a key-management service, which is off.",
    action: "Set `enableKms`, or leave `kmsKey` out.",
});

/** No way to authenticate. */
export const noAuthMode = finding({
    path: "authMode",
    message: 'is needed by Vault: give "shared", "managed" or "environment"',
    cause: "A warning: the document does not have the field, but Vault refuses a configuration of this type without it.",
    action: "Set `authMode`.",
});

/** A way to authenticate without its key. */
export const noAccountKey = finding({
    path: "accountKey",
    message: 'is needed where authMode is "shared"',
    cause: "A warning: the server has nothing to authenticate with.",
    action: "Set `accountKey`, or choose another `authMode`.",
});

/** The same without its identity. */
export const noClientId = finding({
    path: "clientId",
    message: 'is needed where authMode is "managed"',
    cause: "A warning: the server does not know which managed identity is meant.",
    action: "Set `clientId`, or choose another `authMode`.",
});
