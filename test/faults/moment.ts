/** The comparable part of server and state at one moment of a story. */

import assert from "node:assert/strict";

/** The text of a moment. */
export type Moment = string;

/** Fields that differ from run to run: times, counters and generated values. */
const passing = /^(createdAt|modifiedAt|due|objects|uploads|index|.*Index|evaluation|allocation|__provider)$/;

/** Addresses of the server. */
const origins = /https?:\/\/127\.0\.0\.1:\d+(\/api\/v2)?/g;

/** A moment with sorted names, without empty objects, and with numbers in place of generated ids. */
export function momentOf(value: unknown): Moment {
    const ids = new Map<string, string>();
    const tidied = (key: string, inner: unknown): unknown => {
        if (passing.test(key)) return undefined;
        if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
        // A rotated secret is random.
        const fields = "isRotated" in inner ? { ...inner, client_secret: "" } : inner;
        const kept = Object.entries(fields).filter(([name, field]) => !passing.test(name) && !isEmpty(field));
        return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
    };
    const text = JSON.stringify(value, tidied, 1).replace(/\bsv-[0-9a-f]{16}\b/g, (id) => {
        const known = ids.get(id) ?? `version ${ids.size + 1}`;
        ids.set(id, known);
        return known;
    });
    return text.replace(origins, "the server");
}

/** Whether an object is empty at every depth. */
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

/** The lines that only one of the texts has. */
function differences(wanted: string, now: string): string {
    const count = new Map<string, number>();
    for (const line of now.split("\n")) count.set(line, (count.get(line) ?? 0) + 1);
    for (const line of wanted.split("\n")) count.set(line, (count.get(line) ?? 0) - 1);
    const lines = (sign: number) => [...count].filter(([, times]) => times * sign > 0).map(([line]) => line.trim());
    return `has ${lines(1).join(" ") || "nothing"} and lacks ${lines(-1).join(" ") || "nothing"}`;
}
