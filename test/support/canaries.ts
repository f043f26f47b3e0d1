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

/** A canary with characters that each encoding writes differently, so placed that base64 has a `+`. */
export const canary = (name: string): string => mixed(name, [`@ "'!=`, "\n\\/", "+%&", "<ü>", "~?"]);

/** A canary of over 20,000 characters in many lines, as certificates and keys have. */
export const longCanary = (name: string): string =>
    Array.from({ length: 500 }, (_, line) => canary(`${name}, line ${line}`)).join("\n");

/** A canary of characters that are valid in a header. */
export const canaryHeader = (name: string): string => mixed(name, ["@-", `"'!\\/`, "+%&", "<~?"]);

/** The texts that a spelling writes for characters. A character that the table lacks stays as it is. */
type Table = Readonly<Record<string, string>>;

// The tables are written by hand, because code with JavaScript's encoders would have the same faults as the redaction.

/** The bytes of characters in UTF-8, in hex. The table has every character of canaries and of JSON, except letters, digits and `-._`. */
const bytes: Table = {
    ...{ "\n": "0A", " ": "20", "!": "21", '"': "22", "%": "25", "&": "26", "'": "27", "+": "2B" },
    ...{ ",": "2C", "/": "2F", ":": "3A", "<": "3C", "=": "3D", ">": "3E", "?": "3F", "@": "40" },
    ...{ "[": "5B", "\\": "5C", "]": "5D", "{": "7B", "}": "7D", "~": "7E", ü: "C3BC" },
};
const escaped: Table = { "\n": "\\n", '"': '\\"', "\\": "\\\\" };
const escapedTwice: Table = { "\n": "\\\\n", '"': '\\\\\\"', "\\": "\\\\\\\\" };
const percent: Table = Object.fromEntries(Object.entries(bytes).map(([one, hex]) => [one, hex.replace(/../g, "%$&")]));

/** The spellings of texts that SECURITY.md lists. Those of further languages are further rows. */
const spellings: Readonly<Record<string, Table>> = {
    plain: {},
    "JSON-escaped": escaped,
    "JSON-escaped twice": escapedTwice,
    // JavaScript leaves these three as they are.
    "percent-encoded": { ...percent, "!": "!", "'": "'", "~": "~" },
};

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Writes six bits as one character of `alphabet`. */
function inBase64(hex: string): string {
    const bits = hex.replace(/./g, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0"));
    const letters = bits.replace(/.{1,6}/g, (six) => alphabet.charAt(Number.parseInt(six.padEnd(6, "0"), 2)));
    return letters + "=".repeat(-letters.length & 3);
}

function hexOf(character: string): string {
    const code = /^[\w.-]$/.test(character) ? character.charCodeAt(0).toString(16) : undefined;
    return code ?? bytes[character]?.toLowerCase() ?? assert.fail(`the table of bytes lacks ${character}`);
}

/** The spellings in which a server may quote a value. */
export function formsOf(value: string): Readonly<Record<string, string>> {
    const characters = [...value];
    const hex = characters.map(hexOf).join("");
    const base64 = inBase64(hex);
    const spelled = Object.entries(spellings).map(([how, table]) => {
        return [how, characters.map((character) => table[character] ?? character).join("")];
    });
    return {
        ...Object.fromEntries(spelled),
        "in base64": base64,
        "in base64 for URLs": base64.replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, ""),
        "in hex": hex,
        "in capital hex": hex.toUpperCase(),
    };
}

/** The spellings and the pieces of values that were searched before, because tests search for the same values in many texts. */
const searched = new Map<string, readonly (readonly [how: string, form: string])[]>();

/** Finds the values in a text, in each spelling, and each piece of 16 characters. Returns every match with the text around it. */
export function tracesOf(values: Readonly<Record<string, string>>, text: string): string[] {
    return Object.entries(values).flatMap(([name, value]) => {
        const pieces = () =>
            Array.from({ length: value.length - 15 }, (_, at) => [`piece ${at}`, value.slice(at, at + 16)] as const);
        const forms = searched.get(value) ?? [...Object.entries(formsOf(value)), ...pieces()];
        searched.set(value, forms);
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
