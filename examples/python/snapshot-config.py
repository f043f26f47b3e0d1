import pulumi
import pulumi_statecraft as statecraft

config = pulumi.Config()
bucket_key_id = config.require_secret("bucketKeyId")
bucket_key = config.require_secret("bucketKey")
hourly = statecraft.SnapshotConfig(
    "hourly",
    name="hourly",
    interval="1h",
    retain=24,
    storage={"type": "local", "pathPrefix": "/var/snapshots", "maxSpace": 10000000000},
)
daily = statecraft.SnapshotConfig(
    "daily",
    name="daily",
    interval="24h",
    retain=30,
    file_prefix="daily",
    storage={
        "type": "aws-s3",
        "bucket": "snapshots",
        "region": "eu-central-1",
        "pathPrefix": "vault",
        "accessKeyId": bucket_key_id,
        "secretAccessKey": bucket_key,
        "enableKms": True,
        "kmsKey": "snapshots",
    },
)
pulumi.export("hourlyId", hourly.id)
pulumi.export("dailyId", daily.id)
