/** Arguments and outputs of every resource. Generated from the definitions by `npm run generate`: change them there. */

import type * as pulumi from "@pulumi/pulumi";

/** Arguments of `AuthRole`. */
export interface AuthRoleArgs {
    /** Where the login method is mounted, without `auth/`. Slashes at its ends are trimmed. Defaults to the method's own name (`clouda`). A change replaces the object. */
    mount?: pulumi.Input<string> | undefined;

    /** Namespace of the mount. Defaults to the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string> | undefined;

    /** Name of the role. The case of letters carries no meaning. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Login is restricted to these service principal IDs. Left out or empty: not restricted by them. */
    boundServicePrincipalIds?: pulumi.Input<pulumi.Input<string>[]> | undefined;

    /** Login is restricted to these group IDs. Left out or empty: not restricted by them. */
    boundGroupIds?: pulumi.Input<pulumi.Input<string>[]> | undefined;

    /** Login is restricted to these locations. Left out or empty: not restricted by them. */
    boundLocations?: pulumi.Input<pulumi.Input<string>[]> | undefined;

    /** Login is restricted to these subscription IDs. Left out or empty: not restricted by them. */
    boundSubscriptionIds?: pulumi.Input<pulumi.Input<string>[]> | undefined;

    /** Login is restricted to these resource groups. Left out or empty: not restricted by them. */
    boundResourceGroups?: pulumi.Input<pulumi.Input<string>[]> | undefined;

    /** Login is restricted to these scale set names. Left out or empty: not restricted by them. */
    boundScaleSets?: pulumi.Input<pulumi.Input<string>[]> | undefined;

    /** Incremental lifetime of generated tokens; the current value is used at renewal. Whole seconds, or text such as `1h`. 0: not set. Default: `0`. */
    tokenTtl?: pulumi.Input<number | string> | undefined;

    /** Maximum lifetime of generated tokens; the current value is used at renewal. Whole seconds, or text such as `1h`. 0: not set. Default: `0`. */
    tokenMaxTtl?: pulumi.Input<number | string> | undefined;

    /** Policies encoded onto generated tokens, as a list or as one text separated by commas. */
    tokenPolicies?: pulumi.Input<string | pulumi.Input<string>[]> | undefined;

    /**
     * Former spelling of `tokenPolicies`.
     * @deprecated use tokenPolicies
     */
    policies?: pulumi.Input<string | pulumi.Input<string>[]> | undefined;

    /** CIDR blocks that may authenticate, and that tokens are tied to; a list or one text separated by commas. */
    tokenBoundCidrs?: pulumi.Input<string | pulumi.Input<string>[]> | undefined;

    /** Hard cap encoded onto tokens, whatever renewal allows. Whole seconds, or text such as `1h`. 0: not set. Default: `0`. */
    tokenExplicitMaxTtl?: pulumi.Input<number | string> | undefined;

    /** Whether the policy `default` is withheld from generated tokens. Default: `false`. */
    tokenNoDefaultPolicy?: pulumi.Input<boolean> | undefined;

    /** How many times a token may be used; 0 is unlimited. Must be 0 for tokens that create child tokens. Default: `0`. */
    tokenNumUses?: pulumi.Input<number> | undefined;

    /** Maximum period of periodic tokens. Whole seconds, or text such as `1h`. 0: not set. Default: `0`. */
    tokenPeriod?: pulumi.Input<number | string> | undefined;

    /** Type of generated tokens. `default` is what the mount is tuned to, normally `service`; `batch` is advised for machines. Default: `default`. */
    tokenType?: pulumi.Input<"service" | "batch" | "default" | "default-service" | "default-batch"> | undefined;

    /** Former spelling of `tokenMaxTtl`. */
    maxTtl?: pulumi.Input<number | string> | undefined;

    /** Sent as `max_jwt_exp` where given. The service's document uses it without saying what it means; servers may ignore it. */
    maxJwtExp?: pulumi.Input<number> | undefined;

    /** Takes over an object that exists already, and overwrites it with what is declared here. Off by default: an existing object is an error. Default: `false`. */
    adopt?: pulumi.Input<boolean> | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string> | undefined;
}

/** Outputs of `AuthRole`. */
export interface AuthRoleOutputs {
    /** Where the login method is mounted, without `auth/`. Slashes at its ends are trimmed. Defaults to the method's own name (`clouda`). A change replaces the object. */
    readonly mount?: string | undefined;

