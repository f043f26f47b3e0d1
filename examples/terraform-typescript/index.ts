import * as statecraft from "pulumi-statecraft";

export const current = new statecraft.StateVersionRollback("undo", {
    workspaceId: "ws-1",
    stateVersionId: "sv-3",
}).currentStateVersionId;
