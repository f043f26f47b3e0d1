/**
 * The endpoints and fields of the three API documents, and of reads of workspaces in HCP Terraform's documentation, copied by hand, with the
 * resources and functions that send requests to each endpoint. `test/coverage.test.ts` compares them with the requests and the schemas.
 */

import type { Node } from "../../src/schema/property";

/** An endpoint of an API document. Fields are paths: `[]` means the items of a list, `*` the entries of a map. */
export interface Endpoint {
    readonly document: Document;
    readonly method: string;
    /** The path with the prefix of the service, or the address in a record. */
    readonly path: string;
    /** Resources and functions that send requests to this endpoint. */
    readonly by: readonly string[];
    readonly query: readonly string[];
    /** Fields of the request's body. */
    readonly request: readonly string[];
    /** Fields of the answer, without the objects around a record: `data` and `auth` of Vault, `data.attributes` and `data.relationships` of HCP Terraform. */
    readonly answer: readonly string[];
    /** The statuses that the document names. */
    readonly statuses: readonly string[];
}

type Document = "Secrets Manager" | "State Versions" | "Volumes";
type Row = readonly [
    line: string,
    by: string,
    fields?: { query?: string; request?: string; answer?: string; statuses?: string },
];

const namesIn = (text = "") => text.split(/\s+/).filter((name) => name !== "");
const inside = (place: string, text: string) => text.replace(/\S+/g, (name) => place + name);

const loginMethod = "tenant_id resource environment client_id client_secret max_retries max_retry_delay retry_delay";
// `policies` and `max_ttl` are former names of `token_policies` and `token_max_ttl`, which are sent instead.
const role = `bound_service_principal_ids bound_group_ids bound_locations bound_subscription_ids bound_resource_groups bound_scale_sets
    token_ttl token_max_ttl token_policies token_bound_cidrs token_explicit_max_ttl token_no_default_policy token_num_uses token_period
    token_type max_jwt_exp`;
const login = "role jwt subscription_id resource_group_name vm_name vmss_name resource_id";
const snapshots = "interval retain path_prefix file_prefix storage_type local_max_space";
const cloudStorage = `cloudb_s3_bucket cloudb_s3_region cloudb_access_key_id cloudb_secret_access_key cloudb_session_token cloudb_s3_endpoint
    cloudb_s3_disable_tls cloudb_s3_force_path_style cloudb_s3_enable_kms cloudb_s3_server_side_encryption cloudb_s3_kms_key
    cloudc_gcs_bucket cloudc_service_account_key cloudc_endpoint cloudc_disable_tls
    clouda_container_name clouda_account_name clouda_account_key clouda_blob_environment clouda_endpoint`;
const configs = "/v1/sys/storage/raft/snapshot-auto/config";
const status =
    "last_snapshot_start last_snapshot_end last_snapshot_error last_snapshot_url snapshot_start snapshot_url";
const version = `id type created-at size hosted-state-download-url hosted-json-state-download-url hosted-state-upload-url
    hosted-json-state-upload-url status intermediate serial state-version tool-version modules providers
    resources[].name resources[].type resources[].count resources[].module resources[].provider resources-processed vcs-commit-sha
    vcs-commit-url delete-older-than-n-days run created-by workspace outputs rollback-state-version links`;
const newVersion = `data.type data.attributes.serial data.attributes.md5 data.attributes.state data.attributes.lineage
    data.attributes.json-state data.attributes.json-state-outputs data.relationships.run.data.id data.relationships.run.data.type`;
const restored = `data.type ${inside("data.relationships.rollback-state-version.data.", "id type")}`;
const workspace =
    "id name organization locked locked-reason locked-by auto-apply current-run current-state-version permissions";
const actions = "/api/v2/state-versions/:state_version_id/actions";
const volume = `ID ExternalID Namespace Name Topologies AccessMode AttachmentMode Schedulable PluginID Provider ControllerRequired
    ControllersHealthy ControllersExpected NodesHealthy NodesExpected ResourceExhausted CreateIndex ModifyIndex`;
const allocation = `ID EvalID Name NodeID PreviousAllocation NextAllocation JobID TaskGroup DesiredStatus DesiredDescription ClientStatus
    ClientDescription CreateIndex ModifyIndex CreateTime ModifyTime RescheduleTracker.Events[].PrevAllocID
    RescheduleTracker.Events[].PrevNodeID RescheduleTracker.Events[].RescheduleTime RescheduleTracker.Events[].Delay`;
const taskState = "State FinishedAt LastRestart StartedAt Restarts Failed";
const taskEvent = `Type RestartReason SetupError DriverError Message KillError KillReason DownloadError ValidationError FailedSibling
    SecretsError TaskSignalReason TaskSignal DriverMessage Time ExitCode Signal KillTimeout StartDelay DiskLimit FailsTask`;
