/** The settings of a service, arguments and outputs of every resource, arguments and results of every function. Generated from the definitions by `npm run generate`: change them there. */

import type * as pulumi from "@pulumi/pulumi";

/** How to reach one service. */
export interface ServiceSettings {
    /** Base address. `/api/v2` is added to that of state versions where it is missing; a trailing `/v1` of the others is dropped. */
    readonly address?: string | undefined;

    /** Token. The environment wins over configuration; for all other fields configuration wins. Secret. */
    readonly token?: string | undefined;

    /** Namespace of objects that name none. */
    readonly namespace?: string | undefined;

    /** Region that requests to Nomad name. */
    readonly region?: string | undefined;

    /** File of the certificate authority, in PEM form. */
    readonly caFile?: string | undefined;

    /** File of the client certificate, in PEM form. */
    readonly clientCertFile?: string | undefined;

    /** File of the client certificate's key, in PEM form. */
    readonly clientKeyFile?: string | undefined;

    /** Host name that the server's certificate is for, where that of the address differs. */
    readonly tlsServerName?: string | undefined;

    /** Whether the server's certificate goes unverified. */
    readonly skipTlsVerify?: boolean | undefined;

    /** Headers sent with every request. Secret. */
    readonly headers?: Record<string, string> | undefined;

    /** Seconds for one request; 60 unless given. */
    readonly timeout?: number | undefined;

    /** Tries after the first one, where repeating is safe; 5 unless given. */
    readonly maxRetries?: number | undefined;

    /** Requests in flight; 10 unless given. */
    readonly maxConcurrency?: number | undefined;

    /** Other addresses of the same server, earlier and present ones. */
    readonly otherAddresses?: readonly string[] | undefined;
}

/** Arguments of `AuthConfig`. */
export interface AuthConfigArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Tenant of the directory. Left out, the server takes it from its own environment. */
    tenantId?: pulumi.Input<string | undefined>;

    /** URL of the registered application. The claim `aud` of the JWT of a login must equal it. Left out, the server takes it from its own environment. */
    resource?: pulumi.Input<string | undefined>;

    /** Cloud environment of the provider. Default: `"CloudAPublicCloud"`. */
    environment?: pulumi.Input<
        | "CloudAPublicCloud"
        | "CloudAUSGovernmentCloud"
        | "CloudAChinaCloud"
        | "CloudAGermanCloud"
        | "AzurePublicCloud"
        | "AzureUSGovernmentCloud"
        | "AzureChinaCloud"
        | "AzureGermanCloud"
        | undefined
    >;

    /** Client ID for queries to the provider. It needs the right to read compute resources. */
    clientId?: pulumi.Input<string | undefined>;

    /** Client secret. Sent only when the object is created and when the program's own value changes, because each write of it undoes a `RootRotation`. Left out, the server keeps its secret; an empty string empties it there. Secret. */
    clientSecret?: pulumi.Input<string | undefined>;

    /** How often the server repeats a failed query to the provider at most. Default: `3`. */
    maxRetries?: pulumi.Input<number | undefined>;

    /** The longest time between two queries. A string such as `60s`, or whole seconds. Default: `"60s"`. */
    maxRetryDelay?: pulumi.Input<number | string | undefined>;

    /** The time before the first repetition. It grows exponentially. A string such as `4s`, or whole seconds. Default: `"4s"`. */
    retryDelay?: pulumi.Input<number | string | undefined>;

    /** How long a secret lasts that a `RootRotation` makes: whole seconds, or a string such as `720h`. Not in the document; Vault resets it to its default with each write that leaves it out. */
    rootPasswordTtl?: pulumi.Input<number | string | undefined>;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    adopt?: pulumi.Input<boolean | "identical" | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `AuthConfig`. */
export interface AuthConfigOutputs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Tenant of the directory. Left out, the server takes it from its own environment. */
    readonly tenantId?: string | undefined;

    /** URL of the registered application. The claim `aud` of the JWT of a login must equal it. Left out, the server takes it from its own environment. */
    readonly resource?: string | undefined;

    /** Cloud environment of the provider. Default: `"CloudAPublicCloud"`. */
    readonly environment?:
        | "CloudAPublicCloud"
        | "CloudAUSGovernmentCloud"
        | "CloudAChinaCloud"
        | "CloudAGermanCloud"
        | "AzurePublicCloud"
        | "AzureUSGovernmentCloud"
        | "AzureChinaCloud"
        | "AzureGermanCloud"
        | undefined;

    /** Client ID for queries to the provider. It needs the right to read compute resources. */
    readonly clientId?: string | undefined;

    /** Client secret. Sent only when the object is created and when the program's own value changes, because each write of it undoes a `RootRotation`. Left out, the server keeps its secret; an empty string empties it there. Secret. */
    readonly clientSecret?: string | undefined;

    /** How often the server repeats a failed query to the provider at most. Default: `3`. */
    readonly maxRetries?: number | undefined;

    /** The longest time between two queries. A string such as `60s`, or whole seconds. Default: `"60s"`. */
    readonly maxRetryDelay?: number | string | undefined;

    /** The time before the first repetition. It grows exponentially. A string such as `4s`, or whole seconds. Default: `"4s"`. */
    readonly retryDelay?: number | string | undefined;

    /** How long a secret lasts that a `RootRotation` makes: whole seconds, or a string such as `720h`. Not in the document; Vault resets it to its default with each write that leaves it out. */
    readonly rootPasswordTtl?: number | string | undefined;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt?: boolean | "identical" | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `AuthConfig`. */
export interface AuthConfigProperties {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount: pulumi.Output<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Tenant of the directory. Left out, the server takes it from its own environment. */
    readonly tenantId: pulumi.Output<string | undefined>;

    /** URL of the registered application. The claim `aud` of the JWT of a login must equal it. Left out, the server takes it from its own environment. */
    readonly resource: pulumi.Output<string | undefined>;

    /** Cloud environment of the provider. Default: `"CloudAPublicCloud"`. */
    readonly environment: pulumi.Output<
        | "CloudAPublicCloud"
        | "CloudAUSGovernmentCloud"
        | "CloudAChinaCloud"
        | "CloudAGermanCloud"
        | "AzurePublicCloud"
        | "AzureUSGovernmentCloud"
        | "AzureChinaCloud"
        | "AzureGermanCloud"
        | undefined
    >;

    /** Client ID for queries to the provider. It needs the right to read compute resources. */
    readonly clientId: pulumi.Output<string | undefined>;

    /** Client secret. Sent only when the object is created and when the program's own value changes, because each write of it undoes a `RootRotation`. Left out, the server keeps its secret; an empty string empties it there. Secret. */
    readonly clientSecret: pulumi.Output<string | undefined>;

    /** How often the server repeats a failed query to the provider at most. Default: `3`. */
    readonly maxRetries: pulumi.Output<number | undefined>;

    /** The longest time between two queries. A string such as `60s`, or whole seconds. Default: `"60s"`. */
    readonly maxRetryDelay: pulumi.Output<number | string | undefined>;

    /** The time before the first repetition. It grows exponentially. A string such as `4s`, or whole seconds. Default: `"4s"`. */
    readonly retryDelay: pulumi.Output<number | string | undefined>;

    /** How long a secret lasts that a `RootRotation` makes: whole seconds, or a string such as `720h`. Not in the document; Vault resets it to its default with each write that leaves it out. */
    readonly rootPasswordTtl: pulumi.Output<number | string | undefined>;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt: pulumi.Output<boolean | "identical" | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `AuthRole`. */
export interface AuthRoleArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Name of the role. The case of letters carries no meaning. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Only machines with one of these service principal IDs may log in. Left out or empty: no restriction. If neither IDs of service principals nor of groups are given, Vault refuses every login. */
    boundServicePrincipalIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these group IDs may log in. Left out or empty: no restriction. If neither IDs of service principals nor of groups are given, Vault refuses every login. */
    boundGroupIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these locations may log in. Left out or empty: no restriction. */
    boundLocations?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these subscription IDs may log in. Left out or empty: no restriction. */
    boundSubscriptionIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these resource groups may log in. Left out or empty: no restriction. */
    boundResourceGroups?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these scale set names may log in. Left out or empty: no restriction. */
    boundScaleSets?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Lifetime of tokens, and by how much a renewal extends it. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    tokenTtl?: pulumi.Input<number | string | undefined>;

    /** Maximum lifetime of tokens. A renewal uses the current value. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    tokenMaxTtl?: pulumi.Input<number | string | undefined>;

    /** Policies of tokens, as a list or as one string with commas. */
    tokenPolicies?: pulumi.Input<string | pulumi.Input<string>[] | undefined>;

    /** Deprecated: use `tokenPolicies`. */
    policies?: pulumi.Input<string | pulumi.Input<string>[] | undefined>;

    /** CIDR blocks from which logins and tokens are accepted, as a list or as one string with commas. */
    tokenBoundCidrs?: pulumi.Input<string | pulumi.Input<string>[] | undefined>;

    /** Maximum lifetime of tokens that no renewal can exceed. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    tokenExplicitMaxTtl?: pulumi.Input<number | string | undefined>;

    /** Whether tokens lack the policy `default`. Default: `false`. */
    tokenNoDefaultPolicy?: pulumi.Input<boolean | undefined>;

    /** How often a token may be used; 0 is unlimited. Must be 0 for tokens that create child tokens. Default: `0`. */
    tokenNumUses?: pulumi.Input<number | undefined>;

    /** Maximum period of periodic tokens. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    tokenPeriod?: pulumi.Input<number | string | undefined>;

    /** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. Default: `"default"`. */
    tokenType?: pulumi.Input<"service" | "batch" | "default" | "default-service" | "default-batch" | undefined>;

    /** Former name of `tokenMaxTtl`. */
    maxTtl?: pulumi.Input<number | string | undefined>;

    /** Sent as `max_jwt_exp` if given. The document does not say what it means, and Vault ignores it. */
    maxJwtExp?: pulumi.Input<number | undefined>;

    /** Strings by name, attached to the alias of each machine that logs in. Not in the document. */
    aliasMetadata?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    adopt?: pulumi.Input<boolean | "identical" | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `AuthRole`. */
export interface AuthRoleOutputs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Name of the role. The case of letters carries no meaning. A change replaces the object. */
    readonly name: string;

    /** Only machines with one of these service principal IDs may log in. Left out or empty: no restriction. If neither IDs of service principals nor of groups are given, Vault refuses every login. */
    readonly boundServicePrincipalIds?: string[] | undefined;

    /** Only machines with one of these group IDs may log in. Left out or empty: no restriction. If neither IDs of service principals nor of groups are given, Vault refuses every login. */
    readonly boundGroupIds?: string[] | undefined;

    /** Only machines with one of these locations may log in. Left out or empty: no restriction. */
    readonly boundLocations?: string[] | undefined;

    /** Only machines with one of these subscription IDs may log in. Left out or empty: no restriction. */
    readonly boundSubscriptionIds?: string[] | undefined;

    /** Only machines with one of these resource groups may log in. Left out or empty: no restriction. */
    readonly boundResourceGroups?: string[] | undefined;

    /** Only machines with one of these scale set names may log in. Left out or empty: no restriction. */
    readonly boundScaleSets?: string[] | undefined;

    /** Lifetime of tokens, and by how much a renewal extends it. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenTtl?: number | string | undefined;

    /** Maximum lifetime of tokens. A renewal uses the current value. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenMaxTtl?: number | string | undefined;

    /** Policies of tokens, as a list or as one string with commas. */
    readonly tokenPolicies?: string | string[] | undefined;

    /** Deprecated: use `tokenPolicies`. */
    readonly policies?: string | string[] | undefined;

    /** CIDR blocks from which logins and tokens are accepted, as a list or as one string with commas. */
    readonly tokenBoundCidrs?: string | string[] | undefined;

    /** Maximum lifetime of tokens that no renewal can exceed. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenExplicitMaxTtl?: number | string | undefined;

    /** Whether tokens lack the policy `default`. Default: `false`. */
    readonly tokenNoDefaultPolicy?: boolean | undefined;

