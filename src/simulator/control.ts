/** The control door under `/simulator`: for tests and for people who play. It asks for no token, and nothing at it is noted. */

import type { Store } from "./data-file";
import type { Faults } from "./faults";
import type { Journal } from "./journal";
import { mannersIn } from "./manners";
import type { RateLimit } from "./rate-limit";
import type { Reply, Request } from "./route";
import { createRouter } from "./router";
import type { Seed, TokenSeed } from "./seed";
import { layInto, moveClock, resetWorld } from "./store";

/** What the control door works on. */
export interface Controlled {
    readonly store: Store;
    readonly faults: Faults;
    readonly journal: Journal;
    readonly rateLimit: RateLimit;
    readonly url: string;
    /** Tokens that a reset does not forget. */
    readonly tokens: readonly TokenSeed[];
}

interface ControlRoute {
    readonly method: string;
    readonly path: string;
    respond(controlled: Controlled, body: unknown): Reply;
}

const done: Reply = { status: 204 };

const routes: readonly ControlRoute[] = [
    {
        method: "GET",
        path: "/simulator",
        respond: ({ store }) => ({ status: 200, body: { simulator: store.world.id, version: 1 } }),
    },
    {
        method: "POST",
        path: "/simulator/reset",
        respond: (controlled, body) => {
            resetWorld(controlled.store.world, controlled.tokens, seedOf(body), controlled.url);
            return done;
        },
    },
    {
        method: "POST",
        path: "/simulator/seed",
        respond: (controlled, body) => {
            layInto(controlled.store.world, seedOf(body), controlled.url);
            return done;
        },
    },
    {
        method: "POST",
        path: "/simulator/faults",
        respond: ({ faults }, body) => {
            faults.add(body);
            return done;
        },
    },
    {
        method: "DELETE",
        path: "/simulator/faults",
        respond: ({ faults }) => {
            faults.clear();
            return done;
        },
    },
    {
        method: "PUT",
        path: "/simulator/rate-limit",
        respond: ({ rateLimit }, body) => {
            rateLimit.set(body);
            return done;
        },
    },
    {
        method: "DELETE",
        path: "/simulator/rate-limit",
        respond: ({ rateLimit }) => {
            rateLimit.lift();
            return done;
        },
    },
    {
        method: "PUT",
        path: "/simulator/manners",
        respond: ({ store }, body) => {
            store.world.manners = mannersIn(body);
            return done;
        },
    },
    {
        method: "POST",
        path: "/simulator/clock",
        respond: ({ store, url }, body) => {
            moveClock(store.world, secondsOf(body), url);
            return done;
        },
    },
    {
        method: "GET",
        path: "/simulator/requests",
        respond: ({ journal }) => ({ status: 200, body: journal.list() }),
    },
    {
        method: "DELETE",
        path: "/simulator/requests",
        respond: ({ journal }) => {
            journal.clear();
            return done;
        },
    },
    {
        method: "GET",
        path: "/simulator/state",
        respond: ({ store }) => ({ status: 200, body: store.world }),
    },
];

const find = createRouter(routes);

/** Whether a path belongs to the control door. */
export function isControl(path: string): boolean {
    return path === "/simulator" || path.startsWith("/simulator/");
}

/** The door's answer, or nothing if the request is for a control route of a service. */
export function control(request: Request, controlled: Controlled): Reply | undefined {
    const match = find(request.method, request.path);
    if (match === undefined) return undefined;
    try {
        return match.route.respond(controlled, bodyOf(request));
    } catch (error) {
        return { status: 400, body: { errors: [error instanceof Error ? error.message : String(error)] } };
    }
}

function bodyOf(request: Request): unknown {
    const text = request.body.toString("utf8");
    if (text.trim() === "") return undefined;
    try {
        return JSON.parse(text);
    } catch {
        throw new Error("the body is no JSON");
    }
}

function seedOf(body: unknown): Seed {
    if (body === undefined) return {};
    if (typeof body !== "object" || body === null || Array.isArray(body)) throw new Error("a seed is an object");
    return body;
}

function secondsOf(body: unknown): number {
    const advance = typeof body === "object" && body !== null && "advance" in body ? body.advance : undefined;
    if (typeof advance !== "number" || !Number.isFinite(advance)) throw new Error("advance is a number of seconds");
    return advance;
}
