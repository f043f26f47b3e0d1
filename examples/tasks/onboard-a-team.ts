/**
 * Everything by which a new team's machines log in to the secrets manager: the configuration of the team's own login
 * method, and one role for each of its services. The method's mount, and the policies, are there already.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();
const team = config.require("team");
const mount = `clouda-${team}`;

const method = new statecraft.AuthConfig("method", {
    mount,
    tenantId: config.require("tenantId"),
    resource: "https://secrets.example/",
    clientId: config.require("clientId"),
    clientSecret: config.requireSecret("clientSecret"),
});

/** What the team runs: as whom, where, and what it may do. */
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
                // Real servers let nobody in by the resource group alone.
                boundServicePrincipalIds: [principal],
                boundResourceGroups: resourceGroups,
                tokenPolicies: policies,
                tokenTtl: "20m",
                tokenMaxTtl: "4h",
                tokenType: "batch",
            },
            // A role without the method's configuration lets nobody in.
            { dependsOn: method },
        ),
);

/** What to give to the team: where to log in, and as what. */
export const logins = roles.map((role) => ({ path: `auth/${mount}/login`, role: role.name }));
