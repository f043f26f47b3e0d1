/** The secrets manager, by the sections of its document. */
import { identityToken } from "../support/injector";
import { section } from "./exchanges";

const anyToken = { "x-secrets-token": "any" };
const errors = (reason: string) => JSON.stringify({ "errors=": [reason] });
const lacking = '403 {"errors": ["1 error occurred:\\n\\t* permission denied\\n\\n"]}';
const token = (name: string, more: object = {}) => ({ token: name, kind: "user" as const, id: `of ${name}`, ...more });
const snapshots = "/v1/sys/storage/raft/snapshot-auto/";
const local = { interval: 3600, path_prefix: "/var", storage_type: "local", local_max_space: 10_000 };
const hourly = [{ name: "hourly", fields: local }];

const roles = { below: "/v1/auth/clouda/", headers: anyToken, seed: { mounts: ["clouda", "team/clouda"] } };
/** What a role reads as that was written without a field. */
const empty = {
    ...{ bound_group_ids: null, bound_locations: null, bound_resource_groups: null, bound_scale_sets: null },
    ...{ bound_service_principal_ids: null, bound_subscription_ids: null, token_bound_cidrs: [] },
    ...{ token_explicit_max_ttl: 0, token_max_ttl: 0, token_no_default_policy: false, token_num_uses: 0 },
    ...{ token_period: 0, token_policies: [], token_ttl: 0, token_type: "default" },
};
/** A read that shows these fields, and of all others that they are unset. */
const readsOnly = (fields: object) => `GET role/web -> 200 ${JSON.stringify({ "data=": { ...empty, ...fields } })}`;
/** Writes a value of a field, and reads it back. */
const becomes = (field: string, sent: unknown, shown: unknown) => [
    `POST role/web ${JSON.stringify({ [field]: sent })} -> 204`,
    `GET role/web -> 200 ${JSON.stringify({ data: { [`${field}=`]: shown } })}`,
];
const refuses = (field: string, ...values: unknown[]) =>
    values.map((value) => `POST role/web ${JSON.stringify({ [field]: value })} -> 400 {"errors": ["~ ${field}"]}`);

section("Secrets Manager, Login method: POST, GET, LIST and DELETE of /auth/clouda/role", roles)`
    a role reads with every field, in an envelope
        POST role/web {} -> 204 ""
        ${readsOnly({})}
        GET role/web -> 200 {"request_id": "~ ^[0-9a-f-]{36}$", "warnings": null, "auth": null, "mount_type": "clouda"}
    the sample's fields are taken, the deprecated policies are token_policies, and unknown fields are dropped
        PUT role/web {"policies": ["default", "dev"], "max_jwt_exp": 43200, "nonsense": 1} -> 204
        ${readsOnly({ token_policies: ["default", "dev"] })}
    an absent role is 404 without errors, and its deletion succeeds
        GET role/web -> 404 = {"errors": []}
        LIST role -> 404 = {"errors": []}
        DELETE role/web -> 204
    LIST, and GET with list=true, give sorted names in lower case
        ${["b", "A", "c-1"].map((name) => `POST role/${name} -> 204`)}
        LIST role -> 200 {"data=": {"keys": ["a", "b", "c-1"]}}
        GET role/?list=true -> 200 {"data=": {"keys": ["a", "b", "c-1"]}}
        GET role -> 405
        DELETE role/B -> 204
        LIST role/ -> 200 {"data=": {"keys": ["a", "c-1"]}}
    a write keeps the fields that it leaves out, and null is empty but for a duration
        POST role/web {"bound_locations": ["east"], "token_ttl": 10, "token_type": "service"} -> 204
        POST role/web {"bound_group_ids": "g,h", "token_ttl": null, "bound_locations": null, "token_type": ""} -> 204
        ${readsOnly({ bound_group_ids: ["g", "h"], bound_locations: [], token_ttl: 10 })}
    a refused write changes nothing
        POST role/web {"token_ttl": 10} -> 204
        POST role/web {"token_num_uses": 5, "token_ttl": "soon"} -> 400
        ${readsOnly({ token_ttl: 10 })}
    a body is a JSON object, or missing
        POST role/web -> 204
        ${["{", "[]", '"text"'].map((body) => `POST role/web ${body} -> 400`)}
`;

