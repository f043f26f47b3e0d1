/** Canaries, which are recognizable values in place of secrets, and the search for them in output. It shares no code with the redaction in `src`. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";

/** The token in all tests. No message may contain it. */
export const canaryToken = "planted-token-5e1c";

/** The secrets in the programs of `test/resources` and in Terraform states. */
export const planted = {
    secret: "planted-secret-91c4",
    edited: "planted-secret-5d20",
    state: "planted-output-77ab",
} as const;

/**
 * Returns a value that begins with letters and digits, which JSON and percent-encoding do not change. Two canaries share only the odd characters, because the
 * redaction of one canary must not remove a part of another one.
 */
const mixed = (name: string, odd: readonly string[]): string => {
    const letters = createHash("sha256").update(name).digest("hex");
    return letters.slice(0, 20) + odd.map((characters, at) => `${characters}${letters[20 + at]}`).join("");
};

/** A canary with characters that each encoding writes differently. */
export const canary = (name: string): string => mixed(name, ['@ "', "\n\\/", "+%&", "<ü>", "~?"]);

/** A canary of characters that are valid in a header. */
export const canaryHeader = (name: string): string => mixed(name, ["@-", '"\\/', "+%&", "<~?"]);

const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

/** The spellings in which a server may quote a value, as SECURITY.md lists them. */
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

/** Finds the values in a text, in each spelling, and each piece of 16 characters. Returns every match with the text around it. */
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

/** Asserts that the text contains none of the values. */
export function holdsNone(values: Readonly<Record<string, string>>, text: string, what: string): void {
    assert.deepEqual(tracesOf(values, text), [], `canaries in ${what}`);
}
