/** External volumes as the document has them, and as real schedulers do: there, most changes register them anew in place. */

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type Argument, oneOf, type Props, programs, secretText, type Told } from "./random-programs";
import type { Model } from "./upsert-runs";

const set = (written: Props[]): Told => ({ written, means: sorted(written) });
const places = [{ rack: "r1", zone: "a" }, { rack: "r2" }];

const documented = {
    name: { wire: "Name", absent: "", told: oneOf("Data", "ünï") },
    externalId: { wire: "ExternalID", absent: "", told: oneOf("", "vol-1", "vol-2") },
    pluginId: { wire: "PluginID", absent: "", required: true, told: oneOf("disks", "files") },
    topologies: {
        wire: "Topologies",
        absent: [],
        told: fc.constantFrom(set([]), set(places), set([...places].reverse()), set([{ zone: "a" }])),
    },
    accessMode: { wire: "AccessMode", absent: "", told: oneOf("single-node-writer", "multi-node-reader-only") },
    attachmentMode: { wire: "AttachmentMode", absent: "", told: oneOf("file-system", "block-device") },
} satisfies Record<string, Argument>;

const pair = (accessMode: string, attachmentMode: string) => ({ accessMode, attachmentMode });
const pairs = [pair("single-node-writer", "file-system"), pair("multi-node-reader-only", "block-device")];
const capabilities = fc.shuffledSubarray(pairs, { minLength: 1 }).map((written) => set(written));
const secrets: fc.Arbitrary<Told> = secretText.map((text) => ({
    written: { password: text },
    means: { password: text },
    secrets: [text],
}));

const { accessMode: _access, attachmentMode: _attachment, ...common } = documented;
const product = {
    ...common,
    capabilities: { wire: "RequestedCapabilities", absent: [], required: true, told: capabilities },
    mountOptions: {
        wire: "MountOptions",
        absent: {},
        told: oneOf({}, { fsType: "ext4" }, { fsType: "xfs", mountFlags: ["noatime"] }),
    },
    parameters: { wire: "Parameters", absent: {}, told: oneOf({}, { tier: "fast" }) },
    context: { wire: "Context", absent: {}, told: oneOf({ endpoint: "http://store" }, { endpoint: "http://other" }) },
    secrets: { wire: "Secrets", absent: {}, told: secrets },
} satisfies Record<string, Argument>;

/** Changes of these need another object where others do not. */
const fixed = ["Name", "ExternalID", "PluginID", "Topologies", "Parameters"];
const isEmpty = (value: unknown) => Object.keys(Object(value)).length === 0;

function sorted(items: readonly unknown[]): unknown[] {
    const texts = items.map((item) => JSON.stringify(Object.fromEntries(Object.entries(Object(item)).sort())));
    return texts.sort().map((text) => JSON.parse(text));
}

/** Random runs of volumes. */
export function volumes(vocabulary: Model["vocabulary"]): Model {
    const isReal = vocabulary === "product";
    const table: Record<string, Argument> = isReal ? product : documented;
    const path = (at: string) => `/v1/volume/csi/vol-${at}`;
    return {
        type: "CsiVolume",
        vocabulary,
        seed: { plugins: ["disks", "files"].map((id) => ({ id, nodes: ["node-1"] })) },
        runs: 60,
        programs: programs(table),
        methods: ["PUT", "DELETE"],
        naming: (at) => ({ volumeId: `vol-${at}` }),
        async look(simulator, at) {
            const read = (await simulator.outside("GET", path(at))) as Props | undefined;
            if (read === undefined) return undefined;
            const held = Object.fromEntries(Object.values(table).map(({ wire }) => [wire, read[wire]]));
            const topologies = (read["Topologies"] as Props[]).map((each) => (isReal ? each["Segments"] : each));
            const listed = ((read["RequestedCapabilities"] ?? []) as Props[]).map((each) =>
                pair(String(each["AccessMode"]), String(each["AttachmentMode"])),
            );
            return {
                ...held,
                Topologies: sorted(topologies),
                ...(isReal && { RequestedCapabilities: sorted(listed) }),
            };
        },
        async write(simulator, at, { means }) {
            await simulator.outside("DELETE", path(at)).catch(() => undefined);
            const Volumes = [isReal ? asReal(means) : means].map((fields) => ({ ID: `vol-${at}`, ...fields }));
            return simulator.outside("PUT", path(at), { Volumes });
        },
        remove: (simulator, at) => simulator.outside("DELETE", path(at)).catch(() => undefined),
        replaces: (from, to) =>
            !isReal ||
            fixed.some((wire) => !isDeepStrictEqual(from[wire], to[wire])) ||
            (!isEmpty(from["Context"]) && isEmpty(to["Context"])),
        deletesFirst: true,
        // Flags may hold credentials, and are hidden like these.
        ...(isReal && { unread: ["Secrets", "MountOptions"], hidden: ["Secrets", "MountOptions"] }),
    };
}

function asReal(means: Props): Props {
    const { RequestedCapabilities: listed, Topologies: topologies, MountOptions: options, ...rest } = means;
    const { fsType, mountFlags } = options as Props;
    return {
        ...rest,
        Topologies: (topologies as Props[]).map((Segments) => ({ Segments })),
        RequestedCapabilities: (listed as Props[]).map(({ accessMode, attachmentMode }) => ({
            AccessMode: accessMode,
            AttachmentMode: attachmentMode,
        })),
        MountOptions: { FSType: fsType, MountFlags: mountFlags },
    };
}
