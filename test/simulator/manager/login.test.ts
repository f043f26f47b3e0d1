/** Logging in: who may, what is refused, and the token that comes of it. */
import { createHmac } from "node:crypto";
import { withSimulator } from "../../support/simulator";
import { exchangesAt, section } from "../exchanges";
import { textAt } from "../requests";

const audience = "https://secrets.example/";
const subscription = "9a1f0c5e-0000-4000-8000-00000000000a";
const machine = { role: "web", subscription_id: subscription, resource_group_name: "prod" };
const bound = {
    ...{ bound_service_principal_ids: ["sp-1", "sp-2"], bound_group_ids: ["g-1"], bound_locations: ["north"] },
    ...{ bound_subscription_ids: [subscription], bound_resource_groups: ["prod"], bound_scale_sets: ["set-1"] },
};
const seed = {
    tokens: [{ token: "known", kind: "user" as const, id: "u-1" }],
    loginConfigs: [{ fields: { tenant_id: "t", resource: audience } }],
    roles: [
        { name: "web", fields: {} },
        { name: "bound", fields: bound },
    ],
};
const place = { below: "/v1/auth/clouda/", seed };
/** Asks for a proof that says this, which `<jwt>` stands for. */
const proof = (claims: object = {}) =>
    `POST /simulator/jwt ${JSON.stringify({ claims: { aud: audience, ...claims } })} -> 200 {"jwt": "<jwt>"}`;
const logIn = (more: object = {}) => `POST login ${JSON.stringify({ jwt: "<jwt>", ...machine, ...more })}`;
const errors = (reason: string) => JSON.stringify({ "errors=": [reason] });
const role = (fields: object) => `POST /simulator/seed ${JSON.stringify({ roles: [{ name: "own", fields }] })} -> 204`;
const use = "GET role/web | x-secrets-token: <token>";
const invalidToken = '403 {"errors": ["~ permission denied\\n\\t\\\\* invalid token"]}';

section("Secrets Manager, Login: POST /auth/clouda/login returns auth, and sends no token", place)`
    a signed proof gives a token
        ${proof()}
        ${logIn()} -> 200 {"data": null, "auth": ${{
            ...{ client_token: "~ ^service-[0-9a-f]{16}$", accessor: "~ ^accessor-", token_policies: ["default"] },
            ...{ lease_duration: 768 * 3600, renewable: true, metadata: { role: "web" }, token_type: "service" },
        }}}
        ${logIn()} -> 200 {"auth": {"client_token": "<token>"}}
        ${use} -> 200
        GET role/web | x-secrets-token: another -> 403
    required: jwt, role, subscription_id, resource_group_name, in this order
        ${proof()}
        POST login {} -> 400 ${errors("jwt is required")}
        POST login {"jwt": "<jwt>"} -> 400 ${errors("role is required")}
        POST login {"jwt": "<jwt>", "role": "nosuch"} -> 400 ${errors('invalid role name "nosuch"')}
        POST login {"jwt": "<jwt>", "role": "web"} -> 400 ${errors('invalid subscription id ""')}
        ${logIn({ subscription_id: "bad" })} -> 400
        ${logIn({ resource_group_name: "a b" })} -> 400 ${errors('invalid resource group name "a b"')}
        ${logIn({ resource_group_name: "" })} -> 400
    it needs a mount, a configuration, and no other method
        ${proof()}
        ${logIn().replace("login", "/v1/auth/nowhere/login")} -> 404
        GET login -> 405
        POST /simulator/reset {"roles": [{"name": "web", "fields": {}}]} -> 204
        ${logIn()} -> 500 ${errors("tenant_id is required")}
    a proof is made of claims
        POST /simulator/jwt {"claims": "x"} -> 400
        POST /simulator/jwt -> 400
`;

section(
    "Secrets Manager, Authentication 2: the service verifies the signature, and aud matches the configured resource",
    place,
)`
    what is no token is no proof
        ${["x", "a.b.c", "a.b.c.d", "null.null.null"].map(
            (jwt) => `${logIn({ jwt })} -> 500 ${errors("oidc: malformed jwt")}`,
        )}
    aud is the configured resource, or one of several
        POST /simulator/jwt {"claims": {"aud": ["other", "${audience}"]}} -> 200 {"jwt": "<jwt>"}
        ${logIn()} -> 200
        POST /simulator/jwt {"claims": {"aud": "other"}} -> 200 {"jwt": "<other>"}
        ${logIn({ jwt: "<other>" })} -> 500 ${errors(`oidc: expected audience "${audience}" got ["other"]`)}
    the environment's resource wins over the configured one
        POST /simulator/seed {"loginSurroundings": {"resource": "other"}} -> 204
        ${proof()}
        ${logIn()} -> 500
        POST /simulator/jwt {"claims": {"aud": "other"}} -> 200 {"jwt": "<other>"}
        ${logIn({ jwt: "<other>" })} -> 200
    a proof is valid for an hour of the simulator's clock, from now on
        ${proof()}
        POST /simulator/clock {"advance": 3500} -> 204
        ${logIn()} -> 200
        POST /simulator/clock {"advance": 200} -> 204
        ${logIn()} -> 500 ${errors("oidc: token is expired")}
        POST /simulator/jwt {"claims": {"aud": "${audience}", "nbf": 9000000000, "exp": 9100000000}} -> 200 {"jwt": "<later>"}
        ${logIn({ jwt: "<later>" })} -> 500 ${errors("token is not yet valid")}
`;

