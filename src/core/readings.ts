/**
 * What a text may stand for. Servers repeat what they were sent in many spellings: escaped once or more, in percent, as base64 or hex, cut
 * anywhere. So a text is read in all these ways, and what is looked for is looked for in each reading.
 *
 *     the text, its escapes taken off up to three times
 *       └ as it is, in percent, as a form
 *           └ as it is, as base64 (from each of four letters), as hex (from each of two)
 *               └ its escapes taken off up to twice
 */

import { gap } from "./windows";

/** Bytes that a text may stand for, and the part of the text that each of them is written in. */
export interface Reading {
    readonly bytes: Uint8Array;
    readonly from: Uint32Array;
    readonly to: Uint32Array;
    /** Letters were taken for base64 or hex: whatever is found in it is not there by chance. */
    readonly isDecoded: boolean;
}

/** Takes a byte that is written from here to there. */
type Emit = (byte: number, from: number, to: number) => void;

/** Every reading of a text. */
export function* readingsOf(text: string): Generator<Reading> {
    for (const plain of unescapings(asWritten(text), 3)) {
        for (const each of [plain, percentDecoded(plain), formDecoded(plain)]) {
            if (each === undefined) continue;
            yield* each === plain ? [plain] : unescapings(each, 2);
            for (const decoded of [
                ...[0, 1, 2, 3].map((skip) => base64Decoded(each, skip)),
                hexDecoded(each, 0),
                hexDecoded(each, 1),
            ])
                if (decoded !== undefined) yield* unescapings(decoded, 2);
        }
    }
}

/** Bytes themselves, and with the escapes of JSON taken off once and twice where there are any. */
export function* unescapedBytes(bytes: Uint8Array): Generator<Uint8Array> {
    let rest: Uint8Array | undefined = bytes;
    for (let level = 0; rest !== undefined && level <= 2; level++) {
        yield rest;
        const into: Uint8Array = new Uint8Array(rest.length);
        let length = 0;
        const emit = (byte: number) => {
            into[length++] = byte;
        };
        rest = withoutEscapes(rest, emit) ? into.subarray(0, length) : undefined;
    }
}

function* unescapings(reading: Reading, most: number): Generator<Reading> {
    let rest: Reading | undefined = reading;
    for (let level = 0; rest !== undefined && level <= most; level++) {
        yield rest;
        const { bytes, isDecoded }: Reading = rest;
        rest = derived(rest, isDecoded, (emit) => withoutEscapes(bytes, emit));
    }
}

/** The text in UTF-8. */
function asWritten(text: string): Reading {
    const bytes = Buffer.from(text);
    const [from, to] = [new Uint32Array(bytes.length), new Uint32Array(bytes.length)];
    let at = 0;
    for (let start = 0; start < text.length; ) {
        const point = text.codePointAt(start) ?? 0;
        const end = start + (point > 0xffff ? 2 : 1);
        for (let left = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4; left > 0; left--, at++) {
            from[at] = start;
            to[at] = end;
        }
        start = end;
    }
    return { bytes, from, to, isDecoded: false };
}

/** Another reading of a reading, unless there is nothing to it. None becomes longer, but for the end of a run. */
function derived(of: Reading, isDecoded: boolean, decode: (emit: Emit) => boolean): Reading | undefined {
    const most = of.bytes.length + 1;
    const [bytes, from, to] = [new Uint8Array(most), new Uint32Array(most), new Uint32Array(most)];
    let length = 0;
    const isOther = decode((byte, first, end) => {
        bytes[length] = byte;
        from[length] = of.from[first] ?? 0;
        to[length] = of.to[end - 1] ?? 0;
        length++;
    });
    if (!isOther) return undefined;
    return { bytes: bytes.subarray(0, length), from: from.subarray(0, length), to: to.subarray(0, length), isDecoded };
}

const backslash = 0x5c;
const short: Readonly<Record<string, string>> = {
    b: "\b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
    '"': '"',
    "\\": "\\",
    "/": "/",
};
const shortEscapes = new Map(
    Object.entries(short).map(([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)]),
);

/** Takes the escapes of JSON off. Whether there are any. */
function withoutEscapes(bytes: Uint8Array, emit: Emit): boolean {
    let found = false;
    if (!bytes.includes(backslash)) return found;
    for (let at = 0; at < bytes.length; ) {
        const byte = bytes[at] ?? 0;
        const meant = byte === backslash ? shortEscapes.get(bytes[at + 1] ?? 0) : undefined;
        const unit = byte === backslash && meant === undefined ? unitAt(bytes, at) : undefined;
        if (meant !== undefined) emit(meant, at, at + 2);
        else if (unit !== undefined) emitCharacter(bytes, at, unit, emit);
        else emit(byte, at, at + 1);
        found ||= meant !== undefined || unit !== undefined;
        at += meant !== undefined ? 2 : unit === undefined ? 1 : lengthOf(bytes, at, unit);
    }
    return found;
}

