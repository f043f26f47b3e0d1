/** Words that programs may write in either vocabulary. */

import * as z from "zod";
import type { Kind } from "../core/kind";
import { documentedName, type ProductName } from "../vocabulary";

type Named = Parameters<typeof documentedName>[0][number];

/** One of a few names of the documents, or what real servers call the same. State keeps what was written; both mean one. */
export function eitherName<const Name extends Named>(names: readonly Name[]): Kind<Name | ProductName<Name>> {
    const must = `must be one of ${names.map((name) => JSON.stringify(name)).join(", ")}, or the provider's own name of it`;
    return {
        type: names.map((name) => `${JSON.stringify(name)} | ProductName<${JSON.stringify(name)}>`).join(" | "),
        readType: names.map((name) => JSON.stringify(name)).join(" | "),
        schema: z.custom<Name | ProductName<Name>>(
            (value) => typeof value === "string" && documentedName(names, value) !== undefined,
            { error: must },
        ),
        canonical: (value) => documentedName(names, value) ?? value,
    };
}
