/** The control API below `/simulator`: for tests and for people who try things out. It asks for no token. */

import type { Hono } from "hono";
import { z } from "zod";
import type { World } from "./app";
import { isObject, parsed } from "./json";
import { badRequest, validated } from "./refusal";
import type { Seed } from "./seed";

const seedBody = z.custom<Seed>((value) => value === undefined || isObject(value), "a seed is an object").default({});
const clockBody = z.object({ advance: z.number() });

/** What the control API does to all services. */
export interface Control {
    seed(seed: Seed): void;
    reset(seed: Seed): void;
}

/** The routes that concern no single service. */
export function addControlRoutes(app: Hono, { store }: World, { seed, reset }: Control): void {
    app.get("/simulator", (c) => c.json({ simulator: store.id, version: 1 }));
    app.get("/simulator/state", (c) => c.json(store));
    addControl(app, "POST", "/seed", seedBody, seed);
    addControl(app, "POST", "/reset", seedBody, reset);
    addControl(app, "POST", "/clock", clockBody, ({ advance }) => {
        store.clockOffset += advance;
    });
}

/** Adds a route. The answer is 200 with the object that `act` returns, or 204. `id` is the last part of the path. */
export function addControl<Schema extends z.ZodType>(
    app: Hono,
    method: string,
    path: string,
    schema: Schema,
    act: (body: z.output<Schema>, id: string) => unknown,
): void {
    app.on(method, `/simulator${path}`, async (c) => {
        const text = (await c.req.text()).trim();
        const value = text === "" ? undefined : parsed(text);
        if (value === undefined && text !== "") throw badRequest("the body is not JSON");
        const answer = act(validated(schema, value), c.req.param("id") ?? "");
        return typeof answer === "object" && answer !== null ? c.json(answer) : c.body(null, 204);
    });
}
