/**
 * A workspace's newest state is broken: goes back to the last good version, under a lock that stays until somebody has
 * looked. The configuration says which workspace, and which version is the good one.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

/** The newest versions, to choose from. */
export const candidates = statecraft
    .getStateVersions({
        organization: config.require("organization"),
        workspaceName: config.require("workspaceName"),
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
    workspaceId: config.require("workspaceId"),
    stateVersionId: config.require("goodVersionId"),
    // A queued run would otherwise start at once on the state that was rolled back.
    lock: { reason: "incident: going back to the last good state" },
    keepLocked: true,
    waitForProcessing: "2m",
    // `pulumi destroy` takes the rollback back, unless something newer has become current.
    onDelete: "restore",
});

/** The version that is current now, and the one that `pulumi destroy` would go back to. */
export const versions = { now: undo.currentStateVersionId, before: undo.previousStateVersionId };

/** What the state holds now: compare it with what really runs. */
export const resources = undo.resources.apply((all) => all?.map(({ type, name }) => `${type}.${name}`));

/** `pulumi up --refresh` makes it true when a newer version has become current. */
export const superseded = undo.superseded;
