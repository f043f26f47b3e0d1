/**
 * Taking out of a message what it must not hold. Servers may repeat what they were sent: as it is, in the spelling of the request's body,
 * encoded, or cut; so each reading of the message is searched for secrets, and for pieces of them.
 *
 * The time it takes grows with the length of the message and, step by step, with that of the secrets, which may be whole documents:
 * who cannot stand still so long takes the steps with pauses in between.
 */

import { type Reading, readingsOf, unescapedBytes } from "./readings";
import { Windows } from "./windows";

/** A text that no message may hold, or a document of which none may hold a piece. */
export type Secret = string | Uint8Array;

const mark = "[secret]";

/** Characters of a message: the former registration of a volume, which puts it back, may stand in one. More is a flood. */
const longestMessage = 2 ** 21;

/** Shorter secrets are common words. */
const shortest = 4;

/** Bytes of a piece of a secret. Shorter pieces are words, and a message would become unreadable without them. */
const shortestPiece = 16;

/** The same for what was encoded: of that, nothing is there by chance. */
const shortestDecodedPiece = 8;

/** Bytes of a secret that are searched in one step. Parts overlap, so that a piece is whole in one of them however it is escaped. */
const step = 128 * 1024;
const overlap = 16 * shortestPiece;

/** A reading of a text, and which letters of the text are to be hidden. */
interface Told {
    readonly reading: Reading;
    readonly hidden: Uint8Array;
}

/**
 * A text as one line of so many characters at most: whatever a server put into it, it neither looks like other messages nor steers a
 * terminal. To be called last: of a secret that was cut, a piece would be left.
 */
export function oneLine(text: string, longest = longestMessage): string {
    const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
    return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** A message without these secrets, in whatever form a server may have given them back. What nobody is shown of it is left out. */
export function redacted(text: string, secrets: readonly Secret[]): string {
    const steps = redacting([text.slice(0, 2 * longestMessage)], secrets);
    for (;;) {
        const { done, value } = steps.next();
        if (done) return value[0] ?? "";
    }
}

/** The same for several texts, in steps of a few milliseconds. */
export function* redacting(texts: readonly string[], secrets: readonly Secret[]): Generator<undefined, string[]> {
    const sought = secrets.filter(({ length }) => length >= shortest).map(bytesOf);
    if (sought.length === 0 || texts.every((text) => text === "")) return [...texts];
    const whole = new Set(
        sought.filter(({ length }) => length < shortestPiece).flatMap((bytes) => [...unescapedBytes(bytes)]),
    );
    const pieces = { plain: new Windows(shortestPiece), decoded: new Windows(shortestDecodedPiece) };
    const windowsFor = ({ isDecoded }: Reading) => (isDecoded ? pieces.decoded : pieces.plain);
    const told: Told[] = [];
    const hidden = texts.map(({ length }) => new Uint8Array(length));
    for (const [index, text] of texts.entries()) {
        for (const reading of readingsOf(text)) {
            const entry = { reading, hidden: hidden[index] ?? new Uint8Array() };
            told.push(entry);
            windowsFor(reading).add(reading.bytes);
            for (const secret of whole) hideWhole(entry, secret);
            yield;
        }
    }
    yield* pieces.plain.seal();
    yield* pieces.decoded.seal();
    yield;
    for (const secret of sought) {
        for (let start = 0; start < secret.length; start += step) {
            for (const part of unescapedBytes(secret.subarray(start, start + step + overlap))) {
                pieces.plain.search(part);
                pieces.decoded.search(part);
            }
            yield;
        }
    }
    for (const entry of told) {
        windowsFor(entry.reading).covered(entry.reading.bytes, (from, to) => hide(entry, from, to));
        yield;
    }
    return texts.map((text, index) => shown(text, hidden[index] ?? new Uint8Array()));
}

function bytesOf(secret: Secret): Uint8Array {
    return typeof secret === "string" ? Buffer.from(secret) : secret;
}

/** Hides a secret that is shorter than any piece wherever it stands. */
function hideWhole(entry: Told, secret: Uint8Array): void {
    if (secret.length < shortest) return;
    const bytes = Buffer.from(entry.reading.bytes.buffer, entry.reading.bytes.byteOffset, entry.reading.bytes.length);
    for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + 1))
        hide(entry, at, at + secret.length);
}

/** Hides what some bytes of a reading are written in. */
function hide({ reading, hidden }: Told, from: number, to: number): void {
    hidden.fill(1, reading.from[from], reading.to[to - 1]);
}

/** What is left of a text. */
function shown(text: string, hidden: Uint8Array): string {
    let left = "";
    for (let at = 0; at < text.length; ) {
        const from = at;
        const isHidden = hidden[from] === 1;
        while (at < text.length && (hidden[at] === 1) === isHidden) at++;
        left += isHidden ? mark : text.slice(from, at);
    }
    return left;
}
