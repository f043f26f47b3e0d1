/**
 * Sealing of the data file: it holds tokens, credentials and states, and data files are copied, shown and kept for long. The key stands in
 * a file of its own beside it, which goes nowhere.
 */

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const algorithm = "aes-256-gcm";
const [keyBytes, ivBytes, tagBytes] = [32, 12, 16];

/** Where the key of a data file stands. */
export function keyFileOf(file: string): string {
    return `${file}.key`;
}

/** A text that only who has the key can read. Makes the key where there is none. */
export function sealed(file: string, text: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, readKey(file) ?? makeKey(file), iv);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64");
}

/** The text that was sealed, or nothing where the key is missing, another one, or the text was changed. */
export function unsealed(file: string, text: string): string | undefined {
    const key = readKey(file);
    if (key === undefined) return undefined;
    const bytes = Buffer.from(text, "base64");
    try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes));
        decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        const body = bytes.subarray(ivBytes + tagBytes);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
    } catch {
        return undefined;
    }
}

function readKey(file: string): Buffer | undefined {
    try {
        const key = Buffer.from(readFileSync(keyFileOf(file), "utf8"), "base64");
        return key.length === keyBytes ? key : undefined;
    } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
    }
}

function makeKey(file: string): Buffer {
    const key = randomBytes(keyBytes);
    writeFileSync(keyFileOf(file), `${key.toString("base64")}\n`, { mode: 0o600 });
    return key;
}
