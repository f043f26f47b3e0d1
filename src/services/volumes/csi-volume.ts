/** CsiVolume: an existing volume that is registered with Nomad (document "Volumes"). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { defineNamed } from "../../core/resource";
import { ServiceError, StatecraftError } from "../../errors";
import { changedNames } from "../../schema/compare";
import { type Facts, property, warnAbout, withRules } from "../../schema/property";
import { asSet, duration, nonEmptyString, stringMap, wholeNumber } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import { isRecord, type Values } from "../../schema/values";
import { adoptProperty, connectionProperty, timeoutsProperty, triggersProperty } from "../shared-options";
import { volumes } from "./service";
import { type Address, addressOf, at, healthProperties, look, placeProperties, text, titleOf } from "./volume";

// Not repeated after a lost answer: servers that use the names of the API documents refuse a second registration, which would hide that the
// first one succeeded.
const register = endpoint("PUT /v1/volume/csi/{id}", "refused");
const deregister = endpoint("DELETE /v1/volume/csi/{id}");

/** The modes that Nomad supports. The API documents list none, so other values are sent with a warning. */
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

const shownUnlessEmpty = { decode: (answer: unknown) => answer || undefined };

const mode = (name: Mode, wire: string, what: string) =>
    property(z.string().optional(), {
        wire,
        default: "",
        immutable: true,
        // Nomad empties both modes after the first claim has ended.
        wireForm: shownUnlessEmpty,
        optionalInAnswers: true,
        description: `${what}: ${wordsOf(name)}. Other values are sent with a warning.`,
    });

const knownMode = (name: Mode) =>
    warnAbout(name, [], ({ [name]: written }) => {
        const known: readonly unknown[] = ["", ...modes[name]];
        const problem = `${JSON.stringify(written)} is none of the words that Nomad knows: ${wordsOf(name)}`;
        return known.includes(written) ? undefined : problem;
    });

const capability = z.strictObject({
    accessMode: property(nonEmptyString, { wire: "AccessMode", description: "Access mode." }),
    attachmentMode: property(nonEmptyString, { wire: "AttachmentMode", description: "Attachment mode." }),
});

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Whether a value is no object, or an object in which every entry is an empty list. */
const isEmpty = (value: unknown) => !isRecord(value) || Object.values(value).every(isEmptyList);

const sentUnlessEmpty = { encode: (value: unknown) => (value === "" || isEmptyList(value) ? undefined : value) };

const mountOptions = z.strictObject({
    fsType: property(z.string().optional(), {
        wire: "FSType",
        default: "",
        wireForm: sentUnlessEmpty,
        description: "File system.",
    }),
    mountFlags: property(z.array(z.string()).optional(), {
        wire: "MountFlags",
        default: [],
        secret: true,
        wireForm: sentUnlessEmpty,
        description: "Mount flags. Nomad does not return them, because they may contain credentials.",
    }),
});

/** Replaces `null`, which Nomad returns if there are no flags, by an empty list: in a secret, `null` is read as a masked value. */
const withEmptyFlags = (options: unknown) =>
    isRecord(options) && options["MountFlags"] === null ? { ...options, MountFlags: [] } : options;

const topologies = (wire: string, description: string) =>
    property(z.array(stringMap).optional(), { wire, default: [], description });

const topologyRequest = z.strictObject({
    required: topologies("Required", "Required topologies."),
    preferred: topologies("Preferred", "Preferred topologies, best first."),
});

/** A map of strings. Answers may lack it, because the API documents do not show it. */
const strings = (wire: string, description: string, facts: Partial<Facts> = {}) =>
    property(stringMap.optional(), { wire, default: {}, optionalInAnswers: true, description, ...facts });

/** A field of the API documents. A registered volume cannot change it. */
const fixed = <Type extends z.ZodType>(wire: string, type: Type, fallback: unknown, description: string) =>
    property(type, { wire, default: fallback, immutable: true, description });

/** A size in bytes. Nomad returns 0 if none was requested, and does not change the size if a request has none. */
const bytes = (wire: string, description: string) =>
    property(wholeNumber(1).optional(), {
        wire,
        place: true,
        large: true,
        optionalInAnswers: true,
        wireForm: shownUnlessEmpty,
        description,
    });

