/**
 * Every endpoint and every field of the three documents, written by hand from them, and the way of a program to each.
 *
 * A way is `AuthRole.tokenTtl` (an input or output), `SnapshotConfig.storage(local).maxSpace` (a field of one form of an
 * input), `getAuthRoles(mount)` (an argument), `getAuthRoles().names` (a field of the result; `[]` are the items of a list
 * and `*` the entries of a map) or the bare name of a resource or function that sees to the field by itself.
 * `test/coverage.test.ts` takes each of these ways.
 */

/** A field's name in the document, by its path in the body, and the ways to it. */
export type Ways = Readonly<Record<string, readonly string[]>>;

/** A line of a document's table of endpoints. */
export interface Endpoint {
    readonly document: "Secrets Manager" | "State Versions" | "Volumes";
    readonly method: "GET" | "LIST" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** As the document has it, below the address of the service. */
    readonly path: string;
    /** Resources and functions that send it. */
    readonly by: readonly string[];
    readonly query?: Ways;
    /** Fields of the body that is sent. */
    readonly request?: Ways;
    /** Fields of the body that comes back. */
    readonly response?: Ways;
}

/** Where the paths of a document begin, on a server that has the services side by side. */
export const prefixes: Readonly<Record<Endpoint["document"], string>> = {
    "Secrets Manager": "/v1",
    "State Versions": "/api/v2",
    Volumes: "",
};

/** Fields that programs know by the same name in camel case, behind `place` in the document and behind each of `shown` in programs. */
function same(place: string, shown: string | readonly string[], names: string): Ways {
    const all = [shown].flat();
    const fields = names.split(/\s+/).filter((name) => name !== "");
    return Object.fromEntries(fields.map((name) => [place + name, all.map((begin) => begin + camelCase(name))]));
}

function camelCase(name: string): string {
    const word = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/ID$/, "Id");
    return name.replace(/\w[\w-]*/g, (part) => word(part.replace(/[_-](\w)/g, (_, letter) => letter.toUpperCase())));
}

/** Fields that have the same ways. */
function each(ways: readonly string[], ...names: readonly string[]): Ways {
    return Object.fromEntries(names.map((name) => [name, ways]));
}

type Row = readonly [
    line: string,
    by: string | readonly string[],
    fields?: { [Part in "query" | "request" | "response"]?: Ways },
];

/** The endpoints of a document: method and path, who sends it, and its fields. */
const endpointsOf = (document: Endpoint["document"], rows: readonly Row[]) =>
    rows.map(([line, by, fields]): Endpoint => {
        const [method, path = ""] = line.split(" ");
        return { document, method: method as Endpoint["method"], path, by: [by].flat(), ...fields };
    });

const config = "tenant_id resource environment client_id max_retries max_retry_delay retry_delay";
const role = `bound_service_principal_ids bound_group_ids bound_locations bound_subscription_ids bound_resource_groups bound_scale_sets
    token_ttl token_bound_cidrs token_explicit_max_ttl token_no_default_policy token_num_uses token_period token_type max_jwt_exp`;
const snapshotConfig = "/sys/storage/raft/snapshot-auto/config";
const storage = (form: string) => `SnapshotConfig.storage(${form}).`;
const forms = ["local", "cloudb-s3", "cloudc-gcs", "clouda-blob"];

