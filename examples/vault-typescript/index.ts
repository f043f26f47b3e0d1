import * as statecraft from "pulumi-statecraft";

export const role = new statecraft.AuthRole("web", {
    name: "web",
    boundServicePrincipalIds: ["9a1f0c5e-0000-4000-8000-000000000003"],
    tokenPolicies: ["web"],
    tokenTtl: "1h",
}).id;

// Vault Enterprise only.
export const snapshots = new statecraft.SnapshotConfig("hourly", {
    name: "hourly",
    interval: "1h",
    retain: 24,
    storage: { type: "aws-s3", bucket: "vault-snapshots", region: "eu-central-1", pathPrefix: "hourly" },
}).id;
