/** Everything that can be compared of one moment of a story: the server's objects and the resource's state. */

import assert from "node:assert/strict";

/** The text of a moment. */
export type Moment = string;

/** What differs from run to run: times, counters, and what the server makes up. */
const passing = /^(createdAt|modifiedAt|due|objects|uploads|index|.*Index|evaluation|allocation|__provider)$/;

/** The same server is reached by several addresses. */
const origins = /https?:\/\/127\.0\.0\.1:\d+(\/api\/v2)?/g;

/** A moment that can be compared: names sorted, empty containers left out, and the ids that the server makes up by their order. */
export function momentOf(value: unknown): Moment {
    const ids = new Map<string, string>();
    const tidied = (key: string, inner: unknown): unknown => {
        if (passing.test(key)) return undefined;
        if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
        // A rotated secret is another one each time.
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

/** Containers in which there is nothing, at any depth. */
function isEmpty(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    return !Array.isArray(value) && Object.values(value).every(isEmpty);
}

/** @throws AssertionError that says what differs, beginning with `when` */
export function assertSame(now: Moment, wanted: Moment, when: string): void {
    if (now === wanted) return;
    assert.fail(`${when} the server or the state is not as without the fault: it ${differences(wanted, now)}`);
}

/** The lines that one text has more often than the other, in words. */
function differences(wanted: string, now: string): string {
    const count = new Map<string, number>();
    for (const line of now.split("\n")) count.set(line, (count.get(line) ?? 0) + 1);
    for (const line of wanted.split("\n")) count.set(line, (count.get(line) ?? 0) - 1);
    const lines = (sign: number) => [...count].filter(([, times]) => times * sign > 0).map(([line]) => line.trim());
    return `has ${lines(1).join(" ") || "nothing"} and lacks ${lines(-1).join(" ") || "nothing"}`;
}
