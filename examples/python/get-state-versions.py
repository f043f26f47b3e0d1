import pulumi
import pulumi_statecraft as statecraft

state_versions = statecraft.get_state_versions_output(
    organization="example",
    workspace_name="app",
)
pulumi.export("found", state_versions.state_versions)
