import pulumi_statecraft as statecraft

data = statecraft.CsiVolume(
    "data",
    volume_id="data",
    external_id="vol-0a1b",
    plugin_id="disks",
    access_mode="single-node-writer",
    attachment_mode="file-system",
)
repair = statecraft.CsiVolumeDetachment(
    "repair",
    volume_id=data.volume_id,
    node="node-1",
    triggers=["first"],
)
