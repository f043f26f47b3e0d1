/** What real schedulers want and know of a volume beyond the document: how it may be used, mounted, placed and sized. */

import * as z from "zod";
import { isRecord } from "../../core/engine-values";
import { type Fields, field, type Props, type Rule } from "../../core/field";
import { resultOf } from "../../core/function";
import { canonicalOf, count, type Kind, textMap, textMaps } from "../../core/kind";
import { fromWire, presented } from "../../core/meaning";
import { triggersField } from "../options";

/** One way in which a volume may be used. */
interface Capability {
    readonly accessMode: string;
    readonly attachmentMode: string;
}

const capabilitiesMust = "must be a list of objects with the texts accessMode and attachmentMode";
const capability = z.strictObject(
    { accessMode: z.string().min(1), attachmentMode: z.string().min(1) },
    { error: capabilitiesMust },
);
const byText = (left: unknown, right: unknown) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
const wireCapability = z.object({ AccessMode: z.string().catch(""), AttachmentMode: z.string().catch("") });

/** A set: the order of a list carries no meaning. */
const capabilities: Kind<Capability[]> = {
    type: "{ accessMode: string; attachmentMode: string }[]",
    schema: z.array(capability, { error: capabilitiesMust }).min(1, { error: "must not be empty" }),
    canonical: (value) => value.map(({ accessMode, attachmentMode }) => [accessMode, attachmentMode]).sort(byText),
    wire: (value) =>
        value.map(({ accessMode, attachmentMode }) => ({ AccessMode: accessMode, AttachmentMode: attachmentMode })),
    read: (answer) =>
        z
            .array(wireCapability)
            .catch([])
            .parse(answer)
            .map(({ AccessMode, AttachmentMode }) => ({ accessMode: AccessMode, attachmentMode: AttachmentMode })),
};

interface MountOptions {
    readonly fsType?: string | undefined;
    readonly mountFlags?: string[] | undefined;
}

/** Servers show this in the place of flags, which may hold credentials. */
const isHidden = (flags: unknown) => Array.isArray(flags) && flags.length === 1 && flags[0] === "[REDACTED]";

const mountOptions: Kind<MountOptions> = {
    type: "{ fsType?: pulumi.Input<string>; mountFlags?: string[] }",
    readType: "{ fsType?: string; mountFlags?: string[] }",
    schema: z.strictObject(
        { fsType: z.string().optional(), mountFlags: z.array(z.string()).optional() },
        { error: "must be an object that may hold the text fsType and the list of texts mountFlags" },
    ),
    canonical: ({ fsType, mountFlags }) => ({ fsType: fsType ?? "", mountFlags: mountFlags ?? [] }),
    wire: ({ fsType, mountFlags }) => ({
        ...(fsType ? { FSType: fsType } : {}),
        ...(mountFlags?.length ? { MountFlags: mountFlags } : {}),
    }),
    read: (answer) => {
        const { FSType, MountFlags } = isRecord(answer) ? answer : {};
        return {
            ...(FSType ? { fsType: FSType } : {}),
            ...(Array.isArray(MountFlags) && MountFlags.length > 0 ? { mountFlags: MountFlags } : {}),
        };
    },
    reveal: (theirs, mine) => {
        const [flags, written] = [theirs, mine].map((options) =>
            isRecord(options) ? options["mountFlags"] : undefined,
        );
        return isRecord(theirs) && isHidden(flags) && Array.isArray(written) && written.length > 0
            ? { ...theirs, mountFlags: written }
            : theirs;
    },
};

interface TopologyRequest {
    readonly required?: Record<string, string>[] | undefined;
    readonly preferred?: Record<string, string>[] | undefined;
}

const topologyRequest: Kind<TopologyRequest> = {
    type: "{ required?: Record<string, string>[]; preferred?: Record<string, string>[] }",
    schema: z.strictObject(
        { required: textMaps.schema.optional(), preferred: textMaps.schema.optional() },
        { error: "must be an object that may hold the lists required and preferred" },
    ),
    canonical: ({ required = [], preferred = [] }) => ({
        required: canonicalOf(textMaps, required),
        // Earlier ones are preferred.
        preferred: preferred.map((topology) => canonicalOf(textMap, topology)),
    }),
    wire: ({ required, preferred }) =>
        required || preferred ? { Required: required ?? [], Preferred: preferred ?? [] } : null,
    read: (answer) => {
        const { Required, Preferred } = isRecord(answer) ? answer : {};
        return {
            ...(Array.isArray(Required) && Required.length > 0 ? { required: Required } : {}),
            ...(Array.isArray(Preferred) && Preferred.length > 0 ? { preferred: Preferred } : {}),
        };
    },
};

/** Bytes. A server tells 0 where none were asked for, and takes none for what it has. */
const bytes: Kind<number> = { ...count(1), read: (answer) => answer || undefined };

const isEmpty = (value: unknown) => Object.keys(isRecord(value) ? value : {}).length === 0;

