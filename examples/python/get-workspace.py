import pulumi
import pulumi_statecraft as statecraft

workspace = statecraft.get_workspace_output(organization="example", name="app")
pulumi.export("found", workspace.locked)
