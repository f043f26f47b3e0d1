import pulumi
import pulumi_statecraft as statecraft

workspace = statecraft.get_workspace_output(organization="example", name="app")
freeze = statecraft.WorkspaceLock(
    "freeze",
    workspace_id=workspace.id,
    reason="change 4711: no runs until Monday",
)
undo = statecraft.StateVersionRollback(
    "undo",
    workspace_id=workspace.id,
    state_version_id="sv-3",
    lock=False,
    on_delete="restore",
    opts=pulumi.ResourceOptions(depends_on=[freeze]),
)
pulumi.export("current", undo.current_state_version_id)
pulumi.export("lockedBy", freeze.locked_by)
