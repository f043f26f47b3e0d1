/** Automated snapshots: their configurations and their status. */

import type { Hono } from "hono";
import { badRequest, Refusal } from "../refusal";
import type { Names, World } from "../store";
import { addRoute, type Call, envelope } from "./call";
import { existing, type Field, fieldsOf, readFields, unsetOf } from "./fields";
import { addObjectRoutes, foundObject, type NamedObject } from "./named-object";
import type { Fields, ManagerStore, StoredSnapshotConfig } from "./records";

/** The required fields of every configuration, and of each storage type. */
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
    { name: "cloudc_endpoint", kind: "text", preset: { documents: "", product: false } },
    ...fieldsOf("text", "clouda_container_name", "clouda_account_name", "clouda_account_key", "clouda_endpoint"),
    { name: "clouda_blob_environment", kind: "text", preset: { documents: "", product: "AZUREPUBLICCLOUD" } },
    { name: "clouda_auth_mode", kind: "text", isProducts: true },
    { name: "clouda_client_id", kind: "text", isProducts: true },
];
const statusFields = [
    ...["last_snapshot_start", "last_snapshot_end", "last_snapshot_error", "last_snapshot_url"],
    ...["snapshot_start", "snapshot_url"],
];
/** The size of every snapshot, in bytes. */
const snapshotSize = 1024;

export const snapshotConfig: NamedObject<StoredSnapshotConfig> = {
    path: "sys/storage/raft/snapshot-auto/config/:name",
    need: "sudo",
    in: ({ snapshotConfigs }) => snapshotConfigs,
    check: ({ store, namespace }) => {
        if (!store.licensed) throw new Refusal(404, "enterprise-only feature");
        if (namespace !== "") throw badRequest("automated snapshots can only be managed in the root namespace");
    },
    write: (before, call) => {
        const merged = merge(before?.fields ?? {}, call);
        const isSamePace = before?.fields["interval"] === merged["interval"];
        const due = isSamePace && before ? before.due : nextAfter(call.now, merged);
        const status = Object.fromEntries(statusFields.map((name) => [name, ""]));
        return { stored: { status, ...before, fields: merged, due } };
    },
    read: (stored, { names }) => readable(stored.fields, names),
};

/** Adds the routes of configurations and their status. */
export function addSnapshotRoutes(app: Hono, world: World): void {
    addObjectRoutes(app, world, snapshotConfig);
    const path = "sys/storage/raft/snapshot-auto/status/:name";
    addRoute(app, world, "GET", path, (call) => envelope({ data: foundObject(snapshotConfig, call).status }));
}

/** The fields of a read: the common ones, all of the storage type, and fields of an earlier type that are set. */
function readable(set: Fields, names: Names): Fields {
    const type = String(set["storage_type"]);
    // `cloudb_s3_bucket` is a field of `cloudb-s3`.
    const isOfType = (name: string) => name.startsWith(`${type.split("-")[0]}_`);
    const isShown = ({ name }: Field) =>
        name === "autoload_enabled" ? type !== "local" : !/^(local|cloud.)_/.test(name) || isOfType(name);
    const all = { ...unsetOf(existing(fields, names).filter(isShown), names), ...set };
    // The keys of objects in S3 do not begin with a slash.
    if (type === "cloudb-s3") all["path_prefix"] = String(all["path_prefix"]).replace(/^\//, "");
    return all;
}

/** The fields that are set after a write. Empty text resets a field. */
function merge(before: Fields, { body, names }: Call): Fields {
    const sent = { ...before, ...readFields(body, existing(fields, names)) };
    const merged: Fields = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ""));
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

/** Takes one snapshot of each configuration that is due. */
export function takeDueSnapshots({ snapshotConfigs }: ManagerStore, names: Names, now: Date): void {
    for (const config of Object.values(snapshotConfigs)) {
        if (config.due > now.getTime()) continue;
        config.status = take(readable(config.fields, names), config.status["last_snapshot_url"] ?? "", now);
        config.due = nextAfter(now, config.fields);
    }
}

/** The status after a snapshot. The `snapshot_…` and `last_…` fields describe the same one, because it ends at once. */
function take(shown: Fields, lastUrl: string, now: Date): Record<string, string> {
    const time = now.toISOString().replace(/\.\d+Z$/, "+00:00");
    const url = `${placeOf(shown)}-${BigInt(now.getTime()) * 1_000_000n}.snap`;
    const space = Number(shown["local_max_space"]);
    // 0: no limit.
    const isTooSmall = shown["storage_type"] === "local" && space > 0 && space < snapshotSize;
    return {
        last_snapshot_start: time,
        last_snapshot_end: time,
        last_snapshot_error: isTooSmall ? `not enough space left: ${snapshotSize} bytes are needed` : "",
        last_snapshot_url: isTooSmall ? lastUrl : url,
        snapshot_start: time,
        snapshot_url: url,
    };
}

const nextAfter = (now: Date, { interval }: Fields): number => now.getTime() + Number(interval) * 1000;

/** The address of a snapshot up to its number. */
function placeOf(shown: Fields): string {
    const type = String(shown["storage_type"]);
    const path = `${String(shown["path_prefix"]).replace(/\/+$/, "")}/${shown["file_prefix"]}`;
    if (type === "local") return `file://${path}`;
    const container = shown["cloudb_s3_bucket"] || shown["cloudc_gcs_bucket"] || shown["clouda_container_name"];
    return `${type}://${container}/${path}`;
}
