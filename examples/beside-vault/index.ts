import * as pulumi from "@pulumi/pulumi";
import * as vault from "@pulumi/vault";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

// The mount, and what a machine may read after its login.
const mount = new vault.AuthBackend("azure", { type: "azure", path: "azure-web" });
const secrets = new vault.Policy("web", {
    name: "web",
    policy: 'path "secret/data/web/*" { capabilities = ["read"] }',
});

// Which machines may log in. Microsoft says only for resources of its own which machine a JWT belongs to.
const login = new statecraft.AuthConfig("azure", {
    mount: mount.path,
    tenantId: config.require("tenantId"),
    resource: "https://management.azure.com/",
});
const role = new statecraft.AuthRole("web", {
    mount: login.mount,
    name: "web",
    boundServicePrincipalIds: [config.require("principalId")],
    tokenPolicies: [secrets.name],
    tokenTtl: "1h",
});

// Who reviews the role: its id is its path.
const reviewers = new vault.Policy("web-reviewers", {
    name: "web-reviewers",
    policy: pulumi.interpolate`path "${role.id}" { capabilities = ["read"] }`,
});

export const path = role.id;
export const policies = [secrets.name, reviewers.name];
