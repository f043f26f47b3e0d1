import pulumi
import pulumi_statecraft as statecraft

snapshot_configs = statecraft.get_snapshot_configs_output()
pulumi.export("found", snapshot_configs.names)
