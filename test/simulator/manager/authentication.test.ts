/** Tokens, what they may do, and what the service does without its licence. */
import type { Seed, TokenSeed } from "../../../src/simulator/seed";
import { section } from "../exchanges";

const snapshots = "sys/storage/raft/snapshot-auto";
const local = { interval: "1h", path_prefix: "/var", storage_type: "local", local_max_space: 5000 };
const hourly = [{ name: "hourly", fields: local }];
const lacking = '403 {"errors": ["1 error occurred:\\n\\t* permission denied\\n\\n"]}';
const unsupportedPath = '404 {"errors": ["~ unsupported path"]}';
const token = (name: string, more: Partial<TokenSeed> = {}): TokenSeed => ({
    ...{ token: name, kind: "user", id: `of ${name}`, ...more },
});
const seed: Seed = {
    tokens: [token("t-write"), token("t-read", { access: "read" }), token("t-none", { access: "none" })],
    roles: [{ name: "web", fields: {} }],
};

section("Secrets Manager, Authentication 1: every request except login carries the token", { below: "/v1/", seed })`
    none and an empty one are refused
        GET auth/clouda/role/web -> 403 {"errors": ["permission denied"]}
        GET auth/clouda/role/web | x-secrets-token: | authorization: Basic t-write -> 403 {"errors": ["permission denied"]}
    it must be known, before the path counts
        GET auth/clouda/role/web | x-secrets-token: other
            -> 403 {"errors": ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"]}
        GET auth/nomount/role/web | x-secrets-token: other -> 403
    it travels in X-Secrets-Token or as a bearer's
        GET auth/clouda/role/web | X-Secrets-Token: t-write -> 200
        GET auth/clouda/role/web | Authorization: Bearer t-write -> 200
    it may be for reading only
        GET auth/clouda/role/web | x-secrets-token: t-read -> 200
        LIST auth/clouda/role | x-secrets-token: t-read -> 200
        ${["POST", "PUT", "DELETE"].map((method) => `${method} auth/clouda/role/web | x-secrets-token: t-read -> ${lacking}`)}
    it may be for nothing
        ${["GET", "POST", "DELETE"].map((method) => `${method} auth/clouda/role/web | x-secrets-token: t-none -> ${lacking}`)}
        GET ${snapshots}/status/x | x-secrets-token: t-none -> ${lacking}
    any text will do where none is known
        POST /simulator/reset {} -> 204
        POST auth/clouda/role/web | x-secrets-token: whatever -> 204
        GET auth/clouda/role/web -> 403
`;

/** Begins anew with a token `t` that has these capabilities, and `root` that has all. */
const grant = (grants: TokenSeed["capabilities"], more: Seed = {}) => {
    const t = token("t", grants && { capabilities: grants });
    return `POST /simulator/reset ${JSON.stringify({ tokens: [t, token("root")], ...more })} -> 204`;
};
const all = ["create", "read", "update", "delete", "list"] as const;
type Capability = (typeof all)[number] | "sudo" | "deny";
const one = (...capabilities: Capability[]) => grant([{ path: "auth/clouda/role/*", capabilities }]);
const make = "POST auth/clouda/role/web | x-secrets-token: root -> 204";
/** An operation needs this capability, and all others will not do. */
const needs = (needed: Capability, request: string, status: number) => [
    one(...[...all, "sudo" as const].filter((other) => other !== needed)),
    make,
    `${request} -> ${lacking}`,
    one(needed),
    make,
    `${request} -> ${status}`,
];

