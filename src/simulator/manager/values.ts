/** How the secrets manager reads the values of fields: weakly, and with its own texts for what it refuses. */

import { readDuration } from "./durations";

/** A value that the manager refuses, with 400. */
export class RefusedValue extends Error {}

/** The kinds of fields. */
export type FieldKind = "list" | "duration" | "integer" | "boolean" | "text";

/** What a kind of field reads as. */
export interface FieldValues {
    list: string[];
    duration: number;
    integer: number;
    boolean: boolean;
    text: string;
}

const readers: { readonly [Kind in FieldKind]: (value: unknown) => FieldValues[Kind] } = {
    list: readList,
    duration: readDuration,
    integer: readInteger,
    boolean: readBoolean,
    text: readText,
};

/** A field's value, or nothing if it stands for "as it was": left out, or a duration that is `null`. */
export function readField<Kind extends FieldKind>(
    body: Readonly<Record<string, unknown>>,
    field: string,
    kind: Kind,
): FieldValues[Kind] | undefined {
    const value = body[field];
    if (value === undefined || (kind === "duration" && value === null)) return undefined;
    try {
        return readers[kind](value);
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new RefusedValue(`error converting input for field "${field}": ${reason}`);
    }
}

/** Lists: text is split at commas, elements are trimmed and stay even if empty, anything that is one value becomes one element. */
function readList(value: unknown): string[] {
    if (value === null || value === "") return [];
    if (typeof value === "string") return value.split(",").map((part) => part.trim());
    if (Array.isArray(value)) return value.map((element) => readText(element).trim());
    return [readText(value)];
}

/** Texts: numbers become text, truth becomes `1` or `0`. */
function readText(value: unknown): string {
    switch (typeof value) {
        case "string":
            return value;
        case "number":
            return String(value);
        case "boolean":
            return value ? "1" : "0";
        default:
            if (value === null) return "";
            throw new Error(`expected type 'string', got unconvertible type '${kindOf(value)}'`);
    }
}

/** Integers: text may be decimal, octal (`010`) or hexadecimal (`0x10`). */
function readInteger(value: unknown): number {
    if (value === null || value === "") return 0;
    if (typeof value === "boolean") return value ? 1 : 0;
    if (typeof value !== "string" && typeof value !== "number") {
        throw new Error(`expected type 'int', got unconvertible type '${kindOf(value)}'`);
    }
    const parts = /^([+-]?)(?:0x([0-9a-f]+)|0b([01]+)|0o?([0-7]+)|(0|[1-9]\d*))$/i.exec(String(value));
    if (parts === null) {
        throw new Error(
            `cannot parse '' as int: strconv.ParseInt: parsing ${JSON.stringify(String(value))}: invalid syntax`,
        );
    }
    const [, sign, hexadecimal, binary, octal, decimal] = parts;
    const size =
        hexadecimal !== undefined
            ? Number.parseInt(hexadecimal, 16)
            : binary !== undefined
              ? Number.parseInt(binary, 2)
              : octal !== undefined
                ? Number.parseInt(octal, 8)
                : Number(decimal);
    return sign === "-" ? -size : size;
}

function readBoolean(value: unknown): boolean {
    if (typeof value === "boolean") return value;
    if (value === null) return false;
    if (typeof value === "string" || typeof value === "number") {
        if (/^(1|t|T|true|TRUE|True)$/.test(String(value))) return true;
        if (/^(|0|f|F|false|FALSE|False)$/.test(String(value))) return false;
        throw new Error(
            `cannot parse '' as bool: strconv.ParseBool: parsing ${JSON.stringify(String(value))}: invalid syntax`,
        );
    }
    throw new Error(`expected type 'bool', got unconvertible type '${kindOf(value)}'`);
}

function kindOf(value: unknown): string {
    return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}
