/** What the secrets manager's resources and functions say when something is wrong, for the reference pages. */

import type { ToldError } from "../../core/told-error";

const licence: ToldError = {
    says: "This server lacks the licence: automated snapshots need the enterprise edition of the secrets manager.",
    means: "The edition of the server has no automated snapshots. Nothing was changed, and whether the object exists is not known.",
    todo: "Point the settings to a server with the licence, or remove the resource from the program and from state (`pulumi state delete`).",
};

const unusableList: ToldError = {
    says: "a list must hold texts in `data.keys`",
    means: "Something else than the secrets manager answered, such as a proxy.",
    todo: "Check `address` in the settings.",
};

const serverWarning: ToldError = {
    says: "the … says: …",
    means: "A warning of the server's own, word for word: it did what was asked, though perhaps not all of it.",
    todo: "Do what it advises.",
};

/** Of the login method's configuration. */
export const configFailures: readonly ToldError[] = [
    {
        says: "must be one of …",
        means: "`environment` is not one of the four cloud environments; real servers do not take each of them (`vocabulary: product`).",
        todo: "Take one of those that the message names, or leave `environment` out.",
    },
    {
        says: "must be a duration: …",
        means: "`retryDelay` or `maxRetryDelay` is no length of time.",
        todo: "Write whole seconds, or text with a unit such as `4s`.",
    },
    {
        says: "… exists already and was left untouched",
        means: "A mount has a single configuration, and this one has one. It may be another stack's.",
        todo: "Give the team a mount of its own, or take the configuration over with `adopt: true`: ids and delays are then those of the program, and so is the client secret.",
    },
    {
        says: "clientSecret: is left out from now on, so the server keeps the secret that it has",
        means: "A warning (a failure with `statecraft:strict`): a secret that leaves the program is left alone, because it may be a rotated one.",
        todo: 'Nothing, or write `clientSecret: ""` to empty it on the server.',
    },
    {
        says: "tenant_id is required",
        means: "The program leaves `tenantId` (or `resource`) out, and the service's own environment does not have it either.",
        todo: "Set it in the program, or in the environment of the service.",
    },
    serverWarning,
];

/** Of looking the configuration up. */
export const configLookupFailures: readonly ToldError[] = [
    {
        says: "the configuration of … does not exist, or may not be seen",
        means: "The login method is mounted there, but was never configured. A mount that is not there is told as a wrong path.",
        todo: "Check `mount` and `namespace`, or declare an `AuthConfig`.",
    },
];

/** Of rotations. */
export const rotationFailures: readonly ToldError[] = [
    {
        says: "this rotates the root secret of …, which cannot be undone",
        means: "A warning of the preview: the client secret in use becomes void as soon as this is applied.",
        todo: "Go on if it is meant. To rotate no more, leave `triggers` as they were.",
    },
    {
        says: "has no configuration yet, so there is no secret to rotate",
        means: "The rotation came before the configuration.",
        todo: "Declare an `AuthConfig`, and let the rotation depend on it: `{ dependsOn: config }`.",
    },
    {
        says: "the answer was lost, so either the root secret of … was rotated and the old one is void, or nothing was done and the old one holds",
        means: "Nobody can tell the two apart. The resource is kept as half-made.",
        todo: "Run `pulumi up` again: it rotates once more, which is right in both cases.",
    },
];

/** Of roles. */
export const roleFailures: readonly ToldError[] = [
    {
        says: "without any bound value, every machine of the tenant can log in",
        means: "A warning (a failure with `statecraft:strict`): nothing restricts who may log in.",
        todo: "Set at least one of the arguments that begin with `bound`.",
    },
    {
        says: "tokenBoundCidrs: is open to the whole world, which restricts nothing",
        means: "A warning: the blocks leave no address out, such as `0.0.0.0/0` or `::/0` in any spelling, or two halves.",
        todo: "Narrow the blocks, or leave `tokenBoundCidrs` out to say that nothing is restricted.",
    },
    {
        says: "tokenNumUses: batch tokens cannot have a limited number of uses",
        means: "Real servers refuse the role; the document says nothing of it, so that this is a warning without `vocabulary: product`.",
        todo: "Leave `tokenNumUses` out, or choose another `tokenType`.",
    },
    {
        says: "tokenPeriod: batch tokens cannot be periodic",
        means: "Real servers refuse the role; the document says nothing of it, so that this is a warning without `vocabulary: product`.",
        todo: "Leave `tokenPeriod` out, or choose another `tokenType`.",
    },
    {
        says: "tokenTtl: must not be greater than tokenMaxTtl",
        means: "Real servers refuse the role; the document says nothing of it, so that this is a warning without `vocabulary: product`.",
        todo: "Lower `tokenTtl`, or raise `tokenMaxTtl`.",
    },
    {
        says: "is the former name of …: give only one of them",
        means: "`policies` stands beside `tokenPolicies`, or `maxTtl` beside `tokenMaxTtl`.",
        todo: "Keep the new spelling.",
    },
];

