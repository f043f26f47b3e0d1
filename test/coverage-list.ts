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

const snapshotConfig = "/sys/storage/raft/snapshot-auto/config";

const secretsManager: readonly Endpoint[] = [
    {
        document: "Secrets Manager",
        method: "POST",
        path: "/auth/clouda/config",
        by: ["AuthConfig"],
        request: {
            tenant_id: ["AuthConfig.tenantId"],
            resource: ["AuthConfig.resource"],
            environment: ["AuthConfig.environment"],
            client_id: ["AuthConfig.clientId"],
            client_secret: ["AuthConfig.clientSecret"],
            max_retries: ["AuthConfig.maxRetries"],
            max_retry_delay: ["AuthConfig.maxRetryDelay"],
            retry_delay: ["AuthConfig.retryDelay"],
        },
    },
    {
        document: "Secrets Manager",
        method: "GET",
        path: "/auth/clouda/config",
        by: ["AuthConfig", "getAuthConfig"],
        response: {
            "data.tenant_id": ["AuthConfig.tenantId", "getAuthConfig().tenantId"],
            "data.resource": ["AuthConfig.resource", "getAuthConfig().resource"],
            "data.client_id": ["AuthConfig.clientId", "getAuthConfig().clientId"],
            "data.client_secret": ["getAuthConfig().clientSecret"],
            "data.environment": ["AuthConfig.environment", "getAuthConfig().environment"],
            "data.max_retries": ["AuthConfig.maxRetries", "getAuthConfig().maxRetries"],
            "data.max_retry_delay": ["AuthConfig.maxRetryDelay", "getAuthConfig().maxRetryDelay"],
            "data.retry_delay": ["AuthConfig.retryDelay", "getAuthConfig().retryDelay"],
        },
    },
    { document: "Secrets Manager", method: "DELETE", path: "/auth/clouda/config", by: ["AuthConfig"] },
    { document: "Secrets Manager", method: "POST", path: "/auth/clouda/rotate-root", by: ["RootRotation"] },
    {
        document: "Secrets Manager",
        method: "POST",
        path: "/auth/clouda/role/:name",
        by: ["AuthRole"],
        request: {
            bound_service_principal_ids: ["AuthRole.boundServicePrincipalIds"],
            bound_group_ids: ["AuthRole.boundGroupIds"],
            bound_locations: ["AuthRole.boundLocations"],
            bound_subscription_ids: ["AuthRole.boundSubscriptionIds"],
            bound_resource_groups: ["AuthRole.boundResourceGroups"],
            bound_scale_sets: ["AuthRole.boundScaleSets"],
            token_ttl: ["AuthRole.tokenTtl"],
            // The sample's `max_ttl` has no stated meaning; servers know it as the former name of this one.
            token_max_ttl: ["AuthRole.tokenMaxTtl", "AuthRole.maxTtl"],
            // `policies` is deprecated in favour of this one.
            token_policies: ["AuthRole.tokenPolicies", "AuthRole.policies"],
            token_bound_cidrs: ["AuthRole.tokenBoundCidrs"],
            token_explicit_max_ttl: ["AuthRole.tokenExplicitMaxTtl"],
            token_no_default_policy: ["AuthRole.tokenNoDefaultPolicy"],
            token_num_uses: ["AuthRole.tokenNumUses"],
            token_period: ["AuthRole.tokenPeriod"],
            token_type: ["AuthRole.tokenType"],
            max_jwt_exp: ["AuthRole.maxJwtExp"],
        },
    },
    {
        document: "Secrets Manager",
        method: "GET",
        path: "/auth/clouda/role/:name",
        by: ["AuthRole", "getAuthRole"],
        response: {
            "data.bound_service_principal_ids": [
                "AuthRole.boundServicePrincipalIds",
                "getAuthRole().boundServicePrincipalIds",
            ],
            "data.bound_group_ids": ["AuthRole.boundGroupIds", "getAuthRole().boundGroupIds"],
            "data.bound_locations": ["AuthRole.boundLocations", "getAuthRole().boundLocations"],
            "data.bound_subscription_ids": ["AuthRole.boundSubscriptionIds", "getAuthRole().boundSubscriptionIds"],
            "data.bound_resource_groups": ["AuthRole.boundResourceGroups", "getAuthRole().boundResourceGroups"],
            "data.bound_scale_sets": ["AuthRole.boundScaleSets", "getAuthRole().boundScaleSets"],
            "data.token_ttl": ["AuthRole.tokenTtl", "getAuthRole().tokenTtl"],
            "data.token_max_ttl": ["AuthRole.tokenMaxTtl", "getAuthRole().tokenMaxTtl"],
            "data.token_policies": ["AuthRole.tokenPolicies", "getAuthRole().tokenPolicies"],
            "data.token_bound_cidrs": ["AuthRole.tokenBoundCidrs", "getAuthRole().tokenBoundCidrs"],
            "data.token_explicit_max_ttl": ["AuthRole.tokenExplicitMaxTtl", "getAuthRole().tokenExplicitMaxTtl"],
            "data.token_no_default_policy": ["AuthRole.tokenNoDefaultPolicy", "getAuthRole().tokenNoDefaultPolicy"],
            "data.token_num_uses": ["AuthRole.tokenNumUses", "getAuthRole().tokenNumUses"],
            "data.token_period": ["AuthRole.tokenPeriod", "getAuthRole().tokenPeriod"],
            "data.token_type": ["AuthRole.tokenType", "getAuthRole().tokenType"],
            "data.max_jwt_exp": ["AuthRole.maxJwtExp", "getAuthRole().maxJwtExp"],
        },
    },
    {
        document: "Secrets Manager",
        method: "LIST",
        path: "/auth/clouda/role",
        by: ["getAuthRoles"],
        response: { "data.keys": ["getAuthRoles().names"] },
    },
    { document: "Secrets Manager", method: "DELETE", path: "/auth/clouda/role/:name", by: ["AuthRole"] },
    {
        document: "Secrets Manager",
        method: "POST",
        path: "/auth/clouda/login",
        by: ["login"],
        request: {
            role: ["login(role)"],
            jwt: ["login(jwt)"],
            subscription_id: ["login(subscriptionId)"],
            resource_group_name: ["login(resourceGroupName)"],
            vm_name: ["login(vmName)"],
            vmss_name: ["login(vmssName)"],
            resource_id: ["login(resourceId)"],
        },
        response: {
            "auth.client_token": ["login().clientToken"],
            "auth.accessor": ["login().accessor"],
            "auth.token_policies": ["login().tokenPolicies"],
            "auth.lease_duration": ["login().leaseDuration"],
            "auth.renewable": ["login().renewable"],
        },
    },
    {
        document: "Secrets Manager",
        method: "POST",
        path: `${snapshotConfig}/:name`,
        by: ["SnapshotConfig"],
        request: {
            interval: ["SnapshotConfig.interval"],
            retain: ["SnapshotConfig.retain"],
            path_prefix: [
                "SnapshotConfig.storage(local).pathPrefix",
                "SnapshotConfig.storage(cloudb-s3).pathPrefix",
                "SnapshotConfig.storage(cloudc-gcs).pathPrefix",
                "SnapshotConfig.storage(clouda-blob).pathPrefix",
            ],
            file_prefix: ["SnapshotConfig.filePrefix"],
            storage_type: ["SnapshotConfig.storage.type"],
            local_max_space: ["SnapshotConfig.storage(local).maxSpace"],
            cloudb_s3_bucket: ["SnapshotConfig.storage(cloudb-s3).bucket"],
            cloudb_s3_region: ["SnapshotConfig.storage(cloudb-s3).region"],
            cloudb_access_key_id: ["SnapshotConfig.storage(cloudb-s3).accessKeyId"],
            cloudb_secret_access_key: ["SnapshotConfig.storage(cloudb-s3).secretAccessKey"],
            cloudb_session_token: ["SnapshotConfig.storage(cloudb-s3).sessionToken"],
            cloudb_s3_endpoint: ["SnapshotConfig.storage(cloudb-s3).endpoint"],
            cloudb_s3_disable_tls: ["SnapshotConfig.storage(cloudb-s3).disableTls"],
            cloudb_s3_force_path_style: ["SnapshotConfig.storage(cloudb-s3).forcePathStyle"],
            cloudb_s3_enable_kms: ["SnapshotConfig.storage(cloudb-s3).enableKms"],
            cloudb_s3_server_side_encryption: ["SnapshotConfig.storage(cloudb-s3).serverSideEncryption"],
            cloudb_s3_kms_key: ["SnapshotConfig.storage(cloudb-s3).kmsKey"],
            cloudc_gcs_bucket: ["SnapshotConfig.storage(cloudc-gcs).bucket"],
            cloudc_service_account_key: ["SnapshotConfig.storage(cloudc-gcs).serviceAccountKey"],
            cloudc_endpoint: ["SnapshotConfig.storage(cloudc-gcs).endpoint"],
            cloudc_disable_tls: ["SnapshotConfig.storage(cloudc-gcs).disableTls"],
            clouda_container_name: ["SnapshotConfig.storage(clouda-blob).container"],
            clouda_account_name: ["SnapshotConfig.storage(clouda-blob).accountName"],
            clouda_account_key: ["SnapshotConfig.storage(clouda-blob).accountKey"],
            clouda_blob_environment: ["SnapshotConfig.storage(clouda-blob).environment"],
            clouda_endpoint: ["SnapshotConfig.storage(clouda-blob).endpoint"],
        },
    },
    {
        document: "Secrets Manager",
        method: "LIST",
        path: snapshotConfig,
        by: ["getSnapshotConfigs"],
        response: { "data.keys": ["getSnapshotConfigs().names"] },
    },
    {
        document: "Secrets Manager",
        method: "GET",
        path: `${snapshotConfig}/:name`,
        by: ["SnapshotConfig", "getSnapshotConfig"],
        response: {
            "data.file_prefix": ["SnapshotConfig.filePrefix", "getSnapshotConfig().filePrefix"],
            "data.interval": ["SnapshotConfig.interval", "getSnapshotConfig().interval"],
            "data.local_max_space": ["SnapshotConfig.storage(local).maxSpace", "getSnapshotConfig().storage"],
            "data.path_prefix": ["SnapshotConfig.storage(local).pathPrefix", "getSnapshotConfig().storage"],
            "data.retain": ["SnapshotConfig.retain", "getSnapshotConfig().retain"],
            "data.storage_type": ["SnapshotConfig.storage.type", "getSnapshotConfig().storage"],
        },
    },
    { document: "Secrets Manager", method: "DELETE", path: `${snapshotConfig}/:name`, by: ["SnapshotConfig"] },
    {
        document: "Secrets Manager",
        method: "GET",
        path: "/sys/storage/raft/snapshot-auto/status/:name",
        by: ["SnapshotConfig", "getSnapshotStatus"],
        response: {
            "data.last_snapshot_start": ["getSnapshotStatus().lastSnapshotStart", "SnapshotConfig.status"],
            "data.last_snapshot_end": ["getSnapshotStatus().lastSnapshotEnd", "SnapshotConfig.status"],
            "data.last_snapshot_error": ["getSnapshotStatus().lastSnapshotError", "SnapshotConfig.status"],
            "data.last_snapshot_url": ["getSnapshotStatus().lastSnapshotUrl", "SnapshotConfig.status"],
            "data.snapshot_start": ["getSnapshotStatus().snapshotStart", "SnapshotConfig.status"],
            "data.snapshot_url": ["getSnapshotStatus().snapshotUrl", "SnapshotConfig.status"],
        },
    },
];

