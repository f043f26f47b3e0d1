/** What real schedulers want and know of a volume beyond the document: how it may be used, mounted, placed and sized. */

import * as z from "zod";
import { property, type Rule } from "../../schema/facts";
import { asSet, nonEmptyString, stringMap, wholeNumber } from "../../schema/property-types";
import { isRecord } from "../../schema/unknown";
import { capacityBounds, noCapability } from "./failures";

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

const topologyRequest = z.strictObject({
    required: property(z.array(stringMap).optional(), {
        wire: "Required",
        default: [],
        description: "Where the volume must be reached from.",
    }),
    preferred: property(z.array(stringMap).optional(), {
        wire: "Preferred",
        default: [],
        description: "Where it should be reached from, best first.",
    }),
});

/** Bytes. A server shows 0 where none were asked for, and keeps what it has where none are sent. */
const bytes = (wire: string, description: string) =>
    property(wholeNumber(1).optional(), {
        wire,
        sticky: true,
        large: true,
        optionalInAnswers: true,
        wireForm: { decode: (answer) => answer || undefined },
        description,
    });

const isEmpty = (value: unknown) => Object.keys(isRecord(value) ? value : {}).length === 0;

/** Whether no topologies are asked for. */
export const isEmptyRequest = (request: unknown) =>
    !isRecord(request) ||
    Object.values(request).every((topologies) => Array.isArray(topologies) && topologies.length === 0);

/** The two modes as the only capability, where they are given. */
function modesAsCapabilities({ accessMode, attachmentMode }: { accessMode?: unknown; attachmentMode?: unknown }) {
    return typeof accessMode === "string" && typeof attachmentMode === "string" && accessMode && attachmentMode
        ? [{ accessMode, attachmentMode }]
        : undefined;
}

/** Properties that real servers know. The document shows none of them, so that a server which does not tell one may hold it all the same. */
export const productProperties = {
    capabilities: property(z.array(capability).min(1).optional(), {
        wire: "RequestedCapabilities",
        optionalInAnswers: true,
        equality: asSet,
        defaultFrom: { description: "the pair of `accessMode` and `attachmentMode`", of: modesAsCapabilities },
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
        // Servers take an empty one for the one that they have.
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
        wireForm: { encode: (request) => (isEmptyRequest(request) ? null : request) },
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
};

/** What real servers want of the two modes and the capabilities. */
export const productRules: readonly Rule[] = [
    {
        uses: ["capabilities", "accessMode", "attachmentMode"],
        severity: "warning",
        test: ({ capabilities }) => (capabilities === undefined ? noCapability() : undefined),
    },
    {
        uses: ["capacityMin", "capacityMax"],
        // Left out, each is what it was.
        test: ({ capacityMin, capacityMax }, olds) => {
            const [min, max] = [capacityMin ?? olds?.["capacityMin"], capacityMax ?? olds?.["capacityMax"]];
            return typeof min === "number" && typeof max === "number" && min > max ? capacityBounds() : undefined;
        },
    },
];
