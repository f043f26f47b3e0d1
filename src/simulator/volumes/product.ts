/** Volumes as real schedulers have them: what was measured where it differs from the document. */
import { asTold, type Manners, type Telling } from "../manners";
import type { Context, Reply, Request } from "../route";
import { indexed } from "./blocking";
import { field, isObject, readPayload, Undecodable } from "./payload";
import { addVolume, claimsOn, findVolume, type Volume, type VolumeFields, type VolumesWorld } from "./records";

type Texts = Record<string, string>;

/** What a real scheduler keeps of a volume beside the document's fields. */
export interface Measured {
    /** `null` for a flat map, which loses its content. */
    topologies: (Texts | null)[];
    capabilities: { AccessMode: string; AttachmentMode: string }[];
    mountOptions: { FSType: string; MountFlags: string[] | null };
    secrets: Texts;
    parameters: Texts;
    context: Texts;
    requestedTopologies: unknown;
    capacityMin: number;
    capacityMax: number;
    /** The payload's names, in lower case. */
    named: string[];
}

/** Registers volumes; one that exists is updated in place, but for what cannot change. */
export function registerAsMeasured(
    request: Request,
    context: Context<VolumesWorld>,
    namespace: string,
    pluginProblem: (id: string) => string | undefined,
): Reply {
    const { world, manners } = context;
    let wanted: { fields: VolumeFields; measured: Measured }[];
    try {
        wanted = read(request.body, namespace);
    } catch (error) {
        if (error instanceof Undecodable) return failed(400, error.message);
        throw error;
    }
    if (wanted.length === 0) return failed(500, "missing volume definition");
    for (const { fields, measured } of wanted) {
        const problem =
            missing(fields, measured) ?? pluginProblem(fields.PluginID) ?? refusedUpdate(world, fields, measured);
        if (problem !== undefined) return failed(500, problem);
    }
    const replies = wanted.map(({ fields, measured }) => {
        const before = findVolume(world, fields.Namespace, fields.ID);
        if (before) update(world, before, measured, manners);
        else addVolume(world, { ...fields, measured });
        return {
            ID: fields.ID,
            Namespace: fields.Namespace,
            CreateIndex: before?.CreateIndex ?? 0,
            Schedulable: false,
        };
    });
    // The document shows no answer to a registration.
    if (manners.includes("tells-documented")) return { status: 200 };
    return indexed({ status: 200, body: { Index: world.index, Volumes: replies, Warnings: "" } }, context);
}

/** Deregistering a claim by node has never worked over HTTP. */
export function detachAsMeasured(request: Request, volume: Volume | undefined): Reply {
    if (!request.query.get("node")) return failed(400, "detach requires node ID");
    return failed(500, volume ? "Unknown allocation" : "no such volume");
}

/** What a read or a list shows beside the document's fields, or otherwise than it says. Secrets are masked unless told otherwise. */
export function shownAsMeasured({ measured }: Volume, manners: Manners, isWhole: boolean): object {
    const told = measured ?? empty();
    const showsSecrets = manners.includes("shows-secrets");
    const flags = showsSecrets ? told.mountOptions.MountFlags : told.mountOptions.MountFlags && ["[REDACTED]"];
    return {
        ResourceExhausted: null,
        Topologies: told.topologies.map((Segments) => ({ Segments })),
        ...(isWhole && {
            RequestedCapabilities: told.capabilities,
            MountOptions: asTold(manners, { ...told.mountOptions, MountFlags: flags }, mountTelling),
            Secrets: showsSecrets ? told.secrets : null,
            Parameters: told.parameters,
            Context: told.context,
            RequestedTopologies: told.requestedTopologies,
            RequestedCapacityMin: told.capacityMin,
            RequestedCapacityMax: told.capacityMax,
        }),
    };
}

const mountTelling: Telling = { documented: new Set(), secret: new Set() };

function empty(): Measured {
    return {
        topologies: [],
        capabilities: [],
        mountOptions: { FSType: "", MountFlags: null },
        secrets: {},
        parameters: {},
        context: {},
        requestedTopologies: null,
        capacityMin: 0,
        capacityMax: 0,
        named: [],
    };
}

function read(body: Buffer, namespace: string): { fields: VolumeFields; measured: Measured }[] {
    const payload = parsed(body);
    const items = isObject(payload) ? field(payload, "Volumes") : undefined;
    if (!Array.isArray(items)) return readPayload(body, namespace).map((fields) => ({ fields, measured: empty() }));
    // The document's reader has flat topologies: what is wrapped is read here.
    const flat = items.map((item: unknown) =>
        isObject(item) ? Object.fromEntries(Object.entries(item).filter(([key]) => !/^topologies$/i.test(key))) : item,
    );
    return readPayload(Buffer.from(JSON.stringify({ Volumes: flat })), namespace).map((fields, index) => ({
        fields,
        measured: readMeasured(isObject(items[index]) ? items[index] : {}),
    }));
}

