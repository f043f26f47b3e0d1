/** Clocks whose time-outs elapse only when a test calls `elapse`. */

import type { Clock } from "../../src/http/client-context";

/** A clock, and the waits and time-outs for which it was used. */
export interface TestClock extends Clock {
    /** The milliseconds of every wait. */
    readonly slept: readonly number[];
    /** The milliseconds of every time-out that was started. */
    readonly timeouts: readonly number[];
    /** Makes every running time-out elapse. */
    elapse(): void;
}

/** Creates a clock that advances only by waits, and whose `random` is always 0.5. @param wait runs instead of each wait, which takes no time */
export function testClock(wait: (milliseconds: number) => Promise<unknown> = async () => undefined): TestClock {
    const slept: number[] = [];
    const timeouts: number[] = [];
    const running = new Set<() => void>();
    let now = Date.UTC(2030, 0, 1);
    return {
        slept,
        timeouts,
        now: () => now,
        date: () => now,
        random: () => 0.5,
        sleep: async (milliseconds) => {
            slept.push(milliseconds);
            now += milliseconds;
            await wait(milliseconds);
        },
        timer: (milliseconds, strike) => {
            timeouts.push(milliseconds);
            running.add(strike);
            return () => running.delete(strike);
        },
        elapse: () => {
            // A time-out may start the next one.
            for (const strike of [...running]) {
                running.delete(strike);
                strike();
            }
        },
    };
}
