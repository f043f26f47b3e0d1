/**
 * A Vault azure auth role for each team that deploys from virtual machines.
 */
import * as statecraft from "pulumi-statecraft";

const teams = {
    web: {
        principals: ["9a1f0c5e-0000-4000-8000-000000000003"],
        resourceGroups: ["web-prod", "web-staging"],
        policies: ["web"],
    },
    billing: {
        principals: ["9a1f0c5e-0000-4000-8000-000000000004"],
        resourceGroups: ["billing"],
        policies: ["billing", "ledger-read"],
    },
};

export const roles = Object.entries(teams).map(
    ([team, { principals, resourceGroups, policies }]) =>
        new statecraft.AuthRole(team, {
            name: team,
            // Vault rejects every login to a role that is bound to neither service principals nor groups.
            boundServicePrincipalIds: principals,
            boundResourceGroups: resourceGroups,
            tokenPolicies: policies,
            tokenTtl: "1h",
            tokenMaxTtl: "24h",
            // Tokens work inside the network only.
            tokenBoundCidrs: ["10.0.0.0/8"],
        }).id,
);
