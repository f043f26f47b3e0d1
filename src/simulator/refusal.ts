/**
 * A refused request. The routes throw it, and the path decides the form of the answer:
 *
 * | path                        | form of the answer                                        |
 * |-----------------------------|-----------------------------------------------------------|
 * | `/api/…`                    | JSON:API: `{"errors": [{"status", "title", "detail"}]}`   |
 * | `/v1/volume…`, `/v1/object` | plain text                                                |
 * | any other                   | `{"errors": ["…"]}`                                       |
 */

import { STATUS_CODES } from "node:http";
import type { z } from "zod";

export class Refusal extends Error {
    readonly reasons: readonly string[];

    constructor(
        readonly status: number,
        ...reasons: readonly string[]
    ) {
        super(reasons.join(", "));
        this.reasons = reasons;
    }
}

/** A request that the service cannot take. */
export const badRequest = (...reasons: readonly string[]): Refusal => new Refusal(400, ...reasons);

/** Throws a refusal for the first problem that is present. */
export function refuse(status: number, ...problems: readonly (readonly [isPresent: boolean, text: string])[]): void {
    const [, text] = problems.find(([isPresent]) => isPresent) ?? [];
    if (text !== undefined) throw new Refusal(status, text);
}

/** The value in the form of a schema. Throws a refusal with this status that names what is wrong. */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown, status = 400): z.output<Schema> {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new Refusal(status, ...result.error.issues.map(({ path, message }) => [...path, message].join(": ")));
}

/** Whether a path belongs to the volumes API. */
export const isForVolumes = (path: string): boolean => /^\/v1\/(volumes?|namespace|acl)(\/|$)/.test(path);

/** The answer to a refused request. */
export function refusalResponse(path: string, { status, reasons }: Refusal): Response {
    if (path.startsWith("/api/")) {
        const title = STATUS_CODES[status]?.toLowerCase();
        const errors = reasons.map((detail) => ({ status: String(status), title, detail }));
        return Response.json({ errors }, { status, headers: { "content-type": "application/vnd.api+json" } });
    }
    if (isForVolumes(path) || path.startsWith("/v1/object/")) return new Response(reasons.join(", "), { status });
    return Response.json({ errors: reasons }, { status });
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
