/** The resources and functions of `src/services`, also those that are not in the generated registry yet. */

import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import type { AnyFunction } from "../src/core/functions";
import type { AnyResource } from "../src/core/resource";

/** A resource or a function, and where it is defined. */
export interface Found<Definition> {
    readonly constant: string;
    /** The path of the file that exports the definition: below `src/services`, without the extension. */
    readonly file: string;
    readonly definition: Definition;
}

const found = definitionsIn(join(__dirname, "..", "src", "services"));
export const resources = found.flatMap(({ definition, ...place }) =>
    "node" in definition ? [{ ...place, definition }] : [],
);
export const lookups = found.flatMap(({ definition, ...place }) =>
    "invoke" in definition ? [{ ...place, definition }] : [],
);

/** The resources and functions that the files of the services export, in alphabetical order. */
function definitionsIn(folder: string): Found<AnyResource | AnyFunction>[] {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    return files.sort().flatMap((file) => {
        const path = file.replaceAll(sep, "/").replace(/\.ts$/, "");
        const exported = Object.entries<unknown>(require(join(folder, path)));
        return exported
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .flatMap(([constant, definition]) =>
                isDefinition(definition) ? [{ constant, file: path, definition }] : [],
            );
    });
}

function isDefinition(exported: unknown): exported is AnyResource | AnyFunction {
    if (typeof exported !== "object" || exported === null || !("service" in exported)) return false;
    return ("node" in exported && "type" in exported) || ("invoke" in exported && "name" in exported);
}

/** The type of a resource, or the name of a function. */
export const nameOf = (definition: AnyResource | AnyFunction) =>
    "type" in definition ? definition.type : definition.name;

/** The resource or the function of this name. */
export const definitionOf = (name: string) => found.find(({ definition }) => name === nameOf(definition))?.definition;
