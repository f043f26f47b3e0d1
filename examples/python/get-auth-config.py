import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_auth_config()
pulumi.export("found", result.tenant_id)