section("Secrets Manager, Role: name", roles)`
    names in any case are one
        POST role/Upper {"token_ttl": 60} -> 204
        GET role/uPPer -> 200 {"data": {"token_ttl": 60}}
    letters, digits, underscores, and inside dots and dashes, make a name; words of other paths too
        ${["_", "a.b-c_9", "__proto__", "constructor", "config", "login"].flatMap((name) => [
            `GET role/${name} -> 404`,
            `POST role/${name} {"token_ttl": 7} -> 204`,
            `GET role/${name} -> 200 {"data": {"token_ttl": 7}}`,
        ])}
    any other name is no path
        ${["-a", "a.", "a%20b", "a%2Fb", "%C3%A4"].map((name) => `POST role/${name} -> 404 {"errors": ["~ unsupported path"]}`)}
        POST role/a..b -> 400 {"errors": ["relative paths not supported"]}
`;

section("Secrets Manager, Role: types of fields", roles)`
    array or comma-delimited string
        ${becomes("token_policies", ["b", "a", "b"], ["b", "a", "b"])}
        ${becomes("token_policies", "a, b ,c", ["a", "b", "c"])}
        ${refuses("token_policies", { a: 1 }, [[]])}
    integer or string: whole seconds
        ${[60, "60", "60s", "1m"].flatMap((sent) => becomes("token_ttl", sent, 60))}
        ${["1h30m", "1.5h"].flatMap((sent) => becomes("token_ttl", sent, 5400))}
        ${becomes("token_ttl", "1d", 86_400)}
        ${becomes("token_ttl", "", 0)}
        ${refuses("token_ttl", "1w", "1e3", "-1", -1, true, [])}
    integer, boolean
        ${becomes("token_num_uses", "5", 5)}
        ${refuses("token_num_uses", 5.5, "abc")}
        ${becomes("token_no_default_policy", true, true)}
        ${refuses("token_no_default_policy", "yes", 2)}
    CIDR blocks read without the mask of a single address
        ${becomes("token_bound_cidrs", "1.2.3.4/32,10.0.0.1/8,::1/128", ["1.2.3.4", "10.0.0.1/8", "::1"])}
        POST role/web {"token_bound_cidrs": ["junk"]} -> 400
    token_type is one of the document's five
        ${becomes("token_type", "batch", "batch")}
        POST role/web {"token_type": "junk"} -> 400 ${errors("invalid 'token_type' value \"junk\"")}
    a maximum lifetime above the longest lease is stored with a warning
        POST role/web {"token_max_ttl": "769h"} -> 200 {"data": null, "warnings": ["~ ^max_ttl is greater"]}
        GET role/web -> 200 {"data": {"token_max_ttl": 2768400}}
`;

section("Secrets Manager, Versioning: the mount is configurable, and namespaces", roles)`
    a mount must be one of the login method
        ${["GET", "POST", "DELETE"].map((method) => `${method} /v1/auth/nomount/role/x -> 404 {"errors": ["~ ^no handler for route"]}`)}
    each mount and each namespace has roles of its own
        POST role/web -> 204
        GET /v1/auth/team/clouda/role/web -> 404
        POST /v1/auth/team/clouda/role/web {"token_ttl": 5} -> 204
        POST role/web {"token_ttl": 9} | x-secrets-namespace: org/team/ -> 204
        GET role/web -> 200 {"data": {"token_ttl": 0}}
        GET role/web | x-secrets-namespace: /org/team -> 200 {"data": {"token_ttl": 9}}
`;

const seed = {
    tokens: [
        token("write"),
        token("read", { access: "read" }),
        token("none", { access: "none" }),
        token("no-sudo", { sudo: false }),
    ],
    roles: [{ name: "web", fields: {} }],
    snapshotConfigs: hourly,
};

