/**
 * Fields of the secrets manager's objects.
 *
 * | kind     | takes                                                 | empty text means |
 * |----------|-------------------------------------------------------|------------------|
 * | list     | an array, or text that is split at commas             | an empty list    |
 * | duration | seconds as a number, or text with units, not negative | 0                |
 * | integer  | a whole number, or its decimal digits                 | 0                |
 * | boolean  | `true`, `false`                                       | `false`          |
 * | text     | text                                                  | empty text       |
 */

import { z } from "zod";
import { secondsIn } from "../duration";
import type { JsonObject } from "../json";
import { badRequest } from "../refusal";
import type { Names } from "../store";
import type { Fields } from "./records";

export interface Field {
    readonly name: string;
    readonly kind: keyof typeof kinds;
    /** The value that a read shows for a field that was never set. Default: 0, empty or `false`. */
    readonly preset?: string | number | Readonly<Record<Names, string | false>>;
    /** Whether only the product has the field, and the API documents do not. */
    readonly isProducts?: true;
}

const kinds = {
    list: z.union([
        z.array(z.string()),
        z.string().transform((text) => (text === "" ? [] : text.split(",").map((part) => part.trim()))),
    ]),
    duration: z.union([z.number(), z.string()]).transform((value, context) => {
        const seconds = secondsIn(String(value));
        if (seconds === undefined) context.addIssue(`time: invalid duration "${value}"`);
        return seconds ?? 0;
    }),
    integer: z.union([z.number().refine(Number.isInteger), z.string().regex(/^-?\d*$/)]).transform(Number),
    boolean: z.union([z.boolean(), z.literal("")]).transform(Boolean),
    text: z.string(),
};

const nothing = { duration: 0, integer: 0, text: "", boolean: false, list: [] };

export function fieldsOf(kind: Field["kind"], ...names: readonly string[]): Field[] {
    return names.map((name) => ({ name, kind }));
}

/** The fields that exist on a server with these names. */
export function existing(fields: readonly Field[], names: Names): readonly Field[] {
    return fields.filter(({ isProducts }) => !isProducts || names === "product");
}

/** The values that a read shows for fields that were never set. */
export function unsetOf(fields: readonly Field[], names: Names): Fields {
    return Object.fromEntries(
        fields.map(({ name, kind, preset = nothing[kind] }) => {
            const isByNames = typeof preset === "object" && "documents" in preset;
            return [name, isByNames ? preset[names] : preset];
        }),
    );
}

/** The fields that a body sets. */
export function readFields(body: JsonObject, fields: readonly Field[]): Fields {
    const read: Fields = {};
    for (const { name, kind } of fields) {
        if (body[name] === undefined) continue;
        const result = kinds[kind].safeParse(body[name]);
        if (!result.success) {
            throw badRequest(`error converting input for field "${name}": ${result.error.issues[0]?.message}`);
        }
        read[name] = result.data;
    }
    return read;
}
