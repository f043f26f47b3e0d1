/** The control API below `/simulator`: for tests and for people who try things out. It asks for no token. */

import type { Hono } from "hono";
import { z } from "zod";
import type { World } from "./app";
import { isObject, parsed } from "./json";
import { badRequest, validated } from "./refusal";
import type { Seed } from "./seed";

const seedBody = z.custom<Seed>((value) => value === undefined || isObject(value), "a seed is an object").default({});
const clockBody = z.object({ advance: z.number() });

/** Adds the routes. `addSeed` and `reset` do what a seed asks for. */
export function addControlRoutes(
    app: Hono,
    { store }: World,
    addSeed: (seed: Seed) => void,
    reset: (seed: Seed) => void,
): void {
    const add = <Schema extends z.ZodType>(path: string, schema: Schema, act: (body: z.output<Schema>) => void) =>
        app.post(`/simulator${path}`, async (c) => {
            const text = (await c.req.text()).trim();
            const value = text === "" ? undefined : parsed(text);
            if (value === undefined && text !== "") throw badRequest("the body is not JSON");
            act(validated(schema, value));
            return c.body(null, 204);
        });
    app.get("/simulator/state", (c) => c.json(store));
    add("/seed", seedBody, addSeed);
    add("/reset", seedBody, reset);
    add("/clock", clockBody, ({ advance }) => {
        store.clockOffset += advance;
    });
}