section("Secrets Manager, Authentication", { below: "/v1/auth/clouda/", seed })`
    a request carries a known token, in its header or as a bearer's
        GET role/web -> 403 {"errors": ["permission denied"]}
        GET role/web | x-secrets-token: other -> 403 {"errors": ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"]}
        GET role/web | x-secrets-token: write -> 200
        GET role/web | authorization: Bearer write -> 200
        POST /simulator/reset {} -> 204
        POST role/web | x-secrets-token: anything -> 204
    a token may be for reading only, or for nothing
        GET role/web | x-secrets-token: read -> 200
        LIST role | x-secrets-token: read -> 200
        ${["POST", "PUT", "DELETE"].map((method) => `${method} role/web | x-secrets-token: read -> ${lacking}`)}
        GET role/web | x-secrets-token: none -> ${lacking}
    snapshot configurations need sudo, their status does not
        GET ${snapshots}config/hourly | x-secrets-token: no-sudo -> ${lacking}
        LIST ${snapshots}config | x-secrets-token: no-sudo -> ${lacking}
        GET ${snapshots}status/hourly | x-secrets-token: no-sudo -> 200
    snapshot calls need an enterprise license, and nothing else does
        POST /simulator/seed {"licensed": false} -> 204
        ${["GET", "POST", "DELETE"].map((method) => `${method} ${snapshots}config/hourly | x-secrets-token: write -> 404 {"errors": ["enterprise-only feature"]}`)}
        GET ${snapshots}status/hourly | x-secrets-token: write -> 404 {"errors": ["enterprise-only feature"]}
        GET role/web | x-secrets-token: write -> 200
`;

const required = { tenant_id: "tenant-1", resource: "https://app.example" };
const everything = {
    ...{ ...required, environment: "CloudAChinaCloud", client_id: "client-1", client_secret: "secret-1" },
    ...{ max_retries: 7, max_retry_delay: 90_000_000_000, retry_delay: 5_000_000_000 },
};
const written = { ...everything, max_retry_delay: "90s", retry_delay: 5 };
const preset = { ...required, environment: "", client_id: "", client_secret: "", max_retries: 3 };

