/** CsiVolume: an external volume, registered with the scheduler (document "Volumes"). */

import * as z from "zod";
import { recordReader } from "../../core/functions";
import { operation } from "../../core/operation";
import { defineResource } from "../../core/resource";
import { reworded, ServiceError, StatecraftError } from "../../errors";
import { changedNames } from "../../schema/compare";
import { type Facts, property, type Rule, withRules } from "../../schema/property";
import { asSet, duration, nonEmptyString, stringMap, wholeNumber } from "../../schema/property-types";
import { isRecord, type Values } from "../../schema/values";
import { adoptProperty, connectionProperty, timeoutsProperty, triggersProperty } from "../shared-options";
import { volumes } from "./service";
import { type Address, addressOf, at, claimsOf, count, flag, look, placeProperties, text, titleOf } from "./volume";

// A server of the document refuses a second registration, also after a first one whose answer was lost.
const register = operation("PUT /v1/volume/csi/{id}", "refused");
const deregister = operation("DELETE /v1/volume/csi/{id}");

/** The words that Nomad knows. The document lists none, so that others are sent with a warning. */
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
        // Nomad empties both modes after the first claim has ended.
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
        return {
            path: name,
            reason: `${JSON.stringify(written)} is none of the words that Nomad knows: ${wordsOf(name)}`,
        };
    },
});

const word = (wire: string, description: string) => property(nonEmptyString, { wire, description });

const capability = z.strictObject({
    accessMode: word("AccessMode", "How many nodes may use it at once."),
    attachmentMode: word("AttachmentMode", "What it looks like to a task."),
});

const noCapability = {
    path: "accessMode",
    reason: "Nomad refuses a volume without a capability: give accessMode and attachmentMode, or capabilities",
};

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Whether a value is no object, or one whose lists are all empty. */
const isEmpty = (value: unknown) => !isRecord(value) || Object.values(value).every(isEmptyList);

const sentUnlessEmpty = { encode: (value: unknown) => (value === "" || isEmptyList(value) ? undefined : value) };

const mountOptions = z.strictObject({
    fsType: property(z.string().optional(), {
        wire: "FSType",
        default: "",
        wireForm: sentUnlessEmpty,
        description: "The file system.",
    }),
    mountFlags: property(z.array(z.string()).optional(), {
        wire: "MountFlags",
        default: [],
        secret: true,
        wireForm: sentUnlessEmpty,
        description: "Flags of the mount. They may hold credentials, so servers do not show them.",
    }),
});

/** Nomad shows `null` if there are no flags. As a secret, that would read as a mask. */
const withEmptyFlags = (options: unknown) =>
    isRecord(options) && options["MountFlags"] === null ? { ...options, MountFlags: [] } : options;

const topologies = (wire: string, description: string) =>
    property(z.array(stringMap).optional(), { wire, default: [], description });

const topologyRequest = z.strictObject({
    required: topologies("Required", "Where the volume must be reached from."),
    preferred: topologies("Preferred", "Where it should be reached from, best first."),
});

/** Strings by name. The document does not show them, so an answer may leave them out. */
const strings = (wire: string, description: string, facts: Partial<Facts> = {}) =>
    property(stringMap.optional(), { wire, default: {}, optionalInAnswers: true, description, ...facts });

