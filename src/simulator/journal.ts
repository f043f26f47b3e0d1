/** The requests that came in, for tests to look at. */

import { isUtf8 } from "node:buffer";
import { parsed } from "./json";
import type { Request } from "./route";
import { tokenHeaders } from "./vocabulary";

/** A request as it is told. */
export interface Entry {
    /** `LIST` where `LIST` was sent. */
    readonly method: string;
    /** Without query. */
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    /** Names in lower case; tokens are hidden. */
    readonly headers: Readonly<Record<string, string>>;
    /** JSON as what it says, other text as text, anything else as its length, nothing as `null`. */
    readonly body: unknown;
    /** `null` while it is not answered, and for ever if the connection was cut. */
    status: number | null;
}

const hidden: ReadonlySet<string> = new Set(["authorization", ...tokenHeaders]);
/** So that a simulator left running does not fill the memory. */
const longest = 10_000;

/** Requests in the order of their arrival; the oldest go when there are too many. */
export class Journal {
    private entries: { readonly entry: Entry; readonly size: number }[] = [];

    /** `largest` is how many bytes the bodies may have together. */
    constructor(private readonly largest = 64 * 1024 * 1024) {}

    /** Notes a request. The status is set on what is returned. */
    add({ method, path, query, headers, body }: Request): Entry {
        const shown = Object.entries(headers).map(([name, value]) => [name, hidden.has(name) ? "***" : value]);
        const parts = { query: Object.fromEntries(query), headers: Object.fromEntries(shown), body: shownBody(body) };
        const entry: Entry = { method, path, ...parts, status: null };
        this.entries.push({ entry, size: body.length });
        let total = this.entries.reduce((sum, { size }) => sum + size, 0);
        while (this.entries.length > longest || (total > this.largest && this.entries.length > 1)) {
            total -= this.entries.shift()?.size ?? 0;
        }
        return entry;
    }

    list(): readonly Entry[] {
        return this.entries.map(({ entry }) => entry);
    }

    clear(): void {
        this.entries = [];
    }
}

function shownBody(bytes: Buffer): unknown {
    if (bytes.length === 0) return null;
    const json = parsed(bytes);
    if (json !== undefined) return json;
    return isUtf8(bytes) ? bytes.toString() : bytes.length;
}
