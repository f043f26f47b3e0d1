import * as statecraft from "pulumi-statecraft";

export const snapshots = new statecraft.SnapshotConfig("hourly", {
    name: "hourly",
    interval: "1h",
    retain: 24,
    storage: { type: "aws-s3", bucket: "vault-snapshots", region: "eu-central-1", pathPrefix: "hourly" },
}).id;
