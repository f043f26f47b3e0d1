import pulumi
import pulumi_statecraft as statecraft

workspace = statecraft.get_workspace_output(organization="example",
    name="app")
freeze = statecraft.WorkspaceLock("freeze",
    reason="change 4711: no runs until Monday",
    workspace_id=workspace.id)
undo = statecraft.StateVersionRollback("undo",
    lock=False,
    on_delete=statecraft.StateVersionRollbackOnDelete.RESTORE,
    state_version_id="sv-3",
    workspace_id=workspace.id,
    opts = pulumi.ResourceOptions(depends_on=[freeze]))
pulumi.export("current", undo.current_state_version_id)
pulumi.export("lockedBy", freeze.locked_by)