    /** How often a token may be used; 0 is unlimited. Must be 0 for tokens that create child tokens. Default: `0`. */
    readonly tokenNumUses?: number | undefined;

    /** Maximum period of periodic tokens. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenPeriod?: number | string | undefined;

    /** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. Default: `"default"`. */
    readonly tokenType?: "service" | "batch" | "default" | "default-service" | "default-batch" | undefined;

    /** Former name of `tokenMaxTtl`. */
    readonly maxTtl?: number | string | undefined;

    /** Sent as `max_jwt_exp` if given. The document does not say what it means, and Vault ignores it. */
    readonly maxJwtExp?: number | undefined;

    /** Strings by name, attached to the alias of each machine that logs in. Not in the document. */
    readonly aliasMetadata?: Record<string, string> | undefined;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt?: boolean | "identical" | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `AuthRole`. */
export interface AuthRoleProperties {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount: pulumi.Output<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Name of the role. The case of letters carries no meaning. A change replaces the object. */
    readonly name: pulumi.Output<string>;

    /** Only machines with one of these service principal IDs may log in. Left out or empty: no restriction. If neither IDs of service principals nor of groups are given, Vault refuses every login. */
    readonly boundServicePrincipalIds: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these group IDs may log in. Left out or empty: no restriction. If neither IDs of service principals nor of groups are given, Vault refuses every login. */
    readonly boundGroupIds: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these locations may log in. Left out or empty: no restriction. */
    readonly boundLocations: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these subscription IDs may log in. Left out or empty: no restriction. */
    readonly boundSubscriptionIds: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these resource groups may log in. Left out or empty: no restriction. */
    readonly boundResourceGroups: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these scale set names may log in. Left out or empty: no restriction. */
    readonly boundScaleSets: pulumi.Output<string[] | undefined>;

    /** Lifetime of tokens, and by how much a renewal extends it. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenTtl: pulumi.Output<number | string | undefined>;

    /** Maximum lifetime of tokens. A renewal uses the current value. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenMaxTtl: pulumi.Output<number | string | undefined>;

    /** Policies of tokens, as a list or as one string with commas. */
    readonly tokenPolicies: pulumi.Output<string | string[] | undefined>;

    /** Deprecated: use `tokenPolicies`. */
    readonly policies: pulumi.Output<string | string[] | undefined>;

    /** CIDR blocks from which logins and tokens are accepted, as a list or as one string with commas. */
    readonly tokenBoundCidrs: pulumi.Output<string | string[] | undefined>;

    /** Maximum lifetime of tokens that no renewal can exceed. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenExplicitMaxTtl: pulumi.Output<number | string | undefined>;

    /** Whether tokens lack the policy `default`. Default: `false`. */
    readonly tokenNoDefaultPolicy: pulumi.Output<boolean | undefined>;

    /** How often a token may be used; 0 is unlimited. Must be 0 for tokens that create child tokens. Default: `0`. */
    readonly tokenNumUses: pulumi.Output<number | undefined>;

    /** Maximum period of periodic tokens. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenPeriod: pulumi.Output<number | string | undefined>;

    /** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. Default: `"default"`. */
    readonly tokenType: pulumi.Output<
        "service" | "batch" | "default" | "default-service" | "default-batch" | undefined
    >;

    /** Former name of `tokenMaxTtl`. */
    readonly maxTtl: pulumi.Output<number | string | undefined>;

    /** Sent as `max_jwt_exp` if given. The document does not say what it means, and Vault ignores it. */
    readonly maxJwtExp: pulumi.Output<number | undefined>;

    /** Strings by name, attached to the alias of each machine that logs in. Not in the document. */
    readonly aliasMetadata: pulumi.Output<Record<string, string> | undefined>;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt: pulumi.Output<boolean | "identical" | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `RootRotation`. */
export interface RootRotationArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Any values: a change of them rotates again. */
    triggers?: pulumi.Input<readonly unknown[] | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `RootRotation`. */
export interface RootRotationOutputs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Any values: a change of them rotates again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `RootRotation`. */
export interface RootRotationProperties {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount: pulumi.Output<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Any values: a change of them rotates again. */
    readonly triggers: pulumi.Output<readonly unknown[] | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Files on the server that takes the snapshot. */
export interface LocalStorageArgs {
    /** Which of the forms this is. */
    type: "local";

    /** Directory on the server. A / at its end carries no meaning. */
    pathPrefix: pulumi.Input<string>;

    /** How many bytes all snapshots may take together. A snapshot that would take more fails. */
    maxSpace: pulumi.Input<number>;
}

/** Objects in an S3 bucket, or in another store with the same protocol. */
export interface S3StorageArgs {
    /** Which of the forms this is. */
    type: "cloudb-s3" | "aws-s3";

    /** Prefix of the objects in the bucket; `/` for none. Slashes at its ends carry no meaning. */
    pathPrefix: pulumi.Input<string>;

    /** Bucket. */
    bucket: pulumi.Input<string>;

    /** Region of the bucket. */
    region: pulumi.Input<string>;

    /** Access key ID. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    accessKeyId?: pulumi.Input<string | undefined>;

    /** Secret access key. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    secretAccessKey?: pulumi.Input<string | undefined>;

    /** Session token of temporary credentials. Secret. */
    sessionToken?: pulumi.Input<string | undefined>;

    /** Endpoint; normally only for a store of another provider. */
    endpoint?: pulumi.Input<string | undefined>;

    /** Whether to connect to the endpoint without TLS; for tests only. Default: `false`. */
    disableTls?: pulumi.Input<boolean | undefined>;

    /** Whether URLs have the form endpoint/bucket. Default: `false`. */
    forcePathStyle?: pulumi.Input<boolean | undefined>;

    /** Whether to encrypt with a key-management service. Default: `false`. */
    enableKms?: pulumi.Input<boolean | undefined>;

    /** Whether to encrypt with AES256 and not by KMS. Default: `false`. */
    serverSideEncryption?: pulumi.Input<boolean | undefined>;

    /** Name of the key if `enableKms` is true. */
    kmsKey?: pulumi.Input<string | undefined>;
}

/** Objects in a Google Cloud Storage bucket. */
export interface GcsStorageArgs {
    /** Which of the forms this is. */
    type: "cloudc-gcs" | "google-gcs";

    /** Prefix of the objects. Must end in `/`. */
    pathPrefix: pulumi.Input<string>;

    /** Bucket. */
    bucket: pulumi.Input<string>;

    /** Key of a service account: the JSON document as an object, or its text. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    serviceAccountKey?: pulumi.Input<string | Record<string, unknown> | undefined>;

    /** Endpoint; normally only for a store of another provider. */
    endpoint?: pulumi.Input<string | undefined>;

    /** Whether to connect to the endpoint without TLS; for tests only. Default: `false`. */
    disableTls?: pulumi.Input<boolean | undefined>;
}

/** Blobs in a container of Azure Blob Storage. */
export interface BlobStorageArgs {
    /** Which of the forms this is. */
    type: "clouda-blob" | "azure-blob";

    /** Prefix of the objects. Must end in `/`. */
    pathPrefix: pulumi.Input<string>;

    /** Container. */
    container: pulumi.Input<string>;

    /** Storage account. */
    accountName?: pulumi.Input<string | undefined>;

    /** Key of the storage account. Secret. */
    accountKey?: pulumi.Input<string | undefined>;

    /** Cloud environment of the storage account. Default: `"CLOUDAPUBLICCLOUD"`. */
    environment?: pulumi.Input<string | undefined>;

    /** Endpoint; normally only for a store of another provider. */
    endpoint?: pulumi.Input<string | undefined>;

    /** How to authenticate: with `accountKey`, with the managed identity `clientId`, or as the server's environment says. Vault needs it. */
    authMode?: pulumi.Input<"shared" | "managed" | "environment" | undefined>;

    /** Client ID of the managed identity. */
    clientId?: pulumi.Input<string | undefined>;
}

/** Where snapshots go; `type` says which of the forms it is. Another type is a change in place. */
export type SnapshotConfigStorageArgs = LocalStorageArgs | S3StorageArgs | GcsStorageArgs | BlobStorageArgs;

/** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
export interface TimeoutsArgs {
    /** The longest time that waiting may take in create: whole seconds, or a string such as `10m`. */
    create?: pulumi.Input<number | string | undefined>;

    /** The longest time that waiting may take in update: whole seconds, or a string such as `10m`. */
    update?: pulumi.Input<number | string | undefined>;

    /** The longest time that waiting may take in delete: whole seconds, or a string such as `10m`. */
    delete?: pulumi.Input<number | string | undefined>;
}

/** Arguments of `SnapshotConfig`. */
export interface SnapshotConfigArgs {
    /** Name of the configuration. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Time between snapshots: whole seconds, or a string such as `24h`. */
    interval: pulumi.Input<number | string>;

    /** How many snapshots are kept. After each snapshot the server deletes the oldest ones. Default: `1`. */
    retain?: pulumi.Input<number | undefined>;

    /** What the names of snapshots begin with. Default: `vault-snapshot` on Vault, `secrets-snapshot` on a server of the document. */
    filePrefix?: pulumi.Input<string | undefined>;

    /** Where snapshots go; `type` says which of the forms it is. Another type is a change in place. */
    storage: pulumi.Input<SnapshotConfigStorageArgs>;

    /** Whether a server that lost its data loads the newest snapshot of this configuration. For one configuration at a time, and not for `local`. Default: `false`. */
    autoloadEnabled?: pulumi.Input<boolean | undefined>;

    /** After a write, wait this long at most for a new snapshot: whole seconds, or a string such as `10m`. Off by default. Default: `0`. */
    waitForSnapshot?: pulumi.Input<number | string | undefined>;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    adopt?: pulumi.Input<boolean | "identical" | undefined>;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    timeouts?: pulumi.Input<TimeoutsArgs | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Files on the server that takes the snapshot. */
export interface LocalStorage {
    /** Which of the forms this is. */
    readonly type: "local";

    /** Directory on the server. A / at its end carries no meaning. */
    readonly pathPrefix: string;

    /** How many bytes all snapshots may take together. A snapshot that would take more fails. */
    readonly maxSpace: number;
}

/** Objects in an S3 bucket, or in another store with the same protocol. */
export interface S3Storage {
    /** Which of the forms this is. */
    readonly type: "cloudb-s3" | "aws-s3";

    /** Prefix of the objects in the bucket; `/` for none. Slashes at its ends carry no meaning. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Region of the bucket. */
    readonly region: string;

    /** Access key ID. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    readonly accessKeyId?: string | undefined;

    /** Secret access key. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    readonly secretAccessKey?: string | undefined;

    /** Session token of temporary credentials. Secret. */
    readonly sessionToken?: string | undefined;

    /** Endpoint; normally only for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to connect to the endpoint without TLS; for tests only. Default: `false`. */
    readonly disableTls?: boolean | undefined;

    /** Whether URLs have the form endpoint/bucket. Default: `false`. */
    readonly forcePathStyle?: boolean | undefined;

    /** Whether to encrypt with a key-management service. Default: `false`. */
    readonly enableKms?: boolean | undefined;

    /** Whether to encrypt with AES256 and not by KMS. Default: `false`. */
    readonly serverSideEncryption?: boolean | undefined;

    /** Name of the key if `enableKms` is true. */
    readonly kmsKey?: string | undefined;
}

/** Objects in a Google Cloud Storage bucket. */
export interface GcsStorage {
    /** Which of the forms this is. */
    readonly type: "cloudc-gcs" | "google-gcs";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Key of a service account: the JSON document as an object, or its text. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    readonly serviceAccountKey?: string | Record<string, unknown> | undefined;

    /** Endpoint; normally only for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to connect to the endpoint without TLS; for tests only. Default: `false`. */
    readonly disableTls?: boolean | undefined;
}

/** Blobs in a container of Azure Blob Storage. */
export interface BlobStorage {
    /** Which of the forms this is. */
    readonly type: "clouda-blob" | "azure-blob";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Container. */
    readonly container: string;