/** A record's fields under the result that shows it. The addresses are shown of single versions only: those of a list would all be secret. */
function record(item: string, shown: string, withAddresses: boolean): Ways {
    const attributes = `${item}.attributes`;
    const relationships = `${item}.relationships`;
    return {
        [`${item}.id`]: [`${shown}.id`],
        // It is the same word for all records.
        [`${item}.type`]: [/^\w+/.exec(shown)?.[0] ?? ""],
        [`${attributes}.created-at`]: [`${shown}.createdAt`],
        [`${attributes}.size`]: [`${shown}.size`],
        [`${attributes}.status`]: [`${shown}.status`],
        [`${attributes}.intermediate`]: [`${shown}.intermediate`],
        [`${attributes}.serial`]: [`${shown}.serial`],
        [`${attributes}.state-version`]: [`${shown}.stateVersion`],
        [`${attributes}.tool-version`]: [`${shown}.toolVersion`],
        [`${attributes}.modules.*.*`]: [`${shown}.modules.*.*`],
        [`${attributes}.providers.*.*`]: [`${shown}.providers.*.*`],
        [`${attributes}.resources[].name`]: [`${shown}.resources[].name`],
        [`${attributes}.resources[].type`]: [`${shown}.resources[].type`],
        [`${attributes}.resources[].count`]: [`${shown}.resources[].count`],
        [`${attributes}.resources[].module`]: [`${shown}.resources[].module`],
        [`${attributes}.resources[].provider`]: [`${shown}.resources[].provider`],
        [`${attributes}.resources-processed`]: [`${shown}.resourcesProcessed`],
        [`${attributes}.vcs-commit-sha`]: [`${shown}.vcsCommitSha`],
        [`${attributes}.vcs-commit-url`]: [`${shown}.vcsCommitUrl`],
        [`${attributes}.delete-older-than-n-days`]: [`${shown}.deleteOlderThanNDays`],
        [`${relationships}.run.data.id`]: [`${shown}.runId`],
        [`${relationships}.run.data.type`]: [`${shown}.runType`],
        [`${relationships}.created-by.data.id`]: [`${shown}.createdById`],
        [`${relationships}.created-by.data.type`]: [`${shown}.createdByType`],
        [`${relationships}.created-by.links.self`]: [`${shown}.createdByLinks.*`],
        [`${relationships}.created-by.links.related`]: [`${shown}.createdByLinks.*`],
        [`${item}.links.self`]: [`${shown}.links.*`],
        [`${relationships}.workspace.data.id`]: [`${shown}.workspaceId`],
        [`${relationships}.outputs.data[].id`]: [`${shown}.outputIds`],
        [`${relationships}.rollback-state-version.data.id`]: [`${shown}.rollbackStateVersionId`],
        ...(withAddresses && {
            [`${attributes}.hosted-state-download-url`]: [`${shown}.hostedStateDownloadUrl`, "downloadState"],
            [`${attributes}.hosted-json-state-download-url`]: [`${shown}.hostedJsonStateDownloadUrl`, "downloadState"],
            [`${attributes}.hosted-state-upload-url`]: [`${shown}.hostedStateUploadUrl`, "StateVersion"],
            [`${attributes}.hosted-json-state-upload-url`]: [`${shown}.hostedJsonStateUploadUrl`, "StateVersion"],
        }),
    };
}

