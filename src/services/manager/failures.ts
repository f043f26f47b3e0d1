/** What the secrets manager's resources and functions say when something is wrong. */

import { failure, finding, refusal, sentence } from "../../catalogue";
import { absence } from "../../core/failures";

/** A read in another form. */
export const noData = sentence({
    message: "a read must hold an object `data`",
    cause: "Something else than the secrets manager answered, such as a proxy.",
    action: "Check `address` in the settings.",
});

/** A list in another form. */
export const noKeys = sentence({
    message: "a list must hold strings in `data.keys`",
    cause: "Something else than the secrets manager answered, such as a proxy.",
    action: "Check `address` in the settings.",
});

/** Another edition of the server. */
export const noLicence = sentence({
    message:
        "This server lacks the licence: automated snapshots need the enterprise edition of the secrets manager. Nothing was changed, and whether the object exists is not known.",
    cause: "The edition of the server has no automated snapshots.",
    action: "Point the settings to a server with the licence, or remove the resource from the program and from state ({forget}).",
});

/** The cloud environment that no server takes any more. */
export const closedEnvironment = finding({
    path: "environment",
    message: "must be one of {names} on a real Vault: the German cloud is closed",
    cause: "A warning: the document lists `CloudAGermanCloud`, but Vault refuses it.",
    action: "Take one of those that the message names, or leave `environment` out.",
});

/** A client secret leaves the program. */
export const secretLeftOut = finding({
    path: "clientSecret",
    message: "is left out from now on, so the server keeps the secret that it has; an empty string empties it there",
    cause: "A warning (a failure with `statecraft:strict`): a secret that leaves the program is left alone, because it may be a rotated one.",
    action: 'Nothing, or write `clientSecret: ""` to empty it on the server.',
});

/** Neither the program nor the server knows the tenant. */
export const noTenant = refusal({
    message: "…tenant_id is required…",
    cause: "The program leaves `tenantId` out, and the service's own environment does not have it either.",
    action: "Set `tenantId` in the program, or in the environment of the service",
});

/** The same of the resource. */
export const noResource = refusal({
    message: "…resource is required…",
    cause: "The program leaves `resource` out, and the service's own environment does not have it either.",
    action: "Set `resource` in the program, or in the environment of the service",
});

/** A lookup of a configuration found nothing. */
export const noConfig = absence({
    cause: "The login method is mounted there, but was never configured. A mount that is not there is told as a wrong path.",
    action: "Check `mount` and `namespace`, or declare an `AuthConfig`",
});

/** A rotation is going to be done. */
export const rotates = sentence({
    message:
        "this rotates the root secret of {mount}, which cannot be undone: the client secret that is in use now becomes void, and the new one is known to the service alone",
    cause: "A warning of the preview: the client secret in use becomes void as soon as this is applied.",
    action: "Go on if it is meant. To rotate no more, leave `triggers` as they were.",
});

/** A rotation came before the configuration. */
export const nothingToRotate = refusal({
    message: "…config is nil…",
    cause: "The rotation came before the configuration.",
    action: "{mount} has no configuration yet, so there is no secret to rotate: declare an `AuthConfig` and let this resource depend on it (`dependsOn`)",
});

/** A rotation whose answer was lost. */
export const perhapsRotated = sentence({
    message:
        "the answer was lost, so either the root secret of {mount} was rotated and the old one is void, or nothing was done and the old one holds. The next {up} rotates again, which is right in both cases",
    cause: "Nobody can tell the two apart. The resource is kept in state as partly created.",
    action: "Run {up} again: it rotates once more, which is right in both cases.",
});

/** The name of a role or a snapshot configuration. */
export const wrongName = sentence({
    message: "must consist of letters, digits and _, with - and single . only inside",
    cause: "The server could have no object of this name.",
    action: "Correct the name. The mount of a role is no part of it: it has an argument of its own.",
});

/** A role that restricts nobody. */
export const boundToNothing = finding({
    path: "boundServicePrincipalIds",
    message:
        "without any bound value, every machine of the tenant could log in, and Vault refuses the role: set one of {names}",
    cause: "A warning: nothing restricts who may log in. The document does not forbid that, but Vault refuses such a role.",
    action: "Set at least one of the arguments that begin with `bound`.",
});

const refusedInFact = "A warning: the document does not forbid it, but Vault refuses the role.";