const secretsManager = endpointsOf("Secrets Manager", [
    ["POST /auth/clouda/config", "AuthConfig", { request: same("", "AuthConfig.", `${config} client_secret`) }],
    [
        "GET /auth/clouda/config",
        ["AuthConfig", "getAuthConfig"],
        {
            response: {
                ...same("data.", ["AuthConfig.", "getAuthConfig()."], config),
                ...same("data.", "getAuthConfig().", "client_secret"),
            },
        },
    ],
    ["DELETE /auth/clouda/config", "AuthConfig"],
    ["POST /auth/clouda/rotate-root", "RootRotation"],
    [
        "POST /auth/clouda/role/:name",
        "AuthRole",
        {
            request: {
                ...same("", "AuthRole.", role),
                // The sample's `max_ttl` has no stated meaning; servers know it as the former name of this one.
                token_max_ttl: ["AuthRole.tokenMaxTtl", "AuthRole.maxTtl"],
                // `policies` is deprecated in favour of this one.
                token_policies: ["AuthRole.tokenPolicies", "AuthRole.policies"],
            },
        },
    ],
    [
        "GET /auth/clouda/role/:name",
        ["AuthRole", "getAuthRole"],
        { response: same("data.", ["AuthRole.", "getAuthRole()."], `${role} token_max_ttl token_policies`) },
    ],
    ["LIST /auth/clouda/role", "getAuthRoles", { response: { "data.keys": ["getAuthRoles().names"] } }],
    ["DELETE /auth/clouda/role/:name", "AuthRole"],
    [
        "POST /auth/clouda/login",
        "login",
        {
            request: Object.fromEntries(
                ["role", "jwt", "subscription_id", "resource_group_name", "vm_name", "vmss_name", "resource_id"].map(
                    (name) => [name, [`login(${camelCase(name)})`]],
                ),
            ),
            response: same("auth.", "login().", "client_token accessor token_policies lease_duration renewable"),
        },
    ],
    [
        `POST ${snapshotConfig}/:name`,
        "SnapshotConfig",
        {
            request: {
                ...same("", "SnapshotConfig.", "interval retain file_prefix"),
                storage_type: ["SnapshotConfig.storage.type"],
                ...same("", forms.map(storage), "path_prefix"),
                ...same("local_", storage("local"), "max_space"),
                ...same(
                    "cloudb_s3_",
                    storage("cloudb-s3"),
                    "bucket region endpoint disable_tls force_path_style enable_kms server_side_encryption kms_key",
                ),
                ...same("cloudb_", storage("cloudb-s3"), "access_key_id secret_access_key session_token"),
                ...same("cloudc_gcs_", storage("cloudc-gcs"), "bucket"),
                ...same("cloudc_", storage("cloudc-gcs"), "service_account_key endpoint disable_tls"),
                clouda_container_name: [`${storage("clouda-blob")}container`],
                ...same("clouda_", storage("clouda-blob"), "account_name account_key endpoint"),
                ...same("clouda_blob_", storage("clouda-blob"), "environment"),
            },
        },
    ],
    [`LIST ${snapshotConfig}`, "getSnapshotConfigs", { response: { "data.keys": ["getSnapshotConfigs().names"] } }],
    [
        `GET ${snapshotConfig}/:name`,
        ["SnapshotConfig", "getSnapshotConfig"],
        {
            response: {
                ...same("data.", ["SnapshotConfig.", "getSnapshotConfig()."], "file_prefix interval retain"),
                "data.local_max_space": [`${storage("local")}maxSpace`, "getSnapshotConfig().storage"],
                "data.path_prefix": [`${storage("local")}pathPrefix`, "getSnapshotConfig().storage"],
                "data.storage_type": ["SnapshotConfig.storage.type", "getSnapshotConfig().storage"],
            },
        },
    ],
    [`DELETE ${snapshotConfig}/:name`, "SnapshotConfig"],
    [
        "GET /sys/storage/raft/snapshot-auto/status/:name",
        ["SnapshotConfig", "getSnapshotStatus"],
        {
            response: Object.fromEntries(
                Object.entries(
                    same(
                        "data.",
                        "getSnapshotStatus().",
                        "last_snapshot_start last_snapshot_end last_snapshot_error last_snapshot_url snapshot_start snapshot_url",
                    ),
                ).map(([name, ways]) => [name, [...ways, "SnapshotConfig.status"]]),
            ),
        },
    ],
]);

/** A record's fields under the result that shows it. The addresses are shown of single versions only: those of a list would all be secret. */
function record(item: string, shown: string, withAddresses: boolean): Ways {
    const relationship = (name: string) => `${item}.relationships.${name}`;
    const address = (name: string, user: string) => [`${shown}.${camelCase(name)}`, user];
    return {
        [`${item}.id`]: [`${shown}.id`],
        // It is the same word for all records.
        [`${item}.type`]: [/^\w+/.exec(shown)?.[0] ?? ""],
        ...same(
            `${item}.attributes.`,
            `${shown}.`,
            `created-at size status intermediate serial state-version tool-version modules.*.* providers.*.* resources[].name resources[].type
            resources[].count resources[].module resources[].provider resources-processed vcs-commit-sha vcs-commit-url delete-older-than-n-days`,
        ),
        [relationship("run.data.id")]: [`${shown}.runId`],
        [relationship("run.data.type")]: [`${shown}.runType`],
        [relationship("created-by.data.id")]: [`${shown}.createdById`],
        [relationship("created-by.data.type")]: [`${shown}.createdByType`],
        [relationship("created-by.links.self")]: [`${shown}.createdByLinks.*`],
        [relationship("created-by.links.related")]: [`${shown}.createdByLinks.*`],
        [`${item}.links.self`]: [`${shown}.links.*`],
        [relationship("workspace.data.id")]: [`${shown}.workspaceId`],
        [relationship("outputs.data[].id")]: [`${shown}.outputIds`],
        [relationship("rollback-state-version.data.id")]: [`${shown}.rollbackStateVersionId`],
        ...(withAddresses &&
            Object.fromEntries(
                [
                    ["hosted-state-download-url", "downloadState"],
                    ["hosted-json-state-download-url", "downloadState"],
                    ["hosted-state-upload-url", "StateVersion"],
                    ["hosted-json-state-upload-url", "StateVersion"],
                ].map(([name = "", user = ""]) => [`${item}.attributes.${name}`, address(name, user)]),
            )),
    };
}

