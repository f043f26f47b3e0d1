/** The settings of a service, arguments and outputs of every resource, arguments and results of every function. Generated from the definitions by `npm run generate`: change them there. */

import type * as pulumi from "@pulumi/pulumi";

/** Settings of one service. */
export interface ServiceSettings {
    /** Base address. `/api/v2` is added for HCP Terraform if it is missing. A trailing `/v1` is dropped for Vault and Nomad. */
    readonly address?: string | undefined;

    /** Token. `STATECRAFT_…_TOKEN` is used before configuration. Secret. */
    readonly token?: string | undefined;

    /** File of the token, read for each request. */
    readonly tokenFile?: string | undefined;

    /** Login that gets a token before the first request, from a credential in a file or a variable. */
    readonly login?: Record<string, string> | undefined;

    /** Default namespace of objects. */
    readonly namespace?: string | undefined;

    /** Region of Nomad. */
    readonly region?: string | undefined;

    /** File of the certificate authority: PEM. */
    readonly caFile?: string | undefined;

    /** File of the client certificate: PEM. */
    readonly clientCertFile?: string | undefined;

    /** File of the client certificate's key: PEM. */
    readonly clientKeyFile?: string | undefined;

    /** Host name in the server's certificate. Default: the host of the address. */
    readonly tlsServerName?: string | undefined;

    /** Whether to accept any certificate of the server. For tests only. */
    readonly skipTlsVerify?: boolean | undefined;

    /** Headers of every request. Secret. */
    readonly headers?: Record<string, string> | undefined;

    /** Maximum time of a request in seconds. Default: 60. */
    readonly timeout?: number | undefined;

    /** Maximum retries of a request that is safe to repeat. Default: 5. */
    readonly maxRetries?: number | undefined;

    /** Maximum number of requests at the same time. Default: 64; 10 for HCP Terraform and Terraform Enterprise. */
    readonly maxConcurrency?: number | undefined;

    /** Other addresses of the same server, present or former. */
    readonly otherAddresses?: readonly string[] | undefined;
}

/** Where a secret is: in a variable or in a file. Blanks around the secret do not count. */
export interface SecretSourceArgs {
    /** Name of an environment variable of the process that runs the provider. */
    variable?: pulumi.Input<string | undefined>;

    /** Path of a file that this process reads, of at most 1 MiB. `~` is the home folder. */
    file?: pulumi.Input<string | undefined>;

    /** Set by statecraft: the digest of the value, which shows that the value changed. Secret. */
    digest?: pulumi.Input<string | undefined>;
}

/** Arguments of `AuthConfig`. */
export interface AuthConfigArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Microsoft Entra tenant. Default: the environment of the Vault server, which precedes it before plugin 0.24. */
    tenantId?: pulumi.Input<string | undefined>;

    /** URL of the registered application, which must equal the claim `aud` of the JWT of a login. Only a JWT for a service of Microsoft's own, such as `https://management.azure.com/`, names its machine, which roles with bound machines require (see AuthRole). Default: the environment of the Vault server, which precedes it before plugin 0.24. */
    resource?: pulumi.Input<string | undefined>;

    /** Azure environment. Default: `"AzurePublicCloud"`. */
    environment?: pulumi.Input<
        | "AzurePublicCloud"
        | "AzureUSGovernmentCloud"
        | "AzureChinaCloud"
        | "AzureGermanCloud"
        | "CloudAPublicCloud"
        | "CloudAUSGovernmentCloud"
        | "CloudAChinaCloud"
        | "CloudAGermanCloud"
        | undefined
    >;

    /** Client ID for queries to Azure. It must be allowed to read compute resources. */
    clientId?: pulumi.Input<string | undefined>;

    /** Client secret. Sent only at creation and when the program's value changes, because each write undoes a `RootRotation`. If omitted, Vault keeps its secret. An empty string empties it. Secret. */
    clientSecret?: pulumi.Input<string | undefined>;

    /** Source of `clientSecret`, instead of the value, which then is in no state. */
    clientSecretFrom?: pulumi.Input<SecretSourceArgs | undefined>;

    /** Maximum number of retries of a query to Azure. Default: `3`. */
    maxRetries?: pulumi.Input<number | undefined>;

    /** Maximum delay between two retries. A string such as `60s`, or whole seconds. Default: `"60s"`. */
    maxRetryDelay?: pulumi.Input<number | string | undefined>;

    /** Delay before the first retry, which grows exponentially. A string such as `4s`, or whole seconds. Default: `"4s"`. */
    retryDelay?: pulumi.Input<number | string | undefined>;

    /** Lifetime of a secret that `RootRotation` creates: whole seconds, or a string such as `720h`. Vault resets it to its default with each write that omits it. */
    rootPasswordTtl?: pulumi.Input<number | string | undefined>;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    adopt?: pulumi.Input<boolean | "identical" | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Where a secret is: in a variable or in a file. Blanks around the secret do not count. */
export interface SecretSource {
    /** Name of an environment variable of the process that runs the provider. */
    readonly variable?: string | undefined;

    /** Path of a file that this process reads, of at most 1 MiB. `~` is the home folder. */
    readonly file?: string | undefined;

    /** Set by statecraft: the digest of the value, which shows that the value changed. Secret. */
    readonly digest?: string | undefined;
}

/** Outputs of `AuthConfig`. */
export interface AuthConfigOutputs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Microsoft Entra tenant. Default: the environment of the Vault server, which precedes it before plugin 0.24. */
    readonly tenantId?: string | undefined;

    /** URL of the registered application, which must equal the claim `aud` of the JWT of a login. Only a JWT for a service of Microsoft's own, such as `https://management.azure.com/`, names its machine, which roles with bound machines require (see AuthRole). Default: the environment of the Vault server, which precedes it before plugin 0.24. */
    readonly resource?: string | undefined;

    /** Azure environment. Default: `"AzurePublicCloud"`. */
    readonly environment?:
        | "AzurePublicCloud"
        | "AzureUSGovernmentCloud"
        | "AzureChinaCloud"
        | "AzureGermanCloud"
        | "CloudAPublicCloud"
        | "CloudAUSGovernmentCloud"
        | "CloudAChinaCloud"
        | "CloudAGermanCloud"
        | undefined;

    /** Client ID for queries to Azure. It must be allowed to read compute resources. */
    readonly clientId?: string | undefined;

    /** Client secret. Sent only at creation and when the program's value changes, because each write undoes a `RootRotation`. If omitted, Vault keeps its secret. An empty string empties it. Secret. */
    readonly clientSecret?: string | undefined;

    /** Source of `clientSecret`, instead of the value, which then is in no state. */
    readonly clientSecretFrom?: SecretSource | undefined;

    /** Maximum number of retries of a query to Azure. Default: `3`. */
    readonly maxRetries?: number | undefined;

    /** Maximum delay between two retries. A string such as `60s`, or whole seconds. Default: `"60s"`. */
    readonly maxRetryDelay?: number | string | undefined;

    /** Delay before the first retry, which grows exponentially. A string such as `4s`, or whole seconds. Default: `"4s"`. */
    readonly retryDelay?: number | string | undefined;

    /** Lifetime of a secret that `RootRotation` creates: whole seconds, or a string such as `720h`. Vault resets it to its default with each write that omits it. */
    readonly rootPasswordTtl?: number | string | undefined;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    readonly adopt?: boolean | "identical" | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `AuthConfig`, as programs read them. */
export interface AuthConfigProperties {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount: pulumi.Output<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Microsoft Entra tenant. Default: the environment of the Vault server, which precedes it before plugin 0.24. */
    readonly tenantId: pulumi.Output<string | undefined>;

    /** URL of the registered application, which must equal the claim `aud` of the JWT of a login. Only a JWT for a service of Microsoft's own, such as `https://management.azure.com/`, names its machine, which roles with bound machines require (see AuthRole). Default: the environment of the Vault server, which precedes it before plugin 0.24. */
    readonly resource: pulumi.Output<string | undefined>;

    /** Azure environment. Default: `"AzurePublicCloud"`. */
    readonly environment: pulumi.Output<
        | "AzurePublicCloud"
        | "AzureUSGovernmentCloud"
        | "AzureChinaCloud"
        | "AzureGermanCloud"
        | "CloudAPublicCloud"
        | "CloudAUSGovernmentCloud"
        | "CloudAChinaCloud"
        | "CloudAGermanCloud"
        | undefined
    >;

    /** Client ID for queries to Azure. It must be allowed to read compute resources. */
    readonly clientId: pulumi.Output<string | undefined>;

    /** Client secret. Sent only at creation and when the program's value changes, because each write undoes a `RootRotation`. If omitted, Vault keeps its secret. An empty string empties it. Secret. */
    readonly clientSecret: pulumi.Output<string | undefined>;

    /** Source of `clientSecret`, instead of the value, which then is in no state. */
    readonly clientSecretFrom: pulumi.Output<SecretSource | undefined>;

    /** Maximum number of retries of a query to Azure. Default: `3`. */
    readonly maxRetries: pulumi.Output<number | undefined>;

    /** Maximum delay between two retries. A string such as `60s`, or whole seconds. Default: `"60s"`. */
    readonly maxRetryDelay: pulumi.Output<number | string | undefined>;

    /** Delay before the first retry, which grows exponentially. A string such as `4s`, or whole seconds. Default: `"4s"`. */
    readonly retryDelay: pulumi.Output<number | string | undefined>;

    /** Lifetime of a secret that `RootRotation` creates: whole seconds, or a string such as `720h`. Vault resets it to its default with each write that omits it. */
    readonly rootPasswordTtl: pulumi.Output<number | string | undefined>;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    readonly adopt: pulumi.Output<boolean | "identical" | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Address of the object's server. Operations on another server fail. */
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

    /** Name of the role, case-insensitive. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Only machines with one of these service principal IDs may log in. Omitted or empty: no restriction. Without service principals and groups, Vault rejects every login. */
    boundServicePrincipalIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these group IDs may log in. Omitted or empty: no restriction. Without service principals and groups, Vault rejects every login. */
    boundGroupIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these locations may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    boundLocations?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these subscription IDs may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    boundSubscriptionIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these resource groups may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    boundResourceGroups?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Only machines with one of these scale set names may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`. */
    boundScaleSets?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Lifetime of tokens, and by how much a renewal extends it. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    tokenTtl?: pulumi.Input<number | string | undefined>;

    /** Maximum lifetime of tokens. A renewal uses the current value. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    tokenMaxTtl?: pulumi.Input<number | string | undefined>;

    /** Policies of tokens: a list, or a string with commas. */
    tokenPolicies?: pulumi.Input<string | pulumi.Input<string>[] | undefined>;

    /** Deprecated: use `tokenPolicies`. */
    policies?: pulumi.Input<string | pulumi.Input<string>[] | undefined>;

    /** CIDR blocks from which logins and tokens are accepted: a list, or a string with commas. */
    tokenBoundCidrs?: pulumi.Input<string | pulumi.Input<string>[] | undefined>;

    /** Maximum lifetime of tokens that no renewal exceeds. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    tokenExplicitMaxTtl?: pulumi.Input<number | string | undefined>;

    /** Whether tokens lack the policy `default`. */
    tokenNoDefaultPolicy?: pulumi.Input<boolean | undefined>;

    /** How often a token may be used. 0: unlimited, which tokens that create child tokens need. Default: `0`. */
    tokenNumUses?: pulumi.Input<number | undefined>;

    /** Maximum period of periodic tokens. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    tokenPeriod?: pulumi.Input<number | string | undefined>;

    /** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. Default: `"default"`. */
    tokenType?: pulumi.Input<"service" | "batch" | "default" | "default-service" | "default-batch" | undefined>;

    /** Deprecated: use `tokenMaxTtl`. */
    maxTtl?: pulumi.Input<number | string | undefined>;

    /** Sent as `max_jwt_exp` if given. Vault ignores it. */
    maxJwtExp?: pulumi.Input<number | undefined>;

    /** Metadata of the entity aliases, as key-value pairs. Vault 1.21 or newer; a Vault 1.21.0 that is built from its published modules ignores it, and `up` warns that the value is not shown. */
    aliasMetadata?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    adopt?: pulumi.Input<boolean | "identical" | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `AuthRole`. */
export interface AuthRoleOutputs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Name of the role, case-insensitive. A change replaces the object. */
    readonly name: string;

    /** Only machines with one of these service principal IDs may log in. Omitted or empty: no restriction. Without service principals and groups, Vault rejects every login. */
    readonly boundServicePrincipalIds?: string[] | undefined;

    /** Only machines with one of these group IDs may log in. Omitted or empty: no restriction. Without service principals and groups, Vault rejects every login. */
    readonly boundGroupIds?: string[] | undefined;

    /** Only machines with one of these locations may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundLocations?: string[] | undefined;

    /** Only machines with one of these subscription IDs may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundSubscriptionIds?: string[] | undefined;

    /** Only machines with one of these resource groups may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundResourceGroups?: string[] | undefined;

    /** Only machines with one of these scale set names may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`. */
    readonly boundScaleSets?: string[] | undefined;