section("Secrets Manager, Login-method configuration", { ...roles, below: "/v1/auth/" })`
    it reads with every field, credentials included, delays in nanoseconds
        GET clouda/config -> 404 = {"errors": []}
        POST clouda/config ${required} -> 204 ""
        GET clouda/config -> 200 {"data=": ${{ ...preset, max_retry_delay: 6e10, retry_delay: 4e9 }}, "mount_type": "clouda"}
        POST clouda/config ${written} -> 204
        GET clouda/config -> 200 {"data=": ${everything}}
        DELETE clouda/config -> 204
        DELETE clouda/config -> 204
        GET clouda/config -> 404
    tenant_id and resource are required, or come from the environment
        POST clouda/config {"resource": "r"} -> 500 {"errors": ["~ tenant_id is required"]}
        POST clouda/config {"tenant_id": "t"} -> 500 {"errors": ["~ resource is required"]}
        POST /simulator/seed {"loginSurroundings": {"tenant_id": "t", "resource": "r"}} -> 204
        POST clouda/config {} -> 204
        GET clouda/config -> 200 {"data": {"tenant_id": ""}}
    allowed: four environments
        POST clouda/config ${{ ...required, environment: "Junk" }} -> 500 {"errors": ["~ no cloud configuration matching"]}
    a write keeps half of the fields that it leaves out, and resets the other half
        POST clouda/config ${written} -> 204
        POST clouda/config {"client_id": "client-2"} -> 204
        GET clouda/config -> 200 {"data": {"tenant_id": "tenant-1", "client_id": "client-2", "client_secret": "secret-1", "max_retries": 3}}
    rotate-root: the new secret is known only to the service, until another one is written
        POST clouda/rotate-root -> 500 {"errors": ["~ config is nil"]}
        POST clouda/config ${written} -> 204
        POST clouda/rotate-root -> 204 ""
        GET clouda/config -> 200 {"data": {"client_id": "client-1", "client_secret": "<none>"}}
        POST clouda/config {"client_id": "client-2"} -> 204
        GET clouda/config -> 200 {"data": {"client_secret": "<none>"}}
        POST clouda/config {"client_secret": "secret-2"} -> 204
        GET clouda/config -> 200 {"data": {"client_secret": "secret-2"}}
        POST nowhere/rotate-root -> 404
`;

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
    seed: { tokens: [token("known")], loginConfigs: [{ fields: required }], roles: [{ name: "web", fields: bound }] },
})`
    a machine that fits every bound list gets a token, which works
        ${logIn({ role: "WEB" })} -> 200 {"data": null, "auth": {"client_token": "<token>", "accessor": "~ .",
            "token_policies": ["default", "web"], "lease_duration": 3600, "renewable": true}}
        GET role/web | x-secrets-token: <token> -> 200
        GET role/web | x-secrets-token: another -> 403
    required: jwt, role, subscription_id, resource_group_name
        POST login {} -> 400 ${errors("jwt is required")}
        ${["role", "subscription_id", "resource_group_name"].map((name) => `${logIn({ [name]: "" })} -> 400 ${errors(`${name} is required`)}`)}
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
    ...{ interval: 60, path_prefix: "p", storage_type: "cloudb-s3" },
    cloudb_s3_bucket: "b",
    cloudb_s3_region: "r",
};
const gcs = { interval: 60, path_prefix: "p/", storage_type: "cloudc-gcs", cloudc_gcs_bucket: "b" };
const blob = { interval: 60, path_prefix: "p/", storage_type: "clouda-blob", clouda_container_name: "c" };
const defaults = { file_prefix: "secrets-snapshot", retain: 1 };
const config = (fields: object) => `POST config/hourly ${JSON.stringify(fields)}`;
const reads = (fields: object) => `GET config/hourly -> 200 ${JSON.stringify({ "data=": { ...defaults, ...fields } })}`;

section("Secrets Manager, Automated snapshot configuration", configs)`
    a local one reads with the document's fields, interval in seconds, defaults filled in
        ${config({ ...local, interval: "1h" })} -> 204 ""
        ${reads(local)}
    a cloud type reads with all its fields, credentials included, unset ones too
        ${config({ ...s3, cloudb_secret_access_key: "s3cret" })} -> 204
        ${reads({
            ...{ ...s3, cloudb_access_key_id: "", cloudb_secret_access_key: "s3cret", cloudb_session_token: "" },
            ...{ cloudb_s3_endpoint: "", cloudb_s3_disable_tls: false, cloudb_s3_force_path_style: false },
            ...{ cloudb_s3_enable_kms: false, cloudb_s3_server_side_encryption: false, cloudb_s3_kms_key: "" },
        })}
        DELETE config/hourly -> 204
        ${config(gcs)} -> 204
        ${reads({ ...gcs, cloudc_service_account_key: "", cloudc_endpoint: "", cloudc_disable_tls: false })}
        DELETE config/hourly -> 204
        ${config(blob)} -> 204
        ${reads({
            ...{ ...blob, clouda_account_name: "", clouda_account_key: "" },
            ...{ clouda_blob_environment: "", clouda_endpoint: "" },
        })}
    a write keeps the fields that it leaves out, and null or empty text resets one
        ${config({ ...local, retain: 24, file_prefix: "mine" })} -> 204
        ${config({ interval: "2h" })} -> 204
        ${reads({ ...local, file_prefix: "mine", interval: 7200, retain: 24 })}
        ${config({ retain: null, file_prefix: "" })} -> 204
        ${reads({ ...local, interval: 7200 })}
    fields of a former storage type stay, are shown, and count again when it comes back
        ${config({ ...s3, cloudb_s3_kms_key: "k" })} -> 204
        ${config({ storage_type: "local", local_max_space: 5 })} -> 204
        ${reads({ ...s3, cloudb_s3_kms_key: "k", storage_type: "local", local_max_space: 5 })}
        ${config({ storage_type: "cloudb-s3" })} -> 204
        GET config/hourly -> 200 {"data": {"cloudb_s3_bucket": "b", "local_max_space": 5}}
    they are listed, and absent without complaint; names have their case
        LIST config -> 404 = {"errors": []}
        DELETE config/hourly -> 204
        POST config/b ${local} -> 204
        POST config/A ${local} -> 204
        LIST config -> 200 {"data=": {"keys": ["A", "b"]}}
        GET config/a -> 404
    required: interval, path_prefix, storage_type, and fields of each type
        ${Object.entries({ local, s3, gcs, blob }).flatMap(([, fields]) =>
            Object.keys(fields).map(
                (name) => `${config({ ...fields, [name]: undefined })} -> 400 ${errors(`${name} is required`)}`,
            ),
        )}
        ${config({ ...local, storage_type: "tape" })} -> 400 {"errors": ["~ ^storage_type must be one of"]}
        ${config({ ...local, retain: -1 })} -> 400 ${errors("retain cannot be negative")}
    trailing / required for clouda-blob and cloudc-gcs
        ${[gcs, blob].map((fields) => `${config({ ...fields, path_prefix: "p" })} -> 400 {"errors": ["~ must end with '/'"]}`)}
    encryption with AES256 cannot be combined with enable_kms, after merging too
        ${config({ ...s3, cloudb_s3_enable_kms: true })} -> 204
        ${config({ cloudb_s3_server_side_encryption: true })} -> 400 {"errors": ["~ cannot be combined"]}
        ${config({ cloudb_s3_enable_kms: false, cloudb_s3_server_side_encryption: true })} -> 204
    root namespace only
        ${["POST config/x", "GET config/x", "DELETE config/x", "LIST config", "GET status/x"].map(
            (line) =>
                `${line} | x-secrets-namespace: team -> 400 {"errors": ["~ only be managed in the root namespace"]}`,
        )}
