/** Durations as the secrets manager reads them: whole seconds, or text with units. */

const unitSeconds: Readonly<Record<string, number>> = {
    ns: 1e-9,
    us: 1e-6,
    µs: 1e-6,
    ms: 1e-3,
    s: 1,
    m: 60,
    h: 3600,
};

/** The longest duration servers take: what fits into nanoseconds of 64 bits. */
const longestSeconds = 9_223_372_036;

/** No duration needs more letters, and the time to read a text must not grow with its square. */
const longestText = 100;

/**
 * Whole seconds of a duration, or `undefined` for what is none. A number and digits alone are seconds; text sums up its parts
 * (`1h30m`), days stand alone (`1d`), and what is left of a second is cut off as servers do. `""` is 0.
 */
export function parseDuration(value: number | string): number | undefined {
    const seconds = typeof value === "number" ? value : parseText(value);
    if (seconds === undefined || !(seconds >= 0 && seconds <= longestSeconds)) return undefined;
    if (typeof value === "number" && !Number.isInteger(value)) return undefined;
    return Math.floor(seconds + 1e-10);
}

function parseText(value: string): number | undefined {
    if (value === "") return 0;
    if (value.length > longestText) return undefined;
    if (/^\d+$/.test(value)) return Number(value);
    const days = /^(\d+(?:\.\d+)?)d$/.exec(value);
    if (days) return Number(days[1]) * 86_400;
    if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(value)) return undefined;
    let seconds = 0;
    for (const [, amount, unit] of value.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g)) {
        seconds += Number(amount) * (unitSeconds[unit ?? ""] ?? Number.NaN);
    }
    return seconds;
}

/** Seconds of a value that has been checked before; 0 when it was left out. */
export function secondsOf(value: unknown): number {
    return typeof value === "number" || typeof value === "string" ? (parseDuration(value) ?? 0) : 0;
}
