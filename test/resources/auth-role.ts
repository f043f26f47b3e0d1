import { camelCase, same } from "../support/endpoints";
import { identityToken } from "../support/injector";
import type { NamedObjectFacts } from "../support/resource-facts";
import { configured } from "./auth-config";

const path = "/v1/auth/azure/role/dev";

/** The fields of a role without values, as a read returns them. */
export const unset = {
    bound_service_principal_ids: [],
    bound_group_ids: [],
    bound_locations: [],
    bound_subscription_ids: [],
    bound_resource_groups: [],
    bound_scale_sets: [],
    token_ttl: 0,
    token_max_ttl: 0,
    token_policies: [],
    token_bound_cidrs: [],
    token_explicit_max_ttl: 0,
    token_no_default_policy: false,
    token_num_uses: 0,
    token_period: 0,
    token_type: "default",
};
/** The fields of a role without values, as a write sends them. */
export const unsetSent = { ...unset, alias_metadata: {} };

const full = {
    name: "dev",
    boundServicePrincipalIds: ["sp-1"],
    boundGroupIds: ["g-2", "g-1"],
    boundLocations: ["north"],
    boundSubscriptionIds: ["s-1"],
    boundResourceGroups: ["rg-1", "rg-2"],
    boundScaleSets: ["set-1"],
    tokenTtl: "1h",
    tokenMaxTtl: "24h",
    tokenPolicies: ["web", "base"],
    tokenBoundCidrs: ["10.0.0.0/8", "192.0.2.1/32"],
    tokenExplicitMaxTtl: 90_000,
    tokenNoDefaultPolicy: true,
    tokenNumUses: 5,
    tokenPeriod: "2h",
    tokenType: "service",
    aliasMetadata: { team: "web", tier: "1" },
};
const web = { name: "web", boundResourceGroups: ["prod"], tokenPolicies: ["web"], tokenTtl: 3600 };
const fields = `bound_service_principal_ids bound_group_ids bound_locations bound_subscription_ids bound_resource_groups bound_scale_sets
    token_ttl token_bound_cidrs token_explicit_max_ttl token_no_default_policy token_num_uses token_period token_type max_jwt_exp`;
const subscription = "11111111-2222-4333-8444-555555555555";

