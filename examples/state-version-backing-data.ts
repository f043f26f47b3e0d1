/**
 * Soft-deletes the content of an old state version of Terraform Enterprise because it contains a password. After 30
 * days the server deletes it permanently. Until then, `available` restores it.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const leaked = new statecraft.StateVersionBackingData("leaked", {
    stateVersionId: config.get("stateVersionId") ?? "sv-1",
    state: "softDeleted",
    deleteOlderThanNDays: 30,
    // To delete it permanently at once:
    // state: "permanentlyDeleted",
    // allowPermanentDeletion: true,
});

export const status = leaked.status;