/** Properties of volumes in Nomad that the API documents do not have. */
export const furtherProperties = {
    capabilities: property(z.array(capability).min(1).optional(), {
        wire: "RequestedCapabilities",
        optionalInAnswers: true,
        equality: asSet,
        default: ({ accessMode, attachmentMode }: Values) =>
            accessMode && attachmentMode ? [{ accessMode, attachmentMode }] : undefined,
        defaultText: "the pair of `accessMode` and `attachmentMode`",
        description: "Capabilities: pairs of access mode and attachment mode.",
    }),
    mountOptions: property(mountOptions.optional(), {
        wire: "MountOptions",
        optionalInAnswers: true,
        default: {},
        wireForm: { decode: withEmptyFlags },
        description: "How the volume is mounted. Cannot change while the volume is in use.",
    }),
    parameters: strings("Parameters", "Parameters: key-value pairs for the CSI plugin.", { immutable: true }),
    context: strings(
        "Context",
        "Volume context: key-value pairs for the CSI plugin. Removing all of them replaces the volume.",
        // Nomad does not change the context if a request has an empty one, so the volume is replaced.
        { immutable: (old, now) => !isEmpty(old) && isEmpty(now) },
    ),
    requestedTopologies: property(topologyRequest.optional(), {
        wire: "RequestedTopologies",
        optionalInAnswers: true,
        default: {},
        wireForm: { encode: (request) => (isEmpty(request) ? null : request) },
        immutable: true,
        description: "Required and preferred topologies: maps of segments.",
    }),
    capacityMin: bytes("RequestedCapacityMin", "Minimum capacity in bytes. If removed, the capacity is unchanged."),
    capacityMax: bytes("RequestedCapacityMax", "Maximum capacity in bytes. If removed, the capacity is unchanged."),
};

const inputs = withRules(
    z.strictObject({
        volumeId: placeProperties.volumeId,
        name: fixed("Name", nonEmptyString.optional(), "", "Display name."),
        namespace: placeProperties.namespace,
        externalId: fixed(
            "ExternalID",
            z.string().optional(),
            "",
            "Id of the volume at the storage provider. Default: `volumeId`.",
        ),
        pluginId: fixed("PluginID", nonEmptyString, undefined, "The CSI plugin that serves the volume."),
        topologies: property(z.array(stringMap).optional(), {
            wire: "Topologies",
            default: [],
            immutable: true,
            equality: asSet,
            description: "Topologies from which the volume is accessible: maps of segments, in any order.",
        }),
        accessMode: mode("accessMode", "AccessMode", "Access mode"),
        attachmentMode: mode("attachmentMode", "AttachmentMode", "Attachment mode"),
        ...furtherProperties,
        secrets: strings("Secrets", "Secrets of the CSI plugin: key-value pairs. Nomad does not return them.", {
            secret: true,
            wireForm: { decode: () => undefined },
        }),
        triggers: triggersProperty("registers the volume, with its secrets and in place,"),
        force: property(z.boolean().optional(), {
            option: true,
            default: false,
            description:
                "Whether to deregister with `force`, which drops claims of ended allocations at once. Running allocations still prevent it.",
        }),
        waitUntilSchedulable: property(duration().optional(), {
            option: true,
            default: 0,
            description:
                "Maximum time to wait until the volume is schedulable: whole seconds, or a string such as `2m`. Default: no wait.",
        }),
        adopt: adoptProperty,
        timeouts: timeoutsProperty,
        connection: connectionProperty,
    }),
    [
        knownMode("accessMode"),
        knownMode("attachmentMode"),
        warnAbout("accessMode", ["attachmentMode", "capabilities"], ({ capabilities }) =>
            capabilities === undefined
                ? "Nomad refuses a volume without a capability: give accessMode and attachmentMode, or capabilities"
                : undefined,
        ),
    ],
);

const outputs = z.strictObject({
    providerName: text("Provider", "Name of the storage provider."),
    providerVersion: text("Version", "Version of the plugin."),
    ...healthProperties,
});

const { read: healthIn } = recordReader(outputs);

/**
 * The answer to a registration, if it has warnings. Nomad returns them since 1.11; earlier versions, and servers that use the names of the
 * API documents, return no body.
 */
const withWarnings = z.object({ Warnings: z.string().trim().min(1) });

const pollMilliseconds = 1_000;

/** Seconds within which Nomad releases the claims of a stopped job. */
const claimsEndWithin = 5;

