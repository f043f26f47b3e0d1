import pulumi_statecraft as statecraft

data = statecraft.CsiVolume("data",
    access_mode="single-node-writer",
    attachment_mode="file-system",
    external_id="vol-0a1b",
    plugin_id="disks",
    volume_id="data")
repair = statecraft.CsiVolumeDetachment("repair",
    node="node-1",
    triggers=["first"],
    volume_id=data.volume_id)
