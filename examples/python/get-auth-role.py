import pulumi
import pulumi_statecraft as statecraft

auth_role = statecraft.get_auth_role_output(name="web")
pulumi.export("found", auth_role.bound_service_principal_ids)
