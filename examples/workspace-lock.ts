/**
 * Freezes a workspace of HCP Terraform while another team changes it, and rolls its state back under that lock.
 * `pulumi destroy` undoes the rollback, and then unlocks the workspace.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const workspace = statecraft.getWorkspaceOutput({
    organization: config.get("organization") ?? "example",
    name: config.get("workspace") ?? "app",
});

const freeze = new statecraft.WorkspaceLock("freeze", {
    workspaceId: workspace.id,
    reason: "change 4711: no runs until Monday",
});

const undo = new statecraft.StateVersionRollback(
    "undo",
    {
        workspaceId: workspace.id,
        stateVersionId: config.get("stateVersionId") ?? "sv-3",
        // The lock of `freeze`: this account has it.
        lock: false,
        onDelete: "restore",
    },
    { dependsOn: freeze },
);

export const lockedBy = freeze.lockedBy;
export const current = undo.currentStateVersionId;
