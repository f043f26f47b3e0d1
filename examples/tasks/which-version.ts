import * as statecraft from "pulumi-statecraft";

new statecraft.StateVersionRollback("undo", {
    workspaceId: statecraft.getWorkspaceOutput({ organization: "example", name: "app" }).id,
    stateVersionId: "sv-3",
});
