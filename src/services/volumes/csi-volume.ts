/** CsiVolume: an external volume, registered with the scheduler (document "Volumes"). */

import * as z from "zod";
import { explained } from "../../catalogue";
import { namedObject } from "../../core/named-object";
import type { Body, NamedObject } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import type { Outputs } from "../../core/resource";
import { ServiceError, type StatecraftError } from "../../errors";
import { changedNames } from "../../schema/diff";
import { property, withRules } from "../../schema/facts";
import { asSet, duration, nonEmptyString, stringMap } from "../../schema/property-types";
import { isSame } from "../../schema/values";
import { readAnswer } from "../../schema/wire";
import { adoptProperty, connectionProperty, timeoutsProperty } from "../shared-options";
import {
    capacityBounds,
    noCapability,
    noChangeInUse,
    notDetached,
    notSchedulable,
    otherForm,
    registrationRefusals,
    saidTwice,
    unknownMode,
    volumeInUse,
    volumeInUseByRunning,
} from "./failures";
import { modeRules, wordsOf } from "./modes";
import { homeNamespace, placeProperties } from "./place";
import { isEmptyRequest, modeIn, productProperties, productRules } from "./product-properties";
import { showWarning, volumes } from "./service";
import { type Address, at, type Claim, claimsOf, detachFrom, look, type WholeVolume } from "./whole-volume";

// Registering an existing volume is an error, so a second registration would fail where the first one worked.
const register = operation("PUT /v1/volume/csi/{id}", "refused");
const deregister = operation("DELETE /v1/volume/csi/{id}");

const mode = (name: "accessMode" | "attachmentMode", wire: string, what: string) =>
    property(z.string().optional(), {
        wire,
        default: "",
        immutable: true,
        product: {
            wire: undefined,
            default: undefined,
            immutable: undefined,
            defaultFrom: {
                description: "that of a single capability",
                of: ({ capabilities }) => modeIn(capabilities, name),
            },
        },
        description: `${what}: ${wordsOf(name)}. Other words are sent with a warning.`,
    });

