import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_workspace(organization="example",
    name="app")
pulumi.export("found", result.id)
