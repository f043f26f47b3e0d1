/** Configurations of automated snapshots: their fields, which go together, and how they read. */

import type { JsonObject } from "../json";
import { badRequest, SimulatorError } from "../simulator-error";
import { usualFilePrefix, usualStorageEnvironment, type Vocabulary } from "../vocabulary";
import type { Call } from "./call";
import { type Field, fieldsOf, namesOf, readFields, requiredOf, unsetOf } from "./fields";
import { type NamedObject, objectRoutes } from "./named-object";
import type { Fields, StoredSnapshotConfig, Value } from "./records";

const common: readonly Field[] = [
    { name: "interval", kind: "duration", required: true },
    { name: "retain", kind: "integer", preset: 1 },
    { name: "path_prefix", kind: "text", required: true },
    { name: "file_prefix", kind: "text", preset: usualFilePrefix },
    { name: "storage_type", kind: "text", required: true },
    { name: "autoload_enabled", kind: "boolean", only: "product" },
];

const byType: ReadonlyMap<string, readonly Field[]> = new Map([
    ["local", requiredOf("integer", "local_max_space")],
    [
        "cloudb-s3",
        [
            ...requiredOf("text", "cloudb_s3_bucket", "cloudb_s3_region"),
            ...fieldsOf("text", "cloudb_access_key_id", "cloudb_secret_access_key", "cloudb_session_token"),
            ...fieldsOf("text", "cloudb_s3_endpoint", "cloudb_s3_kms_key"),
            ...fieldsOf("boolean", "cloudb_s3_disable_tls", "cloudb_s3_force_path_style", "cloudb_s3_enable_kms"),
            ...fieldsOf("boolean", "cloudb_s3_server_side_encryption"),
        ],
    ],
    [
        "cloudc-gcs",
        [
            ...requiredOf("text", "cloudc_gcs_bucket"),
            { name: "cloudc_service_account_key", kind: "text" },
            // Real servers show an unset one so.
            { name: "cloudc_endpoint", kind: "text", preset: { documented: "", product: false } },
            { name: "cloudc_disable_tls", kind: "boolean" },
        ],
    ],
    [
        "clouda-blob",
        [
            ...requiredOf("text", "clouda_container_name"),
            ...fieldsOf("text", "clouda_account_name", "clouda_account_key", "clouda_endpoint"),
            { name: "clouda_blob_environment", kind: "text", preset: usualStorageEnvironment },
            { name: "clouda_auth_mode", kind: "text", only: "product" },
            { name: "clouda_client_id", kind: "text", only: "product" },
        ],
    ],
]);

const credentials = new Set([
    ...["cloudb_access_key_id", "cloudb_secret_access_key", "cloudb_session_token"],
    ...["cloudc_service_account_key", "clouda_account_key"],
]);

const fields: readonly Field[] = [...common, ...[...byType.values()].flat()];
const statusFields = ["last_snapshot_start", "last_snapshot_end", "last_snapshot_error", "last_snapshot_url"];
const neverTaken = Object.fromEntries([...statusFields, "snapshot_start", "snapshot_url"].map((name) => [name, ""]));

/** Configurations of snapshots. */
export const snapshotConfig: NamedObject<StoredSnapshotConfig> = {
    path: "sys/storage/raft/snapshot-auto/config/:name+",
    mountType: "system",
    fields,
    needsSudo: true,
    in: ({ snapshotConfigs }) => snapshotConfigs,
    // Without the licence the calls are known, and refused.
    check: ({ store, namespace }) => {
        if (!store.licensed) throw new SimulatorError(404, "enterprise-only feature");
        if (namespace !== "") throw badRequest("automated snapshots can only be managed in the root namespace");
    },
    write: (before, call) => {
        const merged = merge(before?.fields ?? {}, call);
        // Another interval begins now.
        const isSamePace = before?.fields["interval"] === merged["interval"];
        const due = isSamePace && before ? before.due : call.now.getTime() + Number(merged["interval"]) * 1000;
        return { stored: { snapshots: [], status: neverTaken, ...before, fields: merged, due } };
    },
    read: (stored, { vocabulary }) => readableFields(stored.fields, vocabulary),
    // For `local` the document shows all; for the others nothing, so they return neither their type nor credentials.
    shown: (stored) => {
        const type = String(stored.fields["storage_type"]);
        const shown = ofType(type).filter(
            ({ name, only }) => only === undefined && (type === "local" || name !== "storage_type"),
        );
        const documented = new Set([...namesOf(shown)].filter((name) => !credentials.has(name)));
        return { documented, secret: credentials };
    },
};

