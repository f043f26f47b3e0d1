import pulumi
import pulumi_statecraft as statecraft

config = pulumi.Config()
jwt = config.require_secret("jwt")
login = statecraft.login_output(
    role="web",
    jwt=jwt,
    vm_name="web-1",
    resource_group_name="prod",
    subscription_id="11111111-2222-4333-8444-555555555555",
)
pulumi.export("found", login.client_token)
