/** The control door's routes of state versions: what a service does by itself, at the times that tests choose. */
import type { Reply, Request } from "../route";
import { isCount, isObject } from "./content";
import { newestFirst, type Processing } from "./records";
import type { StateVersionsContext } from "./rules";

/** Control route: how the later fields of versions made from now on become filled. */
export function setProcessing(request: Request, { world }: StateVersionsContext): Reply {
    const wanted = processingIn(request.body);
    if (!wanted) {
        const error = 'expected {"mode": "at-once" | "after-reads" | "after-seconds", "n": number}';
        return { status: 400, body: { errors: [error] } };
    }
    world.processing = wanted;
    return { status: 200, body: wanted };
}

function processingIn(body: Buffer): Processing | undefined {
    const { mode, n = 1 } = objectIn(body);
    const known = mode === "at-once" || mode === "after-reads" || mode === "after-seconds";
    return known && typeof n === "number" && n >= 0 ? { mode, n } : undefined;
}

/** Control route: whether versions made from now on are intermediate: snapshots that are not current yet. */
export function setIntermediates(request: Request, { world }: StateVersionsContext): Reply {
    const { on } = objectIn(request.body);
    if (typeof on !== "boolean") {
        return { status: 400, body: { errors: ['expected {"on": boolean}'] } };
    }
    world.intermediates = on;
    return { status: 200, body: { on } };
}

/**
 * Control route: what the retention of the free tier does. All but the last `keep` versions of all workspaces are dropped; of every workspace
 * at least the most recent one stays.
 */
export function retain(request: Request, { world }: StateVersionsContext): Reply {
    const { keep } = objectIn(request.body);
    if (!isCount(keep)) {
        return { status: 400, body: { errors: ['expected {"keep": number}'] } };
    }
    const kept = new Set(keep === 0 ? [] : world.versions.slice(-keep).map(({ id }) => id));
    for (const { id, current } of world.workspaces) {
        const [latest] = newestFirst(world, id);
        for (const one of [latest?.id, current]) {
            if (one) {
                kept.add(one);
            }
        }
    }
    const dropped = world.versions.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    world.versions = world.versions.filter(({ id }) => kept.has(id));
    return { status: 200, body: { dropped } };
}

function objectIn(body: Buffer): Record<string, unknown> {
    try {
        const parsed: unknown = JSON.parse(body.toString("utf8"));
        return isObject(parsed) ? parsed : {};
    } catch {
        return {};
    }
}
