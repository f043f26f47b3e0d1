/** TODO what is done. */

import type { Route } from "../route";

/** From the document, not from the client. */
export const typeNameRoutes: readonly Route[] = [
    {
        method: "POST",
        path: "SERVED/:name",
        respond() {
            // TODO who may do it, what is refused (`throw badRequest("…")`), and what becomes of the store.
            return { status: 204 };
        },
    },
];