    /** Storage account. */
    readonly accountName?: string | undefined;

    /** Key of the storage account. Secret. */
    readonly accountKey?: string | undefined;

    /** Cloud environment of the storage account. Default: `"CLOUDAPUBLICCLOUD"`. */
    readonly environment?: string | undefined;

    /** Endpoint; normally only for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** How to authenticate: with `accountKey`, with the managed identity `clientId`, or as the server's environment says. Vault needs it. */
    readonly authMode?: "shared" | "managed" | "environment" | undefined;

    /** Client ID of the managed identity. */
    readonly clientId?: string | undefined;
}

/** Where snapshots go; `type` says which of the forms it is. Another type is a change in place. */
export type SnapshotConfigStorage = LocalStorage | S3Storage | GcsStorage | BlobStorage;

/** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
export interface Timeouts {
    /** The longest time that waiting may take in create: whole seconds, or a string such as `10m`. */
    readonly create?: number | string | undefined;

    /** The longest time that waiting may take in update: whole seconds, or a string such as `10m`. */
    readonly update?: number | string | undefined;

    /** The longest time that waiting may take in delete: whole seconds, or a string such as `10m`. */
    readonly delete?: number | string | undefined;
}

/** How the snapshots of a configuration went. */
export interface SnapshotStatus {
    /** When the last snapshot began; empty before the first. ISO 8601. */
    readonly lastSnapshotStart: string;

    /** When the last snapshot ended; empty before the first. ISO 8601. */
    readonly lastSnapshotEnd: string;

    /** Why the last snapshot failed; empty if it succeeded. */
    readonly lastSnapshotError: string;

    /** Where the last snapshot is. */
    readonly lastSnapshotUrl: string;

    /** The document does not say how it differs from `lastSnapshotStart`. ISO 8601. */
    readonly snapshotStart: string;

    /** The document does not say how it differs from `lastSnapshotUrl`. */
    readonly snapshotUrl: string;

    /** How many snapshots failed in a row. Only newer servers show it. */
    readonly consecutiveErrors?: number | undefined;

    /** When the next snapshot begins. ISO 8601. Only newer servers show it. */
    readonly nextSnapshotStart?: string | undefined;
}

/** Outputs of `SnapshotConfig`. */
export interface SnapshotConfigOutputs {
    /** Name of the configuration. A change replaces the object. */
    readonly name: string;

    /** Time between snapshots: whole seconds, or a string such as `24h`. */
    readonly interval: number | string;

    /** How many snapshots are kept. After each snapshot the server deletes the oldest ones. Default: `1`. */
    readonly retain?: number | undefined;

    /** What the names of snapshots begin with. Default: `vault-snapshot` on Vault, `secrets-snapshot` on a server of the document. */
    readonly filePrefix?: string | undefined;

    /** Where snapshots go; `type` says which of the forms it is. Another type is a change in place. */
    readonly storage: SnapshotConfigStorage;

    /** Whether a server that lost its data loads the newest snapshot of this configuration. For one configuration at a time, and not for `local`. Default: `false`. */
    readonly autoloadEnabled?: boolean | undefined;

    /** After a write, wait this long at most for a new snapshot: whole seconds, or a string such as `10m`. Off by default. Default: `0`. */
    readonly waitForSnapshot?: number | string | undefined;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt?: boolean | "identical" | undefined;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts?: Timeouts | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** The status of the snapshots when `waitForSnapshot` last saw a new one. */
    readonly status?: SnapshotStatus | undefined;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `SnapshotConfig`. */
export interface SnapshotConfigProperties {
    /** Name of the configuration. A change replaces the object. */
    readonly name: pulumi.Output<string>;

    /** Time between snapshots: whole seconds, or a string such as `24h`. */
    readonly interval: pulumi.Output<number | string>;

    /** How many snapshots are kept. After each snapshot the server deletes the oldest ones. Default: `1`. */
    readonly retain: pulumi.Output<number | undefined>;

    /** What the names of snapshots begin with. Default: `vault-snapshot` on Vault, `secrets-snapshot` on a server of the document. */
    readonly filePrefix: pulumi.Output<string | undefined>;

    /** Where snapshots go; `type` says which of the forms it is. Another type is a change in place. */
    readonly storage: pulumi.Output<SnapshotConfigStorage>;

    /** Whether a server that lost its data loads the newest snapshot of this configuration. For one configuration at a time, and not for `local`. Default: `false`. */
    readonly autoloadEnabled: pulumi.Output<boolean | undefined>;

    /** After a write, wait this long at most for a new snapshot: whole seconds, or a string such as `10m`. Off by default. Default: `0`. */
    readonly waitForSnapshot: pulumi.Output<number | string | undefined>;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt: pulumi.Output<boolean | "identical" | undefined>;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts: pulumi.Output<Timeouts | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** The status of the snapshots when `waitForSnapshot` last saw a new one. */
    readonly status: pulumi.Output<SnapshotStatus | undefined>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `StateVersionBackingData`. */
export interface StateVersionBackingDataArgs {
    /** The version. Its content can only be retired while it is not the current version of its workspace. A change replaces the object. */
    stateVersionId: pulumi.Input<string>;

    /** `available`: the content exists. `softDeleted`: reads of the version fail, and the content is permanently deleted some days later unless it is made available again. `permanentlyDeleted`: it is deleted now, which cannot be undone. */
    state: pulumi.Input<"available" | "softDeleted" | "permanentlyDeleted">;

    /** Sent along with a soft deletion. A change takes effect with the next one. */
    deleteOlderThanNDays?: pulumi.Input<number | undefined>;

    /** Must be `true` for `permanentlyDeleted`, which cannot be undone. Default: `false`. */
    allowPermanentDeletion?: pulumi.Input<boolean | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `StateVersionBackingData`. */
export interface StateVersionBackingDataOutputs {
    /** The version. Its content can only be retired while it is not the current version of its workspace. A change replaces the object. */
    readonly stateVersionId: string;

    /** `available`: the content exists. `softDeleted`: reads of the version fail, and the content is permanently deleted some days later unless it is made available again. `permanentlyDeleted`: it is deleted now, which cannot be undone. */
    readonly state: "available" | "softDeleted" | "permanentlyDeleted";

    /** Sent along with a soft deletion. A change takes effect with the next one. */
    readonly deleteOlderThanNDays?: number | undefined;

    /** Must be `true` for `permanentlyDeleted`, which cannot be undone. Default: `false`. */
    readonly allowPermanentDeletion?: boolean | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** `pending`, `finalized` or `discarded`; self-hosted services know retired ones too. */
    readonly status?: string | undefined;

    /** Its workspace. */
    readonly workspaceId?: string | undefined;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** When it was made: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `StateVersionBackingData`. */
export interface StateVersionBackingDataProperties {
    /** The version. Its content can only be retired while it is not the current version of its workspace. A change replaces the object. */
    readonly stateVersionId: pulumi.Output<string>;

    /** `available`: the content exists. `softDeleted`: reads of the version fail, and the content is permanently deleted some days later unless it is made available again. `permanentlyDeleted`: it is deleted now, which cannot be undone. */
    readonly state: pulumi.Output<"available" | "softDeleted" | "permanentlyDeleted">;

    /** Sent along with a soft deletion. A change takes effect with the next one. */
    readonly deleteOlderThanNDays: pulumi.Output<number | undefined>;

    /** Must be `true` for `permanentlyDeleted`, which cannot be undone. Default: `false`. */
    readonly allowPermanentDeletion: pulumi.Output<boolean | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** `pending`, `finalized` or `discarded`; self-hosted services know retired ones too. */
    readonly status: pulumi.Output<string | undefined>;

    /** Its workspace. */
    readonly workspaceId: pulumi.Output<string | undefined>;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial: pulumi.Output<number | undefined>;

    /** When it was made: ISO 8601. */
    readonly createdAt: pulumi.Output<string | undefined>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** How the workspace's lock is taken. */
export interface WorkspaceLockArgs {
    /** What the lock shows as its reason. */
    reason?: pulumi.Input<string | undefined>;
}

/** Arguments of `StateVersionRollback`. */
export interface StateVersionRollbackArgs {
    /** The workspace to roll back. A change replaces the object. */
    workspaceId: pulumi.Input<string>;

    /** The version whose content becomes current again. Another one rolls back again, in place. */
    stateVersionId: pulumi.Input<string>;

    /** Any values: a change of them rolls back again. */
    triggers?: pulumi.Input<readonly unknown[] | undefined>;

    /** Keep the workspace locked after the rollback, so that no run starts on the rolled-back state. Off by default. Default: `false`. */
    keepLocked?: pulumi.Input<boolean | undefined>;

    /** What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` while the version that this resource made is current. Default: `"keep"`. */
    onDelete?: pulumi.Input<"keep" | "restore" | undefined>;

    /** Treat a newer current version as drift, and roll back again. Off by default. Default: `false`. */
    enforce?: pulumi.Input<boolean | undefined>;

    /** Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default. Default: `false`. */
    waitForProcessing?: pulumi.Input<boolean | number | string | undefined>;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    timeouts?: pulumi.Input<TimeoutsArgs | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;

    /** Take the workspace's lock for the time of the rollback, and release it afterwards; the lock shows the `reason`, if one is given. On by default; fails if the workspace is locked. `false`: this account holds the lock already. Default: `true`. */
    lock?: pulumi.Input<boolean | WorkspaceLockArgs | undefined>;
}

/** How the workspace's lock is taken. */
export interface WorkspaceLock {
    /** What the lock shows as its reason. */
    readonly reason?: string | undefined;
}

/** A resource that a state holds. */
export interface StateVersionResource {
    /** Its name. */
    readonly name: string;

    /** Its type. */
    readonly type: string;

    /** How many instances it has. */
    readonly count: number;

    /** Its module; `root` for the outermost one. */
    readonly module: string;

    /** Its provider. */
    readonly provider: string;
}

/** Outputs of `StateVersionRollback`. */
export interface StateVersionRollbackOutputs {
    /** The workspace to roll back. A change replaces the object. */
    readonly workspaceId: string;

    /** The version whose content becomes current again. Another one rolls back again, in place. */
    readonly stateVersionId: string;

    /** Any values: a change of them rolls back again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Keep the workspace locked after the rollback, so that no run starts on the rolled-back state. Off by default. Default: `false`. */
    readonly keepLocked?: boolean | undefined;

    /** What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` while the version that this resource made is current. Default: `"keep"`. */
    readonly onDelete?: "keep" | "restore" | undefined;

    /** Treat a newer current version as drift, and roll back again. Off by default. Default: `false`. */
    readonly enforce?: boolean | undefined;

    /** Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default. Default: `false`. */
    readonly waitForProcessing?: boolean | number | string | undefined;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts?: Timeouts | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** Take the workspace's lock for the time of the rollback, and release it afterwards; the lock shows the `reason`, if one is given. On by default; fails if the workspace is locked. `false`: this account holds the lock already. Default: `true`. */
    readonly lock?: boolean | WorkspaceLock | undefined;

    /** The version that this resource made current, or found current with the wanted content. */
    readonly currentStateVersionId: string;

    /** The version that `onDelete: restore` goes back to: the current version before this resource's rollbacks. Empty if nothing had to be rolled back. */
    readonly previousStateVersionId: string;

    /** The current version before the last rollback. Empty if nothing had to be rolled back. */
    readonly rolledBackFrom: string;

    /** Serial of the current version. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** When it was made: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Resources that the version counts; absent until the service has processed them (see `waitForProcessing`). */
    readonly resources?: StateVersionResource[] | undefined;

    /** Whether a newer version is current. Drift only with `enforce`. */
    readonly superseded: boolean;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `StateVersionRollback`. */
export interface StateVersionRollbackProperties {
    /** The workspace to roll back. A change replaces the object. */
    readonly workspaceId: pulumi.Output<string>;

