/** Properties as the engine sends them: protobuf structs, in which special strings represent unknown values. */

import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { requireBesideSdk } from "../pulumi/sdk";
import { isSealed, signatureKey } from "../schema/secrets";
import { isRecord, mapValues, unknown, type Values } from "../schema/values";

const structs = requireBesideSdk("google-protobuf/google/protobuf/struct_pb");

/** The engine has one string for each type of an unknown value. */
const unknowns: ReadonlySet<unknown> = new Set([
    unknown,
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Reads properties. */
export function readStruct(struct: Struct | undefined): Values {
    // Names that begin with two underscores are the engine's, or the dynamic host stored them.
    const all = Object.entries(struct?.toJavaScript() ?? {}).filter(([name]) => !name.startsWith("__"));
    return Object.fromEntries(all.map(([name, value]) => [name, read(value)]));
}

const resourceSignature = "5cf8f73096256a8f31e491e813e4eb8e";

function read(value: unknown): unknown {
    if (unknowns.has(value)) return unknown;
    if (Array.isArray(value)) return value.map(read);
    if (!isRecord(value)) return value;
    if (isSealed(value)) return read(value["value"]);
    // A resource is read as its id; a component has only a URN.
    if (value[signatureKey] === resourceSignature) return read(value["id"] ?? value["urn"]);
    return mapValues(value, read);
}

/** Writes the properties of an answer. */
export function writeStruct(values: Values): Struct {
    // `undefined` cannot be written.
    return structs.Struct.fromJavaScript(JSON.parse(JSON.stringify(values)));
}