const stateVersions: readonly Endpoint[] = [
    {
        document: "State Versions",
        method: "POST",
        path: "/workspaces/:workspace_id/state-versions",
        by: ["StateVersion"],
        request: {
            "data.type": ["StateVersion"],
            "data.attributes.serial": ["StateVersion.serial", "StateVersion.content"],
            "data.attributes.md5": ["StateVersion.md5", "StateVersion.content"],
            "data.attributes.state": ["StateVersion.content"],
            "data.attributes.lineage": ["StateVersion.lineage", "StateVersion.content"],
            "data.attributes.json-state": ["StateVersion.jsonContent"],
            "data.attributes.json-state-outputs": ["StateVersion.jsonStateOutputs"],
            "data.relationships.run.data.id": ["StateVersion.runId"],
            "data.relationships.run.data.type": ["StateVersion"],
        },
        response: {
            "data.id": ["StateVersion.id"],
            "data.attributes.status": ["StateVersion.status"],
            "data.attributes.hosted-state-upload-url": ["StateVersion"],
            "data.attributes.hosted-json-state-upload-url": ["StateVersion"],
        },
    },
    // The addresses stand on the record, whole.
    { document: "State Versions", method: "PUT", path: "{upload_url}/v1/object/:object_id", by: ["StateVersion"] },
    {
        document: "State Versions",
        method: "GET",
        path: "{hosted-state-download-url}",
        by: ["downloadState", "StateVersionRollback"],
    },
    {
        document: "State Versions",
        method: "GET",
        path: "/state-versions",
        by: ["getStateVersions"],
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
            "links.self": ["getStateVersions"],
            "links.first": ["getStateVersions"],
            "links.last": ["getStateVersions"],
            "links.prev": ["getStateVersions"],
            "links.next": ["getStateVersions"],
            "meta.pagination.current-page": ["getStateVersions"],
            "meta.pagination.page-size": ["getStateVersions(limit)"],
            "meta.pagination.total-pages": ["getStateVersions"],
            "meta.pagination.total-count": ["getStateVersions().stateVersions"],
            "meta.pagination.prev-page": ["getStateVersions"],
            "meta.pagination.next-page": ["getStateVersions"],
            included: ["getStateVersions().included"],
        },
    },
    {
        document: "State Versions",
        method: "GET",
        path: "/workspaces/:workspace_id/current-state-version",
        by: ["StateVersionRollback", "getCurrentStateVersion"],
        query: { include: ["getCurrentStateVersion(include)"] },
        response: {
            ...record("data", "getCurrentStateVersion()", true),
            included: ["getCurrentStateVersion().included"],
        },
    },
    {
        document: "State Versions",
        method: "GET",
        path: "/state-versions/:state_version_id",
        by: ["getStateVersion", "StateVersion", "StateVersionRollback", "StateVersionBackingData"],
        query: { include: ["getStateVersion(include)"] },
        response: { ...record("data", "getStateVersion()", true), included: ["getStateVersion().included"] },
    },
    {
        document: "State Versions",
        method: "PATCH",
        path: "/workspaces/:workspace_id/state-versions",
        by: ["StateVersionRollback"],
        request: {
            "data.type": ["StateVersionRollback"],
            "data.relationships.rollback-state-version.data.id": ["StateVersionRollback.stateVersionId"],
            "data.relationships.rollback-state-version.data.type": ["StateVersionRollback"],
        },
        response: {
            "data.id": ["StateVersionRollback.currentStateVersionId"],
            "data.attributes.serial": ["StateVersionRollback.serial"],
            "data.attributes.created-at": ["StateVersionRollback.createdAt"],
            "data.attributes.resources": ["StateVersionRollback.resources"],
            "data.relationships.workspace.data.id": ["StateVersionRollback.workspaceId"],
            "data.relationships.rollback-state-version.data.id": ["StateVersionRollback.stateVersionId"],
        },
    },
    {
        document: "State Versions",
        method: "POST",
        path: "/state-versions/:state_version_id/actions/soft_delete_backing_data",
        by: ["StateVersionBackingData"],
        request: {
            "data.attributes.delete-older-than-n-days": ["StateVersionBackingData.deleteOlderThanNDays"],
        },
        response: {
            "data.attributes.status": ["StateVersionBackingData.status"],
            "data.attributes.delete-older-than-n-days": ["StateVersionBackingData.deleteOlderThanNDays"],
        },
    },
    {
        document: "State Versions",
        method: "POST",
        path: "/state-versions/:state_version_id/actions/restore_backing_data",
        by: ["StateVersionBackingData"],
        response: { "data.attributes.status": ["StateVersionBackingData.status"] },
    },
    {
        document: "State Versions",
        method: "POST",
        path: "/state-versions/:state_version_id/actions/permanently_delete_backing_data",
        by: ["StateVersionBackingData"],
        response: { "data.attributes.status": ["StateVersionBackingData.status"] },
    },
];

