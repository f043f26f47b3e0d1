/**
 * Two volumes that exist at the storage provider, made known to the scheduler. The database's one is protected, because
 * every change of a volume registers it anew.
 */
import * as statecraft from "pulumi-statecraft";

const database = new statecraft.CsiVolume(
    "database",
    {
        volumeId: "database",
        externalId: "vol-0a1b",
        pluginId: "disks",
        accessMode: "single-node-writer",
        attachmentMode: "file-system",
        topologies: [{ rack: "r1" }, { rack: "r2" }],
        waitUntilSchedulable: "2m",
    },
    { protect: true },
);

const scratch = new statecraft.CsiVolume("scratch", {
    volumeId: "scratch",
    externalId: "vol-0a1c",
    pluginId: "disks",
    accessMode: "multi-node-multi-writer",
    attachmentMode: "file-system",
    // Claims of jobs that have ended need not be waited for.
    force: true,
});

export const schedulable = { database: database.schedulable, scratch: scratch.schedulable };
