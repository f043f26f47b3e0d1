/** What a simulator can begin with: tokens and objects of the services. */

import type { JsonObject } from "./json";
import type { LoginSurroundings } from "./manager/records";
import type { Plugin } from "./volumes/records";

/** A token and who holds it. `access` is `write` unless told otherwise. */
export interface TokenSeed {
    readonly token: string;
    readonly kind: "user" | "team" | "organization";
    readonly id: string;
    readonly access?: "write" | "read" | "none";
    /** Whether it is an owner's. So is whatever may write, unless told otherwise. */
    readonly owner?: boolean;
    /** The permissions that it has, by the documents' names, such as `namespace:csi-read-volume`: where they are told they count instead of `access`. */
    readonly permissions?: readonly string[];
    /** At the secrets manager: where they are given, what they name is allowed and nothing else. */
    readonly capabilities?: readonly Grant[];
}

/** What a token may do below a path, written without `/v1/`. A `*` at its end stands for anything, a `+` for one segment; the most exact path counts. */
export interface Grant {
    readonly path: string;
    readonly capabilities: readonly ("create" | "read" | "update" | "delete" | "list" | "sudo" | "deny")[];
}

/** Objects to begin with. */
export interface Seed {
    readonly tokens?: readonly TokenSeed[];
    readonly workspaces?: readonly WorkspaceSeed[];
    readonly plugins?: readonly (Readonly<Partial<Plugin>> & Pick<Plugin, "id" | "nodes">)[];
    /** Register-payload items, stored as if registered. */
    readonly volumes?: readonly JsonObject[];
    /** Roles of the login method. */
    readonly roles?: readonly (MountedSeed & { readonly name: string })[];
    /** Mounts where the login method lives; `clouda` unless told otherwise. */
    readonly mounts?: readonly string[];
    readonly snapshotConfigs?: readonly { readonly name: string; readonly fields: JsonObject }[];
    /** Configurations of the login method. */
    readonly loginConfigs?: readonly MountedSeed[];
    /** What the secrets manager's own environment holds of such a configuration. */
    readonly loginSurroundings?: LoginSurroundings;
    /** Whether the secrets manager has the licence that automated snapshots need; it has unless told otherwise. */
    readonly licensed?: boolean;
}

/** An object of the login method, as it would be written; in the root namespace and at the usual mount unless told otherwise. */
export interface MountedSeed {
    readonly mount?: string;
    readonly namespace?: string;
    readonly fields: JsonObject;
}

/** A workspace with its state versions, oldest first; the last one is current. */
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
        readonly vcsCommit?: { readonly sha: string; readonly url: string };
    }[];
    readonly locked?: {
        readonly by: { readonly type: "users" | "teams" | "runs"; readonly id: string };
        readonly reason?: string;
    };
}
