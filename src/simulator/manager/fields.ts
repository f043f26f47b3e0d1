/**
 * Fields of the secrets manager's objects: how it reads their values, weakly and with its own texts for what it refuses.
 *
 * | kind     | reads                                                                  | `null`, `""` |
 * |----------|------------------------------------------------------------------------|--------------|
 * | list     | an array, text split at commas, one value as one element               | empty        |
 * | duration | seconds as a number or text with units, not negative                   | left out, 0  |
 * | delay    | the same, negative too                                                 | left out, 0  |
 * | number   | a number, or text in decimal                                           | 0            |
 * | integer  | a number, or text in decimal, octal (`010`) or hexadecimal (`0x10`)    | 0            |
 * | boolean  | `true`, `false`, `1`, `0`, `t`, `f` and their other spellings          | false        |
 * | text     | text, a number as text, `true` as `1`, `false` as `0`                  | empty        |
 */

import { readBoolean } from "../boolean";
import { readDelay, readDuration } from "../durations";
import type { JsonObject } from "../json";
import { badRequest, messageOf } from "../simulator-error";
import type { Vocabulary } from "../vocabulary";
import type { Value } from "./records";

/** A field. */
export interface Field {
    readonly name: string;
    readonly kind: keyof typeof readers;
    readonly required?: true;
    /** What an unset field reads as, if not its kind's nothing. */
    readonly preset?: Value | Readonly<Record<Vocabulary, Value>>;
    /** Known only where real servers' rules hold. */
    readonly only?: "product";
}

const readers = {
    list: readList,
    duration: readDuration,
    delay: readDelay,
    number: readNumber,
    integer: readInteger,
    boolean: readFlag,
    text: readText,
};

const nothing = { duration: 0, delay: 0, number: 0, integer: 0, text: "", boolean: false, list: [] };

/** Fields of one kind. */
export function fieldsOf(kind: Field["kind"], ...names: readonly string[]): Field[] {
    return names.map((name) => ({ name, kind }));
}

/** The same, of fields that an object cannot do without. */
export function requiredOf(kind: Field["kind"], ...names: readonly string[]): Field[] {
    return fieldsOf(kind, ...names).map((field) => ({ ...field, required: true }));
}

/** What fields read as that nothing has set. */
export function unsetOf(fields: readonly Field[], vocabulary: Vocabulary = "documented"): Record<string, Value> {
    return Object.fromEntries(
        fields.map(({ name, kind, preset = nothing[kind] }) => {
            const isByVocabulary = typeof preset === "object" && "documented" in preset;
            return [name, isByVocabulary ? (preset[vocabulary] ?? "") : preset];
        }),
    );
}

/** The names of fields. */
export function namesOf(fields: readonly Field[]): Set<string> {
    return new Set(fields.map(({ name }) => name));
}

/** A field's value in a body, or nothing if the body leaves it out. */
export function readField(body: JsonObject, { name, kind }: Pick<Field, "name" | "kind">): Value | undefined {
    const value = body[name];
    if (value === undefined || (value === null && (kind === "duration" || kind === "delay"))) return undefined;
    try {
        return readers[kind](value);
    } catch (error) {
        throw badRequest(`error converting input for field "${name}": ${messageOf(error)}`);
    }
}

/** The fields that a body sets. */
export function readFields(body: JsonObject, fields: readonly Field[]): Record<string, Value> {
    return Object.fromEntries(
        fields.flatMap((field): [string, Value][] => {
            const value = readField(body, field);
            return value === undefined ? [] : [[field.name, value]];
        }),
    );
}

function readList(value: unknown): string[] {
    if (value === null || value === "") return [];
    if (typeof value === "string") return value.split(",").map((part) => part.trim());
    if (Array.isArray(value)) return value.map((element) => readText(element).trim());
    return [readText(value)];
}

function readText(value: unknown): string {
    if (value === null) return "";
    if (typeof value === "boolean") return value ? "1" : "0";
    if (typeof value === "string" || typeof value === "number") return String(value);
    throw unconvertible("string", value);
}

function readNumber(value: unknown): number {
    if (value === null || value === "") return 0;
    if (typeof value !== "string" && typeof value !== "number") throw unconvertible("float64", value);
    const number = Number(value);
    if (!Number.isFinite(number)) throw unparsable("float", "ParseFloat", value);
    return number;
}

function readInteger(value: unknown): number {
    if (value === null || value === "") return 0;
    if (typeof value === "boolean") return value ? 1 : 0;
    if (typeof value !== "string" && typeof value !== "number") throw unconvertible("int", value);
    const [, sign, digits] = /^([+-]?)(0x[0-9a-f]+|0b[01]+|0o?[0-7]+|0|[1-9]\d*)$/i.exec(String(value)) ?? [];
    if (digits === undefined) throw unparsable("int", "ParseInt", value);
    const size = Number(digits.replace(/^0(?=[0-7])/, "0o"));
    return sign === "-" ? -size : size;
}

function readFlag(value: unknown): boolean {
    if (typeof value === "boolean") return value;
    if (value === null) return false;
    if (typeof value !== "string" && typeof value !== "number") throw unconvertible("bool", value);
    const read = value === "" ? false : readBoolean(String(value));
    if (read === undefined) throw unparsable("bool", "ParseBool", value);
    return read;
}

function unconvertible(type: string, value: unknown): Error {
    const kind = Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
    return new Error(`expected type '${type}', got unconvertible type '${kind}'`);
}

function unparsable(type: string, parser: string, value: unknown): Error {
    const quoted = JSON.stringify(String(value));
    return new Error(`cannot parse '' as ${type}: strconv.${parser}: parsing ${quoted}: invalid syntax`);
}
