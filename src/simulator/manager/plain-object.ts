/** Objects that are their fields and nothing else: a write sets what it names, and a read shows what is set. */

import type { Call } from "./call";
import { type Field, namesOf, readFields } from "./fields";
import type { NamedObject } from "./named-object";
import type { Fields } from "./records";

/** What the document says of a kind of object. */
interface PlainObject {
    /** Path without `/v1/`, such as `sys/quotas/rate-limit/:name+`. */
    readonly path: string;
    readonly mountType: string;
    readonly fields: readonly Field[];
    /** What a read shows beside the fields. */
    readonly also?: Fields;
    /** Fields that no read shows. */
    readonly hidden?: readonly string[];
    /** What a write leaves out and nothing has set yet. Throws what the service refuses. */
    settle(fields: Fields, call: Call): Fields;
}

/** Makes a kind of object that `objectRoutes` serves. */
export function plainObject({
    path,
    mountType,
    fields,
    also = {},
    hidden = [],
    settle,
}: PlainObject): NamedObject<Fields> {
    const shown = fields.filter(({ name }) => !hidden.includes(name));
    return {
        path,
        mountType,
        fields,
        in: ({ objects }) => objects,
        check: () => undefined,
        write: (before, call) => ({ stored: settle({ ...before, ...readFields(call.body, fields) }, call) }),
        read: (stored) => ({ ...Object.fromEntries(shown.map(({ name }) => [name, stored[name] ?? null])), ...also }),
        shown: () => ({ documented: new Set([...namesOf(shown), ...Object.keys(also)]), secret: new Set() }),
    };
}
