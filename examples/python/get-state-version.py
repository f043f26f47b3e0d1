import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_state_version(id="sv-3")
pulumi.export("found", result.created_at)
