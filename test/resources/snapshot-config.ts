import { planted } from "../support/canaries";
import type { NamedObjectFacts } from "../support/resource-facts";

const path = "/v1/sys/storage/raft/snapshot-auto/config/hourly";

/** Storage on the server's disk. */
export const local = { type: "local", pathPrefix: "/var/snapshots", maxSpace: 10_000_000_000 };
/** Storage in an S3 bucket, with all fields. */
export const s3 = {
    type: "aws-s3",
    pathPrefix: "hourly",
    bucket: "snapshots",
    region: "north-1",
    accessKeyId: "planted-key-id",
    secretAccessKey: "planted-secret-key",
    sessionToken: "planted-session",
    endpoint: "https://store.example",
    disableTls: true,
    forcePathStyle: true,
    enableKms: true,
    serverSideEncryption: false,
    kmsKey: "key-1",
};
const bucket = { type: "aws-s3", pathPrefix: "a", bucket: "b", region: "r" };
const container = { type: "azure-blob", pathPrefix: "p/", container: "c" };
/** The fields of a request for the storage `s3`. */
const s3Wire = {
    path_prefix: "hourly",
    storage_type: "aws-s3",
    aws_s3_bucket: "snapshots",
    aws_s3_region: "north-1",
    aws_access_key_id: "planted-key-id",
    aws_secret_access_key: "planted-secret-key",
    aws_session_token: "planted-session",
    aws_s3_endpoint: "https://store.example",
    aws_s3_disable_tls: true,
    aws_s3_force_path_style: true,
    aws_s3_enable_kms: true,
    aws_s3_server_side_encryption: false,
    aws_s3_kms_key: "key-1",
};

/** Storage in an Azure container, with all fields. */
export const blob = {
    type: "azure-blob",
    pathPrefix: "path/in/container",
    container: "backups",
    accountName: "store",
    accountKey: "planted-account-key",
    environment: "AZUREUSGOVERNMENTCLOUD",
    authMode: "shared",
};

const gcs = { type: "google-gcs", pathPrefix: "a/", bucket: "b" };
const serviceAccountKey = { type: "service_account", private_key: "planted-private-key" };

const full = { name: "hourly", interval: "1h", retain: 24, filePrefix: "team", autoloadEnabled: true, storage: s3 };
const faulty = {
    ...{ type: "aws-s3", pathPrefix: "hourly", bucket: "snapshots", region: "north-1" },
    ...{ accessKeyId: "key-id-1", secretAccessKey: planted.secret },
};

