import pulumi
import pulumi_statecraft as statecraft

workspace = statecraft.get_workspace_output(organization="example",
    name="app")
undo = statecraft.StateVersionRollback("undo",
    keep_locked=True,
    lock={
        "reason": "incident: back to the last good state",
    },
    on_delete=statecraft.StateVersionRollbackOnDelete.RESTORE,
    state_version_id="sv-3",
    wait_for_processing=True,
    workspace_id=workspace.id)
pulumi.export("current", undo.current_state_version_id)
pulumi.export("from", undo.rolled_back_from)
