import pulumi
import pulumi_statecraft as statecraft

download_state = statecraft.download_state_output(state_version_id="sv-3")
pulumi.export("found", download_state.serial)