/** An existing volume that is registered with Nomad. */
export const csiVolume = defineNamed<typeof inputs, typeof outputs, Address>({
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
            throw error instanceof ServiceError ? error.reword(adviceOn(error.reasons.join(" "), pluginId)) : error;
        });
        const { data } = withWarnings.safeParse(answer.body);
        if (data) context.warn("server-warning", `${context.product} says: ${data.Warnings.replace(/\s+/g, " ")}`);
    },

    async remove(context, address, { force = false }) {
        const call = { ...at(address), query: { namespace: address.namespace, ...(force && { force }) } };
        const limit = context.waitLimit(claimsEndWithin, 0);
        const wait = { for: "the claims of the volume to end", limit, interval: pollMilliseconds };
        let refusal: unknown;
        const done = await context.poll(wait, () =>
            context.client.call(deregister, call).catch((error: unknown) => {
                if (!isInUse(error)) throw error;
                refusal = error;
                return undefined;
            }),
        );
        if (done) return;
        const claims = await claimsOn(context, address).catch(() => []);
        if (claims.length === 0) throw refusal;
        const message = `the volume ${address.id} is in use by ${listed(claims)}, so it stays registered`;
        throw new StatecraftError("in-use", message, {
            hint: endClaims(address, claims),
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
            hint: `Look at the plugin with \`nomad plugin status ${pluginId}\`, and run \`pulumi up\` again, which waits again`,
        });
    },

    // Nomad refuses these changes while allocations claim the volume.
    async preview(context, _inputs, state, changes) {
        const refused = changes.filter(({ replaces, path }) => replaces || path.startsWith("mountOptions"));
        if (state?.volumeId === undefined || refused.length === 0) return;
        const { volumeId, namespace } = state;
        const address = addressOf({ volumeId, namespace }, context.settings);
        const claims = (await claimsOn(context, address)).filter(({ hasEnded }) => !hasEnded);
        if (claims.length === 0) return;
        const names = changedNames(refused).join(", ");
        const problem = `cannot change now, because the volume ${volumeId} is in use by ${listed(claims)}`;
        context.warn("in-use", `${names}: ${problem}. ${endClaims(address, claims)}.`);
    },
});

type Claim = Awaited<ReturnType<typeof claimsOn>>[number];

const endedStatuses: readonly string[] = ["complete", "failed", "lost"];

/** The allocations that claim a volume; none if the volume is absent. */
async function claimsOn(context: Context, address: Address) {
    const found = await look(context, address);
    if (found === undefined) return [];
    const { readAllocs, writeAllocs, allocations } = found.volume;
    return [...new Set([...readAllocs, ...writeAllocs])].map((id) => {
        const { jobId = "", nodeId = "", clientStatus = "" } = allocations.find((record) => record.id === id) ?? {};
        const text = `allocation ${id}${jobId && ` of job ${jobId}`}${nodeId && ` on node ${nodeId}`}`;
        return { text, jobId, hasEnded: endedStatuses.includes(clientStatus) };
    });
}

const listed = (claims: readonly Claim[]) => claims.map(({ text }) => text).join(", ");

/** The commands that end the claims of running allocations, or else those of ended allocations. */
function endClaims({ namespace, id }: Address, claims: readonly Claim[]): string {
    const flag = namespace === "default" ? "" : `-namespace=${namespace} `;
    const running = claims.filter(({ hasEnded }) => !hasEnded);
    if (running.length === 0) {
        return `These allocations have ended: run \`nomad volume deregister ${flag}-force ${id}\`, which drops their claims, and then the same command again`;
    }
    const jobs = new Set(running.map(({ jobId }) => jobId || "<job>"));
    const commands = [...jobs].map((job) => `\`nomad job stop ${flag}${job}\``);
    return `Run ${commands.join(" and ")}, and then the same command again`;
}

/** Whether a deregistration was refused because allocations claim the volume. */
const isInUse = (error: unknown) =>
    error instanceof ServiceError && error.reasons.some((reason) => reason.startsWith("volume in use"));

/** Advice on a refused registration, for reasons that contain none. */
function adviceOn(reason: string, pluginId: string): { readonly code?: string; readonly hint?: string } {
    if (/^volume exists/i.test(reason)) {
        const replace = "`pulumi up --replace <urn>`, which keeps the storage";
        const hint = `This server cannot change a registered volume: declare every field as the volume has it, or run ${replace}`;
        return { code: "exists", hint };
    }
    if (/EOF$/i.test(reason)) {
        const plugin = `The plugin ${JSON.stringify(pluginId)} ended the call without a reason`;
        return { hint: `${plugin}: find its controller with \`nomad plugin status ${pluginId}\`, and read its log` };
    }
    return {};
}
