/** The control API's routes for what jobs and plugins do to volumes in a real cluster. */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { anyBody, controlRoute } from "../control-route";
import type { Context, Route } from "../route";
import { SimulatorError } from "../simulator-error";
import { allocationStatuses, type Claim, claimsOn, findVolume, release, touch } from "./records";

const text = z.string().min(1);
const status = z.enum(allocationStatuses);
const newClaim = z.object({
    volume: text,
    node: text,
    namespace: text.default("default"),
    allocation: text.optional(),
    job: text.default("job"),
    write: z.boolean().default(false),
    status: status.default("running"),
});

/** The routes. */
export const claimRoutes: readonly Route[] = [
    controlRoute("POST", "/claims", newClaim, add),
    controlRoute("PATCH", "/claims/:allocation", z.object({ status }), (body, context) => {
        const { volumes } = context.store;
        const claims = claimsOf(context);
        touch(volumes, claims);
        const change = { ...body, modifyIndex: volumes.index, modifiedAt: context.now.toISOString() };
        for (const claim of claims) Object.assign(claim, change);
        return {};
    }),
    controlRoute("DELETE", "/claims/:allocation", anyBody, (_, context) => {
        release(context.store.volumes, claimsOf(context));
        return {};
    }),
    controlRoute("PATCH", "/plugins/:id", z.object({ healthy: z.boolean() }), ({ healthy }, { store, parameters }) => {
        const plugin = store.volumes.plugins.find(({ id }) => id === parameters["id"]);
        if (!plugin) throw new SimulatorError(404, `no plugin ${parameters["id"]}`);
        plugin.healthy = healthy;
        return { ...plugin };
    }),
];

function add(given: z.output<typeof newClaim>, { store: { volumes }, now }: Context): object {
    const { namespace, volume, allocation = randomUUID() } = given;
    const claimed = findVolume(volumes, namespace, volume);
    if (!claimed) throw new SimulatorError(404, `no volume ${volume}`);
    if (claimsOn(volumes, claimed).some((claim) => claim.allocation === allocation)) {
        throw new SimulatorError(409, `allocation ${allocation} claims ${volume} already`);
    }
    const at = now.toISOString();
    const index = volumes.index + 1;
    const times = { createIndex: index, modifyIndex: index, createdAt: at, modifiedAt: at };
    const claim: Claim = { ...given, allocation, evaluation: randomUUID(), ...times };
    volumes.claims.push(claim);
    touch(volumes, [claim]);
    return { allocation };
}

function claimsOf({ store: { volumes }, parameters }: Context): Claim[] {
    const claims = volumes.claims.filter(({ allocation }) => allocation === parameters["allocation"]);
    if (claims.length === 0) throw new SimulatorError(404, `no allocation ${parameters["allocation"]}`);
    return claims;
}
