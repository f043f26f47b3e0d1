import * as statecraft from "pulumi-statecraft";

export const volume = new statecraft.CsiVolume("data", {
    volumeId: "data",
    externalId: "vol-0a1b",
    pluginId: "disks",
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
}).id;
