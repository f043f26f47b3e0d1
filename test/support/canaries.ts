/** Canaries, which are values where secrets go, and the search for them in whatever somebody may read. Written apart from the code that hides them. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";

/** Where tokens go: no message may ever hold it. */
export const canaryToken = "planted-token-5e1c";

/** Secrets of programs in facts, and of states. */
export const planted = {
    secret: "planted-secret-91c4",
    edited: "planted-secret-5d20",
    state: "planted-output-77ab",
} as const;

/**
 * Begins with plain letters, a piece of which is found in most encodings. No two have a longer piece in common than these odd ones: one that is
 * hidden must not hide another, which nobody hides.
 */
const mixed = (name: string, odd: readonly string[]): string => {
    const letters = createHash("sha256").update(name).digest("hex");
    return letters.slice(0, 20) + odd.map((characters, at) => `${characters}${letters[20 + at]}`).join("");
};

/** Characters that no two encodings write alike. */
export const canary = (name: string): string => mixed(name, ['@ "', "\n\\/", "+%&", "<ü>", "~?"]);

/** The same, of characters that a header can carry. */
export const canaryHeader = (name: string): string => mixed(name, ["@-", '"\\/', "+%&", "<~?"]);

const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

/** How a server may write a value that it quotes: the spellings that SECURITY.md lists. */
export function formsOf(value: string): Readonly<Record<string, string>> {
    return {
        "as it is": value,
        "in quotes": quoted(value),
        "in quotes twice": quoted(quoted(value)),
        "in percent": encodeURIComponent(value),
        "in base64": Buffer.from(value).toString("base64"),
        "in base64 for URLs": Buffer.from(value).toString("base64url"),
        "in hex": Buffer.from(value).toString("hex"),
        "in capital hex": Buffer.from(value).toString("hex").toUpperCase(),
    };
}

/** Where a text holds one of the values, or a piece of 16 characters of one: what was found, and around it. */
export function tracesOf(values: Readonly<Record<string, string>>, text: string): string[] {
    return Object.entries(values).flatMap(([name, value]) => {
        const pieces = Array.from({ length: Math.max(0, value.length - 15) }, (_, at) => value.slice(at, at + 16));
        const forms = Object.entries({
            ...formsOf(value),
            ...Object.fromEntries(pieces.map((each, at) => [`piece ${at}`, each])),
        });
        return forms.flatMap(([how, form]) => {
            const at = text.indexOf(form);
            return at < 0 ? [] : [`${name}, ${how}: ${text.slice(Math.max(0, at - 60), at + form.length + 60)}`];
        });
    });
}

/** Nothing of the values is in the text. */
export function holdsNone(values: Readonly<Record<string, string>>, text: string, what: string): void {
    assert.deepEqual(tracesOf(values, text), [], `canaries in ${what}`);
}
