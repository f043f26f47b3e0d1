/** Tests the simulator's secrets manager, by the sections of the API document. `test/contract` tests roles and snapshots through the provider. */
import { identityToken } from "../support/injector";
import { section } from "./exchanges";

const anyToken = { "x-secrets-token": "any" };
const errors = (...reasons: string[]) => JSON.stringify({ "errors=": reasons });
const denied = `403 ${errors("permission denied")}`;
const token = (name: string, more: object = {}) => ({ token: name, kind: "user" as const, id: `of ${name}`, ...more });
const snapshots = "/v1/sys/storage/raft/snapshot-auto/";
const local = { interval: 3600, path_prefix: "/var", storage_type: "local", local_max_space: 10_000 };

const roles = { below: "/v1/auth/clouda/", headers: anyToken, seed: { mounts: ["clouda", "team/clouda"] } };
const empty = {
    ...{ bound_group_ids: null, bound_locations: null, bound_resource_groups: null, bound_scale_sets: null },
    ...{ bound_service_principal_ids: null, bound_subscription_ids: null, token_bound_cidrs: [] },
    ...{ token_explicit_max_ttl: 0, token_max_ttl: 0, token_no_default_policy: false, token_num_uses: 0 },
    ...{ token_period: 0, token_policies: [], token_ttl: 0, token_type: "default" },
};
const readsOnly = (fields: object) => `GET role/web -> 200 ${JSON.stringify({ "data=": { ...empty, ...fields } })}`;
const becomes = (field: string, sent: unknown, shown: unknown) => [
    `POST role/web ${JSON.stringify({ [field]: sent })} -> 204`,
    `GET role/web -> 200 ${JSON.stringify({ data: { [`${field}=`]: shown } })}`,
];
section("Secrets Manager, Login method: POST, GET, LIST and DELETE of /auth/clouda/role", roles)`
    the deprecated policies are token_policies, and unknown fields are dropped
        POST role/web {"policies": ["default", "dev"], "max_jwt_exp": 43200, "nonsense": 1} -> 204
        ${readsOnly({ token_policies: ["default", "dev"] })}
    a write keeps omitted fields, and a refused write changes nothing
        POST role/web {"bound_locations": ["east"], "token_ttl": 10, "token_type": "service"} -> 204
        POST role/web {"bound_group_ids": "g,h", "token_type": ""} -> 204
        POST role/web {"token_num_uses": 5, "token_ttl": "soon"} -> 400
        ${readsOnly({ bound_group_ids: ["g", "h"], bound_locations: ["east"], token_ttl: 10 })}
    each mount and each namespace has its own roles
        POST role/web -> 204
        GET /v1/auth/team/clouda/role/web -> 404 {"errors=": []}
        GET role/web | x-secrets-namespace: team -> 404 {"errors=": []}
        GET /v1/auth/nomount/role/web -> 404 {"errors": ["~ ^no handler for route"]}
    a role may have the name of another path, and no special characters
        POST role/config -> 204
        GET role/__proto__ -> 404 {"errors=": []}
        ${["-a", "a%20b", "a%2Fb"].map((name) => `POST role/${name} -> 404 ${errors("unsupported path")}`)}
`;

section("Secrets Manager, Role: types of fields", roles)`
    array or comma-delimited string, and integer or string
        ${becomes("token_policies", "b, a ,b", ["b", "a", "b"])}
        ${[5400, "5400", "1h30m", "1.5h"].flatMap((sent) => becomes("token_ttl", sent, 5400))}
    other values are refused
        ${Object.entries({
            token_ttl: "1w",
            token_num_uses: 5.5,
            token_no_default_policy: "yes",
            token_type: "junk",
        }).map(([field, value]) => `POST role/web ${JSON.stringify({ [field]: value })} -> 400`)}
`;

const seed = {
    tokens: [token("write")],
    roles: [{ name: "web", fields: {} }],
};

section("Secrets Manager, Authentication", { below: "/v1/auth/clouda/", seed })`
    a request needs a known token, in the service's header or as a bearer token
        GET role/web -> ${denied}
        GET role/web | x-secrets-token: other -> 403 ${errors("permission denied", "invalid token")}
        GET role/web | x-secrets-token: write -> 200
        GET role/web | authorization: Bearer write -> 200
`;

const required = { tenant_id: "tenant-1", resource: "https://app.example" };

const machine = { role: "web", subscription_id: "s-1", resource_group_name: "prod", vmss_name: "set-1" };
const bound = {
    ...{ bound_service_principal_ids: ["sp-1", "sp-2"], bound_group_ids: ["g-1"], bound_locations: ["north"] },
    ...{ bound_subscription_ids: ["s-1"], bound_resource_groups: ["prod"], bound_scale_sets: ["set-1"] },
    ...{ token_policies: ["web"], token_ttl: "1h" },
};
const claims = { aud: "https://app.example", oid: "sp-2", groups: ["g-0", "g-1"], location: "north" };
const logIn = (more: object = {}, claimed: object = {}) =>
    `POST login ${JSON.stringify({ jwt: identityToken({ ...claims, ...claimed }), ...machine, ...more })}`;

