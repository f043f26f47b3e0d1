/**
 * Uploads a Terraform state to a workspace of HCP Terraform, for example when moving from another backend. Serial,
 * lineage and MD5 are taken from the state. Pulumi's state contains only a digest of it.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const file = config.get("stateFile");
const workspace = statecraft.getWorkspaceOutput({
    organization: config.get("organization") ?? "example",
    name: config.get("workspace") ?? "app",
});

// `content` takes the text of a state, an asset or the path of a file.
const emptied = { version: 4, serial: 5, lineage: "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10", outputs: {}, resources: [] };

const moved = new statecraft.StateVersion("moved", {
    workspaceId: workspace.id,
    content: file === undefined ? JSON.stringify(emptied) : new pulumi.asset.FileAsset(file),
    lock: { reason: "moving the state" },
    waitForProcessing: true,
});

export const version = moved.id;
export const serial = moved.serial;
export const resources = moved.resources.apply((all) => all?.map(({ type, name }) => `${type}.${name}`));
