/** The workload scheduler's volumes: how the token travels and what its failures look like (document "Volumes"). */

import type { Answer, Service } from "../../core/service";

/** The scheduler's volumes service. Its failures are plain text, and almost all of them are 500. */
export const volumes: Service = {
    name: "volumes",
    title: "volumes service",
    contentType: "application/json",
    tokenHeader: (token) => ["Authorization", `Bearer ${token}`],
    reasons: ({ body }) => (typeof body === "string" ? [body] : []),
    absent: ({ status, body }) =>
        typeof body === "string" &&
        ((status === 404 && body === "volume not found") || (status === 500 && body.startsWith("volume not found: "))),
    // A leader is elected within seconds.
    passing: (answer) => says(answer, "No cluster leader"),
};

/** The header of an answer that tells up to which write it holds; a blocking query waits for the next one. Not in the document. */
export const indexHeader = "x-volumes-index";

/** Whether an answer is a refusal that begins with this text. */
export function says({ status, body }: Answer, text: string): boolean {
    return status === 500 && typeof body === "string" && body.startsWith(text);
}
