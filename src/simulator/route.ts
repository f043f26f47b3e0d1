/** What a route of the simulator is: pure functions from a request and the world to a reply. */

import type { Manners } from "./manners";
import type { Vocabulary } from "./vocabulary";

/** A request as it came in, its body read whole. */
export interface Request {
    /** As sent; `LIST` included. */
    readonly method: string;
    /** Without query, still percent-encoded. */
    readonly path: string;
    readonly query: URLSearchParams;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
}

/** An answer. An object is sent as JSON, text as `text/plain`, bytes as `application/octet-stream`, nothing as an empty body. */
export interface Reply {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly contentType?: string;
    readonly body?: object | string | Buffer;
}

/** What a route may use. `Slice` is its service's part of the world: plain JSON, changed in place, saved after each request that is not a read. */
export interface Context<Slice> {
    readonly world: Slice;
    /** Path parameters, decoded. */
    readonly parameters: Readonly<Record<string, string>>;
    /** The simulator's clock, which the control door moves. */
    now(): Date;
    /** Address of the simulator without trailing slash, for the addresses that answers hold. */
    readonly url: string;
    /** Whose rules hold. Names are the documents' everywhere behind the mouth. */
    readonly vocabulary: Vocabulary;
    /** How this service behaves where the documents leave it open. */
    readonly manners: Manners;
    /** Tokens known to the simulator; empty when any token will do. */
    readonly tokens: readonly TokenSeed[];
    /** A new random id with a prefix, such as `sv-8f2c…`. */
    id(prefix: string): string;
}

/**
 * One endpoint. `path` holds parameters as `:name`; `:name+` may hold slashes. The first route that fits answers; `*` as the method takes what no
 * route for one method takes.
 */
export interface Route<Slice> {
    readonly method: string;
    readonly path: string;
    respond(request: Request, context: Context<Slice>): Reply;
    /**
     * Seconds since its arrival for which the request is held back before it is answered, or nothing to answer it now. Asked
     * again after every change.
     */
    holds?(request: Request, context: Context<Slice>): number | undefined;
}

/** A service: its routes, its empty world, and how a seed is laid into it. */
export interface SimulatedService<Slice> {
    readonly routes: readonly Route<Slice>[];
    empty(): Slice;
    lay(seed: Seed, context: Omit<Context<Slice>, "parameters">): void;
    /** Does what fell due since it was last asked; called when the clock was moved. */
    tick?(context: Omit<Context<Slice>, "parameters">): void;
}

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
    readonly plugins?: readonly PluginSeed[];
    /** Register-payload items, stored as if registered. */
    readonly volumes?: readonly Readonly<Record<string, unknown>>[];
    readonly roles?: readonly {
        readonly mount?: string;
        readonly namespace?: string;
        readonly name: string;
        readonly fields: Readonly<Record<string, unknown>>;
    }[];
    /** Mounts where the login method lives; `clouda` unless told otherwise. */
    readonly mounts?: readonly string[];
    readonly snapshotConfigs?: readonly { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }[];
    /** Configurations of the login method. */
    readonly loginConfigs?: readonly {
        readonly mount?: string;
        readonly namespace?: string;
        readonly fields: Readonly<Record<string, unknown>>;
    }[];
    /** What the secrets manager's own environment holds of such a configuration. */
    readonly loginSurroundings?: { readonly tenant_id?: string; readonly resource?: string };
    /** Whether the secrets manager has the licence that automated snapshots need; it has unless told otherwise. */
    readonly licensed?: boolean;
}

/** A workspace with its state versions, oldest first; the last one is current. */
export interface WorkspaceSeed {
    readonly id: string;
    readonly name: string;
    readonly organization: string;
    readonly stateVersions?: readonly {
        readonly id: string;
        /** Raw state: version, serial, lineage, resources, outputs. */
        readonly state: Readonly<Record<string, unknown>>;
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

/** A CSI plugin and the nodes that run it. */
export interface PluginSeed {
    readonly id: string;
    readonly provider?: string;
    readonly version?: string;
    readonly controllerRequired?: boolean;
    readonly nodes: readonly string[];
    readonly healthy?: boolean;
}