const backingData = (action: string, fields?: Row[2]): Row => [
    `POST /state-versions/:state_version_id/actions/${action}_backing_data`,
    "StateVersionBackingData",
    fields ?? { response: same("data.attributes.", "StateVersionBackingData.", "status") },
];
const days = "delete-older-than-n-days";

const stateVersions = endpointsOf("State Versions", [
    [
        "POST /workspaces/:workspace_id/state-versions",
        "StateVersion",
        {
            request: {
                ...each(["StateVersion"], "data.type", "data.relationships.run.data.type"),
                "data.attributes.serial": ["StateVersion.serial", "StateVersion.content"],
                "data.attributes.md5": ["StateVersion.md5", "StateVersion.content"],
                "data.attributes.state": ["StateVersion.content"],
                "data.attributes.lineage": ["StateVersion.lineage", "StateVersion.content"],
                "data.attributes.json-state": ["StateVersion.jsonContent"],
                "data.attributes.json-state-outputs": ["StateVersion.jsonStateOutputs"],
                "data.relationships.run.data.id": ["StateVersion.runId"],
            },
            response: {
                "data.id": ["StateVersion.id"],
                "data.attributes.status": ["StateVersion.status"],
                "data.attributes.hosted-state-upload-url": ["StateVersion"],
                "data.attributes.hosted-json-state-upload-url": ["StateVersion"],
            },
        },
    ],
    // The addresses stand on the record, whole.
    ["PUT {upload_url}/v1/object/:object_id", "StateVersion"],
    ["GET {hosted-state-download-url}", ["downloadState", "StateVersionRollback"]],
    [
        "GET /state-versions",
        "getStateVersions",
        {
            query: {
                "filter[workspace][name]": ["getStateVersions(workspaceName)"],
                "filter[organization][name]": ["getStateVersions(organization)"],
                "filter[status]": ["getStateVersions(status)"],
                "page[number]": ["getStateVersions"],
                "page[size]": ["getStateVersions(limit)"],
                include: ["getStateVersions(include)"],
            },
            response: {
                ...record("data[]", "getStateVersions().stateVersions[]", false),
                // All pages are fetched, or as many as `limit` needs.
                ...each(["getStateVersions"], "links.self", "links.first", "links.last", "links.prev", "links.next"),
                ...each(
                    ["getStateVersions"],
                    ...["current-page", "total-pages", "prev-page", "next-page"].map(
                        (name) => `meta.pagination.${name}`,
                    ),
                ),
                "meta.pagination.page-size": ["getStateVersions(limit)"],
                "meta.pagination.total-count": ["getStateVersions().stateVersions"],
                included: ["getStateVersions().included"],
            },
        },
    ],
    [
        "GET /workspaces/:workspace_id/current-state-version",
        ["StateVersionRollback", "getCurrentStateVersion"],
        {
            query: { include: ["getCurrentStateVersion(include)"] },
            response: {
                ...record("data", "getCurrentStateVersion()", true),
                included: ["getCurrentStateVersion().included"],
            },
        },
    ],
    [
        "GET /state-versions/:state_version_id",
        ["getStateVersion", "StateVersion", "StateVersionRollback", "StateVersionBackingData"],
        {
            query: { include: ["getStateVersion(include)"] },
            response: { ...record("data", "getStateVersion()", true), included: ["getStateVersion().included"] },
        },
    ],
    [
        "PATCH /workspaces/:workspace_id/state-versions",
        "StateVersionRollback",
        {
            request: {
                ...each(["StateVersionRollback"], "data.type", "data.relationships.rollback-state-version.data.type"),
                "data.relationships.rollback-state-version.data.id": ["StateVersionRollback.stateVersionId"],
            },
            response: {
                "data.id": ["StateVersionRollback.currentStateVersionId"],
                ...same("data.attributes.", "StateVersionRollback.", "serial created-at resources"),
                "data.relationships.workspace.data.id": ["StateVersionRollback.workspaceId"],
                "data.relationships.rollback-state-version.data.id": ["StateVersionRollback.stateVersionId"],
            },
        },
    ],
    backingData("soft_delete", {
        request: same("data.attributes.", "StateVersionBackingData.", days),
        response: same("data.attributes.", "StateVersionBackingData.", `status ${days}`),
    }),
    backingData("restore"),
    backingData("permanently_delete"),
]);