    /** The version whose content becomes current again. Another one rolls back again, in place. */
    readonly stateVersionId: pulumi.Output<string>;

    /** Any values: a change of them rolls back again. */
    readonly triggers: pulumi.Output<readonly unknown[] | undefined>;

    /** Keep the workspace locked after the rollback, so that no run starts on the rolled-back state. Off by default. Default: `false`. */
    readonly keepLocked: pulumi.Output<boolean | undefined>;

    /** What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` while the version that this resource made is current. Default: `"keep"`. */
    readonly onDelete: pulumi.Output<"keep" | "restore" | undefined>;

    /** Treat a newer current version as drift, and roll back again. Off by default. Default: `false`. */
    readonly enforce: pulumi.Output<boolean | undefined>;

    /** Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default. Default: `false`. */
    readonly waitForProcessing: pulumi.Output<boolean | number | string | undefined>;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts: pulumi.Output<Timeouts | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Take the workspace's lock for the time of the rollback, and release it afterwards; the lock shows the `reason`, if one is given. On by default; fails if the workspace is locked. `false`: this account holds the lock already. Default: `true`. */
    readonly lock: pulumi.Output<boolean | WorkspaceLock | undefined>;

    /** The version that this resource made current, or found current with the wanted content. */
    readonly currentStateVersionId: pulumi.Output<string>;

    /** The version that `onDelete: restore` goes back to: the current version before this resource's rollbacks. Empty if nothing had to be rolled back. */
    readonly previousStateVersionId: pulumi.Output<string>;

    /** The current version before the last rollback. Empty if nothing had to be rolled back. */
    readonly rolledBackFrom: pulumi.Output<string>;

    /** Serial of the current version. Serials may repeat after rollbacks. */
    readonly serial: pulumi.Output<number | undefined>;

    /** When it was made: ISO 8601. */
    readonly createdAt: pulumi.Output<string | undefined>;

    /** Resources that the version counts; absent until the service has processed them (see `waitForProcessing`). */
    readonly resources: pulumi.Output<StateVersionResource[] | undefined>;

    /** Whether a newer version is current. Drift only with `enforce`. */
    readonly superseded: pulumi.Output<boolean>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `StateVersion`. */
export interface StateVersionArgs {
    /** The workspace that gets the version. A change replaces the object. */
    workspaceId: pulumi.Input<string>;

    /** The raw state: a Pulumi asset, a path, or the text itself. Serial, lineage and MD5 are taken from it. Pulumi's state keeps its SHA-256 digest only. A change replaces the object. */
    content: pulumi.Input<string | pulumi.asset.Asset>;

    /** The same state in the stable JSON format that the client tool shows: a Pulumi asset, a path, or the text itself. Only its digest is kept. A change replaces the object. */
    jsonContent?: pulumi.Input<string | pulumi.asset.Asset | undefined>;

    /** The `values/outputs` of the JSON form, in the same ways: the workspace's outputs are then there at once instead of after a short time. Only its digest is kept. A change replaces the object. */
    jsonStateOutputs?: pulumi.Input<string | pulumi.asset.Asset | undefined>;

    /** The run that the version belongs to. A change replaces the object. */
    runId?: pulumi.Input<string | undefined>;

    /** Send the content in the request that makes the version, instead of uploading it separately, which the service recommends. Default: `false`. */
    inline?: pulumi.Input<boolean | undefined>;

    /** Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default. Default: `false`. */
    waitForProcessing?: pulumi.Input<boolean | number | string | undefined>;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    timeouts?: pulumi.Input<TimeoutsArgs | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;

    /** Take the workspace's lock for the time of the creation, and release it afterwards; the lock shows the `reason`, if one is given. On by default; fails if the workspace is locked. `false`: this account holds the lock already. Default: `true`. */
    lock?: pulumi.Input<boolean | WorkspaceLockArgs | undefined>;
}

/** Outputs of `StateVersion`. */
export interface StateVersionOutputs {
    /** The workspace that gets the version. A change replaces the object. */
    readonly workspaceId: string;

    /** The raw state: a Pulumi asset, a path, or the text itself. Serial, lineage and MD5 are taken from it. Pulumi's state keeps its SHA-256 digest only. A change replaces the object. */
    readonly content: string;

    /** The same state in the stable JSON format that the client tool shows: a Pulumi asset, a path, or the text itself. Only its digest is kept. A change replaces the object. */
    readonly jsonContent?: string | undefined;

    /** The `values/outputs` of the JSON form, in the same ways: the workspace's outputs are then there at once instead of after a short time. Only its digest is kept. A change replaces the object. */
    readonly jsonStateOutputs?: string | undefined;

    /** The run that the version belongs to. A change replaces the object. */
    readonly runId?: string | undefined;

    /** Send the content in the request that makes the version, instead of uploading it separately, which the service recommends. Default: `false`. */
    readonly inline?: boolean | undefined;

    /** Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default. Default: `false`. */
    readonly waitForProcessing?: boolean | number | string | undefined;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts?: Timeouts | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** Take the workspace's lock for the time of the creation, and release it afterwards; the lock shows the `reason`, if one is given. On by default; fails if the workspace is locked. `false`: this account holds the lock already. Default: `true`. */
    readonly lock?: boolean | WorkspaceLock | undefined;

    /** The state's serial. */
    readonly serial: number;

    /** The state's lineage; early client tools wrote none. */
    readonly lineage?: string | undefined;

    /** MD5 of the raw state. */
    readonly md5: string;

    /** `pending`, `finalized` or `discarded`; self-hosted services know retired ones too. */
    readonly status?: string | undefined;

    /** Size of the state; the service's document names no unit. */
    readonly size?: number | undefined;

    /** Whether the service has filled in the rest. Default: `false`. */
    readonly resourcesProcessed: boolean;

    /** Version of the client tool that created the state. Filled in later. */
    readonly toolVersion?: string | undefined;

    /** When it was made: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Resources that the version counts; absent until the service has processed them (see `waitForProcessing`). */
    readonly resources?: StateVersionResource[] | undefined;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `StateVersion`. */
export interface StateVersionProperties {
    /** The workspace that gets the version. A change replaces the object. */
    readonly workspaceId: pulumi.Output<string>;

    /** The raw state: a Pulumi asset, a path, or the text itself. Serial, lineage and MD5 are taken from it. Pulumi's state keeps its SHA-256 digest only. A change replaces the object. */
    readonly content: pulumi.Output<string>;

    /** The same state in the stable JSON format that the client tool shows: a Pulumi asset, a path, or the text itself. Only its digest is kept. A change replaces the object. */
    readonly jsonContent: pulumi.Output<string | undefined>;

    /** The `values/outputs` of the JSON form, in the same ways: the workspace's outputs are then there at once instead of after a short time. Only its digest is kept. A change replaces the object. */
    readonly jsonStateOutputs: pulumi.Output<string | undefined>;

    /** The run that the version belongs to. A change replaces the object. */
    readonly runId: pulumi.Output<string | undefined>;

    /** Send the content in the request that makes the version, instead of uploading it separately, which the service recommends. Default: `false`. */
    readonly inline: pulumi.Output<boolean | undefined>;

    /** Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default. Default: `false`. */
    readonly waitForProcessing: pulumi.Output<boolean | number | string | undefined>;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts: pulumi.Output<Timeouts | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Take the workspace's lock for the time of the creation, and release it afterwards; the lock shows the `reason`, if one is given. On by default; fails if the workspace is locked. `false`: this account holds the lock already. Default: `true`. */
    readonly lock: pulumi.Output<boolean | WorkspaceLock | undefined>;

    /** The state's serial. */
    readonly serial: pulumi.Output<number>;

    /** The state's lineage; early client tools wrote none. */
    readonly lineage: pulumi.Output<string | undefined>;

    /** MD5 of the raw state. */
    readonly md5: pulumi.Output<string>;

    /** `pending`, `finalized` or `discarded`; self-hosted services know retired ones too. */
    readonly status: pulumi.Output<string | undefined>;

    /** Size of the state; the service's document names no unit. */
    readonly size: pulumi.Output<number | undefined>;

    /** Whether the service has filled in the rest. Default: `false`. */
    readonly resourcesProcessed: pulumi.Output<boolean>;

    /** Version of the client tool that created the state. Filled in later. */
    readonly toolVersion: pulumi.Output<string | undefined>;

    /** When it was made: ISO 8601. */
    readonly createdAt: pulumi.Output<string | undefined>;

    /** Resources that the version counts; absent until the service has processed them (see `waitForProcessing`). */
    readonly resources: pulumi.Output<StateVersionResource[] | undefined>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `CsiVolumeDetachment`. */
export interface CsiVolumeDetachmentArgs {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    volumeId: pulumi.Input<string>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Id of the node that the volume is detached from. A change replaces the object. */
    node: pulumi.Input<string>;

    /** Any values: a change of them detaches again. */
    triggers?: pulumi.Input<readonly unknown[] | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `CsiVolumeDetachment`. */
export interface CsiVolumeDetachmentOutputs {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    readonly volumeId: string;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Id of the node that the volume is detached from. A change replaces the object. */
    readonly node: string;

    /** Any values: a change of them detaches again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `CsiVolumeDetachment`. */
export interface CsiVolumeDetachmentProperties {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    readonly volumeId: pulumi.Output<string>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Id of the node that the volume is detached from. A change replaces the object. */
    readonly node: pulumi.Output<string>;

    /** Any values: a change of them detaches again. */
    readonly triggers: pulumi.Output<readonly unknown[] | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** How the volume may be used: pairs of modes. */
export interface CsiVolumeCapabilityArgs {
    /** How many nodes may use it at once. */
    accessMode: pulumi.Input<string>;

    /** What it looks like to a task. */
    attachmentMode: pulumi.Input<string>;
}

/** How the volume is mounted. Cannot change while the volume is in use. */
export interface CsiVolumeMountOptionsArgs {
    /** The file system. */
    fsType?: pulumi.Input<string | undefined>;

    /** Flags of the mount. They may hold credentials, so servers do not show them. Secret. */
    mountFlags?: pulumi.Input<pulumi.Input<string>[] | undefined>;
}

/** Where the volume must and where it should be reached from: flat maps of segments. */
export interface CsiVolumeRequestedTopologiesArgs {
    /** Where the volume must be reached from. */
    required?: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<string>>>[] | undefined>;

    /** Where it should be reached from, best first. */
    preferred?: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<string>>>[] | undefined>;
}

/** Arguments of `CsiVolume`. */
export interface CsiVolumeArgs {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    volumeId: pulumi.Input<string>;

    /** Name shown to people. Left out, the volume has none. A change replaces the object. */
    name?: pulumi.Input<string | undefined>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Its ID at the storage provider, if not `volumeId`. A change replaces the object. */
    externalId?: pulumi.Input<string | undefined>;

    /** The CSI plugin that serves the volume. A change replaces the object. */
    pluginId: pulumi.Input<string>;

    /** Where the volume can be reached from: flat maps of segments. Their order carries no meaning. A change replaces the object. */
    topologies?: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<string>>>[] | undefined>;

    /** How many nodes may use the volume at once, and how: `single-node-reader-only`, `single-node-writer`, `multi-node-reader-only`, `multi-node-single-writer`, `multi-node-multi-writer`. Other words are sent with a warning. A change replaces the object. */
    accessMode?: pulumi.Input<string | undefined>;

    /** What the volume looks like to a task: `file-system`, `block-device`. Other words are sent with a warning. A change replaces the object. */
    attachmentMode?: pulumi.Input<string | undefined>;

    /** How the volume may be used: pairs of modes. Default: the pair of `accessMode` and `attachmentMode`. */
    capabilities?: pulumi.Input<pulumi.Input<CsiVolumeCapabilityArgs>[] | undefined>;

    /** How the volume is mounted. Cannot change while the volume is in use. */
    mountOptions?: pulumi.Input<CsiVolumeMountOptionsArgs | undefined>;

