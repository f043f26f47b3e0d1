/**
 * Fields of the secrets manager's objects.
 *
 * | kind     | takes                                                       | `null`   | `""` |
 * |----------|-------------------------------------------------------------|----------|------|
 * | list     | an array, or text split at commas                           | empty    | empty |
 * | duration | seconds as a number, or text with units, not negative       | left out | 0    |
 * | delay    | the same, negative too                                      | left out | 0    |
 * | integer  | a whole number, or its decimal digits                       | 0        | 0    |
 * | boolean  | `true`, `false`                                             | false    | false |
 * | text     | text                                                        | empty    | empty |
 */

import { z } from "zod";
import { secondsIn } from "../duration";
import type { JsonObject } from "../json";
import { badRequest } from "../refusal";
import type { Names } from "../store";
import type { Fields } from "./records";

/** A field. */
export interface Field {
    readonly name: string;
    readonly kind: keyof typeof kinds;
    /** What an unset field reads as, if not its kind's nothing. */
    readonly preset?: string | number | Readonly<Record<Names, string | false>>;
    /** Known only to real servers. */
    readonly isProducts?: true;
}

const text = z.union([z.string(), z.number(), z.null()]).transform((value) => (value === null ? "" : String(value)));
const seconds = z.union([z.number(), z.string()]).transform((value, context) => {
    const read = secondsIn(String(value));
    if (read === undefined) context.addIssue(`time: invalid duration "${value}"`);
    return read ?? 0;
});
const kinds = {
    list: z.union([
        z.array(text),
        text.transform((value) => (value === "" ? [] : value.split(",").map((part) => part.trim()))),
    ]),
    duration: seconds.refine((value) => value >= 0, "cannot provide negative value"),
    delay: seconds,
    integer: z.union([z.number().refine(Number.isInteger), z.string().regex(/^-?\d*$/), z.null()]).transform(Number),
    boolean: z.union([z.boolean(), z.null(), z.literal("")]).transform(Boolean),
    text,
};

const nothing = { duration: 0, delay: 0, integer: 0, text: "", boolean: false, list: [] };

/** Fields of one kind. */
export function fieldsOf(kind: Field["kind"], ...names: readonly string[]): Field[] {
    return names.map((name) => ({ name, kind }));
}

/** The fields that a server of these names knows. */
export function known(fields: readonly Field[], names: Names): readonly Field[] {
    return fields.filter(({ isProducts }) => !isProducts || names === "product");
}

/** What unset fields read as. */
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
        const value = body[name];
        if (value === undefined || (value === null && (kind === "duration" || kind === "delay"))) continue;
        const result = kinds[kind].safeParse(value);
        if (!result.success) {
            throw badRequest(`error converting input for field "${name}": ${result.error.issues[0]?.message}`);
        }
        read[name] = result.data;
    }
    return read;
}
