/**
 * Rolls a workspace of HCP Terraform back to its last good state version, and keeps the workspace locked for a review.
 * The workspace and the version come from the stack's configuration.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const organization = config.require("organization");
const workspaceName = config.require("workspaceName");

/** The newest versions. */
export const candidates = statecraft
    .getStateVersions({
        organization,
        workspaceName,
        status: "finalized",
        limit: 10,
    })
    .then(({ stateVersions }) =>
        stateVersions.map(({ id, createdAt, serial, resources }) => ({
            id,
            createdAt,
            serial,
            resources: resources.reduce((total, { count }) => total + count, 0),
        })),
    );

const undo = new statecraft.StateVersionRollback("undo", {
    workspaceId: statecraft.getWorkspaceOutput({ organization, name: workspaceName }).id,
    stateVersionId: config.require("goodVersionId"),
    // Otherwise a queued run would start on the restored state at once.
    lock: { reason: "incident: back to the last good state" },
    keepLocked: true,
    waitForProcessing: "2m",
    // `pulumi destroy` undoes the rollback, unless a newer version is current.
    onDelete: "restore",
});

/** The current version, and the version that `pulumi destroy` would restore. */
export const versions = { now: undo.currentStateVersionId, before: undo.previousStateVersionId };

/** The resources in the current state. */
export const resources = undo.resources.apply((all) => all?.map(({ type, name }) => `${type}.${name}`));

/** Whether a newer version is current, as of the last `pulumi up --refresh`. */
export const superseded = undo.superseded;
