import pulumi
import pulumi_statecraft as statecraft

database = statecraft.CsiVolume("database",
    access_mode="single-node-writer",
    attachment_mode="file-system",
    external_id="vol-0a1b",
    plugin_id="disks",
    topologies=[
        {
            "rack": "r1",
        },
        {
            "rack": "r2",
        },
    ],
    volume_id="database",
    wait_until_schedulable="2m",
    opts = pulumi.ResourceOptions(protect=True))
scratch = statecraft.CsiVolume("scratch",
    access_mode="multi-node-multi-writer",
    attachment_mode="file-system",
    external_id="vol-0a1c",
    plugin_id="disks",
    volume_id="scratch")
pulumi.export("databaseSchedulable", database.schedulable)
pulumi.export("scratchSchedulable", scratch.schedulable)
