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

/** @throws AssertionError with the differences, beginning with `when` */
export function assertSame(now: Moment, wanted: Moment, when: string): void {
    if (now === wanted) return;
    assert.fail(
        `${when} the server or the state differs from the story without the fault: it ${differences(wanted, now)}`,
    );
}

/** Returns the lines that only one of the texts contains. */
function differences(wanted: string, now: string): string {
    const count = new Map<string, number>();
    for (const line of now.split("\n")) count.set(line, (count.get(line) ?? 0) + 1);
    for (const line of wanted.split("\n")) count.set(line, (count.get(line) ?? 0) - 1);
    const lines = (sign: number) => [...count].filter(([, times]) => times * sign > 0).map(([line]) => line.trim());
    return `has ${lines(1).join(" ") || "nothing"} and lacks ${lines(-1).join(" ") || "nothing"}`;
}
