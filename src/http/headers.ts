/** Putting headers together. */

import { validateHeaderName, validateHeaderValue } from "node:http";

/** Later ones win, whatever the case of their names. A character that no header can carry is a `TypeError` that names the header only. */
export function mergeHeaders(...sets: readonly Readonly<Record<string, string>>[]): Record<string, string> {
    const merged = new Map<string, readonly [string, string]>();
    for (const [name, value] of sets.flatMap((set) => Object.entries(set))) {
        validateHeaderName(name);
        validateHeaderValue(name, value);
        merged.set(name.toLowerCase(), [name, value]);
    }
    return Object.fromEntries(merged.values());
}