const allocation = "getCsiVolume().allocations[]";
const task = `${allocation}.taskStates.*`;
const taskEvent = `${task}.events[]`;
const reschedule = `${allocation}.rescheduleTracker.events[]`;

/** What the listed and the read form share. */
function volume(item: string, shown: string): Ways {
    return {
        [`${item}ID`]: [`${shown}.volumeId`],
        [`${item}ExternalID`]: [`${shown}.externalId`],
        [`${item}Namespace`]: [`${shown}.namespace`],
        [`${item}Name`]: [`${shown}.name`],
        [`${item}Topologies`]: [`${shown}.topologies`],
        [`${item}AccessMode`]: [`${shown}.accessMode`],
        [`${item}AttachmentMode`]: [`${shown}.attachmentMode`],
        [`${item}Schedulable`]: [`${shown}.schedulable`],
        [`${item}PluginID`]: [`${shown}.pluginId`],
        [`${item}Provider`]: [`${shown}.provider`],
        [`${item}ControllerRequired`]: [`${shown}.controllerRequired`],
        [`${item}ControllersHealthy`]: [`${shown}.controllersHealthy`],
        [`${item}ControllersExpected`]: [`${shown}.controllersExpected`],
        [`${item}NodesHealthy`]: [`${shown}.nodesHealthy`],
        [`${item}NodesExpected`]: [`${shown}.nodesExpected`],
        [`${item}ResourceExhausted`]: [`${shown}.resourceExhausted`],
        [`${item}CreateIndex`]: [`${shown}.createIndex`],
        [`${item}ModifyIndex`]: [`${shown}.modifyIndex`],
    };
}