/** A batch token with limited uses. */
export const batchUses = finding({
    path: "tokenNumUses",
    message: "batch tokens cannot have a limited number of uses: leave it out, or choose another tokenType",
    cause: refusedInFact,
    action: "Leave `tokenNumUses` out, or choose another `tokenType`.",
});

/** A periodic batch token. */
export const batchPeriod = finding({
    path: "tokenPeriod",
    message: "batch tokens cannot be periodic: leave it out, or choose another tokenType",
    cause: refusedInFact,
    action: "Leave `tokenPeriod` out, or choose another `tokenType`.",
});

/** A lifetime beyond the longest. */
export const ttlBeyondMaximum = finding({
    path: "tokenTtl",
    message: "must not be greater than tokenMaxTtl",
    cause: refusedInFact,
    action: "Lower `tokenTtl`, or raise `tokenMaxTtl`.",
});

/** Types of tokens that only mounts may have. */
export const typeOfMounts = finding({
    path: "tokenType",
    message: 'must be one of "service", "batch", "default" on a real Vault, which refuses the others on roles',
    cause: "A warning: the document lists `default-service` and `default-batch`, but Vault accepts them for mounts only.",
    action: "Take one of those that the message names.",
});

/** A lookup of a role found nothing. */
export const noRole = absence({
    cause: "The mount has no role of this name. A mount that is not there is told as a wrong path.",
    action: "Check `name`, `mount` and `namespace`; `getAuthRoles` lists what there is",
});

/** A login ignores the name of a machine. */
export const ignoredVm = finding({
    path: "vmName",
    message: "is ignored, because vmssName is given",
    cause: "A warning: the service looks at one of the names of a machine only.",
    action: "Leave out the one that is ignored.",
});

/** A login ignores the id of a resource. */
export const ignoredResource = finding({
    path: "resourceId",
    message: "is ignored, because {winner} is given",
    cause: "A warning: the service looks at one of the names of a machine only.",
    action: "Leave out the one that is ignored.",
});

/** The answer to a login in another form. */
export const noToken = sentence({
    message: "a login must return an object `auth` with the token",
    cause: "Something else than the login method answered under this path.",
    action: "Check `mount`, and `address` in the settings.",
});

/** Loading the newest snapshot from a disk that is lost with the server. */
export const noAutoload = finding({
    path: "autoloadEnabled",
    message: "cannot be set for storage of the type local: choose another type, or leave it out",
    cause: "A server that lost its data has lost its own disk.",
    action: "Choose another type of storage, or leave `autoloadEnabled` out.",
});

/** A file prefix that is a path. */
export const pathAsPrefix = finding({
    path: "filePrefix",
    message: "holds /, which Vault refuses",
    cause: "A warning: the document does not forbid it, but Vault refuses it.",
    action: "Name the folder in `pathPrefix` of the storage.",
});

/** No snapshot is kept. */
export const keepsNothing = finding({
    path: "retain",
    message: "0 keeps no snapshot at all, and Vault refuses it: keep one or more",
    cause: "A warning: the document sets no lower bound, but Vault refuses 0.",
    action: "Keep one or more, or leave `retain` out.",
});

/** A write is going to delete snapshots. */
export const keepsFewer = finding({
    path: "retain",
    message: "{kept} kept from now on, instead of {before}; older ones are deleted",
    cause: "A warning: the write lowers `retain`, so the next snapshot deletes older ones.",
    action: "Leave `retain` as it was if they are still wanted.",
});

/** A snapshot failed. */
export const snapshotFailed = failure({
    code: "snapshot",
    message: "the snapshot failed: {error}",
    cause: "`waitForSnapshot` saw a snapshot that failed; the configuration is written and in state.",
    action: "Mend what the message names, most often space or credentials; the next deployment waits for the next snapshot",
});

/** No snapshot in time. */
export const noSnapshotYet = failure({
    code: "timeout",
    message: "no snapshot was taken within {seconds} s{failed}",
    cause: "`waitForSnapshot` ended before there was a snapshot; the configuration is written and in state.",
    action: "Set `waitForSnapshot` to more than `interval`, or leave it out",
});

/** A lookup of a snapshot configuration found nothing. */
export const noSnapshotConfig = absence({
    cause: "The server has no configuration of this name, or the token may not see it.",
    action: "Check `name`; `getSnapshotConfigs` lists what there is",
});
