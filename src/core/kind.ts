/** Kinds of values: what programs may write, and what it means. Two values of one kind are equal when they mean the same. */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { canonicalCidr } from "./cidr";
import { parseDuration } from "./duration";
import type { Memory } from "./memory";

/** A kind of value. `Value` is what programs write. */
export interface Kind<Value = unknown> {
    /** The type in TypeScript's words, for the generated argument interfaces. */
    readonly type: string;
    /** The type of what lookups return, where it is narrower than what programs may write. */
    readonly readType?: string;
    /** Accepts what programs may write; its messages begin with `must`. */
    readonly schema: z.ZodType<Value>;
    /** One form for all spellings of a meaning, comparable by structure. */
    canonical(value: Value): unknown;
    /** What is sent for a value; the canonical form unless told otherwise. */
    wire?(value: Value): unknown;
    /** What programs see of a value on the wire, where that has another form; `undefined` for what a server does not show. */
    read?(answer: unknown): unknown;
    /** What a server shows, with those parts of the value as it was written that no server shows. */
    reveal?(theirs: unknown, mine: unknown): unknown;
    /** What check puts in the value's place, where the value itself must not be kept in state. */
    keep?(value: Value, memory: Memory): unknown;
    /** The verb that check was asked for is done with what is kept, whatever became of it. */
    letGo?(kept: unknown, memory: Memory): void;
    /** The type of what is kept, where that is another. */
    readonly keptType?: string;
}

/** Whether two values of a kind mean the same. What a server sends may be outside the kind; it then equals only itself. */
export function isSame(kind: Kind, left: unknown, right: unknown): boolean {
    return isDeepStrictEqual(canonicalOf(kind, left), canonicalOf(kind, right));
}

/** The canonical form of a value that may be outside the kind: such a value stands for itself. */
export function canonicalOf(kind: Kind, value: unknown): unknown {
    const parsed = kind.schema.safeParse(value);
    return parsed.success ? kind.canonical(parsed.data) : value;
}

/** Any text. */
export function text(rule?: { pattern: RegExp; must: string }): Kind<string> {
    const schema = z.string({ error: "must be text" });
    return {
        type: "string",
        schema: rule === undefined ? schema : schema.regex(rule.pattern, { error: rule.must }),
        canonical: (value) => value,
    };
}

/** Text that says something. */
export const someText = text({ pattern: /\S/, must: "must not be empty" });

/** Text in which the case of letters carries no meaning. */
export function caselessText(rule: { pattern: RegExp; must: string }): Kind<string> {
    return { ...text(rule), canonical: (value) => value.toLowerCase() };
}

/** A path without slashes at its ends. */
export function trimSlashes(path: string): string {
    return path.replace(/^\/+|\/+$/g, "");
}

/** A path in which slashes at the ends carry no meaning. */
export function slashTrimmed(must: string): Kind<string> {
    return {
        type: "string",
        schema: z.string({ error: must }).refine((value) => isSegmented(trimSlashes(value)), { error: must }),
        canonical: trimSlashes,
    };
}

