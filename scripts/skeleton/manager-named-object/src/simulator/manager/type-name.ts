/** TODO what they are called: their fields, and how they read. */

import type { Field } from "./fields";
import { objectRoutes } from "./named-object";
import { plainObject } from "./plain-object";

/** From the document, not from the client: the kinds of fields are in `fields.ts`. */
const fields: readonly Field[] = [
    // TODO { name: "interval", kind: "duration" },
];

/** The routes of TODO. */
export const typeNameRoutes = objectRoutes(
    plainObject({
        path: "TAIL/:name+",
        mountType: "system",
        fields,
        // TODO what an unset field is, and what the service refuses: `throw badRequest("rate must be positive")`.
        settle: (set) => ({ ...set }),
    }),
);