    /** Lifetime of tokens, and by how much a renewal extends it. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenTtl?: number | string | undefined;

    /** Maximum lifetime of tokens. A renewal uses the current value. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenMaxTtl?: number | string | undefined;

    /** Policies of tokens: a list, or a string with commas. */
    readonly tokenPolicies?: string | string[] | undefined;

    /** Deprecated: use `tokenPolicies`. */
    readonly policies?: string | string[] | undefined;

    /** CIDR blocks from which logins and tokens are accepted: a list, or a string with commas. */
    readonly tokenBoundCidrs?: string | string[] | undefined;

    /** Maximum lifetime of tokens that no renewal exceeds. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenExplicitMaxTtl?: number | string | undefined;

    /** Whether tokens lack the policy `default`. */
    readonly tokenNoDefaultPolicy?: boolean | undefined;

    /** How often a token may be used. 0: unlimited, which tokens that create child tokens need. Default: `0`. */
    readonly tokenNumUses?: number | undefined;

    /** Maximum period of periodic tokens. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenPeriod?: number | string | undefined;

    /** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. Default: `"default"`. */
    readonly tokenType?: "service" | "batch" | "default" | "default-service" | "default-batch" | undefined;

    /** Deprecated: use `tokenMaxTtl`. */
    readonly maxTtl?: number | string | undefined;

    /** Sent as `max_jwt_exp` if given. Vault ignores it. */
    readonly maxJwtExp?: number | undefined;

    /** Metadata of the entity aliases, as key-value pairs. Vault 1.21 or newer; a Vault 1.21.0 that is built from its published modules ignores it, and `up` warns that the value is not shown. */
    readonly aliasMetadata?: Record<string, string> | undefined;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    readonly adopt?: boolean | "identical" | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `AuthRole`, as programs read them. */
export interface AuthRoleProperties {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount: pulumi.Output<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Name of the role, case-insensitive. A change replaces the object. */
    readonly name: pulumi.Output<string>;

    /** Only machines with one of these service principal IDs may log in. Omitted or empty: no restriction. Without service principals and groups, Vault rejects every login. */
    readonly boundServicePrincipalIds: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these group IDs may log in. Omitted or empty: no restriction. Without service principals and groups, Vault rejects every login. */
    readonly boundGroupIds: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these locations may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundLocations: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these subscription IDs may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundSubscriptionIds: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these resource groups may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundResourceGroups: pulumi.Output<string[] | undefined>;

    /** Only machines with one of these scale set names may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`. */
    readonly boundScaleSets: pulumi.Output<string[] | undefined>;

    /** Lifetime of tokens, and by how much a renewal extends it. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenTtl: pulumi.Output<number | string | undefined>;

    /** Maximum lifetime of tokens. A renewal uses the current value. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenMaxTtl: pulumi.Output<number | string | undefined>;

    /** Policies of tokens: a list, or a string with commas. */
    readonly tokenPolicies: pulumi.Output<string | string[] | undefined>;

    /** Deprecated: use `tokenPolicies`. */
    readonly policies: pulumi.Output<string | string[] | undefined>;

    /** CIDR blocks from which logins and tokens are accepted: a list, or a string with commas. */
    readonly tokenBoundCidrs: pulumi.Output<string | string[] | undefined>;

    /** Maximum lifetime of tokens that no renewal exceeds. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenExplicitMaxTtl: pulumi.Output<number | string | undefined>;

    /** Whether tokens lack the policy `default`. */
    readonly tokenNoDefaultPolicy: pulumi.Output<boolean | undefined>;

    /** How often a token may be used. 0: unlimited, which tokens that create child tokens need. Default: `0`. */
    readonly tokenNumUses: pulumi.Output<number | undefined>;

    /** Maximum period of periodic tokens. Whole seconds, or a string such as `1h`. 0: not set. Default: `0`. */
    readonly tokenPeriod: pulumi.Output<number | string | undefined>;

    /** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. Default: `"default"`. */
    readonly tokenType: pulumi.Output<
        "service" | "batch" | "default" | "default-service" | "default-batch" | undefined
    >;

    /** Deprecated: use `tokenMaxTtl`. */
    readonly maxTtl: pulumi.Output<number | string | undefined>;

    /** Sent as `max_jwt_exp` if given. Vault ignores it. */
    readonly maxJwtExp: pulumi.Output<number | undefined>;

    /** Metadata of the entity aliases, as key-value pairs. Vault 1.21 or newer; a Vault 1.21.0 that is built from its published modules ignores it, and `up` warns that the value is not shown. */
    readonly aliasMetadata: pulumi.Output<Record<string, string> | undefined>;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    readonly adopt: pulumi.Output<boolean | "identical" | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Address of the object's server. Operations on another server fail. */
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

    /** Any values. A change rotates again. */
    triggers?: pulumi.Input<readonly unknown[] | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `RootRotation`. */
export interface RootRotationOutputs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Any values. A change rotates again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `RootRotation`, as programs read them. */
export interface RootRotationProperties {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    readonly mount: pulumi.Output<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Any values. A change rotates again. */
    readonly triggers: pulumi.Output<readonly unknown[] | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Files on the server that takes the snapshot. */
export interface LocalStorageArgs {
    /** Storage type. */
    type: "local";

    /** Directory on the server. */
    pathPrefix: pulumi.Input<string>;

    /** Maximum size of all snapshots together: bytes, or a string such as `10GiB`. A snapshot that exceeds it fails. 0: no limit. */
    maxSpace: pulumi.Input<number | string>;
}

/** Objects in an S3 bucket, or in another store with the same protocol. */
export interface S3StorageArgs {
    /** Storage type. */
    type: "aws-s3" | "cloudb-s3";

    /** Prefix of the objects in the bucket. `/`: none. */
    pathPrefix: pulumi.Input<string>;

    /** Bucket. */
    bucket: pulumi.Input<string>;

    /** Region of the bucket. */
    region: pulumi.Input<string>;

    /** Access key ID. Default: the credentials of the Vault server's environment. Secret. */
    accessKeyId?: pulumi.Input<string | undefined>;

    /** Source of `accessKeyId`, instead of the value, which then is in no state. */
    accessKeyIdFrom?: pulumi.Input<SecretSourceArgs | undefined>;

    /** Secret access key. Default: the credentials of the Vault server's environment. Secret. */
    secretAccessKey?: pulumi.Input<string | undefined>;

    /** Source of `secretAccessKey`, instead of the value, which then is in no state. */
    secretAccessKeyFrom?: pulumi.Input<SecretSourceArgs | undefined>;

    /** Session token of temporary credentials. Secret. */
    sessionToken?: pulumi.Input<string | undefined>;

    /** Source of `sessionToken`, instead of the value, which then is in no state. */
    sessionTokenFrom?: pulumi.Input<SecretSourceArgs | undefined>;

    /** Endpoint, for a store of another provider. */
    endpoint?: pulumi.Input<string | undefined>;

    /** Whether to connect to the endpoint without TLS. For tests only. */
    disableTls?: pulumi.Input<boolean | undefined>;

    /** Whether URLs have the form endpoint/bucket. */
    forcePathStyle?: pulumi.Input<boolean | undefined>;

    /** Whether to encrypt with a key-management service. */
    enableKms?: pulumi.Input<boolean | undefined>;

    /** Whether to encrypt with AES256 and not by KMS. */
    serverSideEncryption?: pulumi.Input<boolean | undefined>;

    /** Name of the key if `enableKms` is true. */
    kmsKey?: pulumi.Input<string | undefined>;
}

/** Objects in a Google Cloud Storage bucket. */
export interface GcsStorageArgs {
    /** Storage type. */
    type: "google-gcs" | "cloudc-gcs";

    /** Prefix of the objects. Must end in `/`. */
    pathPrefix: pulumi.Input<string>;

    /** Bucket. */
    bucket: pulumi.Input<string>;

    /** Key of a service account: the JSON document as an object, or its text. Default: the credentials of the Vault server's environment. Secret. */
    serviceAccountKey?: pulumi.Input<string | Record<string, unknown> | undefined>;

    /** Source of `serviceAccountKey`, instead of the value, which then is in no state. */
    serviceAccountKeyFrom?: pulumi.Input<SecretSourceArgs | undefined>;

    /** Endpoint, for a store of another provider. */
    endpoint?: pulumi.Input<string | undefined>;

    /** Whether to connect to the endpoint without TLS. For tests only. */
    disableTls?: pulumi.Input<boolean | undefined>;
}

/** Blobs in a container of Azure Blob Storage. */
export interface BlobStorageArgs {
    /** Storage type. */
    type: "azure-blob" | "clouda-blob";

    /** Prefix of the objects. Must end in `/`. */
    pathPrefix: pulumi.Input<string>;

    /** Container. */
    container: pulumi.Input<string>;

    /** Storage account. */
    accountName?: pulumi.Input<string | undefined>;

    /** Key of the storage account. Secret. */
    accountKey?: pulumi.Input<string | undefined>;

    /** Source of `accountKey`, instead of the value, which then is in no state. */
    accountKeyFrom?: pulumi.Input<SecretSourceArgs | undefined>;

    /** Azure environment of the storage account. Default: `"AZUREPUBLICCLOUD"`. */
    environment?: pulumi.Input<string | undefined>;

    /** Endpoint, for a store of another provider. */
    endpoint?: pulumi.Input<string | undefined>;

    /** Authentication: `accountKey`, the managed identity `clientId`, or the environment of the Vault server. Required by Vault. */
    authMode?: pulumi.Input<"shared" | "managed" | "environment" | undefined>;

    /** Client ID of the managed identity. */
    clientId?: pulumi.Input<string | undefined>;
}

/** Where snapshots are stored, by `type`. The type can change in place. */
export type SnapshotConfigStorageArgs = LocalStorageArgs | S3StorageArgs | GcsStorageArgs | BlobStorageArgs;

/** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
export interface TimeoutsArgs {
    /** Maximum time to wait in create: whole seconds, or a string such as `10m`. */
    create?: pulumi.Input<number | string | undefined>;

    /** Maximum time to wait in update: whole seconds, or a string such as `10m`. */
    update?: pulumi.Input<number | string | undefined>;

    /** Maximum time to wait in delete: whole seconds, or a string such as `10m`. */
    delete?: pulumi.Input<number | string | undefined>;
}

/** Arguments of `SnapshotConfig`. */
export interface SnapshotConfigArgs {
    /** Name of the configuration. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Time between snapshots: whole seconds, or a string such as `24h`. */
    interval: pulumi.Input<number | string>;

    /** Number of snapshots to keep. After each snapshot Vault deletes older ones. Default: `1`. */
    retain?: pulumi.Input<number | undefined>;

    /** Prefix of the names of snapshots. Default: `vault-snapshot`. */
    filePrefix?: pulumi.Input<string | undefined>;

    /** Where snapshots are stored, by `type`. The type can change in place. */
    storage: pulumi.Input<SnapshotConfigStorageArgs>;

    /** Whether a server without data loads the newest snapshot of this configuration. For one configuration only, and not for `local`. */
    autoloadEnabled?: pulumi.Input<boolean | undefined>;

