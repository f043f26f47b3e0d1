/** Reads register payloads the way the scheduler does: keys in any case, unknown ones dropped, wrong types refused. */

import { isObject, type JsonObject, readJson } from "../json";
import { badRequest, messageOf, type SimulatorError } from "../simulator-error";
import type { Vocabulary } from "../vocabulary";
import type { MeasuredFields, VolumeFields } from "./records";

/** The volumes of a register payload. */
export function readPayload(body: Buffer, namespace: string, vocabulary: Vocabulary): VolumeFields[] {
    if (body.length === 0) throw badRequest("Request body is empty");
    const payload = jsonIn(body);
    if (payload === null) return [];
    if (!isObject(payload)) throw badRequest(`json: cannot unmarshal ${kindOf(payload)} into a register payload`);
    const volumes = field(payload, "Volumes") ?? [];
    if (!Array.isArray(volumes)) throw mistyped(volumes, "Volumes", "array");
    return volumes.map((item) => readVolume(item, namespace, vocabulary));
}

/** One volume of a payload, in the namespace that it names itself or else in the given one. */
export function readVolume(item: unknown, namespace: string, vocabulary: Vocabulary = "documented"): VolumeFields {
    const given = item ?? {};
    if (!isObject(given)) throw mistyped(given, "Volumes", "object");
    const text = (name: string) => readText(field(given, name), `Volumes.${name}`);
    return {
        ID: text("ID"),
        Name: text("Name"),
        Namespace: text("Namespace") || namespace,
        ExternalID: text("ExternalID"),
        // The document has flat topologies; wrapped ones are among what is measured.
        Topologies: vocabulary === "product" ? [] : readTopologies(field(given, "Topologies") ?? []),
        AccessMode: text("AccessMode"),
        AttachmentMode: text("AttachmentMode"),
        PluginID: text("PluginID"),
        ...(vocabulary === "product" && { measured: readMeasured(given) }),
    };
}

/** What a real server has of a volume that was registered by the document's rules. */
export function nothingMeasured(): MeasuredFields {
    return readMeasured({});
}

function readMeasured(item: JsonObject): MeasuredFields {
    const options = objectIn(field(item, "MountOptions"));
    const flags = listIn(field(options, "MountFlags"));
    return {
        Topologies: listIn(field(item, "Topologies")).map((topology) => {
            const { Segments } = objectIn(topology);
            return isObject(Segments) ? texts(Segments) : null;
        }),
        RequestedCapabilities: listIn(field(item, "RequestedCapabilities")).map((each) => ({
            AccessMode: String(field(objectIn(each), "AccessMode") ?? ""),
            AttachmentMode: String(field(objectIn(each), "AttachmentMode") ?? ""),
        })),
        MountOptions: {
            FSType: String(field(options, "FSType") ?? ""),
            MountFlags: flags.length > 0 ? flags.map(String) : null,
        },
        Secrets: texts(field(item, "Secrets")),
        Parameters: texts(field(item, "Parameters")),
        Context: texts(field(item, "Context")),
        RequestedTopologies: field(item, "RequestedTopologies") ?? null,
        RequestedCapacityMin: Number(field(item, "RequestedCapacityMin") ?? 0),
        RequestedCapacityMax: Number(field(item, "RequestedCapacityMax") ?? 0),
        named: Object.keys(item).map((name) => name.toLowerCase()),
    };
}

/** The value of a key, whatever its case; the last one counts. */
function field(object: JsonObject, name: string): unknown {
    return Object.entries(object).findLast(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

function objectIn(value: unknown): JsonObject {
    return isObject(value) ? value : {};
}

function listIn(value: unknown): unknown[] {
    return Array.isArray(value) ? value : [];
}

function texts(value: unknown): Record<string, string> {
    const entries = Object.entries(objectIn(value)).map(([key, text]): [string, string] => [key, String(text)]);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readText(value: unknown, name: string): string {
    if (typeof value === "string") return value;
    if (value === undefined || value === null) return "";
    throw mistyped(value, name, "string");
}

function readTopologies(value: unknown): Record<string, string>[] {
    const name = "Volumes.Topologies";
    if (!Array.isArray(value)) throw mistyped(value, name, "array");
    return value.map((topology: unknown) => {
        if (topology !== null && !isObject(topology)) throw mistyped(topology, name, "object");
        const entries = Object.entries(topology ?? {}).map(([key, segment]): [string, string] => {
            if (typeof segment !== "string") throw mistyped(segment, name, "string");
            return [key, segment];
        });
        return Object.fromEntries(entries);
    });
}

function mistyped(value: unknown, name: string, wanted: string): SimulatorError {
    const type = wanted === "string" ? "type string" : `an ${wanted}`;
    return badRequest(`json: cannot unmarshal ${kindOf(value)} into Go struct field CSIVolume.${name} of ${type}`);
}

function kindOf(value: unknown): string {
    if (Array.isArray(value)) return "array";
    return typeof value === "boolean" ? "bool" : value === null ? "null" : typeof value;
}

function jsonIn(body: Buffer): unknown {
    try {
        return readJson(body.toString("utf8"));
    } catch (error) {
        throw badRequest(messageOf(error));
    }
}
