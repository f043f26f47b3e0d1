/**
 * Goes back to the last good version of a workspace's state, and keeps the workspace locked until somebody has looked:
 * a queued run would otherwise start at once on the state that was rolled back.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const undo = new statecraft.StateVersionRollback("undo", {
    workspaceId: config.get("workspaceId") ?? "ws-1",
    stateVersionId: config.get("stateVersionId") ?? "sv-3",
    lock: { reason: "incident: going back to the last good state" },
    keepLocked: true,
    waitForProcessing: true,
    // `pulumi destroy` takes the rollback back, unless something newer has become current.
    onDelete: "restore",
});

export const from = undo.rolledBackFrom;
export const current = undo.currentStateVersionId;
export const resources = undo.resources.apply((all) => all?.map(({ type, name }) => `${type}.${name}`));
