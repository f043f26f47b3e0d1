/**
 * A login method for one team: its configuration, and the role by which the team's machines log in. The client secret
 * comes from the stack's secret configuration: `pulumi config set --secret clientSecret`.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

const method = new statecraft.AuthConfig("method", {
    tenantId: config.get("tenantId") ?? "9a1f0c5e-0000-4000-8000-000000000001",
    resource: "https://secrets.example/",
    clientId: config.get("clientId") ?? "9a1f0c5e-0000-4000-8000-000000000002",
    clientSecret: config.getSecret("clientSecret"),
    // The provider is slow on Monday mornings.
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
