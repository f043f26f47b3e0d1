/** What is said of where snapshots go. */

import { finding } from "../../catalogue";

/** Snapshots beside everything else. */
export const rootPath = finding({
    path: "pathPrefix",
    message: "must be a directory below the root",
    cause: "Real servers (`vocabulary: product`) refuse the root for storage of the type `local`.",
    action: "Name a directory of its own.",
});

/** The same where no document forbids it. */
export const rootPathPerhaps = finding({
    path: "pathPrefix",
    message: "is the root, which no document forbids, but servers are known to refuse",
    cause: "A warning: real servers refuse it.",
    action: "Name a directory of its own.",
});

/** A prefix that runs into the names of the objects. */
export const prefixWithoutSlash = finding({
    path: "pathPrefix",
    message: "must end in / for this type of storage",
    cause: "The document asks for it; real servers (`vocabulary: product`) do not.",
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

/** A way to authenticate without its key. */
export const noAccountKey = finding({
    path: "accountKey",
    message: 'is needed where authMode is "shared"',
    cause: "The server has nothing to authenticate with.",
    action: "Set `accountKey`, or choose another `authMode`.",
});

/** The same without its identity. */
export const noClientId = finding({
    path: "clientId",
    message: 'is needed where authMode is "managed"',
    cause: "The server does not know which managed identity is meant.",
    action: "Set `clientId`, or choose another `authMode`.",
});
