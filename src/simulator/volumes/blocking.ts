/** Blocking queries: reads whose answer waits until something newer than a given index was written. */

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { HonoRequest } from "hono";
import type { World } from "../app";
import { secondsIn } from "../duration";
import { badRequest } from "../refusal";
import { nowIn } from "../store";

/** In seconds. */
const [defaultWait, longestWait] = [300, 600];

/** Waits as the query `index` and `wait` of a request ask. The simulator's clock counts: moving it may end the wait. */
export async function blocked(request: HonoRequest, world: World): Promise<void> {
    const index = Number(request.query("index") || 0);
    const wait = secondsIn(request.query("wait") || `${defaultWait}s`);
    if (!Number.isSafeInteger(index) || index < 0) throw badRequest("Invalid index");
    if (wait === undefined || wait < 0) throw badRequest("Invalid wait time");
    const { store, changes } = world;
    const end = nowIn(store).getTime() + Math.min(wait, longestWait) * 1000;
    while (index > 0 && store.volumes.index <= index && !world.isClosed) {
        const left = end - nowIn(store).getTime();
        if (left <= 0) return;
        const waiting = new AbortController();
        const { signal } = waiting;
        await Promise.race([once(changes, "change", { signal }), sleep(left, undefined, { signal })]);
        waiting.abort();
    }
}
