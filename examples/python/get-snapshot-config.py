import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_snapshot_config(name="web")
pulumi.export("found", result.interval)
