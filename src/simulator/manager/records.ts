/**
 * What the secrets manager holds. Objects lie under their paths without `/v1/`, such as `auth/clouda/role/web`, and in a namespace
 * under `<namespace>@<path>`.
 */

/** An object's fields by name. Durations are whole seconds. */
export type Fields = Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>>>;

/** A configuration of automated snapshots. */
export interface StoredSnapshotConfig {
    /** Fields that were set, those of a former storage type too. */
    fields: Fields;
    /** The answer of the status endpoint. */
    status: Readonly<Record<string, string>>;
    /** When the next snapshot is due: milliseconds of the clock. */
    due: number;
}

/** The secrets manager's part of the store. */
export interface ManagerStore {
    /** Whether it has the licence that automated snapshots need. */
    licensed: boolean;
    /** The manager's environment variables. They win over a stored configuration of the login method; a read shows the stored one. */
    loginSurroundings: { readonly tenant_id?: string; readonly resource?: string };
    /** Where the login method is mounted, in every namespace alike. Empty until the first seed. */
    mounts: string[];
    loginConfigs: Record<string, Fields>;
    roles: Record<string, Fields>;
    snapshotConfigs: Record<string, StoredSnapshotConfig>;
}

/** A manager without objects. */
export function emptyManager(): ManagerStore {
    return { licensed: true, loginSurroundings: {}, mounts: [], loginConfigs: {}, roles: {}, snapshotConfigs: {} };
}
