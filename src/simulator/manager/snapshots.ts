/** Automated snapshots: their configurations, and the snapshots that are taken. */

import type { Hono } from "hono";
import type { World } from "../app";
import { badRequest, Refusal } from "../refusal";
import type { Names } from "../store";
import { addRoute, type Call, envelope } from "./call";
import { type Field, fieldsOf, known, readFields, unsetOf } from "./fields";
import { addObjectRoutes, foundObject, type NamedObject, patternOf } from "./named-object";
import type { Fields, ManagerStore, StoredSnapshotConfig } from "./records";

/** Fields that each configuration cannot do without, and those of each storage type. */
const required = ["interval", "path_prefix", "storage_type"];
const requiredOf: ReadonlyMap<string, readonly string[]> = new Map([
    ["local", ["local_max_space"]],
    ["cloudb-s3", ["cloudb_s3_bucket", "cloudb_s3_region"]],
    ["cloudc-gcs", ["cloudc_gcs_bucket"]],
    ["clouda-blob", ["clouda_container_name"]],
]);
const fields: readonly Field[] = [
    { name: "interval", kind: "duration" },
    { name: "retain", kind: "integer", preset: 1 },
    ...fieldsOf("text", "path_prefix", "storage_type"),
    { name: "file_prefix", kind: "text", preset: { documents: "secrets-snapshot", product: "vault-snapshot" } },
    { name: "autoload_enabled", kind: "boolean", isProducts: true },
    { name: "local_max_space", kind: "integer" },
    ...fieldsOf("text", "cloudb_s3_bucket", "cloudb_s3_region", "cloudb_s3_endpoint", "cloudb_s3_kms_key"),
    ...fieldsOf("text", "cloudb_access_key_id", "cloudb_secret_access_key", "cloudb_session_token"),
    ...fieldsOf("boolean", "cloudb_s3_disable_tls", "cloudb_s3_force_path_style", "cloudb_s3_enable_kms"),
    ...fieldsOf("boolean", "cloudb_s3_server_side_encryption", "cloudc_disable_tls"),
    ...fieldsOf("text", "cloudc_gcs_bucket", "cloudc_service_account_key"),
    // Real servers show an unset one so.
    { name: "cloudc_endpoint", kind: "text", preset: { documents: "", product: false } },
    ...fieldsOf("text", "clouda_container_name", "clouda_account_name", "clouda_account_key", "clouda_endpoint"),
    { name: "clouda_blob_environment", kind: "text", preset: { documents: "", product: "AZUREPUBLICCLOUD" } },
    { name: "clouda_auth_mode", kind: "text", isProducts: true },
    { name: "clouda_client_id", kind: "text", isProducts: true },
];
/** In bytes. */
const snapshotSize = 1024;
const statusFields = [
    ...["last_snapshot_start", "last_snapshot_end", "last_snapshot_error", "last_snapshot_url"],
    ...["snapshot_start", "snapshot_url"],
];

/** Configurations of snapshots. */
export const snapshotConfig: NamedObject<StoredSnapshotConfig> = {
    path: "sys/storage/raft/snapshot-auto/config/:name",
    mountType: "system",
    need: "sudo",
    in: ({ snapshotConfigs }) => snapshotConfigs,
    check: ({ store, namespace }) => {
        if (!store.licensed) throw new Refusal(404, "enterprise-only feature");
        if (namespace !== "") throw badRequest("automated snapshots can only be managed in the root namespace");
    },
    write: (before, call) => {
        const merged = merge(before?.fields ?? {}, call);
        const isSamePace = before?.fields["interval"] === merged["interval"];
        const due = isSamePace && before ? before.due : call.now.getTime() + Number(merged["interval"]) * 1000;
        const status = Object.fromEntries(statusFields.map((name) => [name, ""]));
        return { stored: { status, ...before, fields: merged, due } };
    },
    read: (stored, { names }) => readable(stored.fields, names),
};

/** Adds the routes of configurations and their status. */
export function addSnapshotRoutes(app: Hono, world: World): void {
    addObjectRoutes(app, world, snapshotConfig);
    const path = patternOf("sys/storage/raft/snapshot-auto/status/:name");
    addRoute(app, world, "GET", path, (call) => envelope("system", { data: foundObject(snapshotConfig, call).status }));
}

