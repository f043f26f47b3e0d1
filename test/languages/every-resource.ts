/** Every resource and a function, for a simulator with the seed of the demonstration. `npm run docs` writes it in the other languages. */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const method = new statecraft.AuthConfig("method", {
    tenantId: "9a1f0c5e-0000-4000-8000-000000000001",
    resource: "https://secrets.example/",
    clientId: "9a1f0c5e-0000-4000-8000-000000000002",
    clientSecret: "planted-client-secret",
});
new statecraft.RootRotation("rotation", { triggers: ["2026-1"] }, { dependsOn: method });
new statecraft.AuthRole("web", { name: "web", boundResourceGroups: ["prod"], tokenTtl: "1h" });
const hourly = new statecraft.SnapshotConfig("hourly", {
    name: "hourly",
    interval: "1h",
    retain: 24,
    storage: {
        type: "aws-s3",
        bucket: "snapshots",
        region: "north-1",
        pathPrefix: "vault",
        accessKeyId: "planted-key-id",
        secretAccessKeyFrom: { variable: "BUCKET_KEY" },
    },
});
const data = new statecraft.CsiVolume("data", {
    volumeId: "data",
    name: "data",
    externalId: "vol-0a1b",
    pluginId: "disks",
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
    topologies: [{ rack: "r1" }],
});
new statecraft.CsiVolumeDetachment("repair", { volumeId: data.volumeId, node: "node-1" });
const freeze = new statecraft.WorkspaceLock("freeze", { workspaceId: "ws-1" });
const undo = new statecraft.StateVersionRollback(
    "undo",
    { workspaceId: "ws-1", stateVersionId: "sv-3", lock: false },
    { dependsOn: freeze },
);
const state = { version: 4, serial: 9, lineage: "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10", outputs: {}, resources: [] };
const made = new statecraft.StateVersion(
    "made",
    { workspaceId: "ws-1", content: new pulumi.asset.StringAsset(JSON.stringify(state)), lock: false },
    { dependsOn: undo },
);
new statecraft.StateVersionBackingData("old", { stateVersionId: "sv-1", state: "softDeleted" }, { dependsOn: made });

export const found = statecraft.getWorkspaceOutput({ organization: "example", name: "app" }).id;
export const storage = hourly.storage;
export const topologies = data.topologies;
export const secret = method.clientSecret;
