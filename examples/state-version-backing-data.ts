/**
 * Retires an old state on a self-hosted service, because it holds a password: nobody can read it from now on, and thirty
 * days later it is deleted for good. Until then, `available` brings it back.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const leaked = new statecraft.StateVersionBackingData("leaked", {
    stateVersionId: config.get("stateVersionId") ?? "sv-1",
    state: "softDeleted",
    deleteOlderThanNDays: 30,
    // To delete it at once, and for ever:
    // state: "permanentlyDeleted",
    // allowPermanentDeletion: true,
});

export const status = leaked.status;
