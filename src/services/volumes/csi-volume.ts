/** CsiVolume: an external volume, registered with the scheduler (document "Volumes"). */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { explained } from "../../catalogue";
import { serverWarning } from "../../core/failures";
import { namedObject } from "../../core/named-object";
import { operation } from "../../core/operation";
import type { Outputs } from "../../core/resource";
import { ServiceError } from "../../errors";
import { changedNames } from "../../schema/diff";
import { property, type Rule, type Values, withRules } from "../../schema/facts";
import { asSet, duration, nonEmptyString, stringMap, wholeNumber } from "../../schema/property-types";
import { isRecord } from "../../schema/unknown";
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
import { volumes } from "./service";
import { type Address, at, claimsOf, homeNamespace, look, placeProperties, type Volume } from "./volume";

// Registering an existing volume is an error, so a second registration would fail where the first one worked.
const register = operation("PUT /v1/volume/csi/{id}", "refused");
const deregister = operation("DELETE /v1/volume/csi/{id}");

/** The words of the two modes that Nomad acts on. The document shows none, so that others are sent with a warning. */
const modes = {
    accessMode: [
        "single-node-reader-only",
        "single-node-writer",
        "multi-node-reader-only",
        "multi-node-single-writer",
        "multi-node-multi-writer",
    ],
    attachmentMode: ["file-system", "block-device"],
} as const;
type Mode = keyof typeof modes;

const wordsOf = (name: Mode) => modes[name].map((word) => `\`${word}\``).join(", ");

const mode = (name: Mode, wire: string, what: string) =>
    property(z.string().optional(), {
        wire,
        default: "",
        immutable: true,
        // Nomad empties both modes after the first claim has ended, so an empty one says nothing.
        wireForm: { decode: (answer) => answer || undefined },
        optionalInAnswers: true,
        description: `${what}: ${wordsOf(name)}. Other words are sent with a warning.`,
    });

const knownMode = (name: Mode): Rule => ({
    uses: [name],
    severity: "warning",
    test({ [name]: written }) {
        const known: readonly unknown[] = modes[name];
        if (!written || known.includes(written)) return undefined;
        return { path: name, reason: unknownMode({ mode: JSON.stringify(written), known: wordsOf(name) }) };
    },
});

const capability = z.strictObject({
    accessMode: property(nonEmptyString, { wire: "AccessMode", description: "How many nodes may use it at once." }),
    attachmentMode: property(nonEmptyString, {
        wire: "AttachmentMode",
        description: "What it looks like to a task.",
    }),
});

const mountOptions = z.strictObject({
    fsType: property(z.string().optional(), {
        wire: "FSType",
        default: "",
        omitDefault: true,
        description: "The file system.",
    }),
    mountFlags: property(z.array(z.string()).optional(), {
        wire: "MountFlags",
        default: [],
        omitDefault: true,
        secret: true,
        maskWhenSet: ["[REDACTED]"],
        description: "Flags of the mount. They may hold credentials, so servers do not show them.",
    }),
});

const topologies = (wire: string, description: string) =>
    property(z.array(stringMap).optional(), { wire, default: [], description });

const topologyRequest = z.strictObject({
    required: topologies("Required", "Where the volume must be reached from."),
    preferred: topologies("Preferred", "Where it should be reached from, best first."),
});

/** Bytes. Nomad shows 0 where none were asked for, and keeps what it has where none are sent. */
const bytes = (wire: string, description: string) =>
    property(wholeNumber(1).optional(), {
        wire,
        sticky: true,
        large: true,
        optionalInAnswers: true,
        wireForm: { decode: (answer) => answer || undefined },
        description,
    });

const isEmpty = (value: unknown) =>
    !isRecord(value) || Object.values(value).every((inner) => isDeepStrictEqual(inner, []));

