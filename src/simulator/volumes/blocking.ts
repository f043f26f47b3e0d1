/** Blocking queries: reads whose answer waits until something newer than a given index was written. */

import { readParts } from "../durations";
import type { Context, Reply, Request, Route } from "../route";
import { badRequest, errorReply, SimulatorError } from "../simulator-error";
import type { Store } from "../store";

const usualWait = "300s";
/** In seconds. */
const longestWait = 600;

/** A read that can be asked to wait. Who may not read it is not kept waiting. */
export function blocking(route: Route, may: (context: Context) => boolean): Route {
    return {
        ...route,
        respond: (context) => {
            const { request, store } = context;
            if (!may(context)) return route.respond(context);
            if (indexIn(request) === undefined) throw badRequest("Invalid index");
            if (waitIn(request) === undefined) throw badRequest("Invalid wait time");
            try {
                return indexed(route.respond(context), store);
            } catch (error) {
                if (!(error instanceof SimulatorError)) throw error;
                return indexed(errorReply(request.path, error), store);
            }
        },
        holds: (context) => {
            const index = indexIn(context.request) ?? 0;
            const isNewer = context.store.volumes.index > index;
            return index === 0 || isNewer || !may(context) ? undefined : waitIn(context.request);
        },
    };
}

/** An answer that tells up to which write it holds. The document does not show how. */
export function indexed(reply: Reply, { volumes, manners }: Store): Reply {
    if (manners.volumes?.includes("tells-documented")) return reply;
    return { ...reply, headers: { ...reply.headers, "X-Volumes-Index": String(volumes.index) } };
}

function indexIn({ query }: Request): number | undefined {
    const text = query.get("index") || "0";
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function waitIn({ query }: Request): number | undefined {
    const text = query.get("wait") || usualWait;
    try {
        const seconds = text === "0" ? 0 : readParts(text);
        return seconds < 0 ? undefined : Math.min(seconds, longestWait);
    } catch {
        return undefined;
    }
}
