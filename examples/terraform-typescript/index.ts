import * as statecraft from "pulumi-statecraft";

const workspace = statecraft.getWorkspaceOutput({ organization: "example", name: "app" });

export const current = new statecraft.StateVersionRollback("undo", {
    workspaceId: workspace.id,
    stateVersionId: "sv-3",
}).currentStateVersionId;
