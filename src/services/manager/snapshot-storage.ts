/** The input `storage` of SnapshotConfig: one form for each type (document "Secrets Manager", Automated snapshot configuration). */

import * as z from "zod";
import { documentedWord, productWord } from "../../product-names";
import { failAbout, property, warnAbout } from "../../schema/property";
import { asJson, jsonDocument, nonEmptyString, size } from "../../schema/property-types";
import { field } from "../record-fields";

/** The API documents show an answer only for the type `local`, so answers may lack the fields of the other types. */
const undocumented = { optionalInAnswers: true } as const;

const typeNamed = (...words: [string, ...string[]]) => field("storage_type", z.enum(words), "Storage type.");
const required = (wire: string, description: string) => field(wire, nonEmptyString, description, undocumented);
// Vault shows `false` for some texts without a value, such as the endpoint of Google's store.
const orEmpty = { decode: (answer: unknown) => answer || "" };
const optionalText = (wire: string, description: string) =>
    field(wire, z.string().optional(), description, { default: "", wireForm: orEmpty, ...undocumented });
const optionalFlag = (wire: string, description: string) =>
    field(wire, z.boolean().optional(), description, { default: false, ...undocumented });
const credential = (wire: string, description: string) =>
    field(wire, z.string().optional(), description, { default: "", secret: true, wireForm: orEmpty });

const ofSdk = "Default: the credentials of the Vault server's environment.";
const otherEndpoint = "Endpoint, for a store of another provider.";
const plainHttp = "Whether to connect to the endpoint without TLS. For tests only.";

const withoutLastSlashes = (path: unknown) => String(path).replace(/(?<=^.|[^/])\/+$/, "");

const local = property(
    z.strictObject({
        type: typeNamed("local"),
        pathPrefix: field("path_prefix", nonEmptyString, "Directory on the server.", { equality: withoutLastSlashes }),
        maxSpace: field(
            "local_max_space",
            size(),
            "Maximum size of all snapshots together: bytes, or a string such as `10GiB`. A snapshot that exceeds it fails. 0: no limit.",
            { large: true },
        ),
    }),
    { typeName: "LocalStorage", description: "Files on the server that takes the snapshot." },
);

const s3 = property(
    z.strictObject({
        type: typeNamed("cloudb-s3", productWord("cloudb-s3")),
        pathPrefix: property(nonEmptyString, {
            wire: "path_prefix",
            // Vault removes a leading slash, so it returns `""` for `/`, which is the whole bucket.
            wireForm: { decode: (answer) => answer || "/" },
            equality: (path) => withoutLastSlashes(path).replace(/^\/+/, ""),
            ...undocumented,
            description: "Prefix of the objects in the bucket. `/`: none.",
        }),
        bucket: required("cloudb_s3_bucket", "Bucket."),
        region: required("cloudb_s3_region", "Region of the bucket."),
        accessKeyId: credential("cloudb_access_key_id", `Access key ID. ${ofSdk}`),
        secretAccessKey: credential("cloudb_secret_access_key", `Secret access key. ${ofSdk}`),
        sessionToken: credential("cloudb_session_token", "Session token of temporary credentials."),
        endpoint: optionalText("cloudb_s3_endpoint", otherEndpoint),
        disableTls: optionalFlag("cloudb_s3_disable_tls", plainHttp),
        forcePathStyle: optionalFlag("cloudb_s3_force_path_style", "Whether URLs have the form endpoint/bucket."),
        enableKms: optionalFlag("cloudb_s3_enable_kms", "Whether to encrypt with a key-management service."),
        serverSideEncryption: optionalFlag(
            "cloudb_s3_server_side_encryption",
            "Whether to encrypt with AES256 and not by KMS.",
        ),
        kmsKey: optionalText("cloudb_s3_kms_key", "Name of the key if `enableKms` is true."),
    }),
    {
        typeName: "S3Storage",
        description: "Objects in an S3 bucket, or in another store with the same protocol.",
        rules: [
            failAbout("serverSideEncryption", ["enableKms"], ({ enableKms, serverSideEncryption }) =>
                enableKms && serverSideEncryption
                    ? "cannot be combined with enableKms: choose one of the two"
                    : undefined,
            ),
            warnAbout("kmsKey", ["enableKms"], ({ enableKms, kmsKey }) =>
                kmsKey && enableKms !== true ? "is used only if enableKms is true" : undefined,
            ),
        ],
    },
);

const objectPrefix = required("path_prefix", "Prefix of the objects. Must end in `/`.");
const endsInSlash = warnAbout("pathPrefix", [], ({ pathPrefix }) =>
    String(pathPrefix).endsWith("/") ? undefined : "must end in / for this type of storage",
);

const gcs = property(
    z.strictObject({
        type: typeNamed("cloudc-gcs", productWord("cloudc-gcs")),
        pathPrefix: objectPrefix,
        bucket: required("cloudc_gcs_bucket", "Bucket."),
        serviceAccountKey: property(jsonDocument.optional(), {
            wire: "cloudc_service_account_key",
            default: "",
            equality: asJson,
            secret: true,
            wireForm: orEmpty,
            description: `Key of a service account: the JSON document as an object, or its text. ${ofSdk}`,
        }),
        endpoint: optionalText("cloudc_endpoint", otherEndpoint),
        disableTls: optionalFlag("cloudc_disable_tls", plainHttp),
    }),
    { typeName: "GcsStorage", description: "Objects in a Google Cloud Storage bucket.", rules: [endsInSlash] },
);

/** The default environment, in the capitals in which Vault spells environments of storage accounts. */
const usualEnvironment = "CLOUDAPUBLICCLOUD";

const blob = property(
    z.strictObject({
        type: typeNamed("clouda-blob", productWord("clouda-blob")),
        pathPrefix: objectPrefix,
        container: required("clouda_container_name", "Container."),
        accountName: optionalText("clouda_account_name", "Storage account."),
        accountKey: credential("clouda_account_key", "Key of the storage account."),
        environment: property(z.string().optional(), {
            wire: "clouda_blob_environment",
            default: usualEnvironment,
            // Only Vault shows no environment.
            wireForm: { decode: (answer) => answer || productWord("CloudAPublicCloud").toUpperCase() },
            equality: documentedWord,
            ...undocumented,
            description: "Azure environment of the storage account.",
        }),
        endpoint: optionalText("clouda_endpoint", otherEndpoint),
        authMode: property(z.enum(["shared", "managed", "environment"]).optional(), {
            wire: "clouda_auth_mode",
            // Vault shows an empty text for a configuration of a release without this field.
            wireForm: { decode: (answer) => answer || undefined },
            leaveAlone: true,
            ...undocumented,
            description:
                "Authentication: `accountKey`, the managed identity `clientId`, or the environment of the Vault server. Required by Vault.",
        }),
        clientId: optionalText("clouda_client_id", "Client ID of the managed identity."),
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

export const storage = z.discriminatedUnion("type", [local, s3, gcs, blob]);
