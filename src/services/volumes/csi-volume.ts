/** CsiVolume: an existing volume that is registered with Nomad (document "Volumes"). */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Context, Wait } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { asAbsent, defineFunction } from "../../core/functions";
import { identity } from "../../core/identity";
import { defineListing, defineNamed } from "../../core/resource";
import type { Answer, Call } from "../../core/service";
import { shellWord, step } from "../../core/steps";
import { ServiceError, StatecraftError } from "../../errors";
import { changedNames } from "../../schema/compare";
import { readAnswer } from "../../schema/meaning";
import { type Facts, objectNode, property, warnAbout, withRules } from "../../schema/property";
import { asSet, duration, nonEmptyString, size, stringMap, stringOf, wholeNumber } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import { isRecord, type Values } from "../../schema/values";
import { field, text } from "../record-fields";
import { triggersProperty, waitProperty } from "../shared-options";
import { onRead, onWrite, volumes } from "./service";
import {
    addressOf,
    addressProperties,
    atVolume,
    healthProperties,
    homeNamespace,
    isVolume,
    listedVolume,
    noVolumes,
    readVolume,
    showVolume,
    titleOf,
    type VolumeAddress,
    volumeIn,
    volumeReader,
    volumeTypes,
    wholeVolumeProperties,
} from "./volume";

// Not repeated after a lost answer: servers of the API documents refuse a second registration, which would hide that the first succeeded.
const register = endpoint("PUT /v1/volume/csi/{id}", "refused", onWrite);
const deregister = endpoint("DELETE /v1/volume/csi/{id}", "always", onWrite);
export const listVolumes = endpoint("GET /v1/volumes", "always", onRead);

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

const warnOfUnknownMode = (name: Mode) =>
    warnAbout(name, [], ({ [name]: written }) => {
        const words: readonly unknown[] = ["", ...modes[name]];
        const problem = `${JSON.stringify(written)} is none of the words that Nomad knows: ${wordsOf(name)}`;
        return words.includes(written) ? undefined : problem;
    });

const capability = withRules(
    z.strictObject({
        accessMode: field("AccessMode", nonEmptyString, "Access mode.", { suggestions: modes.accessMode }),
        attachmentMode: field("AttachmentMode", nonEmptyString, "Attachment mode.", {
            suggestions: modes.attachmentMode,
        }),
    }),
    [warnOfUnknownMode("accessMode"), warnOfUnknownMode("attachmentMode")],
);

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Whether a value is no object, or an object in which every entry is an empty list. */
const isEmpty = (value: unknown) => !isRecord(value) || Object.values(value).every(isEmptyList);

const sentUnlessEmpty = { encode: (value: unknown) => (value === "" || isEmptyList(value) ? undefined : value) };

const mountOptions = z.strictObject({
    fsType: field("FSType", z.string().optional(), "File system.", { default: "", wireForm: sentUnlessEmpty }),
    mountFlags: field(
        "MountFlags",
        z.array(z.string()).optional(),
        "Mount flags. Nomad does not return them, because they may contain credentials.",
        { default: [], secret: true, wireForm: sentUnlessEmpty },
    ),
});

const topologies = (wire: string, description: string) =>
    field(wire, z.array(stringMap).optional(), description, { default: [] });

const topologyRequest = z.strictObject({
    required: topologies("Required", "Required topologies."),
    preferred: topologies("Preferred", "Preferred topologies, best first."),
});

/** A map of strings. Answers may lack it, because the API documents do not show it. */
const strings = (wire: string, description: string, facts: Partial<Facts> = {}) =>
    field(wire, stringMap.optional(), description, { default: {}, optionalInAnswers: true, ...facts });

/** A size in bytes. Nomad returns 0 if none was requested, and does not change the size if a request has none. */
const bytes = (wire: string, description: string, facts: Partial<Facts> = {}) =>
    field(wire, size(1).optional(), description, {
        chosen: true,
        large: true,
        optionalInAnswers: true,
        wireForm: { decode: (answer) => answer || undefined },
        ...facts,
    });

