/**
 * Objects that are their fields and nothing else: a read shows what is set.
 *
 * | field that a write leaves out | object new            | object there                                     |
 * | ----------------------------- | --------------------- | ------------------------------------------------ |
 * | `required`                    | refused               | kept; refused where a write replaces the object  |
 * | any other                     | its preset            | kept; its preset where a write replaces the object |
 */

import type { JsonObject } from "../json";
import { badRequest } from "../simulator-error";
import type { Call } from "./call";
import { type Field, readFields, unsetOf } from "./fields";
import type { NamedObject } from "./named-object";

/** What the document says of a kind of object. */
interface PlainObject {
    /** Path without `/v1/`, such as `sys/quotas/rate-limit/:name+`. */
    readonly path: string;
    readonly mountType: string;
    readonly fields: readonly Field[];
    /** What a read shows beside the fields. */
    readonly also?: JsonObject;
    /** Fields that no read shows. */
    readonly hidden?: readonly string[];
    /** A write replaces the whole object. */
    readonly replaces?: true;
    /** The fields that are set, with presets that depend on them and with nested objects, which `fields` cannot read. Throws what the service refuses. */
    settle?(set: JsonObject, call: Call): JsonObject;
}

/** Makes a kind of object that `objectRoutes` serves. */
export function plainObject({
    path,
    mountType,
    fields,
    also = {},
    hidden = [],
    replaces,
    settle = (set) => set,
}: PlainObject): NamedObject<JsonObject> {
    const read = (stored: JsonObject) => ({
        ...Object.fromEntries(Object.entries(stored).filter(([name]) => !hidden.includes(name))),
        ...also,
    });
    return {
        path,
        mountType,
        fields,
        in: ({ objects }) => objects,
        check: () => undefined,
        write(before, call) {
            const isKept = !replaces || call.manners.includes("merges");
            const set: JsonObject = { ...(isKept && before), ...readFields(call.body, fields) };
            for (const { name, required } of fields)
                if (required && (set[name] ?? "") === "") throw badRequest(`${name} is required`);
            return { stored: { ...unsetOf(fields, call.vocabulary), ...settle(set, call) } };
        },
        read,
        shown: (stored) => ({ documented: new Set(Object.keys(read(stored))), secret: new Set() }),
    };
}
