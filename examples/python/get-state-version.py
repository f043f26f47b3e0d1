import pulumi
import pulumi_statecraft as statecraft

state_version = statecraft.get_state_version_output(id="sv-3")
pulumi.export("found", state_version.created_at)
