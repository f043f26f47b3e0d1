/** What a route is: a function from a request and the store to a reply. */

import { randomBytes } from "node:crypto";
import type { Seed } from "./seed";
import type { Store } from "./store";

/** A request, its body read whole. */
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

/** A response. An object is sent as JSON, a string as `text/plain`, bytes as `application/octet-stream`, nothing as an empty body. */
export interface Reply {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly contentType?: string;
    readonly body?: object | string | Buffer;
}

/** What a route gets. */
export interface Context {
    readonly request: Request;
    /** Plain JSON, changed in place and saved after each request that is not a read. */
    readonly store: Store;
    /** Path parameters, decoded. */
    readonly parameters: Readonly<Record<string, string>>;
    /** The time on the simulator's clock. */
    readonly now: Date;
    /** Address of the simulator without trailing slash, for the addresses in answers. */
    readonly url: string;
}

/**
 * One endpoint. `path` holds parameters as `:name`; `:name+` may hold slashes. The first route that fits answers; `*` as the method takes what no
 * route for one method takes.
 */
export interface Route {
    readonly method: string;
    readonly path: string;
    respond(context: Context): Reply;
    /** Seconds since its arrival for which a request waits for a change, or nothing to answer it now. Asked again after every change. */
    holds?(context: Context): number | undefined;
}

/** A service. */
export interface SimulatedService {
    readonly routes: readonly Route[];
    /** Adds the seed's objects. Throws what a write would answer. */
    seed(seed: Seed, store: Store, now: Date): void;
    /** Does what fell due by now. */
    tick?(store: Store, now: Date): void;
}

/** A new random id with a prefix, such as `sv-8f2c…`. */
export function newId(prefix: string): string {
    return `${prefix}-${randomBytes(8).toString("hex")}`;
}
