import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_current_state_version(workspace_id="ws-1")
pulumi.export("found", result.id)
