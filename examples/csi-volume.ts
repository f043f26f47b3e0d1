/**
 * Registers two existing volumes with Nomad. The database's volume is protected against deletion, because most changes
 * replace the registration.
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
});

export const schedulable = { database: database.schedulable, scratch: scratch.schedulable };
