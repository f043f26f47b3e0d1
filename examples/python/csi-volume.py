import pulumi
import pulumi_statecraft as statecraft

database = statecraft.CsiVolume(
    "database",
    volume_id="database",
    external_id="vol-0a1b",
    plugin_id="disks",
    access_mode="single-node-writer",
    attachment_mode="file-system",
    topologies=[{"rack": "r1"}, {"rack": "r2"}],
    wait_until_schedulable="2m",
    opts=pulumi.ResourceOptions(protect=True),
)
scratch = statecraft.CsiVolume(
    "scratch",
    volume_id="scratch",
    external_id="vol-0a1c",
    plugin_id="disks",
    access_mode="multi-node-multi-writer",
    attachment_mode="file-system",
)
pulumi.export("databaseSchedulable", database.schedulable)
pulumi.export("scratchSchedulable", scratch.schedulable)