/** Properties of volumes in Nomad that the API documents do not have. */
const furtherProperties = {
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
        description: "How the volume is mounted. Cannot change while the volume is in use.",
    }),
    parameters: strings("Parameters", "Parameters: key-value pairs for the CSI plugin.", { immutable: true }),
    context: strings(
        "Context",
        "Volume context: key-value pairs for the CSI plugin. Removing all of them replaces the volume.",
        {
            // Nomad does not change the context if a request has an empty one, so the volume is replaced.
            immutable: (old, now) => !isEmpty(old) && isEmpty(now),
            // The plugin may add keys.
            satisfiedBy: (declared, live) => isDeepStrictEqual({ ...Object(live), ...Object(declared) }, live),
        },
    ),
    requestedTopologies: property(topologyRequest.optional(), {
        wire: "RequestedTopologies",
        optionalInAnswers: true,
        default: {},
        wireForm: { encode: (request) => (isEmpty(request) ? null : request) },
        immutable: true,
        description: "Required and preferred topologies: maps of segments.",
    }),
    capacityMin: bytes(
        "RequestedCapacityMin",
        "Minimum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged.",
        {
            satisfiedBy: (declared, live) => Number(live) >= Number(declared),
        },
    ),
    capacityMax: bytes(
        "RequestedCapacityMax",
        "Maximum capacity: bytes, or a string such as `10GiB`. If removed, the capacity is unchanged.",
    ),
};

const mode = (name: Mode, wire: string, what: string) =>
    property(z.string().optional(), {
        wire,
        default: "",
        suggestions: modes[name],
        immutable: true,
        // Nomad empties both modes after the first claim has ended.
        wireForm: { decode: (answer) => answer || undefined },
        optionalInAnswers: true,
        description: `${what}: ${wordsOf(name)}. Other values are sent with a warning.`,
    });

const properties = {
    volumeId: addressProperties.volumeId,
    name: field("Name", nonEmptyString.optional(), "Display name.", { default: "", immutable: true }),
    namespace: addressProperties.namespace,
    externalId: field(
        "ExternalID",
        z.string().optional(),
        "Id of the volume at the storage provider. Default: `volumeId`.",
        { default: "", immutable: true },
    ),
    pluginId: field("PluginID", nonEmptyString, "The CSI plugin that serves the volume.", { immutable: true }),
    topologies: property(z.array(stringMap).optional(), {
        wire: "Topologies",
        default: [],
        chosen: true,
        // An empty list is no wish, whatever the volume has.
        immutable: (_, now) => !isEmptyList(now),
        equality: asSet,
        satisfiedBy: isEmptyList,
        description:
            "Topologies from which the volume is accessible: maps of segments, in any order. Omitted or empty: Nomad " +
            "decides, and takes the required ones of `requestedTopologies` when it registers a volume for the first time.",
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
            "Whether to deregister with `force`, which drops claims of ended allocations at once. " +
            "Running allocations still prevent it, and the volume is not detached from client nodes.",
    }),
    waitUntilSchedulable: waitProperty("until the volume is schedulable", "2m"),
};

const inputs = withRules(z.strictObject(properties), [
    warnOfUnknownMode("accessMode"),
    warnOfUnknownMode("attachmentMode"),
    warnAbout("accessMode", ["attachmentMode", "capabilities"], ({ capabilities }) =>
        capabilities === undefined
            ? "Nomad refuses a volume without a capability: give accessMode and attachmentMode, or capabilities"
            : undefined,
    ),
    warnAbout("requestedTopologies", [], ({ requestedTopologies }) =>
        Object.values(Object(requestedTopologies))
            .flat()
            .some((one) => Object.keys(Object(one)).length === 0)
            ? "must have a segment in each topology, because Nomad refuses an empty one"
            : undefined,
    ),
]);

const outputs = z.strictObject({
    providerName: text("Provider", "Name of the storage provider."),
    providerVersion: text("Version", "Version of the plugin."),
    ...healthProperties,
});

const { read: healthIn } = recordReader(outputs);

const namespaces = property(stringOf(/^[^/]+$/, "must be the name of a namespace, or * for all").optional(), {
    description: "Namespace, or `*` for all. Defaults to the `namespace` of the settings, else `default`.",
});

