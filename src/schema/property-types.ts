/** Zod types for properties of all services. The input of a type is what programs may write; its output is the canonical form. */

import { isIP } from "node:net";
import * as z from "zod";
import type { Equality } from "./property";
import { isRecord, parsedObject, sortedJson } from "./values";

/** A zod codec that is only used to decode. A decoded value is decoded to itself, because answers contain decoded values. */
export function codec<Written extends z.ZodType, Decoded extends z.ZodType<unknown, z.output<Written>>>(
    written: Written,
    decoded: Decoded,
    decode: Parameters<typeof z.codec<Written, Decoded>>[2]["decode"],
) {
    return z.codec(written, decoded, { decode, encode: (value) => value });
}

/** A string that matches a pattern. `must` is the error message, such as "must not be empty". */
export function stringOf(pattern: RegExp, must: string): z.ZodString {
    return z.string().regex(pattern, { error: must });
}

/** A string that is not blank. */
export const nonEmptyString = stringOf(/\S/, "must not be empty");

/** A whole number of at least `least` that a signed integer of 64 or 32 bits holds. It may be larger than 2^53, which `z.int()` would refuse. */
export function wholeNumber(least = 0, bits: 64 | 32 = 64): z.ZodNumber {
    const error = `must be less than 2^${bits - 1}`;
    // JavaScript has no number between 2^63 - 1024 and 2^63.
    return z
        .number()
        .multipleOf(1)
        .min(least)
        .max(bits === 32 ? 2 ** 31 - 1 : 2 ** 63 - 1024, { error });
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

/** The longest duration that servers accept, in seconds: the largest signed 64-bit number of nanoseconds. */
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
    // Longer texts are refused, because the expression takes a time that grows with the square of their length.
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

/** A length of time that the API takes as a string with a unit. Decoded to `<whole seconds>s`. */
export function durationText() {
    return codec(duration().in, z.string(), (value) => `${parseDuration(value) ?? 0}s`);
}

/** The bytes of each unit of sizes: `GiB` and `Gi` are 2^30, `GB` and `G` 10^9. */
const unitBytes: Readonly<Record<string, number>> = Object.fromEntries([
    ["", 1],
    ["B", 1],
    ...["K", "M", "G", "T", "P"].flatMap((prefix, power) => [
        ...["", "B"].map((end) => [prefix + end, 1000 ** (power + 1)]),
        ...["i", "iB"].map((end) => [prefix + end, 1024 ** (power + 1)]),
    ]),
]);

function bytesIn(value: number | string): number {
    if (typeof value === "number") return value;
    const [, amount = "", unit = ""] = /^(\d{1,19}) ?([A-Za-z]*)$/.exec(value) ?? [];
    return amount === "" ? Number.NaN : Number(amount) * (unitBytes[unit] ?? Number.NaN);
}

/** A size: whole bytes, or a string with a unit such as `10GiB` or `10 GB`. Decoded to bytes. */
export function size(least = 0) {
    const error = `must be a size of at least ${least}: whole bytes such as 10737418240, or a string with a unit such as "10GiB"`;
    const isSize = (value: number | string) => wholeNumber(least).safeParse(bytesIn(value)).success;
    return codec(z.union([z.number(), z.string()], { error }).refine(isSize, { error }), z.number(), bytesIn);
}

const namesMust = { error: "must be a list of strings, none of them empty" };

/** A list of names. Decoded without duplicates and without blanks around each name. */
export const names = codec(
    z.array(
        z.string(namesMust).refine((name) => trimmed(name) !== "", namesMust),
        namesMust,
    ),
    z.array(z.string()),
    (list) => distinct(list),
);

/**
 * Texts, written as a list or as one string with commas. Decoded to a list without duplicates and without blanks around each text.
 * `must` is the error message, and `problemOf` returns the problem of one text, if it has one.
 */
function separatedTexts(must: string, problemOf: (text: string) => string | undefined) {
    return codec(
        z.union([z.string(), z.array(z.string())], { error: must }).superRefine((value, context) => {
            for (const message of separated(value).flatMap((text) => problemOf(text) ?? []))
                context.addIssue({ code: "custom", message });
        }),
        z.array(z.string()),
        (value) => distinct(separated(value)),
    );
}

/** A list of names, or one string with commas between them. */
export const separatedNames = separatedTexts(
    "must be a list of strings, or one string with commas between them",
    (name) => (trimmed(name) === "" ? "must not contain an empty name" : undefined),
);

const cidrMust = 'must contain IP addresses or CIDR blocks such as "10.0.0.0/8"';

/** A list of IP addresses and CIDR blocks, or one string with commas between them. */
export const cidrs = separatedTexts(cidrMust, (block) =>
    canonicalCidr(trimmed(block)) === undefined ? `${cidrMust}; ${JSON.stringify(block)} is none` : undefined,
);

/** A list in an answer. Its items are checked up to the first wrong one: zod alone makes an error for each, which may be millions. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
    z
        .array(z.unknown())
        .refine((list) => list.every((one) => item.safeParse(one).success))
        .pipe(z.array(item));

/** A path, decoded without slashes at its ends. `must` is the error message. */
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
        .refine((value) => typeof value !== "string" || value === "" || parsedObject(value), { error: jsonMust }),
    z.string(),
    (value) => (typeof value === "string" ? value : JSON.stringify(value)),
);

