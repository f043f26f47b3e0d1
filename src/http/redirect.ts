/** Where a redirect may lead. Pure. */

import type { Method } from "../core/operation";
import type { Received } from "./send";

/** How many are followed in a row. */
export const maxRedirects = 5;

/** Where to go on, or why not, or `undefined` when the answer is no redirect. */
export type Redirect = { readonly to: URL } | { readonly refused: string } | undefined;

/** Judges an answer. Only reads are followed to another origin; nothing that writes is ever turned into a read. */
export function redirect(method: Method, from: URL, answer: Received): Redirect {
    if (![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
    const location = answer.headers.location ?? "";
    if (location === "" || !URL.canParse(location, from.href))
        return { refused: `a redirect (${answer.status}) to nowhere` };
    const to = new URL(location, from);
    to.hash = "";
    const where = `a redirect (${answer.status}) to ${to.origin === "null" ? to.protocol : to.origin}`;
    if (to.protocol !== "http:" && to.protocol !== "https:") return { refused: where };
    const keepsMethod = answer.status >= 307 || method === "GET" || method === "LIST";
    const follows = to.origin === from.origin ? keepsMethod : method === "GET";
    return follows ? { to } : { refused: where };
}
