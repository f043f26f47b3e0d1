import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_snapshot_configs()
pulumi.export("found", result.names)
