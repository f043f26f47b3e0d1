import pulumi
import pulumi_statecraft as statecraft

config = pulumi.Config()
jwt = config.require_secret("jwt")
result = statecraft.login_output(role="web",
    jwt=jwt,
    subscription_id="11111111-2222-4333-8444-555555555555",
    resource_group_name="prod",
    vm_name="web-1")
pulumi.export("found", result.client_token)
