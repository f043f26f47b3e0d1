/** How the services read and write durations. */

const nanoseconds = new Map(Object.entries({ ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 }));
/** The longest lease that the secrets manager gives, in seconds. */
export const longestLease = 768 * 3600;
/** Beyond this a duration does not fit the 64 bits of its nanoseconds. */
const longest = 9_223_372_036;

/** Whole seconds of a number of seconds or of text such as `90`, `1h30m`, `1.5h`, `1d`; what is over is cut. Throws on anything else. */
export function readDuration(value: unknown): number {
    const seconds = readDelay(value);
    if (seconds < 0) throw new Error(`cannot provide negative value '${seconds}'`);
    if (seconds > longest) throw new Error(`time: invalid duration ${JSON.stringify(String(value))}`);
    return seconds;
}

/** The same, but it may be negative and of any length. */
export function readDelay(value: unknown): number {
    // Not minus zero.
    return Math.trunc(secondsOf(value)) || 0;
}

function secondsOf(value: unknown): number {
    if (value === "") return 0;
    if (typeof value !== "string" && typeof value !== "number") throw new Error("could not parse duration from input");
    const text = String(value);
    if (/^[+-]?\d+$/.test(text)) return Number(text);
    return text.endsWith("d") ? days(text.slice(0, -1)) : readParts(text);
}

function days(text: string): number {
    if (/^[+-]?\d+$/.test(text)) return Number(text) * 86_400;
    throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** Seconds of numbers with units, one after the other, such as `1m30s`. Days are no unit here. Throws on anything else. */
export function readParts(text: string): number {
    const quoted = JSON.stringify(text);
    const unsigned = text.replace(/^[+-]/, "");
    let sum = 0;
    for (let rest = unsigned; rest !== "" || unsigned === ""; ) {
        const [matched = "", number = "", unit = ""] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest) ?? [];
        if (matched === "") throw new Error(`time: invalid duration ${quoted}`);
        if (unit === "") throw new Error(`time: missing unit in duration ${quoted}`);
        const size = nanoseconds.get(unit);
        if (size === undefined) throw new Error(`time: unknown unit "${unit}" in duration ${quoted}`);
        sum += Number(number) * size;
        rest = rest.slice(matched.length);
    }
    return (text.startsWith("-") ? -sum : sum) / 1e9;
}

/** A duration as messages write it: `768h0m0s`. */
export function writeDuration(seconds: number): string {
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    if (seconds < 60) return `${seconds}s`;
    return hours === 0 ? `${minutes}m${seconds % 60}s` : `${hours}h${minutes}m${seconds % 60}s`;
}