const listReader = recordReader(listedVolume);

/** The volumes of an answer to a list. @throws AnswerError for another answer */
function volumesIn(context: Context, answer: Answer) {
    const { body } = answer;
    if (!Array.isArray(body) || !body.every(isVolume)) throw noVolumes(answer);
    const volumes = body.map(listReader.read);
    for (const volume of volumes) context.assertKinds(listReader.node, volume);
    return volumes;
}

/** The volumes of a namespace, or of all namespaces for `*`. */
export const volumesOf = async (context: Context, namespace: string) =>
    volumesIn(context, await context.client.call(listVolumes, { parameters: {}, query: { type: "csi", namespace } }));

/** The answer to a registration, if it has warnings. Nomad returns a body since 1.11, and servers of the API documents return none. */
const withWarnings = z.object({ Warnings: nonEmptyString });

/** Seconds within which Nomad releases the claims of a stopped job. */
const claimsEndWithin = 5;

export const csiVolume = defineNamed<typeof inputs, typeof outputs, VolumeAddress>({
    type: "CsiVolume",
    service: volumes,
    description: "A CSI volume that is registered with Nomad. The storage itself is neither created nor deleted.",
    inputs,
    outputs,
    identity: identity("<namespace>/<volumeId>", volumeTypes),
    title: titleOf,
    address: addressOf,

    list: defineListing({
        inputs: z.strictObject({
            namespace: namespaces,
            pluginId: property(nonEmptyString.optional(), { description: "Only volumes of the plugin with this id." }),
        }),
        async find(context, { namespace = homeNamespace(context.settings), pluginId }) {
            // Nomad returns no volumes of all namespaces if the query names a plugin.
            const volumes = await volumesOf(context, namespace);
            const matching = volumes.filter((volume) => volume.pluginId === (pluginId ?? volume.pluginId));
            return matching.map(({ volumeId, name, ...volume }) => [
                { namespace: volume.namespace || namespace, volumeId },
                name || volumeId,
            ]);
        },
    }),

    async read(context, address) {
        const { body, claimants } = (await readVolume(context, address)) ?? {};
        if (body === undefined) return undefined;
        if (context.options.isImport) {
            const advice = "declare them, because each registration clears those that the program does not declare";
            context.warn("import", `${context.product} does not show \`secrets\` and mount flags: ${advice}`);
            const effect = "destroying this resource deregisters the volume, and its storage stays";
            if (body["RequestedCapacityMin"])
                context.inform("import", `${context.product} created the volume: ${effect}.`);
        }
        const { AccessMode: _, AttachmentMode: __, ...others } = body;
        // The modes of a claimed volume are those of its claim.
        return { body: claimants?.length ? others : body, outputs: healthIn(body) };
    },

    async write(context, address, { body, inputs: { pluginId, waitUntilSchedulable } }) {
        const call = { ...atVolume(address), body: { Volumes: [{ ...body, Namespace: address.namespace }] } };
        const wait = { for: `the plugin ${pluginId}`, limit: restOf(waitUntilSchedulable, context) };
        const sending = untilAccepted(context, wait, withoutPlugin, () => context.client.call(register, call));
        const answer = await sending.catch((error: unknown) => {
            if (!(error instanceof ServiceError)) throw error;
            const reason = error.reasons.join(" ");
            if (!claimed.test(reason)) throw error.reword(adviceOn(reason, pluginId));
            return explainClaims(context, address, error, `is not changed: ${context.quoted(reason)}`);
        });
        const { data } = withWarnings.safeParse(answer.body);
        if (data) context.inform("server-warning", `${context.product} says: ${context.quoted(data.Warnings)}`);
    },

    async remove(context, address, { force = false }) {
        const call = { ...atVolume(address), query: { namespace: address.namespace, ...(force && { force }) } };
        const wait = { for: "the claims of the volume to end", limit: context.waitLimit(claimsEndWithin, 0) };
        const sending = untilAccepted(context, wait, inUse, () => context.client.call(deregister, call));
        await sending.catch((refusal: unknown) => {
            if (!isRefused(refusal, claimed)) throw refusal;
            return explainClaims(context, address, refusal, "stays registered", force);
        });
    },

    async wait(context, address, { waitUntilSchedulable = 0, pluginId }) {
        if (waitUntilSchedulable === 0) return {};
        const limit = restOf(waitUntilSchedulable, context);
        const wait = { for: "the volume to be schedulable", limit, interval: 1_000 };
        const { done, still: health } = await context.poll(wait, async () => {
            const { body, volume } = (await readVolume(context, address)) ?? {};
            if (volume?.schedulable) return { done: body };
            const nodes = volume && `${volume.nodesHealthy} of ${volume.nodesExpected} nodes healthy`;
            return { still: nodes ?? "the volume is gone" };
        });
        if (done !== undefined) return healthIn(done);
        const hint = `Look at the plugin with ${statusOf(pluginId)}, and run ${step.again()} again, which waits again`;
        const message = `the volume is not schedulable after ${Math.round(context.elapsed)} s: ${health}`;
        throw new StatecraftError("timeout", message, { hint });
    },

    // Nomad refuses these changes while allocations claim the volume.
    async preview(context, inputs, state, changes) {
        if (inputs.force === true && state?.force !== true) {
            const effect =
                "a later deregistration drops the claims of ended allocations, and the volume is not detached";
            context.inform("preview", `force: ${effect} from client nodes, where it may stay attached.`);
        }
        if (state?.volumeId === undefined) return;
        const blocked = changes.filter(
            ({ replaces, path }) => replaces || claimedProperties.some((name) => path.startsWith(name)),
        );
        if (blocked.length === 0) return;
        const { volumeId, namespace } = state;
        const address = addressOf({ volumeId, namespace }, context.settings);
        const claims = (await claimsOn(context, address)).filter(({ hasEnded }) => !hasEnded);
        // A claim needs a capability with its modes. It does not block other capabilities.
        const remains = (inputs.capabilities ?? [inputs]).some(
            ({ accessMode, attachmentMode }) => `${accessMode} ${attachmentMode}` === claims[0]?.modes,
        );
        const refused = blocked.filter(
            ({ replaces, path }) => replaces || !(remains && path.startsWith("capabilities")),
        );
        if (claims.length === 0 || refused.length === 0) return;
        const names = changedNames(refused).join(", ");
        const problem = `cannot change now, because the volume ${volumeId} is in use by ${context.quoted(listed(claims))}`;
        context.warn("in-use", `${names}: ${problem}. ${endClaims(address, claims)}.`);
    },
});

