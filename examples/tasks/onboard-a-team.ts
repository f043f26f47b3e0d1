/**
 * Lets a new team's Azure machines log in to Vault: configures the team's azure auth method, and creates a role for each
 * of its services. The mount and the policies exist already.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const team = config.require("team");
const mount = `azure-${team}`;

const method = new statecraft.AuthConfig("method", {
    mount,
    tenantId: config.require("tenantId"),
    // Only JWTs for Microsoft's own services name their machine, which the resource groups of the roles are compared with.
    resource: "https://management.azure.com/",
    clientId: config.require("clientId"),
    clientSecret: config.requireSecret("clientSecret"),
});

/** The team's services: service principal, resource groups and policies. */
const services = {
    api: {
        principal: config.require("apiPrincipal"),
        resourceGroups: [`${team}-prod`],
        policies: [`${team}-read`],
    },
    deployer: {
        principal: config.require("deployerPrincipal"),
        resourceGroups: [`${team}-ci`],
        policies: [`${team}-read`, `${team}-write`],
    },
};

const roles = Object.entries(services).map(
    ([service, { principal, resourceGroups, policies }]) =>
        new statecraft.AuthRole(
            service,
            {
                mount,
                name: service,
                // Vault rejects every login to a role that is bound to neither service principals nor groups.
                boundServicePrincipalIds: [principal],
                boundResourceGroups: resourceGroups,
                tokenPolicies: policies,
                tokenTtl: "20m",
                tokenMaxTtl: "4h",
                tokenType: "batch",
            },
            // Logins need the configuration.
            { dependsOn: method },
        ),
);

/** The login path and role of each service, for the team. */
export const logins = roles.map((role) => ({ path: `auth/${mount}/login`, role: role.name }));
