/**
 * The four main resources in one program, for the objects that the simulator starts with. One value of each comes from
 * the stack's configuration, so that `npm start` can show what a change does.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const tokenTtl = config.get("tokenTtl") ?? "1h";
const interval = config.get("interval") ?? "1h";
const force = config.getBoolean("force") ?? false;
const stateVersionId = config.get("stateVersionId") ?? "sv-3";

// Which Azure machines may log in to Vault, and what their tokens may do.
const web = new statecraft.AuthRole("web", {
    name: "web",
    boundServicePrincipalIds: ["9a1f0c5e-0000-4000-8000-000000000003"],
    boundResourceGroups: ["prod"],
    tokenPolicies: ["web"],
    tokenTtl,
});

// Hourly snapshots of Vault Enterprise. The newest 24 are kept.
const hourly = new statecraft.SnapshotConfig("hourly", {
    name: "hourly",
    interval,
    retain: 24,
    storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 10_000_000_000 },
});

// Registers an existing volume with Nomad.
const data = new statecraft.CsiVolume("data", {
    volumeId: "data",
    name: "data",
    externalId: "vol-0a1b",
    pluginId: "disks",
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
    // Whether `pulumi destroy` deregisters the volume although claims of ended jobs remain.
    force,
});

// Rolls the workspace's state back to an earlier version. The workspace is locked meanwhile.
const undo = new statecraft.StateVersionRollback("undo", {
    workspaceId: statecraft.getWorkspaceOutput({ organization: "example", name: "app" }).id,
    stateVersionId,
});

export const role = web.id;
export const snapshots = hourly.id;
export const volume = data.id;
export const currentStateVersion = undo.currentStateVersionId;