/** Refusals that may pass: the plugin is not there or not healthy yet, or allocations claim the volume. */
const withoutPlugin =
    /no CSI plugin named|no healthy controllers for CSI plugin|failed to find clients running controller plugin/;
const inUse = /^volume in use/;
/** Refusals of a request, whatever it changes, because allocations claim the volume. */
export const claimed = /\bin use\b/;

/** Properties that change in place, but not while allocations claim the volume. */
const claimedProperties: readonly string[] = ["mountOptions", "capabilities"];

const isRefused = (error: unknown, refusal: RegExp): error is ServiceError =>
    error instanceof ServiceError && error.reasons.some((reason) => refusal.test(reason));

/** Sends a request again while it is refused like this. @throws the last refusal */
async function untilAccepted(
    context: Context,
    wait: Omit<Wait, "interval">,
    refusal: RegExp,
    send: () => Promise<Answer>,
): Promise<Answer> {
    const { done, still } = await context.poll({ ...wait, interval: 1_000 }, async () => {
        try {
            return { done: await send() };
        } catch (error) {
            if (isRefused(error, refusal)) return { still: error };
            throw error;
        }
    });
    if (done === undefined) throw still;
    return done;
}

/** The rest of `waitUntilSchedulable`, in which the registration may be repeated and the volume become schedulable. */
const restOf = (waitUntilSchedulable = 0, context: Context) =>
    context.waitLimit(Math.max(0, waitUntilSchedulable - context.elapsed), 0);

type Claim = Awaited<ReturnType<typeof claimsOn>>[number];

const endedStatuses: readonly string[] = ["complete", "failed", "lost"];

