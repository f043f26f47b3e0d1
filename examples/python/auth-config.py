import pulumi
import pulumi_statecraft as statecraft

config = pulumi.Config()
client_secret = config.require_secret("clientSecret")
method = statecraft.AuthConfig(
    "method",
    tenant_id="9a1f0c5e-0000-4000-8000-000000000001",
    resource="https://management.azure.com/",
    client_id="9a1f0c5e-0000-4000-8000-000000000002",
    client_secret=client_secret,
    max_retries=5,
    retry_delay="2s",
    max_retry_delay="2m",
)
web = statecraft.AuthRole(
    "web",
    name="web",
    bound_service_principal_ids=["9a1f0c5e-0000-4000-8000-000000000003"],
    bound_resource_groups=["prod"],
    token_policies=["web"],
    token_ttl="1h",
    opts=pulumi.ResourceOptions(depends_on=[method]),
)
pulumi.export("methodId", method.id)
pulumi.export("webId", web.id)
