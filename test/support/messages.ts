/**
 * Our messages: what must be true of every failure, whichever test makes it, the matrix of faults, crashes, random faults, or fuzzed values;
 * and which entry of the catalogue one is made of.
 */

import assert from "node:assert/strict";
import type { Documented } from "../../src/catalogue";
import { canaryToken } from "./canaries";

/** A failure is one paragraph that begins with the resource, without a stack, a mistake of ours or a secret. */
export function assertReadable(error: unknown, subject: string, secrets: readonly string[] = []): void {
    assert(error instanceof Error && typeof error.message === "string", String(error));
    const { message } = error;
    assert(message.startsWith(subject), `it does not begin with the resource: ${message}`);
    assert.doesNotMatch(
        message,
        /mistake in statecraft|(Type|Range|URI)Error|is not a function|undefined|\[object|[\r\n]\s+at |\bat .*:\d+:\d+/,
        message,
    );
    assertDiscreet(message, secrets);
}

/** A text holds neither the token nor one of the secrets, in whichever way they are written. */
export function assertDiscreet(text: string, secrets: readonly string[] = []): void {
    for (const secret of [canaryToken, ...secrets]) {
        for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
            assert(!text.includes(form), `a secret is shown: ${text}`);
        }
    }
}

/** What an entry of our catalogue says, whatever stands in its gaps: its own test has the words, others only tell that it was said. */
export function wordsOf({ doc }: Documented): RegExp {
    const words = doc.message.split(/…|\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(words.join(".*"), "s");
}
