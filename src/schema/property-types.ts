/** Types of properties, whatever the service. What programs may write is the input of a type; its output is the one form of what that means. */

import { isIP } from "node:net";
import * as z from "zod";
import type { Equality } from "./property";
import { isRecord, sortedJson } from "./values";

/** A codec of zod whose decoded values may be written as well: they are decoded again where they come back, and never encoded. */
export function codec<Written extends z.ZodType, Decoded extends z.ZodType<unknown, z.output<Written>>>(
    written: Written,
    decoded: Decoded,
    decode: Parameters<typeof z.codec<Written, Decoded>>[2]["decode"],
) {
    return z.codec(written, decoded, { decode, encode: (value) => value });
}

/** A string of a form. `must` says in words which. */
export function stringOf(pattern: RegExp, must: string): z.ZodString {
    return z.string().regex(pattern, { error: must });
}

/** A string that says something. */
export const nonEmptyString = stringOf(/\S/, "must not be empty");

/** A whole number of at least `least`. Larger than 2^53 is whole too. */
export function wholeNumber(least = 0): z.ZodNumber {
    return z.number().multipleOf(1).min(least);
}

/** One of a few words of the documents, or what the product calls the same: state keeps what was written, both mean the documents' word. */
export function wordOf<const Word extends string, const Other extends string>(
    words: readonly [Word, ...Word[]],
    otherOf: (word: Word) => Other,
) {
    const written: z.ZodType<Word | Other, Word | Other> = z.enum([...words, ...words.map(otherOf)]);
    return codec(
        written,
        z.enum(words) as z.ZodType<Word, Word>,
        (written) => words.find((word) => word === written || otherOf(word) === written) ?? words[0],
    );
}

/** Seconds of each unit of a duration. */
const unitSeconds: Readonly<Record<string, number>> = {
    ns: 1e-9,
    us: 1e-6,
    µs: 1e-6,
    ms: 1e-3,
    s: 1,
    m: 60,
    h: 3600,
    d: 86_400,
};

/** The longest duration that servers accept: what fits into nanoseconds of 64 bits. */
const longestSeconds = 9_223_372_036;

/**
 * Whole seconds of a duration, or `undefined` for any other value. A number and digits alone are seconds; a text is the sum of its parts
 * (`1h30m`); a part of a second is cut off, as servers do. `""` is 0.
 */
export function parseDuration(value: unknown): number | undefined {
    const seconds = typeof value === "string" ? secondsIn(value) : Number.isInteger(value) ? Number(value) : -1;
    return seconds >= 0 && seconds <= longestSeconds ? Math.floor(seconds + 1e-10) : undefined;
}

function secondsIn(text: string): number {
    if (/^\d*$/.test(text)) return Number(text);
    // No duration needs more letters, and the expression takes a time that grows with the square of their number.
    const parts = text.length > 100 ? [] : [...text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|[smhd])/g)];
    if (parts.map(([part]) => part).join("") !== text) return Number.NaN;
    return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (unitSeconds[unit] ?? 0), 0);
}

const durationMust =
    'must be a duration: whole seconds such as 3600, or a string with units such as "90s", "1h30m", "1d"';

/** A length of time: whole seconds, or a string with units such as `90s`, `1h30m`, `1d`. Decoded to whole seconds. */
export function duration(leastSeconds = 0) {
    const error = durationMust + (leastSeconds > 0 ? `, of at least ${leastSeconds} s` : "");
    const seconds = (value: number | string) => parseDuration(value) ?? Number.NaN;
    return codec(
        z.union([z.number(), z.string()], { error }).refine((value) => seconds(value) >= leastSeconds, { error }),
        z.number(),
        seconds,
    );
}

/** A length of time that travels as a string with a unit. Decoded to `<whole seconds>s`. */
export function durationText() {
    return codec(duration().in, z.string(), (value) => `${parseDuration(value) ?? 0}s`);
}

const namesMust = { error: "must be a list of strings, none of them empty" };

/** Names. Decoded without repetitions and blanks around them. */
export const names = codec(
    z.array(
        z.string(namesMust).refine((name) => name.trim() !== "", namesMust),
        namesMust,
    ),
    z.array(z.string()),
    (list) => distinct(list),
);

/** The same, written as a list or as one string with commas. */
export const separatedNames = codec(
    z
        .union([z.string(), z.array(z.string())], {
            error: "must be a list of strings, or one string with commas between them",
        })
        .refine((value) => separated(value).every((name) => name.trim() !== ""), {
            error: "must not hold an empty name",
        }),
    z.array(z.string()),
    (value) => distinct(separated(value)),
);

