import pulumi
import pulumi_statecraft as statecraft

workspace = statecraft.get_workspace_output(organization="example", name="app")
undo = statecraft.StateVersionRollback(
    "undo",
    workspace_id=workspace.id,
    state_version_id="sv-3",
    lock={"reason": "incident: back to the last good state"},
    keep_locked=True,
    wait_for_processing=True,
    on_delete="restore",
)
pulumi.export("current", undo.current_state_version_id)
pulumi.export("from", undo.rolled_back_from)
