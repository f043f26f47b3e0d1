/** TODO what they are called: their fields, and how they read. */

import { type Context, newId, type Reply, type Route } from "../route";
import { SimulatorError } from "../simulator-error";

type Stored = Record<string, unknown> & { id: string };

/** TODO into the store of the service: these are forgotten with the process, and no test's reset removes them. */
const stored = new Map<string, Stored>();

// TODO who may do it, what an unset field is, and what the service refuses: `throw badRequest("name must not be empty")`.
function write({ request }: Context, id: string): Reply {
    stored.set(id, { ...JSON.parse(request.body.toString()), id });
    return { status: 200, body: stored.get(id) ?? {} };
}

function found({ parameters }: Context): Stored {
    const object = stored.get(parameters["id"] ?? "");
    // TODO the service's own words.
    if (object === undefined) throw new SimulatorError(404, "volume not found");
    return object;
}

/** From the document, not from the client. */
export const typeNameRoutes: readonly Route[] = [
    { method: "GET", path: "SERVED", respond: () => ({ status: 200, body: [...stored.values()] }) },
    { method: "POST", path: "SERVED", respond: (context) => write(context, newId("x")) },
    { method: "GET", path: "SERVED/:id", respond: (context) => ({ status: 200, body: found(context) }) },
    { method: "PUT", path: "SERVED/:id", respond: (context) => write(context, found(context).id) },
    {
        method: "DELETE",
        path: "SERVED/:id",
        respond(context) {
            stored.delete(found(context).id);
            return { status: 204 };
        },
    },
];
