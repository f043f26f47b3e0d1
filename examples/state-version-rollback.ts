/**
 * Rolls a workspace of HCP Terraform back to its last good state version. The workspace stays locked for a review,
 * because a queued run would otherwise start on the restored state at once.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const workspace = statecraft.getWorkspaceOutput({
    organization: config.get("organization") ?? "example",
    name: config.get("workspace") ?? "app",
});

const undo = new statecraft.StateVersionRollback("undo", {
    workspaceId: workspace.id,
    stateVersionId: config.get("stateVersionId") ?? "sv-3",
    lock: { reason: "incident: back to the last good state" },
    keepLocked: true,
    waitForProcessing: true,
    // `pulumi destroy` undoes the rollback, unless a newer version is current.
    onDelete: "restore",
});

export const from = undo.rolledBackFrom;
export const current = undo.currentStateVersionId;
export const resources = undo.resources.apply((all) => all?.map(({ type, name }) => `${type}.${name}`));
