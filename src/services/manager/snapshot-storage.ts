/**
 * The storage of snapshots: one form of the input `storage` for each type (document "Secrets Manager", Automated snapshot configuration).
 */

import * as z from "zod";
import { documentedWord, productWord } from "../../product-names";
import { property, warnAbout } from "../../schema/property";
import { asJson, jsonDocument, nonEmptyString, wholeNumber } from "../../schema/property-types";

/** For fields that answers may lack: of all types, the API documents show only a read of the type `local`. */
const unshown = { optionalInAnswers: true } as const;

const kind = (words: [string, ...string[]]) =>
    property(z.enum(words), { wire: "storage_type", description: "Storage type." });
const word = (wire: string, description: string) => property(nonEmptyString, { wire, ...unshown, description });
// Vault shows `false` for an endpoint that is not set.
const orEmpty = { decode: (answer: unknown) => answer || "" };
const text = (wire: string, description: string) =>
    property(z.string().optional(), { wire, default: "", wireForm: orEmpty, ...unshown, description });
const flag = (wire: string, description: string) =>
    property(z.boolean().optional(), { wire, default: false, ...unshown, description });
const credential = (wire: string, description: string) =>
    property(z.string().optional(), { wire, default: "", secret: true, description });

const ofSdk = "Default: the credentials of the Vault server's environment.";
const otherEndpoint = "Endpoint, for a store of another provider.";
const plainHttp = "Whether to connect to the endpoint without TLS. For tests only.";

const withoutLastSlashes = (path: unknown) => String(path).replace(/(?<=^.|[^/])\/+$/, "");

const local = property(
    z.strictObject({
        type: kind(["local"]),
        pathPrefix: property(nonEmptyString, {
            wire: "path_prefix",
            equality: withoutLastSlashes,
            description: "Directory on the server.",
        }),
        maxSpace: property(wholeNumber(1), {
            wire: "local_max_space",
            large: true,
            description: "Maximum size of all snapshots together, in bytes. A snapshot that exceeds it fails.",
        }),
    }),
    { typeName: "LocalStorage", description: "Files on the server that takes the snapshot." },
);

const s3 = property(
    z.strictObject({
        type: kind(["cloudb-s3", productWord("cloudb-s3")]),
        pathPrefix: property(nonEmptyString, {
            wire: "path_prefix",
            // Vault removes a leading slash, so it returns `""` for `/`, which is the whole bucket.
            wireForm: { decode: (answer) => answer || "/" },
            equality: (path) => withoutLastSlashes(path).replace(/^\/+/, ""),
            ...unshown,
            description: "Prefix of the objects in the bucket. `/`: none.",
        }),
        bucket: word("cloudb_s3_bucket", "Bucket."),
        region: word("cloudb_s3_region", "Region of the bucket."),
        accessKeyId: credential("cloudb_access_key_id", `Access key ID. ${ofSdk}`),
        secretAccessKey: credential("cloudb_secret_access_key", `Secret access key. ${ofSdk}`),
        sessionToken: credential("cloudb_session_token", "Session token of temporary credentials."),
        endpoint: text("cloudb_s3_endpoint", otherEndpoint),
        disableTls: flag("cloudb_s3_disable_tls", plainHttp),
        forcePathStyle: flag("cloudb_s3_force_path_style", "Whether URLs have the form endpoint/bucket."),
        enableKms: flag("cloudb_s3_enable_kms", "Whether to encrypt with a key-management service."),
        serverSideEncryption: flag(
            "cloudb_s3_server_side_encryption",
            "Whether to encrypt with AES256 and not by KMS.",
        ),
        kmsKey: text("cloudb_s3_kms_key", "Name of the key if `enableKms` is true."),
    }),
    {
        typeName: "S3Storage",
        description: "Objects in an S3 bucket, or in another store with the same protocol.",
        rules: [
            {
                uses: ["enableKms", "serverSideEncryption"],
                test({ meaning: { enableKms, serverSideEncryption } }) {
                    const reason = "cannot be combined with enableKms: choose one of the two";
                    return enableKms && serverSideEncryption ? { path: "serverSideEncryption", reason } : undefined;
                },
            },
        ],
    },
);

const objectPrefix = word("path_prefix", "Prefix of the objects. Must end in `/`.");
const endsInSlash = warnAbout("pathPrefix", [], ({ pathPrefix }) =>
    String(pathPrefix).endsWith("/") ? undefined : "must end in / for this type of storage",
);

const gcs = property(
    z.strictObject({
        type: kind(["cloudc-gcs", productWord("cloudc-gcs")]),
        pathPrefix: objectPrefix,
        bucket: word("cloudc_gcs_bucket", "Bucket."),
        serviceAccountKey: property(jsonDocument.optional(), {
            wire: "cloudc_service_account_key",
            default: "",
            equality: asJson,
            secret: true,
            description: `Key of a service account: the JSON document as an object, or its text. ${ofSdk}`,
        }),
        endpoint: text("cloudc_endpoint", otherEndpoint),
        disableTls: flag("cloudc_disable_tls", plainHttp),
    }),
    { typeName: "GcsStorage", description: "Objects in a Google Cloud Storage bucket.", rules: [endsInSlash] },
);

/** The default environment. Vault spells environments of storage accounts in capitals. */
const usualEnvironment = "CLOUDAPUBLICCLOUD";

const blob = property(
    z.strictObject({
        type: kind(["clouda-blob", productWord("clouda-blob")]),
        pathPrefix: objectPrefix,
        container: word("clouda_container_name", "Container."),
        accountName: text("clouda_account_name", "Storage account."),
        accountKey: credential("clouda_account_key", "Key of the storage account."),
        environment: property(z.string().optional(), {
            wire: "clouda_blob_environment",
            default: usualEnvironment,
            wireForm: { decode: (answer) => answer || usualEnvironment },
            equality: (name) => documentedWord(String(name)) ?? name,
            ...unshown,
            description: "Azure environment of the storage account.",
        }),
        endpoint: text("clouda_endpoint", otherEndpoint),
        authMode: property(z.enum(["shared", "managed", "environment"]).optional(), {
            wire: "clouda_auth_mode",
            leaveAlone: true,
            ...unshown,
            description:
                "Authentication: `accountKey`, the managed identity `clientId`, or the environment of the Vault server. Required by Vault.",
        }),
        clientId: text("clouda_client_id", "Client ID of the managed identity."),
    }),
    {
        typeName: "BlobStorage",
        description: "Blobs in a container of Azure Blob Storage.",
        rules: [
            endsInSlash,
            warnAbout("authMode", [], ({ authMode }) =>
                authMode === undefined ? 'is needed by Vault: give "shared", "managed" or "environment"' : undefined,
            ),
            warnAbout("accountKey", ["authMode"], ({ authMode, accountKey }) =>
                authMode === "shared" && !accountKey ? 'is needed if authMode is "shared"' : undefined,
            ),
            warnAbout("clientId", ["authMode"], ({ authMode, clientId }) =>
                authMode === "managed" && !clientId ? 'is needed if authMode is "managed"' : undefined,
            ),
        ],
    },
);

/** The type of the input `storage`. */
export const storage = z.discriminatedUnion("type", [local, s3, gcs, blob]);