/** What the listed and the read form share. */
const volume = (item: string, shown: string): Ways => ({
    [`${item}ID`]: [`${shown}.volumeId`],
    ...same(
        item,
        `${shown}.`,
        `ExternalID Namespace Name Topologies AccessMode AttachmentMode Schedulable PluginID Provider ControllerRequired ControllersHealthy
        ControllersExpected NodesHealthy NodesExpected ResourceExhausted CreateIndex ModifyIndex`,
    ),
});

const allocation = "getCsiVolume().allocations[].";
const tasks = "Allocations[].TaskStates.*.";

const volumes = endpointsOf("Volumes", [
    [
        "GET /v1/volumes",
        "getCsiVolumes",
        {
            query: {
                // Only `csi` is supported, and without it the list is empty.
                type: ["getCsiVolumes"],
                node_id: ["getCsiVolumes(nodeId)"],
                plugin_id: ["getCsiVolumes(pluginId)"],
                // Blocking queries: supported, their parameters not shown.
                index: ["getCsiVolumes(index)"],
                wait: ["getCsiVolumes(wait)"],
            },
            response: volume("[].", "getCsiVolumes().volumes[]"),
        },
    ],
    [
        "GET /v1/volume/csi/:volume_id",
        ["CsiVolume", "getCsiVolume", "CsiVolumeDetachment"],
        {
            query: { index: ["getCsiVolume(index)"], wait: ["getCsiVolume(wait)"] },
            response: {
                ...volume("", "getCsiVolume()"),
                Version: ["getCsiVolume().version", "CsiVolume.version"],
                ...same("", "getCsiVolume().", "ReadAllocs WriteAllocs"),
                "Allocations[].ID": [`${allocation}id`],
                ...same(
                    "Allocations[].",
                    allocation,
                    `EvalID Name NodeID PreviousAllocation NextAllocation JobID TaskGroup DesiredStatus DesiredDescription ClientStatus
                    ClientDescription CreateIndex ModifyIndex CreateTime ModifyTime RescheduleTracker.Events[].PrevAllocID
                    RescheduleTracker.Events[].PrevNodeID RescheduleTracker.Events[].RescheduleTime RescheduleTracker.Events[].Delay`,
                ),
                ...same(tasks, `${allocation}taskStates.*.`, "State FinishedAt LastRestart StartedAt Restarts Failed"),
                ...same(
                    `${tasks}Events[].`,
                    `${allocation}taskStates.*.events[].`,
                    `Type RestartReason SetupError DriverError Message KillError KillReason DownloadError ValidationError FailedSibling
                    SecretsError TaskSignalReason TaskSignal DriverMessage Time ExitCode Signal KillTimeout StartDelay DiskLimit FailsTask`,
                ),
            },
        },
    ],
    [
        "PUT /v1/volume/csi/:volume_id",
        "CsiVolume",
        {
            request: {
                "Volumes[].ID": ["CsiVolume.volumeId"],
                ...same(
                    "Volumes[].",
                    "CsiVolume.",
                    "Name Namespace ExternalID Topologies AccessMode AttachmentMode PluginID",
                ),
            },
        },
    ],
    ["DELETE /v1/volume/csi/:volume_id", "CsiVolume", { query: { force: ["CsiVolume.force"] } }],
    [
        "DELETE /v1/volume/csi/:volume_id/detach",
        ["CsiVolumeDetachment", "CsiVolume"],
        { query: { node: ["CsiVolumeDetachment.node", "CsiVolume.detachOnDelete"] } },
    ],
]);

/** Everything, in the order of the documents. */
export const endpoints: readonly Endpoint[] = [...secretsManager, ...stateVersions, ...volumes];

const related = ["created_by", "run", "run.created_by", "run.configuration_version", "outputs"];

/** The words that the documents allow for a field, by the way to it. */
export const words: Readonly<Record<string, readonly string[]>> = {
    "AuthConfig.environment": ["CloudAPublicCloud", "CloudAUSGovernmentCloud", "CloudAChinaCloud", "CloudAGermanCloud"],
    "AuthRole.tokenType": ["service", "batch", "default", "default-service", "default-batch"],
    "SnapshotConfig.storage": ["local", "clouda-blob", "cloudb-s3", "cloudc-gcs"],
    "getStateVersions(status)": ["pending", "finalized", "discarded"],
    "getStateVersions(include)": related,
    "getStateVersion(include)": related,
    "getCurrentStateVersion(include)": related,
};
