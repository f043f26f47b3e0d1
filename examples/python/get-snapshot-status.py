import pulumi
import pulumi_statecraft as statecraft

snapshot_status = statecraft.get_snapshot_status_output(name="web")
pulumi.export("found", snapshot_status.last_snapshot_start)
