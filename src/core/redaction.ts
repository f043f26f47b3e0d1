/** Removes secrets from texts for users: error messages of servers may quote values of a request. */

const mark = "[secret]";

/** Shorter secrets are not replaced, because they would match parts of ordinary words. */
const shortest = 4;

/** This many characters of the beginning of a longer secret count as the secret, which also bounds the time of the search. */
const piece = 32;

/**
 * Replaces these secrets in a text, in each spelling that SECURITY.md lists. Call it before you shorten the text: of a part of a secret it
 * finds only a long beginning. Its time is linear in the lengths of text and secrets. It never throws: a text that cannot be searched counts as a secret.
 */
export function redacted(text: string, secrets: Iterable<string>): string {
    try {
        const known = [...new Set(secrets)].filter(
            ({ length }) => length >= shortest && Math.min(length, piece) <= text.length,
        );
        return known.length === 0 ? text : withMarks(text, [...new Set(known.flatMap(encoded))].sort());
    } catch {
        return mark;
    }
}

/** Replaces what a sorted list contains. Where two overlap, neither may stay in part. */
function withMarks(text: string, sorted: readonly string[]): string {
    const readings = readingsOf(text);
    let result = "";
    let end = 0;
    for (let start = 0; start < text.length; start++) {
        let furthest = start;
        for (const reading of readings) {
            furthest = Math.max(furthest, endOf(reading, start, sorted, start < end ? piece : Infinity));
        }
        if (furthest === start || furthest <= end) continue;
        if (start >= end) result += text.slice(end, start) + mark;
        end = furthest;
    }
    return result + text.slice(end);
}

/** The end of the longest secret, or long beginning of one, at a position of a text; the position itself if there is none. */
function endOf(text: string, start: number, sorted: readonly string[], most: number): number {
    let [low, high, length, end] = [0, sorted.length, 0, start];
    for (let at = start; ; at++) {
        const code = text.charCodeAt(at);
        if (code === fillerCode) {
            if (at === start) return start;
            continue;
        }
        const isWhole = sorted[low]?.length === length;
        if (isWhole || length >= piece) end = at;
        if (isWhole) low++;
        if (length >= most || at >= text.length) return end;
        if (high - low > 1) {
            low = firstFrom(code, sorted, length, low, high);
            high = firstFrom(code + 1, sorted, length, low, high);
        }
        if (low >= high || sorted[low]?.charCodeAt(length) !== code) return end;
        length++;
    }
}

/** The first of sorted texts, equal up to a position, that has there this character or a later one. */
function firstFrom(code: number, sorted: readonly string[], position: number, low: number, high: number): number {
    while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sorted[middle]?.charCodeAt(position) ?? 0) < code) low = middle + 1;
        else high = middle;
    }
    return low;
}

/** Follows a character for which a text has several, so that the others keep their positions. It is no character of Unicode. */
const filler = "\uffff";
const fillerCode = 0xffff;

/** A secret, and the whole of it in base64 and hex. */
function encoded(secret: string): string[] {
    const bytes = Buffer.from(secret);
    const hex = bytes.toString("hex");
    const base64 = [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
    return [secret.replaceAll(filler, ""), ...base64, hex, hex.toUpperCase()];
}

/** Characters that JSON escapes by a letter. */
const controls: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The text as it is, JSON-escaped once and twice, percent-encoded, and form-encoded. */
function readingsOf(text: string): string[] {
    const unescaped = (pattern: RegExp) =>
        text.replace(pattern, (whole, code: string | undefined, letter = "") =>
            (code ? String.fromCharCode(Number.parseInt(code, 16)) : (controls[letter] ?? letter)).padEnd(
                whole.length,
                filler,
            ),
        );
    const decoded = (encoded: string) =>
        encoded.replace(/%(?:[0-7].|[cd].%..|e.%..%..|f.%..%..%..)/gi, (whole) =>
            Buffer.from(whole.replaceAll("%", ""), "hex").toString().padEnd(whole.length, filler),
        );
    const json = [/\\(?:u([\da-fA-F]{4})|(.))/gs, /\\\\(?:u([\da-fA-F]{4})|\\?(.))/gs].map(unescaped);
    // A form has `+` for a blank, and `%2B` for a plus.
    return [...new Set([text, ...json, decoded(text), decoded(text.replaceAll("+", " "))])];
}

/** The most characters of a text that a server sends with a success in which secrets are searched for. */
export const longestSearched = 64 * 1024;

/** The most texts of one answer in messages. */
export const mostQuoted = 10;

/** The most characters of a text of a server in a message. */
const longestQuote = 4_000;

/** Cuts a text of a server for a message. Call it after `redacted`. */
export const cut = (text: string) => (text.length > longestQuote ? `${text.slice(0, longestQuote - 1)}…` : text);

/** The text as one line without control characters, so that it cannot look like several messages or control a terminal. */
export function oneLine(text: string): string {
    return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+ ?/gu, " ");
}
