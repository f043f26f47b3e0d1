/** Assertions that hold for every message to a user. */

import assert from "node:assert/strict";
import { canaryToken } from "./canaries";

/** Asserts that a failure is one paragraph that begins with the resource, without a stack trace, an internal error or a secret. */
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

/** Asserts that a text contains neither the token nor one of the secrets: plain, as JSON or percent-encoded. */
export function assertDiscreet(text: string, secrets: readonly string[] = []): void {
    for (const secret of [canaryToken, ...secrets]) {
        for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
            assert(!text.includes(form), `a secret is shown: ${text}`);
        }
    }
}

/** Matches a message with this code. */
export const withCode = (code: string): RegExp => new RegExp(`\\[${code}\\]`);
