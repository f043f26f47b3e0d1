import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import * as statecraft from "pulumi-statecraft";

// The volumes of all stacks are in one cluster, so each has an id of its own.
const suffix = new random.RandomId("suffix", { byteLength: 4 });

const volume = new statecraft.CsiVolume("data", {
    volumeId: pulumi.interpolate`data-${suffix.hex}`,
    externalId: "vol-0a1b",
    pluginId: "disks",
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
});

// Another volume means a new database, and a new password.
const password = new random.RandomPassword("database", { length: 32, keepers: { volume: volume.id } });

export const volumeId = volume.id;
export const databasePassword = password.result;