const registered = "ID Name Namespace ExternalID Topologies AccessMode AttachmentMode PluginID";

const wholeVolume = `${volume} Version ReadAllocs WriteAllocs ${inside("Allocations[].", allocation)}
    ${inside("Allocations[].TaskStates.*.", taskState)} ${inside("Allocations[].TaskStates.*.Events[].", taskEvent)}`;

const rows: Readonly<Record<Document, readonly Row[]>> = {
    "Secrets Manager": [
        ["POST /v1/auth/clouda/config", "AuthConfig", { request: loginMethod }],
        ["GET /v1/auth/clouda/config", "AuthConfig getAuthConfig", { answer: loginMethod }],
        ["DELETE /v1/auth/clouda/config", "AuthConfig"],
        ["POST /v1/auth/clouda/rotate-root", "RootRotation"],
        ["POST /v1/auth/clouda/role/:name", "AuthRole", { request: role }],
        ["GET /v1/auth/clouda/role/:name", "AuthRole getAuthRole", { answer: role }],
        ["LIST /v1/auth/clouda/role", "getAuthRoles", { answer: "keys" }],
        ["DELETE /v1/auth/clouda/role/:name", "AuthRole"],
        [
            "POST /v1/auth/clouda/login",
            "login",
            { request: login, answer: "client_token accessor token_policies lease_duration renewable" },
        ],
        [`POST ${configs}/:name`, "SnapshotConfig", { request: `${snapshots} ${cloudStorage}` }],
        [`LIST ${configs}`, "getSnapshotConfigs", { answer: "keys" }],
        [`GET ${configs}/:name`, "SnapshotConfig getSnapshotConfig", { answer: snapshots }],
        [`DELETE ${configs}/:name`, "SnapshotConfig"],
        ["GET /v1/sys/storage/raft/snapshot-auto/status/:name", "SnapshotConfig getSnapshotStatus", { answer: status }],
    ],
    // Every write answers with a record too, which has the fields of `GET /state-versions/:state_version_id`.
    "State Versions": [
        [
            "POST /api/v2/workspaces/:workspace_id/state-versions",
            "StateVersion",
            { request: newVersion, statuses: "201 404 409 412 422" },
        ],
        // The record has this address and the next one.
        ["PUT {upload_url}/v1/object/:object_id", "StateVersion"],
        ["GET {hosted-state-download-url}", "StateVersion StateVersionRollback downloadState"],
        [
            "GET /api/v2/state-versions",
            "getStateVersions",
            {
                query: "filter[workspace][name] filter[organization][name] filter[status] page[number] page[size] include",
                answer: `${version} included links meta`,
            },
        ],
        [
            "GET /api/v2/workspaces/:workspace_id/current-state-version",
            "StateVersion StateVersionRollback getCurrentStateVersion",
            { query: "include", answer: `${version} included`, statuses: "200 404" },
        ],
        [
            "GET /api/v2/state-versions/:state_version_id",
            "StateVersion StateVersionBackingData StateVersionRollback downloadState getStateVersion",
            { query: "include", answer: `${version} included`, statuses: "200 404" },
        ],
        [
            "PATCH /api/v2/workspaces/:workspace_id/state-versions",
            "StateVersionRollback",
            { request: restored, statuses: "201 404 409 422" },
        ],
        [
            `POST ${actions}/soft_delete_backing_data`,
            "StateVersionBackingData",
            { request: "data.attributes.delete-older-than-n-days", statuses: "200 400 404" },
        ],
        [`POST ${actions}/restore_backing_data`, "StateVersionBackingData", { statuses: "200 400 404" }],
        [`POST ${actions}/permanently_delete_backing_data`, "StateVersionBackingData", { statuses: "200 400 404" }],
        [
            "GET /api/v2/organizations/:organization_name/workspaces/:name",
            "getWorkspace",
            { query: "include", answer: workspace },
        ],
        [
            "GET /api/v2/workspaces/:workspace_id",
            "StateVersion StateVersionRollback WorkspaceLock getWorkspace",
            { query: "include", answer: workspace },
        ],
    ],
    Volumes: [
        // The document says of the list and the read only that they support blocking queries: `index` and `wait` are Nomad's.
        ["GET /v1/volumes", "getCsiVolumes", { query: "type node_id plugin_id index wait", answer: volume }],
        ["GET /v1/volume/csi/:volume_id", "CsiVolume getCsiVolume", { query: "index wait", answer: wholeVolume }],
        ["PUT /v1/volume/csi/:volume_id", "CsiVolume", { request: inside("Volumes[].", registered) }],
        ["DELETE /v1/volume/csi/:volume_id", "CsiVolume", { query: "force" }],
        ["DELETE /v1/volume/csi/:volume_id/detach", "CsiVolumeDetachment", { query: "node" }],
    ],
};

