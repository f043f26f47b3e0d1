import pulumi
import pulumi_statecraft as statecraft

auth_config = statecraft.get_auth_config_output()
pulumi.export("found", auth_config.tenant_id)
