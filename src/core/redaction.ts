/** Removes secrets from texts for users: error messages of servers may quote values of a request. */

const mark = "[secret]";

/** Shorter secrets are not replaced, because they would match parts of ordinary words. */
const shortest = 4;

/**
 * Replaces these secrets in a text, in each spelling that SECURITY.md lists. Call it before you shorten the text: it does not find a part of a
 * secret.
 */
export function redacted(text: string, secrets: readonly string[]): string {
    return secrets
        .filter(({ length }) => length >= shortest && length <= text.length)
        .flatMap(spellings)
        .sort((one, other) => other.length - one.length)
        .reduce((rest, spelling) => rest.replaceAll(spelling, mark), text);
}

/** The spellings of a secret: plain, JSON-escaped once and twice, percent-encoded, base64 and hex. */
function spellings(secret: string): string[] {
    const bytes = Buffer.from(secret);
    const base64 = bytes.toString("base64").replace(/=+$/, "");
    const hex = bytes.toString("hex");
    const escaped = jsonEscaped(secret);
    // `bytes.toString()` has no lone surrogates, which `encodeURIComponent` would refuse.
    const percent = encodeURIComponent(bytes.toString());
    return [
        secret,
        escaped,
        jsonEscaped(escaped),
        percent,
        base64,
        bytes.toString("base64url"),
        hex,
        hex.toUpperCase(),
    ];
}

const jsonEscaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** The text as one line without control characters, so that it cannot look like several messages or control a terminal. */
export function oneLine(text: string): string {
    return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