/** The number in `\u00fc`. */
function unitAt(bytes: Uint8Array, at: number): number | undefined {
    if (bytes[at] !== backslash || bytes[at + 1] !== 0x75 || at + 6 > bytes.length) return undefined;
    let unit = 0;
    for (let digit = at + 2; digit < at + 6; digit++) {
        const value = hexValues[bytes[digit] ?? 0] ?? -1;
        if (value < 0) return undefined;
        unit = unit * 16 + value;
    }
    return unit;
}

function isPair(bytes: Uint8Array, at: number, unit: number): boolean {
    const second = unit >= 0xd800 && unit < 0xdc00 ? unitAt(bytes, at + 6) : undefined;
    return second !== undefined && second >= 0xdc00 && second < 0xe000;
}

/** Letters that a character is written in: two numbers stand for one that is beyond 16 bits. */
function lengthOf(bytes: Uint8Array, at: number, unit: number): number {
    return isPair(bytes, at, unit) ? 12 : 6;
}

function emitCharacter(bytes: Uint8Array, at: number, unit: number, emit: Emit): void {
    const units = isPair(bytes, at, unit) ? [unit, unitAt(bytes, at + 6) ?? 0] : [unit];
    for (const byte of Buffer.from(String.fromCharCode(...units))) emit(byte, at, at + 6 * units.length);
}

const percent = 0x25;
const plus = 0x2b;
const blank = 0x20;

function percentDecoded(reading: Reading): Reading | undefined {
    const { bytes, isDecoded } = reading;
    if (!bytes.includes(percent)) return undefined;
    return derived(reading, isDecoded, (emit) => unpercent(bytes, false, emit));
}

/** In forms a plus sign stands for a blank. */
function formDecoded(reading: Reading): Reading | undefined {
    const { bytes, isDecoded } = reading;
    if (!bytes.includes(plus)) return undefined;
    return derived(reading, isDecoded, (emit) => unpercent(bytes, true, emit));
}

function unpercent(bytes: Uint8Array, isForm: boolean, emit: Emit): boolean {
    let found = false;
    for (let at = 0; at < bytes.length; ) {
        const byte = bytes[at] ?? 0;
        const [high, low] = [hexValues[bytes[at + 1] ?? 0] ?? -1, hexValues[bytes[at + 2] ?? 0] ?? -1];
        const isCode = byte === percent && high >= 0 && low >= 0;
        const isBlank = isForm && byte === plus;
        found ||= isCode || isBlank;
        emit(isCode ? high * 16 + low : isBlank ? blank : byte, at, at + (isCode ? 3 : 1));
        at += isCode ? 3 : 1;
    }
    return found;
}

/** The value of each letter in an alphabet of digits; -1 for any other. */
function valuesOf(...alphabets: readonly string[]): Int8Array {
    const values = new Int8Array(256).fill(-1);
    for (const alphabet of alphabets) {
        for (let digit = 0; digit < alphabet.length; digit++) values[alphabet.charCodeAt(digit)] = digit;
    }
    return values;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const base64Values = valuesOf(`${letters}+/`, `${letters}-_`);
const hexValues = valuesOf("0123456789abcdef", "0123456789ABCDEF");

/** Every run of letters of base64 that can hold four bytes, without its first letters: a cut may fall anywhere. */
function base64Decoded(reading: Reading, skip: number): Reading | undefined {
    return runsDecoded(reading, base64Values, 6, (start, end, emit) => {
        let [bits, count] = [0, 0];
        for (let at = start + skip; at < end; at++) {
            bits = ((bits << 6) | (base64Values[reading.bytes[at] ?? 0] ?? 0)) & 0xffff;
            count += 6;
            if (count < 8) continue;
            count -= 8;
            emit((bits >> count) & 0xff, at - 1, at + 1);
        }
    });
}

/** The same for hex. */
function hexDecoded(reading: Reading, skip: number): Reading | undefined {
    const value = (at: number) => hexValues[reading.bytes[at] ?? 0] ?? 0;
    return runsDecoded(reading, hexValues, 8, (start, end, emit) => {
        for (let at = start + skip; at + 1 < end; at += 2) emit(value(at) * 16 + value(at + 1), at, at + 2);
    });
}

function runsDecoded(
    reading: Reading,
    values: Int8Array,
    least: number,
    decode: (start: number, end: number, emit: Emit) => void,
): Reading | undefined {
    const { bytes } = reading;
    return derived(reading, true, (emit) => {
        let found = false;
        for (let start = 0; start < bytes.length; ) {
            let end = start;
            while (end < bytes.length && (values[bytes[end] ?? 0] ?? -1) >= 0) end++;
            if (end - start >= least) {
                decode(start, end, emit);
                emit(gap, end, end);
                found = true;
            }
            start = end + 1;
        }
        return found;
    });
}
