import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_auth_role(name="web")
pulumi.export("found", result.bound_service_principal_ids)
