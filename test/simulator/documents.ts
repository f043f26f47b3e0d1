/** What the tests of the simulated state versions and volumes share: literal requests, and a way into their answers. */
import { createHash } from "node:crypto";

/** An answer, read whole. */
export interface Answer {
    readonly status: number;
    readonly type: string | null;
    readonly text: string;
    /** The body as JSON, `undefined` if it is none. */
    readonly json: unknown;
}

/** Sends a request. A body that is no text is sent as a JSON:API document. */
export async function send(
    method: string,
    address: string,
    options: { token?: string; body?: unknown; contentType?: string } = {},
): Promise<Answer> {
    const { token, body, contentType = "application/vnd.api+json" } = options;
    const response = await fetch(address, {
        method,
        headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && contentType !== "" && { "content-type": contentType }),
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, type: response.headers.get("content-type"), text, json: parsed(text) };
}

/** The value at a path within JSON. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
    return path.reduce<unknown>(
        (inner, key) =>
            typeof inner === "object" && inner !== null
                ? Object.entries(inner).find(([k]) => k === `${key}`)?.[1]
                : undefined,
        value,
    );
}

/** The text at a path within JSON. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
    const found = at(value, ...path);
    if (typeof found !== "string") {
        throw new Error(`no text at ${path.join(".")} of ${JSON.stringify(value)}`);
    }
    return found;
}

/** The array at a path within JSON. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): unknown[] {
    const found = at(value, ...path);
    if (!Array.isArray(found)) {
        throw new Error(`no array at ${path.join(".")} of ${JSON.stringify(value)}`);
    }
    return found;
}

/** A raw state. */
export function rawState(serial: number, extra: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    return { version: 4, tool_version: "1.6.2", serial, lineage: "11aa", outputs: {}, resources: [], ...extra };
}

/** MD5 of a text. */
export function md5(text: string): string {
    return createHash("md5").update(text).digest("hex");
}

/** The body of a create that carries this raw state, or that announces it. */
export function creation(raw: string, serial: number, attributes: Readonly<Record<string, unknown>> = {}): object {
    return {
        data: {
            type: "state-versions",
            attributes: { serial, md5: md5(raw), state: Buffer.from(raw).toString("base64"), ...attributes },
        },
    };
}

/** The body of a rollback. */
export function rollback(id: string): object {
    return {
        data: {
            type: "state-versions",
            relationships: { "rollback-state-version": { data: { type: "state-versions", id } } },
        },
    };
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
