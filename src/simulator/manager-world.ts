/** What the secrets manager holds. */

/** A role as stored. A bound list that was never sent is absent; old spellings are present while they were used last. */
export interface StoredRole {
    bound: Record<string, string[]>;
    token: TokenFields;
    old: Record<string, string[] | number>;
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
    /** Those that are kept, oldest first. */
    snapshots: { url: string; size: number }[];
    status: SnapshotStatus;
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

/** The secrets manager's part of the world. */
export interface ManagerWorld {
    /** Where the login method is mounted, in every namespace alike. */
    mounts: string[];
    /** By namespace (empty for the root), mount and name in lower case. */
    roles: Record<string, Record<string, Record<string, StoredRole>>>;
    snapshotConfigs: Record<string, StoredSnapshotConfig>;
}
