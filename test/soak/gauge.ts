/** What a process holds: memory and open sockets, at the beginning and at the end of a long run. */

import assert from "node:assert/strict";
import { writeReport } from "../faults/report";
import { markdown } from "../faults/table";

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

/** Shorter soaks than the usual one say too little to be written down. */
const isLong = Number(process.env["STATECRAFT_SOAK_MINUTES"]) >= 30;

/**
 * Watches the process from now on. What loads and warms up should be done before. `end` tells what was done and what was held, fails
 * where it grew, and writes it into this block of docs/reliability.md.
 */
export async function gauge(): Promise<{ end(block: "soak-host" | "soak-engine", what: string): Promise<void> }> {
    const before = await look();
    return {
        async end(block, what) {
            const after = await look();
            const row = (when: string, { rss, heap, sockets }: Held) => [when, rss, heap, sockets];
            const table = markdown(
                ["", "memory, MiB", "of it heap, MiB", "open sockets"],
                [row("at the beginning", before), row("at the end", after)],
            );
            const report = `${what}:\n\n${table}`;
            console.log(report);
            for (const name of ["rss", "heap", "sockets"] as const) {
                assert(after[name] - before[name] <= bounds[name], `${name}: ${before[name]} became ${after[name]}`);
            }
            if (isLong) writeReport(block, report);
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
