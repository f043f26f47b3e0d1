/** Literal requests over real HTTP, and a way into their answers. */
import { type IncomingHttpHeaders, request } from "node:http";
import { text as textOf } from "node:stream/consumers";

/** An answer, read whole. */
export interface Answer {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
    /** The body as JSON, `undefined` if it is none. */
    readonly json: unknown;
}

/** What a request may carry. A body that is no text is sent as JSON. */
interface Parts {
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
}

/** Sends a request by node:http, whose client, unlike `fetch`, knows the method `LIST` and leaves paths as they are. */
export function call(method: string, address: string, { headers = {}, body }: Parts = {}): Promise<Answer> {
    const { origin, hostname, port } = new URL(address);
    const path = address.slice(origin.length) || "/";
    return new Promise((resolve, reject) => {
        const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
            const { statusCode = 0, headers: received } = response;
            textOf(response).then(
                (text) => resolve({ status: statusCode, headers: received, text, json: parsed(text) }),
                reject,
            );
        });
        sent.on("error", reject).end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
    });
}

/** The value at a path within JSON. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
    return path.reduce((inner, key) => new Map(Object.entries(inner ?? {})).get(`${key}`), value);
}

/** The text at a path within JSON. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
    const found = at(value, ...path);
    if (typeof found === "string") return found;
    throw new Error(`no text at ${path.join(".")} of ${JSON.stringify(value)}`);
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
