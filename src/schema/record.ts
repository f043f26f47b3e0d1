/** Reads records in answers by a schema. */

import type * as z from "zod";
import { type Meaning, readRecord } from "./meaning";
import { objectNode } from "./property";
import { isRecord } from "./values";

/** Makes a function that reads a record in an answer by its schema. */
export function recordReader<Schema extends z.ZodObject>(schema: Schema) {
    const node = objectNode(schema);
    return {
        node,
        /**
         * The properties of a record, with defaults for those that it lacks. Every property of a record's schema has a default or is
         * optional.
         */
        read: (body: unknown): z.output<Schema> => {
            return readRecord(node, isRecord(body) ? body : {}) as Meaning & z.output<Schema>;
        },
    };
}