    /** Strings by name that are passed to the plugin. A change replaces the object. */
    parameters?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;

    /** Strings by name that the storage provider needs to know of the volume. Emptied, the volume is replaced. A change may replace the object. */
    context?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;

    /** Where the volume must and where it should be reached from: flat maps of segments. A change replaces the object. */
    requestedTopologies?: pulumi.Input<CsiVolumeRequestedTopologiesArgs | undefined>;

    /** The least size in bytes. Left out later, it stays as it was. */
    capacityMin?: pulumi.Input<number | undefined>;

    /** The largest size in bytes. Left out later, it stays as it was. */
    capacityMax?: pulumi.Input<number | undefined>;

    /** Strings by name that the plugin authenticates with. Servers never show them. Secret. */
    secrets?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;

    /** Any values: a change of them registers the volume, with its secrets and in place, again. */
    triggers?: pulumi.Input<readonly unknown[] | undefined>;

    /** Deregister with `force`: claims of allocations that have ended are dropped at once. Running allocations still prevent it. Off by default. Default: `false`. */
    force?: pulumi.Input<boolean | undefined>;

    /** After registering, wait this long at most until the volume is schedulable: whole seconds, or a string such as `2m`. Off by default. Default: `0`. */
    waitUntilSchedulable?: pulumi.Input<number | string | undefined>;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    adopt?: pulumi.Input<boolean | "identical" | undefined>;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    timeouts?: pulumi.Input<TimeoutsArgs | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** How the volume may be used: pairs of modes. */
export interface CsiVolumeCapability {
    /** How many nodes may use it at once. */
    readonly accessMode: string;

    /** What it looks like to a task. */
    readonly attachmentMode: string;
}

/** How the volume is mounted. Cannot change while the volume is in use. */
export interface CsiVolumeMountOptions {
    /** The file system. */
    readonly fsType?: string | undefined;

    /** Flags of the mount. They may hold credentials, so servers do not show them. Secret. */
    readonly mountFlags?: string[] | undefined;
}

/** Where the volume must and where it should be reached from: flat maps of segments. */
export interface CsiVolumeRequestedTopologies {
    /** Where the volume must be reached from. */
    readonly required?: Record<string, string>[] | undefined;

    /** Where it should be reached from, best first. */
    readonly preferred?: Record<string, string>[] | undefined;
}

/** Outputs of `CsiVolume`. */
export interface CsiVolumeOutputs {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    readonly volumeId: string;

    /** Name shown to people. Left out, the volume has none. A change replaces the object. */
    readonly name?: string | undefined;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Its ID at the storage provider, if not `volumeId`. A change replaces the object. */
    readonly externalId?: string | undefined;

    /** The CSI plugin that serves the volume. A change replaces the object. */
    readonly pluginId: string;

    /** Where the volume can be reached from: flat maps of segments. Their order carries no meaning. A change replaces the object. */
    readonly topologies?: Record<string, string>[] | undefined;

    /** How many nodes may use the volume at once, and how: `single-node-reader-only`, `single-node-writer`, `multi-node-reader-only`, `multi-node-single-writer`, `multi-node-multi-writer`. Other words are sent with a warning. A change replaces the object. */
    readonly accessMode?: string | undefined;

    /** What the volume looks like to a task: `file-system`, `block-device`. Other words are sent with a warning. A change replaces the object. */
    readonly attachmentMode?: string | undefined;

    /** How the volume may be used: pairs of modes. Default: the pair of `accessMode` and `attachmentMode`. */
    readonly capabilities?: CsiVolumeCapability[] | undefined;

    /** How the volume is mounted. Cannot change while the volume is in use. */
    readonly mountOptions?: CsiVolumeMountOptions | undefined;

    /** Strings by name that are passed to the plugin. A change replaces the object. */
    readonly parameters?: Record<string, string> | undefined;

    /** Strings by name that the storage provider needs to know of the volume. Emptied, the volume is replaced. A change may replace the object. */
    readonly context?: Record<string, string> | undefined;

    /** Where the volume must and where it should be reached from: flat maps of segments. A change replaces the object. */
    readonly requestedTopologies?: CsiVolumeRequestedTopologies | undefined;

    /** The least size in bytes. Left out later, it stays as it was. */
    readonly capacityMin?: number | undefined;

    /** The largest size in bytes. Left out later, it stays as it was. */
    readonly capacityMax?: number | undefined;

    /** Strings by name that the plugin authenticates with. Servers never show them. Secret. */
    readonly secrets?: Record<string, string> | undefined;

    /** Any values: a change of them registers the volume, with its secrets and in place, again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Deregister with `force`: claims of allocations that have ended are dropped at once. Running allocations still prevent it. Off by default. Default: `false`. */
    readonly force?: boolean | undefined;

    /** After registering, wait this long at most until the volume is schedulable: whole seconds, or a string such as `2m`. Off by default. Default: `0`. */
    readonly waitUntilSchedulable?: number | string | undefined;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt?: boolean | "identical" | undefined;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts?: Timeouts | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection?: string | undefined;

    /** Name of the storage provider. */
    readonly providerName: string;

    /** Version of the plugin. */
    readonly providerVersion: string;

    /** Whether the volume could be scheduled when it was read. Default: `false`. */
    readonly schedulable: boolean;

    /** Healthy controllers of the plugin. Default: `0`. */
    readonly controllersHealthy: number;

    /** Controllers of the plugin. Default: `0`. */
    readonly controllersExpected: number;

    /** Nodes with a healthy plugin. Default: `0`. */
    readonly nodesHealthy: number;

    /** Nodes with the plugin. Default: `0`. */
    readonly nodesExpected: number;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** What a program reads of `CsiVolume`. */
export interface CsiVolumeProperties {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    readonly volumeId: pulumi.Output<string>;

    /** Name shown to people. Left out, the volume has none. A change replaces the object. */
    readonly name: pulumi.Output<string | undefined>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Its ID at the storage provider, if not `volumeId`. A change replaces the object. */
    readonly externalId: pulumi.Output<string | undefined>;

    /** The CSI plugin that serves the volume. A change replaces the object. */
    readonly pluginId: pulumi.Output<string>;

    /** Where the volume can be reached from: flat maps of segments. Their order carries no meaning. A change replaces the object. */
    readonly topologies: pulumi.Output<Record<string, string>[] | undefined>;

    /** How many nodes may use the volume at once, and how: `single-node-reader-only`, `single-node-writer`, `multi-node-reader-only`, `multi-node-single-writer`, `multi-node-multi-writer`. Other words are sent with a warning. A change replaces the object. */
    readonly accessMode: pulumi.Output<string | undefined>;

    /** What the volume looks like to a task: `file-system`, `block-device`. Other words are sent with a warning. A change replaces the object. */
    readonly attachmentMode: pulumi.Output<string | undefined>;

    /** How the volume may be used: pairs of modes. Default: the pair of `accessMode` and `attachmentMode`. */
    readonly capabilities: pulumi.Output<CsiVolumeCapability[] | undefined>;

    /** How the volume is mounted. Cannot change while the volume is in use. */
    readonly mountOptions: pulumi.Output<CsiVolumeMountOptions | undefined>;

    /** Strings by name that are passed to the plugin. A change replaces the object. */
    readonly parameters: pulumi.Output<Record<string, string> | undefined>;

    /** Strings by name that the storage provider needs to know of the volume. Emptied, the volume is replaced. A change may replace the object. */
    readonly context: pulumi.Output<Record<string, string> | undefined>;

    /** Where the volume must and where it should be reached from: flat maps of segments. A change replaces the object. */
    readonly requestedTopologies: pulumi.Output<CsiVolumeRequestedTopologies | undefined>;

    /** The least size in bytes. Left out later, it stays as it was. */
    readonly capacityMin: pulumi.Output<number | undefined>;

    /** The largest size in bytes. Left out later, it stays as it was. */
    readonly capacityMax: pulumi.Output<number | undefined>;

    /** Strings by name that the plugin authenticates with. Servers never show them. Secret. */
    readonly secrets: pulumi.Output<Record<string, string> | undefined>;

    /** Any values: a change of them registers the volume, with its secrets and in place, again. */
    readonly triggers: pulumi.Output<readonly unknown[] | undefined>;

    /** Deregister with `force`: claims of allocations that have ended are dropped at once. Running allocations still prevent it. Off by default. Default: `false`. */
    readonly force: pulumi.Output<boolean | undefined>;

    /** After registering, wait this long at most until the volume is schedulable: whole seconds, or a string such as `2m`. Off by default. Default: `0`. */
    readonly waitUntilSchedulable: pulumi.Output<number | string | undefined>;

    /** Takes over an object that exists already: `true` overwrites it with what is declared here, `identical` takes it over only if it is exactly as declared. Off by default: an existing object is an error. Default: `false`. */
    readonly adopt: pulumi.Output<boolean | "identical" | undefined>;

    /** The longest waits of each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts: pulumi.Output<Timeouts | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Name of the storage provider. */
    readonly providerName: pulumi.Output<string>;

    /** Version of the plugin. */
    readonly providerVersion: pulumi.Output<string>;

    /** Whether the volume could be scheduled when it was read. Default: `false`. */
    readonly schedulable: pulumi.Output<boolean>;

    /** Healthy controllers of the plugin. Default: `0`. */
    readonly controllersHealthy: pulumi.Output<number>;

    /** Controllers of the plugin. Default: `0`. */
    readonly controllersExpected: pulumi.Output<number>;

    /** Nodes with a healthy plugin. Default: `0`. */
    readonly nodesHealthy: pulumi.Output<number>;

    /** Nodes with the plugin. Default: `0`. */
    readonly nodesExpected: pulumi.Output<number>;

    /** The server of the object: origin and path of its address. Operations refuse to act on another server. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `getAuthConfig`. */
export interface GetAuthConfigArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    namespace?: string | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getAuthConfigOutput`. */
export interface GetAuthConfigOutputArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getAuthConfig`. */
export interface GetAuthConfigResult {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    readonly mount: string;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    readonly namespace: string;

    /** Tenant of the directory. Left out, the server takes it from its own environment. */
    readonly tenantId?: string | undefined;

    /** URL of the registered application. The claim `aud` of the JWT of a login must equal it. Left out, the server takes it from its own environment. */
    readonly resource?: string | undefined;

    /** Cloud environment of the provider. */
    readonly environment?:
        | "CloudAPublicCloud"
        | "CloudAUSGovernmentCloud"
        | "CloudAChinaCloud"
        | "CloudAGermanCloud"
        | undefined;

    /** Client ID for queries to the provider. It needs the right to read compute resources. */
    readonly clientId: string;

    /** Client secret. Sent only when the object is created and when the program's own value changes, because each write of it undoes a `RootRotation`. Left out, the server keeps its secret; an empty string empties it there. Secret. */
    readonly clientSecret?: pulumi.Output<string> | undefined;

    /** How often the server repeats a failed query to the provider at most. */
    readonly maxRetries?: number | undefined;

    /** The longest time between two queries. A string such as `60s`, or whole seconds. */
    readonly maxRetryDelay?: string | undefined;

    /** The time before the first repetition. It grows exponentially. A string such as `4s`, or whole seconds. */
    readonly retryDelay?: string | undefined;

    /** How long a secret lasts that a `RootRotation` makes: whole seconds, or a string such as `720h`. Not in the document; Vault resets it to its default with each write that leaves it out. */
    readonly rootPasswordTtl?: number | undefined;
}

/** Arguments of `getAuthRole`. */
export interface GetAuthRoleArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    namespace?: string | undefined;

    /** Name of the role. The case of letters carries no meaning. */
    name: string;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getAuthRoleOutput`. */
export interface GetAuthRoleOutputArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Name of the role. The case of letters carries no meaning. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getAuthRole`. */
export interface GetAuthRoleResult {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    readonly mount: string;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    readonly namespace: string;

    /** Name of the role. The case of letters carries no meaning. */
    readonly name: string;

