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
const base64 = (text: string, before: number) => {
    const bytes = Buffer.concat([Buffer.alloc(before, "x"), Buffer.from(text), Buffer.alloc(3, "y")]);
    // Whole groups of three bytes, so that neither neighbour plays a part.
    const from = before === 0 ? 0 : 3;
    const to = from + Math.floor((before + Buffer.byteLength(text) - from) / 3) * 3;
    return bytes.subarray(from, to).toString("base64");
};

/** How a value may be written. */
export function formsOf(value: string): Readonly<Record<string, string>> {
    const forms: Record<string, string> = {};
    for (const [how, text] of [
        ["", value],
        ["quoted ", quoted(value)],
        ["twice quoted ", quoted(quoted(value))],
    ] as const) {
        forms[`${how}as it is`] = text;
        forms[`${how}percent`] = encodeURIComponent(text);
        forms[`${how}form`] = encodeURIComponent(text).replace(/%20/g, "+").replace(/~/g, "%7E");
        forms[`${how}hex`] = Buffer.from(text).toString("hex");
        forms[`${how}capital hex`] = Buffer.from(text).toString("hex").toUpperCase();
        for (const before of [0, 1, 2]) {
            const form = base64(text, before);
            forms[`${how}base64 ${before}`] = form;
            forms[`${how}base64url ${before}`] = form.replaceAll("+", "-").replaceAll("/", "_");
        }
    }
    return forms;
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
