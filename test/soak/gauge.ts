/** Compares the memory and the open sockets of this process before and after a long run. */

import assert from "node:assert/strict";

const mebibyte = 1024 ** 2;

/** The largest growth that does not count as a leak. Memory is in MiB. */
const bounds = { rss: 96, heap: 8, sockets: 8 };

async function measured(): Promise<Record<keyof typeof bounds, number>> {
    // Sockets close in the next rounds of the event loop.
    for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    return { rss: Math.round(rss / mebibyte), heap: Math.round(heapUsed / mebibyte), sockets };
}

/** Measures the process now and again in `end`, which prints both values, and fails if the process has grown. Call after a warm-up. */
export async function gauge(): Promise<{ end(title: string): Promise<void> }> {
    const before = await measured();
    return {
        async end(title) {
            const after = await measured();
            console.log(title);
            console.table({ before, after });
            for (const name of ["rss", "heap", "sockets"] as const) {
                assert(after[name] - before[name] <= bounds[name], `${name}: ${before[name]} became ${after[name]}`);
            }
        },
    };
}

const seconds = Number(process.env["STATECRAFT_SOAK_SECONDS"] ?? 60);

/** The duration of each soak test, as text. */
export const minutes = `${Math.round(seconds / 6) / 10} minutes`;

/** Formats a number, such as `147,272`. */
export const counted = (count: number): string => count.toLocaleString("en-US");

/** Starts the time of a soak test. Returns a function that returns whether the test continues. */
export function stopwatch(): () => boolean {
    const end = Date.now() + seconds * 1000;
    return () => Date.now() < end;
}