    /** Maximum time to wait for a new snapshot after a write: whole seconds, or a string such as `10m`. Default: no wait. */
    waitForSnapshot?: pulumi.Input<number | string | undefined>;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    adopt?: pulumi.Input<boolean | "identical" | undefined>;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    timeouts?: pulumi.Input<TimeoutsArgs | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Files on the server that takes the snapshot. */
export interface LocalStorage {
    /** Storage type. */
    readonly type: "local";

    /** Directory on the server. */
    readonly pathPrefix: string;

    /** Maximum size of all snapshots together: bytes, or a string such as `10GiB`. A snapshot that exceeds it fails. 0: no limit. */
    readonly maxSpace: number | string;
}

/** Objects in an S3 bucket, or in another store with the same protocol. */
export interface S3Storage {
    /** Storage type. */
    readonly type: "aws-s3" | "cloudb-s3";

    /** Prefix of the objects in the bucket. `/`: none. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Region of the bucket. */
    readonly region: string;

    /** Access key ID. Default: the credentials of the Vault server's environment. Secret. */
    readonly accessKeyId?: string | undefined;

    /** Source of `accessKeyId`, instead of the value, which then is in no state. */
    readonly accessKeyIdFrom?: SecretSource | undefined;

    /** Secret access key. Default: the credentials of the Vault server's environment. Secret. */
    readonly secretAccessKey?: string | undefined;

    /** Source of `secretAccessKey`, instead of the value, which then is in no state. */
    readonly secretAccessKeyFrom?: SecretSource | undefined;

    /** Session token of temporary credentials. Secret. */
    readonly sessionToken?: string | undefined;

    /** Source of `sessionToken`, instead of the value, which then is in no state. */
    readonly sessionTokenFrom?: SecretSource | undefined;

    /** Endpoint, for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to connect to the endpoint without TLS. For tests only. */
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
export interface GcsStorage {
    /** Storage type. */
    readonly type: "google-gcs" | "cloudc-gcs";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Key of a service account: the JSON document as an object, or its text. Default: the credentials of the Vault server's environment. Secret. */
    readonly serviceAccountKey?: string | Record<string, unknown> | undefined;

    /** Source of `serviceAccountKey`, instead of the value, which then is in no state. */
    readonly serviceAccountKeyFrom?: SecretSource | undefined;

    /** Endpoint, for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to connect to the endpoint without TLS. For tests only. */
    readonly disableTls?: boolean | undefined;
}

/** Blobs in a container of Azure Blob Storage. */
export interface BlobStorage {
    /** Storage type. */
    readonly type: "azure-blob" | "clouda-blob";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Container. */
    readonly container: string;

    /** Storage account. */
    readonly accountName?: string | undefined;

    /** Key of the storage account. Secret. */
    readonly accountKey?: string | undefined;

    /** Source of `accountKey`, instead of the value, which then is in no state. */
    readonly accountKeyFrom?: SecretSource | undefined;

    /** Azure environment of the storage account. Default: `"AZUREPUBLICCLOUD"`. */
    readonly environment?: string | undefined;

    /** Endpoint, for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Authentication: `accountKey`, the managed identity `clientId`, or the environment of the Vault server. Required by Vault. */
    readonly authMode?: "shared" | "managed" | "environment" | undefined;

    /** Client ID of the managed identity. */
    readonly clientId?: string | undefined;
}

/** Where snapshots are stored, by `type`. The type can change in place. */
export type SnapshotConfigStorage = LocalStorage | S3Storage | GcsStorage | BlobStorage;

/** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
export interface Timeouts {
    /** Maximum time to wait in create: whole seconds, or a string such as `10m`. */
    readonly create?: number | string | undefined;

    /** Maximum time to wait in update: whole seconds, or a string such as `10m`. */
    readonly update?: number | string | undefined;

    /** Maximum time to wait in delete: whole seconds, or a string such as `10m`. */
    readonly delete?: number | string | undefined;
}

/** How the snapshots of a configuration went. */
export interface SnapshotStatus {
    /** When the last snapshot started. Empty before the first. ISO 8601. */
    readonly lastSnapshotStart: string;

    /** When the last snapshot ended. Empty before the first. ISO 8601. */
    readonly lastSnapshotEnd: string;

    /** Error of the last snapshot. Empty if it succeeded. */
    readonly lastSnapshotError: string;

    /** Address of the last snapshot. */
    readonly lastSnapshotUrl: string;

    /** Start of a snapshot, as Vault returns it beside `lastSnapshotStart`. ISO 8601. */
    readonly snapshotStart: string;

    /** Address of a snapshot, as Vault returns it beside `lastSnapshotUrl`. */
    readonly snapshotUrl: string;

    /** Number of failed snapshots in a row. Newer servers only. */
    readonly consecutiveErrors?: number | undefined;

    /** When the next snapshot starts. ISO 8601. Newer servers only. */
    readonly nextSnapshotStart?: string | undefined;
}

/** Outputs of `SnapshotConfig`. */
export interface SnapshotConfigOutputs {
    /** Name of the configuration. A change replaces the object. */
    readonly name: string;

    /** Time between snapshots: whole seconds, or a string such as `24h`. */
    readonly interval: number | string;

    /** Number of snapshots to keep. After each snapshot Vault deletes older ones. Default: `1`. */
    readonly retain?: number | undefined;

    /** Prefix of the names of snapshots. Default: `vault-snapshot`. */
    readonly filePrefix?: string | undefined;

    /** Where snapshots are stored, by `type`. The type can change in place. */
    readonly storage: SnapshotConfigStorage;

    /** Whether a server without data loads the newest snapshot of this configuration. For one configuration only, and not for `local`. */
    readonly autoloadEnabled?: boolean | undefined;

    /** Maximum time to wait for a new snapshot after a write: whole seconds, or a string such as `10m`. Default: no wait. */
    readonly waitForSnapshot?: number | string | undefined;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    readonly adopt?: boolean | "identical" | undefined;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts?: Timeouts | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** Status of the snapshots at the end of `waitForSnapshot`. */
    readonly status?: SnapshotStatus | undefined;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `SnapshotConfig`, as programs read them. */
export interface SnapshotConfigProperties {
    /** Name of the configuration. A change replaces the object. */
    readonly name: pulumi.Output<string>;

    /** Time between snapshots: whole seconds, or a string such as `24h`. */
    readonly interval: pulumi.Output<number | string>;

    /** Number of snapshots to keep. After each snapshot Vault deletes older ones. Default: `1`. */
    readonly retain: pulumi.Output<number | undefined>;

    /** Prefix of the names of snapshots. Default: `vault-snapshot`. */
    readonly filePrefix: pulumi.Output<string | undefined>;

    /** Where snapshots are stored, by `type`. The type can change in place. */
    readonly storage: pulumi.Output<SnapshotConfigStorage>;

    /** Whether a server without data loads the newest snapshot of this configuration. For one configuration only, and not for `local`. */
    readonly autoloadEnabled: pulumi.Output<boolean | undefined>;

    /** Maximum time to wait for a new snapshot after a write: whole seconds, or a string such as `10m`. Default: no wait. */
    readonly waitForSnapshot: pulumi.Output<number | string | undefined>;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    readonly adopt: pulumi.Output<boolean | "identical" | undefined>;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts: pulumi.Output<Timeouts | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Status of the snapshots at the end of `waitForSnapshot`. */
    readonly status: pulumi.Output<SnapshotStatus | undefined>;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `StateVersionBackingData`. */
export interface StateVersionBackingDataArgs {
    /** The version. It must not be the current version of its workspace. A change replaces the object. */
    stateVersionId: pulumi.Input<string>;

    /** `available`: the content exists. `softDeleted`: reads of the version fail, and the content is permanently deleted some days later unless it is made available again. `permanentlyDeleted`: it is deleted now, which cannot be undone. */
    state: pulumi.Input<"available" | "softDeleted" | "permanentlyDeleted">;

    /** Sent with a soft deletion. A change applies to the next one. */
    deleteOlderThanNDays?: pulumi.Input<number | undefined>;

    /** Must be `true` for `permanentlyDeleted`, which cannot be undone. */
    allowPermanentDeletion?: pulumi.Input<boolean | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `StateVersionBackingData`. */
export interface StateVersionBackingDataOutputs {
    /** The version. It must not be the current version of its workspace. A change replaces the object. */
    readonly stateVersionId: string;

    /** `available`: the content exists. `softDeleted`: reads of the version fail, and the content is permanently deleted some days later unless it is made available again. `permanentlyDeleted`: it is deleted now, which cannot be undone. */
    readonly state: "available" | "softDeleted" | "permanentlyDeleted";

    /** Sent with a soft deletion. A change applies to the next one. */
    readonly deleteOlderThanNDays?: number | undefined;

    /** Must be `true` for `permanentlyDeleted`, which cannot be undone. */
    readonly allowPermanentDeletion?: boolean | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** `pending`, `finalized` or `discarded`. Terraform Enterprise has more. */
    readonly status?: string | undefined;

    /** Its workspace. */
    readonly workspaceId?: string | undefined;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** Creation time: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Days until the permanent deletion, as the service answered to the soft deletion. */
    readonly grantedDays?: number | undefined;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `StateVersionBackingData`, as programs read them. */
export interface StateVersionBackingDataProperties {
    /** The version. It must not be the current version of its workspace. A change replaces the object. */
    readonly stateVersionId: pulumi.Output<string>;

    /** `available`: the content exists. `softDeleted`: reads of the version fail, and the content is permanently deleted some days later unless it is made available again. `permanentlyDeleted`: it is deleted now, which cannot be undone. */
    readonly state: pulumi.Output<"available" | "softDeleted" | "permanentlyDeleted">;

    /** Sent with a soft deletion. A change applies to the next one. */
    readonly deleteOlderThanNDays: pulumi.Output<number | undefined>;

    /** Must be `true` for `permanentlyDeleted`, which cannot be undone. */
    readonly allowPermanentDeletion: pulumi.Output<boolean | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** `pending`, `finalized` or `discarded`. Terraform Enterprise has more. */
    readonly status: pulumi.Output<string | undefined>;

    /** Its workspace. */
    readonly workspaceId: pulumi.Output<string | undefined>;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial: pulumi.Output<number | undefined>;

    /** Creation time: ISO 8601. */
    readonly createdAt: pulumi.Output<string | undefined>;

    /** Days until the permanent deletion, as the service answered to the soft deletion. */
    readonly grantedDays: pulumi.Output<number | undefined>;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** How the workspace's lock is taken. */
export interface LockReasonArgs {
    /** Reason of the lock. */
    reason?: pulumi.Input<string | undefined>;
}

/** Arguments of `StateVersionRollback`. */
export interface StateVersionRollbackArgs {
    /** The workspace to roll back. A change replaces the object. */
    workspaceId: pulumi.Input<string>;

    /** The version to roll back to. A change rolls back again, in place. HCP Terraform's free tier keeps at least the last 100 states of all workspaces and the most recent one of each, and others for six months. */
    stateVersionId: pulumi.Input<string>;

    /** Terraform addresses of modules, resources or instances that come back, such as `module.db` or `aws_instance.web[2]`. Everything else in the current state stays. The new version has no JSON download. Default: the whole version. */
    only?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Terraform addresses below those of `only` that do not come back. */
    except?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Terraform addresses below those of `only` that come back although another address in the current state has an object with the same `id` (or the same attributes, if it has none): you know that they are two objects. */
    distinct?: pulumi.Input<pulumi.Input<string>[] | undefined>;

    /** Upload the whole older state with a higher serial, for servers that do not offer rollbacks. The state must not be encrypted. The new version has no JSON download. */
    upload?: pulumi.Input<boolean | undefined>;

    /** Any values. A change rolls back again. */
    triggers?: pulumi.Input<readonly unknown[] | undefined>;

    /** Keep the workspace locked after the rollback, so that no run starts on the rolled-back state. */
    keepLocked?: pulumi.Input<boolean | undefined>;