    /** Namespace of the mount. Defaults to the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Name of the role. The case of letters carries no meaning. A change replaces the object. */
    readonly name: string;

    /** Login is restricted to these service principal IDs. Left out or empty: not restricted by them. */
    readonly boundServicePrincipalIds?: string[] | undefined;

    /** Login is restricted to these group IDs. Left out or empty: not restricted by them. */
    readonly boundGroupIds?: string[] | undefined;

    /** Login is restricted to these locations. Left out or empty: not restricted by them. */
    readonly boundLocations?: string[] | undefined;

    /** Login is restricted to these subscription IDs. Left out or empty: not restricted by them. */
    readonly boundSubscriptionIds?: string[] | undefined;

    /** Login is restricted to these resource groups. Left out or empty: not restricted by them. */
    readonly boundResourceGroups?: string[] | undefined;

    /** Login is restricted to these scale set names. Left out or empty: not restricted by them. */
    readonly boundScaleSets?: string[] | undefined;

    /** Incremental lifetime of generated tokens; the current value is used at renewal. Whole seconds, or text such as `1h`. 0: not set. Default: `0`. */
    readonly tokenTtl?: number | string | undefined;

    /** Maximum lifetime of generated tokens; the current value is used at renewal. Whole seconds, or text such as `1h`. 0: not set. Default: `0`. */
    readonly tokenMaxTtl?: number | string | undefined;

    /** Policies encoded onto generated tokens, as a list or as one text separated by commas. */
    readonly tokenPolicies?: string | string[] | undefined;

    /**
     * Former spelling of `tokenPolicies`.
     * @deprecated use tokenPolicies
     */
    readonly policies?: string | string[] | undefined;

    /** CIDR blocks that may authenticate, and that tokens are tied to; a list or one text separated by commas. */
    readonly tokenBoundCidrs?: string | string[] | undefined;

    /** Hard cap encoded onto tokens, whatever renewal allows. Whole seconds, or text such as `1h`. 0: not set. Default: `0`. */
    readonly tokenExplicitMaxTtl?: number | string | undefined;

    /** Whether the policy `default` is withheld from generated tokens. Default: `false`. */
    readonly tokenNoDefaultPolicy?: boolean | undefined;

    /** How many times a token may be used; 0 is unlimited. Must be 0 for tokens that create child tokens. Default: `0`. */
    readonly tokenNumUses?: number | undefined;

    /** Maximum period of periodic tokens. Whole seconds, or text such as `1h`. 0: not set. Default: `0`. */
    readonly tokenPeriod?: number | string | undefined;

    /** Type of generated tokens. `default` is what the mount is tuned to, normally `service`; `batch` is advised for machines. Default: `default`. */
    readonly tokenType?: "service" | "batch" | "default" | "default-service" | "default-batch" | undefined;

    /** Former spelling of `tokenMaxTtl`. */
    readonly maxTtl?: number | string | undefined;

    /** Sent as `max_jwt_exp` where given. The service's document uses it without saying what it means; servers may ignore it. */
    readonly maxJwtExp?: number | undefined;

    /** Takes over an object that exists already, and overwrites it with what is declared here. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt?: boolean | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** The server that holds the object: origin and path of its address, or `simulator:<id>`. Later runs refuse to act on another. */
    readonly server: string;

    /** What the last deployment left to do after the object was made. The next `pulumi up` goes on from there. Absent when nothing is left. */
    readonly unfinished?: string[] | undefined;
}

/** Files on the server that takes the snapshot. */
export interface SnapshotConfigStorageLocalArgs {
    /** Which form this is. */
    type: "local";

    /** Directory of the snapshots on the server. A / at its end carries no meaning. */
    pathPrefix: pulumi.Input<string>;

    /** Most bytes that all snapshots of this configuration may take; a snapshot fails when too little is left. */
    maxSpace: pulumi.Input<number>;
}

/** Objects in a bucket of the provider `cloudb`, or of a store that speaks its protocol. */
export interface SnapshotConfigStorageCloudbS3Args {
    /** Which form this is. */
    type: "cloudb-s3";

    /** Prefix of the objects in the bucket. Slashes at its ends carry no meaning. */
    pathPrefix: pulumi.Input<string>;

    /** Bucket. */
    bucket: pulumi.Input<string>;

    /** Region of the bucket. */
    region: pulumi.Input<string>;

