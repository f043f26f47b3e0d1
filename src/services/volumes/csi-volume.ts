/** CsiVolume: an external volume, registered with the scheduler (document "Volumes"). */

import * as z from "zod";
import { explained } from "../../catalogue";
import { namedObject } from "../../core/named-object";
import type { NamedObject } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import type { Outputs } from "../../core/resource";
import { ServiceError } from "../../errors";
import { changedNames } from "../../schema/diff";
import { property, withRules } from "../../schema/facts";
import { asSet, duration, nonEmptyString, stringMap } from "../../schema/property-types";
import { adoptProperty, connectionProperty, timeoutsProperty } from "../shared-options";
import {
    capacityBounds,
    noCapability,
    noChangeInUse,
    notSchedulable,
    otherForm,
    registrationRefusals,
    unknownMode,
    volumeInUse,
} from "./failures";
import { modeRules, wordsOf } from "./modes";
import { productProperties, productRules } from "./product-properties";
import { showWarning, volumes } from "./service";
import { type Address, at, claimsOf, homeNamespace, look, placeProperties, type Volume } from "./volume";

// Registering an existing volume is an error, so a second registration would fail where the first one worked.
const register = operation("PUT /v1/volume/csi/{id}", "refused");
const deregister = operation("DELETE /v1/volume/csi/{id}");

const mode = (name: "accessMode" | "attachmentMode", wire: string, what: string) =>
    property(z.string().optional(), {
        wire,
        default: "",
        immutable: true,
        // Nomad empties both modes after the first claim has ended, so an empty one says nothing.
        wireForm: { decode: (answer) => answer || undefined },
        optionalInAnswers: true,
        description: `${what}: ${wordsOf(name)}. Other words are sent with a warning.`,
    });

const inputs = withRules(
    z.strictObject({
        volumeId: placeProperties.volumeId,
        name: property(nonEmptyString.optional(), {
            wire: "Name",
            immutable: true,
            default: "",
            description: "Name shown to people. Left out, the volume has none.",
        }),
        namespace: placeProperties.namespace,
        externalId: property(z.string().optional(), {
            wire: "ExternalID",
            default: "",
            immutable: true,
            description: "The volume's ID at the storage provider. Left out, the plugin is given `volumeId`.",
        }),
        pluginId: property(nonEmptyString, {
            wire: "PluginID",
            immutable: true,
            description: "The CSI plugin that serves the volume.",
        }),
        topologies: property(z.array(stringMap).optional(), {
            wire: "Topologies",
            default: [],
            immutable: true,
            equality: asSet,
            description: "Where the volume can be reached from: flat maps of segments. Their order carries no meaning.",
        }),
        accessMode: mode("accessMode", "AccessMode", "How many nodes may use the volume at once, and how"),
        attachmentMode: mode("attachmentMode", "AttachmentMode", "What the volume looks like to a task"),
        ...productProperties,
        force: property(z.boolean().optional(), {
            option: true,
            default: false,
            description:
                "Deregister with `force`: claims of allocations that have ended are dropped at once. Running allocations still prevent it. Off by default.",
        }),
        waitUntilSchedulable: property(duration().optional(), {
            option: true,
            default: 0,
            description:
                "After registering, wait this long at most until the volume is schedulable: whole seconds, or a string such as `2m`. Off by default.",
        }),
        adopt: adoptProperty,
        timeouts: timeoutsProperty,
        connection: connectionProperty,
    }),
    [...productRules, ...modeRules],
);

const outputs = z.strictObject({
    providerName: property(z.string(), { description: "Name of the storage provider, as last read." }),
    providerVersion: property(z.string(), { description: "Version of the plugin, as last read." }),
    schedulable: property(z.boolean(), { description: "Whether the volume could be scheduled when last read." }),
    controllersHealthy: property(z.int(), { description: "Healthy controllers of the plugin, as last read." }),
    controllersExpected: property(z.int(), { description: "Controllers of the plugin, as last read." }),
    nodesHealthy: property(z.int(), { description: "Nodes with a healthy plugin, as last read." }),
    nodesExpected: property(z.int(), { description: "Nodes with the plugin, as last read." }),
});

/** The outputs that are not inputs. */
function healthOf(volume: Volume): Outputs<typeof outputs> {
    return {
        providerName: volume.provider,
        providerVersion: volume.version,
        schedulable: volume.schedulable,
        controllersHealthy: volume.controllersHealthy,
        controllersExpected: volume.controllersExpected,
        nodesHealthy: volume.nodesHealthy,
        nodesExpected: volume.nodesExpected,
    };
}

