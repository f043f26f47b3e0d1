/** Three services in small, each with its own way to fail. */

import type { Service } from "../../src/core/service";

/** Errors as `{errors: [text]}`; absent is a 404 with an empty list; one text passes by itself. */
export const manager: Service = {
    name: "manager",
    title: "secrets manager",
    contentType: "application/json",
    tokenHeader: (value) => ["X-Secrets-Token", value],
    reasons: ({ body }) => errorsOf(body).filter((error) => typeof error === "string"),
    absent: ({ status, body }) => status === 404 && body !== undefined && errorsOf(body, [0]).length === 0,
    passing: ({ status, body }) => status === 500 && errorsOf(body)[0] === "try again",
};

/** Errors as JSON:API. */
export const stateVersions: Service = {
    name: "stateVersions",
    title: "state versions",
    contentType: "application/vnd.api+json",
    tokenHeader: (value) => ["Authorization", `Bearer ${value}`],
    reasons: ({ body }) => errorsOf(body).flatMap((error) => (isObject(error) ? [String(error.detail)] : [])),
    absent: ({ status, body }) => status === 404 && errorsOf(body).length > 0,
    passing: () => false,
};

/** Errors as plain text; absent is a text, under any status. */
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
