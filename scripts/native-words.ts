/** Constants for the allowed values of arguments, such as `AuthRoleTokenType.Batch`: `pulumi import` prints code that uses them. */

import type { Spec } from "./package-types";
import { capitalized } from "./property-texts";

type Enums = Readonly<Record<string, { description: string; enum?: readonly { value: string }[] }>>;

/** The name that Pulumi's generator for TypeScript gives to a value. */
export const memberOf = (word: string) => capitalized(word).replace(/[\W_]+/g, "_");

/** Constants for each enum among the arguments of the package schema. */
export function wordsSource({ types }: Spec, note: string): string {
    const constants = Object.entries(types as Enums).flatMap(([token, spec]) => {
        const name = token.split(":").at(-1) ?? "";
        if (spec.enum === undefined || name.endsWith("Result")) return [];
        const members = Object.fromEntries(spec.enum.map(({ value }) => [memberOf(value), value]));
        return [`/** ${spec.description} */\nexport const ${name} = ${JSON.stringify(members)} as const;`];
    });
    return [`/** Words of arguments as constants, as Pulumi's generators name them. ${note} */`, ...constants].join(
        "\n\n",
    );
}