    /** Only machines with one of these service principal IDs may log in. Left out or empty: no restriction. If neither IDs of service principals nor of groups are given, Vault refuses every login. */
    readonly boundServicePrincipalIds: string[];

    /** Only machines with one of these group IDs may log in. Left out or empty: no restriction. If neither IDs of service principals nor of groups are given, Vault refuses every login. */
    readonly boundGroupIds: string[];

    /** Only machines with one of these locations may log in. Left out or empty: no restriction. */
    readonly boundLocations: string[];

    /** Only machines with one of these subscription IDs may log in. Left out or empty: no restriction. */
    readonly boundSubscriptionIds: string[];

    /** Only machines with one of these resource groups may log in. Left out or empty: no restriction. */
    readonly boundResourceGroups: string[];

    /** Only machines with one of these scale set names may log in. Left out or empty: no restriction. */
    readonly boundScaleSets: string[];

    /** Lifetime of tokens, and by how much a renewal extends it. Whole seconds, or a string such as `1h`. 0: not set. */
    readonly tokenTtl: number;

    /** Maximum lifetime of tokens. A renewal uses the current value. Whole seconds, or a string such as `1h`. 0: not set. */
    readonly tokenMaxTtl: number;

    /** Policies of tokens, as a list or as one string with commas. */
    readonly tokenPolicies: string[];

    /** CIDR blocks from which logins and tokens are accepted, as a list or as one string with commas. */
    readonly tokenBoundCidrs: string[];

    /** Maximum lifetime of tokens that no renewal can exceed. Whole seconds, or a string such as `1h`. 0: not set. */
    readonly tokenExplicitMaxTtl: number;

    /** Whether tokens lack the policy `default`. */
    readonly tokenNoDefaultPolicy: boolean;

    /** How often a token may be used; 0 is unlimited. Must be 0 for tokens that create child tokens. */
    readonly tokenNumUses: number;

    /** Maximum period of periodic tokens. Whole seconds, or a string such as `1h`. 0: not set. */
    readonly tokenPeriod: number;

    /** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. */
    readonly tokenType: "service" | "batch" | "default" | "default-service" | "default-batch";

    /** Sent as `max_jwt_exp` if given. The document does not say what it means, and Vault ignores it. */
    readonly maxJwtExp?: number | undefined;

    /** Strings by name, attached to the alias of each machine that logs in. Not in the document. */
    readonly aliasMetadata?: Record<string, string> | undefined;
}

/** Arguments of `getAuthRoles`. */
export interface GetAuthRolesArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    namespace?: string | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getAuthRolesOutput`. */
export interface GetAuthRolesOutputArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getAuthRoles`. */
export interface GetAuthRolesResult {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    readonly mount: string;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    readonly namespace: string;

    /** Names of the roles, as the server spells them. Empty if the mount has none. */
    readonly names: string[];
}

/** Arguments of `getSnapshotConfigs`. */
export interface GetSnapshotConfigsArgs {
    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getSnapshotConfigsOutput`. */
export interface GetSnapshotConfigsOutputArgs {
    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getSnapshotConfigs`. */
export interface GetSnapshotConfigsResult {
    /** Names of the configurations. Empty if there are none. */
    readonly names: string[];
}

/** Arguments of `getSnapshotStatus`. */
export interface GetSnapshotStatusArgs {
    /** Name of the configuration. */
    name: string;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getSnapshotStatusOutput`. */
export interface GetSnapshotStatusOutputArgs {
    /** Name of the configuration. */
    name: pulumi.Input<string>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getSnapshotStatus`. */
export interface GetSnapshotStatusResult {
    /** When the last snapshot began; empty before the first. ISO 8601. */
    readonly lastSnapshotStart: string;

    /** When the last snapshot ended; empty before the first. ISO 8601. */
    readonly lastSnapshotEnd: string;

    /** Why the last snapshot failed; empty if it succeeded. */
    readonly lastSnapshotError: string;

    /** Where the last snapshot is. */
    readonly lastSnapshotUrl: string;

    /** The document does not say how it differs from `lastSnapshotStart`. ISO 8601. */
    readonly snapshotStart: string;

    /** The document does not say how it differs from `lastSnapshotUrl`. */
    readonly snapshotUrl: string;

    /** How many snapshots failed in a row. Only newer servers show it. */
    readonly consecutiveErrors?: number | undefined;

    /** When the next snapshot begins. ISO 8601. Only newer servers show it. */
    readonly nextSnapshotStart?: string | undefined;
}

/** Arguments of `login`. */
export interface LoginArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    namespace?: string | undefined;

    /** Name of the role. */
    role: string;

    /** Signed JSON Web Token from the instance identity service of the machine. Secret. */
    jwt: string;

    /** Subscription ID of the machine. */
    subscriptionId: string;

    /** Resource group of the machine. */
    resourceGroupName: string;

    /** Name of the virtual machine. Ignored if `vmssName` is given. */
    vmName?: string | undefined;

    /** Name of the scale set. */
    vmssName?: string | undefined;

    /** Fully qualified ID of the resource: `/subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>`. Ignored if `vmName` or `vmssName` is given. */
    resourceId?: string | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `loginOutput`. */
export interface LoginOutputArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Name of the role. */
    role: pulumi.Input<string>;

    /** Signed JSON Web Token from the instance identity service of the machine. Secret. */
    jwt: pulumi.Input<string>;

    /** Subscription ID of the machine. */
    subscriptionId: pulumi.Input<string>;

    /** Resource group of the machine. */
    resourceGroupName: pulumi.Input<string>;

    /** Name of the virtual machine. Ignored if `vmssName` is given. */
    vmName?: pulumi.Input<string | undefined>;

    /** Name of the scale set. */
    vmssName?: pulumi.Input<string | undefined>;

    /** Fully qualified ID of the resource: `/subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>`. Ignored if `vmName` or `vmssName` is given. */
    resourceId?: pulumi.Input<string | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `login`. */
export interface LoginResult {
    /** The token. Secret. */
    readonly clientToken: pulumi.Output<string>;

    /** Names the token in requests that look it up or revoke it, if it has one. */
    readonly accessor: string;

    /** Policies of the token. */
    readonly tokenPolicies: string[];

    /** How long the token is valid, in seconds. */
    readonly leaseDuration: number;

    /** Whether the token can be renewed. */
    readonly renewable: boolean;
}

/** Arguments of `getSnapshotConfig`. */
export interface GetSnapshotConfigArgs {
    /** Name of the configuration. */
    name: string;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getSnapshotConfigOutput`. */
export interface GetSnapshotConfigOutputArgs {
    /** Name of the configuration. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Files on the server that takes the snapshot. */
export interface LocalStorageResult {
    /** Which of the forms this is. */
    readonly type: "local";

    /** Directory on the server. A / at its end carries no meaning. */
    readonly pathPrefix: string;

    /** How many bytes all snapshots may take together. A snapshot that would take more fails. */
    readonly maxSpace: number;
}

/** Objects in an S3 bucket, or in another store with the same protocol. */
export interface S3StorageResult {
    /** Which of the forms this is. */
    readonly type: "cloudb-s3" | "aws-s3";

    /** Prefix of the objects in the bucket; `/` for none. Slashes at its ends carry no meaning. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Region of the bucket. */
    readonly region: string;

    /** Access key ID. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    readonly accessKeyId?: pulumi.Output<string> | undefined;

    /** Secret access key. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    readonly secretAccessKey?: pulumi.Output<string> | undefined;

    /** Session token of temporary credentials. Secret. */
    readonly sessionToken?: pulumi.Output<string> | undefined;

    /** Endpoint; normally only for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to connect to the endpoint without TLS; for tests only. */
    readonly disableTls?: boolean | undefined;

    /** Whether URLs have the form endpoint/bucket. */
    readonly forcePathStyle?: boolean | undefined;

    /** Whether to encrypt with a key-management service. */
    readonly enableKms?: boolean | undefined;

    /** Whether to encrypt with AES256 and not by KMS. */
    readonly serverSideEncryption?: boolean | undefined;

    /** Name of the key if `enableKms` is true. */
    readonly kmsKey?: string | undefined;
}

/** Objects in a Google Cloud Storage bucket. */
export interface GcsStorageResult {
    /** Which of the forms this is. */
    readonly type: "cloudc-gcs" | "google-gcs";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Key of a service account: the JSON document as an object, or its text. Left out, the server looks for credentials where the provider's SDK does. Secret. */
    readonly serviceAccountKey?: pulumi.Output<string> | undefined;

    /** Endpoint; normally only for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to connect to the endpoint without TLS; for tests only. */
    readonly disableTls?: boolean | undefined;
}

/** Blobs in a container of Azure Blob Storage. */
export interface BlobStorageResult {
    /** Which of the forms this is. */
    readonly type: "clouda-blob" | "azure-blob";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Container. */
    readonly container: string;

    /** Storage account. */
    readonly accountName?: string | undefined;

    /** Key of the storage account. Secret. */
    readonly accountKey?: pulumi.Output<string> | undefined;

    /** Cloud environment of the storage account. */
    readonly environment?: string | undefined;

    /** Endpoint; normally only for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** How to authenticate: with `accountKey`, with the managed identity `clientId`, or as the server's environment says. Vault needs it. */
    readonly authMode?: "shared" | "managed" | "environment" | undefined;

    /** Client ID of the managed identity. */
    readonly clientId?: string | undefined;
}

/** Where snapshots go; `type` says which of the forms it is. Another type is a change in place. */
export type GetSnapshotConfigStorageResult =
    | LocalStorageResult
    | S3StorageResult
    | GcsStorageResult
    | BlobStorageResult;

/** Result of `getSnapshotConfig`. */
export interface GetSnapshotConfigResult {
    /** Name of the configuration. */
    readonly name: string;

    /** Time between snapshots: whole seconds, or a string such as `24h`. */
    readonly interval: number;

    /** How many snapshots are kept. After each snapshot the server deletes the oldest ones. */
    readonly retain: number;

    /** What the names of snapshots begin with. Default: `vault-snapshot` on Vault, `secrets-snapshot` on a server of the document. */
    readonly filePrefix?: string | undefined;

    /** Where snapshots go; `type` says which of the forms it is. Another type is a change in place. */
    readonly storage: GetSnapshotConfigStorageResult;

    /** Whether a server that lost its data loads the newest snapshot of this configuration. For one configuration at a time, and not for `local`. */
    readonly autoloadEnabled?: boolean | undefined;
}

/** Arguments of `downloadState`. */
export interface DownloadStateArgs {
    /** The version. */
    stateVersionId?: string | undefined;

    /** The workspace whose current version it is. */
    workspaceId?: string | undefined;

    /** `raw`: the client tool's internal format. `json`: the stable format for integrations, which not every version has. Default: `"raw"`. */
    format?: "raw" | "json" | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `downloadStateOutput`. */
export interface DownloadStateOutputArgs {
    /** The version. */
    stateVersionId?: pulumi.Input<string | undefined>;

    /** The workspace whose current version it is. */
    workspaceId?: pulumi.Input<string | undefined>;

    /** `raw`: the client tool's internal format. `json`: the stable format for integrations, which not every version has. Default: `"raw"`. */
    format?: pulumi.Input<"raw" | "json" | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `downloadState`. */
export interface DownloadStateResult {
    /** The version that it is of. */
    readonly stateVersionId: string;

    /** Its serial. */
    readonly serial?: number | undefined;

    /** The state, parsed. Secret. */
    readonly state: pulumi.Output<Record<string, unknown>>;

    /** The state as it came. Secret. */
    readonly text: pulumi.Output<string>;
}

/** Arguments of `getCurrentStateVersion`. */
export interface GetCurrentStateVersionArgs {
    /** The workspace. */
    workspaceId: string;

    /** Related resources to return in `included`. */
    include?: ("created_by" | "run" | "run.created_by" | "run.configuration_version" | "outputs")[] | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getCurrentStateVersionOutput`. */
export interface GetCurrentStateVersionOutputArgs {
    /** The workspace. */
    workspaceId: pulumi.Input<string>;

