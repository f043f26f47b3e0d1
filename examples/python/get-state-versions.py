import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_state_versions(organization="example",
    workspace_name="app")
pulumi.export("found", result.state_versions)
