/**
 * Rotates the client secret of a login method once a quarter: from then on only the service itself knows it, and the one
 * that this program began with is void. `pulumi config set quarter 2026-2` and the next `pulumi up` rotate again.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const method = new statecraft.AuthConfig("method", {
    tenantId: config.get("tenantId") ?? "9a1f0c5e-0000-4000-8000-000000000001",
    resource: "https://secrets.example/",
    clientId: config.get("clientId") ?? "9a1f0c5e-0000-4000-8000-000000000002",
    // Sent once, when the configuration is made; a rotation is not undone by later deployments.
    clientSecret: config.getSecret("firstClientSecret"),
});

const rotation = new statecraft.RootRotation(
    "rotation",
    { triggers: [config.get("quarter") ?? "2026-1"] },
    { dependsOn: method },
);

export const rotated = rotation.id;
