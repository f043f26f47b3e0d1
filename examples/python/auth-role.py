import pulumi
import pulumi_statecraft as statecraft

web = statecraft.AuthRole(
    "web",
    name="web",
    bound_service_principal_ids=["9a1f0c5e-0000-4000-8000-000000000003"],
    bound_resource_groups=["web-prod", "web-staging"],
    token_policies=["web"],
    token_ttl="1h",
    token_max_ttl="24h",
    token_bound_cidrs=["10.0.0.0/8"],
)
billing = statecraft.AuthRole(
    "billing",
    name="billing",
    bound_service_principal_ids=["9a1f0c5e-0000-4000-8000-000000000004"],
    bound_resource_groups=["billing"],
    token_policies=["billing", "ledger-read"],
    token_ttl="1h",
    token_max_ttl="24h",
    token_bound_cidrs=["10.0.0.0/8"],
)
pulumi.export("webId", web.id)
pulumi.export("billingId", billing.id)
