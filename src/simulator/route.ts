/** What a route of the simulator is: pure functions from a request and the world to a reply. */

import type { Manners } from "./manners";
import type { Seed, TokenSeed } from "./seed";
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