section("Secrets Manager, Login: POST /auth/clouda/login returns auth, and sends no token", {
    below: "/v1/auth/clouda/",
    seed: { loginConfigs: [{ fields: required }], roles: [{ name: "web", fields: bound }] },
})`
    a machine that fits every bound list gets a token
        ${logIn({ role: "WEB" })} -> 200 {"data": null, "auth": {"client_token": "~ .", "accessor": "~ .",
            "token_policies": ["default", "web"], "lease_duration": 3600, "renewable": true}}
    required: jwt, role, subscription_id, resource_group_name
        ${["jwt", "role", "subscription_id", "resource_group_name"].map((name) => `${logIn({ [name]: "" })} -> 400 ${errors(`${name} is required`)}`)}
        ${logIn({ role: "nosuch" })} -> 400 ${errors('invalid role name "nosuch"')}
    the aud claim matches the configured resource
        ${logIn({}, { aud: ["other", required.resource] })} -> 200
        ${logIn({}, { aud: "other" })} -> 500
        ${logIn({ jwt: "x" })} -> 500 ${errors("oidc: malformed jwt")}
        POST /simulator/seed {"loginSurroundings": {"resource": "other"}} -> 204
        ${logIn({}, { aud: "other" })} -> 200
    the role's bound values are checked
        ${[{ oid: "sp-9" }, { oid: undefined }, { groups: ["g-8"] }, { location: "south" }].map((other) => `${logIn({}, other)} -> 500`)}
        ${[{ vmss_name: "" }, { subscription_id: "s-2" }, { resource_group_name: "dev" }].map((other) => `${logIn(other)} -> 500`)}
`;

const configs = { below: snapshots, headers: anyToken };
const s3 = {
    ...{ interval: 60, path_prefix: "p", storage_type: "cloudb-s3", cloudb_s3_bucket: "b" },
    cloudb_s3_region: "r",
};
const gcs = { interval: 60, path_prefix: "p/", storage_type: "cloudc-gcs", cloudc_gcs_bucket: "b" };
const blob = { interval: 60, path_prefix: "p/", storage_type: "clouda-blob", clouda_container_name: "c" };
const defaults = { file_prefix: "secrets-snapshot", retain: 1 };
const config = (fields: object) => `POST config/hourly ${JSON.stringify(fields)}`;
const reads = (fields: object) => `GET config/hourly -> 200 ${JSON.stringify({ "data=": { ...defaults, ...fields } })}`;

section("Secrets Manager, Automated snapshot configuration", configs)`
    a read of cloud storage returns all fields, including credentials and unset fields
        ${config({ ...s3, cloudb_secret_access_key: "s3cret" })} -> 204
        ${reads({
            ...{ ...s3, cloudb_access_key_id: "", cloudb_secret_access_key: "s3cret", cloudb_session_token: "" },
            ...{ cloudb_s3_endpoint: "", cloudb_s3_disable_tls: false, cloudb_s3_force_path_style: false },
            ...{ cloudb_s3_enable_kms: false, cloudb_s3_server_side_encryption: false, cloudb_s3_kms_key: "" },
        })}
    a write keeps omitted fields, and an empty text resets a field
        ${config({ ...local, retain: 24, file_prefix: "mine" })} -> 204
        ${config({ interval: "2h", file_prefix: "" })} -> 204
        ${reads({ ...local, interval: 7200, retain: 24 })}
    a read returns the fields of a former storage type, which apply again if a write restores that type
        ${config({ ...s3, cloudb_s3_kms_key: "k" })} -> 204
        ${config({ storage_type: "local", local_max_space: 5 })} -> 204
        ${reads({ ...s3, cloudb_s3_kms_key: "k", storage_type: "local", local_max_space: 5 })}
        ${config({ storage_type: "cloudb-s3" })} -> 204
    required: interval, path_prefix, storage_type, and fields of each type
        ${[local, s3, gcs, blob].flatMap((fields) =>
            Object.keys(fields).map(
                (name) => `${config({ ...fields, [name]: undefined })} -> 400 ${errors(`${name} is required`)}`,
            ),
        )}
        ${config({ ...local, storage_type: "tape" })} -> 400 {"errors": ["~ ^storage_type must be one of"]}
    trailing / required for clouda-blob and cloudc-gcs
        ${[gcs, blob].map((fields) => `${config({ ...fields, path_prefix: "p" })} -> 400 {"errors": ["~ must end with '/'"]}`)}
    encryption with AES256 cannot be combined with enable_kms, after merging too
        ${config({ ...s3, cloudb_s3_enable_kms: true })} -> 204
        ${config({ cloudb_s3_server_side_encryption: true })} -> 400 {"errors": ["~ cannot be combined"]}
    root namespace only
        GET status/x | x-secrets-namespace: team -> 400 {"errors": ["~ only be managed in the root namespace"]}
`;
