/**
 * All four resources in one program, made for the simulator's seeded world. One value of each comes from the stack's
 * configuration, so that `npm start` can show what happens when a program changes.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const tokenTtl = config.get("tokenTtl") ?? "1h";
const interval = config.get("interval") ?? "1h";
const force = config.getBoolean("force") ?? false;
const stateVersionId = config.get("stateVersionId") ?? "sv-3";

// Who may log in, and what they get.
const web = new statecraft.AuthRole("web", {
    name: "web",
    boundResourceGroups: ["prod"],
    tokenPolicies: ["web"],
    tokenTtl,
});

// A snapshot of the secrets manager, again and again; the newest 24 are kept.
const hourly = new statecraft.SnapshotConfig("hourly", {
    name: "hourly",
    interval,
    retain: 24,
    storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 10_000_000_000 },
});

// A volume that exists at the storage provider, made known to the scheduler.
const data = new statecraft.CsiVolume("data", {
    volumeId: "data",
    name: "data",
    externalId: "vol-0a1b",
    pluginId: "disks",
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
    // Whether `pulumi destroy` drops claims of jobs that have ended.
    force,
});

// The workspace's current state is broken: go back to an earlier version. The workspace is locked meanwhile.
const undo = new statecraft.StateVersionRollback("undo", {
    workspaceId: "ws-1",
    stateVersionId,
});

export const role = web.id;
export const snapshots = hourly.id;
export const volume = data.id;
export const currentStateVersion = undo.currentStateVersionId;
