/**
 * The simulator as a function from a request to a response, over a store.
 *
 * | step                                          | with the product's names only |
 * |-----------------------------------------------|-------------------------------|
 * | rename headers and body                       | yes                           |
 * | do what is due by the clock                   |                               |
 * | answer by a route                             |                               |
 * | after a write: wake blocked reads, save       |                               |
 * | rename headers and body of the answer         | yes                           |
 */

import { EventEmitter } from "node:events";
import { Hono } from "hono";
import { PatternRouter } from "hono/router/pattern-router";
import { addControlRoutes } from "./control";
import { addManagerRoutes, seedManager, takeDueSnapshots } from "./manager/routes";
import { renamed } from "./product-names";
import { Refusal, refusalResponse } from "./refusal";
import type { Seed, TokenSeed } from "./seed";
import { addStateVersionRoutes, seedWorkspaces } from "./state-versions/routes";
import { loadStore, type Names, newStore, nowIn, type Store, saveStore } from "./store";
import { addVolumeRoutes, seedVolumes } from "./volumes/routes";

/** How to make a simulator. */
export interface SimulatorOptions {
    /** Default: `documents`. */
    readonly names?: Names | undefined;
    /** The data file. Without one everything is in memory. */
    readonly file?: string | undefined;
    /** Added only if there is no data file yet. */
    readonly seed?: Seed;
    /** Tokens beside the seed's. A reset keeps them, and the data file does not hold them. */
    readonly tokens?: readonly TokenSeed[];
}

/** A function from a request to a response. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** A simulator without a socket. */
export interface Simulator {
    readonly store: Store;
    readonly fetch: Fetch;
}

/** What the routes work on. */
export interface World {
    readonly store: Store;
    readonly names: Names;
    /** Emits `change` after every write. */
    readonly changes: EventEmitter;
}

const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "LIST"]);

/** Makes a simulator. */
export function createSimulator({ names = "documents", file, seed = {}, tokens = [] }: SimulatorOptions): Simulator {
    const loaded = file === undefined ? undefined : loadStore(file);
    const store = loaded ?? newStore();
    const world: World = { store, names, changes: new EventEmitter().setMaxListeners(0) };
    const given = new Set(tokens.map(({ token }) => token));
    const save = () => {
        if (file === undefined) return;
        saveStore(file, { ...store, tokens: store.tokens.filter(({ token }) => !given.has(token)) });
    };
    addTokens(store, tokens);
    if (loaded === undefined) addSeed(world, seed);
    save();

    const app = new Hono({ router: new PatternRouter() });
    app.use(async ({ req }, next) => {
        takeDueSnapshots(store.manager, names, nowIn(store));
        await next();
        if (reads.has(req.method)) return;
        world.changes.emit("change");
        save();
    });
    const seedWith = (added: Seed) => addSeed(world, added);
    addControlRoutes(app, world, seedWith, (added) => resetStore(world, tokens, added));
    addManagerRoutes(app, world);
    addVolumeRoutes(app, world);
    addStateVersionRoutes(app, world);
    // Not 404: clients take that as an absent object.
    app.notFound(({ req }) => refusalResponse(req.path, new Refusal(501, `no route: ${req.method} ${req.path}`)));
    app.onError((error, { req }) => {
        if (error instanceof Refusal) return refusalResponse(req.path, error);
        return refusalResponse(req.path, new Refusal(500, `the simulator itself failed: ${error.stack}`));
    });
    const fetch: Fetch = (request) => app.fetch(request);
    return { store, fetch: names === "product" ? renamed(fetch) : fetch };
}

function addTokens(store: Store, tokens: readonly TokenSeed[]): void {
    const added = new Set(tokens.map(({ token }) => token));
    store.tokens = [...store.tokens.filter(({ token }) => !added.has(token)), ...tokens];
}

/** Adds a seed. */
function addSeed(world: World, seed: Seed): void {
    addTokens(world.store, seed.tokens ?? []);
    seedManager(seed, world);
    seedVolumes(seed, world);
    seedWorkspaces(seed, world);
}

/** Removes everything but these tokens, and adds a seed. If a service refuses the seed, nothing changes. */
function resetStore(world: World, tokens: readonly TokenSeed[], seed: Seed): void {
    const next: Store = { ...newStore(), tokens: [...tokens] };
    addSeed({ ...world, store: next }, seed);
    Object.assign(world.store, next);
}
