import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_snapshot_status(name="web")
pulumi.export("found", result.last_snapshot_start)