    /** What deleting this resource does: `keep` leaves the workspace as it is, `restore` rolls back to `previousStateVersionId` unless a newer version is current. Default: `"keep"`. */
    onDelete?: pulumi.Input<"keep" | "restore" | undefined>;

    /** Treat a newer current version as drift, and roll back again. */
    enforce?: pulumi.Input<boolean | undefined>;

    /** Whether to wait until the resources of the new version are processed: `true` (at most 5 minutes), or a maximum time such as `2m`. Default: no wait. */
    waitForProcessing?: pulumi.Input<boolean | number | string | undefined>;

    /** Whether to lock the workspace during the rollback, with this `reason` if one is given. Default: `true`, which fails if the workspace is locked. `false`: this account has locked it already. */
    lock?: pulumi.Input<boolean | LockReasonArgs | undefined>;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    timeouts?: pulumi.Input<TimeoutsArgs | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** How the workspace's lock is taken. */
export interface LockReason {
    /** Reason of the lock. */
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

    /** The version to roll back to. A change rolls back again, in place. HCP Terraform's free tier keeps at least the last 100 states of all workspaces and the most recent one of each, and others for six months. */
    readonly stateVersionId: string;

    /** Terraform addresses of modules, resources or instances that come back, such as `module.db` or `aws_instance.web[2]`. Everything else in the current state stays. The new version has no JSON download. Default: the whole version. */
    readonly only?: string[] | undefined;

    /** Terraform addresses below those of `only` that do not come back. */
    readonly except?: string[] | undefined;

    /** Terraform addresses below those of `only` that come back although another address in the current state has an object with the same `id` (or the same attributes, if it has none): you know that they are two objects. */
    readonly distinct?: string[] | undefined;

    /** Upload the whole older state with a higher serial, for servers that do not offer rollbacks. The state must not be encrypted. The new version has no JSON download. */
    readonly upload?: boolean | undefined;

    /** Any values. A change rolls back again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Keep the workspace locked after the rollback, so that no run starts on the rolled-back state. */
    readonly keepLocked?: boolean | undefined;

    /** What deleting this resource does: `keep` leaves the workspace as it is, `restore` rolls back to `previousStateVersionId` unless a newer version is current. Default: `"keep"`. */
    readonly onDelete?: "keep" | "restore" | undefined;

    /** Treat a newer current version as drift, and roll back again. */
    readonly enforce?: boolean | undefined;

    /** Whether to wait until the resources of the new version are processed: `true` (at most 5 minutes), or a maximum time such as `2m`. Default: no wait. */
    readonly waitForProcessing?: boolean | number | string | undefined;

    /** Whether to lock the workspace during the rollback, with this `reason` if one is given. Default: `true`, which fails if the workspace is locked. `false`: this account has locked it already. */
    readonly lock?: boolean | LockReason | undefined;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts?: Timeouts | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** The version that this resource created, or found current with the same content. */
    readonly currentStateVersionId: string;

    /** The version that `onDelete: restore` goes back to: the current version before this resource's rollbacks. Empty if nothing had to be rolled back. */
    readonly previousStateVersionId: string;

    /** The current version before the last rollback. Empty if nothing had to be rolled back. */
    readonly rolledBackFrom: string;

    /** Serial of the current version. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** Creation time: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Resources of the version. Absent until they are processed (see `waitForProcessing`). */
    readonly resources?: StateVersionResource[] | undefined;

    /** Whether a newer version is current. Drift only with `enforce`. */
    readonly superseded: boolean;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `StateVersionRollback`, as programs read them. */
export interface StateVersionRollbackProperties {
    /** The workspace to roll back. A change replaces the object. */
    readonly workspaceId: pulumi.Output<string>;

    /** The version to roll back to. A change rolls back again, in place. HCP Terraform's free tier keeps at least the last 100 states of all workspaces and the most recent one of each, and others for six months. */
    readonly stateVersionId: pulumi.Output<string>;

    /** Terraform addresses of modules, resources or instances that come back, such as `module.db` or `aws_instance.web[2]`. Everything else in the current state stays. The new version has no JSON download. Default: the whole version. */
    readonly only: pulumi.Output<string[] | undefined>;

    /** Terraform addresses below those of `only` that do not come back. */
    readonly except: pulumi.Output<string[] | undefined>;

    /** Terraform addresses below those of `only` that come back although another address in the current state has an object with the same `id` (or the same attributes, if it has none): you know that they are two objects. */
    readonly distinct: pulumi.Output<string[] | undefined>;

    /** Upload the whole older state with a higher serial, for servers that do not offer rollbacks. The state must not be encrypted. The new version has no JSON download. */
    readonly upload: pulumi.Output<boolean | undefined>;

    /** Any values. A change rolls back again. */
    readonly triggers: pulumi.Output<readonly unknown[] | undefined>;

    /** Keep the workspace locked after the rollback, so that no run starts on the rolled-back state. */
    readonly keepLocked: pulumi.Output<boolean | undefined>;

    /** What deleting this resource does: `keep` leaves the workspace as it is, `restore` rolls back to `previousStateVersionId` unless a newer version is current. Default: `"keep"`. */
    readonly onDelete: pulumi.Output<"keep" | "restore" | undefined>;

    /** Treat a newer current version as drift, and roll back again. */
    readonly enforce: pulumi.Output<boolean | undefined>;

    /** Whether to wait until the resources of the new version are processed: `true` (at most 5 minutes), or a maximum time such as `2m`. Default: no wait. */
    readonly waitForProcessing: pulumi.Output<boolean | number | string | undefined>;

    /** Whether to lock the workspace during the rollback, with this `reason` if one is given. Default: `true`, which fails if the workspace is locked. `false`: this account has locked it already. */
    readonly lock: pulumi.Output<boolean | LockReason | undefined>;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts: pulumi.Output<Timeouts | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** The version that this resource created, or found current with the same content. */
    readonly currentStateVersionId: pulumi.Output<string>;

    /** The version that `onDelete: restore` goes back to: the current version before this resource's rollbacks. Empty if nothing had to be rolled back. */
    readonly previousStateVersionId: pulumi.Output<string>;

    /** The current version before the last rollback. Empty if nothing had to be rolled back. */
    readonly rolledBackFrom: pulumi.Output<string>;

    /** Serial of the current version. Serials may repeat after rollbacks. */
    readonly serial: pulumi.Output<number | undefined>;

    /** Creation time: ISO 8601. */
    readonly createdAt: pulumi.Output<string | undefined>;

    /** Resources of the version. Absent until they are processed (see `waitForProcessing`). */
    readonly resources: pulumi.Output<StateVersionResource[] | undefined>;

    /** Whether a newer version is current. Drift only with `enforce`. */
    readonly superseded: pulumi.Output<boolean>;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `StateVersion`. */
export interface StateVersionArgs {
    /** The workspace that gets the version. A change replaces the object. */
    workspaceId: pulumi.Input<string>;

    /** The Terraform state: a Pulumi asset, a path, or its text. Serial, lineage and MD5 are taken from it. Pulumi's state contains only its SHA-256 digest. A change replaces the object. */
    content: pulumi.Input<string | pulumi.asset.Asset>;

    /** The state in the format of `terraform show -json`: a Pulumi asset, a path, or its text. Only its digest is stored. A change replaces the object. */
    jsonContent?: pulumi.Input<string | pulumi.asset.Asset | undefined>;

    /** The `values/outputs` of the JSON format: a Pulumi asset, a path, or its text. The workspace's outputs are then available at once. Only its digest is stored. A change replaces the object. */
    jsonStateOutputs?: pulumi.Input<string | pulumi.asset.Asset | undefined>;

    /** The run that the version belongs to. A change replaces the object. */
    runId?: pulumi.Input<string | undefined>;

    /** Whether to send the content in the request that creates the version, instead of a separate upload, which is recommended. */
    inline?: pulumi.Input<boolean | undefined>;

    /** Whether to wait until the resources of the new version are processed: `true` (at most 5 minutes), or a maximum time such as `2m`. Default: no wait. */
    waitForProcessing?: pulumi.Input<boolean | number | string | undefined>;

    /** Whether to lock the workspace during the creation, with this `reason` if one is given. Default: `true`, which fails if the workspace is locked. `false`: this account has locked it already. */
    lock?: pulumi.Input<boolean | LockReasonArgs | undefined>;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    timeouts?: pulumi.Input<TimeoutsArgs | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `StateVersion`. */
export interface StateVersionOutputs {
    /** The workspace that gets the version. A change replaces the object. */
    readonly workspaceId: string;

    /** The Terraform state: a Pulumi asset, a path, or its text. Serial, lineage and MD5 are taken from it. Pulumi's state contains only its SHA-256 digest. A change replaces the object. */
    readonly content: string;

    /** The state in the format of `terraform show -json`: a Pulumi asset, a path, or its text. Only its digest is stored. A change replaces the object. */
    readonly jsonContent?: string | undefined;

    /** The `values/outputs` of the JSON format: a Pulumi asset, a path, or its text. The workspace's outputs are then available at once. Only its digest is stored. A change replaces the object. */
    readonly jsonStateOutputs?: string | undefined;

    /** The run that the version belongs to. A change replaces the object. */
    readonly runId?: string | undefined;

    /** Whether to send the content in the request that creates the version, instead of a separate upload, which is recommended. */
    readonly inline?: boolean | undefined;

    /** Whether to wait until the resources of the new version are processed: `true` (at most 5 minutes), or a maximum time such as `2m`. Default: no wait. */
    readonly waitForProcessing?: boolean | number | string | undefined;

    /** Whether to lock the workspace during the creation, with this `reason` if one is given. Default: `true`, which fails if the workspace is locked. `false`: this account has locked it already. */
    readonly lock?: boolean | LockReason | undefined;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts?: Timeouts | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** The state's serial. */
    readonly serial: number;

    /** Lineage. Old Terraform versions wrote none. */
    readonly lineage?: string | undefined;

    /** MD5 of the raw state. */
    readonly md5: string;

    /** `pending`, `finalized` or `discarded`. Terraform Enterprise has more. */
    readonly status?: string | undefined;

    /** Size of the state. */
    readonly size?: number | undefined;

    /** Whether all fields are filled in. */
    readonly resourcesProcessed: boolean;

    /** Terraform version that created the state. Filled in later. */
    readonly toolVersion?: string | undefined;

    /** Creation time: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Resources of the version. Absent until they are processed (see `waitForProcessing`). */
    readonly resources?: StateVersionResource[] | undefined;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `StateVersion`, as programs read them. */
export interface StateVersionProperties {
    /** The workspace that gets the version. A change replaces the object. */
    readonly workspaceId: pulumi.Output<string>;

    /** The Terraform state: a Pulumi asset, a path, or its text. Serial, lineage and MD5 are taken from it. Pulumi's state contains only its SHA-256 digest. A change replaces the object. */
    readonly content: pulumi.Output<string>;

    /** The state in the format of `terraform show -json`: a Pulumi asset, a path, or its text. Only its digest is stored. A change replaces the object. */
    readonly jsonContent: pulumi.Output<string | undefined>;

    /** The `values/outputs` of the JSON format: a Pulumi asset, a path, or its text. The workspace's outputs are then available at once. Only its digest is stored. A change replaces the object. */
    readonly jsonStateOutputs: pulumi.Output<string | undefined>;

    /** The run that the version belongs to. A change replaces the object. */
    readonly runId: pulumi.Output<string | undefined>;

    /** Whether to send the content in the request that creates the version, instead of a separate upload, which is recommended. */
    readonly inline: pulumi.Output<boolean | undefined>;

    /** Whether to wait until the resources of the new version are processed: `true` (at most 5 minutes), or a maximum time such as `2m`. Default: no wait. */
    readonly waitForProcessing: pulumi.Output<boolean | number | string | undefined>;

    /** Whether to lock the workspace during the creation, with this `reason` if one is given. Default: `true`, which fails if the workspace is locked. `false`: this account has locked it already. */
    readonly lock: pulumi.Output<boolean | LockReason | undefined>;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts: pulumi.Output<Timeouts | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** The state's serial. */
    readonly serial: pulumi.Output<number>;