`;

const never = { last_snapshot_end: "", last_snapshot_error: "", last_snapshot_start: "", last_snapshot_url: "" };
const time = "~ ^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$";
const url = "~ ^file:///var/secrets-snapshot-\\d+\\.snap$";
const taken = { last_snapshot_start: time, last_snapshot_end: time, snapshot_start: time, last_snapshot_url: url };

section("Secrets Manager, Automated snapshot status", { ...configs, seed: { snapshotConfigs: hourly } })`
    it is empty before the first snapshot, and absent without a configuration
        GET status/hourly -> 200 {"data=": ${{ ...never, snapshot_start: "", snapshot_url: "" }}}
        GET status/none -> 404 = {"errors": []}
    a snapshot is taken after the interval, and after a new one from the change on
        POST /simulator/clock {"advance": 3599} -> 204
        GET status/hourly -> 200 {"data": {"last_snapshot_end": ""}}
        POST /simulator/clock {"advance": 2} -> 204
        GET status/hourly -> 200 {"data=": ${{ ...taken, snapshot_url: url, last_snapshot_error: "" }}}
        ${config({ interval: 60 })} -> 204
        GET status/hourly -> 200 {"data": {"snapshot_url": "<first>"}}
        POST /simulator/clock {"advance": 61} -> 204
        GET status/hourly -> 200 {"data": {"snapshot_url": "<second>"}}
    an attempt fails if not enough space is left, or on order; the URL of the last one stays
        POST /simulator/snapshots/hourly -> 200 {"last_snapshot_url": "<first>", "last_snapshot_error": ""}
        POST /simulator/snapshots/hourly {"error": "disk on fire"} -> 200 {"last_snapshot_error": "disk on fire", "last_snapshot_url": "<first>"}
        ${config({ local_max_space: 1 })} -> 204
        POST /simulator/snapshots/hourly -> 200 {"last_snapshot_error": "~ ^not enough space left"}
        POST /simulator/snapshots/none -> 404
`;
