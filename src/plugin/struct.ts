/** Converts properties from and to the protobuf structs of the engine, in which special strings represent unknown values. */

import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { requireBesideSdk } from "../pulumi/sdk";
import { isSealed, signatureKey } from "../schema/secrets";
import { filterValues, isRecord, mapValues, unknown, type Values } from "../schema/values";

const structs = requireBesideSdk("google-protobuf/google/protobuf/struct_pb");

/** The engine's strings for unknown values, one for each type. */
const unknowns: ReadonlySet<unknown> = new Set([
    unknown,
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Converts a struct to properties. Secrets are unsealed. */
export function readStruct(struct: Struct | undefined): Values {
    // Properties with names that begin with two underscores are internal to the engine or to dynamic providers.
    const all: Values = struct?.toJavaScript() ?? {};
    return mapValues(
        filterValues(all, (_, name) => !name.startsWith("__")),
        read,
    );
}

const resourceSignature = "5cf8f73096256a8f31e491e813e4eb8e";

function read(value: unknown): unknown {
    if (unknowns.has(value)) return unknown;
    if (Array.isArray(value)) return value.map(read);
    if (!isRecord(value)) return value;
    if (isSealed(value)) return read(value["value"]);
    // A reference to a resource becomes the resource's id, or a component's URN.
    if (value[signatureKey] === resourceSignature) return read(value["id"] ?? value["urn"]);
    return mapValues(value, read);
}

/** Converts properties to a struct. */
export function writeStruct(values: Values): Struct {
    // A conversion to JSON and back removes `undefined`, which a struct cannot represent.
    return structs.Struct.fromJavaScript(JSON.parse(JSON.stringify(values)));
}