/** What a read returns: the common fields, all of the storage type, and those that another type left behind. */
function readable(set: Fields, names: Names): Fields {
    const type = String(set["storage_type"]);
    const isShown = ({ name }: Field) =>
        name === "autoload_enabled" ? type !== "local" : !/^(local|cloud.)_/.test(name) || isOf(type, name);
    const all = { ...unsetOf(known(fields, names).filter(isShown), names), ...set };
    // The name of an object in that store does not begin with a slash.
    if (type === "cloudb-s3") all["path_prefix"] = String(all["path_prefix"]).replace(/^\//, "");
    return all;
}

/** Whether a field is one of a storage type: `cloudb_s3_bucket` of `cloudb-s3`. */
function isOf(type: string, name: string): boolean {
    return name.startsWith(`${type.split("-")[0]}_`);
}

/** The fields after a write: only those that are set. `null` and empty text reset a field. */
function merge(before: Fields, { body, names }: Call): Fields {
    const merged = { ...before };
    for (const [name, value] of Object.entries(readFields(body, known(fields, names)))) {
        if (typeof value === "number" && value < 0) throw badRequest(`${name} cannot be negative`);
        if (body[name] === null || value === "") delete merged[name];
        else merged[name] = value;
    }
    const type = String(merged["storage_type"] ?? "");
    const missing = [...required, ...(requiredOf.get(type) ?? [])].find((name) => !merged[name]);
    if (missing !== undefined) throw badRequest(`${missing} is required`);
    if (!requiredOf.has(type)) throw badRequest(`storage_type must be one of ${[...requiredOf.keys()].join(", ")}`);
    const needsSlash = names === "documents" && (type === "clouda-blob" || type === "cloudc-gcs");
    if (needsSlash && !String(merged["path_prefix"]).endsWith("/")) {
        throw badRequest(`path_prefix must end with '/' for storage_type ${type}`);
    }
    if (merged["cloudb_s3_enable_kms"] && merged["cloudb_s3_server_side_encryption"]) {
        throw badRequest("cloudb_s3_server_side_encryption cannot be combined with cloudb_s3_enable_kms");
    }
    return merged;
}

/** Takes a snapshot. `snapshot_…` is the newest attempt, `last_…` the newest that has ended: here the same one. */
function take(
    { fields: set, status }: StoredSnapshotConfig,
    names: Names,
    now: Date,
    _failure = "",
): Record<string, string> {
    const time = now.toISOString().replace(/\.\d+Z$/, "+00:00");
    const shown = readable(set, names);
    const url = `${placeOf(shown)}-${BigInt(now.getTime()) * 1_000_000n}.snap`;
    const isTooSmall = shown["storage_type"] === "local" && Number(shown["local_max_space"]) < snapshotSize;
    const error = isTooSmall ? `not enough space left: ${snapshotSize} bytes are needed` : "";
    return {
        last_snapshot_start: time,
        last_snapshot_end: time,
        last_snapshot_error: error,
        last_snapshot_url: error === "" ? url : (status["last_snapshot_url"] ?? ""),
        snapshot_start: time,
        snapshot_url: url,
    };
}

/** Takes one snapshot of each configuration that is due. */
export function takeDueSnapshots({ snapshotConfigs }: ManagerStore, names: Names, now: Date): void {
    for (const config of Object.values(snapshotConfigs)) {
        if (config.due > now.getTime()) continue;
        config.status = take(config, names, now);
        config.due = now.getTime() + Number(config.fields["interval"]) * 1000;
    }
}

/** The address of a snapshot up to its number. */
function placeOf(fields: Fields): string {
    const type = String(fields["storage_type"]);
    const file = String(fields["file_prefix"]);
    const path = String(fields["path_prefix"]).replace(/\/+$/, "");
    if (type === "local") return `file://${path}/${file}`;
    const container = fields["cloudb_s3_bucket"] || fields["cloudc_gcs_bucket"] || fields["clouda_container_name"];
    return `${type}://${container}/${path}/${file}`;
}
