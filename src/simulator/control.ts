/** The control API's routes that concern no single service. */

import { z } from "zod";
import { anyBody, controlRoute } from "./control-route";
import type { KeptStore } from "./data-file";
import { type Faults, faultsBody } from "./faults";
import type { Journal } from "./journal";
import { isObject } from "./json";
import { mannersByService } from "./manners";
import { type RateLimit, rateLimitBody } from "./rate-limit";
import type { Route } from "./route";
import type { Seed, TokenSeed } from "./seed";
import { addSeed, moveClock, resetStore } from "./services";

/** What the control API works on. */
export interface Controlled {
    readonly kept: KeptStore;
    readonly faults: Faults;
    readonly journal: Journal;
    readonly rateLimit: RateLimit;
    /** Tokens that a reset does not forget. */
    readonly tokens: readonly TokenSeed[];
}

const seedBody = z.custom<Seed>((value) => value === undefined || isObject(value), "a seed is an object").default({});
const clockBody = z.object({ advance: z.number() });

/** Whether a path belongs to the control API. */
export function isControl(path: string): boolean {
    return path === "/simulator" || path.startsWith("/simulator/");
}

/** The routes for a simulator. */
export function controlRoutes({ kept: { store }, faults, journal, rateLimit, tokens }: Controlled): Route[] {
    return [
        controlRoute("GET", "", anyBody, () => ({ simulator: store.id, version: 1 })),
        controlRoute("GET", "/state", anyBody, () => store),
        controlRoute("POST", "/reset", seedBody, (seed) => resetStore(store, tokens, seed)),
        controlRoute("POST", "/seed", seedBody, (seed) => addSeed(store, seed)),
        controlRoute("POST", "/clock", clockBody, ({ advance }) => moveClock(store, advance)),
        controlRoute("PUT", "/manners", mannersByService, (manners) => {
            store.manners = manners;
        }),
        controlRoute("POST", "/faults", faultsBody, (added) => faults.add(added)),
        controlRoute("DELETE", "/faults", anyBody, () => faults.clear()),
        controlRoute("PUT", "/rate-limit", rateLimitBody, (settings) => rateLimit.set(settings)),
        controlRoute("DELETE", "/rate-limit", anyBody, () => rateLimit.clear()),
        controlRoute("GET", "/requests", anyBody, () => journal.list()),
        controlRoute("DELETE", "/requests", anyBody, () => journal.clear()),
    ];
}