/** A Pulumi asset, in the form in which the engine hands it to a provider. */
export const asset = z.custom<Readonly<Record<string, unknown>>>(isRecord, { error: "must be a Pulumi asset" });

/** A name or an id that is one segment of a path in requests. */
export const pathSegment = stringOf(
    /^(?!\.{1,2}$)[^/\p{Cc}\p{Cs}]+$/u,
    "must not be empty, nor . or .., nor hold / or control characters",
);

export const stringMap = z.record(z.string(), z.string());

export function trimSlashes(path: string): string {
    return path.replace(/^\/+|(?<!\/)\/+$/g, "");
}

/** Compares lists without regard to order and duplicates. */
export const asSet: Equality = (list) => (Array.isArray(list) ? [...new Set(list.map(sortedJson))].sort() : list);

/** Compares texts without regard to the case of letters. */
export const ignoringCase: Equality = (text) => (typeof text === "string" ? text.toLowerCase() : text);

/** Compares lists of CIDR blocks without regard to order and duplicates. A block of one address equals the address. */
export const asCidrs: Equality = (list) =>
    Array.isArray(list) ? asSet(list.map((block) => canonicalCidr(String(block)) ?? block)) : list;

/** Compares JSON texts without regard to white space, the order of keys and the notation of numbers, but with every digit of a number. */
export const asJson: Equality = (text) =>
    typeof text === "string" ? (parsedObject(withExactNumbers(text)) ?? text) : text;

/** Replaces each number that JavaScript would round by a string that begins with U+0000 and has all digits. */
function withExactNumbers(json: string): string {
    const parts: string[] = [];
    let [end, isQuoted] = [0, false];
    // One match for a whole string could overflow the stack of the expression, and `replace` would collect all matches in memory.
    for (const { 0: token, index } of json.matchAll(/\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs)) {
        if (token === '"') isQuoted = !isQuoted;
        // JavaScript parses shorter numbers without a loss, and -0 as another number than 0.
        if (isQuoted || !/^-0|e|.{16}/i.test(token)) continue;
        const [exact, parsed] = [exactNumber(token), String(Number(token))];
        parts.push(json.slice(end, index), exact === exactNumber(parsed) ? parsed : `"\\u0000${exact}"`);
        end = index + token.length;
    }
    return parts.join("") + json.slice(end);
}

/** A number as its significant digits and a power of ten: `12e2` for 1200 and for 1.2e3. */
function exactNumber(token: string): string {
    const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    const digits = `${whole}${fraction}`.replace(/^(-?)0+/, "$1");
    const significant = digits.replace(/(?<!0)0+$/, "");
    const power = Number(exponent) - fraction.length + digits.length - significant.length;
    return significant === "" || significant === "-" ? "0" : `${significant}e${power}`;
}

/**
 * The canonical spelling of an IP address or block, as servers show it; `undefined` for other texts. A block of one address loses its prefix
 * length. Address bits behind the prefix stay. An IPv6 address that contains an IPv4 address becomes that address.
 */
function canonicalCidr(text: string): string | undefined {
    const [, address = "", prefix] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const version = isIP(address);
    const whole = version === 4 ? 32 : 128;
    const length = Number(prefix ?? whole);
    if (version === 0 || length > whole) return undefined;
    if (version === 4) return withLength(address, length, whole);
    // `URL` writes an IPv6 address in its shortest form.
    const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
    const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical) ?? [];
    if (high === undefined || low === undefined) return withLength(canonical, length, whole);
    const bytes = [high, low].map((word) => Number.parseInt(word, 16)).flatMap((word) => [word >> 8, word & 255]);
    // Vault reads a length below 96 as that of the IPv4 address (go-sockaddr 1.0.7, ipv4addr.go).
    return withLength(bytes.join("."), length >= 96 ? length - 96 : Math.min(length, 32), 32);
}

const withLength = (address: string, length: number, whole: number) =>
    length === whole ? address : `${address}/${length}`;

const separated = (value: string | readonly string[]) =>
    typeof value !== "string" ? value : value === "" ? [] : value.split(",");

/** Removes white space from both ends of a name, as Go's `strings.TrimSpace` does on the server. */
function trimmed(text: string): string {
    return text.replace(/^[\t-\r\x85\p{Z}]+|[\t-\r\x85\p{Z}]+$/gu, "");
}

const distinct = (list: readonly string[]) => [...new Set(list.map(trimmed))];

function isSegmented(path: string): boolean {
    return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}
