/** The objects of the secrets manager, by their paths without `/v1/`, such as `auth/clouda/role/web`, or `<namespace>@<path>`. */

/** An object's fields by name. Durations are whole seconds. */
export type Fields = Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>>>;

/** A configuration of automated snapshots. */
export interface StoredSnapshotConfig {
    /** The fields that were set, also those of an earlier storage type. */
    fields: Fields;
    /** The answer of the status endpoint. */
    status: Readonly<Record<string, string>>;
    /** The time of the next snapshot, in milliseconds. */
    due: number;
}

/** The longest lease of a mount without a maximum of its own, in seconds. */
export const longestLease = 768 * 3600;

/** The secrets manager's part of the store. */
export interface ManagerStore {
    /** Whether it has the enterprise license that automated snapshots need. */
    licensed: boolean;
    /** The manager's environment variables. Logins use them instead of the stored configuration; a read shows the stored one. */
    loginSurroundings: { readonly tenant_id?: string; readonly resource?: string };
    /** The mounts of the login method with their longest leases in seconds, the same in every namespace. Empty until the first seed. */
    mounts: Record<string, number>;
    loginConfigs: Record<string, Fields>;
    roles: Record<string, Fields>;
    snapshotConfigs: Record<string, StoredSnapshotConfig>;
}

export function emptyManager(): ManagerStore {
    return { licensed: true, loginSurroundings: {}, mounts: {}, loginConfigs: {}, roles: {}, snapshotConfigs: {} };
}