    /** Lineage. Old Terraform versions wrote none. */
    readonly lineage: pulumi.Output<string | undefined>;

    /** MD5 of the raw state. */
    readonly md5: pulumi.Output<string>;

    /** `pending`, `finalized` or `discarded`. Terraform Enterprise has more. */
    readonly status: pulumi.Output<string | undefined>;

    /** Size of the state. */
    readonly size: pulumi.Output<number | undefined>;

    /** Whether all fields are filled in. */
    readonly resourcesProcessed: pulumi.Output<boolean>;

    /** Terraform version that created the state. Filled in later. */
    readonly toolVersion: pulumi.Output<string | undefined>;

    /** Creation time: ISO 8601. */
    readonly createdAt: pulumi.Output<string | undefined>;

    /** Resources of the version. Absent until they are processed (see `waitForProcessing`). */
    readonly resources: pulumi.Output<StateVersionResource[] | undefined>;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `WorkspaceLock`. */
export interface WorkspaceLockArgs {
    /** The workspace to lock. A change replaces the object. */
    workspaceId: pulumi.Input<string>;

    /** Why, which others see. For another reason, it is unlocked and locked again: a run may start. Default: `"locked by Pulumi"`. A change replaces the object. */
    reason?: pulumi.Input<string | undefined>;

    /** Whether to take over another lock of this account: the workspace is unlocked and locked again. */
    adopt?: pulumi.Input<boolean | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `WorkspaceLock`. */
export interface WorkspaceLockOutputs {
    /** The workspace to lock. A change replaces the object. */
    readonly workspaceId: string;

    /** Why, which others see. For another reason, it is unlocked and locked again: a run may start. Default: `"locked by Pulumi"`. A change replaces the object. */
    readonly reason?: string | undefined;

    /** Whether to take over another lock of this account: the workspace is unlocked and locked again. */
    readonly adopt?: boolean | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** Id of the user, team or run that locked it. */
    readonly lockedBy?: string | undefined;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `WorkspaceLock`, as programs read them. */
export interface WorkspaceLockProperties {
    /** The workspace to lock. A change replaces the object. */
    readonly workspaceId: pulumi.Output<string>;

    /** Why, which others see. For another reason, it is unlocked and locked again: a run may start. Default: `"locked by Pulumi"`. A change replaces the object. */
    readonly reason: pulumi.Output<string | undefined>;

    /** Whether to take over another lock of this account: the workspace is unlocked and locked again. */
    readonly adopt: pulumi.Output<boolean | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Id of the user, team or run that locked it. */
    readonly lockedBy: pulumi.Output<string | undefined>;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/** Arguments of `CsiVolumeDetachment`. */
export interface CsiVolumeDetachmentArgs {
    /** Id of the volume, which jobs use. A change replaces the object. */
    volumeId: pulumi.Input<string>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Id of the node that the volume is detached from. A change replaces the object. */
    node: pulumi.Input<string>;

    /** Any values. A change detaches again. */
    triggers?: pulumi.Input<readonly unknown[] | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Outputs of `CsiVolumeDetachment`. */
export interface CsiVolumeDetachmentOutputs {
    /** Id of the volume, which jobs use. A change replaces the object. */
    readonly volumeId: string;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Id of the node that the volume is detached from. A change replaces the object. */
    readonly node: string;

    /** Any values. A change detaches again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `CsiVolumeDetachment`, as programs read them. */
export interface CsiVolumeDetachmentProperties {
    /** Id of the volume, which jobs use. A change replaces the object. */
    readonly volumeId: pulumi.Output<string>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Id of the node that the volume is detached from. A change replaces the object. */
    readonly node: pulumi.Output<string>;

    /** Any values. A change detaches again. */
    readonly triggers: pulumi.Output<readonly unknown[] | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: pulumi.Output<string>;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished: pulumi.Output<string[] | undefined>;
}

/**  */
export interface CsiVolumeCapabilityArgs {
    /** Access mode. */
    accessMode: pulumi.Input<
        | "single-node-reader-only"
        | "single-node-writer"
        | "multi-node-reader-only"
        | "multi-node-single-writer"
        | "multi-node-multi-writer"
        | (string & {})
    >;

    /** Attachment mode. */
    attachmentMode: pulumi.Input<"file-system" | "block-device" | (string & {})>;
}

/** How the volume is mounted. Cannot change while the volume is in use. */
export interface CsiVolumeMountOptionsArgs {
    /** File system. */
    fsType?: pulumi.Input<string | undefined>;

    /** Mount flags. Nomad does not return them, because they may contain credentials. Secret. */
    mountFlags?: pulumi.Input<pulumi.Input<string>[] | undefined>;
}

/** Required and preferred topologies: maps of segments. */
export interface CsiVolumeRequestedTopologiesArgs {
    /** Required topologies. */
    required?: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<string>>>[] | undefined>;

    /** Preferred topologies, best first. */
    preferred?: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<string>>>[] | undefined>;
}

/** Arguments of `CsiVolume`. */
export interface CsiVolumeArgs {
    /** Id of the volume, which jobs use. A change replaces the object. */
    volumeId: pulumi.Input<string>;

    /** Display name. A change replaces the object. */
    name?: pulumi.Input<string | undefined>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Id of the volume at the storage provider. Default: `volumeId`. A change replaces the object. */
    externalId?: pulumi.Input<string | undefined>;

    /** The CSI plugin that serves the volume. A change replaces the object. */
    pluginId: pulumi.Input<string>;

    /** Topologies from which the volume is accessible: maps of segments, in any order. Omitted or empty: Nomad decides, and takes the required ones of `requestedTopologies` when it registers a volume for the first time. A change may replace the object. */
    topologies?: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<string>>>[] | undefined>;

    /** Access mode: `single-node-reader-only`, `single-node-writer`, `multi-node-reader-only`, `multi-node-single-writer`, `multi-node-multi-writer`. Other values are sent with a warning. A change replaces the object. */
    accessMode?: pulumi.Input<
        | "single-node-reader-only"
        | "single-node-writer"
        | "multi-node-reader-only"
        | "multi-node-single-writer"
        | "multi-node-multi-writer"
        | (string & {})
        | undefined
    >;

    /** Attachment mode: `file-system`, `block-device`. Other values are sent with a warning. A change replaces the object. */
    attachmentMode?: pulumi.Input<"file-system" | "block-device" | (string & {}) | undefined>;

    /** Capabilities: pairs of access mode and attachment mode. Default: the pair of `accessMode` and `attachmentMode`. */
    capabilities?: pulumi.Input<pulumi.Input<CsiVolumeCapabilityArgs>[] | undefined>;

    /** How the volume is mounted. Cannot change while the volume is in use. */
    mountOptions?: pulumi.Input<CsiVolumeMountOptionsArgs | undefined>;

    /** Parameters: key-value pairs for the CSI plugin. A change replaces the object. */
    parameters?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;

    /** Volume context: key-value pairs for the CSI plugin. Removing all of them replaces the volume. A change may replace the object. */
    context?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;

    /** Required and preferred topologies: maps of segments. A change replaces the object. */
    requestedTopologies?: pulumi.Input<CsiVolumeRequestedTopologiesArgs | undefined>;

    /** Minimum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged. */
    capacityMin?: pulumi.Input<number | string | undefined>;

    /** Maximum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged. */
    capacityMax?: pulumi.Input<number | string | undefined>;

    /** Secrets of the CSI plugin: key-value pairs. Nomad does not return them. Secret. */
    secrets?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;

    /** Source of `secrets`, instead of the value, which then is in no state. */
    secretsFrom?: pulumi.Input<Record<string, pulumi.Input<SecretSourceArgs>> | undefined>;

    /** Any values. A change registers the volume, with its secrets and in place, again. */
    triggers?: pulumi.Input<readonly unknown[] | undefined>;

    /** Whether to deregister with `force`, which drops claims of ended allocations at once. Running allocations still prevent it, and the volume is not detached from client nodes. */
    force?: pulumi.Input<boolean | undefined>;

    /** Maximum time to wait until the volume is schedulable: whole seconds, or a string such as `2m`. Default: no wait. */
    waitUntilSchedulable?: pulumi.Input<number | string | undefined>;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    adopt?: pulumi.Input<boolean | "identical" | undefined>;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    timeouts?: pulumi.Input<TimeoutsArgs | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/**  */
export interface CsiVolumeCapability {
    /** Access mode. */
    readonly accessMode:
        | "single-node-reader-only"
        | "single-node-writer"
        | "multi-node-reader-only"
        | "multi-node-single-writer"
        | "multi-node-multi-writer"
        | (string & {});

    /** Attachment mode. */
    readonly attachmentMode: "file-system" | "block-device" | (string & {});
}

/** How the volume is mounted. Cannot change while the volume is in use. */
export interface CsiVolumeMountOptions {
    /** File system. */
    readonly fsType?: string | undefined;

    /** Mount flags. Nomad does not return them, because they may contain credentials. Secret. */
    readonly mountFlags?: string[] | undefined;
}

/** Required and preferred topologies: maps of segments. */
export interface CsiVolumeRequestedTopologies {
    /** Required topologies. */
    readonly required?: Record<string, string>[] | undefined;

    /** Preferred topologies, best first. */
    readonly preferred?: Record<string, string>[] | undefined;
}

/** Outputs of `CsiVolume`. */
export interface CsiVolumeOutputs {
    /** Id of the volume, which jobs use. A change replaces the object. */
    readonly volumeId: string;

    /** Display name. A change replaces the object. */
    readonly name?: string | undefined;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace?: string | undefined;

    /** Id of the volume at the storage provider. Default: `volumeId`. A change replaces the object. */
    readonly externalId?: string | undefined;

    /** The CSI plugin that serves the volume. A change replaces the object. */
    readonly pluginId: string;

    /** Topologies from which the volume is accessible: maps of segments, in any order. Omitted or empty: Nomad decides, and takes the required ones of `requestedTopologies` when it registers a volume for the first time. A change may replace the object. */
    readonly topologies?: Record<string, string>[] | undefined;

    /** Access mode: `single-node-reader-only`, `single-node-writer`, `multi-node-reader-only`, `multi-node-single-writer`, `multi-node-multi-writer`. Other values are sent with a warning. A change replaces the object. */
    readonly accessMode?:
        | "single-node-reader-only"
        | "single-node-writer"
        | "multi-node-reader-only"
        | "multi-node-single-writer"
        | "multi-node-multi-writer"
        | (string & {})
        | undefined;

    /** Attachment mode: `file-system`, `block-device`. Other values are sent with a warning. A change replaces the object. */
    readonly attachmentMode?: "file-system" | "block-device" | (string & {}) | undefined;

    /** Capabilities: pairs of access mode and attachment mode. Default: the pair of `accessMode` and `attachmentMode`. */
    readonly capabilities?: CsiVolumeCapability[] | undefined;

    /** How the volume is mounted. Cannot change while the volume is in use. */
    readonly mountOptions?: CsiVolumeMountOptions | undefined;

    /** Parameters: key-value pairs for the CSI plugin. A change replaces the object. */
    readonly parameters?: Record<string, string> | undefined;

    /** Volume context: key-value pairs for the CSI plugin. Removing all of them replaces the volume. A change may replace the object. */
    readonly context?: Record<string, string> | undefined;

    /** Required and preferred topologies: maps of segments. A change replaces the object. */
    readonly requestedTopologies?: CsiVolumeRequestedTopologies | undefined;

    /** Minimum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged. */
    readonly capacityMin?: number | string | undefined;

    /** Maximum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged. */
    readonly capacityMax?: number | string | undefined;

    /** Secrets of the CSI plugin: key-value pairs. Nomad does not return them. Secret. */
    readonly secrets?: Record<string, string> | undefined;

    /** Source of `secrets`, instead of the value, which then is in no state. */
    readonly secretsFrom?: Record<string, SecretSource> | undefined;

    /** Any values. A change registers the volume, with its secrets and in place, again. */
    readonly triggers?: readonly unknown[] | undefined;

