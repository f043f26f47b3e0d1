/**
 * Brings what was made by hand under a program, three ways: overwritten by the program, taken over only if it is exactly
 * as declared, or read without being managed. And it lists what no program knows of yet.
 */
import * as statecraft from "pulumi-statecraft";

// The program's word counts: whatever the role held, it holds this afterwards.
const web = new statecraft.AuthRole("web", {
    name: "web",
    // Real servers let nobody in by the resource group alone.
    boundServicePrincipalIds: ["9a1f0c5e-0000-4000-8000-000000000003"],
    boundResourceGroups: ["web-prod"],
    tokenPolicies: ["web"],
    tokenTtl: "1h",
    adopt: true,
});

// Exactly what is on the server: `STATECRAFT_ADOPT=identical pulumi up` takes it over, and refuses if anything differs.
const hourly = new statecraft.SnapshotConfig("hourly", {
    name: "hourly",
    interval: "1h",
    retain: 24,
    storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 10_000_000_000 },
});

// Another team's: read, never written and never deleted.
const billing = statecraft.AuthRole.get("billing", "auth/clouda/role/billing");

/** What the other team's tokens allow. */
export const billingPolicies = billing.tokenPolicies;

const known = { roles: ["web", "billing"], snapshots: ["hourly"] };

/** Roles and snapshot configurations that are on the server and not in this program. */
export const unmanaged = {
    roles: statecraft
        .getAuthRolesOutput({})
        .names.apply((names) => names.filter((name) => !known.roles.includes(name))),
    snapshots: statecraft
        .getSnapshotConfigsOutput({})
        .names.apply((names) => names.filter((name) => !known.snapshots.includes(name))),
};

/** What this program manages from now on. */
export const managed = [web.id, hourly.id];
