/** TODO what they are called: their fields, and how they read. */

import type { Context, Route } from "../route";
import { SimulatorError } from "../simulator-error";

type Stored = Record<string, unknown>;

/** TODO into the store of the service: these are forgotten with the process, and no test's reset removes them. */
const stored = new Map<string, Stored>();

const nameOf = ({ parameters }: Context) => parameters["name"] ?? "";

function found(context: Context): Stored {
    const object = stored.get(nameOf(context));
    // TODO the service's own words.
    if (object === undefined) throw new SimulatorError(404, "volume not found");
    return object;
}

/** From the document, not from the client. */
export const typeNameRoutes: readonly Route[] = [
    { method: "GET", path: "SERVED/:name", respond: (context) => ({ status: 200, body: found(context) }) },
    {
        method: "PUT",
        path: "SERVED/:name",
        respond(context) {
            // TODO who may do it, what an unset field is, and what the service refuses: `throw badRequest("…")`.
            stored.set(nameOf(context), JSON.parse(context.request.body.toString()));
            return { status: 204 };
        },
    },
    {
        method: "DELETE",
        path: "SERVED/:name",
        respond(context) {
            found(context);
            stored.delete(nameOf(context));
            return { status: 204 };
        },
    },
];
