import pulumi
import pulumi_statecraft as statecraft

config = pulumi.Config()
bucket_key_id = config.require_secret("bucketKeyId")
bucket_key = config.require_secret("bucketKey")
hourly = statecraft.SnapshotConfig("hourly",
    interval="1h",
    name="hourly",
    retain=24,
    storage={
        "max_space": 10000000000,
        "path_prefix": "/var/snapshots",
        "type": "local",
    })
daily = statecraft.SnapshotConfig("daily",
    file_prefix="daily",
    interval="24h",
    name="daily",
    retain=30,
    storage={
        "access_key_id": bucket_key_id,
        "bucket": "snapshots",
        "enable_kms": True,
        "kms_key": "snapshots",
        "path_prefix": "secrets-manager",
        "region": "north-1",
        "secret_access_key": bucket_key,
        "type": "cloudb-s3",
    })
pulumi.export("hourlyId", hourly.id)
pulumi.export("dailyId", daily.id)
