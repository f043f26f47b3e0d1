/**
 * Freezes a workspace of HCP Terraform for a change: no run starts until the program, or its stack, is gone.
 * With `goodVersionId` in the stack's configuration, the state is rolled back under the same lock.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const workspaceId = config.require("workspaceId");
const stateVersionId = config.get("goodVersionId");

const freeze = new statecraft.WorkspaceLock("freeze", {
    workspaceId,
    reason: config.require("reason"),
});

const undo =
    stateVersionId === undefined
        ? undefined
        : new statecraft.StateVersionRollback(
              "undo",
              // `freeze` locks the workspace before, and unlocks it after this is deleted.
              { workspaceId, stateVersionId, lock: false, onDelete: "restore" },
              { dependsOn: freeze },
          );

/** The user or team that has the lock, and the version that is current since the rollback. */
export const frozen = { by: freeze.lockedBy, version: undo?.currentStateVersionId };