function isSegmented(path: string): boolean {
    return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

/** `true` or `false`. */
export const flag: Kind<boolean> = {
    type: "boolean",
    schema: z.boolean({ error: "must be true or false" }),
    canonical: (value) => value,
};

/** A whole number of at least `least`. */
export function count(least = 0): Kind<number> {
    const must = `must be a whole number of at least ${least}`;
    return {
        type: "number",
        schema: z.number({ error: must }).refine(Number.isInteger, { error: must }).min(least, { error: must }),
        canonical: (value) => value,
    };
}

/** One of a few words. `meanings` maps spellings to the word that they mean. */
export function choice<const Word extends string>(
    words: readonly Word[],
    meanings: Readonly<Record<string, string>> = {},
): Kind<Word> {
    return {
        type: words.map((word) => JSON.stringify(word)).join(" | "),
        schema: z.enum(words, { error: `must be one of ${words.map((word) => JSON.stringify(word)).join(", ")}` }),
        canonical: (value) => meanings[value] ?? value,
    };
}

/** A length of time: whole seconds, or text with units such as `90s`, `1h30m`, `1d`. Compared and sent as whole seconds. */
export function duration(leastSeconds = 0): Kind<number | string> {
    const must =
        'must be a duration: whole seconds such as 3600, or text with units such as "90s", "1h30m", "1d"' +
        (leastSeconds > 0 ? `, of at least ${leastSeconds} s` : "");
    const seconds = (value: number | string) => parseDuration(value) ?? Number.NaN;
    return {
        type: "number | string",
        readType: "number",
        schema: z
            .union([z.number(), z.string()], { error: must })
            .refine((value) => seconds(value) >= leastSeconds, { error: must }),
        canonical: seconds,
    };
}

const namesMust = "must be a list of texts, none of them empty";

/** The texts of a list. A text that is empty lists nothing; one between commas that is empty is one of the list. */
export function listed(value: string | readonly string[]): string[] {
    const parts = typeof value === "string" ? value.split(",") : value;
    return value === "" ? [] : parts.map((part) => part.trim());
}

const distinct = (value: string | readonly string[]) => [...new Set(listed(value))];

const areNames = (value: string | readonly string[]) => !listed(value).includes("");

/** A set of names, written as a list. Order and repetition carry no meaning. */
export const names: Kind<string[]> = {
    type: "string[]",
    schema: z.array(z.string({ error: namesMust }), { error: namesMust }).refine(areNames, { error: namesMust }),
    canonical: (value) => distinct(value).sort(),
    wire: distinct,
};

const separatedMust = "must be a list of texts, or one text separated by commas, none of them empty";

/** A set of names, written as a list or as one text separated by commas. */
export const separatedNames: Kind<string | string[]> = {
    type: "string | string[]",
    readType: "string[]",
    schema: z.union([z.string(), z.array(z.string())], { error: separatedMust }).refine(areNames, {
        error: separatedMust,
    }),
    canonical: (value) => distinct(value).sort(),
    wire: distinct,
};

const cidrsMust = 'must hold IP addresses or CIDR blocks such as "10.0.0.0/8"';

/** A set of CIDR blocks. A block of one address equals the address. */
export const cidrs: Kind<string | string[]> = {
    type: "string | string[]",
    readType: "string[]",
    schema: z.union([z.string(), z.array(z.string())], { error: cidrsMust }).superRefine((value, context) => {
        for (const block of distinct(value)) {
            if (canonicalCidr(block) === undefined) {
                context.addIssue({ code: "custom", message: `${cidrsMust}; ${JSON.stringify(block)} is none` });
            }
        }
    }),
    canonical: (value) => [...new Set(listed(value).map((block) => canonicalCidr(block) ?? block))].sort(),
    wire: distinct,
};

const jsonMust = "must be a JSON object, or its text";

/**
 * A JSON document, written as an object or as its text. Sent as text. Key order, white space and the way a number is written
 * carry no meaning; each digit of a number does.
 */
export const jsonDocument: Kind<string | Record<string, unknown>> = {
    type: "string | Record<string, unknown>",
    schema: z
        .union([z.string(), z.record(z.string(), z.unknown())], { error: jsonMust })
        .refine((value) => value === "" || parseObject(value) !== undefined, { error: jsonMust }),
    canonical: (value) => parseObject(exactText(typeof value === "string" ? value : JSON.stringify(value))) ?? value,
    wire: (value) => (typeof value === "string" ? value : JSON.stringify(value)),
};

/** JSON in which texts that no program writes stand for the numbers: as numbers, those beyond 2^53 would lose digits. */
function exactText(text: string): string {
    return text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
        token.startsWith('"') ? token : JSON.stringify(`\0${exactNumber(token)}`),
    );
}

/** A number as its digits without zeros at the ends, and the power of ten that they are to be multiplied by. */
function exactNumber(token: string): string {
    const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    const digits = `${whole}${fraction}`.replace(/^(-?)0+/, "$1");
    const significant = digits.replace(/0+$/, "");
    const power = Number(exponent) - fraction.length + digits.length - significant.length;
    return significant === "" || significant === "-" ? "0" : `${significant}e${power}`;
}

function parseObject(value: string | Record<string, unknown>): Record<string, unknown> | undefined {
    if (typeof value !== "string") return value;
    try {
        const parsed: unknown = JSON.parse(value);
        return z.record(z.string(), z.unknown()).safeParse(parsed).data;
    } catch {
        return undefined;
    }
}

const mapMust = "must be an object whose values are texts";

/** Texts by name. The order of keys carries no meaning. */
export const textMap: Kind<Record<string, string>> = {
    type: "Record<string, string>",
    schema: z.record(z.string(), z.string({ error: mapMust }), { error: mapMust }),
    canonical: sortedEntries,
    wire: (value) => value,
};

const mapsMust = "must be a list of objects whose values are texts";

/** A set of flat maps. Neither the order of the list nor that of keys carries a meaning. */
export const textMaps: Kind<Record<string, string>[]> = {
    type: "Record<string, string>[]",
    schema: z.array(z.record(z.string(), z.string({ error: mapsMust }), { error: mapsMust }), { error: mapsMust }),
    canonical: (value) => value.map(sortedEntries).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    wire: (value) => value,
};

function sortedEntries(map: Record<string, string>): [string, string][] {
    return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Any JSON value, compared by structure. */
export function json<Value>(type: string, schema: z.ZodType<Value>): Kind<Value> {
    return { type, schema, canonical: (value) => value };
}
