/**
 * Detaches a volume from a node before the node is repaired, and again for each new ticket.
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