    /** Access key ID. Left out, the server takes credentials from where the provider's SDK looks for them. Secret. */
    accessKeyId?: pulumi.Input<string> | undefined;

    /** Secret access key. Left out, the server takes credentials from where the provider's SDK looks for them. Secret. */
    secretAccessKey?: pulumi.Input<string> | undefined;

    /** Session token of temporary credentials. Secret. */
    sessionToken?: pulumi.Input<string> | undefined;

    /** Endpoint; normally only for stores of another provider. */
    endpoint?: pulumi.Input<string> | undefined;

    /** Whether to speak plain HTTP to the endpoint; for testing only. Default: `false`. */
    disableTls?: pulumi.Input<boolean> | undefined;

    /** Whether URLs have the style endpoint/bucket. Default: `false`. */
    forcePathStyle?: pulumi.Input<boolean> | undefined;

    /** Whether to encrypt with a key-management service. Default: `false`. */
    enableKms?: pulumi.Input<boolean> | undefined;

    /** Whether to encrypt with AES256. Cannot be combined with `enableKms`. Default: `false`. */
    serverSideEncryption?: pulumi.Input<boolean> | undefined;

    /** Named key, when `enableKms` is true. */
    kmsKey?: pulumi.Input<string> | undefined;
}

/** Objects in a bucket of the provider `cloudc`. */
export interface SnapshotConfigStorageCloudcGcsArgs {
    /** Which form this is. */
    type: "cloudc-gcs";

    /** Prefix of the objects. Must end in `/`. */
    pathPrefix: pulumi.Input<string>;

    /** Bucket. */
    bucket: pulumi.Input<string>;

    /** Key of a service account: the JSON document as an object, or its text. Left out, the server takes credentials from where the provider's SDK looks for them. Secret. */
    serviceAccountKey?: pulumi.Input<string | Record<string, pulumi.Input<unknown>>> | undefined;

    /** Endpoint; normally only for stores of another provider. */
    endpoint?: pulumi.Input<string> | undefined;

    /** Whether to speak plain HTTP to the endpoint; for testing only. Default: `false`. */
    disableTls?: pulumi.Input<boolean> | undefined;
}

/** Blobs in a container of the provider `clouda`. */
export interface SnapshotConfigStorageCloudaBlobArgs {
    /** Which form this is. */
    type: "clouda-blob";

    /** Prefix of the objects. Must end in `/`. */
    pathPrefix: pulumi.Input<string>;

    /** Container. */
    container: pulumi.Input<string>;

    /** Storage account. */
    accountName?: pulumi.Input<string> | undefined;

    /** Key of the storage account. Secret. */
    accountKey?: pulumi.Input<string> | undefined;

    /** Cloud environment of the storage account. */
    environment?: pulumi.Input<string> | undefined;

    /** Endpoint; normally only for stores of another provider. */
    endpoint?: pulumi.Input<string> | undefined;
}

/** Where snapshots go; `type` says which of the forms it is. Another type is changed in place. */
export type SnapshotConfigStorageArgs =
    | SnapshotConfigStorageLocalArgs
    | SnapshotConfigStorageCloudbS3Args
    | SnapshotConfigStorageCloudcGcsArgs
    | SnapshotConfigStorageCloudaBlobArgs;

/** Files on the server that takes the snapshot. */
export interface SnapshotConfigStorageLocal {
    /** Which form this is. */
    readonly type: "local";

    /** Directory of the snapshots on the server. A / at its end carries no meaning. */
    readonly pathPrefix: string;

    /** Most bytes that all snapshots of this configuration may take; a snapshot fails when too little is left. */
    readonly maxSpace: number;
}

/** Objects in a bucket of the provider `cloudb`, or of a store that speaks its protocol. */
export interface SnapshotConfigStorageCloudbS3 {
    /** Which form this is. */
    readonly type: "cloudb-s3";

    /** Prefix of the objects in the bucket. Slashes at its ends carry no meaning. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Region of the bucket. */
    readonly region: string;

    /** Access key ID. Left out, the server takes credentials from where the provider's SDK looks for them. Secret. */
    readonly accessKeyId?: string | undefined;

    /** Secret access key. Left out, the server takes credentials from where the provider's SDK looks for them. Secret. */
    readonly secretAccessKey?: string | undefined;

    /** Session token of temporary credentials. Secret. */
    readonly sessionToken?: string | undefined;

    /** Endpoint; normally only for stores of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to speak plain HTTP to the endpoint; for testing only. Default: `false`. */
    readonly disableTls?: boolean | undefined;

