/** Putting headers together. */

import { validateHeaderName, validateHeaderValue } from "node:http";
import { StatecraftError } from "../errors";

/** Later ones win, whatever the case of their names. @throws StatecraftError, which names the header only, for what no header can carry */
export function mergeHeaders(...sets: readonly Readonly<Record<string, string>>[]): Record<string, string> {
    const merged = new Map<string, readonly [string, string]>();
    for (const [name, value] of sets.flatMap((set) => Object.entries(set))) {
        validate(name, value);
        merged.set(name.toLowerCase(), [name, value]);
    }
    return Object.fromEntries(merged.values());
}

function validate(name: string, value: string): void {
    try {
        validateHeaderName(name);
        validateHeaderValue(name, value);
    } catch {
        throw new StatecraftError(
            "header",
            `the header ${name} would hold a character that no header can carry, such as a line break`,
        );
    }
}