/** The claims on a volume; none if the volume is absent. */
export async function claimsOn(context: Context, address: VolumeAddress) {
    const { body, volume, claimants = [] } = (await readVolume(context, address)) ?? {};
    if (volume) context.assertKinds(volumeReader.node, volume);
    // Nomad forgets allocations that ended long ago, but their claims may remain.
    const unlisted = Array.isArray(body?.["Allocations"]) ? "complete" : "";
    const modes = `${body?.["AccessMode"]} ${body?.["AttachmentMode"]}`;
    return claimants.map((id) => {
        const allocation = volume?.allocations.find((record) => record.id === id);
        const { jobId = "", nodeId = "", clientStatus = unlisted } = allocation ?? {};
        const text = `allocation ${id}${jobId && ` of job ${jobId}`}${nodeId && ` on node ${nodeId}`}`;
        const hasEnded = endedStatuses.includes(clientStatus);
        // A printed command has no id that contains a secret, or may contain one.
        const shownJob = context.quoted(jobId) === jobId ? jobId : "";
        return { text, shownJob, modes, hasEnded, isUnknown: clientStatus === "unknown" };
    });
}

/**
 * Explains a refused request by the claims on its volume.
 * @throws an error with the claims and how they end, or the refusal if there are none
 */
export async function explainClaims(
    context: Context,
    address: VolumeAddress,
    refusal: ServiceError,
    effect: string,
    isForced = false,
): Promise<never> {
    const claims = await claimsOn(context, address).catch(() => []);
    if (claims.length === 0) throw refusal;
    const message = `the volume ${address.volumeId} is in use by ${context.quoted(listed(claims))}, so it ${effect}`;
    throw new StatecraftError("in-use", message, { hint: endClaims(address, claims, isForced), cause: refusal });
}

const listed = (claims: readonly Claim[]) => claims.map(({ text }) => text).join(", ");

/** The option of a command of Nomad that names the namespace of a volume. */
export const namespaceFlag = (namespace: string) =>
    namespace === "default" ? "" : `-namespace=${shellWord(namespace)} `;

/** How claims end: first those of running allocations, then those on disconnected nodes, and those of ended allocations last. */
function endClaims({ namespace, volumeId }: VolumeAddress, claims: readonly Claim[], isForced = false): string {
    const flag = namespaceFlag(namespace);
    const again = "and then the same command again";
    const remaining = claims.filter(({ hasEnded }) => !hasEnded);
    const running = remaining.filter(({ isUnknown }) => !isUnknown);
    if (running.length > 0) {
        const jobs = new Set(running.map(({ shownJob }) => (shownJob === "" ? "<job>" : shellWord(shownJob))));
        return `Run ${[...jobs].map((job) => `\`nomad job stop ${flag}${job}\``).join(" and ")}, ${again}`;
    }
    if (remaining.length > 0) {
        return `The nodes of these allocations are disconnected: wait until Nomad marks the allocations as lost, ${again}`;
    }
    if (isForced)
        return `These allocations have ended, but Nomad keeps their claims: run \`nomad system gc\`, ${again}`;
    const command = `\`nomad volume deregister ${flag}-force ${shellWord(volumeId)}\``;
    return `These allocations have ended: deploy \`force: true\`, or run ${command}, which drops their claims, ${again}`;
}

/** The command that shows a plugin. */
export const statusOf = (pluginId: string) => `\`nomad plugin status ${shellWord(pluginId)}\``;

/** Advice on a refused registration, for reasons that contain none. */
function adviceOn(reason: string, pluginId: string): { readonly code?: string; readonly hint?: string } {
    if (/^volume exists/i.test(reason)) {
        const replace = "`pulumi up --replace <urn>` with the option `deleteBeforeReplace`, which keeps the storage";
        const hint = `This server cannot change a registered volume: declare every field as the volume has it, or run ${replace}`;
        return { code: "exists", hint };
    }
    if (withoutPlugin.test(reason)) {
        const hint = `Wait until ${statusOf(pluginId)} shows a healthy plugin, and run ${step.again()} again`;
        return { hint: `${hint}, or set a longer \`waitUntilSchedulable\`, which waits for it` };
    }
    if (/EOF$/i.test(reason)) {
        const plugin = `The plugin ${JSON.stringify(pluginId)} ended the call without a reason`;
        return { hint: `${plugin}: find its controller with ${statusOf(pluginId)}, and read its log` };
    }
    return {};
}

