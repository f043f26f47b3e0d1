import pulumi
import pulumi_statecraft as statecraft

current_state_version = statecraft.get_current_state_version_output(
    workspace_id="ws-1",
)
pulumi.export("found", current_state_version.id)
