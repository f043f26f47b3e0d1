/** The program that `pulumi import` printed, with the sources of the secrets that `npx pulumi-statecraft import` named. */
import * as statecraft from "pulumi-statecraft/native";

const azure_billing = new statecraft.AuthRole(
    "azure-billing",
    { boundGroupIds: ["billing"], name: "billing", tokenPolicies: ["ledger"] },
    { protect: true },
);
const azure_web = new statecraft.AuthRole(
    "azure-web",
    { boundGroupIds: ["admins"], name: "web", tokenPolicies: ["web"], tokenTtl: 3600 },
    { protect: true },
);
const azure_config = new statecraft.AuthConfig(
    "azure-config",
    { clientId: "c", resource: "https://vault.example", rootPasswordTtl: 15768000, tenantId: "t" },
    { protect: true },
);
const snapshots_hourly = new statecraft.SnapshotConfig(
    "snapshots-hourly",
    {
        interval: 3600,
        name: "hourly",
        retain: 24,
        storage: {
            accessKeyIdFrom: { variable: "BUCKET_KEY_ID" },
            bucket: "vault-snapshots",
            pathPrefix: "hourly",
            region: "eu-central-1",
            secretAccessKeyFrom: { variable: "BUCKET_KEY" },
            type: "aws-s3",
        },
    },
    { protect: true },
);
const default_data = new statecraft.CsiVolume(
    "default-data",
    {
        capabilities: [{ accessMode: "single-node-writer", attachmentMode: "file-system" }],
        externalId: "vol-0a1b",
        mountOptions: { fsType: "ext4", mountFlags: ["noatime"] },
        name: "data",
        pluginId: "disks",
        volumeId: "data",
    },
    { protect: true },
);

export const ids = [azure_billing.id, azure_web.id, azure_config.id, snapshots_hourly.id, default_data.id];