/** A size. Nomad shows 0 if none was requested, and keeps the present size if none is sent. */
const bytes = (wire: string, description: string) =>
    property(wholeNumber(1).optional(), {
        wire,
        place: true,
        large: true,
        optionalInAnswers: true,
        wireForm: { decode: (answer) => answer || undefined },
        description,
    });

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
        // The document shows none of the properties from here to `triggers`.
        capabilities: property(z.array(capability).min(1).optional(), {
            wire: "RequestedCapabilities",
            optionalInAnswers: true,
            equality: asSet,
            default: pairOfModes,
            defaultText: "the pair of `accessMode` and `attachmentMode`",
            description: "How the volume may be used: pairs of modes.",
        }),
        mountOptions: property(mountOptions.optional(), {
            wire: "MountOptions",
            optionalInAnswers: true,
            default: {},
            wireForm: { decode: withEmptyFlags },
            description: "How the volume is mounted. Cannot change while the volume is in use.",
        }),
        parameters: strings("Parameters", "Strings by name that are passed to the plugin.", { immutable: true }),
        context: strings(
            "Context",
            "Strings by name that the storage provider needs to know of the volume. Emptied, the volume is replaced.",
            // Nomad keeps the present one if an empty one is sent.
            { immutable: (old, now) => !isEmpty(old) && isEmpty(now) },
        ),
        secrets: strings("Secrets", "Strings by name that the plugin authenticates with. Servers never show them.", {
            secret: true,
            wireForm: { decode: () => undefined },
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
        triggers: triggersProperty("registers the volume, with its secrets and in place,"),
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
            test: ({ capabilities }) => (capabilities === undefined ? noCapability : undefined),
        },
        {
            uses: ["capacityMin", "capacityMax"],
            // A capacity that is left out stays as it was.
            test({ capacityMin, capacityMax }, olds) {
                const [min, max] = [capacityMin ?? olds?.["capacityMin"], capacityMax ?? olds?.["capacityMax"]];
                const isWrong = typeof min === "number" && typeof max === "number" && min > max;
                return isWrong ? { path: "capacityMin", reason: "must not be more than capacityMax" } : undefined;
            },
        },
    ],
);

/** The default of `capabilities`. */
function pairOfModes({ accessMode, attachmentMode }: Values): unknown {
    return accessMode && attachmentMode ? [{ accessMode, attachmentMode }] : undefined;
}

const outputs = z.strictObject({
    providerName: text("Provider", "Name of the storage provider, as last read."),
    providerVersion: text("Version", "Version of the plugin, as last read."),
    schedulable: flag("Schedulable", "Whether the volume could be scheduled when last read."),
    controllersHealthy: count("ControllersHealthy", "Healthy controllers of the plugin, as last read."),
    controllersExpected: count("ControllersExpected", "Controllers of the plugin, as last read."),
    nodesHealthy: count("NodesHealthy", "Nodes with a healthy plugin, as last read."),
    nodesExpected: count("NodesExpected", "Nodes with the plugin, as last read."),
});

const { read: healthIn } = recordReader(outputs);

/** Nomad returns warnings since 1.11. Earlier versions, and servers of the document, return no body. */
const withWarnings = z.object({ Warnings: z.string().trim().min(1) });

/** The refusal of a second registration. */
const isExisting = /^volume exists/i;

const pollMilliseconds = 1_000;

/** Seconds in which the claims of a stopped job end by themselves. */
const claimsEndWithin = 5;

