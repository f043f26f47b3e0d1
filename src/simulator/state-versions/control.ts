/** The control API's routes for what a service of state versions does by itself. */

import { z } from "zod";
import { controlRoute } from "../control-route";
import type { Route } from "../route";
import { newestFirst } from "./records";

const processing = z.object({
    mode: z.enum(["at-once", "after-reads", "after-seconds"]),
    n: z.number().nonnegative().default(1),
});

/** The routes. */
export const controlRoutes: readonly Route[] = [
    // How the later fields of versions made from now on become filled.
    controlRoute("PATCH", "/processing", processing, (wanted, { store }) => {
        store.stateVersions.processing = wanted;
        return wanted;
    }),
    // Whether versions made from now on are intermediate: snapshots that are not current yet.
    controlRoute("PATCH", "/intermediates", z.object({ on: z.boolean() }), ({ on }, { store }) => {
        store.stateVersions.intermediates = on;
        return { on };
    }),
    // The retention of the free tier: of all versions the last ones stay, and of every workspace the newest and the current one.
    controlRoute("POST", "/retention", z.object({ keep: z.int().nonnegative() }), ({ keep }, { store }) => {
        const { stateVersions } = store;
        const { versions, workspaces } = stateVersions;
        const kept = new Set<string | null | undefined>([
            ...versions.slice(versions.length - Math.min(keep, versions.length)).map(({ id }) => id),
            ...workspaces.flatMap(({ id, current }) => [newestFirst(stateVersions, id)[0]?.id, current]),
        ]);
        stateVersions.versions = versions.filter(({ id }) => kept.has(id));
        return { dropped: versions.filter(({ id }) => !kept.has(id)).map(({ id }) => id) };
    }),
];