/** Of looking a role up. */
export const roleLookupFailures: readonly ToldError[] = [
    {
        says: "the role … of … does not exist, or may not be seen",
        means: "The mount has no role of this name. A mount that is not there is told as a wrong path.",
        todo: "Check `name`, `mount` and `namespace`; `getAuthRoles` lists what there is.",
    },
    {
        says: "must consist of letters, digits and _, with - and single . only inside",
        means: "The server could have no role of this name.",
        todo: "Correct `name`; the mount has an argument of its own.",
    },
];

/** Of listing roles. */
export const roleListFailures: readonly ToldError[] = [
    unusableList,
    {
        says: "Nothing is served under this path: the address in the settings, or the mount, is probably wrong.",
        means: "The login method is not mounted there. A mount without roles is no failure: the list is empty.",
        todo: "Check `mount` and `namespace`.",
    },
];

/** Of logins. */
export const loginFailures: readonly ToldError[] = [
    {
        says: "vmName: is ignored, because vmssName is given",
        means: "A warning: the service looks at one of the names of a machine only. The same is said of `resourceId` beside either.",
        todo: "Leave out the one that is ignored.",
    },
    {
        says: "a login must return an object `auth` with the token",
        means: "Something else than the login method answered under this path.",
        todo: "Check `mount`, and `address` in the settings.",
    },
    {
        says: "The token is missing or invalid, or lacks the right for this request.",
        means: "The login was refused: no token of the settings goes along. The server's reason stands before.",
        todo: "Check `role`, its bound values, and that the `jwt` is of this machine, not expired, and made for the method's `resource`.",
    },
    serverWarning,
];

/** Of snapshot configurations. */
export const snapshotFailures: readonly ToldError[] = [
    {
        says: "retain: a single snapshot on the server's own disk is lost together with the server",
        means: "A warning: `local` storage with `retain: 1`.",
        todo: "Keep more, or choose another type of storage.",
    },
    {
        says: "kept from now on, instead of …; older ones are deleted",
        means: "A warning: the write lowers `retain`, so the next snapshot deletes older ones.",
        todo: "Leave `retain` as it was if they are still wanted.",
    },
    {
        says: "storage: the server still holds fields of another type of storage: …",
        means: "A warning: after a change of the type, the server kept fields of the former one. They have no effect.",
        todo: "Nothing, or delete the configuration by hand and run `pulumi up` again where they must not stay.",
    },
    {
        says: "the snapshot failed: …",
        means: "`waitForSnapshot` saw a snapshot that failed; the configuration is written and in state.",
        todo: "Mend what the message names (most often space or credentials) and run `pulumi up` again: it waits for the next one.",
    },
    {
        says: "no snapshot was taken within …",
        means: "`waitForSnapshot` ended before there was a snapshot; the configuration is written and in state.",
        todo: "Set `waitForSnapshot` to more than `interval`, or leave it out.",
    },
    licence,
];

/** Of looking up a snapshot configuration, or how its snapshots went. */
export const snapshotLookupFailures: readonly ToldError[] = [
    {
        says: "the snapshot configuration … does not exist, or may not be seen",
        means: "The server has no configuration of this name, or the token may not see it.",
        todo: "Check `name`; `getSnapshotConfigs` lists what there is.",
    },
    licence,
];

/** Of listing snapshot configurations. */
export const snapshotListFailures: readonly ToldError[] = [licence, unusableList];