    /** Whether URLs have the style endpoint/bucket. Default: `false`. */
    readonly forcePathStyle?: boolean | undefined;

    /** Whether to encrypt with a key-management service. Default: `false`. */
    readonly enableKms?: boolean | undefined;

    /** Whether to encrypt with AES256. Cannot be combined with `enableKms`. Default: `false`. */
    readonly serverSideEncryption?: boolean | undefined;

    /** Named key, when `enableKms` is true. */
    readonly kmsKey?: string | undefined;
}

/** Objects in a bucket of the provider `cloudc`. */
export interface SnapshotConfigStorageCloudcGcs {
    /** Which form this is. */
    readonly type: "cloudc-gcs";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Key of a service account: the JSON document as an object, or its text. Left out, the server takes credentials from where the provider's SDK looks for them. Secret. */
    readonly serviceAccountKey?: string | Record<string, unknown> | undefined;

    /** Endpoint; normally only for stores of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to speak plain HTTP to the endpoint; for testing only. Default: `false`. */
    readonly disableTls?: boolean | undefined;
}

/** Blobs in a container of the provider `clouda`. */
export interface SnapshotConfigStorageCloudaBlob {
    /** Which form this is. */
    readonly type: "clouda-blob";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Container. */
    readonly container: string;

    /** Storage account. */
    readonly accountName?: string | undefined;

    /** Key of the storage account. Secret. */
    readonly accountKey?: string | undefined;

    /** Cloud environment of the storage account. */
    readonly environment?: string | undefined;

    /** Endpoint; normally only for stores of another provider. */
    readonly endpoint?: string | undefined;
}

/** Where snapshots go; `type` says which of the forms it is. Another type is changed in place. */
export type SnapshotConfigStorage =
    | SnapshotConfigStorageLocal
    | SnapshotConfigStorageCloudbS3
    | SnapshotConfigStorageCloudcGcs
    | SnapshotConfigStorageCloudaBlob;

/** Arguments of `SnapshotConfig`. */
export interface SnapshotConfigArgs {
    /** Name of the configuration. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Time between snapshots: whole seconds, or text such as `24h`. */
    interval: pulumi.Input<number | string>;

    /** How many snapshots are kept; when there are more after one was written, the oldest are deleted. Default: `1`. */
    retain?: pulumi.Input<number> | undefined;

    /** What the names of snapshot files or objects begin with. Default: `secrets-snapshot`. */
    filePrefix?: pulumi.Input<string> | undefined;

    /** Where snapshots go; `type` says which of the forms it is. Another type is changed in place. */
    storage: pulumi.Input<SnapshotConfigStorageArgs>;

    /** After a write, wait this long at most for the first snapshot that succeeds: whole seconds, or text. Off by default. Default: `0`. */
    waitForSnapshot?: pulumi.Input<number | string> | undefined;

    /** Takes over an object that exists already, and overwrites it with what is declared here. Off by default: an existing object is an error. Default: `false`. */
    adopt?: pulumi.Input<boolean> | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string> | undefined;
}

/** Outputs of `SnapshotConfig`. */
export interface SnapshotConfigOutputs {
    /** Name of the configuration. A change replaces the object. */
    readonly name: string;

    /** Time between snapshots: whole seconds, or text such as `24h`. */
    readonly interval: number | string;

    /** How many snapshots are kept; when there are more after one was written, the oldest are deleted. Default: `1`. */
    readonly retain?: number | undefined;

    /** What the names of snapshot files or objects begin with. Default: `secrets-snapshot`. */
    readonly filePrefix?: string | undefined;

    /** Where snapshots go; `type` says which of the forms it is. Another type is changed in place. */
    readonly storage: SnapshotConfigStorage;

    /** After a write, wait this long at most for the first snapshot that succeeds: whole seconds, or text. Off by default. Default: `0`. */
    readonly waitForSnapshot?: number | string | undefined;

    /** Takes over an object that exists already, and overwrites it with what is declared here. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt?: boolean | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** The status of the configuration's snapshots when `waitForSnapshot` last saw one: the fields of the status endpoint. */
    readonly status?:
        | {
              readonly lastSnapshotStart: string;
              readonly lastSnapshotEnd: string;
              readonly lastSnapshotError: string;
              readonly lastSnapshotUrl: string;
              readonly snapshotStart: string;
              readonly snapshotUrl: string;
          }
        | undefined;