/** An external volume. */
export const csiVolume = defineResource<typeof inputs, typeof outputs, Address>({
    type: "CsiVolume",
    service: volumes,
    description: "A CSI volume that is registered with Nomad. The storage itself is neither created nor deleted.",
    inputs,
    outputs,
    deletesFirst: true,
    idForm: "<namespace>/<volumeId>",
    title: titleOf,
    address: addressOf,
    id: ({ namespace, id }) => `${namespace}/${id}`,
    parse(volumeId) {
        const [, namespace, id] = /^([^/*]+)\/([^/]+)$/.exec(volumeId) ?? [];
        return namespace && id ? { namespace, id } : undefined;
    },
    named: ({ namespace, id }) => ({ namespace, volumeId: id }),

    async read(context, address) {
        const found = await look(context, address);
        return found && { body: found.body, outputs: healthIn(found.body) };
    },

    async write(context, address, { body, inputs: { pluginId } }) {
        const call = { ...at(address), body: { Volumes: [{ ...body, Namespace: address.namespace }] } };
        const answer = await context.client.call(register, call).catch((error: unknown) => {
            const reason = error instanceof ServiceError ? error.reasons.join(" ") : "";
            const hint = adviceOn(reason, pluginId);
            if (!(error instanceof ServiceError) || hint === undefined) throw error;
            throw reworded(error, { hint, code: isExisting.test(reason) ? "exists" : error.code });
        });
        const { data } = withWarnings.safeParse(answer.body);
        if (data) context.warn("server-warning", `${context.product} says: ${data.Warnings.replace(/\s+/g, " ")}`);
    },

    async remove(context, address, { force = false }) {
        const call = { ...at(address), query: { namespace: address.namespace, ...(force && { force }) } };
        const wait = {
            for: "the claims of the volume to end",
            limit: context.waitLimit(claimsEndWithin, 0),
            interval: pollMilliseconds,
        };
        let refusal: unknown;
        const isDone = await context.poll(wait, async () => {
            try {
                await context.client.call(deregister, call);
                return true;
            } catch (error) {
                if (!isInUse(error)) throw error;
                refusal = error;
                return undefined;
            }
        });
        if (isDone) return;
        const found = await look(context, address).catch(() => undefined);
        const claims = found ? claimsOf(found.volume) : [];
        if (claims.length === 0) throw refusal;
        const message = `the volume ${address.id} is in use by ${listed(claims)}, so it stays registered`;
        throw new StatecraftError("in-use", message, {
            hint: "Stop these jobs. For claims of allocations that have ended, set `force: true` and run `pulumi up` before you delete or replace the volume",
            cause: refusal,
        });
    },

    async wait(context, address, { waitUntilSchedulable = 0, pluginId }) {
        if (waitUntilSchedulable === 0) return {};
        const limit = context.waitLimit(waitUntilSchedulable, 0);
        let health = "the volume is gone";
        const wait = { for: "the volume to be schedulable", limit, interval: pollMilliseconds, now: () => health };
        const ready = await context.poll(wait, async () => {
            const found = await look(context, address);
            if (found) health = `${found.volume.nodesHealthy} of ${found.volume.nodesExpected} nodes healthy`;
            return found?.volume.schedulable ? found.body : undefined;
        });
        if (ready !== undefined) return healthIn(ready);
        throw new StatecraftError("timeout", `the volume is not schedulable after ${Math.round(limit)} s: ${health}`, {
            hint: `Check the plugin ${JSON.stringify(pluginId)}. The next \`pulumi up\` waits again`,
        });
    },

    // Nomad refuses these changes while allocations claim the volume.
    async preview(context, _inputs, state, changes) {
        const refused = changes.filter(({ replaces, path }) => replaces || path.startsWith("mountOptions"));
        if (state?.volumeId === undefined || refused.length === 0) return;
        const { volumeId, namespace } = state;
        const found = await look(context, addressOf({ volumeId, namespace }, context.settings));
        const claims = found ? claimsOf(found.volume).filter(({ hasEnded }) => !hasEnded) : [];
        if (claims.length === 0) return;
        const names = changedNames(refused).join(", ");
        context.warn(
            "in-use",
            `${names}: cannot change now, because the volume ${volumeId} is in use by ${listed(claims)}. Stop these jobs first.`,
        );
    },
});

const listed = (claims: ReturnType<typeof claimsOf>) => claims.map(({ text }) => text).join(", ");

/** Whether a deregistration was refused because allocations claim the volume. */
const isInUse = (error: unknown) =>
    error instanceof ServiceError && error.reasons.some((reason) => reason.startsWith("volume in use"));

/** What to do about a refused registration whose reason does not say it. */
function adviceOn(reason: string, pluginId: string): string | undefined {
    const replace = "replace it (`pulumi up --replace <urn>`), which keeps the storage";
    if (isExisting.test(reason))
        return `This server does not change a registered volume: to change it, ${replace}. To take it over, \`adopt: true\` needs every field to match`;
    if (/must include at least one capability block/i.test(reason))
        return "Give `accessMode` and `attachmentMode`, or `capabilities`";
    if (/volume .* cannot be updated/is.test(reason))
        return `Declare the value that the registered volume has. To change the volume, ${replace}`;
    if (/EOF$/i.test(reason))
        return `The plugin ${JSON.stringify(pluginId)} ended the call without a reason: look at the log of its controller, and whether its version fits the server's`;
    if (/^Permission denied/i.test(reason))
        return "The token is invalid or lacks a right: registering needs csi-write-volume in the namespace, and on some servers the right to read plugins";
    return undefined;
}