/** The routes of configurations. */
export const snapshotConfigRoutes = objectRoutes(snapshotConfig);

/** What a read returns: the common fields, all of the storage type, and what is left of another type. */
export function readableFields(set: Fields, vocabulary: Vocabulary): Fields {
    const type = String(set["storage_type"]);
    const shown = ofType(type).filter(
        ({ name, only = vocabulary }) => only === vocabulary && (type !== "local" || name !== "autoload_enabled"),
    );
    const all: Record<string, Value> = { ...unsetOf(shown, vocabulary), ...set };
    // An object's name in that store does not begin with a slash.
    if (type === "cloudb-s3") all["path_prefix"] = String(all["path_prefix"]).replace(/^\//, "");
    return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function ofType(type: string): readonly Field[] {
    return [...common, ...(byType.get(type) ?? [])];
}

/** What is stored after a write: only what is set, and fields of another storage type stay. */
function merge(before: Fields, { body, vocabulary }: Call): Fields {
    const merged = { ...before };
    const known = fields.filter(({ only = vocabulary }) => only === vocabulary);
    for (const [name, value] of Object.entries(readFields(body, known))) {
        if (typeof value === "number" && value < 0) throw badRequest(`${name} cannot be negative`);
        if (isReset(name, value, body)) delete merged[name];
        else merged[name] = value;
    }
    check(merged, vocabulary);
    if (vocabulary === "product") checkAsMeasured(merged);
    return merged;
}

/** `null` and empty text reset a field to its default; the document does not say so of `retain: 0`. */
function isReset(name: string, value: Value, body: JsonObject): boolean {
    const isNothing = value === 0 || value === "" || value === false;
    return isNothing && (name !== "retain" || body[name] === null || body[name] === "");
}

function check(merged: Fields, vocabulary: Vocabulary): void {
    const type = String(merged["storage_type"] ?? "");
    if (type !== "" && !byType.has(type))
        throw badRequest(`storage_type must be one of ${[...byType.keys()].join(", ")}`);
    for (const { name, required } of ofType(type)) {
        if (required && (merged[name] ?? "") === "") throw badRequest(`${name} is required`);
    }
    const isEndless = !String(merged["path_prefix"]).endsWith("/");
    if (vocabulary === "documented" && (type === "clouda-blob" || type === "cloudc-gcs") && isEndless) {
        throw badRequest(`path_prefix must end with '/' for storage_type ${type}`);
    }
    if (type === "cloudb-s3" && merged["cloudb_s3_enable_kms"] && merged["cloudb_s3_server_side_encryption"]) {
        throw badRequest("cloudb_s3_server_side_encryption cannot be combined with cloudb_s3_enable_kms");
    }
}

/** What real servers want beyond the document. */
function checkAsMeasured(merged: Fields): void {
    const { storage_type: type, clouda_auth_mode: mode = "" } = merged;
    const isLocal = type === "local";
    const isBlob = type === "clouda-blob";
    const rules: readonly (readonly [isBroken: boolean, reason: string])[] = [
        [merged["retain"] === 0, "retain must be at least 1"],
        [String(merged["file_prefix"] ?? "").includes("/"), "file_prefix cannot contain '/'"],
        [isLocal && merged["path_prefix"] === "/", "path_prefix cannot be '/' for storage_type local"],
        [isLocal && merged["autoload_enabled"] === true, "autoload_enabled is not supported for storage_type local"],
        [
            isBlob && !["shared", "managed", "environment"].includes(String(mode)),
            "clouda_auth_mode must be one of shared, managed, environment",
        ],
        [isBlob && mode === "shared" && !merged["clouda_account_key"], "clouda_account_key is required"],
        [isBlob && mode === "managed" && !merged["clouda_client_id"], "clouda_client_id is required"],
    ];
    const broken = rules.find(([isBroken]) => isBroken);
    if (broken !== undefined) throw badRequest(broken[1]);
}
