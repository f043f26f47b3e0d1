/** TODO what they are called: their fields, and how they read. */

import type { Field } from "./fields";
import { objectRoutes } from "./named-object";
import { plainObject } from "./plain-object";

/** From the document, not from the client: the kinds of fields are in `fields.ts`. */
const fields: readonly Field[] = [
    // TODO { name: "interval", kind: "duration", preset: 60 }, { name: "rate", kind: "number", required: true },
];

/** The routes of TODO. */
export const typeNameRoutes = objectRoutes(
    plainObject({
        path: "TAIL/:name+",
        mountType: "system",
        fields,
        // TODO what else a read shows (`also`), what none shows (`hidden`), whether a write replaces the object (`replaces`), or nothing.
        // TODO what an unset field is that depends on others, and what is refused: `throw badRequest("rate must be positive")`.
        // TODO nested objects: `settle: (set, { body }) => ({ tags: {}, ...set, ...(isObject(body.tags) && { tags: body.tags }) })`.
        settle: (set) => ({ ...set }),
    }),
);
