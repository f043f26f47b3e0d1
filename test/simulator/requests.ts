/** What the tests of the simulator's mouth, control door and secrets manager share: literal requests over real HTTP. */
import { type IncomingHttpHeaders, request } from "node:http";

/** An answer, read whole. */
export interface Answer {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
    /** The body as JSON, `undefined` if it is none. */
    readonly json: unknown;
}

/** What a request may carry. A body that is no text is sent as JSON. */
export interface Parts {
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
}

/** Sends a request by node:http, whose client, unlike `fetch`, knows the method `LIST` and leaves paths as they are. */
export function call(method: string, address: string, { headers = {}, body }: Parts = {}): Promise<Answer> {
    const origin = new URL(address).origin;
    return new Promise((resolve, reject) => {
        const path = address.slice(origin.length) || "/";
        const { hostname, port } = new URL(origin);
        const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
            const chunks: Buffer[] = [];
            response.on("data", (chunk: Buffer) => chunks.push(chunk));
            response.on("error", reject);
            response.on("end", () => {
                const text = Buffer.concat(chunks).toString("utf8");
                resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
            });
        });
        sent.on("error", reject);
        if (body !== undefined) sent.write(typeof body === "string" ? body : JSON.stringify(body));
        sent.end();
    });
}

/** The value at a path within JSON. */
export function at(value: unknown, ...path: readonly string[]): unknown {
    let inner = value;
    for (const key of path) {
        if (typeof inner !== "object" || inner === null) return undefined;
        inner = Object.entries(inner).find(([name]) => name === key)?.[1];
    }
    return inner;
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
