/** What the secrets manager holds. */

/** A role as stored. A bound list that was never sent is absent; old spellings are present while they were used last. */
export interface StoredRole {
    bound: Record<string, string[]>;
    token: TokenFields;
    old: Record<string, string[] | number>;
    /** Only where real servers' rules hold. */
    aliasMetadata?: Record<string, string>;
}

/** The fields of the tokens that a role gives. Durations are whole seconds. */
export interface TokenFields {
    token_bound_cidrs: string[];
    token_explicit_max_ttl: number;
    token_max_ttl: number;
    token_no_default_policy: boolean;
    token_num_uses: number;
    token_period: number;
    token_policies: string[];
    token_ttl: number;
    token_type: string;
}

/** A configuration of automated snapshots, and what came of it. */
export interface StoredSnapshotConfig {
    /** Fields that were set, those of a former storage type too. */
    fields: Record<string, string | number | boolean>;
    /** Whose presets its unset fields have; the documents' unless told. */
    vocabulary?: "product";
    /** Those that are kept, oldest first. */
    snapshots: { url: string; size: number }[];
    status: SnapshotStatus;
    /** When the next one falls due: milliseconds of the clock. */
    due?: number;
}

/** The answer of the status endpoint. */
export interface SnapshotStatus {
    last_snapshot_start: string;
    last_snapshot_end: string;
    last_snapshot_error: string;
    last_snapshot_url: string;
    snapshot_start: string;
    snapshot_url: string;
}

/** A configuration of the login method. Delays are whole seconds. */
export interface StoredLoginConfig {
    tenant_id: string;
    resource: string;
    environment: string;
    client_id: string;
    client_secret: string;
    max_retries: number;
    max_retry_delay: number;
    retry_delay: number;
    /** The secret is of the manager's own making, and no read shows it. */
    isRotated: boolean;
}

/** What the manager's own environment holds of a configuration; it wins over what is stored, which is what a read shows. */
export interface LoginSurroundings {
    readonly tenant_id?: string;
    readonly resource?: string;
}

/** A token that a login made. */
export interface LoginToken {
    readonly token: string;
    readonly accessor: string;
    readonly policies: readonly string[];
    /** Milliseconds of the clock. */
    readonly expires: number;
    /** Absent where there is no limit. */
    usesLeft?: number;
}

/** The secrets manager's part of the world. */
export interface ManagerWorld {
    /** Whether it has the licence that automated snapshots need. */
    licensed: boolean;
    /** Signs and verifies the tokens of machines, as the cloud provider would. */
    readonly identityKey: string;
    logins: LoginToken[];
    /** By namespace (empty for the root) and mount. */
    loginConfigs: Record<string, Record<string, StoredLoginConfig>>;
    /** Nothing unless told otherwise. */
    loginSurroundings?: LoginSurroundings;
    /** Where the login method is mounted, in every namespace alike. */
    mounts: string[];
    /** By namespace (empty for the root), mount and name in lower case. */
    roles: Record<string, Record<string, Record<string, StoredRole>>>;
    snapshotConfigs: Record<string, StoredSnapshotConfig>;
}
