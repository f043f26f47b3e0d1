/** Constants for the allowed values of arguments, such as `AuthRoleTokenType.Batch`: `pulumi import` prints code that uses them. */

import * as z from "zod";
import { capitalized } from "./property-texts";

const schemaTypes = z.object({
    types: z.record(
        z.string(),
        z.object({ description: z.string(), enum: z.array(z.object({ value: z.string() })).optional() }),
    ),
});

/** The name that Pulumi's generator for TypeScript gives to a value. */
export const memberOf = (word: string) => capitalized(word).replace(/[\W_]+/g, "_");

/** Constants for each enum among the arguments of the package schema. */
export function wordsSource(schema: unknown, note: string): string {
    const constants = Object.entries(schemaTypes.parse(schema).types).flatMap(([token, spec]) => {
        const name = token.split(":").at(-1) ?? "";
        if (spec.enum === undefined || name.endsWith("Result")) return [];
        const members = Object.fromEntries(spec.enum.map(({ value }) => [memberOf(value), value]));
        return [`/** ${spec.description} */\nexport const ${name} = ${JSON.stringify(members)} as const;`];
    });
    return [`/** Words of arguments as constants, as Pulumi's generators name them. ${note} */`, ...constants].join(
        "\n\n",
    );
}
