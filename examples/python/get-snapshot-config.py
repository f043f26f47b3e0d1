import pulumi
import pulumi_statecraft as statecraft

snapshot_config = statecraft.get_snapshot_config_output(name="web")
pulumi.export("found", snapshot_config.interval)