const volumes: readonly Endpoint[] = [
    {
        document: "Volumes",
        method: "GET",
        path: "/v1/volumes",
        by: ["getCsiVolumes"],
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
    {
        document: "Volumes",
        method: "GET",
        path: "/v1/volume/csi/:volume_id",
        by: ["CsiVolume", "getCsiVolume", "CsiVolumeDetachment"],
        query: { index: ["getCsiVolume(index)"], wait: ["getCsiVolume(wait)"] },
        response: {
            ...volume("", "getCsiVolume()"),
            Version: ["getCsiVolume().version", "CsiVolume.version"],
            ReadAllocs: ["getCsiVolume().readAllocs"],
            WriteAllocs: ["getCsiVolume().writeAllocs"],
            "Allocations[].ID": [`${allocation}.id`],
            "Allocations[].EvalID": [`${allocation}.evalId`],
            "Allocations[].Name": [`${allocation}.name`],
            "Allocations[].NodeID": [`${allocation}.nodeId`],
            "Allocations[].PreviousAllocation": [`${allocation}.previousAllocation`],
            "Allocations[].NextAllocation": [`${allocation}.nextAllocation`],
            "Allocations[].JobID": [`${allocation}.jobId`],
            "Allocations[].TaskGroup": [`${allocation}.taskGroup`],
            "Allocations[].DesiredStatus": [`${allocation}.desiredStatus`],
            "Allocations[].DesiredDescription": [`${allocation}.desiredDescription`],
            "Allocations[].ClientStatus": [`${allocation}.clientStatus`],
            "Allocations[].ClientDescription": [`${allocation}.clientDescription`],
            "Allocations[].CreateIndex": [`${allocation}.createIndex`],
            "Allocations[].ModifyIndex": [`${allocation}.modifyIndex`],
            "Allocations[].CreateTime": [`${allocation}.createTime`],
            "Allocations[].ModifyTime": [`${allocation}.modifyTime`],
            "Allocations[].RescheduleTracker.Events[].PrevAllocID": [`${reschedule}.prevAllocId`],
            "Allocations[].RescheduleTracker.Events[].PrevNodeID": [`${reschedule}.prevNodeId`],
            "Allocations[].RescheduleTracker.Events[].RescheduleTime": [`${reschedule}.rescheduleTime`],
            "Allocations[].RescheduleTracker.Events[].Delay": [`${reschedule}.delay`],
            "Allocations[].TaskStates.*.State": [`${task}.state`],
            "Allocations[].TaskStates.*.FinishedAt": [`${task}.finishedAt`],
            "Allocations[].TaskStates.*.LastRestart": [`${task}.lastRestart`],
            "Allocations[].TaskStates.*.StartedAt": [`${task}.startedAt`],
            "Allocations[].TaskStates.*.Restarts": [`${task}.restarts`],
            "Allocations[].TaskStates.*.Failed": [`${task}.failed`],
            "Allocations[].TaskStates.*.Events[].Type": [`${taskEvent}.type`],
            "Allocations[].TaskStates.*.Events[].RestartReason": [`${taskEvent}.restartReason`],
            "Allocations[].TaskStates.*.Events[].SetupError": [`${taskEvent}.setupError`],
            "Allocations[].TaskStates.*.Events[].DriverError": [`${taskEvent}.driverError`],
            "Allocations[].TaskStates.*.Events[].Message": [`${taskEvent}.message`],
            "Allocations[].TaskStates.*.Events[].KillError": [`${taskEvent}.killError`],
            "Allocations[].TaskStates.*.Events[].KillReason": [`${taskEvent}.killReason`],
            "Allocations[].TaskStates.*.Events[].DownloadError": [`${taskEvent}.downloadError`],
            "Allocations[].TaskStates.*.Events[].ValidationError": [`${taskEvent}.validationError`],
            "Allocations[].TaskStates.*.Events[].FailedSibling": [`${taskEvent}.failedSibling`],
            "Allocations[].TaskStates.*.Events[].SecretsError": [`${taskEvent}.secretsError`],
            "Allocations[].TaskStates.*.Events[].TaskSignalReason": [`${taskEvent}.taskSignalReason`],
            "Allocations[].TaskStates.*.Events[].TaskSignal": [`${taskEvent}.taskSignal`],
            "Allocations[].TaskStates.*.Events[].DriverMessage": [`${taskEvent}.driverMessage`],
            "Allocations[].TaskStates.*.Events[].Time": [`${taskEvent}.time`],
            "Allocations[].TaskStates.*.Events[].ExitCode": [`${taskEvent}.exitCode`],
            "Allocations[].TaskStates.*.Events[].Signal": [`${taskEvent}.signal`],
            "Allocations[].TaskStates.*.Events[].KillTimeout": [`${taskEvent}.killTimeout`],
            "Allocations[].TaskStates.*.Events[].StartDelay": [`${taskEvent}.startDelay`],
            "Allocations[].TaskStates.*.Events[].DiskLimit": [`${taskEvent}.diskLimit`],
            "Allocations[].TaskStates.*.Events[].FailsTask": [`${taskEvent}.failsTask`],
        },
    },
    {
        document: "Volumes",
        method: "PUT",
        path: "/v1/volume/csi/:volume_id",
        by: ["CsiVolume"],
        request: {
            "Volumes[].ID": ["CsiVolume.volumeId"],
            "Volumes[].Name": ["CsiVolume.name"],
            "Volumes[].Namespace": ["CsiVolume.namespace"],
            "Volumes[].ExternalID": ["CsiVolume.externalId"],
            "Volumes[].Topologies": ["CsiVolume.topologies"],
            "Volumes[].AccessMode": ["CsiVolume.accessMode"],
            "Volumes[].AttachmentMode": ["CsiVolume.attachmentMode"],
            "Volumes[].PluginID": ["CsiVolume.pluginId"],
        },
    },
    {
        document: "Volumes",
        method: "DELETE",
        path: "/v1/volume/csi/:volume_id",
        by: ["CsiVolume"],
        query: { force: ["CsiVolume.force"] },
    },
    {
        document: "Volumes",
        method: "DELETE",
        path: "/v1/volume/csi/:volume_id/detach",
        by: ["CsiVolumeDetachment", "CsiVolume"],
        query: { node: ["CsiVolumeDetachment.node", "CsiVolume.detachOnDelete"] },
    },
];

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
