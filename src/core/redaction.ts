/**
 * Taking out of a message what it must not hold. Servers may repeat what they were sent: as it is, in the spelling of the request's body,
 * encoded, or cut; so a secret is looked for in all of these, and in pieces.
 */

const mark = "[secret]";

/** Shorter pieces of a secret are left: they are words, and a message would become unreadable without them. */
const shortestPiece = 16;
const probe = shortestPiece / 2;

/** Shorter encoded forms occur by chance. */
const shortestForm = 8;

/** Longer ones are whole documents, of which no form beside those of a body is looked for. */
const longestEncoded = 64 * 1024;

/** A text without these secrets, in whatever form a server may have given them back. */
export function redacted(text: string, secrets: readonly string[]): string {
    if (text === "" || secrets.length === 0) return text;
    const forms = [...new Set(secrets.flatMap((secret) => [secret, ...formsOf(secret)]))];
    const longestFirst = forms.filter((form) => form !== "").sort((a, b) => b.length - a.length);
    const whole = longestFirst.reduce((rest, form) => rest.replaceAll(form, mark), text);
    const long = longestFirst.filter((form) => form.length >= shortestPiece);
    return long.length === 0 ? whole : withoutPieces(whole, long.join("\0"));
}

function formsOf(secret: string): string[] {
    const once = jsonEscaped(secret);
    const twice = jsonEscaped(once);
    // In a body; in a document that is a text in a body; quoted once more in an answer.
    const escaped = [once, twice, jsonEscaped(twice)];
    if (secret.length > longestEncoded) return escaped;
    const encoded = [secret, once, twice].flatMap(encodings);
    return [...escaped, ...encoded].filter((form) => form.length >= shortestForm);
}

function encodings(text: string): string[] {
    const bytes = Buffer.from(text);
    const hex = bytes.toString("hex");
    const percent = encodeURIComponent(bytes.toString());
    const base64 = [0, 1, 2].map((before) => base64Within(bytes, before));
    const forUrls = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
    const inForms = new URLSearchParams([["", text]]).toString().slice(1);
    return [percent, inForms, ...base64, ...forUrls, hex, hex.toUpperCase()];
}

function jsonEscaped(text: string): string {
    return JSON.stringify(text).slice(1, -1);
}

/** The letters that bytes surely become in the base64 form of something longer, where so many other bytes stand before them. */
function base64Within(bytes: Buffer, before: number): string {
    const form = Buffer.concat([Buffer.alloc(before), bytes])
        .toString("base64")
        .replace(/=+$/, "");
    const isWhole = (before + bytes.length) % 3 === 0;
    // The letters at both ends depend on the neighbours too.
    return form.slice(before === 0 ? 0 : before + 1, isWhole ? undefined : -1);
}

/** Takes out what a text and the forms have in common over some length: whatever is that long holds a whole probe. */
function withoutPieces(text: string, forms: string): string {
    const isIn = (from: number, to: number) => forms.includes(text.slice(from, to));
    let shown = "";
    let rest = 0;
    for (let at = 0; at + probe <= text.length; ) {
        let [from, to] = [at, at + probe];
        at = to;
        if (!isIn(from, to)) continue;
        while (from > rest && isIn(from - 1, to)) from--;
        while (to < text.length && isIn(from, to + 1)) to++;
        if (to - from < shortestPiece) continue;
        shown += text.slice(rest, from) + mark;
        rest = to;
        at = to;
    }
    return shown + text.slice(rest);
}
