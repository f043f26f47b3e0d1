/** Removes secrets from texts for users: error messages of servers may quote values of a request. */

const mark = "[secret]";

/** Shorter secrets are not replaced, because they would match parts of ordinary words. */
const shortest = 4;

/**
 * Replaces these secrets in a text, in each spelling that SECURITY.md lists. Call it before you shorten the text: it does not find a part of a
 * secret.
 */
export function redacted(text: string, secrets: readonly string[]): string {
    return [...new Set(secrets)]
        .filter(({ length }) => length >= shortest && length <= text.length)
        .sort((one, other) => other.length - one.length)
        .reduce((rest, secret) => rest.replace(pattern(secret), mark), text);
}

/** Characters of a text of a server in a message. */
const longestQuote = 4_000;

/** Cuts a text of a server for a message. Call it after `redacted`. */
export const cut = (text: string) => (text.length > longestQuote ? `${text.slice(0, longestQuote - 1)}…` : text);

/** Finds a secret with each character in any spelling of JSON, URLs or forms, or the whole in base64 or hex. */
function pattern(secret: string): RegExp {
    const bytes = Buffer.from(secret);
    const characters = secret.match(/\\+|[^\\]/gu) ?? [];
    const base64 = [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
    const wholes = [...base64.map(literal), anyCase(bytes.toString("hex"))];
    return new RegExp([characters.map(spelled).join(""), ...wholes].join("|"), "gu");
}

/** Letters that JSON escapes with a backslash. */
const escapes: Readonly<Record<string, string>> = { "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t" };

/** A character, or a run of backslashes: plain, JSON-escaped once and twice, percent-encoded, and a blank as in a form. */
function spelled(character: string): string {
    const percent = anyCase([...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`).join(""));
    if (character.startsWith("\\")) {
        const runs = [4, 2, 1].map((times) => literal(character.repeat(times)));
        return `(?:${[...runs, percent].join("|")})`;
    }
    const units = character.split("").map((unit) => `\\\\{1,2}u${anyCase(hex(unit.charCodeAt(0), 4))}`);
    const letter = escapes[character];
    const others = [letter && `\\\\{1,2}${letter}`, character === " " && "\\+"].filter(
        (other) => typeof other === "string",
    );
    const plain = `${/["'/]/.test(character) ? "(?:\\\\|\\\\{3})?" : ""}${literal(character)}`;
    return `(?:${[plain, units.join(""), percent, ...others].join("|")})`;
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Matches hexadecimal digits in small and capital letters. */
const anyCase = (text: string) => text.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** The text as one line without control characters, so that it cannot look like several messages or control a terminal. */
export function oneLine(text: string): string {
    return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+ ?/gu, " ");
}
