/**
 * Brings lost resources of a workspace of HCP Terraform back from an older state version, and keeps everything newer.
 * The workspace, the version and the addresses come from the stack's configuration.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const undo = new statecraft.StateVersionRollback("undo", {
    workspaceId: config.require("workspaceId"),
    stateVersionId: config.require("goodVersionId"),
    only: config.requireObject<string[]>("lost"),
    // Otherwise a queued run would start on the new state at once.
    keepLocked: true,
    // `pulumi destroy` restores the version before, unless a newer version is current.
    onDelete: "restore",
});

/** The new version, and the version that `pulumi destroy` would restore. */
export const versions = { now: undo.currentStateVersionId, before: undo.previousStateVersionId };
