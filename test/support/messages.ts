/** What must be true of every message, whichever test, fault, crash or fuzzed value leads to it. */

import assert from "node:assert/strict";
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

/** A message with this code. */
export const withCode = (code: string): RegExp => new RegExp(`\\[${code}\\]`);
