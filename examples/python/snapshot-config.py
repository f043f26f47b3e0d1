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
        "maxSpace": 10000000000,
        "pathPrefix": "/var/snapshots",
        "type": "local",
    })
daily = statecraft.SnapshotConfig("daily",
    file_prefix="daily",
    interval="24h",
    name="daily",
    retain=30,
    storage={
        "accessKeyId": bucket_key_id,
        "bucket": "snapshots",
        "enableKms": True,
        "kmsKey": "snapshots",
        "pathPrefix": "vault",
        "region": "eu-central-1",
        "secretAccessKey": bucket_key,
        "type": "aws-s3",
    })
pulumi.export("hourlyId", hourly.id)
pulumi.export("dailyId", daily.id)
