/** The workload scheduler's volumes: how the token travels and what its failures look like (document "Volumes"). */

import * as z from "zod";
import { serverWarning } from "../../core/failures";
import type { RequestContext } from "../../core/request-context";
import { noRegion } from "../../core/request-failures";
import type { Answer, Service } from "../../core/service";

const registered = z.object({ Warnings: z.string().trim().min(1) });

/** The scheduler's volumes service. Its failures are plain text, and almost all of them are 500. */
export const volumes: Service = {
    name: "volumes",
    title: "volumes service",
    contentType: "application/json",
    tokenHeader: (token) => ["Authorization", `Bearer ${token}`],
    reasons: ({ body }) => (typeof body === "string" ? [unrelayed(body)] : []),
    absent: (answer) =>
        (answer.status === 404 && answer.body === "volume not found") || says(answer, "volume not found: "),
    hint: (answer) => (says(answer, "No path to region") ? noRegion() : undefined),
    // Nothing is done without a leader, and one is elected within seconds.
    passing: (answer) => says(answer, "No cluster leader"),
};

/** Up to which write an answer holds, where the server tells it; a blocking query waits for the next one. Not in the document. */
export function toldIndex({ headers }: Answer): number | undefined {
    const told = headers["x-volumes-index"];
    return told !== undefined && /^\d+$/.test(told) ? Number(told) : undefined;
}

/** Shows the warning that came with a registration. Not in the document: servers give one since they answer with a body. */
export function showWarning({ body }: Answer, context: RequestContext): void {
    const { data } = registered.safeParse(body);
    if (data) context.warn(serverWarning({ service: volumes.title, warning: data.Warnings.replace(/\s+/g, " ") }));
}

/** Whether an answer is a refusal that begins with this text. */
function says({ status, body }: Answer, text: string): boolean {
    return status === 500 && typeof body === "string" && unrelayed(body).startsWith(text);
}

/** Each server that a request is handed on by, from an agent or a follower to the leader, puts this before the leader's words. */
function unrelayed(text: string): string {
    return text.replace(/^(?:rpc error: )+/, "");
}
