/** What a process holds: memory and open sockets, at the beginning and at the end of a long run. */

import assert from "node:assert/strict";

/** A look at the process. Memory in MiB, after collecting what nobody holds. */
interface Held {
    readonly rss: number;
    readonly heap: number;
    readonly sockets: number;
}

const mebibyte = 1024 ** 2;

/** Growth in MiB, and in sockets, that is no leak. */
const bounds = { rss: 96, heap: 8, sockets: 8 };

async function look(): Promise<Held> {
    // Sockets that were let go of are closed in the next rounds of the loop.
    for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    return { rss: Math.round(rss / mebibyte), heap: Math.round(heapUsed / mebibyte), sockets };
}

/**
 * Watches the process from now on. What loads and warms up should be done before. `end` prints what was done and what was held, and fails
 * where it grew.
 */
export async function gauge(): Promise<{ end(what: string): Promise<void> }> {
    const before = await look();
    return {
        async end(what) {
            const after = await look();
            console.log(what);
            console.table({ "at the beginning": before, "at the end": after });
            for (const name of ["rss", "heap", "sockets"] as const) {
                assert(after[name] - before[name] <= bounds[name], `${name}: ${before[name]} became ${after[name]}`);
            }
        },
    };
}

const seconds = Number(process.env["STATECRAFT_SOAK_SECONDS"] ?? 60);

/** How long this part of the soak takes, for people. */
export const minutes = `${Math.round(seconds / 6) / 10} minutes`;

/** A number, for people: 147,272. */
export const counted = (count: number): string => count.toLocaleString("en-US");

/** Whether there is time left of it. */
export function stopwatch(): () => boolean {
    const end = Date.now() + seconds * 1000;
    return () => Date.now() < end;
}
