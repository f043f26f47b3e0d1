/** CsiVolumeDetachment: one request to detach a volume from a node (document "Volumes"). */

import * as z from "zod";
import { explained } from "../../catalogue";
import { oneShotAction } from "../../core/one-shot-action";
import { operation } from "../../core/operation";
import { ServiceError } from "../../errors";
import { property } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";
import { connectionProperty, triggersProperty } from "../shared-options";
import { detachesByItself, nothingToDetach } from "./failures";
import { volumes } from "./service";
import { homeNamespace, placeProperties } from "./volume";

const detach = operation("DELETE /v1/volume/csi/{id}/detach");

const inputs = z.strictObject({
    ...placeProperties,
    node: property(stringOf(/^[^/\s\p{Cc}]+$/u, "must be the id of a node"), {
        immutable: true,
        description: "Id of the node that the volume is detached from.",
    }),
    triggers: triggersProperty("detaches"),
    connection: connectionProperty,
});
const outputs: z.ZodObject = z.strictObject({});

interface Place {
    readonly namespace: string;
    readonly volumeId: string;
    readonly node: string;
}

/** A detachment of a volume from a node. */
export const csiVolumeDetachment = oneShotAction<typeof inputs, typeof outputs, Place>({
    type: "CsiVolumeDetachment",
    service: volumes,
    description:
        "Asks the workload scheduler to detach a volume from a node, once, and again when `triggers` change. Deleting it does nothing.",
    inputs,
    outputs,
    errors: [nothingToDetach, detachesByItself],
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

    async act(context, { namespace, volumeId: id, node }) {
        try {
            await context.client.call(detach, { parameters: { id }, query: { namespace, node } });
        } catch (error) {
            // Nomad refuses every detachment so since 1.4.
            const isUsual = error instanceof ServiceError && error.reasons.join() === "Unknown allocation";
            if (!isUsual) throw explained(error, [nothingToDetach]);
            context.warn(detachesByItself());
        }
        return { outputs: {} };
    },

    // No request shows a detachment: an import takes what the id says.
    read: async (_context, place) => ({ ...place }),
});