    /** Whether to deregister with `force`, which drops claims of ended allocations at once. Running allocations still prevent it, and the volume is not detached from client nodes. */
    readonly force?: boolean | undefined;

    /** Maximum time to wait until the volume is schedulable: whole seconds, or a string such as `2m`. Default: no wait. */
    readonly waitUntilSchedulable?: number | string | undefined;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    readonly adopt?: boolean | "identical" | undefined;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts?: Timeouts | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection?: string | undefined;

    /** Name of the storage provider. */
    readonly providerName: string;

    /** Version of the plugin. */
    readonly providerVersion: string;

    /** Whether the volume is schedulable, as of the last read. */
    readonly schedulable: boolean;

    /** Healthy controllers of the plugin. */
    readonly controllersHealthy: number;

    /** Controllers of the plugin. */
    readonly controllersExpected: number;

    /** Nodes with a healthy plugin. */
    readonly nodesHealthy: number;

    /** Nodes with the plugin. */
    readonly nodesExpected: number;

    /** Address of the object's server. Operations on another server fail. */
    readonly server: string;

    /** Steps that failed after the object was created or written, such as `readBack` or `wait`. The next `up` repeats them. Absent if there are none. */
    readonly unfinished?: string[] | undefined;
}

/** The outputs of `CsiVolume`, as programs read them. */
export interface CsiVolumeProperties {
    /** Id of the volume, which jobs use. A change replaces the object. */
    readonly volumeId: pulumi.Output<string>;

    /** Display name. A change replaces the object. */
    readonly name: pulumi.Output<string | undefined>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    readonly namespace: pulumi.Output<string | undefined>;

    /** Id of the volume at the storage provider. Default: `volumeId`. A change replaces the object. */
    readonly externalId: pulumi.Output<string | undefined>;

    /** The CSI plugin that serves the volume. A change replaces the object. */
    readonly pluginId: pulumi.Output<string>;

    /** Topologies from which the volume is accessible: maps of segments, in any order. Omitted or empty: Nomad decides, and takes the required ones of `requestedTopologies` when it registers a volume for the first time. A change may replace the object. */
    readonly topologies: pulumi.Output<Record<string, string>[] | undefined>;

    /** Access mode: `single-node-reader-only`, `single-node-writer`, `multi-node-reader-only`, `multi-node-single-writer`, `multi-node-multi-writer`. Other values are sent with a warning. A change replaces the object. */
    readonly accessMode: pulumi.Output<
        | "single-node-reader-only"
        | "single-node-writer"
        | "multi-node-reader-only"
        | "multi-node-single-writer"
        | "multi-node-multi-writer"
        | (string & {})
        | undefined
    >;

    /** Attachment mode: `file-system`, `block-device`. Other values are sent with a warning. A change replaces the object. */
    readonly attachmentMode: pulumi.Output<"file-system" | "block-device" | (string & {}) | undefined>;

    /** Capabilities: pairs of access mode and attachment mode. Default: the pair of `accessMode` and `attachmentMode`. */
    readonly capabilities: pulumi.Output<CsiVolumeCapability[] | undefined>;

    /** How the volume is mounted. Cannot change while the volume is in use. */
    readonly mountOptions: pulumi.Output<CsiVolumeMountOptions | undefined>;

    /** Parameters: key-value pairs for the CSI plugin. A change replaces the object. */
    readonly parameters: pulumi.Output<Record<string, string> | undefined>;

    /** Volume context: key-value pairs for the CSI plugin. Removing all of them replaces the volume. A change may replace the object. */
    readonly context: pulumi.Output<Record<string, string> | undefined>;

    /** Required and preferred topologies: maps of segments. A change replaces the object. */
    readonly requestedTopologies: pulumi.Output<CsiVolumeRequestedTopologies | undefined>;

    /** Minimum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged. */
    readonly capacityMin: pulumi.Output<number | string | undefined>;

    /** Maximum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged. */
    readonly capacityMax: pulumi.Output<number | string | undefined>;

    /** Secrets of the CSI plugin: key-value pairs. Nomad does not return them. Secret. */
    readonly secrets: pulumi.Output<Record<string, string> | undefined>;

    /** Source of `secrets`, instead of the value, which then is in no state. */
    readonly secretsFrom: pulumi.Output<Record<string, SecretSource> | undefined>;

    /** Any values. A change registers the volume, with its secrets and in place, again. */
    readonly triggers: pulumi.Output<readonly unknown[] | undefined>;

    /** Whether to deregister with `force`, which drops claims of ended allocations at once. Running allocations still prevent it, and the volume is not detached from client nodes. */
    readonly force: pulumi.Output<boolean | undefined>;

    /** Maximum time to wait until the volume is schedulable: whole seconds, or a string such as `2m`. Default: no wait. */
    readonly waitUntilSchedulable: pulumi.Output<number | string | undefined>;

    /** Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals the program. By default, an existing object is an error. */
    readonly adopt: pulumi.Output<boolean | "identical" | undefined>;

    /** Maximum time to wait in each operation. The resource option `customTimeouts` sets them too. */
    readonly timeouts: pulumi.Output<Timeouts | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    readonly connection: pulumi.Output<string | undefined>;

    /** Name of the storage provider. */
    readonly providerName: pulumi.Output<string>;

    /** Version of the plugin. */
    readonly providerVersion: pulumi.Output<string>;

    /** Whether the volume is schedulable, as of the last read. */
    readonly schedulable: pulumi.Output<boolean>;

    /** Healthy controllers of the plugin. */
    readonly controllersHealthy: pulumi.Output<number>;

    /** Controllers of the plugin. */
    readonly controllersExpected: pulumi.Output<number>;

    /** Nodes with a healthy plugin. */
    readonly nodesHealthy: pulumi.Output<number>;

    /** Nodes with the plugin. */
    readonly nodesExpected: pulumi.Output<number>;

    /** Address of the object's server. Operations on another server fail. */
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

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getAuthConfigOutput`. */
export interface GetAuthConfigOutputArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getAuthConfig`. */
export interface GetAuthConfigResult {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    readonly mount: string;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    readonly namespace: string;

    /** Microsoft Entra tenant. Default: the environment of the Vault server, which precedes it before plugin 0.24. */
    readonly tenantId?: string | undefined;

    /** URL of the registered application, which must equal the claim `aud` of the JWT of a login. Only a JWT for a service of Microsoft's own, such as `https://management.azure.com/`, names its machine, which roles with bound machines require (see AuthRole). Default: the environment of the Vault server, which precedes it before plugin 0.24. */
    readonly resource?: string | undefined;

    /** Azure environment. */
    readonly environment?:
        | "AzurePublicCloud"
        | "AzureUSGovernmentCloud"
        | "AzureChinaCloud"
        | "AzureGermanCloud"
        | "CloudAPublicCloud"
        | "CloudAUSGovernmentCloud"
        | "CloudAChinaCloud"
        | "CloudAGermanCloud"
        | undefined;

    /** Client ID for queries to Azure. It must be allowed to read compute resources. */
    readonly clientId: string;

    /** Client secret. Sent only at creation and when the program's value changes, because each write undoes a `RootRotation`. If omitted, Vault keeps its secret. An empty string empties it. Secret. */
    readonly clientSecret?: pulumi.Output<string> | undefined;

    /** Maximum number of retries of a query to Azure. */
    readonly maxRetries?: number | undefined;

    /** Maximum delay between two retries. A string such as `60s`, or whole seconds. */
    readonly maxRetryDelay?: string | undefined;

    /** Delay before the first retry, which grows exponentially. A string such as `4s`, or whole seconds. */
    readonly retryDelay?: string | undefined;

    /** Lifetime of a secret that `RootRotation` creates: whole seconds, or a string such as `720h`. Vault resets it to its default with each write that omits it. */
    readonly rootPasswordTtl?: number | undefined;
}

/** Arguments of `getAuthRole`. */
export interface GetAuthRoleArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    namespace?: string | undefined;

    /** Name of the role, case-insensitive. */
    name: string;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getAuthRoleOutput`. */
export interface GetAuthRoleOutputArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Name of the role, case-insensitive. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getAuthRole`. */
export interface GetAuthRoleResult {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    readonly mount: string;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    readonly namespace: string;

    /** Name of the role, case-insensitive. */
    readonly name: string;

    /** Only machines with one of these service principal IDs may log in. Omitted or empty: no restriction. Without service principals and groups, Vault rejects every login. */
    readonly boundServicePrincipalIds: string[];

    /** Only machines with one of these group IDs may log in. Omitted or empty: no restriction. Without service principals and groups, Vault rejects every login. */
    readonly boundGroupIds: string[];

    /** Only machines with one of these locations may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundLocations: string[];

    /** Only machines with one of these subscription IDs may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundSubscriptionIds: string[];

    /** Only machines with one of these resource groups may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`, or the login must send `resourceId` instead of a machine's name. */
    readonly boundResourceGroups: string[];

    /** Only machines with one of these scale set names may log in. Omitted or empty: no restriction. The JWT must name its machine (`xms_az_rid` or `xms_mirid`), which Microsoft's identity service does only for audiences of its own, such as `https://management.azure.com/`. */
    readonly boundScaleSets: string[];

    /** Lifetime of tokens, and by how much a renewal extends it. Whole seconds, or a string such as `1h`. 0: not set. */
    readonly tokenTtl: number;

    /** Maximum lifetime of tokens. A renewal uses the current value. Whole seconds, or a string such as `1h`. 0: not set. */
    readonly tokenMaxTtl: number;

    /** Policies of tokens: a list, or a string with commas. */
    readonly tokenPolicies: string[];

    /** CIDR blocks from which logins and tokens are accepted: a list, or a string with commas. */
    readonly tokenBoundCidrs: string[];

    /** Maximum lifetime of tokens that no renewal exceeds. Whole seconds, or a string such as `1h`. 0: not set. */
    readonly tokenExplicitMaxTtl: number;

    /** Whether tokens lack the policy `default`. */
    readonly tokenNoDefaultPolicy: boolean;

    /** How often a token may be used. 0: unlimited, which tokens that create child tokens need. */
    readonly tokenNumUses: number;

    /** Maximum period of periodic tokens. Whole seconds, or a string such as `1h`. 0: not set. */
    readonly tokenPeriod: number;

    /** Type of tokens. `default` is that of the mount, normally `service`. Machines should use `batch`. */
    readonly tokenType: "service" | "batch" | "default" | "default-service" | "default-batch";

    /** Sent as `max_jwt_exp` if given. Vault ignores it. */
    readonly maxJwtExp?: number | undefined;

    /** Metadata of the entity aliases, as key-value pairs. Vault 1.21 or newer; a Vault 1.21.0 that is built from its published modules ignores it, and `up` warns that the value is not shown. */
    readonly aliasMetadata?: Record<string, string> | undefined;
}

/** Arguments of `getAuthRoles`. */
export interface GetAuthRolesArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    mount?: string | undefined;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    namespace?: string | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getAuthRolesOutput`. */
export interface GetAuthRolesOutputArgs {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. A change replaces the object. */
    mount?: pulumi.Input<string | undefined>;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getAuthRoles`. */
export interface GetAuthRolesResult {
    /** Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created. */
    readonly mount: string;

    /** Namespace of the mount. Default: the `namespace` of the settings, else the root namespace. */
    readonly namespace: string;

    /** Names of the roles. Empty if the mount has none. */
    readonly names: string[];
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

    /** Name of the virtual machine. Ignored if `vmssName` is given. If the role binds machines, the JWT must name its machine (see AuthRole). */
    vmName?: string | undefined;

    /** Name of the scale set. */
    vmssName?: string | undefined;

    /** Fully qualified ID of the resource: `/subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>`. Ignored if `vmName` or `vmssName` is given. */
    resourceId?: string | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
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

    /** Name of the virtual machine. Ignored if `vmssName` is given. If the role binds machines, the JWT must name its machine (see AuthRole). */
    vmName?: pulumi.Input<string | undefined>;

    /** Name of the scale set. */
    vmssName?: pulumi.Input<string | undefined>;

