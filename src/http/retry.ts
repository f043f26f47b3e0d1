/** Whether and when a request is sent again. Pure: the loop is in `client.ts`. */

import type { Repeat } from "../core/operation";

/** How a try ended: the answer's status, or without one: surely `unsent`, or `lost` on the way. */
export type Outcome = number | "unsent" | "lost";

const passing: ReadonlySet<Outcome> = new Set([429, 502, 503, 504, "unsent", "lost"]);

/** Whether a request of this kind may be sent again after this. `known`: the service knows the failure to pass by itself. */
export function mayRepeat(repeat: Repeat, outcome: Outcome, known = false): boolean {
    if (repeat === "never") return false;
    if (outcome === 429 || outcome === "unsent") return true;
    return repeat === "always" && (known || passing.has(outcome));
}

/** Longest wait that a server may ask for, in seconds. Beyond it the request fails and says so. */
export const longestWait = 300;

/** Longest wait of our own making, in milliseconds. */
const cap = 30_000;

/**
 * Milliseconds before the next try. Doubles with each one, anywhere between nothing and the whole ("full jitter": many clients must not come
 * back together). What the server asked for wins, with a little on top.
 */
export function delay(tries: number, base: number, asked: number | undefined, random: number): number {
    if (asked !== undefined && asked > 0) return asked * 1000 + random * base;
    return random * Math.min(cap, base * 2 ** (tries - 1));
}

/** Seconds that the server asked to wait: `Retry-After` as seconds or date, else for 429 `x-ratelimit-reset` in decimal seconds. */
export function askedWait(status: number, headers: Readonly<Record<string, string>>, now: number): number | undefined {
    const after = headers["retry-after"]?.trim() ?? "";
    if (/^\d+(\.\d+)?$/.test(after)) return Number(after);
    // Only a date has letters; `Date.parse` takes almost any number for a year.
    const date = /[a-z]/i.test(after) ? Date.parse(after) : Number.NaN;
    if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1000));
    const reset = headers["x-ratelimit-reset"]?.trim() ?? "";
    return status === 429 && /^\d+(\.\d+)?$/.test(reset) ? Number(reset) : undefined;
}
