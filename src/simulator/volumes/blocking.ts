/** Blocking queries: reads whose answer waits until something newer than a given index was written. */
import type { Context, Reply, Request, Route } from "../route";
import type { VolumesWorld } from "./records";

type VolumesContext = Context<VolumesWorld>;

/** Tells up to which write an answer holds. The document does not name it. */
const indexHeader = "X-Volumes-Index";

const usualWait = 300;
const longestWait = 600;

/** A read that can be asked to wait. Whoever may not read is not kept waiting. */
export function blocking(
    route: Route<VolumesWorld>,
    may: (request: Request, context: VolumesContext) => boolean,
): Route<VolumesWorld> {
    return {
        ...route,
        respond(request, context) {
            if (may(request, context)) {
                if (indexOf(request) === undefined) return { status: 400, body: "Invalid index" };
                if (waitOf(request) === undefined) return { status: 400, body: "Invalid wait time" };
            }
            const reply = route.respond(request, context);
            return reply.status === 403 ? reply : indexed(reply, context);
        },
        holds(request, context) {
            const index = indexOf(request) ?? 0;
            const isNewer = context.world.index > index;
            return index === 0 || isNewer || !may(request, context) ? undefined : waitOf(request);
        },
    };
}

/** An answer that tells up to which write it holds; the document does not show how. */
export function indexed(reply: Reply, { world, manners }: VolumesContext): Reply {
    if (manners.includes("tells-documented")) return reply;
    return { ...reply, headers: { ...reply.headers, [indexHeader]: String(world.index) } };
}

function indexOf({ query }: Request): number | undefined {
    const written = query.get("index") || "0";
    return /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}

/** Seconds of a length of time such as `90s` or `1m30s`. */
function waitOf({ query }: Request): number | undefined {
    const written = query.get("wait") || `${usualWait}s`;
    const parts = [...written.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
    if (written !== "0" && (parts.length === 0 || parts.map(([part]) => part).join("") !== written)) return undefined;
    const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
    const seconds = parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (units[unit] ?? 0), 0);
    return Math.min(seconds, longestWait);
}