/** A configuration of automated snapshots. */
export const snapshotConfig: NamedObjectFacts = {
    type: "SnapshotConfig",
    id: "hourly",
    minimal: { name: "hourly", interval: 3600, storage: local },
    full,
    path,
    requests: {
        method: "POST",
        minimal: {
            interval: 3600,
            retain: 1,
            file_prefix: "vault-snapshot",
            autoload_enabled: false,
            path_prefix: "/var/snapshots",
            storage_type: "local",
            local_max_space: 10_000_000_000,
        },
        full: { interval: 3600, retain: 24, file_prefix: "team", autoload_enabled: true, ...s3Wire },
        edited: { retain: 5 },
    },
    changes: [
        { interval: "24h" },
        { interval: 1 },
        { retain: 48 },
        { retain: undefined },
        { filePrefix: undefined },
        { storage: { ...s3, bucket: "others" } },
        { storage: { ...s3, secretAccessKey: "another-secret-key" } },
        { storage: { type: "aws-s3", pathPrefix: "hourly", bucket: "snapshots", region: "north-1" } },
        { storage: local, autoloadEnabled: undefined },
        {
            storage: {
                type: "google-gcs",
                pathPrefix: "no/slash",
                bucket: "b",
                serviceAccountKey: { type: "service_account", private_key: 'line 1\n"line 2"' },
            },
        },
        { storage: blob },
        // Vault reads an absent `endpoint` as `false`, an absent environment as the public cloud, and a directory without its last slash.
        { storage: { type: "azure-blob", pathPrefix: "p/", container: "c", authMode: "environment" } },
        { storage: { ...local, pathPrefix: "/var/snapshots/" }, autoloadEnabled: undefined },
    ],
    replaces: [{ name: "nightly" }],
    spellings: [
        { interval: 3600 },
        { interval: "60m" },
        { storage: { ...s3, pathPrefix: "/hourly/" } },
        { storage: { ...s3, serverSideEncryption: undefined } },
        { storage: { ...s3, type: "cloudb-s3" } },
    ],
    options: [{ adopt: true }, { waitForSnapshot: "1m" }],
    drift: ["retain", "storage"],
    refused: [
        [{ name: "a/b" }, "name"],
        [{ name: ".." }, "name"],
        [{ name: "a\u0000" }, "name"],
        [{ filePrefix: "" }, "filePrefix"],
        [{ interval: 0 }, "interval"],
        [{ storage: { ...local, pathPrefix: "" } }, "storage.pathPrefix"],
        [{ storage: { ...local, maxSpace: 1.5 } }, "storage.maxSpace"],
        [
            { storage: { ...s3, pathPrefix: "", bucket: "", region: "" } },
            "storage.pathPrefix",
            "storage.bucket",
            "storage.region",
        ],
        [{ storage: { type: "google-gcs", pathPrefix: "", bucket: "b" } }, "storage.pathPrefix"],
        [{ storage: { type: "google-gcs", pathPrefix: "a/", bucket: "" } }, "storage.bucket"],
        [{ storage: { type: "azure-blob", pathPrefix: "a/", container: "" } }, "storage.container"],
        [{ storage: { type: "constructor" } }, "storage.type"],
        [{ storage: { type: { toString: 1 } } }, "storage.type"],
        [{ interval: "1 fortnight" }, "interval"],
        [{ retain: -1 }, "retain"],
        [{ storage: { type: "tape" } }, "storage.type"],
        [{ storage: { type: "local", pathPrefix: "/a" } }, "storage.maxSpace"],
        [{ storage: { type: "aws-s3", pathPrefix: "a" } }, "storage.bucket", "storage.region"],
        [{ storage: { type: "google-gcs", pathPrefix: "a/" } }, "storage.bucket"],
        [{ storage: { type: "azure-blob", pathPrefix: "a/" } }, "storage.container"],
        [{ storage: { ...local, bucket: "b" } }, "storage.bucket"],
        [{ storage: { ...s3, serverSideEncryption: true } }, "storage.serverSideEncryption"],
        [
            { storage: { type: "google-gcs", pathPrefix: "a/", bucket: "b", serviceAccountKey: "not json" } },
            "storage.serviceAccountKey",
        ],
        [{ namespace: "team" }, "namespace"],
        [{ storage: { ...blob, authMode: "none" } }, "storage.authMode"],
        [{ autoloadEnabled: "yes" }, "autoloadEnabled"],
    ],
    warned: [
        [{ name: "-a" }, "name"],
        ...[{ kmsKey: "k" }, { kmsKey: "k", serverSideEncryption: true }].map(
            (given) => [{ storage: { ...bucket, ...given } }, "storage.kmsKey"] as const,
        ),
        [{ storage: { ...bucket, kmsKey: "k", enableKms: true } }],
        [{ storage: { ...bucket, kmsKey: "" } }],
        // 0: no limit.
        [{ storage: { ...local, maxSpace: 0 } }],
        [{ storage: container }, "storage.authMode"],
        [{ storage: { ...container, authMode: "environment", pathPrefix: "a" } }, "storage.pathPrefix"],
        [{ storage: { ...container, authMode: "shared" } }, "storage.accountKey"],
        [{ storage: { ...container, authMode: "managed" } }, "storage.clientId"],
        [{ storage: { type: "google-gcs", pathPrefix: "a", bucket: "b" } }, "storage.pathPrefix"],
    ],
    shown: [
        ...[null, "****", "[REDACTED]", "<redacted>"].map(
            (mask) => [{ storage: s3 }, { aws_secret_access_key: mask, aws_session_token: mask }] as const,
        ),
        [
            { storage: { ...container, authMode: "environment", environment: "AzureChinaCloud" } },
            { azure_blob_environment: undefined, azure_auth_mode: undefined },
        ],
    ],
    secrets: ["storage.accessKeyId", "storage.secretAccessKey", "storage.sessionToken"],
    drifted: { retain: 2, aws_s3_bucket: "elsewhere" },
    beside: { waitForSnapshot: 5, adopt: true },
    edited: { retain: 5 },
    immutable: ["name"],
    places: { path: ["name"], ids: ["{}"] },
    functions: {
        getSnapshotConfig: { args: { name: "hourly" }, places: ["name"] },
        getSnapshotConfigs: { args: {}, places: [] },
        getSnapshotStatus: { args: { name: "hourly" }, places: ["name"] },
    },
    faults: [
        {
            inputs: { name: "hourly", interval: 3600, retain: 24, storage: faulty },
            edited: {
                name: "hourly",
                interval: 7200,
                retain: 24,
                storage: { ...faulty, secretAccessKey: planted.edited },
            },
            theirs: { name: "hourly", interval: 86_400, retain: 1, storage: { ...faulty, bucket: "theirs" } },
        },
        {
            variant: "on a server without empty fields",
            omitsEmpty: true,
            inputs: { name: "hourly", interval: 3600, retain: 24, storage: faulty },
            edited: { name: "hourly", interval: 7200, retain: 24, storage: { ...faulty, bucket: "others" } },
        },
    ],
    programs: [
        { ...full, interval: "10s", storage: local, waitForSnapshot: "1m" },
        full,
        {
            ...full,
            storage: { ...gcs, endpoint: "https://e.example", serviceAccountKey, disableTls: true },
        },
        {
            ...{ name: "hourly", interval: "1h" },
            storage: { ...gcs, serviceAccountKey: JSON.stringify(serviceAccountKey) },
        },
        { ...full, storage: { ...blob, pathPrefix: "a/", endpoint: "https://e.example" } },
    ],
};
