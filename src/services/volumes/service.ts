/** The workload scheduler's volumes: the header of the token and the form of failures (document "Volumes"). */

import { noRegion } from "../../core/request-failures";
import type { Answer, Service } from "../../core/service";

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

/** Whether an answer is a refusal that begins with this text. */
function says({ status, body }: Answer, text: string): boolean {
    return status === 500 && typeof body === "string" && unrelayed(body).startsWith(text);
}

/** Each agent and follower that hands a request on to the leader puts this before the leader's words. */
function unrelayed(text: string): string {
    return text.replace(/^(?:rpc error: )+/, "");
}