const cidrMust = 'must hold IP addresses or CIDR blocks such as "10.0.0.0/8"';

/** IP addresses and CIDR blocks, written as a list or as one string with commas. */
export const cidrs = codec(
    z.union([z.string(), z.array(z.string())], { error: cidrMust }).superRefine((value, context) => {
        for (const block of separated(value)) {
            if (canonicalCidr(block.trim()) === undefined) {
                context.addIssue({ code: "custom", message: `${cidrMust}; ${JSON.stringify(block)} is none` });
            }
        }
    }),
    z.array(z.string()),
    (value) => distinct(separated(value)),
);

/** A path in which slashes at the ends carry no meaning. Decoded without them. */
export function slashTrimmed(must: string) {
    return codec(
        z.string().refine((path) => isSegmented(trimSlashes(path)), { error: must }),
        z.string(),
        trimSlashes,
    );
}

const jsonMust = "must be a JSON object, or its text";

/** A JSON object, written as an object or as its text. Decoded to the text. Compare it with `asJson`. */
export const jsonDocument = codec(
    z
        .union([z.string(), z.record(z.string(), z.unknown())], { error: jsonMust })
        .refine((value) => value === "" || parsedObject(value) !== undefined, { error: jsonMust }),
    z.string(),
    (value) => (typeof value === "string" ? value : JSON.stringify(value)),
);

/** A Pulumi asset, in the form in which the engine hands it to a provider. */
export const asset = z.custom<Readonly<Record<string, unknown>>>(isRecord, { error: "must be a Pulumi asset" });

/** Strings by name. */
export const stringMap = z.record(z.string(), z.string());

/** A path without slashes at its ends. */
export function trimSlashes(path: string): string {
    return path.replace(/^\/+|(?<!\/)\/+$/g, "");
}

/** Neither order nor repetition carries a meaning. */
export const asSet: Equality = (list) => (Array.isArray(list) ? [...new Set(list.map(sortedJson))].sort() : list);

/** The case of letters carries no meaning. */
export const ignoringCase: Equality = (text) => (typeof text === "string" ? text.toLowerCase() : text);

/** A set of CIDR blocks: a block of one address equals the address. */
export const asCidrs: Equality = (list) =>
    Array.isArray(list) ? asSet(list.map((block) => canonicalCidr(String(block)) ?? block)) : list;

/** Texts of JSON: white space, the order of keys and the way a number is written carry no meaning; each digit of a number does. */
export const asJson: Equality = (text) =>
    typeof text === "string" ? (parsedObject(withExactNumbers(text)) ?? text) : text;

/** JSON with each number as a string that no program writes: as numbers, those beyond 2^53 would lose digits. */
function withExactNumbers(json: string): string {
    // Between escapes a string matches without backtracking: a long one would overflow the stack of the expression.
    return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
        token.startsWith('"') ? token : `"\\u0000${exactNumber(token)}"`,
    );
}

/** A number as its digits without zeros at the ends, and the power of ten that they are to be multiplied by. */
function exactNumber(token: string): string {
    const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    const digits = `${whole}${fraction}`.replace(/^(-?)0+/, "$1");
    const significant = digits.replace(/(?<!0)0+$/, "");
    const power = Number(exponent) - fraction.length + digits.length - significant.length;
    return significant === "" || significant === "-" ? "0" : `${significant}e${power}`;
}

/**
 * One spelling for each IP address and block: without a prefix of the whole length, and with the bits behind the prefix, which servers show too.
 * Returns `undefined` for anything else.
 */
function canonicalCidr(text: string): string | undefined {
    const [, address = "", prefix] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const version = isIP(address);
    const whole = version === 4 ? 32 : 128;
    const length = Number(prefix ?? whole);
    if (version === 0 || length > whole) return undefined;
    // Hosts of URLs are IPv6 addresses in their shortest form.
    const canonical = version === 4 ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
    return length === whole ? canonical : `${canonical}/${length}`;
}

const separated = (value: string | readonly string[]) =>
    typeof value !== "string" ? value : value === "" ? [] : value.split(",");

const distinct = (list: readonly string[]) => [...new Set(list.map((name) => name.trim()))];

function isSegmented(path: string): boolean {
    return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

function parsedObject(value: string | Record<string, unknown>): Record<string, unknown> | undefined {
    if (typeof value !== "string") return value;
    try {
        const parsed: unknown = JSON.parse(value);
        return isRecord(parsed) ? parsed : undefined;
    } catch {
        return undefined;
    }
}