/** The bounds of the documents, as `test/documents/rules.md` says them. */
export const limits: Readonly<Record<Document, readonly string[]>> = {
    "State Versions": ["20 versions", "1 upload", "100 states", "six months"],
    "Secrets Manager": ["3 attempts", "`60s`", "`4s`", "1 snapshot", "0 uses"],
    Volumes: ["2 hexadecimal digits", "`force` is false"],
};

/** Every endpoint of the documents, in their order. */
export const endpoints: readonly Endpoint[] = (Object.keys(rows) as Document[]).flatMap((document) =>
    rows[document].map(([line, by, { query, request, answer, statuses } = {}]) => {
        const [method = "", path = ""] = line.split(" ");
        const fields = {
            query: namesIn(query),
            request: namesIn(request),
            answer: namesIn(answer),
            statuses: namesIn(statuses),
        };
        return { document, method, path, by: namesIn(by), ...fields };
    }),
);

/** A request that the documents do not describe, or that a command sends: who sends it, and when. */
export interface OtherRequest {
    readonly document: Document;
    readonly line: string;
    readonly who: string;
    readonly when: string;
}

/** The requests beside those of `endpoints`. */
export const otherRequests: readonly OtherRequest[] = (
    [
        [
            "Secrets Manager",
            "POST /v1/auth/:mount/login",
            "settings",
            "before the first request of a command with `login`, and when the token ends",
        ],
        [
            "Secrets Manager",
            "POST /v1/auth/token/renew-self",
            "settings",
            "after two thirds of the life of a login's token, if it can be renewed",
        ],
        ["Secrets Manager", "POST /v1/auth/token/revoke-self", "settings", "at the end of a command that logged in"],
        ["Secrets Manager", "GET /v1/sys/health", "`doctor`", "always, without a token"],
        ["Secrets Manager", "LIST /v1/auth/clouda/role", "`doctor`, `import`, `List` of the plugin", "always"],
        [
            "State Versions",
            "POST /api/v2/workspaces/:workspace_id/actions/lock",
            "`StateVersion`, `StateVersionRollback`, `WorkspaceLock`",
            "before a new version, unless `lock` is `false`; at the creation of a `WorkspaceLock`",
        ],
        [
            "State Versions",
            "POST /api/v2/workspaces/:workspace_id/actions/unlock",
            "`StateVersion`, `StateVersionRollback`, `WorkspaceLock`",
            "after a new version, and for a lock of an earlier run; then the current version is read; at the deletion of a `WorkspaceLock`",
        ],
        ["State Versions", "GET {hosted-json-state-download-url}", "`downloadState`", 'with `format: "json"`'],
        ["State Versions", "GET /api/v2/workspaces/:workspace_id/runs", "`history`", "always"],
        ["State Versions", "GET /api/v2/account/details", "`doctor`", "always"],
        [
            "Volumes",
            "POST /v1/acl/login",
            "settings",
            "before the first request of a command with `login`, and when the token ends",
        ],
        ["Volumes", "GET /v1/volumes", "`doctor`, `import`, `List` of the plugin", "always"],
    ] as const
).map(([document, line, who, when]) => ({ document, line, who, when }));

/** Matches `METHOD /path` of the requests to an endpoint, with any mount. */
export function patternOf({ method, path }: Pick<Endpoint, "method" | "path">): RegExp {
    // Records contain absolute URLs of the content.
    const place = path.replace(/^\{.*/, "/v1/object/:id").replace(/:[a-z_]+|(?<=auth\/)\w+/g, "[^/]+");
    return new RegExp(`^${method} ${place}$`);
}

/** Returns the fields that the `wire` of properties names, each with the path of its property: `["Topologies", "topologies"]`. */
export function fieldsOf(node: Node, field = "", path = ""): (readonly [field: string, path: string])[] {
    if (node.kind === "object") {
        return [...node.properties.values()].flatMap(({ name, facts, node: inner }) => {
            // The fields of a union are on the level of the union.
            const names = [field, inner.kind === "union" ? undefined : facts.wire].filter(Boolean);
            return fieldsOf(inner, names.join("."), path === "" ? name : `${path}.${name}`);
        });
    }
    if (node.kind === "union") return [...node.forms.values()].flatMap((form) => fieldsOf(form.node, field, path));
    if ("item" in node && node.item.kind !== "leaf") {
        const step = node.kind === "list" ? "[]" : ".*";
        return fieldsOf(node.item, field && field + step, path + step);
    }
    return field === "" ? [] : [[field.replace(/(\[\]|\.\*)+$/, ""), path.replace(/(\[\]|\.\*)+$/, "")]];
}
