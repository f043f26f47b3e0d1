/** The requests that came in, for tests to look at. */

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

/** Requests in the order of their coming; the oldest go when there are too many. */
export class Journal {
    private entries: Entry[] = [];
    private sizes: number[] = [];
    private size = 0;

    /** `largest` is how many bytes the bodies may have together. */
    constructor(private readonly largest = 64 * 1024 * 1024) {}

    /** Notes a request. The status is set on what is returned. */
    add(request: Request): Entry {
        const entry: Entry = {
            method: request.method,
            path: request.path,
            query: Object.fromEntries(request.query),
            headers: Object.fromEntries(
                Object.entries(request.headers).map(([name, value]) => [name, hidden.has(name) ? "***" : value]),
            ),
            body: bodyOf(request.body),
            status: null,
        };
        this.entries.push(entry);
        this.sizes.push(request.body.length);
        this.size += request.body.length;
        while (this.entries.length > longest || (this.size > this.largest && this.entries.length > 1)) {
            this.entries.shift();
            this.size -= this.sizes.shift() ?? 0;
        }
        return entry;
    }

    list(): readonly Entry[] {
        return this.entries;
    }

    clear(): void {
        this.entries = [];
        this.sizes = [];
        this.size = 0;
    }
}

function bodyOf(bytes: Buffer): unknown {
    if (bytes.length === 0) return null;
    let text: string;
    try {
        text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return bytes.length;
    }
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}
