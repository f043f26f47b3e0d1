/** CsiVolumeDetachment: a volume, let go of by a node (document "Volumes"). */

import * as z from "zod";
import { oneShotAction } from "../../core/one-shot-action";
import type { RequestContext } from "../../core/request-context";
import { Unfinished } from "../../core/unfinished";
import { ServiceError } from "../../errors";
import { property } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";
import { connectionProperty, triggersProperty } from "../shared-options";
import { detachesByItself, detachmentUnseen, nodeInUse, nothingToDetach, otherForm } from "./failures";
import { homeNamespace, placeProperties } from "./place";
import { volumes } from "./service";
import { type Claim, claimsOf, detachFrom, look } from "./whole-volume";

const inputs = z.strictObject({
    volumeId: placeProperties.volumeId,
    namespace: placeProperties.namespace,
    node: property(stringOf(/^[^/\s\p{Cc}]+$/u, "must be the id of a node"), {
        immutable: true,
        description: "Id of the node that is to let go of the volume.",
    }),
    triggers: triggersProperty("detaches"),
    connection: connectionProperty,
});

const outputs = z.strictObject({
    detached: property(z.boolean(), {
        description:
            "Whether no allocation of the node claimed the volume any more when it was read after the request. The service does its part in the background.",
    }),
});

interface Place {
    readonly namespace: string;
    readonly volumeId: string;
    readonly node: string;
}

/** Who claims the volume, or `undefined` when there is no such volume. */
async function claimsOn(context: RequestContext, { namespace, volumeId }: Place): Promise<Claim[] | undefined> {
    const volume = await look(context, { namespace, id: volumeId });
    return volume && claimsOf(volume);
}

/** No allocation of the node claims a volume that is free or gone. */
function isDetached(claims: readonly Claim[] | undefined, { node }: Place): boolean {
    return !claims?.some((claim) => claim.node === node);
}

const absent = ({ volumeId, namespace }: Place) => nothingToDetach({ id: volumeId, namespace });

function inUse({ volumeId, node }: Place, claims: readonly Claim[]) {
    const holders = claims.map(
        ({ allocation, job, node: where, ended }) =>
            `allocation ${allocation}${job && ` of job ${job}`}${where && where !== node ? ` on node ${where}` : ""}${ended ? ", which has ended" : ""}`,
    );
    return nodeInUse({ id: volumeId, holders: holders.join("; "), node });
}

/** Asks for the detachment. What would refuse it is looked at before, because the service's own words name nobody. */
async function ask(context: RequestContext, place: Place): Promise<void> {
    const claims = await claimsOn(context, place);
    if (claims === undefined) throw absent(place);
    const running = claims.filter(({ node, ended }) => node === place.node && !ended);
    if (running.length > 0) throw inUse(place, running);
    const { volumeId: id, namespace, node } = place;
    try {
        await detachFrom(context, { namespace, id }, node);
    } catch (refusal) {
        if (!(refusal instanceof ServiceError)) throw refusal;
        const reason = refusal.reasons.join(" ");
        if (reason.startsWith("no such volume")) throw absent(place);
        // Servers of some versions give this to every detachment: they detach by themselves, and only then.
        if (reason === "Unknown allocation") {
            context.warn(detachesByItself({ reason }));
            return;
        }
        if (!reason.startsWith("volume in use")) throw refusal;
        const holding = (await claimsOn(context, place)) ?? [];
        const here = holding.filter((claim) => claim.node === node);
        throw holding.length === 0 ? refusal : inUse(place, here.length > 0 ? here : holding);
    }
}

/** What the volume says now. */
async function outcome(context: RequestContext, place: Place): Promise<{ detached: boolean }> {
    try {
        return { detached: isDetached(await claimsOn(context, place), place) };
    } catch (error) {
        throw new Unfinished({ detached: false }, ["readBack"], detachmentUnseen(), error);
    }
}

/** A volume, let go of by a node. */
export const csiVolumeDetachment = oneShotAction<typeof inputs, typeof outputs, Place>({
    type: "CsiVolumeDetachment",
    service: volumes,
    description:
        "Asks the workload scheduler to detach a volume from a node, once, and again when `triggers` change. Deleting it does nothing.",
    inputs,
    outputs,
    errors: [nodeInUse, nothingToDetach, detachesByItself, detachmentUnseen, otherForm],
    idForm: "<namespace>/<volumeId>/<node>",
    address: ({ namespace, volumeId, node }, settings) => ({
        namespace: namespace ?? homeNamespace(settings),
        volumeId,
        node,
    }),
    id: ({ namespace, volumeId, node }) => `${namespace}/${volumeId}/${node}`,
    parse(id) {
        const [, namespace, volumeId, node] = /^([^/*]+)\/([^/]+)\/([^/]+)$/.exec(id) ?? [];
        return namespace && volumeId && node ? { namespace, volumeId, node } : undefined;
    },
    named: (place) => ({ ...place }),

    async act(context, place) {
        await ask(context, place);
        return outcome(context, place);
    },

    resume: (context, place) => outcome(context, place),

    // It is an action and no object, so it cannot be gone.
    async read(context, place, state) {
        if (state !== undefined) return place;
        const claims = await claimsOn(context, place);
        return claims && { ...place, detached: isDetached(claims, place) };
    },
});
