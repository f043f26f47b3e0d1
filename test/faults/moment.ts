/** Compares server and state at two moments, such as the ends of a story with and without a fault. */

import assert from "node:assert/strict";

/** Server and state as text. */
export type Moment = string;

/** Fields whose values differ in each run: times, counters and generated values. */
const passing = /^(createdAt|modifiedAt|due|objects|uploads|index|.*Index|evaluation|allocation|__provider)$/;

/** Addresses of the simulator. */
const origins = /https?:\/\/127\.0\.0\.1:\d+(\/api\/v2)?/g;

/** Converts server and state to text, with sorted names, without empty objects, and with numbers instead of generated ids. */
export function momentOf(value: unknown): Moment {
    const ids = new Map<string, string>();
    const tidied = (key: string, inner: unknown): unknown => {
        if (passing.test(key)) return undefined;
        if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
        // Each rotation generates a random secret.
        const fields = "isRotated" in inner ? { ...inner, client_secret: "" } : inner;
        const compared = Object.entries(fields).filter(([name, field]) => !passing.test(name) && !isEmpty(field));
        return Object.fromEntries(compared.sort(([one], [other]) => (one < other ? -1 : 1)));
    };
    const text = JSON.stringify(value, tidied, 1).replace(/\bsv-[0-9a-f]{16}\b/g, (id) => {
        const known = ids.get(id) ?? `version ${ids.size + 1}`;
        ids.set(id, known);
        return known;
    });
    return text.replace(origins, "the server");
}

/** Whether a value is an object that contains only empty objects. */
function isEmpty(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    return !Array.isArray(value) && Object.values(value).every(isEmpty);
}

/** @throws Error with the differences, beginning with `when` */
export function assertSame(now: Moment, wanted: Moment, when: string): void {
    try {
        assert.equal(now, wanted);
    } catch (error) {
        throw new Error(`${when} the server or the state differs from the story without the fault: ${error}`);
    }
}
