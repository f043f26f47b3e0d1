/**
 * Three ways to use existing Vault objects: adopt and overwrite one, adopt one only if it is as declared, or read one
 * without managing it. The outputs list the objects that the program does not manage.
 */
import * as statecraft from "pulumi-statecraft";

// Overwrites the existing role.
const web = new statecraft.AuthRole("web", {
    name: "web",
    // Vault rejects every login to a role that is bound to neither service principals nor groups.
    boundServicePrincipalIds: ["9a1f0c5e-0000-4000-8000-000000000003"],
    boundResourceGroups: ["web-prod"],
    tokenPolicies: ["web"],
    tokenTtl: "1h",
    adopt: true,
});

// `STATECRAFT_ADOPT=identical pulumi up` adopts it, and fails if the configuration on the server differs.
const hourly = new statecraft.SnapshotConfig("hourly", {
    name: "hourly",
    interval: "1h",
    retain: 24,
    storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 10_000_000_000 },
});

// Another team's role: read only.
const billing = statecraft.AuthRole.get("billing", "auth/azure/role/billing");

/** The policies of the other team's role. */
export const billingPolicies = billing.tokenPolicies;

const known = { roles: ["web", "billing"], snapshots: ["hourly"] };

/** Roles and snapshot configurations on the server that are not in this program. */
export const unmanaged = {
    roles: statecraft
        .getAuthRolesOutput({})
        .names.apply((names) => names.filter((name) => !known.roles.includes(name))),
    snapshots: statecraft
        .getSnapshotConfigsOutput({})
        .names.apply((names) => names.filter((name) => !known.snapshots.includes(name))),
};

/** The objects that this program manages. */
export const managed = [web.id, hourly.id];
