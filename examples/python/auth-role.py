import pulumi
import pulumi_statecraft as statecraft

web = statecraft.AuthRole("web",
    bound_resource_groups=[
        "web-prod",
        "web-staging",
    ],
    bound_service_principal_ids=["9a1f0c5e-0000-4000-8000-000000000003"],
    name="web",
    token_bound_cidrs=["10.0.0.0/8"],
    token_max_ttl="24h",
    token_policies=["web"],
    token_ttl="1h")
billing = statecraft.AuthRole("billing",
    bound_resource_groups=["billing"],
    bound_service_principal_ids=["9a1f0c5e-0000-4000-8000-000000000004"],
    name="billing",
    token_bound_cidrs=["10.0.0.0/8"],
    token_max_ttl="24h",
    token_policies=[
        "billing",
        "ledger-read",
    ],
    token_ttl="1h")
pulumi.export("webId", web.id)
pulumi.export("billingId", billing.id)