/** An attempt at the bound role that differs in this. */
const attempt = (claims: object, body: object, reason?: string) => [
    proof({ oid: "sp-2", groups: ["g-0", "g-1"], location: "north", ...claims }),
    `${logIn({ role: "bound", vmss_name: "set-1", ...body })} -> ${reason === undefined ? 200 : `500 ${errors(reason)}`}`,
];

section("Secrets Manager, Authentication 2: the role's bound values", place)`
    who fits all of them is let in; names have no case
        ${attempt({}, {})}
        ${logIn({ role: "BOUND", vmss_name: "set-1" })} -> 200
    bound_service_principal_ids
        ${attempt({ oid: "sp-9" }, {}, "service principal not authorized: sp-9")}
    bound_service_principal_ids, of nobody
        ${attempt({ oid: undefined }, {}, "service principal not authorized: ")}
    bound_group_ids
        ${attempt({ groups: ["g-8", "g-9"] }, {}, "groups not authorized: [g-8 g-9]")}
    bound_locations
        ${attempt({ location: "south" }, {}, "location not authorized")}
    bound_scale_sets
        ${attempt({}, { vmss_name: "" }, "scale set not authorized")}
    bound_subscription_ids
        ${attempt({}, { subscription_id: subscription.replace("a", "b") }, "subscription not authorized")}
    bound_resource_groups
        ${attempt({}, { resource_group_name: "staging" }, "resource group not authorized")}
    token_bound_cidrs: blocks allowed to authenticate
        ${proof()}
        ${role({ token_bound_cidrs: ["127.0.0.0/8", "10.0.0.0/8"] })}
        ${logIn({ role: "own" })} -> 200
        ${role({ token_bound_cidrs: ["127.0.0.1"] })}
        ${logIn({ role: "own" })} -> 200
        ${role({ token_bound_cidrs: ["10.0.0.0/8", "2001:db8::/64", "::1", "/socket"] })}
        ${logIn({ role: "own" })} -> 403 ${errors("permission denied")}
`;

const lives = (fields: object, seconds: number) => [
    role(fields),
    proof(),
    `${logIn({ role: "own" })} -> 200 {"auth": {"client_token": "<token>", "lease_duration": ${seconds}}}`,
    `POST /simulator/clock {"advance": ${seconds - 60}} -> 204`,
    `${use} -> 200`,
    'POST /simulator/clock {"advance": 120} -> 204',
    `${use} -> ${invalidToken}`,
];
const hasPolicies = (fields: object, policies: string[]) => [
    role(fields),
    proof(),
    `${logIn({ role: "own" })} -> 200 ${JSON.stringify({ auth: { token_policies: policies } })}`,
];

section("Secrets Manager, Role: the tokens that it generates", place)`
    token_policies are encoded onto tokens, and the default policy
        ${hasPolicies({ token_policies: ["web", "api"] }, ["api", "default", "web"])}
    token_no_default_policy: the default policy is not added
        ${hasPolicies({ token_policies: ["web"], token_no_default_policy: true }, ["web"])}
    token_ttl is the lifetime
        ${lives({ token_ttl: "1h" }, 3600)}
    token_max_ttl does not lengthen it
        ${lives({ token_ttl: "1h", token_max_ttl: "2h" }, 3600)}
    token_max_ttl is the maximum
        ${lives({ token_max_ttl: "2h" }, 7200)}
    token_explicit_max_ttl is a hard cap
        ${lives({ token_ttl: "3h", token_explicit_max_ttl: "1h" }, 3600)}
    token_period counts where one is requested, whatever the maximum
        ${lives({ token_ttl: "1h", token_period: "30m", token_max_ttl: "20m" }, 1800)}
    no lifetime is longer than the longest lease
        ${lives({ token_ttl: "900h", token_max_ttl: "901h" }, 768 * 3600)}
    token_num_uses: maximum uses of a token
        ${role({ token_num_uses: 2 })}
        ${proof()}
        ${logIn({ role: "own" })} -> 200 {"auth": {"client_token": "<token>", "num_uses": 2}}
        ${use} -> 200
        ${use} -> 200
        ${use} -> ${invalidToken}
    token_type batch cannot be renewed and has no accessor
        ${role({ token_type: "batch" })}
        ${proof()}
        ${logIn({ role: "own" })} -> 200 {"auth": {"client_token": "<token>", "renewable": false, "accessor": "", "token_type": "batch"}}
        ${use} -> 200
        ${role({ token_type: "default-batch" })}
        ${logIn({ role: "own" })} -> 200 {"auth": {"renewable": false, "accessor": "", "token_type": "batch"}}
    a reset forgets it
        ${proof()}
        ${logIn()} -> 200 {"auth": {"client_token": "<token>"}}
        POST /simulator/reset {"tokens": [{"token": "known", "kind": "user", "id": "u-1"}]} -> 204
        ${use} -> 403
`;

describe("simulator: Secrets Manager, Authentication 2: nobody else signs", () => {
    const simulator = withSimulator(seed);

    it("another signature, other claims under it, and none at all are refused", async () => {
        const asked = await simulator.control("POST", "/simulator/jwt", { claims: { aud: audience } });
        const [head, body, signature] = textAt(asked, "jwt").split(".");
        const forged = createHmac("sha256", "guess").update(`${head}.${body}`).digest("base64url");
        const other = Buffer.from(JSON.stringify({ aud: audience, exp: 9e9 })).toString("base64url");
        const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
        const proofs = [`${head}.${body}.${forged}`, `${head}.${other}.${signature}`, `${none}.${body}.`];
        const reason = errors("failed to verify signature: failed to verify id token signature");
        await exchangesAt(simulator.url, place)`${proofs.map((jwt) => `${logIn({ jwt })} -> 500 ${reason}`)}`;
    });
});
