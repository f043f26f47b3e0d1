import pulumi
import pulumi_statecraft as statecraft

result = statecraft.download_state(state_version_id="sv-3")
pulumi.export("found", result.serial)
