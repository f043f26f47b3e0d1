import pulumi
import pulumi_statecraft as statecraft

method = statecraft.AuthConfig(
    "method",
    tenant_id="9a1f0c5e-0000-4000-8000-000000000001",
    resource="https://secrets.example/",
    client_id="9a1f0c5e-0000-4000-8000-000000000002",
    client_secret="planted-client-secret",
)
rotation = statecraft.RootRotation(
    "rotation",
    triggers=["2026-1"],
    opts=pulumi.ResourceOptions(depends_on=[method]),
)
web = statecraft.AuthRole(
    "web",
    name="web",
    bound_resource_groups=["prod"],
    token_ttl="1h",
)
hourly = statecraft.SnapshotConfig(
    "hourly",
    name="hourly",
    interval="1h",
    retain=24,
    storage={
        "type": "aws-s3",
        "bucket": "snapshots",
        "region": "north-1",
        "pathPrefix": "vault",
        "accessKeyId": "planted-key-id",
        "secretAccessKeyFrom": {"variable": "BUCKET_KEY"},
    },
)
data = statecraft.CsiVolume(
    "data",
    volume_id="data",
    name="data",
    external_id="vol-0a1b",
    plugin_id="disks",
    access_mode="single-node-writer",
    attachment_mode="file-system",
    topologies=[{"rack": "r1"}],
)
repair = statecraft.CsiVolumeDetachment(
    "repair",
    volume_id=data.volume_id,
    node="node-1",
)
freeze = statecraft.WorkspaceLock("freeze", workspace_id="ws-1")
undo = statecraft.StateVersionRollback(
    "undo",
    workspace_id="ws-1",
    state_version_id="sv-3",
    lock=False,
    opts=pulumi.ResourceOptions(depends_on=[freeze]),
)
made = statecraft.StateVersion(
    "made",
    workspace_id="ws-1",
    content=pulumi.StringAsset("{\"version\":4,\"serial\":9,\"lineage\":\"5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10\",\"outputs\":{},\"resources\":[]}"),
    lock=False,
    opts=pulumi.ResourceOptions(depends_on=[undo]),
)
old = statecraft.StateVersionBackingData(
    "old",
    state_version_id="sv-1",
    state="softDeleted",
    opts=pulumi.ResourceOptions(depends_on=[made]),
)
workspace = statecraft.get_workspace_output(organization="example", name="app")
pulumi.export("found", workspace.id)
pulumi.export("secret", method.client_secret)
pulumi.export("storage", hourly.storage)
pulumi.export("topologies", data.topologies)
