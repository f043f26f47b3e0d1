import pulumi
import pulumi_statecraft as statecraft

web = statecraft.AuthRole("web",
    bound_resource_groups=[
        "web-prod",
        "web-staging",
    ],
    name="web",
    token_bound_cidrs=["10.0.0.0/8"],
    token_max_ttl="24h",
    token_policies=["web"],
    token_ttl="1h")
billing = statecraft.AuthRole("billing",
    bound_resource_groups=["billing"],
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
