/** Reads register payloads the way the scheduler does: keys in any case, unknown ones dropped, wrong types refused. */
import { readJson } from "../json";
import type { VolumeFields } from "./records";

/** A body that cannot be read; its message is the answer's text. */
export class Undecodable extends Error {}

/** The volumes of a register payload. */
export function readPayload(body: Buffer, namespace: string): VolumeFields[] {
    if (body.length === 0) {
        throw new Undecodable("Request body is empty");
    }
    const payload = parse(body.toString("utf8"));
    if (payload === null) {
        return [];
    }
    if (!isObject(payload)) {
        throw new Undecodable(`json: cannot unmarshal ${kindOf(payload)} into a register payload`);
    }
    const volumes = field(payload, "Volumes") ?? [];
    if (!Array.isArray(volumes)) {
        throw mistyped(volumes, "Volumes", "array");
    }
    return volumes.map((item) => readVolume(item, namespace));
}

/** One volume of a payload, in the namespace that it names itself or else in the given one. */
export function readVolume(item: unknown, namespace: string): VolumeFields {
    const given = item ?? {};
    if (!isObject(given)) {
        throw mistyped(given, "Volumes", "object");
    }
    return {
        ID: text(given, "ID"),
        Name: text(given, "Name"),
        Namespace: text(given, "Namespace") || namespace,
        ExternalID: text(given, "ExternalID"),
        Topologies: topologies(given),
        AccessMode: text(given, "AccessMode"),
        AttachmentMode: text(given, "AttachmentMode"),
        PluginID: text(given, "PluginID"),
    };
}

/** The value of a key, whatever its case; the last one counts. */
export function field(object: Record<string, unknown>, name: string): unknown {
    return Object.entries(object).findLast(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** A JSON object, and neither an array nor `null`. */
export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(object: Record<string, unknown>, name: string): string {
    const value = field(object, name) ?? "";
    if (typeof value !== "string") {
        throw mistyped(value, `Volumes.${name}`, "string");
    }
    return value;
}

function topologies(object: Record<string, unknown>): Record<string, string>[] {
    const value = field(object, "Topologies") ?? [];
    if (!Array.isArray(value)) {
        throw mistyped(value, "Volumes.Topologies", "array");
    }
    return value.map((topology: unknown) => {
        const map = topology ?? {};
        if (!isObject(map)) {
            throw mistyped(map, "Volumes.Topologies", "object");
        }
        const entries = Object.entries(map).map(([key, segment]): [string, string] => {
            if (typeof segment !== "string") {
                throw mistyped(segment, "Volumes.Topologies", "string");
            }
            return [key, segment];
        });
        return Object.fromEntries(entries);
    });
}

function mistyped(value: unknown, name: string, wanted: string): Undecodable {
    const type = wanted === "string" ? "type string" : `an ${wanted}`;
    return new Undecodable(`json: cannot unmarshal ${kindOf(value)} into Go struct field CSIVolume.${name} of ${type}`);
}

function kindOf(value: unknown): string {
    if (Array.isArray(value)) {
        return "array";
    }
    return typeof value === "boolean" ? "bool" : value === null ? "null" : typeof value;
}

function parse(written: string): unknown {
    try {
        return readJson(written);
    } catch (error) {
        throw new Undecodable(error instanceof Error ? error.message : String(error));
    }
}