    /** The server that holds the object: origin and path of its address, or `simulator:<id>`. Later runs refuse to act on another. */
    readonly server: string;

    /** What the last deployment left to do after the object was made. The next `pulumi up` goes on from there. Absent when nothing is left. */
    readonly unfinished?: string[] | undefined;
}

/** Arguments of `CsiVolume`. */
export interface CsiVolumeArgs {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    volumeId: pulumi.Input<string>;

    /** Name shown to people. Defaults to `volumeId`. A change replaces the object, deleting it first, where the documents' rules hold. */
    name?: pulumi.Input<string> | undefined;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    namespace?: pulumi.Input<string> | undefined;

    /** The volume's ID at the storage provider. Left out, the plugin is given `volumeId`. A change replaces the object. */
    externalId?: pulumi.Input<string> | undefined;

    /** The CSI plugin that serves the volume. A change replaces the object. */
    pluginId: pulumi.Input<string>;

    /** Where the volume can be reached from: flat maps of segments. Their order carries no meaning. A change replaces the object, deleting it first, where the documents' rules hold. */
    topologies?: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<string>>>[]> | undefined;

    /** How many nodes may use the volume at once, and how. A change replaces the object, deleting it first, where the documents' rules hold. */
    accessMode?:
        | pulumi.Input<
              | "single-node-reader-only"
              | "single-node-writer"
              | "multi-node-reader-only"
              | "multi-node-single-writer"
              | "multi-node-multi-writer"
              | ""
          >
        | undefined;

    /** What the volume looks like to a task. A change replaces the object, deleting it first, where the documents' rules hold. */
    attachmentMode?: pulumi.Input<"file-system" | "block-device" | ""> | undefined;

    /** Deregister with `force`: claims of allocations that have ended are dropped at once. Running allocations still prevent it. Off by default. Default: `false`. */
    force?: pulumi.Input<boolean> | undefined;

    /** Before deregistering, ask the scheduler to detach the volume from the nodes that hold it. A failure of that is a warning. Off by default. Default: `false`. */
    detachOnDelete?: pulumi.Input<boolean> | undefined;

    /** After registering, wait this long at most until the volume is schedulable: whole seconds, or text such as `2m`. Off by default. Default: `0`. */
    waitUntilSchedulable?: pulumi.Input<number | string> | undefined;

    /** Takes over an object that exists already, and overwrites it with what is declared here. Off by default: an existing object is an error. Default: `false`. */
    adopt?: pulumi.Input<boolean> | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string> | undefined;
}

/** Outputs of `CsiVolume`. */
export interface CsiVolumeOutputs {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    readonly volumeId: string;

    /** Name shown to people. Defaults to `volumeId`. A change replaces the object, deleting it first, where the documents' rules hold. */
    readonly name?: string | undefined;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** The volume's ID at the storage provider. Left out, the plugin is given `volumeId`. A change replaces the object. */
    readonly externalId?: string | undefined;

    /** The CSI plugin that serves the volume. A change replaces the object. */
    readonly pluginId: string;

    /** Where the volume can be reached from: flat maps of segments. Their order carries no meaning. A change replaces the object, deleting it first, where the documents' rules hold. */
    readonly topologies?: Record<string, string>[] | undefined;

    /** How many nodes may use the volume at once, and how. A change replaces the object, deleting it first, where the documents' rules hold. */
    readonly accessMode?:
        | "single-node-reader-only"
        | "single-node-writer"
        | "multi-node-reader-only"
        | "multi-node-single-writer"
        | "multi-node-multi-writer"
        | ""
        | undefined;

    /** What the volume looks like to a task. A change replaces the object, deleting it first, where the documents' rules hold. */
    readonly attachmentMode?: "file-system" | "block-device" | "" | undefined;

    /** Deregister with `force`: claims of allocations that have ended are dropped at once. Running allocations still prevent it. Off by default. Default: `false`. */
    readonly force?: boolean | undefined;

    /** Before deregistering, ask the scheduler to detach the volume from the nodes that hold it. A failure of that is a warning. Off by default. Default: `false`. */
    readonly detachOnDelete?: boolean | undefined;

    /** After registering, wait this long at most until the volume is schedulable: whole seconds, or text such as `2m`. Off by default. Default: `0`. */
    readonly waitUntilSchedulable?: number | string | undefined;

