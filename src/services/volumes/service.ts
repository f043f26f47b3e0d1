/** Nomad, which the API documents call the volumes service: its token header and error messages (document "Volumes"). */

import type { Answer, Service } from "../../core/service";

/** The facts about Nomad that the HTTP client needs. Error messages are plain text, and almost all have the status 500. */
export const volumes: Service = {
    name: "volumes",
    title: "volumes service",
    contentType: "application/json",
    tokenHeader: (token) => ["Authorization", `Bearer ${token}`],
    reasons: ({ body }) => (typeof body === "string" ? [unrelayed(body)] : []),
    absent: (answer) =>
        (answer.status === 404 && answer.body === "volume not found") || says(answer, "volume not found: "),
    hint(answer) {
        if (says(answer, "No path to region"))
            return "Correct `region` in the settings: the servers know no such region";
        if (!/^(rpc error: )*Permission denied/i.test(String(answer.body))) return undefined;
        const isRead = answer.exchange.operation.startsWith("GET ");
        const rights = isRead ? "`csi-read-volume` and `csi-list-volume`" : "`csi-write-volume`";
        return `Set a valid token with ${rights} in the namespace, and \`plugin { policy = "read" }\``;
    },
    // Without a leader the servers do nothing, and they elect one within seconds.
    passing: (answer) => says(answer, "No cluster leader"),
};

/** Whether an answer is a failure that begins with this text. */
const says = ({ status, body }: Answer, text: string) =>
    status === 500 && typeof body === "string" && unrelayed(body).startsWith(text);

/** Removes the `rpc error: ` that each agent or server adds which forwards a request to the leader. */
const unrelayed = (text: string) => text.replace(/^(?:rpc error: )+/, "");
