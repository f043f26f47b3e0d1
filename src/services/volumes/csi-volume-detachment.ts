/** CsiVolumeDetachment: one request to detach a volume from a node (document "Volumes"). */

import * as z from "zod";
import { endpoint } from "../../core/endpoint";
import { type IdParts, identity } from "../../core/identity";
import { defineAction } from "../../core/resource";
import { ServiceError } from "../../errors";
import { property } from "../../schema/property";
import { stringOf } from "../../schema/property-types";
import { triggersProperty } from "../shared-options";
import { claimed, explainClaims } from "./csi-volume";
import { onWrite, volumes } from "./service";
import { addressOf, addressProperties, titleOf, type VolumeAddress, volumeTypes } from "./volume";

// Not repeated after a lost answer: an action is done once.
const detach = endpoint("DELETE /v1/volume/csi/{id}/detach", "refused", onWrite);

const inputs = z.strictObject({
    ...addressProperties,
    node: property(stringOf(/^[^/\s\p{Cc}]+$/u, "must be the id of a node"), {
        immutable: true,
        description: "Id of the node that the volume is detached from.",
    }),
    triggers: triggersProperty("detaches"),
});
const outputs = z.strictObject({});

export const csiVolumeDetachment = defineAction<typeof inputs, typeof outputs, VolumeAddress & IdParts<"node">>({
    type: "CsiVolumeDetachment",
    service: volumes,
    description: "Detaches a volume of Nomad from a node, again when `triggers` change. Deleting it does nothing.",
    inputs,
    outputs,
    identity: identity("<namespace>/<volumeId>/<node>", volumeTypes),
    title: (address) => `detachment of the ${titleOf(address)} from node ${address.node}`,
    address: (values, settings) => ({ ...addressOf(values, settings), node: values.node }),

    // No request returns a detachment, so the inputs of an import come from the id.
    read: async (_context, address) => ({ inputs: address }),

    async act(context, address) {
        const { namespace, volumeId: id, node } = address;
        try {
            await context.client.call(detach, { parameters: { id }, query: { namespace, node } });
        } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            const refusal = error.reasons.join(" ");
            if (claimed.test(refusal)) return explainClaims(context, address, error, `stays attached to ${node}`, true);
            if (/^no such volume/i.test(refusal)) {
                const hint =
                    "Correct `volumeId` or `namespace`, or remove this resource if the volume was deregistered";
                throw error.reword({ code: "absent", hint });
            }
            if (/^unknown node/i.test(refusal)) {
                const hint =
                    "Correct `node` to an id of `nomad node status`, or remove this resource if the node is gone";
                throw error.reword({ hint });
            }
            // Nomad gives this answer to every detachment since version 1.4.
            if (refusal !== "Unknown allocation") throw error;
            const reason = "Nomad refused the detachment (Unknown allocation), as it always does since 1.4";
            context.warn("server-warning", `${reason}. Run \`nomad job stop <job>\`, and Nomad detaches the volume.`);
        }
        return { outputs: {} };
    },
});