    /** Takes over an object that exists already, and overwrites it with what is declared here. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt?: boolean | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** Name of the storage provider, as last read. */
    readonly provider: string;

    /** Version of the plugin, as last read. */
    readonly version: string;

    /** Whether the volume could be scheduled when last read. */
    readonly schedulable: boolean;

    /** Healthy controllers of the plugin, as last read. */
    readonly controllersHealthy: number;

    /** Controllers of the plugin, as last read. */
    readonly controllersExpected: number;

    /** Nodes with a healthy plugin, as last read. */
    readonly nodesHealthy: number;

    /** Nodes with the plugin, as last read. */
    readonly nodesExpected: number;

    /** The server that holds the object: origin and path of its address, or `simulator:<id>`. Later runs refuse to act on another. */
    readonly server: string;

    /** What the last deployment left to do after the object was made. The next `pulumi up` goes on from there. Absent when nothing is left. */
    readonly unfinished?: string[] | undefined;
}

/** Arguments of `StateVersionRollback`. */
export interface StateVersionRollbackArgs {
    /** The workspace to roll back. A change replaces the object. */
    workspaceId: pulumi.Input<string>;

    /** The version whose content becomes current again. Another one rolls back again, in place. */
    stateVersionId: pulumi.Input<string>;

    /** Any values: a change of them rolls back again. */
    triggers?: pulumi.Input<readonly unknown[]> | undefined;

    /** Take the workspace's lock for the time of the rollback, and release it afterwards. Off by default: the workspace must be locked by the same account already. Default: `false`. */
    lock?: pulumi.Input<boolean | { reason?: pulumi.Input<string> }> | undefined;

    /** Keep the lock that was taken, so that nothing runs on the rolled-back state until somebody releases it. Off by default. Default: `false`. */
    keepLocked?: pulumi.Input<boolean> | undefined;

    /** What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` if nothing newer has become current since. Default: `keep`. */
    onDelete?: pulumi.Input<"keep" | "restore"> | undefined;

    /** Treat a newer version that has become current as drift, and roll back again. Off by default: newer versions are normal life. Default: `false`. */
    enforce?: pulumi.Input<boolean> | undefined;

    /** Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default. Default: `false`. */
    waitForProcessing?: pulumi.Input<boolean | number | string> | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string> | undefined;
}

/** Outputs of `StateVersionRollback`. */
export interface StateVersionRollbackOutputs {
    /** The workspace to roll back. A change replaces the object. */
    readonly workspaceId: string;

    /** The version whose content becomes current again. Another one rolls back again, in place. */
    readonly stateVersionId: string;

    /** Any values: a change of them rolls back again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Take the workspace's lock for the time of the rollback, and release it afterwards. Off by default: the workspace must be locked by the same account already. Default: `false`. */
    readonly lock?: boolean | { reason?: string } | undefined;

    /** Keep the lock that was taken, so that nothing runs on the rolled-back state until somebody releases it. Off by default. Default: `false`. */
    readonly keepLocked?: boolean | undefined;

    /** What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` if nothing newer has become current since. Default: `keep`. */
    readonly onDelete?: "keep" | "restore" | undefined;

    /** Treat a newer version that has become current as drift, and roll back again. Off by default: newer versions are normal life. Default: `false`. */
    readonly enforce?: boolean | undefined;

    /** Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default. Default: `false`. */
    readonly waitForProcessing?: boolean | number | string | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** The version that this resource made current, or found current with the wanted content. */
    readonly currentStateVersionId: string;

    /** What was current before this resource's first rollback; `onDelete: restore` goes back to it. Empty if nothing had to be rolled back. */
    readonly previousStateVersionId: string;

    /** What was current before the last rollback. Empty if nothing had to be rolled back. */
    readonly rolledBackFrom: string;

    /** Serial of the current version. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** When the current version was made: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Resources that the current version counts; absent until the service has processed them (see `waitForProcessing`). */
    readonly resources?:
        | {
              readonly name: string;
              readonly type: string;
              readonly count: number;
              readonly module: string;
              readonly provider: string;
          }[]
        | undefined;

    /** Whether a newer version has become current since. Drift only with `enforce`. */
    readonly superseded: boolean;

    /** The server that holds the object: origin and path of its address, or `simulator:<id>`. Later runs refuse to act on another. */
    readonly server: string;

    /** What the last deployment left to do after the object was made. The next `pulumi up` goes on from there. Absent when nothing is left. */
    readonly unfinished?: string[] | undefined;
}