    /** Fully qualified ID of the resource: `/subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>`. Ignored if `vmName` or `vmssName` is given. */
    resourceId?: pulumi.Input<string | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
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

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getSnapshotConfigOutput`. */
export interface GetSnapshotConfigOutputArgs {
    /** Name of the configuration. A change replaces the object. */
    name: pulumi.Input<string>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Files on the server that takes the snapshot. */
export interface LocalStorageResult {
    /** Storage type. */
    readonly type: "local";

    /** Directory on the server. */
    readonly pathPrefix: string;

    /** Maximum size of all snapshots together: bytes, or a string such as `10GiB`. A snapshot that exceeds it fails. 0: no limit. */
    readonly maxSpace: number;
}

/** Objects in an S3 bucket, or in another store with the same protocol. */
export interface S3StorageResult {
    /** Storage type. */
    readonly type: "aws-s3" | "cloudb-s3";

    /** Prefix of the objects in the bucket. `/`: none. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Region of the bucket. */
    readonly region: string;

    /** Access key ID. Default: the credentials of the Vault server's environment. Secret. */
    readonly accessKeyId?: pulumi.Output<string> | undefined;

    /** Secret access key. Default: the credentials of the Vault server's environment. Secret. */
    readonly secretAccessKey?: pulumi.Output<string> | undefined;

    /** Session token of temporary credentials. Secret. */
    readonly sessionToken?: pulumi.Output<string> | undefined;

    /** Endpoint, for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to connect to the endpoint without TLS. For tests only. */
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
    /** Storage type. */
    readonly type: "google-gcs" | "cloudc-gcs";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Bucket. */
    readonly bucket: string;

    /** Key of a service account: the JSON document as an object, or its text. Default: the credentials of the Vault server's environment. Secret. */
    readonly serviceAccountKey?: pulumi.Output<string> | undefined;

    /** Endpoint, for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Whether to connect to the endpoint without TLS. For tests only. */
    readonly disableTls?: boolean | undefined;
}

/** Blobs in a container of Azure Blob Storage. */
export interface BlobStorageResult {
    /** Storage type. */
    readonly type: "azure-blob" | "clouda-blob";

    /** Prefix of the objects. Must end in `/`. */
    readonly pathPrefix: string;

    /** Container. */
    readonly container: string;

    /** Storage account. */
    readonly accountName?: string | undefined;

    /** Key of the storage account. Secret. */
    readonly accountKey?: pulumi.Output<string> | undefined;

    /** Azure environment of the storage account. */
    readonly environment?: string | undefined;

    /** Endpoint, for a store of another provider. */
    readonly endpoint?: string | undefined;

    /** Authentication: `accountKey`, the managed identity `clientId`, or the environment of the Vault server. Required by Vault. */
    readonly authMode?: "shared" | "managed" | "environment" | undefined;

    /** Client ID of the managed identity. */
    readonly clientId?: string | undefined;
}

/** Where snapshots are stored, by `type`. The type can change in place. */
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

    /** Number of snapshots to keep. After each snapshot Vault deletes older ones. */
    readonly retain: number;

    /** Prefix of the names of snapshots. Default: `vault-snapshot`. */
    readonly filePrefix?: string | undefined;

    /** Where snapshots are stored, by `type`. The type can change in place. */
    readonly storage: GetSnapshotConfigStorageResult;

    /** Whether a server without data loads the newest snapshot of this configuration. For one configuration only, and not for `local`. */
    readonly autoloadEnabled?: boolean | undefined;
}

/** Arguments of `getSnapshotConfigs`. */
export interface GetSnapshotConfigsArgs {
    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getSnapshotConfigsOutput`. */
export interface GetSnapshotConfigsOutputArgs {
    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
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

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getSnapshotStatusOutput`. */
export interface GetSnapshotStatusOutputArgs {
    /** Name of the configuration. */
    name: pulumi.Input<string>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getSnapshotStatus`. */
export interface GetSnapshotStatusResult {
    /** When the last snapshot started. Empty before the first. ISO 8601. */
    readonly lastSnapshotStart: string;

    /** When the last snapshot ended. Empty before the first. ISO 8601. */
    readonly lastSnapshotEnd: string;

    /** Error of the last snapshot. Empty if it succeeded. */
    readonly lastSnapshotError: string;

    /** Address of the last snapshot. */
    readonly lastSnapshotUrl: string;

    /** Start of a snapshot, as Vault returns it beside `lastSnapshotStart`. ISO 8601. */
    readonly snapshotStart: string;

    /** Address of a snapshot, as Vault returns it beside `lastSnapshotUrl`. */
    readonly snapshotUrl: string;

    /** Number of failed snapshots in a row. Newer servers only. */
    readonly consecutiveErrors?: number | undefined;

    /** When the next snapshot starts. ISO 8601. Newer servers only. */
    readonly nextSnapshotStart?: string | undefined;
}

/** Arguments of `downloadState`. */
export interface DownloadStateArgs {
    /** The version. */
    stateVersionId?: string | undefined;

    /** The workspace whose current version it is. */
    workspaceId?: string | undefined;

    /** `raw`: the format of the Terraform state. `json`: the stable format, which a version has only if Terraform 1.3 or newer created it. Default: `"raw"`. */
    format?: "raw" | "json" | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `downloadStateOutput`. */
export interface DownloadStateOutputArgs {
    /** The version. */
    stateVersionId?: pulumi.Input<string | undefined>;

    /** The workspace whose current version it is. */
    workspaceId?: pulumi.Input<string | undefined>;

    /** `raw`: the format of the Terraform state. `json`: the stable format, which a version has only if Terraform 1.3 or newer created it. Default: `"raw"`. */
    format?: pulumi.Input<"raw" | "json" | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
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

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
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

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** A resource that is related to a state version. */
export interface RelatedResource {
    /** Its id. */
    readonly id: string;

    /** Its type, such as `users`. */
    readonly type: string;

    /** Attributes of the object. */
    readonly attributes: Record<string, unknown>;

    /** What it relates to, by the name in camelCase, such as `createdBy`: an object with `id` and `type`, or a list of them. */
    readonly relationships: Record<string, unknown>;

    /** Paths to it, such as `self`. */
    readonly links: Record<string, string>;
}

/** Result of `getCurrentStateVersion`. */
export interface GetCurrentStateVersionResult {
    /** Id of the version. */
    readonly id: string;

    /** Creation time: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Size of the state. */
    readonly size?: number | undefined;

    /** `pending`, `finalized` or `discarded`. Terraform Enterprise has more. */
    readonly status?: string | undefined;

    /** Whether it is a snapshot that is not current yet. */
    readonly intermediate?: boolean | undefined;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** Version of the state's internal format. */
    readonly stateVersion?: number | undefined;

    /** Terraform version that created the state. Filled in later. */
    readonly toolVersion?: string | undefined;

    /** Resources by module and type. Filled in later. */
    readonly modules?: Record<string, Record<string, number>> | undefined;

    /** Resources by provider and type. Filled in later. */
    readonly providers?: Record<string, Record<string, number>> | undefined;

    /** Resources of the state. Final only when `resourcesProcessed` is true. */
    readonly resources: StateVersionResource[];

    /** Whether all fields are filled in. */
    readonly resourcesProcessed: boolean;

    /** Commit of the configuration that the state came from. */
    readonly vcsCommitSha?: string | undefined;

    /** Link to that commit. */
    readonly vcsCommitUrl?: string | undefined;

    /** Days of the soft deletion. */
    readonly deleteOlderThanNDays?: number | undefined;

    /** Whether it can be downloaded as JSON: only if Terraform 1.3 or newer created it. */
    readonly hasJson: boolean;

    /** Whether it still waits for the upload of its state. */
    readonly isUploadPending: boolean;

    /** Its workspace. */
    readonly workspaceId?: string | undefined;

    /** The run that it belongs to. */
    readonly runId?: string | undefined;

    /** The run's type: `runs`. */
    readonly runType?: string | undefined;

    /** The user that created it. */
    readonly createdById?: string | undefined;

    /** Type of the user: `users`. */
    readonly createdByType?: string | undefined;

    /** Paths to the user: `self` and `related`. */
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

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
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

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getStateVersion`. */
export interface GetStateVersionResult {
    /** Id of the version. */
    readonly id: string;

    /** Creation time: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Size of the state. */
    readonly size?: number | undefined;

    /** `pending`, `finalized` or `discarded`. Terraform Enterprise has more. */
    readonly status?: string | undefined;

    /** Whether it is a snapshot that is not current yet. */
    readonly intermediate?: boolean | undefined;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** Version of the state's internal format. */
    readonly stateVersion?: number | undefined;

    /** Terraform version that created the state. Filled in later. */
    readonly toolVersion?: string | undefined;

    /** Resources by module and type. Filled in later. */
    readonly modules?: Record<string, Record<string, number>> | undefined;

    /** Resources by provider and type. Filled in later. */
    readonly providers?: Record<string, Record<string, number>> | undefined;

    /** Resources of the state. Final only when `resourcesProcessed` is true. */
    readonly resources: StateVersionResource[];

    /** Whether all fields are filled in. */
    readonly resourcesProcessed: boolean;

    /** Commit of the configuration that the state came from. */
    readonly vcsCommitSha?: string | undefined;

    /** Link to that commit. */
    readonly vcsCommitUrl?: string | undefined;

    /** Days of the soft deletion. */
    readonly deleteOlderThanNDays?: number | undefined;

    /** Whether it can be downloaded as JSON: only if Terraform 1.3 or newer created it. */
    readonly hasJson: boolean;

    /** Whether it still waits for the upload of its state. */
    readonly isUploadPending: boolean;

    /** Its workspace. */
    readonly workspaceId?: string | undefined;

    /** The run that it belongs to. */
    readonly runId?: string | undefined;

    /** The run's type: `runs`. */
    readonly runType?: string | undefined;

    /** The user that created it. */
    readonly createdById?: string | undefined;

    /** Type of the user: `users`. */
    readonly createdByType?: string | undefined;

    /** Paths to the user: `self` and `related`. */
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

    /** Maximum number of versions. Default: all. */
    limit?: number | undefined;

    /** Only this page; the first one is 1. A page after the last one is empty. */
    page?: number | undefined;

    /** Only one page, with at most this many versions. Default with `page`: 20. */
    pageSize?: number | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
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

    /** Maximum number of versions. Default: all. */
    limit?: pulumi.Input<number | undefined>;

    /** Only this page; the first one is 1. A page after the last one is empty. */
    page?: pulumi.Input<number | undefined>;

    /** Only one page, with at most this many versions. Default with `page`: 20. */
    pageSize?: pulumi.Input<number | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** One state version, as `getStateVersions` lists it: without its signed addresses. */
export interface StateVersionRecord {
    /** Id of the version. */
    readonly id: string;

    /** Creation time: ISO 8601. */
    readonly createdAt?: string | undefined;

    /** Size of the state. */
    readonly size?: number | undefined;

    /** `pending`, `finalized` or `discarded`. Terraform Enterprise has more. */
    readonly status?: string | undefined;

    /** Whether it is a snapshot that is not current yet. */
    readonly intermediate?: boolean | undefined;

    /** Serial of the state. Serials may repeat after rollbacks. */
    readonly serial?: number | undefined;

    /** Version of the state's internal format. */
    readonly stateVersion?: number | undefined;

    /** Terraform version that created the state. Filled in later. */
    readonly toolVersion?: string | undefined;

    /** Resources by module and type. Filled in later. */
    readonly modules?: Record<string, Record<string, number>> | undefined;

    /** Resources by provider and type. Filled in later. */
    readonly providers?: Record<string, Record<string, number>> | undefined;

    /** Resources of the state. Final only when `resourcesProcessed` is true. */
    readonly resources: StateVersionResource[];

    /** Whether all fields are filled in. */
    readonly resourcesProcessed: boolean;

    /** Commit of the configuration that the state came from. */
    readonly vcsCommitSha?: string | undefined;

    /** Link to that commit. */
    readonly vcsCommitUrl?: string | undefined;

    /** Days of the soft deletion. */
    readonly deleteOlderThanNDays?: number | undefined;

    /** Whether it can be downloaded as JSON: only if Terraform 1.3 or newer created it. */
    readonly hasJson: boolean;

    /** Whether it still waits for the upload of its state. */
    readonly isUploadPending: boolean;

    /** Its workspace. */
    readonly workspaceId?: string | undefined;

    /** The run that it belongs to. */
    readonly runId?: string | undefined;

    /** The run's type: `runs`. */
    readonly runType?: string | undefined;

    /** The user that created it. */
    readonly createdById?: string | undefined;

    /** Type of the user: `users`. */
    readonly createdByType?: string | undefined;

    /** Paths to the user: `self` and `related`. */
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

    /** How many versions there are, if the server says so. */
    readonly totalCount?: number | undefined;

    /** How many pages of the requested size there are, if the server says so. */
    readonly totalPages?: number | undefined;
}

/** Arguments of `getWorkspace`. */
export interface GetWorkspaceArgs {
    /** Name of the organization. */
    organization?: string | undefined;

    /** Name of the workspace. */
    name?: string | undefined;

    /** Id of the workspace, instead of both names. */
    id?: string | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getWorkspaceOutput`. */
export interface GetWorkspaceOutputArgs {
    /** Name of the organization. */
    organization?: pulumi.Input<string | undefined>;