const inputs = withRules(
    z.strictObject({
        volumeId: placeProperties.volumeId,
        name: property(nonEmptyString.optional(), {
            wire: "Name",
            immutable: true,
            defaultFrom: { description: "`volumeId`", of: ({ volumeId }) => volumeId },
            description: "Name shown to people.",
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
        detachOnDelete: property(z.boolean().optional(), {
            option: true,
            default: false,
            description:
                "Before deregistering, ask the scheduler to detach the volume from the nodes that hold it. A failure of that is a warning. Off by default.",
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
    provider: property(z.string(), { description: "Name of the storage provider, as last read." }),
    version: property(z.string(), { description: "Version of the plugin, as last read." }),
    schedulable: property(z.boolean(), { description: "Whether the volume could be scheduled when last read." }),
    controllersHealthy: property(z.int(), { description: "Healthy controllers of the plugin, as last read." }),
    controllersExpected: property(z.int(), { description: "Controllers of the plugin, as last read." }),
    nodesHealthy: property(z.int(), { description: "Nodes with a healthy plugin, as last read." }),
    nodesExpected: property(z.int(), { description: "Nodes with the plugin, as last read." }),
});

/** The outputs that are not inputs. */
function healthOf(volume: WholeVolume): Outputs<typeof outputs> {
    return {
        provider: volume.Provider,
        version: volume.Version,
        schedulable: volume.Schedulable,
        controllersHealthy: volume.ControllersHealthy,
        controllersExpected: volume.ControllersExpected,
        nodesHealthy: volume.NodesHealthy,
        nodesExpected: volume.NodesExpected,
    };
}

/** The claims in the way of deregistering. `force` drops all but those of allocations that run. */
const holding = (volume: WholeVolume, force: boolean) => claimsOf(volume).filter(({ runs }) => runs || !force);

function heldBy(claims: readonly Claim[]): string {
    return claims
        .map(
            ({ allocation, node, job }) =>
                `allocation ${allocation}${job && ` of job ${job}`}${node && ` on node ${node}`}`,
        )
        .join(", ");
}

function inUse({ id }: Address, claims: readonly Claim[], force: boolean): StatecraftError {
    const words = { id, held: heldBy(claims) };
    return force ? volumeInUseByRunning(words) : volumeInUse(words);
}

/** Asks each node that holds the volume to let go of it. What fails here may still be well for deregistering. */
async function detachAll(context: RequestContext, address: Address, volume: WholeVolume): Promise<void> {
    for (const node of new Set(claimsOf(volume).flatMap((claim) => claim.node || []))) {
        await detachFrom(context, address, node).catch((error: unknown) => {
            const problem = error instanceof Error ? error.message : String(error);
            context.warn(notDetached({ node, problem }));
        });
    }
}

const pollMilliseconds = 1_000;

const listedCapabilities = z
    .array(z.object({ AccessMode: z.string().catch(""), AttachmentMode: z.string().catch("") }))
    .catch([]);

/** The modes that a server's single capability says. With several there is nothing to say of them. */
function toldModes(listed: unknown): { accessMode?: string; attachmentMode?: string } {
    const [only, ...others] = listedCapabilities.parse(listed);
    if (only === undefined || others.length > 0) return {};
    return { accessMode: only.AccessMode, attachmentMode: only.AttachmentMode };
}

const volume: NamedObject<typeof inputs, typeof outputs, Address> = {
    type: "CsiVolume",
    service: volumes,
    description:
        "An external volume of type `csi`, registered with the workload scheduler. The storage itself is neither created nor deleted.",
    inputs,
    outputs,
    errors: [
        volumeInUse,
        volumeInUseByRunning,
        noChangeInUse,
        notSchedulable,
        notDetached,
        noCapability,
        saidTwice,
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
        const isReal = context.vocabulary === "product";
        const modes = isReal ? toldModes(found["RequestedCapabilities"]) : {};
        // A name that was never given is stored empty by some servers.
        const name = typeof found["Name"] === "string" && found["Name"] !== "" ? found["Name"] : address.id;
        return { body: found, inputs: { ...modes, name }, outputs: healthOf(found) };
    },

    async write(context, address, { body, inputs: { adopt, pluginId, requestedTopologies }, olds }) {
        const kept = olds && !isEmptyRequest(requestedTopologies) ? await heldRequest(context, address, body) : {};
        // An empty name keeps the one that is there, which may be none.
        const mayBeNameless = context.vocabulary === "product" && body["Name"] === address.id;
        const isKept =
            mayBeNameless && (olds !== undefined || (adopt === true && (await isNameless(context, address))));
        const call = { ...at(address), body: { Volumes: [{ ...body, ...kept, ...(isKept && { Name: "" }) }] } };
        const answer = await context.client.call(register, call).catch((error: unknown) => {
            throw explained(error, registrationRefusals, { plugin: JSON.stringify(pluginId) });
        });
        showWarning(answer, context);
    },

    async remove(context, address, state) {
        const { detachOnDelete = false, force = false } = state;
        const found = await look(context, address);
        if (found === undefined) return;
        const claims = holding(found, force);
        if (claims.some(({ ended }) => !ended)) throw inUse(address, claims, force);
        if (detachOnDelete) await detachAll(context, address, found);
        if (claims.length > 0) await untilFree(context, address, force);
        await deregisterVolume(context, address, force);
    },

    wait: {
        name: "waitUntilSchedulable",
        isWanted: ({ waitUntilSchedulable = 0 }) => waitUntilSchedulable > 0,
        async until(context, address, { waitUntilSchedulable = 0, pluginId }) {
            const limit = context.waitLimit(waitUntilSchedulable, 0);
            let health = "the volume is gone";
            const wait = { for: "the volume to be schedulable", limit, interval: pollMilliseconds, now: () => health };
            const ready = await context.poll(wait, async () => {
                const found = await look(context, address);
                if (found) health = `${found.NodesHealthy} of ${found.NodesExpected} nodes healthy`;
                return found?.Schedulable ? found : undefined;
            });
            if (ready !== undefined) return healthOf(ready);
            const seconds = String(Math.round(limit));
            throw notSchedulable({ seconds, health, plugin: JSON.stringify(pluginId) });
        },
    },

    // Tells of changes that the service refuses while the volume is held.
    async previewChange(context, _inputs, state, changes) {
        if (state?.volumeId === undefined) return;
        const replaced = changes.filter(({ replaces, path }) => replaces || path.startsWith("mountOptions"));
        const refused = changedNames(replaced);
        if (refused.length === 0) return;
        const { volumeId: id, namespace = homeNamespace(context), force = false } = state;
        const found = await look(context, { namespace, id });
        const claims = found ? holding(found, force) : [];
        if (claims.length > 0) context.warn(noChangeInUse({ names: refused.join(", "), id, held: heldBy(claims) }));
    },
};

/** An external volume. */
export const csiVolume = namedObject(volume);

/** Whether a volume is there that was registered without a name, which reads as its id. */
async function isNameless(context: RequestContext, address: Address): Promise<boolean> {
    const found = await look(context, address).catch(() => undefined);
    return found !== undefined && !found["Name"];
}

/** The topologies asked for, as the server holds them where it means the same: it takes another order for a change, which it refuses. */
async function heldRequest(context: RequestContext, address: Address, body: Body): Promise<Body> {
    const { inputs: node } = csiVolume.in(context.vocabulary);
    const property = node.properties.get("requestedTopologies");
    // Where nobody can look, the program's order is as good as any.
    const found = await look(context, address).catch(() => undefined);
    if (found === undefined || property?.facts.wire === undefined) return {};
    const [held, wanted] = [found, body].map((told) => readAnswer(node, told)[property.name]);
    return isSame(property, held, wanted) ? { [property.facts.wire]: found[property.facts.wire] } : {};
}

/** How often to look again where a state passes within seconds after a job has stopped. */
const passingTries = 5;

/** Refuses a volume that stays held, before anything is sent. Claims of ended allocations go by themselves, or with `force`. */
async function untilFree(context: RequestContext, address: Address, force: boolean): Promise<void> {
    for (let tries = 1; ; tries++) {
        const volume = await look(context, address);
        const claims = volume ? holding(volume, force) : [];
        if (claims.length === 0) return;
        if (tries === passingTries || claims.some(({ ended }) => !ended)) throw inUse(address, claims, force);
        await context.sleep(pollMilliseconds);
    }
}

async function deregisterVolume(context: RequestContext, address: Address, force: boolean): Promise<void> {
    const call = { ...at(address), query: { namespace: address.namespace, ...(force ? { force } : {}) } };
    for (let tries = 1; ; tries++) {
        try {
            await context.client.call(deregister, call);
            return;
        } catch (refusal) {
            const isInUse =
                refusal instanceof ServiceError && refusal.reasons.some((reason) => reason.startsWith("volume in use"));
            if (!isInUse) throw refusal;
            if (tries === passingTries) {
                const volume = await look(context, address);
                const claims = volume ? claimsOf(volume) : [];
                throw claims.length > 0 ? inUse(address, claims, force) : refusal;
            }
            await context.sleep(pollMilliseconds);
        }
    }
}
