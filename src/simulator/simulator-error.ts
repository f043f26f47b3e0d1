/** What the simulator says for itself, in the way of the service that was asked. */

import type { Reply } from "./route";

/** An answer that says why there is no other, in words that a client of the service can read. */
export function ownWords(path: string, status: number, title: string, text: string): Reply {
    if (path.startsWith("/api/")) {
        const errors = [{ status: String(status), title, detail: text }];
        return { status, body: { errors }, contentType: "application/vnd.api+json" };
    }
    return { status, body: /^\/v1\/volumes?(\/|$)/.test(path) ? text : { errors: [text] } };
}
