/** What the tests of the simulator share: literal requests over real HTTP, and a way into their answers. */
import { type IncomingHttpHeaders, request } from "node:http";

/** An answer, read whole. */
export interface Answer {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly type: string | undefined;
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
                const { statusCode = 0, headers: received } = response;
                const text = Buffer.concat(chunks).toString("utf8");
                const type = received["content-type"];
                resolve({ status: statusCode, headers: received, type, text, json: parsed(text) });
            });
        });
        sent.on("error", reject);
        if (body !== undefined) sent.write(typeof body === "string" ? body : JSON.stringify(body));
        sent.end();
    });
}

/** Sends a request with a bearer's token. A body is of the content type of JSON:API unless told otherwise. */
export function send(
    method: string,
    address: string,
    options: { token?: string; body?: unknown; contentType?: string } = {},
): Promise<Answer> {
    const { token, body, contentType = "application/vnd.api+json" } = options;
    const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && contentType !== "" && { "content-type": contentType }),
    };
    return call(method, address, { headers, body });
}

/** The value at a path within JSON. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
    let inner = value;
    for (const key of path) {
        if (typeof inner !== "object" || inner === null) return undefined;
        inner = Object.entries(inner).find(([name]) => name === `${key}`)?.[1];
    }
    return inner;
}

/** The text at a path within JSON. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
    const found = at(value, ...path);
    if (typeof found === "string") return found;
    throw new Error(`no text at ${path.join(".")} of ${JSON.stringify(value)}`);
}

/** The array at a path within JSON. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): unknown[] {
    const found = at(value, ...path);
    if (Array.isArray(found)) return found;
    throw new Error(`no array at ${path.join(".")} of ${JSON.stringify(value)}`);
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
