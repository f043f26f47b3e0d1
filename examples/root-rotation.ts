/**
 * Rotates the client secret of Vault's azure auth method once a quarter. Only Vault knows the new secret; the first one
 * becomes invalid. `pulumi config set quarter 2026-2` and the next `pulumi up` rotate again.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const method = new statecraft.AuthConfig("method", {
    tenantId: config.get("tenantId") ?? "9a1f0c5e-0000-4000-8000-000000000001",
    resource: "https://management.azure.com/",
    clientId: config.get("clientId") ?? "9a1f0c5e-0000-4000-8000-000000000002",
    // Sent when the configuration is created only, so later deployments do not undo the rotation.
    clientSecret: config.getSecret("firstClientSecret"),
});

const rotation = new statecraft.RootRotation(
    "rotation",
    { triggers: [config.get("quarter") ?? "2026-1"] },
    { dependsOn: method },
);

export const rotated = rotation.id;