    /** Name of the workspace. */
    name?: pulumi.Input<string | undefined>;

    /** Id of the workspace, instead of both names. */
    id?: pulumi.Input<string | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** Result of `getWorkspace`. */
export interface GetWorkspaceResult {
    /** Its id: `ws-…`. */
    readonly id: string;

    /** Its name. */
    readonly name?: string | undefined;

    /** Name of the organization that owns it. */
    readonly organization?: string | undefined;

    /** Whether it is locked. */
    readonly locked?: boolean | undefined;

    /** Reason of the lock. */
    readonly lockedReason?: string | undefined;

    /** Id of the user, team or run that locked it. */
    readonly lockedById?: string | undefined;

    /** `users`, `teams` or `runs`. */
    readonly lockedByType?: string | undefined;

    /** Terraform version of its runs: a version, a range or `latest`. */
    readonly terraformVersion?: string | undefined;

    /** Whether a run applies its plan without a confirmation. */
    readonly autoApply?: boolean | undefined;

    /** Id of the current run, which may have finished. */
    readonly currentRunId?: string | undefined;

    /** Status of the current run, such as `applied`. */
    readonly currentRunStatus?: string | undefined;

    /** Id of the current state version. */
    readonly currentStateVersionId?: string | undefined;

    /** The token's rights, such as `can-lock`. */
    readonly permissions?: Record<string, boolean> | undefined;
}

/** Arguments of `getCsiVolume`. */
export interface GetCsiVolumeArgs {
    /** Id of the volume, which jobs use. */
    volumeId: string;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. */
    namespace?: string | undefined;

    /** Waits for a result that is newer than the `index` of an earlier one. Default: no wait. */
    index?: number | undefined;

    /** Maximum time to wait, with `index`: whole seconds, or a string such as `5m`. Default: one minute. Then the result is the present state. The wait counts as one of the `maxConcurrency` requests. */
    wait?: number | string | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getCsiVolumeOutput`. */
export interface GetCsiVolumeOutputArgs {
    /** Id of the volume, which jobs use. A change replaces the object. */
    volumeId: pulumi.Input<string>;

    /** Namespace of the volume. Defaults to the `namespace` of the settings, else `default`. A change replaces the object. */
    namespace?: pulumi.Input<string | undefined>;

    /** Waits for a result that is newer than the `index` of an earlier one. Default: no wait. */
    index?: pulumi.Input<number | undefined>;

    /** Maximum time to wait, with `index`: whole seconds, or a string such as `5m`. Default: one minute. Then the result is the present state. The wait counts as one of the `maxConcurrency` requests. */
    wait?: pulumi.Input<number | string | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
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

/**  */
export interface GetCsiVolumeCapabilityResult {
    /** Access mode. */
    readonly accessMode:
        | "single-node-reader-only"
        | "single-node-writer"
        | "multi-node-reader-only"
        | "multi-node-single-writer"
        | "multi-node-multi-writer"
        | (string & {});

    /** Attachment mode. */
    readonly attachmentMode: "file-system" | "block-device" | (string & {});
}

/** How the volume is mounted. Cannot change while the volume is in use. */
export interface GetCsiVolumeMountOptionsResult {
    /** File system. */
    readonly fsType: string;

    /** Mount flags. Nomad does not return them, because they may contain credentials. Secret. */
    readonly mountFlags?: pulumi.Output<string[]> | undefined;
}

/** Required and preferred topologies: maps of segments. */
export interface GetCsiVolumeRequestedTopologiesResult {
    /** Required topologies. */
    readonly required: Record<string, string>[];

    /** Preferred topologies, best first. */
    readonly preferred: Record<string, string>[];
}

/** Result of `getCsiVolume`. */
export interface GetCsiVolumeResult {
    /** Id of the volume, which jobs use. */
    readonly volumeId: string;

    /** Id of the volume at the storage provider. */
    readonly externalId: string;

    /** Namespace of the volume. */
    readonly namespace: string;

    /** Display name. */
    readonly name: string;

    /** Topologies from which the volume is accessible. */
    readonly topologies: Record<string, string>[];

    /** Access mode. */
    readonly accessMode: string;

    /** Attachment mode. */
    readonly attachmentMode: string;

    /** Id of the plugin. */
    readonly pluginId: string;

    /** Name of the storage provider. */
    readonly provider: string;

    /** Whether the plugin needs a controller. */
    readonly controllerRequired: boolean;

    /** Whether the volume is schedulable, as of the last read. */
    readonly schedulable: boolean;

    /** Healthy controllers of the plugin. */
    readonly controllersHealthy: number;

    /** Controllers of the plugin. */
    readonly controllersExpected: number;

    /** Nodes with a healthy plugin. */
    readonly nodesHealthy: number;

    /** Nodes with the plugin. */
    readonly nodesExpected: number;

    /** Value of Nomad for exhausted resources, a time in seconds. */
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

    /** Capabilities: pairs of access mode and attachment mode. */
    readonly capabilities?: GetCsiVolumeCapabilityResult[] | undefined;

    /** How the volume is mounted. Cannot change while the volume is in use. */
    readonly mountOptions?: GetCsiVolumeMountOptionsResult | undefined;

    /** Parameters: key-value pairs for the CSI plugin. */
    readonly parameters?: Record<string, string> | undefined;

    /** Volume context: key-value pairs for the CSI plugin. Removing all of them replaces the volume. */
    readonly context?: Record<string, string> | undefined;

    /** Required and preferred topologies: maps of segments. */
    readonly requestedTopologies?: GetCsiVolumeRequestedTopologiesResult | undefined;

    /** Minimum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged. */
    readonly capacityMin: number;

    /** Maximum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged. */
    readonly capacityMax: number;

    /** Index of the last write in the result. Given as `index`, the next call waits for a later write. */
    readonly index: number;
}

/** Arguments of `getCsiVolumes`. */
export interface GetCsiVolumesArgs {
    /** Namespace, or `*` for all. Defaults to the `namespace` of the settings, else `default`. */
    namespace?: string | undefined;

    /** Only volumes on nodes whose id has this prefix: an even number of hexadecimal digits. */
    nodeId?: string | undefined;

    /** Only volumes of plugins whose id has this prefix: an even number of hexadecimal digits. Nomad needs the whole id. */
    pluginId?: string | undefined;

    /** Maximum number of volumes. Default: all. */
    limit?: number | undefined;

    /** Waits for a result that is newer than the `index` of an earlier one. Default: no wait. */
    index?: number | undefined;

    /** Maximum time to wait, with `index`: whole seconds, or a string such as `5m`. Default: one minute. Then the result is the present state. The wait counts as one of the `maxConcurrency` requests. */
    wait?: number | string | undefined;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: string | undefined;
}

/** Arguments of `getCsiVolumesOutput`. */
export interface GetCsiVolumesOutputArgs {
    /** Namespace, or `*` for all. Defaults to the `namespace` of the settings, else `default`. */
    namespace?: pulumi.Input<string | undefined>;

    /** Only volumes on nodes whose id has this prefix: an even number of hexadecimal digits. */
    nodeId?: pulumi.Input<string | undefined>;

    /** Only volumes of plugins whose id has this prefix: an even number of hexadecimal digits. Nomad needs the whole id. */
    pluginId?: pulumi.Input<string | undefined>;

    /** Maximum number of volumes. Default: all. */
    limit?: pulumi.Input<number | undefined>;

    /** Waits for a result that is newer than the `index` of an earlier one. Default: no wait. */
    index?: pulumi.Input<number | undefined>;

    /** Maximum time to wait, with `index`: whole seconds, or a string such as `5m`. Default: one minute. Then the result is the present state. The wait counts as one of the `maxConcurrency` requests. */
    wait?: pulumi.Input<number | string | undefined>;

    /** Name of an entry of `statecraft:connections`, whose settings are used. Default: the settings of the product. */
    connection?: pulumi.Input<string | undefined>;
}

/** A volume as listed. */
export interface ListedCsiVolume {
    /** Id of the volume, which jobs use. */
    readonly volumeId: string;

    /** Id of the volume at the storage provider. */
    readonly externalId: string;

    /** Namespace of the volume. */
    readonly namespace: string;

    /** Display name. */
    readonly name: string;

    /** Topologies from which the volume is accessible. */
    readonly topologies: Record<string, string>[];

    /** Access mode. */
    readonly accessMode: string;

    /** Attachment mode. */
    readonly attachmentMode: string;

    /** Id of the plugin. */
    readonly pluginId: string;

    /** Name of the storage provider. */
    readonly provider: string;

    /** Whether the plugin needs a controller. */
    readonly controllerRequired: boolean;

    /** Whether the volume is schedulable, as of the last read. */
    readonly schedulable: boolean;

    /** Healthy controllers of the plugin. */
    readonly controllersHealthy: number;

    /** Controllers of the plugin. */
    readonly controllersExpected: number;

    /** Nodes with a healthy plugin. */
    readonly nodesHealthy: number;

    /** Nodes with the plugin. */
    readonly nodesExpected: number;

    /** Value of Nomad for exhausted resources, a time in seconds. */
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
    WorkspaceLock: { args: WorkspaceLockArgs; outputs: WorkspaceLockOutputs };
    CsiVolumeDetachment: { args: CsiVolumeDetachmentArgs; outputs: CsiVolumeDetachmentOutputs };
    CsiVolume: { args: CsiVolumeArgs; outputs: CsiVolumeOutputs };
}

/** Types of every function, by its name. */
export interface FunctionTypes {
    getAuthConfig: { args: GetAuthConfigArgs; result: GetAuthConfigResult };
    getAuthRole: { args: GetAuthRoleArgs; result: GetAuthRoleResult };
    getAuthRoles: { args: GetAuthRolesArgs; result: GetAuthRolesResult };
    login: { args: LoginArgs; result: LoginResult };
    getSnapshotConfig: { args: GetSnapshotConfigArgs; result: GetSnapshotConfigResult };
    getSnapshotConfigs: { args: GetSnapshotConfigsArgs; result: GetSnapshotConfigsResult };
    getSnapshotStatus: { args: GetSnapshotStatusArgs; result: GetSnapshotStatusResult };
    downloadState: { args: DownloadStateArgs; result: DownloadStateResult };
    getCurrentStateVersion: { args: GetCurrentStateVersionArgs; result: GetCurrentStateVersionResult };
    getStateVersion: { args: GetStateVersionArgs; result: GetStateVersionResult };
    getStateVersions: { args: GetStateVersionsArgs; result: GetStateVersionsResult };
    getWorkspace: { args: GetWorkspaceArgs; result: GetWorkspaceResult };
    getCsiVolume: { args: GetCsiVolumeArgs; result: GetCsiVolumeResult };
    getCsiVolumes: { args: GetCsiVolumesArgs; result: GetCsiVolumesResult };
}