/** What the two modes make of each other and of the capabilities, where those are left out. */
export function modesAsCapabilities({ accessMode, attachmentMode }: Props): Capability[] | undefined {
    return accessMode && attachmentMode && typeof accessMode === "string" && typeof attachmentMode === "string"
        ? [{ accessMode, attachmentMode }]
        : undefined;
}

/** A mode that a single capability says, where the mode itself is left out. */
export function modeIn(written: unknown, mode: keyof Capability): string | undefined {
    const [only, ...others] = Array.isArray(written) ? written : [];
    const told = isRecord(only) && others.length === 0 ? (only[mode] ?? "") : undefined;
    return typeof told === "string" ? told : undefined;
}

/** Fields that real servers know. The document shows none of them, so that a server which does not tell one may hold it all the same. */
export const productFields = {
    capabilities: field(capabilities, {
        wire: "RequestedCapabilities",
        only: "product",
        untold: true,
        defaultBy: modesAsCapabilities,
        doc: "How the volume may be used: pairs of modes. Left out, the pair of `accessMode` and `attachmentMode`.",
    }),
    mountOptions: field(mountOptions, {
        wire: "MountOptions",
        only: "product",
        untold: true,
        default: {},
        secret: ["mountFlags"],
        doc: "How the volume is mounted. Flags may hold credentials, so servers do not show them. Cannot change while the volume is in use.",
    }),
    parameters: field(textMap, {
        wire: "Parameters",
        only: "product",
        untold: true,
        default: {},
        replaces: true,
        doc: "Texts by name that are handed to the plugin.",
    }),
    context: field(textMap, {
        wire: "Context",
        only: "product",
        untold: true,
        default: {},
        // Servers take an empty one for the one that they have.
        replacesFrom: (old: unknown, now: unknown) => !isEmpty(old) && isEmpty(now),
        doc: "Texts by name that the storage provider needs to know of the volume. Emptied, the volume is replaced.",
    }),
    secrets: field({ ...textMap, read: () => undefined } satisfies Kind<Record<string, string>>, {
        wire: "Secrets",
        only: "product",
        default: {},
        secret: true,
        doc: "Texts by name that the plugin authenticates with. Servers never show them.",
    }),
    requestedTopologies: field(topologyRequest, {
        wire: "RequestedTopologies",
        only: "product",
        untold: true,
        default: {},
        replaces: true,
        doc: "Where the volume must (`required`) and should (`preferred`, best first) be reached from: flat maps of segments.",
    }),
    capacityMin: field(bytes, {
        wire: "RequestedCapacityMin",
        only: "product",
        settled: true,
        doc: "The least size in bytes. Left out later, it stays as it was.",
    }),
    capacityMax: field(bytes, {
        wire: "RequestedCapacityMax",
        only: "product",
        settled: true,
        doc: "The largest size in bytes. Left out later, it stays as it was.",
    }),
    triggers: {
        ...triggersField("registers the volume"),
        only: "product",
        doc: "Any values: a change of them registers the volume again, in place. It brings back what the server has lost, secrets above all.",
    },
} as const satisfies Fields;

const { secrets: _, triggers: __, ...shownFields } = productFields;

/** Fields of a lookup's result: all that servers show. */
export const productOutputs = resultOf(shownFields);

/** What a server shows of these fields. */
export function readProductFields(body: Props): Props {
    return presented(shownFields, fromWire(shownFields, body));
}

/** Names of the fields whose values a server holds and does not show. */
export function unseenIn({ mountOptions: shown }: Props): string[] {
    const hasHidden = isRecord(shown) && isHidden(shown["mountFlags"]);
    return hasHidden ? ["secrets", "mountOptions"] : ["secrets"];
}

/** What real servers want of the two modes and the capabilities. */
export const productRules: readonly Rule[] = [
    {
        uses: ["capabilities", "accessMode", "attachmentMode"],
        only: "product",
        test: (values) => {
            const { capabilities: listed, accessMode, attachmentMode } = values;
            if (listed !== undefined && (accessMode || attachmentMode)) {
                return "capabilities: say the same as accessMode and attachmentMode: give either these two or the list";
            }
            return listed === undefined && modesAsCapabilities(values) === undefined
                ? "accessMode: a volume needs to say how it may be used: give accessMode and attachmentMode, or capabilities"
                : undefined;
        },
    },
    {
        uses: ["capacityMin", "capacityMax"],
        only: "product",
        test: ({ capacityMin, capacityMax }) =>
            capacityMin !== undefined && capacityMax !== undefined && Number(capacityMin) > Number(capacityMax)
                ? "capacityMin: must not be more than capacityMax"
                : undefined,
    },
];

/** The modes that a server's single capability says. With several there is nothing to say of them. */
export function seenModes(listed: unknown): Props {
    const [accessMode, attachmentMode] = [modeIn(listed, "accessMode"), modeIn(listed, "attachmentMode")];
    return accessMode === undefined ? {} : { accessMode, attachmentMode };
}