/** A role of the login method, and logins with the role. */
export const authRole: NamedObjectFacts = {
    type: "AuthRole",
    seed: { mounts: ["azure", "edge/azure"] },
    id: "auth/azure/role/dev",
    minimal: { name: "dev", boundResourceGroups: ["prod"] },
    optional: ["boundResourceGroups"],
    full,
    path,
    requests: {
        method: "POST",
        minimal: { ...unsetSent, bound_resource_groups: ["prod"] },
        full: {
            bound_service_principal_ids: ["sp-1"],
            bound_group_ids: ["g-2", "g-1"],
            bound_locations: ["north"],
            bound_subscription_ids: ["s-1"],
            bound_resource_groups: ["rg-1", "rg-2"],
            bound_scale_sets: ["set-1"],
            token_ttl: 3600,
            token_max_ttl: 86400,
            token_policies: ["web", "base"],
            token_bound_cidrs: ["10.0.0.0/8", "192.0.2.1/32"],
            token_explicit_max_ttl: 90000,
            token_no_default_policy: true,
            token_num_uses: 5,
            token_period: 7200,
            token_type: "service",
            alias_metadata: { team: "web", tier: "1" },
        },
        edited: { token_num_uses: 3 },
    },
    changes: [
        { boundServicePrincipalIds: ["sp-2"], boundGroupIds: undefined },
        { boundResourceGroups: [] },
        { tokenTtl: undefined, tokenMaxTtl: undefined, tokenExplicitMaxTtl: undefined },
        { tokenPolicies: "web, other" },
        { tokenPolicies: undefined, tokenBoundCidrs: undefined, tokenNoDefaultPolicy: undefined },
        { tokenType: undefined },
        { tokenType: "batch", tokenNumUses: undefined, tokenPeriod: undefined },
        { aliasMetadata: undefined },
        { aliasMetadata: { team: "data" } },
    ],
    replaces: [{ name: "other" }, { mount: "edge/azure" }, { namespace: "team" }],
    spellings: [
        { name: "DEV" },
        { tokenTtl: 3600 },
        { tokenTtl: "3600" },
        { tokenTtl: "60m" },
        { boundGroupIds: ["g-1", "g-2", "g-1"] },
        { tokenPolicies: "base,web" },
        { tokenPolicies: undefined, policies: ["web", "base"] },
        { tokenMaxTtl: undefined, maxTtl: 86_400 },
        { tokenBoundCidrs: "192.0.2.1, 10.0.0.0/8" },
        { tokenBoundCidrs: ["192.0.2.1", "192.0.2.1/32", "10.0.0.0/8"] },
        { mount: "/azure/" },
        { namespace: "" },
        { aliasMetadata: { tier: "1", team: "web" } },
    ],
    drift: ["aliasMetadata", "tokenPolicies", "tokenTtl", "boundLocations", "tokenType"],
    driftWithoutEmpty: ["aliasMetadata", "tokenPolicies", "tokenTtl", "tokenType"],
    refused: [
        [{ name: "a/b" }, "name"],
        [{ namespace: "a@b" }, "namespace"],
        [{ name: "-a" }, "name"],
        [{ name: "a." }, "name"],
        [{ name: "a..b" }, "name"],
        [{ tokenTtl: "abc" }, "tokenTtl"],
        [{ tokenTtl: -5 }, "tokenTtl"],
        [{ tokenTtl: 1.5 }, "tokenTtl"],
        [{ tokenNumUses: -1 }, "tokenNumUses"],
        [{ tokenType: "nonsense" }, "tokenType"],
        [{ tokenBoundCidrs: ["nonsense"] }, "tokenBoundCidrs"],
        [{ tokenBoundCidrs: "10.0.0.0/99" }, "tokenBoundCidrs"],
        [{ tokenPolicies: ["a"], policies: ["b"] }, "policies"],
        [{ tokenMaxTtl: 1, maxTtl: 1 }, "maxTtl"],
        [{ boundGroupIds: "a,b" }, "boundGroupIds"],
        ...[
            "boundServicePrincipalIds",
            "boundGroupIds",
            "boundLocations",
            "boundSubscriptionIds",
            "boundResourceGroups",
            "boundScaleSets",
            "tokenPolicies",
            "policies",
            "tokenBoundCidrs",
        ].flatMap((name) => [[""], [" "], ["10.0.0.0/8", ""]].map((list) => [{ [name]: list }, name] as const)),
        ...["tokenPolicies", "policies", "tokenBoundCidrs"].flatMap((name) =>
            ["10.0.0.0/8,,10.0.0.1", "10.0.0.0/8,", " "].map((list) => [{ [name]: list }, name] as const),
        ),
        [{ tokenNoDefaultPolicy: "yes" }, "tokenNoDefaultPolicy"],
        [{ maxJwtExp: "1h" }, "maxJwtExp"],
        [{ aliasMetadata: { team: 1 } }, 'aliasMetadata["team"]'],
    ],
    drifted: {
        token_policies: ["admin"],
        token_ttl: 60,
        bound_locations: [],
        token_type: "default",
        alias_metadata: { team: "data" },
    },
    beside: { adopt: true },
    rest: { mount: "azure", namespace: "team", maxJwtExp: 60 },
    edited: { tokenNumUses: 3 },
    immutable: ["mount", "namespace", "name"],
    places: {
        path: ["mount", "name"],
        elsewhere: ["namespace"],
        ids: ["auth/{}/role/web", "auth/azure/role/{}", "{}@auth/azure/role/web"],
    },
    functions: {
        getAuthRole: {
            args: { name: "web" },
            places: ["mount", "namespace", "name"],
            scenario: {
                seed: configured,
                run: async (simulator, call) => {
                    const role = { bound_locations: ["north"], token_policies: ["web"] };
                    await simulator.outside("POST", "/v1/auth/azure/role/web", role);
                    return call({ mount: "azure", name: "web" });
                },
            },
        },
        getAuthRoles: {
            args: {},
            places: ["mount", "namespace"],
            scenario: { seed: configured, run: (_, call) => call({ mount: "azure" }) },
        },
        login: {
            args: { role: "web", jwt: "planted-jwt", subscriptionId: "s", resourceGroupName: "g" },
            places: ["mount", "namespace", "role"],
            scenario: {
                seed: configured,
                run: async (simulator, call) => {
                    await simulator.outside("POST", "/v1/auth/azure/role/web", {
                        bound_subscription_ids: [subscription],
                    });
                    const claims = { aud: "https://app.example" };
                    const jwt = identityToken(claims);
                    const resourceId = `/subscriptions/${subscription}/resourceGroups/prod/compute/machines/web`;
                    const machine = { vmName: "web", vmssName: "set", resourceId };
                    return call({
                        mount: "azure",
                        role: "web",
                        jwt,
                        subscriptionId: subscription,
                        resourceGroupName: "prod",
                        ...machine,
                    });
                },
            },
        },
    },
    faults: [
        {
            inputs: web,
            edited: { ...web, tokenPolicies: [], tokenTtl: 7200 },
            theirs: { ...web, tokenPolicies: ["theirs"] },
        },
    ],
    document: "Secrets Manager",
    endpoints: [
        [
            "POST /auth/clouda/role/:name",
            "AuthRole",
            {
                isRepeatable: true,
                request: {
                    ...same("", "AuthRole.", fields),
                    // The document's sample has `max_ttl` without a description. For servers, it is the former name of `token_max_ttl`.
                    token_max_ttl: ["AuthRole.tokenMaxTtl", "AuthRole.maxTtl"],
                    // `policies` is the deprecated name of `token_policies`.
                    token_policies: ["AuthRole.tokenPolicies", "AuthRole.policies"],
                },
            },
        ],
        [
            "GET /auth/clouda/role/:name",
            ["AuthRole", "getAuthRole"],
            { response: same("data.", ["AuthRole.", "getAuthRole()."], `${fields} token_max_ttl token_policies`) },
        ],
        ["LIST /auth/clouda/role", "getAuthRoles", { response: { "data.keys": ["getAuthRoles().names"] } }],
        ["DELETE /auth/clouda/role/:name", "AuthRole"],
        [
            "POST /auth/clouda/login",
            "login",
            {
                request: Object.fromEntries(
                    [
                        "role",
                        "jwt",
                        "subscription_id",
                        "resource_group_name",
                        "vm_name",
                        "vmss_name",
                        "resource_id",
                    ].map((name) => [name, [`login(${camelCase(name)})`]]),
                ),
                response: same("auth.", "login().", "client_token accessor token_policies lease_duration renewable"),
            },
        ],
    ],
    words: { "AuthRole.tokenType": ["service", "batch", "default", "default-service", "default-batch"] },
    life: {
        programs: [
            {
                mount: "azure",
                name: "web",
                boundServicePrincipalIds: ["sp"],
                boundGroupIds: ["g"],
                boundLocations: ["l"],
                boundSubscriptionIds: ["s"],
                boundResourceGroups: ["r"],
                boundScaleSets: ["v"],
                tokenTtl: "1h",
                tokenMaxTtl: "2h",
                tokenPolicies: ["web"],
                tokenBoundCidrs: ["10.0.0.0/8"],
                tokenExplicitMaxTtl: "3h",
                tokenNoDefaultPolicy: true,
                tokenNumUses: 5,
                tokenPeriod: "1h",
                tokenType: "service",
                maxJwtExp: 60,
            },
            { mount: "azure", name: "web", boundLocations: ["l"], policies: "web", maxTtl: "2h" },
        ],
    },
};
