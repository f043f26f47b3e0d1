/**
 * What the secrets manager holds. Objects lie under their paths without `/v1/`, such as `auth/clouda/role/web`, and in a namespace
 * under `<namespace>@<path>`.
 */

import { randomBytes } from "node:crypto";
import type { JsonObject } from "../json";

/** The value of a field. Durations and delays are whole seconds. */
export type Value = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** An object's fields by name. */
export type Fields = Record<string, Value>;

/** A configuration of automated snapshots, and what came of it. */
export interface StoredSnapshotConfig {
    /** Fields that were set, those of a former storage type too. */
    fields: Fields;
    /** Those that are kept, oldest first. */
    snapshots: { url: string; size: number }[];
    /** The answer of the status endpoint. */
    status: Readonly<Record<string, string>>;
    /** When the next one falls due: milliseconds of the clock. */
    due: number;
}

/** What the manager's own environment holds of a configuration of the login method; it wins over what is stored, which is what a read shows. */
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

/** The secrets manager's part of the store. */
export interface ManagerStore {
    /** Whether it has the licence that automated snapshots need. */
    licensed: boolean;
    /** Signs and verifies the tokens of machines, as the cloud provider would. */
    readonly identityKey: string;
    logins: LoginToken[];
    loginSurroundings: LoginSurroundings;
    /** Where the login method is mounted, in every namespace alike. */
    mounts: string[];
    loginConfigs: Record<string, Fields>;
    roles: Record<string, Fields>;
    snapshotConfigs: Record<string, StoredSnapshotConfig>;
    /** All objects that are fields and nothing else. */
    objects: Record<string, JsonObject>;
}

/** A manager without objects. */
export function emptyManager(): ManagerStore {
    return {
        licensed: true,
        identityKey: randomBytes(32).toString("hex"),
        logins: [],
        loginSurroundings: {},
        mounts: ["clouda"],
        loginConfigs: {},
        roles: {},
        snapshotConfigs: {},
        objects: {},
    };
}
