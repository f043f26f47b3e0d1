/** Words of arguments as constants, as Pulumi's generators name them. Generated from the definitions by `npm run generate`: change them there. */

/** Azure environment. */
export const AuthConfigEnvironment = {
    AzurePublicCloud: "AzurePublicCloud",
    AzureUSGovernmentCloud: "AzureUSGovernmentCloud",
    AzureChinaCloud: "AzureChinaCloud",
    AzureGermanCloud: "AzureGermanCloud",
} as const;

/** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. */
export const AuthRoleTokenType = {
    Service: "service",
    Batch: "batch",
    Default: "default",
    Default_service: "default-service",
    Default_batch: "default-batch",
} as const;

/** Authentication: `accountKey`, the managed identity `clientId`, or the environment of the Vault server. Required by Vault. */
export const BlobStorageAuthMode = { Shared: "shared", Managed: "managed", Environment: "environment" } as const;

/** `available`: the content exists. `softDeleted`: reads of the version fail, and the content is permanently deleted some days later unless it is made available again. `permanentlyDeleted`: it is deleted now, which cannot be undone. */
export const BackingDataState = {
    Available: "available",
    SoftDeleted: "softDeleted",
    PermanentlyDeleted: "permanentlyDeleted",
} as const;

/** What deleting this resource does: `keep` leaves the workspace as it is, `restore` rolls back to `previousStateVersionId` unless a newer version is current. */
export const StateVersionRollbackOnDelete = { Keep: "keep", Restore: "restore" } as const;

/** `raw`: the format of the Terraform state. `json`: the stable format, which a version has only if Terraform 1.3 or newer created it. */
export const DownloadStateFormat = { Raw: "raw", Json: "json" } as const;

/** Related resources to return in `included`. */
export const GetCurrentStateVersionInclude = {
    Created_by: "created_by",
    Run: "run",
    Run_created_by: "run.created_by",
    Run_configuration_version: "run.configuration_version",
    Outputs: "outputs",
} as const;

/** Related resources to return in `included`. */
export const GetStateVersionInclude = {
    Created_by: "created_by",
    Run: "run",
    Run_created_by: "run.created_by",
    Run_configuration_version: "run.configuration_version",
    Outputs: "outputs",
} as const;

/** Only versions of this status. */
export const GetStateVersionsStatus = { Pending: "pending", Finalized: "finalized", Discarded: "discarded" } as const;

/** Related resources to return in `included`. */
export const GetStateVersionsInclude = {
    Created_by: "created_by",
    Run: "run",
    Run_created_by: "run.created_by",
    Run_configuration_version: "run.configuration_version",
    Outputs: "outputs",
} as const;
