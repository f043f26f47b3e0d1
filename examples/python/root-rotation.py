import pulumi
import pulumi_statecraft as statecraft

config = pulumi.Config()
first_client_secret = config.require_secret("firstClientSecret")
method = statecraft.AuthConfig(
    "method",
    tenant_id="9a1f0c5e-0000-4000-8000-000000000001",
    resource="https://management.azure.com/",
    client_id="9a1f0c5e-0000-4000-8000-000000000002",
    client_secret=first_client_secret,
)
rotation = statecraft.RootRotation(
    "rotation",
    triggers=["2026-1"],
    opts=pulumi.ResourceOptions(depends_on=[method]),
)
pulumi.export("rotated", rotation.id)
