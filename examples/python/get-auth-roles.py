import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_auth_roles()
pulumi.export("found", result.names)
