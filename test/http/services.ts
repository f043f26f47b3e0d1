/** Definitions of three small services whose errors have different forms. */

import type { Service } from "../../src/core/service";

/** Errors are `{errors: [text]}`. A 404 with an empty list means an absent object, and `try again` a temporary failure. */
export const manager: Service = {
    name: "manager",
    title: "secrets manager",
    contentType: "application/json",
    tokenHeader: (value) => ["X-Secrets-Token", value],
    reasons: ({ body }) => errorsOf(body).filter((error) => typeof error === "string"),
    absent: ({ status, body }) => status === 404 && body !== undefined && errorsOf(body, [0]).length === 0,
    passing: ({ status, body }) => status === 500 && errorsOf(body)[0] === "try again",
};

/** Errors are JSON:API. */
export const stateVersions: Service = {
    name: "stateVersions",
    title: "state versions",
    contentType: "application/vnd.api+json",
    tokenHeader: (value) => ["Authorization", `Bearer ${value}`],
    reasons: ({ body }) => errorsOf(body).flatMap((error) => (isObject(error) ? [String(error.detail)] : [])),
    absent: ({ status, body }) => status === 404 && errorsOf(body).length > 0,
    passing: () => false,
};

/** Errors are plain text. `volume not found` means an absent object with any status, and `No cluster leader` a temporary failure. */
export const volumes: Service = {
    name: "volumes",
    title: "workload scheduler",
    contentType: "application/json",
    tokenHeader: (value) => ["Authorization", `Bearer ${value}`],
    reasons: ({ body }) => (typeof body === "string" ? [body] : []),
    absent: ({ body }) => typeof body === "string" && body.startsWith("volume not found"),
    passing: ({ body }) => body === "No cluster leader",
};

function errorsOf(body: unknown, otherwise: unknown[] = []): unknown[] {
    return isObject(body) && Array.isArray(body.errors) ? body.errors : otherwise;
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null;
}
