import pulumi
import pulumi_statecraft as statecraft

auth_roles = statecraft.get_auth_roles_output()
pulumi.export("found", auth_roles.names)