const blockingProperties = {
    index: property(wholeNumber().optional(), {
        large: true,
        description: "Waits for a result that is newer than the `index` of an earlier one. Default: no wait.",
    }),
    wait: property(duration(1).optional(), {
        description:
            "Maximum time to wait, with `index`: whole seconds, or a string such as `5m`. Default: one minute. " +
            "Then the result is the present state. The wait counts as one of the `maxConcurrency` requests.",
    }),
};

const index = property(z.number(), {
    description: "Index of the last write in the result. Given as `index`, the next call waits for a later write.",
});

/** A call that waits for a change if `index` is given. The service may answer later than `wait` by a sixteenth. */
function blocking<Name extends string>(
    { index, wait = 60 }: { index?: number | undefined; wait?: number | undefined },
    call: Call<Name>,
): Call<Name> {
    if (index === undefined) return call;
    return { ...call, query: { ...call.query, index, wait: `${wait}s` }, timeout: Math.ceil((wait * 17) / 16) + 30 };
}

const indexOf = ({ headers }: Answer) => Number(headers["x-volumes-index"] ?? 0);

const furtherNode = objectNode(z.strictObject(furtherProperties));

export const getCsiVolume = defineFunction({
    name: "getCsiVolume",
    service: volumes,
    description: "Looks up a volume with its allocations; with `index`, waits until it changes.",
    inputs: z.strictObject({ ...addressProperties, ...blockingProperties }),
    result: z.strictObject({ ...wholeVolumeProperties, ...furtherProperties, index }),
    async invoke(context, args) {
        const address = addressOf(args, context.settings);
        const call = blocking(args, atVolume(address));
        const answer = await context.client.call(showVolume, call).catch(asAbsent(titleOf(address)));
        const { body, volume } = volumeIn(answer);
        return { ...volume, ...readAnswer(furtherNode, body), index: indexOf(answer) };
    },
});

/** A filter by the beginning of an id. The API documents require hexadecimal digits; Nomad accepts any string. */
const prefix = (what: string, more = "") =>
    property(z.string().optional(), {
        description: `Only volumes ${what} has this prefix: an even number of hexadecimal digits.${more}`,
    });

const prefixRule = (name: "nodeId" | "pluginId") =>
    warnAbout(name, [], ({ [name]: written = "" }) =>
        /^([0-9a-f]{2})*$/.test(String(written))
            ? undefined
            : "must be an even number of hexadecimal digits (0-9, a-f)",
    );

export const getCsiVolumes = defineFunction({
    name: "getCsiVolumes",
    service: volumes,
    description: "Lists the volumes of a namespace; with `index`, waits until something changes.",
    inputs: withRules(
        z.strictObject({
            namespace: namespaces,
            nodeId: prefix("on nodes whose id"),
            pluginId: prefix("of plugins whose id", " Nomad needs the whole id."),
            limit: property(wholeNumber(1).optional(), { description: "Maximum number of volumes. Default: all." }),
            ...blockingProperties,
        }),
        [prefixRule("nodeId"), prefixRule("pluginId")],
    ),
    result: z.strictObject({
        volumes: property(z.array(listedVolume), { description: "The volumes." }),
        index,
    }),
    async invoke(context, args) {
        const { namespace = homeNamespace(context.settings), nodeId, pluginId, limit } = args;
        // With `namespace=*`, Nomad returns no volumes if the query names a plugin, so the result is filtered here.
        const [sent, filter] = namespace === "*" ? [undefined, pluginId] : [pluginId, undefined];
        const query = { type: "csi", namespace, node_id: nodeId, plugin_id: sent };
        const answer = await context.client.call(listVolumes, blocking(args, { parameters: {}, query }));
        const matching = volumesIn(context, answer).filter(({ pluginId }) => pluginId.startsWith(filter ?? ""));
        return { volumes: matching.slice(0, limit), index: indexOf(answer) };
    },
});
