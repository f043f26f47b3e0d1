/** JSON that is the same for the same values. */

import { isRecord } from "./unknown";

/** JSON in which the order of keys is settled. */
export function sortedJson(value: unknown): string {
    return JSON.stringify(value, (_, inner: unknown) =>
        isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
    );
}