/** The allocations that claim a volume, for messages. */
function listed(claims: ReturnType<typeof claimsOf>): string {
    const texts = claims.map(
        ({ id, jobId, nodeId }) => `allocation ${id}${jobId && ` of job ${jobId}`}${nodeId && ` on node ${nodeId}`}`,
    );
    return texts.join(", ");
}

const pollMilliseconds = 1_000;

/** Seconds in which the claims of a stopped job end by themselves. */
const claimsEndWithin = 5;

const volume: NamedObject<typeof inputs, typeof outputs, Address> = {
    type: "CsiVolume",
    service: volumes,
    description:
        "An external volume of type `csi`, registered with the workload scheduler. The storage itself is neither created nor deleted.",
    inputs,
    outputs,
    errors: [
        volumeInUse,
        noChangeInUse,
        notSchedulable,
        noCapability,
        capacityBounds,
        unknownMode,
        ...registrationRefusals,
        otherForm,
    ],
    deleteBeforeReplace: true,
    idForm: "<namespace>/<volumeId>",
    title: ({ namespace, id }) => `volume ${id} in namespace ${namespace}`,
    address: ({ namespace, volumeId }, settings) => ({ namespace: namespace ?? homeNamespace(settings), id: volumeId }),
    id: ({ namespace, id }) => `${namespace}/${id}`,
    parse(id) {
        const [, namespace, volumeId] = /^([^/*]+)\/([^/]+)$/.exec(id) ?? [];
        return namespace && volumeId ? { namespace, id: volumeId } : undefined;
    },
    named: ({ namespace, id }) => ({ namespace, volumeId: id }),

    async read(context, address) {
        const found = await look(context, address);
        if (found === undefined) return undefined;
        return { body: found.body, outputs: healthOf(found.volume) };
    },

    async write(context, address, { body, inputs: { pluginId } }) {
        const call = { ...at(address), body: { Volumes: [body] } };
        const answer = await context.client.call(register, call).catch((error: unknown) => {
            throw explained(error, registrationRefusals, { plugin: JSON.stringify(pluginId) });
        });
        showWarning(answer, context);
    },

    async remove(context, address, { force = false }) {
        const call = { ...at(address), query: { namespace: address.namespace, ...(force && { force }) } };
        let inUse: ServiceError | undefined;
        const wait = {
            for: "the claims of the volume to end",
            limit: context.waitLimit(claimsEndWithin, 0),
            interval: pollMilliseconds,
        };
        const isDone = await context.poll(wait, async () => {
            try {
                await context.client.call(deregister, call);
                return true;
            } catch (error) {
                if (!isInUse(error)) throw error;
                inUse = error;
                return undefined;
            }
        });
        if (isDone) return;
        const found = await look(context, address).catch(() => undefined);
        const claims = found ? claimsOf(found.volume) : [];
        throw claims.length > 0 ? volumeInUse({ id: address.id, claims: listed(claims) }) : inUse;
    },

    wait: {
        name: "waitUntilSchedulable",
        isWanted: ({ waitUntilSchedulable = 0 }) => waitUntilSchedulable > 0,
        async until(context, address, { waitUntilSchedulable = 0, pluginId }) {
            const limit = context.waitLimit(waitUntilSchedulable, 0);
            let health = "the volume is gone";
            const wait = { for: "the volume to be schedulable", limit, interval: pollMilliseconds, now: () => health };
            const ready = await context.poll(wait, async () => {
                const volume = (await look(context, address))?.volume;
                if (volume) health = `${volume.nodesHealthy} of ${volume.nodesExpected} nodes healthy`;
                return volume?.schedulable ? volume : undefined;
            });
            if (ready !== undefined) return healthOf(ready);
            const seconds = String(Math.round(limit));
            throw notSchedulable({ seconds, health, plugin: JSON.stringify(pluginId) });
        },
    },

    // The service refuses these changes while allocations claim the volume.
    async previewChange(context, _inputs, state, changes) {
        if (state?.volumeId === undefined) return;
        const replaced = changes.filter(({ replaces, path }) => replaces || path.startsWith("mountOptions"));
        const refused = changedNames(replaced);
        if (refused.length === 0) return;
        const { volumeId: id, namespace = homeNamespace(context) } = state;
        const found = await look(context, { namespace, id });
        const claims = found ? claimsOf(found.volume).filter(({ hasEnded }) => !hasEnded) : [];
        if (claims.length > 0) context.warn(noChangeInUse({ names: refused.join(", "), id, claims: listed(claims) }));
    },
};

/** An external volume. */
export const csiVolume = namedObject(volume);

/** Whether a deregistration was refused because allocations claim the volume. */
function isInUse(error: unknown): error is ServiceError {
    return error instanceof ServiceError && error.reasons.some((reason) => reason.startsWith("volume in use"));
}
