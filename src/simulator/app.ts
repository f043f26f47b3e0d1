/**
 * The simulator as a function from a request to a response.
 *
 * | step                                               | when                           |
 * |----------------------------------------------------|--------------------------------|
 * | refuse a request to another host                   | always                         |
 * | translate headers and body to the documents' names | with the product's names       |
 * | take the snapshots that are due                    | always                         |
 * | answer                                             | always                         |
 * | let blocking queries look again                    | after a write                  |
 * | translate headers and body of the answer           | with the product's names       |
 */

import { EventEmitter } from "node:events";
import { Hono } from "hono";
import { PatternRouter } from "hono/router/pattern-router";
import { addManagerRoutes, seedManager, takeDueSnapshots } from "./manager/routes";
import { renamed } from "./product-names";
import { Refusal, refusalResponse } from "./refusal";
import type { Seed, TokenSeed } from "./seed";
import { addStateVersionRoutes, seedWorkspaces } from "./state-versions/routes";
import { type Fetch, type Names, newStore, nowIn, type Store, type World } from "./store";
import { addVolumeRoutes, seedVolumes } from "./volumes/routes";

export interface SimulatorOptions {
    /** The names and rules that the simulator uses. Default: `documents`. */
    readonly names?: Names;
    readonly seed?: Seed;
}

/** A simulator without a socket. */
export interface Simulator {
    readonly store: Store;
    readonly fetch: Fetch;
}

const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "LIST"]);

export function createSimulator({ names = "documents", seed = {} }: SimulatorOptions): Simulator {
    const store = newStore();
    const world: World = { store, names, changes: new EventEmitter().setMaxListeners(0) };
    addSeed(world, seed);
    const app = new Hono({ router: new PatternRouter() });
    app.use(async ({ req }, next) => {
        takeDueSnapshots(store.manager, names, nowIn(store));
        await next();
        if (!reads.has(req.method)) world.changes.emit("change");
    });
    addControlRoutes(app, world);
    addManagerRoutes(app, world);
    addVolumeRoutes(app, world);
    addStateVersionRoutes(app, world);
    // 501, because clients take 404 for an absent object.
    app.notFound(({ req }) => refusalResponse(req.path, new Refusal(501, `no route: ${req.method} ${req.path}`)));
    app.onError((error, { req }) => {
        if (error instanceof Refusal) return refusalResponse(req.path, error);
        return refusalResponse(req.path, new Refusal(500, `the simulator itself failed: ${error.stack}`));
    });
    const fetch: Fetch = (request) => app.fetch(request);
    const answer = names === "product" ? renamed(fetch) : fetch;
    const refused = ({ url }: Request) => refusalResponse(new URL(url).pathname, notLocal);
    return { store, fetch: (request) => (isLocal(request) ? answer(request) : refused(request)) };
}

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/i;

const notLocal = new Refusal(403, "only localhost, 127.0.0.1 and [::1] may use the simulator");

/** Whether a request names this machine as its host, and comes from no web page of another host. A browser lets any page send requests here. */
const isLocal = ({ url, headers }: Request) => [url, headers.get("origin") ?? url].every((text) => loopback.test(text));

/** The control API below `/simulator`, which needs no token. */
function addControlRoutes(app: Hono, world: World): void {
    const { store } = world;
    const add = (name: string, act: (body: Seed & { readonly advance?: number }) => void) =>
        app.post(`/simulator/${name}`, async (c) => {
            act(JSON.parse((await c.req.text()) || "{}"));
            return c.body(null, 204);
        });
    app.get("/simulator/state", (c) => c.json(store));
    add("seed", (seed) => addSeed(world, seed));
    add("reset", (seed) => {
        Object.assign(store, newStore());
        addSeed(world, seed);
    });
    add("clock", ({ advance = 0 }) => {
        store.clockOffset += advance;
    });
}

/** Adds the objects of a seed. A token, plugin, volume or workspace with the same id is replaced. */
function addSeed(world: World, seed: Seed): void {
    const { tokens = [] } = seed;
    const { store } = world;
    const isReplaced = (old: TokenSeed) => tokens.some(({ token }) => token === old.token);
    store.tokens = [...store.tokens.filter((old) => !isReplaced(old)), ...tokens];
    store.logins = seed.logins ?? store.logins;
    seedManager(seed, world);
    seedVolumes(seed, world);
    seedWorkspaces(seed, world);
}