section("Secrets Manager, Authentication 4: capabilities", { below: "/v1/", headers: { "x-secrets-token": "t" } })`
    writing a new object needs create, writing one that exists update
        ${one("create")}
        POST auth/clouda/role/web -> 204
        POST auth/clouda/role/web -> ${lacking}
        POST auth/clouda/role/WEB -> ${lacking}
        GET auth/clouda/role/web -> ${lacking}
        ${one("update")}
        POST auth/clouda/role/web -> ${lacking}
        ${make}
        PUT auth/clouda/role/web -> 204
    GET needs read
        ${needs("read", "GET auth/clouda/role/web", 200)}
    DELETE needs delete
        ${needs("delete", "DELETE auth/clouda/role/web", 204)}
    LIST needs list
        ${needs("list", "LIST auth/clouda/role", 200)}
    GET with list=true needs list
        ${needs("list", "GET auth/clouda/role?list=true", 200)}
    the most exact path counts, and deny counts most
        ${grant([
            { path: "auth/*", capabilities: ["read", "create"] },
            { path: "auth/clouda/role/web", capabilities: ["create"] },
            { path: "auth/+/config", capabilities: ["deny", "read"] },
        ])}
        POST auth/clouda/role/web -> 204
        GET auth/clouda/role/web -> ${lacking}
        GET auth/clouda/role/other -> 404
        GET auth/clouda/config -> ${lacking}
        GET ${snapshots}/status/x -> ${lacking}
    who has no right learns nothing of a path
        ${one("read")}
        GET auth/nowhere/role/web -> ${lacking}
        GET auth/clouda/role/%zz -> ${unsupportedPath}
    the configuration and its rotation are told apart
        ${grant([{ path: "auth/clouda/config", capabilities: ["create", "read"] }])}
        POST auth/clouda/config {"tenant_id": "t", "resource": "r"} -> 204
        POST auth/clouda/config {"tenant_id": "t", "resource": "r"} -> ${lacking}
        POST auth/clouda/rotate-root -> ${lacking}
        ${grant([{ path: "auth/clouda/rotate-root", capabilities: ["update"] }], { loginConfigs: [{ fields: { tenant_id: "t", resource: "r" } }] })}
        POST auth/clouda/rotate-root -> 204
`;

const configCalls = ["GET config/hourly", `POST config/hourly ${JSON.stringify(local)}`, "DELETE config/hourly"];
const place = { below: `/v1/${snapshots}/`, headers: { "x-secrets-token": "t" } };

section("Secrets Manager, Authentication 3: sudo capability and an enterprise license", place)`
    snapshot configurations need sudo, their status does not
        ${grant([{ path: `${snapshots}/*`, capabilities: all }], { snapshotConfigs: hourly })}
        ${[...configCalls, "LIST config"].map((line) => `${line} -> ${lacking}`)}
        GET status/hourly -> 200
        ${grant([{ path: `${snapshots}/*`, capabilities: [...all, "sudo"] }], { snapshotConfigs: hourly })}
        GET config/hourly -> 200
        LIST config -> 200
        POST config/hourly ${local} -> 204
        DELETE config/hourly -> 204
    without the licence every call for snapshots is refused, and everything else works
        ${grant(undefined, { licensed: false, snapshotConfigs: hourly })}
        ${[...configCalls, "LIST config", "GET config?list=true", "GET status/hourly"].map(
            (line) => `${line} -> 404 {"errors": ["enterprise-only feature"]}`,
        )}
        POST /v1/auth/clouda/role/web -> 204
    without it sudo is asked for first, and a bad name is found out first
        ${grant([{ path: `${snapshots}/*`, capabilities: ["read"] }], { licensed: false })}
        GET config/hourly -> ${lacking}
        GET status/hourly -> 404 {"errors": ["enterprise-only feature"]}
        GET status/-x -> ${unsupportedPath}
        PATCH config/hourly | x-secrets-token: root -> 405
    without it no snapshot is taken
        ${grant(undefined, { licensed: false, snapshotConfigs: hourly })}
        POST /simulator/clock {"advance": 7200} -> 204
        GET /simulator/state -> 200 {"manager": {"snapshotConfigs": {"${snapshots}/config/hourly": {"snapshots": []}}}}
`;