    /** Related resources to return in `included`. */
    include?: pulumi.Input<
        pulumi.Input<"created_by" | "run" | "run.created_by" | "run.configuration_version" | "outputs">[] | undefined
    >;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** A resource that is related to a state version. */
export interface RelatedResource {
    /** Its id. */
    readonly id: string;

    /** Its type, such as `users`. */
    readonly type: string;

    /** What the service shows of it. */
    readonly attributes: Record<string, unknown>;
}

/** Result of `getCurrentStateVersion`. */
export interface GetCurrentStateVersionResult {
    /** Id of the version. */
    readonly id: string;

    /** When it was made: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Size of the state; the service's document names no unit. */
    readonly size?: number | undefined;

    /** `pending`, `finalized` or `discarded`; self-hosted services know retired ones too. */
    readonly status?: string | undefined;

    /** Whether it is a snapshot that is not current yet. */
    readonly intermediate?: boolean | undefined;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** Version of the state's internal format. */
    readonly stateVersion?: number | undefined;

    /** Version of the client tool that created the state. Filled in later. */
    readonly toolVersion?: string | undefined;

    /** Resources by module and type. Filled in later. */
    readonly modules?: Record<string, Record<string, number>> | undefined;

    /** Resources by provider and type. Filled in later. */
    readonly providers?: Record<string, Record<string, number>> | undefined;

    /** Resources of the state. Final only when `resourcesProcessed` is true. */
    readonly resources: StateVersionResource[];

    /** Whether the service has filled in the rest. */
    readonly resourcesProcessed: boolean;

    /** Commit of the configuration that the state came from. */
    readonly vcsCommitSha?: string | undefined;

    /** Link to that commit. */
    readonly vcsCommitUrl?: string | undefined;

    /** Days of the soft deletion. */
    readonly deleteOlderThanNDays?: number | undefined;

    /** Its workspace. */
    readonly workspaceId?: string | undefined;

    /** The run that it belongs to. */
    readonly runId?: string | undefined;

    /** The run's type: `runs`. */
    readonly runType?: string | undefined;

    /** Who made it. */
    readonly createdById?: string | undefined;

    /** The maker's type: `users`. */
    readonly createdByType?: string | undefined;

    /** Paths to the maker: `self` and `related`. */
    readonly createdByLinks?: Record<string, string> | undefined;

    /** Ids of its outputs. */
    readonly outputIds?: string[] | undefined;

    /** The version that a rollback copied it from. */
    readonly rollbackStateVersionId?: string | undefined;

    /** Paths to the version: `self`. */
    readonly links?: Record<string, string> | undefined;

    /** The related resources that `include` names. Secret: outputs come with their values. Secret. */
    readonly included: pulumi.Output<RelatedResource[]>;
}

/** Arguments of `getStateVersion`. */
export interface GetStateVersionArgs {
    /** Id of the version. */
    id: string;

    /** Related resources to return in `included`. */
    include?: ("created_by" | "run" | "run.created_by" | "run.configuration_version" | "outputs")[] | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getStateVersionOutput`. */
export interface GetStateVersionOutputArgs {
    /** Id of the version. */
    id: pulumi.Input<string>;

    /** Related resources to return in `included`. */
    include?: pulumi.Input<
        pulumi.Input<"created_by" | "run" | "run.created_by" | "run.configuration_version" | "outputs">[] | undefined
    >;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getStateVersion`. */
export interface GetStateVersionResult {
    /** Id of the version. */
    readonly id: string;

    /** When it was made: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Size of the state; the service's document names no unit. */
    readonly size?: number | undefined;

    /** `pending`, `finalized` or `discarded`; self-hosted services know retired ones too. */
    readonly status?: string | undefined;

    /** Whether it is a snapshot that is not current yet. */
    readonly intermediate?: boolean | undefined;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** Version of the state's internal format. */
    readonly stateVersion?: number | undefined;

    /** Version of the client tool that created the state. Filled in later. */
    readonly toolVersion?: string | undefined;

    /** Resources by module and type. Filled in later. */
    readonly modules?: Record<string, Record<string, number>> | undefined;

    /** Resources by provider and type. Filled in later. */
    readonly providers?: Record<string, Record<string, number>> | undefined;

    /** Resources of the state. Final only when `resourcesProcessed` is true. */
    readonly resources: StateVersionResource[];

    /** Whether the service has filled in the rest. */
    readonly resourcesProcessed: boolean;

    /** Commit of the configuration that the state came from. */
    readonly vcsCommitSha?: string | undefined;

    /** Link to that commit. */
    readonly vcsCommitUrl?: string | undefined;

    /** Days of the soft deletion. */
    readonly deleteOlderThanNDays?: number | undefined;

    /** Its workspace. */
    readonly workspaceId?: string | undefined;

    /** The run that it belongs to. */
    readonly runId?: string | undefined;

    /** The run's type: `runs`. */
    readonly runType?: string | undefined;

    /** Who made it. */
    readonly createdById?: string | undefined;

    /** The maker's type: `users`. */
    readonly createdByType?: string | undefined;

    /** Paths to the maker: `self` and `related`. */
    readonly createdByLinks?: Record<string, string> | undefined;

    /** Ids of its outputs. */
    readonly outputIds?: string[] | undefined;

    /** The version that a rollback copied it from. */
    readonly rollbackStateVersionId?: string | undefined;

    /** Paths to the version: `self`. */
    readonly links?: Record<string, string> | undefined;

    /** The related resources that `include` names. Secret: outputs come with their values. Secret. */
    readonly included: pulumi.Output<RelatedResource[]>;
}

/** Arguments of `getStateVersions`. */
export interface GetStateVersionsArgs {
    /** Name of the organization that owns the workspace. */
    organization: string;

    /** Name of the workspace, not its id. */
    workspaceName: string;

    /** Only versions of this status. */
    status?: "pending" | "finalized" | "discarded" | undefined;

    /** Related resources to return in `included`. */
    include?: ("created_by" | "run" | "run.created_by" | "run.configuration_version" | "outputs")[] | undefined;

    /** Most versions to return. All when left out. */
    limit?: number | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getStateVersionsOutput`. */
export interface GetStateVersionsOutputArgs {
    /** Name of the organization that owns the workspace. */
    organization: pulumi.Input<string>;

    /** Name of the workspace, not its id. */
    workspaceName: pulumi.Input<string>;

    /** Only versions of this status. */
    status?: pulumi.Input<"pending" | "finalized" | "discarded" | undefined>;

    /** Related resources to return in `included`. */
    include?: pulumi.Input<
        pulumi.Input<"created_by" | "run" | "run.created_by" | "run.configuration_version" | "outputs">[] | undefined
    >;

    /** Most versions to return. All when left out. */
    limit?: pulumi.Input<number | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** One state version, as `getStateVersions` lists it: without its signed addresses. */
export interface StateVersionRecord {
    /** Id of the version. */
    readonly id: string;

    /** When it was made: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Size of the state; the service's document names no unit. */
    readonly size?: number | undefined;

    /** `pending`, `finalized` or `discarded`; self-hosted services know retired ones too. */
    readonly status?: string | undefined;

    /** Whether it is a snapshot that is not current yet. */
    readonly intermediate?: boolean | undefined;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** Version of the state's internal format. */
    readonly stateVersion?: number | undefined;

    /** Version of the client tool that created the state. Filled in later. */
    readonly toolVersion?: string | undefined;

    /** Resources by module and type. Filled in later. */
    readonly modules?: Record<string, Record<string, number>> | undefined;

    /** Resources by provider and type. Filled in later. */
    readonly providers?: Record<string, Record<string, number>> | undefined;

    /** Resources of the state. Final only when `resourcesProcessed` is true. */
    readonly resources: StateVersionResource[];

    /** Whether the service has filled in the rest. */
    readonly resourcesProcessed: boolean;

    /** Commit of the configuration that the state came from. */
    readonly vcsCommitSha?: string | undefined;

    /** Link to that commit. */
    readonly vcsCommitUrl?: string | undefined;

    /** Days of the soft deletion. */
    readonly deleteOlderThanNDays?: number | undefined;

    /** Its workspace. */
    readonly workspaceId?: string | undefined;

    /** The run that it belongs to. */
    readonly runId?: string | undefined;

    /** The run's type: `runs`. */
    readonly runType?: string | undefined;

    /** Who made it. */
    readonly createdById?: string | undefined;

    /** The maker's type: `users`. */
    readonly createdByType?: string | undefined;

    /** Paths to the maker: `self` and `related`. */
    readonly createdByLinks?: Record<string, string> | undefined;

    /** Ids of its outputs. */
    readonly outputIds?: string[] | undefined;

    /** The version that a rollback copied it from. */
    readonly rollbackStateVersionId?: string | undefined;

    /** Paths to the version: `self`. */
    readonly links?: Record<string, string> | undefined;
}

/** Result of `getStateVersions`. */
export interface GetStateVersionsResult {
    /** The versions. */
    readonly stateVersions: StateVersionRecord[];

    /** The related resources that `include` names. Secret: outputs come with their values. Secret. */
    readonly included: pulumi.Output<RelatedResource[]>;
}

/** Arguments of `getCsiVolume`. */
export interface GetCsiVolumeArgs {
    /** The volume's `ID`: what jobs name it by. */
    volumeId: string;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. */
    namespace?: string | undefined;

    /** Waits for something newer than this `index` of an earlier result. Left out, it does not wait. */
    index?: number | undefined;

    /** How long to wait at most, with `index`: whole seconds, or a string such as `5m`. Defaults to one minute. Afterwards the result is the present state. The wait counts as one of the `maxConcurrency` requests. */
    wait?: number | string | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getCsiVolumeOutput`. */
export interface GetCsiVolumeOutputArgs {
    /** The volume's `ID`: what jobs name it by. A change replaces the object. */
    volumeId: pulumi.Input<string>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Waits for something newer than this `index` of an earlier result. Left out, it does not wait. */
    index?: pulumi.Input<number | undefined>;

    /** How long to wait at most, with `index`: whole seconds, or a string such as `5m`. Defaults to one minute. Afterwards the result is the present state. The wait counts as one of the `maxConcurrency` requests. */
    wait?: pulumi.Input<number | string | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** One rescheduling of an allocation. */
export interface CsiVolumeRescheduleEvent {
    /** Id of the allocation before. */
    readonly prevAllocId: string;

    /** Id of its node. */
    readonly prevNodeId: string;

    /** When, in the service's unit. */
    readonly rescheduleTime: number;

    /** How long it was delayed. */
    readonly delay: string;
}

/** Its reschedulings. */
export interface CsiVolumeRescheduleTracker {
    /** The reschedulings, oldest first. */
    readonly events: CsiVolumeRescheduleEvent[];
}

/** Something that happened to a task of an allocation. */
export interface CsiVolumeTaskEvent {
    /** What happened. */
    readonly type: string;

    /** When, in the service's unit. */
    readonly time: number;

    /** The event in words. */
    readonly message: string;

    /** Why the task was restarted. */
    readonly restartReason: string;

    /** Why the task could not be set up. */
    readonly setupError: string;

    /** Why the driver failed. */
    readonly driverError: string;

    /** What the driver said. */
    readonly driverMessage: string;

    /** Exit code of the task. */
    readonly exitCode: number;

    /** Number of the signal that ended the task. */
    readonly signal: number;

    /** How long the task had to end by itself, in the service's unit. */
    readonly killTimeout: number;

    /** Why the task could not be ended. */
    readonly killError: string;

    /** Why the task was ended. */
    readonly killReason: string;

    /** How long the start was delayed, in the service's unit. */
    readonly startDelay: number;

    /** Why a download failed. */
    readonly downloadError: string;

    /** What was wrong with the task. */
    readonly validationError: string;

    /** Limit of the disk that was exceeded. */
    readonly diskLimit: number;

    /** The task whose failure ended this one. */
    readonly failedSibling: string;

    /** Why Vault failed. */
    readonly secretsError: string;

