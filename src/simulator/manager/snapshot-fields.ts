/** The fields of a configuration of automated snapshots: which there are, which go together, and how they read. */

import type { Telling } from "../manners";
import { usualFilePrefix, usualStorageEnvironment, type Vocabulary } from "../vocabulary";
import { type FieldKind, RefusedValue, readField } from "./values";

type Value = string | number | boolean;

interface Field {
    readonly name: string;
    readonly kind: Exclude<FieldKind, "list">;
    readonly required?: true;
    /** What an unset field reads as, if not the kind's nothing. */
    readonly preset?: Value | Readonly<Record<Vocabulary, Value>>;
    /** Known only where real servers' rules hold. */
    readonly only?: "product";
}

const common: readonly Field[] = [
    { name: "interval", kind: "duration", required: true },
    { name: "retain", kind: "integer", preset: 1 },
    { name: "path_prefix", kind: "text", required: true },
    { name: "file_prefix", kind: "text", preset: usualFilePrefix },
    { name: "storage_type", kind: "text", required: true },
    { name: "autoload_enabled", kind: "boolean", only: "product" },
];

const byType: Readonly<Record<string, readonly Field[]>> = {
    local: [{ name: "local_max_space", kind: "integer", required: true }],
    "cloudb-s3": [
        { name: "cloudb_s3_bucket", kind: "text", required: true },
        { name: "cloudb_s3_region", kind: "text", required: true },
        { name: "cloudb_access_key_id", kind: "text" },
        { name: "cloudb_secret_access_key", kind: "text" },
        { name: "cloudb_session_token", kind: "text" },
        { name: "cloudb_s3_endpoint", kind: "text" },
        { name: "cloudb_s3_disable_tls", kind: "boolean" },
        { name: "cloudb_s3_force_path_style", kind: "boolean" },
        { name: "cloudb_s3_enable_kms", kind: "boolean" },
        { name: "cloudb_s3_server_side_encryption", kind: "boolean" },
        { name: "cloudb_s3_kms_key", kind: "text" },
    ],
    "cloudc-gcs": [
        { name: "cloudc_gcs_bucket", kind: "text", required: true },
        { name: "cloudc_service_account_key", kind: "text" },
        // Real servers show an unset one so.
        { name: "cloudc_endpoint", kind: "text", preset: { documented: "", product: false } },
        { name: "cloudc_disable_tls", kind: "boolean" },
    ],
    "clouda-blob": [
        { name: "clouda_container_name", kind: "text", required: true },
        { name: "clouda_account_name", kind: "text" },
        { name: "clouda_account_key", kind: "text" },
        { name: "clouda_blob_environment", kind: "text", preset: usualStorageEnvironment },
        { name: "clouda_endpoint", kind: "text" },
        { name: "clouda_auth_mode", kind: "text", only: "product" },
        { name: "clouda_client_id", kind: "text", only: "product" },
    ],
};

const everyField: readonly Field[] = [...common, ...Object.values(byType).flat()];
const nothing = { duration: 0, integer: 0, text: "", boolean: false } as const;

/** The names of all fields. */
export const snapshotFieldNames: ReadonlySet<string> = new Set(everyField.map((field) => field.name));

const credentials: ReadonlySet<string> = new Set([
    "cloudb_access_key_id",
    "cloudb_secret_access_key",
    "cloudb_session_token",
    "cloudc_service_account_key",
    "clouda_account_key",
]);

/** What the document shows of a read: for `local` all; for the others nothing is shown, so they tell neither their type nor credentials. */
export function snapshotTelling(fields: Readonly<Record<string, Value>>): Telling {
    const type = String(fields["storage_type"]);
    const told = [...common, ...(byType[type] ?? [])].filter(
        ({ name, only }) =>
            only === undefined && !credentials.has(name) && (name !== "storage_type" || type === "local"),
    );
    return { documented: new Set(told.map(({ name }) => name)), secret: credentials };
}