/** The inputs of a volume. */
export const inputs = withRules(
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
        // The document shows none of these up to `triggers`: an answer may leave them out.
        capabilities: property(z.array(capability).min(1).optional(), {
            wire: "RequestedCapabilities",
            optionalInAnswers: true,
            equality: asSet,
            defaultFrom: { description: "the pair of `accessMode` and `attachmentMode`", of: pairOfModes },
            description: "How the volume may be used: pairs of modes.",
        }),
        mountOptions: property(mountOptions.optional(), {
            wire: "MountOptions",
            optionalInAnswers: true,
            default: {},
            description: "How the volume is mounted. Cannot change while the volume is in use.",
        }),
        parameters: property(stringMap.optional(), {
            wire: "Parameters",
            optionalInAnswers: true,
            default: {},
            immutable: true,
            description: "Strings by name that are handed to the plugin.",
        }),
        context: property(stringMap.optional(), {
            wire: "Context",
            optionalInAnswers: true,
            default: {},
            // Nomad keeps what it has where an empty one is sent.
            immutable: (old, now) => !isEmpty(old) && isEmpty(now),
            description:
                "Strings by name that the storage provider needs to know of the volume. Emptied, the volume is replaced.",
        }),
        secrets: property(stringMap.optional(), {
            wire: "Secrets",
            default: {},
            secret: true,
            writeOnly: true,
            description: "Strings by name that the plugin authenticates with. Servers never show them.",
        }),
        requestedTopologies: property(topologyRequest.optional(), {
            wire: "RequestedTopologies",
            optionalInAnswers: true,
            default: {},
            wireForm: { encode: (request) => (isEmpty(request) ? null : request) },
            immutable: true,
            description:
                "Where the volume must (`required`) and should (`preferred`, best first) be reached from: flat maps of segments.",
        }),
        capacityMin: bytes("RequestedCapacityMin", "The least size in bytes. Left out later, it stays as it was."),
        capacityMax: bytes("RequestedCapacityMax", "The largest size in bytes. Left out later, it stays as it was."),
        triggers: property(z.array(z.unknown()).optional(), {
            default: [],
            description:
                "Any values: a change of them registers the volume again, in place. It brings back what the server has lost, secrets above all.",
        }),
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
    [
        knownMode("accessMode"),
        knownMode("attachmentMode"),
        {
            uses: ["capabilities", "accessMode", "attachmentMode"],
            severity: "warning",
            test: ({ capabilities }) => (capabilities === undefined ? noCapability() : undefined),
        },
        {
            uses: ["capacityMin", "capacityMax"],
            // A capacity that is left out stays as it was.
            test({ capacityMin, capacityMax }, olds) {
                const [min, max] = [capacityMin ?? olds?.["capacityMin"], capacityMax ?? olds?.["capacityMax"]];
                return typeof min === "number" && typeof max === "number" && min > max ? capacityBounds() : undefined;
            },
        },
    ],
);

/** What leaving `capabilities` out means. */
function pairOfModes({ accessMode, attachmentMode }: Values): unknown {
    return accessMode && attachmentMode ? [{ accessMode, attachmentMode }] : undefined;
}

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

/** Nomad answers so since 1.11; earlier ones, and the document, show no body. */
const withWarnings = z.object({ Warnings: z.string().trim().min(1) });

const pollMilliseconds = 1_000;

/** Seconds in which the claims of a stopped job end by themselves. */
const claimsEndWithin = 5;

/** An external volume. */
export const csiVolume = namedObject<typeof inputs, typeof outputs, Address>({
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
        const { data } = withWarnings.safeParse(answer.body);
        if (data)
            context.warn(serverWarning({ service: context.product, warning: data.Warnings.replace(/\s+/g, " ") }));
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
});

/** Whether a deregistration was refused because allocations claim the volume. */
function isInUse(error: unknown): error is ServiceError {
    return error instanceof ServiceError && error.reasons.some((reason) => reason.startsWith("volume in use"));
}