function readMeasured(item: Record<string, unknown>): Measured {
    const options = field(item, "MountOptions");
    const flags = isObject(options) ? field(options, "MountFlags") : undefined;
    return {
        topologies: list(field(item, "Topologies")).map((topology) =>
            isObject(topology) && isObject(topology["Segments"]) ? texts(topology["Segments"]) : null,
        ),
        capabilities: list(field(item, "RequestedCapabilities")).map((each) => ({
            AccessMode: isObject(each) ? String(field(each, "AccessMode") ?? "") : "",
            AttachmentMode: isObject(each) ? String(field(each, "AttachmentMode") ?? "") : "",
        })),
        mountOptions: {
            FSType: isObject(options) ? String(field(options, "FSType") ?? "") : "",
            MountFlags: Array.isArray(flags) && flags.length > 0 ? flags.map(String) : null,
        },
        secrets: texts(field(item, "Secrets")),
        parameters: texts(field(item, "Parameters")),
        context: texts(field(item, "Context")),
        requestedTopologies: field(item, "RequestedTopologies") ?? null,
        capacityMin: Number(field(item, "RequestedCapacityMin") ?? 0),
        capacityMax: Number(field(item, "RequestedCapacityMax") ?? 0),
        named: Object.keys(item).map((name) => name.toLowerCase()),
    };
}

function missing({ ID, PluginID }: VolumeFields, { capabilities }: Measured): string | undefined {
    const problems = [
        ...(ID === "" ? ["missing volume id"] : []),
        ...(PluginID === "" ? ["missing plugin id"] : []),
        ...(capabilities.length === 0 ? ["must include at least one capability block"] : []),
    ];
    return problems.length > 0 ? `validation: ${problems.join(", ")}` : undefined;
}

function refusedUpdate(world: VolumesWorld, fields: VolumeFields, measured: Measured): string | undefined {
    const before = findVolume(world, fields.Namespace, fields.ID);
    if (!before) return undefined;
    const had = before.measured ?? empty();
    const isClaimed = claimsOn(world, before).length > 0;
    const inUse = before.AccessMode !== "" || before.AttachmentMode !== "";
    const holdsPair = measured.capabilities.some(
        (pair) => pair.AccessMode === before.AccessMode && pair.AttachmentMode === before.AttachmentMode,
    );
    const problems = [
        fields.Name !== "" && fields.Name !== before.Name && "volume name cannot be updated",
        fields.ExternalID !== "" && fields.ExternalID !== before.ExternalID && "volume external ID cannot be updated",
        fields.PluginID !== before.PluginID && "volume plugin ID cannot be updated",
        isFull(measured.parameters) &&
            !isSame(measured.parameters, had.parameters) &&
            "volume parameters cannot be updated",
        had.topologies.length > 0 &&
            !isSame(measured.requestedTopologies, had.requestedTopologies) &&
            "volume topology request update was not compatible with existing topology",
        inUse &&
            !holdsPair &&
            "volume requested capabilities update was not compatible with existing capability in use",
        isClaimed &&
            !isSame(measured.mountOptions, had.mountOptions) &&
            "can not update mount options while volume is in use",
        measured.capacityMin > had.capacityMin && "expand is not implemented by this controller plugin",
    ].filter((problem) => problem !== false);
    if (problems.length === 0) return undefined;
    const count = problems.length === 1 ? "1 error" : `${problems.length} errors`;
    return `unable to update volume: ${count} occurred:\n${problems.map((problem) => `\t* ${problem}\n`).join("")}\n`;
}

/** What real servers do unless told otherwise: some fields that are left out, or empty, stay as they were, and others do not. */
function update(world: VolumesWorld, volume: Volume, measured: Measured, manners: Manners): void {
    const had = volume.measured ?? empty();
    const [merges, replaces] = [manners.includes("merges"), manners.includes("replaces")];
    const stays = (name: string) => merges && !measured.named.includes(name);
    world.index += 1;
    volume.ModifyIndex = world.index;
    volume.measured = {
        ...measured,
        topologies: had.topologies,
        parameters: had.parameters,
        mountOptions: stays("mountoptions") ? had.mountOptions : measured.mountOptions,
        secrets: stays("secrets") ? had.secrets : measured.secrets,
        context: replaces || isFull(measured.context) ? measured.context : had.context,
        requestedTopologies: had.topologies.length > 0 ? had.requestedTopologies : measured.requestedTopologies,
        capacityMin: replaces ? measured.capacityMin : measured.capacityMin || had.capacityMin,
        capacityMax: replaces ? measured.capacityMax : measured.capacityMax || had.capacityMax,
    };
}

const isFull = (values: object) => Object.keys(values).length > 0;
const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function texts(value: unknown): Texts {
    const entries = Object.entries(isObject(value) ? value : {}).map(([key, text]): [string, string] => [
        key,
        String(text),
    ]);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function parsed(body: Buffer): unknown {
    try {
        return JSON.parse(body.toString("utf8"));
    } catch {
        return undefined;
    }
}

function failed(status: number, text: string): Reply {
    return { status, body: text };
}
