/** What the secrets manager's resources say when something is wrong, for the reference pages. */

import type { ToldError } from "../../core/told-error";

const licence: ToldError = {
    says: "This server lacks the licence: automated snapshots need the enterprise edition of the secrets manager.",
    means: "The edition of the server has no automated snapshots. Nothing was changed, and whether the object exists is not known.",
    todo: "Point the settings to a server with the licence, or remove the resource from the program and from state (`pulumi state delete`).",
};

/** Of roles. */
export const roleFailures: readonly ToldError[] = [
    {
        says: "without any bound value, every machine of the tenant can log in",
        means: "A warning (a failure with `statecraft:strict`): nothing restricts who may log in.",
        todo: "Set at least one of the arguments that begin with `bound`.",
    },
    {
        says: "holds a block that is open to the whole world, which restricts nothing",
        means: "A warning: `0.0.0.0/0` or `::/0` is among the blocks.",
        todo: "Narrow the block, or leave `tokenBoundCidrs` out to say that nothing is restricted.",
    },
    {
        says: "tokenNumUses: batch tokens cannot have a limited number of uses",
        means: "The server would refuse the role, or its logins.",
        todo: "Leave `tokenNumUses` out, or choose another `tokenType`.",
    },
    {
        says: "tokenPeriod: batch tokens cannot be periodic",
        means: "The server would refuse the role, or its logins.",
        todo: "Leave `tokenPeriod` out, or choose another `tokenType`.",
    },
    {
        says: "tokenTtl: must not be greater than tokenMaxTtl",
        means: "The server would refuse the role.",
        todo: "Lower `tokenTtl`, or raise `tokenMaxTtl`.",
    },
    {
        says: "is the former spelling of …: give only one of them",
        means: "`policies` stands beside `tokenPolicies`, or `maxTtl` beside `tokenMaxTtl`.",
        todo: "Keep the new spelling.",
    },
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
