"""Every resource and a function, on the world of the demonstration: what every-resource.yaml has."""

import json

import pulumi
import pulumi_statecraft as statecraft

method = statecraft.AuthConfig(
    "method",
    tenant_id="9a1f0c5e-0000-4000-8000-000000000001",
    resource="https://secrets.example/",
    client_id="9a1f0c5e-0000-4000-8000-000000000002",
    client_secret="planted-client-secret",
)
statecraft.RootRotation("rotation", triggers=["2026-1"], opts=pulumi.ResourceOptions(depends_on=method))
web = statecraft.AuthRole("web", name="web", bound_resource_groups=["prod"], token_ttl="1h")
hourly = statecraft.SnapshotConfig(
    "hourly",
    name="hourly",
    interval="1h",
    retain=24,
    storage=statecraft.S3StorageArgs(
        type="cloudb-s3",
        bucket="snapshots",
        region="north-1",
        path_prefix="secrets-manager",
        access_key_id="planted-key-id",
        secret_access_key_from=statecraft.SecretSourceArgs(variable="BUCKET_KEY"),
    ),
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
statecraft.CsiVolumeDetachment("repair", volume_id=data.volume_id, node="node-1")
freeze = statecraft.WorkspaceLock("freeze", workspace_id="ws-1", reason="deploy freeze")
undo = statecraft.StateVersionRollback(
    "undo", workspace_id="ws-1", state_version_id="sv-3", lock=False, opts=pulumi.ResourceOptions(depends_on=freeze)
)
state = {"version": 4, "serial": 9, "lineage": "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10", "outputs": {}, "resources": []}
made = statecraft.StateVersion(
    "made",
    workspace_id="ws-1",
    content=pulumi.StringAsset(json.dumps(state)),
    lock=False,
    opts=pulumi.ResourceOptions(depends_on=undo),
)
statecraft.StateVersionBackingData(
    "old",
    state_version_id="sv-1",
    state=statecraft.BackingDataState.SOFT_DELETED,
    opts=pulumi.ResourceOptions(depends_on=made),
)

found = statecraft.get_auth_role_output(name=web.name)
pulumi.export("foundTtl", found.token_ttl)
pulumi.export("storage", hourly.storage)
pulumi.export("rack", data.topologies.apply(lambda all: all[0]["rack"]))
pulumi.export("secret", method.client_secret)