/** What is stored after a write. Only what is set is stored; fields of another storage type stay. Throws {@link RefusedValue}. */
export function mergeSnapshotFields(
    before: Readonly<Record<string, Value>>,
    body: Readonly<Record<string, unknown>>,
    vocabulary: Vocabulary,
): Record<string, Value> {
    const fields = { ...before };
    for (const { name, kind, only } of everyField) {
        if (only !== undefined && only !== vocabulary) continue;
        const sent = readField(body, name, kind);
        if (sent === undefined) continue;
        if (typeof sent === "number" && sent < 0) throw new RefusedValue(`${name} cannot be negative`);
        // `null` and empty text lead back to the default; nobody says so of a count of none.
        const isCount = name === "retain" && body[name] !== null && body[name] !== "";
        if (sent === nothing[kind] && !isCount) delete fields[name];
        else fields[name] = sent;
    }
    // An object's name in that store does not begin with a slash.
    if (fields["storage_type"] === "cloudb-s3") {
        fields["path_prefix"] = String(fields["path_prefix"] ?? "").replace(/^\//, "");
    }
    checkMerged(fields, vocabulary);
    return fields;
}

/** What a read shows: the common fields, all of the storage type, and what is left of another type. */
export function readableFields(fields: Readonly<Record<string, Value>>, vocabulary: Vocabulary): Record<string, Value> {
    const type = String(fields["storage_type"]);
    const shown = [...common, ...(byType[type] ?? [])]
        .filter(
            ({ name, only }) =>
                (only ?? vocabulary) === vocabulary && !(name === "autoload_enabled" && type === "local"),
        )
        .map(({ name, kind, preset }): [string, Value] => {
            const told = typeof preset === "object" ? preset[vocabulary] : preset;
            return [name, fields[name] ?? told ?? nothing[kind]];
        });
    const all = { ...fields, ...Object.fromEntries(shown) };
    return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkMerged(fields: Readonly<Record<string, Value>>, vocabulary: Vocabulary): void {
    const type = String(fields["storage_type"] ?? "");
    const ofType = Object.hasOwn(byType, type) ? byType[type] : undefined;
    if (type !== "" && ofType === undefined) {
        throw new RefusedValue(`storage_type must be one of ${Object.keys(byType).join(", ")}`);
    }
    for (const { name, required } of [...common, ...(ofType ?? [])]) {
        if (required && (fields[name] ?? "") === "") throw new RefusedValue(`${name} is required`);
    }
    if (vocabulary === "product") checkAsMeasured(type, fields);
    const isEndless = !String(fields["path_prefix"]).endsWith("/");
    if (vocabulary === "documented" && (type === "clouda-blob" || type === "cloudc-gcs") && isEndless) {
        throw new RefusedValue(`path_prefix must end with '/' for storage_type ${type}`);
    }
    const isEncryptedTwice = fields["cloudb_s3_enable_kms"] && fields["cloudb_s3_server_side_encryption"];
    if (type === "cloudb-s3" && isEncryptedTwice) {
        throw new RefusedValue("cloudb_s3_server_side_encryption cannot be combined with cloudb_s3_enable_kms");
    }
}

/** What real servers want beyond the document. */
function checkAsMeasured(type: string, fields: Readonly<Record<string, Value>>): void {
    if (fields["retain"] === 0) throw new RefusedValue("retain must be at least 1");
    if (String(fields["file_prefix"] ?? "").includes("/")) throw new RefusedValue("file_prefix cannot contain '/'");
    if (type === "local" && fields["path_prefix"] === "/") {
        throw new RefusedValue("path_prefix cannot be '/' for storage_type local");
    }
    if (type === "local" && fields["autoload_enabled"] === true) {
        throw new RefusedValue("autoload_enabled is not supported for storage_type local");
    }
    if (type !== "clouda-blob") return;
    const mode = String(fields["clouda_auth_mode"] ?? "");
    if (!["shared", "managed", "environment"].includes(mode)) {
        throw new RefusedValue("clouda_auth_mode must be one of shared, managed, environment");
    }
    if (mode === "shared" && !fields["clouda_account_key"]) throw new RefusedValue("clouda_account_key is required");
    if (mode === "managed" && !fields["clouda_client_id"]) throw new RefusedValue("clouda_client_id is required");
}
