/**
 * Every error of the simulator. Routes throw it, the server answers it. The path decides the form:
 *
 * | path                        | form of the answer                                        |
 * |-----------------------------|-----------------------------------------------------------|
 * | `/api/…`                    | JSON:API: `{"errors": [{"status", "title", "detail"}]}`   |
 * | `/v1/volume…`, `/v1/object` | plain text                                                |
 * | any other                   | `{"errors": ["…"]}`                                       |
 */

import { STATUS_CODES } from "node:http";
import type { Reply } from "./route";

/** An answer as the secrets manager sends it. */
export function managerReply(status: number, body?: object): Reply {
    const headers = {
        "cache-control": "no-store",
        "strict-transport-security": "max-age=31536000; includeSubDomains",
    };
    const contentType = "application/json";
    return { status, headers, contentType, ...(body && { body: `${JSON.stringify(body)}\n` }) };
}

/** A refused request. */
export class SimulatorError extends Error {
    readonly reasons: readonly string[];

    constructor(
        readonly status: number,
        ...reasons: readonly string[]
    ) {
        super(reasons.join(", "));
        this.reasons = reasons;
    }
}

/** A request or a value that a service cannot take. */
export function badRequest(...reasons: readonly string[]): SimulatorError {
    return new SimulatorError(400, ...reasons);
}

/** Several errors in one text, as the services write them. */
export function counted(errors: readonly string[]): string {
    const head = errors.length === 1 ? "1 error" : `${errors.length} errors`;
    return `${head} occurred:\n${errors.map((error) => `\t* ${error}\n`).join("")}\n`;
}

/** Whether a path belongs to the volumes API. */
export function isForVolumes(path: string): boolean {
    return /^\/v1\/volumes?(\/|$)/.test(path);
}

/** The answer to a request that failed. */
export function errorReply(path: string, { status, reasons }: SimulatorError): Reply {
    if (path.startsWith("/api/")) {
        const title = STATUS_CODES[status]?.toLowerCase();
        const errors = reasons.map((detail) => ({ status: String(status), title, detail }));
        return { status, body: { errors }, contentType: "application/vnd.api+json" };
    }
    if (isForVolumes(path) || path.startsWith("/v1/object/")) return { status, body: reasons.join(", ") };
    return managerReply(status, { errors: reasons });
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
