/**
 * Automated snapshots of Vault Enterprise: hourly on the server's disk, daily in an S3 bucket. The bucket's keys come
 * from the stack's configuration: `pulumi config set --secret bucketKey`.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const hourly = new statecraft.SnapshotConfig("hourly", {
    name: "hourly",
    interval: "1h",
    retain: 24,
    storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 10_000_000_000 },
});

const daily = new statecraft.SnapshotConfig("daily", {
    name: "daily",
    interval: "24h",
    retain: 30,
    filePrefix: "daily",
    storage: {
        type: "aws-s3",
        bucket: "snapshots",
        region: "eu-central-1",
        pathPrefix: "vault",
        accessKeyId: config.getSecret("bucketKeyId"),
        secretAccessKey: config.getSecret("bucketKey"),
        enableKms: true,
        kmsKey: "snapshots",
    },
});

export const configurations = [hourly.id, daily.id];
