/**
 * A node is about to be repaired: the volume that it may still hold is detached from it. Another ticket detaches
 * again.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const ticket = new pulumi.Config().get("ticket") ?? "first";

const data = new statecraft.CsiVolume("data", {
    volumeId: "data",
    externalId: "vol-0a1b",
    pluginId: "disks",
    accessMode: "single-node-writer",
    attachmentMode: "file-system",
});

new statecraft.CsiVolumeDetachment("repair", {
    volumeId: data.volumeId,
    node: "node-1",
    triggers: [ticket],
});