    /** Why a signal was sent. */
    readonly taskSignalReason: string;

    /** The signal that was sent. */
    readonly taskSignal: string;

    /** Whether the event makes the task a failed one. */
    readonly failsTask: boolean;
}

/** The state of a task of an allocation. */
export interface CsiVolumeTaskState {
    /** State of the task. */
    readonly state: string;

    /** Whether the task has failed. */
    readonly failed: boolean;

    /** How often the task was restarted. */
    readonly restarts: number;

    /** When the task was started: ISO 8601. */
    readonly startedAt: string;

    /** When the task was restarted last: ISO 8601. */
    readonly lastRestart: string;

    /** When the task ended: ISO 8601. */
    readonly finishedAt: string;

    /** What happened to the task, oldest first. */
    readonly events: CsiVolumeTaskEvent[];
}

/** An allocation that claims a volume. */
export interface CsiVolumeAllocation {
    /** Id of the allocation. */
    readonly id: string;

    /** Id of the evaluation that created it. */
    readonly evalId: string;

    /** Name of the allocation. */
    readonly name: string;

    /** Id of the node that it runs on. */
    readonly nodeId: string;

    /** Id of the allocation that it replaced. */
    readonly previousAllocation: string;

    /** Id of the allocation that replaced it. */
    readonly nextAllocation: string;

    /** Id of its job. */
    readonly jobId: string;

    /** Its group of tasks. */
    readonly taskGroup: string;

    /** The status that the scheduler wants. */
    readonly desiredStatus: string;

    /** Why it wants that. */
    readonly desiredDescription: string;

    /** Its status on its node. */
    readonly clientStatus: string;

    /** The same in words. */
    readonly clientDescription: string;

    /** Its reschedulings. */
    readonly rescheduleTracker: CsiVolumeRescheduleTracker;

    /** The states of its tasks, by name. */
    readonly taskStates: Record<string, CsiVolumeTaskState>;

    /** Index of the write that created it. */
    readonly createIndex: number;

    /** Index of the write that changed it last. */
    readonly modifyIndex: number;

    /** When it was created, in the service's unit. */
    readonly createTime: number;

    /** When it was changed last, in the service's unit. */
    readonly modifyTime: number;
}

/** How the volume may be used: pairs of modes. */
export interface GetCsiVolumeCapabilityResult {
    /** How many nodes may use it at once. */
    readonly accessMode: string;

    /** What it looks like to a task. */
    readonly attachmentMode: string;
}

/** How the volume is mounted. Cannot change while the volume is in use. */
export interface GetCsiVolumeMountOptionsResult {
    /** The file system. */
    readonly fsType: string;

    /** Flags of the mount. They may hold credentials, so servers do not show them. Secret. */
    readonly mountFlags?: pulumi.Output<string[]> | undefined;
}

/** Where the volume must and where it should be reached from: flat maps of segments. */
export interface GetCsiVolumeRequestedTopologiesResult {
    /** Where the volume must be reached from. */
    readonly required: Record<string, string>[];

    /** Where it should be reached from, best first. */
    readonly preferred: Record<string, string>[];
}

/** Result of `getCsiVolume`. */
export interface GetCsiVolumeResult {
    /** The volume's `ID`: what jobs name it by. */
    readonly volumeId: string;

    /** Id of the volume at the storage provider. */
    readonly externalId: string;

    /** Namespace of the volume. */
    readonly namespace: string;

    /** Name shown to people. */
    readonly name: string;

    /** Where the volume can be reached from. */
    readonly topologies: Record<string, string>[];

    /** How many nodes may use the volume at once, and how. */
    readonly accessMode: string;

    /** What the volume looks like to a task. */
    readonly attachmentMode: string;

    /** Id of the plugin. */
    readonly pluginId: string;

    /** Name of the storage provider. */
    readonly provider: string;

    /** Whether the plugin needs a controller. */
    readonly controllerRequired: boolean;

    /** Whether the volume could be scheduled when it was read. */
    readonly schedulable: boolean;

    /** Healthy controllers of the plugin. */
    readonly controllersHealthy: number;

    /** Controllers of the plugin. */
    readonly controllersExpected: number;

    /** Nodes with a healthy plugin. */
    readonly nodesHealthy: number;

    /** Nodes with the plugin. */
    readonly nodesExpected: number;

    /** The service's value for exhausted resources, a time in seconds on Nomad; 0 if it shows none. */
    readonly resourceExhausted: number;

    /** Index of the write that created the volume. */
    readonly createIndex: number;

    /** Index of the write that changed it last. */
    readonly modifyIndex: number;

    /** Version of the plugin. */
    readonly version: string;

    /** The allocations that claim the volume. */
    readonly allocations: CsiVolumeAllocation[];

    /** Ids of the allocations that claim it for reading. */
    readonly readAllocs: string[];

    /** Ids of the allocations that claim it for writing. */
    readonly writeAllocs: string[];

    /** How the volume may be used: pairs of modes. */
    readonly capabilities?: GetCsiVolumeCapabilityResult[] | undefined;

    /** How the volume is mounted. Cannot change while the volume is in use. */
    readonly mountOptions?: GetCsiVolumeMountOptionsResult | undefined;

    /** Strings by name that are passed to the plugin. */
    readonly parameters?: Record<string, string> | undefined;

    /** Strings by name that the storage provider needs to know of the volume. Emptied, the volume is replaced. */
    readonly context?: Record<string, string> | undefined;

    /** Where the volume must and where it should be reached from: flat maps of segments. */
    readonly requestedTopologies?: GetCsiVolumeRequestedTopologiesResult | undefined;

    /** The least size in bytes. Left out later, it stays as it was. */
    readonly capacityMin: number;

    /** The largest size in bytes. Left out later, it stays as it was. */
    readonly capacityMax: number;

    /** Index of the last write in the result. Given as `index`, the next call waits for a later write. */
    readonly index: number;
}

/** Arguments of `getCsiVolumes`. */
export interface GetCsiVolumesArgs {
    /** Namespace, or `*` for all. Defaults to the `namespace` of the settings, else `default`. */
    namespace?: string | undefined;

    /** Only volumes on nodes whose id begins with this: by the document, an even number of the digits 0-9 and a-f. */
    nodeId?: string | undefined;

    /** Only volumes of plugins whose id begins with this: by the document, an even number of the digits 0-9 and a-f. Nomad wants the whole id. */
    pluginId?: string | undefined;

    /** Return this many volumes at most. Defaults to all of them. */
    limit?: number | undefined;

    /** Waits for something newer than this `index` of an earlier result. Left out, it does not wait. */
    index?: number | undefined;

    /** How long to wait at most, with `index`: whole seconds, or a string such as `5m`. Defaults to one minute. Afterwards the result is the present state. The wait counts as one of the `maxConcurrency` requests. */
    wait?: number | string | undefined;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: string | undefined;
}

/** Arguments of `getCsiVolumesOutput`. */
export interface GetCsiVolumesOutputArgs {
    /** Namespace, or `*` for all. Defaults to the `namespace` of the settings, else `default`. */
    namespace?: pulumi.Input<string | undefined>;

    /** Only volumes on nodes whose id begins with this: by the document, an even number of the digits 0-9 and a-f. */
    nodeId?: pulumi.Input<string | undefined>;

    /** Only volumes of plugins whose id begins with this: by the document, an even number of the digits 0-9 and a-f. Nomad wants the whole id. */
    pluginId?: pulumi.Input<string | undefined>;

    /** Return this many volumes at most. Defaults to all of them. */
    limit?: pulumi.Input<number | undefined>;

    /** Waits for something newer than this `index` of an earlier result. Left out, it does not wait. */
    index?: pulumi.Input<number | undefined>;

    /** How long to wait at most, with `index`: whole seconds, or a string such as `5m`. Defaults to one minute. Afterwards the result is the present state. The wait counts as one of the `maxConcurrency` requests. */
    wait?: pulumi.Input<number | string | undefined>;

    /** Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings. */
    connection?: pulumi.Input<string | undefined>;
}

/** A volume as listed. */
export interface ListedCsiVolume {
    /** The volume's `ID`: what jobs name it by. */
    readonly volumeId: string;

    /** Id of the volume at the storage provider. */
    readonly externalId: string;

    /** Namespace of the volume. */
    readonly namespace: string;

    /** Name shown to people. */
    readonly name: string;

    /** Where the volume can be reached from. */
    readonly topologies: Record<string, string>[];

    /** How many nodes may use the volume at once, and how. */
    readonly accessMode: string;

    /** What the volume looks like to a task. */
    readonly attachmentMode: string;

    /** Id of the plugin. */
    readonly pluginId: string;

    /** Name of the storage provider. */
    readonly provider: string;

    /** Whether the plugin needs a controller. */
    readonly controllerRequired: boolean;

    /** Whether the volume could be scheduled when it was read. */
    readonly schedulable: boolean;

    /** Healthy controllers of the plugin. */
    readonly controllersHealthy: number;

    /** Controllers of the plugin. */
    readonly controllersExpected: number;

    /** Nodes with a healthy plugin. */
    readonly nodesHealthy: number;

    /** Nodes with the plugin. */
    readonly nodesExpected: number;

    /** The service's value for exhausted resources, a time in seconds on Nomad; 0 if it shows none. */
    readonly resourceExhausted: number;

    /** Index of the write that created the volume. */
    readonly createIndex: number;

    /** Index of the write that changed it last. */
    readonly modifyIndex: number;
}

/** Result of `getCsiVolumes`. */
export interface GetCsiVolumesResult {
    /** The volumes. */
    readonly volumes: ListedCsiVolume[];

    /** Index of the last write in the result. Given as `index`, the next call waits for a later write. */
    readonly index: number;
}

/** Types of every resource, by its name. */
export interface ResourceTypes {
    AuthConfig: { args: AuthConfigArgs; outputs: AuthConfigOutputs };
    AuthRole: { args: AuthRoleArgs; outputs: AuthRoleOutputs };
    RootRotation: { args: RootRotationArgs; outputs: RootRotationOutputs };
    SnapshotConfig: { args: SnapshotConfigArgs; outputs: SnapshotConfigOutputs };
    StateVersionBackingData: { args: StateVersionBackingDataArgs; outputs: StateVersionBackingDataOutputs };
    StateVersionRollback: { args: StateVersionRollbackArgs; outputs: StateVersionRollbackOutputs };
    StateVersion: { args: StateVersionArgs; outputs: StateVersionOutputs };
    CsiVolumeDetachment: { args: CsiVolumeDetachmentArgs; outputs: CsiVolumeDetachmentOutputs };
    CsiVolume: { args: CsiVolumeArgs; outputs: CsiVolumeOutputs };
}

/** Types of every function, by its name. */
export interface FunctionTypes {
    getAuthConfig: { args: GetAuthConfigArgs; result: GetAuthConfigResult };
    getAuthRole: { args: GetAuthRoleArgs; result: GetAuthRoleResult };
    getAuthRoles: { args: GetAuthRolesArgs; result: GetAuthRolesResult };
    getSnapshotConfigs: { args: GetSnapshotConfigsArgs; result: GetSnapshotConfigsResult };
    getSnapshotStatus: { args: GetSnapshotStatusArgs; result: GetSnapshotStatusResult };
    login: { args: LoginArgs; result: LoginResult };
    getSnapshotConfig: { args: GetSnapshotConfigArgs; result: GetSnapshotConfigResult };
    downloadState: { args: DownloadStateArgs; result: DownloadStateResult };
    getCurrentStateVersion: { args: GetCurrentStateVersionArgs; result: GetCurrentStateVersionResult };
    getStateVersion: { args: GetStateVersionArgs; result: GetStateVersionResult };
    getStateVersions: { args: GetStateVersionsArgs; result: GetStateVersionsResult };
    getCsiVolume: { args: GetCsiVolumeArgs; result: GetCsiVolumeResult };
    getCsiVolumes: { args: GetCsiVolumesArgs; result: GetCsiVolumesResult };
}
