/**
 * Vault's azure auth method: its configuration, and a role. The client secret comes from the stack's configuration:
 * `pulumi config set --secret clientSecret`.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const method = new statecraft.AuthConfig("method", {
    tenantId: config.get("tenantId") ?? "9a1f0c5e-0000-4000-8000-000000000001",
    resource: "https://management.azure.com/",
    clientId: config.get("clientId") ?? "9a1f0c5e-0000-4000-8000-000000000002",
    clientSecret: config.getSecret("clientSecret"),
    // For Azure APIs that answer slowly.
    maxRetries: 5,
    retryDelay: "2s",
    maxRetryDelay: "2m",
});

const web = new statecraft.AuthRole(
    "web",
    {
        name: "web",
        boundServicePrincipalIds: ["9a1f0c5e-0000-4000-8000-000000000003"],
        boundResourceGroups: ["prod"],
        tokenPolicies: ["web"],
        tokenTtl: "1h",
    },
    { dependsOn: method },
);

export const ids = [method.id, web.id];
