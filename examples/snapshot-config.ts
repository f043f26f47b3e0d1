/**
 * Hourly snapshots on the server's own disk, and a daily one in a bucket elsewhere. The bucket's keys come from the
 * stack's secret configuration: `pulumi config set --secret bucketKey`.
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
        type: "cloudb-s3",
        bucket: "snapshots",
        region: "north-1",
        pathPrefix: "secrets-manager",
        accessKeyId: config.getSecret("bucketKeyId"),
        secretAccessKey: config.getSecret("bucketKey"),
        enableKms: true,
        kmsKey: "snapshots",
    },
});

export const configurations = [hourly.id, daily.id];
