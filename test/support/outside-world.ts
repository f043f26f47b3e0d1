/** Routes below `/simulator` with which tests change objects as jobs, plugins and the services themselves would. */

import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import type { Store } from "../../src/simulator/store";
import { nowIn } from "../../src/simulator/store";
import { addClaim, type Claim, findVolume, release, touch } from "../../src/simulator/volumes/records";

/** Creates the routes. `wake` makes the simulator run work that is due, and answer blocking queries whose objects changed. */
export function outsideWorld(store: Store, wake: () => Promise<unknown>): Hono {
    const app = new Hono();
    const claimsOf = (allocation: string) => store.volumes.claims.filter((claim) => claim.allocation === allocation);
    app.use(async (_, next) => {
        await next();
        await wake();
    });

    /** Adds an allocation that claims a volume. */
    app.post("/simulator/claims", async (c) => {
        const { volumes } = store;
        const at = nowIn(store).toISOString();
        const given: Partial<Claim> & Pick<Claim, "volume" | "node"> = await c.req.json();
        const claim: Claim = {
            namespace: "default",
            allocation: randomUUID(),
            job: "job",
            write: false,
            status: "running",
            ...given,
            index: volumes.index + 1,
            createdAt: at,
            modifiedAt: at,
        };
        if (!findVolume(volumes, claim.namespace, claim.volume)) return c.text(`no volume ${claim.volume}`, 404);
        addClaim(volumes, claim);
        return c.json({ allocation: claim.allocation });
    });

    /** Sets the status of an allocation. */
    app.patch("/simulator/claims/:id", async (c) => {
        const { status }: Pick<Claim, "status"> = await c.req.json();
        const claims = claimsOf(c.req.param("id"));
        touch(store.volumes, claims);
        for (const claim of claims) {
            Object.assign(claim, { status, index: store.volumes.index, modifiedAt: nowIn(store).toISOString() });
        }
        return c.body(null, 204);
    });

    /** Releases the claims of an allocation. */
    app.delete("/simulator/claims/:id", (c) => {
        release(store.volumes, claimsOf(c.req.param("id")));
        return c.body(null, 204);
    });

    /** Makes a plugin healthy or unhealthy. */
    app.patch("/simulator/plugins/:id", async (c) => {
        const change: { readonly healthy: boolean } = await c.req.json();
        for (const plugin of store.volumes.plugins) {
            if (plugin.id === c.req.param("id")) Object.assign(plugin, change);
        }
        return c.body(null, 204);
    });

    /** Sets how many reads of a new state version lack the fields that the service computes later. */
    app.patch("/simulator/processing", async (c) => {
        const { reads }: { readonly reads: number } = await c.req.json();
        store.stateVersions.processing = reads;
        return c.body(null, 204);
    });

    /** Takes a snapshot now. With `error`, the snapshot fails with that message. */
    app.post("/simulator/snapshots/:id", async (c) => {
        const config = store.manager.snapshotConfigs[`sys/storage/raft/snapshot-auto/config/${c.req.param("id")}`];
        if (config === undefined) return c.text(`no snapshot configuration ${c.req.param("id")}`, 404);
        const { last_snapshot_url = "" } = config.status;
        const text = await c.req.text();
        const { error }: { readonly error?: string } = text === "" ? {} : JSON.parse(text);
        config.due = 0;
        await wake();
        if (error !== undefined) config.status = { ...config.status, last_snapshot_error: error, last_snapshot_url };
        return c.json(config.status);
    });
    return app;
}
