/** The objects that a simulator can begin with. */

import type { JsonObject } from "./json";
import type { ManagerStore } from "./manager/records";
import type { Run } from "./state-versions/records";
import type { Plugin } from "./volumes/records";

/** A token and its holder. */
export interface TokenSeed {
    readonly token: string;
    readonly kind: "user" | "team" | "organization";
    readonly id: string;
    /** The rights of the token's holder. Default: `write`. */
    readonly access?: "write" | "read" | "none";
    /** Whether the holder owns the organization. Default: true. */
    readonly owner?: boolean;
    /** Whether the token has Vault's capability `sudo`. Default: true. */
    readonly sudo?: boolean;
    /** The time at which the token ends, in milliseconds on the simulator's clock. Default: never. */
    readonly ends?: number;
    /** Whether it is a batch token, which cannot be revoked. Default: false. */
    readonly isBatch?: boolean;
}

/** A role of a JWT method or an AppRole of Vault, or an auth method of Nomad. */
export interface LoginRole {
    /** The mount at Vault, or the name of the auth method at Nomad. */
    readonly at: string;
    readonly namespace?: string;
    /** The name of the role, or the ID of the AppRole. Empty for Nomad. */
    readonly name: string;
    readonly secretId?: string;
    readonly audiences?: readonly string[];
    /** The life of its tokens, in seconds. */
    readonly ttl: number;
    readonly type?: "service" | "batch";
    readonly uses?: number;
    readonly policies?: readonly string[];
    /** The rights of its tokens. Default: `write`. */
    readonly access?: TokenSeed["access"];
}

export interface Seed {
    readonly tokens?: readonly TokenSeed[];
    readonly logins?: readonly LoginRole[];
    readonly workspaces?: readonly WorkspaceSeed[];
    readonly plugins?: readonly (Readonly<Partial<Plugin>> & Pick<Plugin, "id" | "nodes">)[];
    /** Namespaces of volumes beside `default` and those of `volumes`. */
    readonly namespaces?: readonly string[];
    /** Volumes, in the form of the body of a registration. */
    readonly volumes?: readonly JsonObject[];
    /** Roles of the login method. */
    readonly roles?: readonly (MountedSeed & { readonly name: string })[];
    /** Mounts of the login method. Default: `clouda`, or `azure` with the product's names. */
    readonly mounts?: readonly string[];
    readonly snapshotConfigs?: readonly { readonly name: string; readonly fields: JsonObject }[];
    /** Configurations of the login method. */
    readonly loginConfigs?: readonly MountedSeed[];
    /** Environment variables of the secrets manager that replace fields of the login method's configuration. */
    readonly loginSurroundings?: ManagerStore["loginSurroundings"];
    /** Whether the secrets manager has the enterprise license that automated snapshots need. Default: true. */
    readonly licensed?: boolean;
}

/** The body that writes an object of the login method. Default: in the root namespace, at the default mount. */
export interface MountedSeed {
    readonly mount?: string;
    readonly namespace?: string;
    readonly fields: JsonObject;
}

/** A workspace with its state versions, oldest first. The last one that is not intermediate is current. */
export interface WorkspaceSeed {
    readonly id: string;
    readonly name: string;
    readonly organization: string;
    readonly stateVersions?: readonly {
        readonly id: string;
        /** Raw state: version, serial, lineage, resources, outputs. */
        readonly state: JsonObject;
        readonly createdAt?: string;
        readonly createdBy?: string;
        readonly run?: string;
        /** Default: false. */
        readonly intermediate?: boolean;
        readonly vcsCommit?: { readonly sha: string; readonly url: string };
    }[];
    readonly locked?: {
        readonly by: { readonly type: "users" | "teams" | "runs"; readonly id: string };
        readonly reason?: string;
    };
    /** Whether runs apply their plans by themselves. Default: false. */
    readonly autoApply?: boolean;
    /** Runs, oldest first. The last one is current. */
    readonly runs?: readonly (Readonly<Partial<Run>> & Pick<Run, "id">)[];
}
