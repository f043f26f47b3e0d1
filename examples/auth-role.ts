/**
 * One role for each team that deploys from virtual machines: what they may log in from, and what their tokens allow.
 */
import * as statecraft from "pulumi-statecraft";

const teams = {
    web: { resourceGroups: ["web-prod", "web-staging"], policies: ["web"] },
    billing: { resourceGroups: ["billing"], policies: ["billing", "ledger-read"] },
};

export const roles = Object.entries(teams).map(
    ([team, { resourceGroups, policies }]) =>
        new statecraft.AuthRole(team, {
            name: team,
            boundResourceGroups: resourceGroups,
            tokenPolicies: policies,
            tokenTtl: "1h",
            tokenMaxTtl: "24h",
            // Tokens are only good inside the network.
            tokenBoundCidrs: ["10.0.0.0/8"],
        }).id,
);
