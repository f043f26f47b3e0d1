/** Where snapshots go: one form of `storage` per type (document "Secrets Manager", Automated snapshot configuration). */

import * as z from "zod";
import { documentedWord, productWord } from "../../product-names";
import { property, type Rule } from "../../schema/facts";
import { asJson, jsonDocument, nonEmptyString, wholeNumber } from "../../schema/property-types";
import { closedCloud, openClouds, usualEnvironment } from "./cloud-environment";
import { closedEnvironment } from "./failures";
import {
    keyWithoutKms,
    noAccountKey,
    noAuthMode,
    noClientId,
    prefixWithoutSlash,
    rootPath,
    twoEncryptions,
} from "./storage-failures";

/** The document shows a read of the type `local` alone. */
const unshown = { optionalInAnswers: true } as const;

const optionalString = (wire: string, description: string) =>
    property(z.string().optional(), { wire, default: "", ...unshown, description });
const optionalFlag = (wire: string, description: string) =>
    property(z.boolean().optional(), { wire, default: false, ...unshown, description });
const credential = (wire: string, description: string) =>
    property(z.string().optional(), { wire, default: "", secret: true, description });
const sdkCredentials = "Left out, the server takes credentials from where the provider's SDK looks for them.";

const slashless = (path: unknown) => String(path).replace(/(?<=^.|[^/])\/+$/, "");
const kind = (words: [string, ...string[]]) =>
    property(z.enum(words), { wire: "storage_type", description: "Which form this is." });

const local = property(
    z.strictObject({
        type: kind(["local"]),
        pathPrefix: property(nonEmptyString, {
            wire: "path_prefix",
            equality: slashless,
            description: "Directory of the snapshots on the server. A / at its end carries no meaning.",
        }),
        maxSpace: property(wholeNumber(1), {
            wire: "local_max_space",
            large: true,
            description:
                "Most bytes that all snapshots of this configuration may take; a snapshot fails when too little is left.",
        }),
    }),
    {
        description: "Files on the server that takes the snapshot.",
        rules: [
            {
                uses: ["pathPrefix"],
                severity: "warning",
                test: ({ pathPrefix }) => (isRoot(pathPrefix) ? rootPath() : undefined),
            },
        ],
    },
);

const isRoot = (path: unknown) => /^\/+$/.test(String(path));

const s3 = property(
    z.strictObject({
        type: kind(["cloudb-s3", productWord("cloudb-s3")]),
        pathPrefix: property(nonEmptyString, {
            wire: "path_prefix",
            // Servers strip a leading / here, so that they show the whole bucket as nothing.
            wireForm: { decode: (answer) => answer || "/" },
            equality: (path) => slashless(path).replace(/^\/+/, ""),
            ...unshown,
            description: "Prefix of the objects in the bucket; `/` for none. Slashes at its ends carry no meaning.",
        }),
        bucket: property(nonEmptyString, { wire: "cloudb_s3_bucket", ...unshown, description: "Bucket." }),
        region: property(nonEmptyString, {
            wire: "cloudb_s3_region",
            ...unshown,
            description: "Region of the bucket.",
        }),
        accessKeyId: credential("cloudb_access_key_id", `Access key ID. ${sdkCredentials}`),
        secretAccessKey: credential("cloudb_secret_access_key", `Secret access key. ${sdkCredentials}`),
        sessionToken: credential("cloudb_session_token", "Session token of temporary credentials."),
        endpoint: optionalString("cloudb_s3_endpoint", "Endpoint; normally only for stores of another provider."),
        disableTls: optionalFlag(
            "cloudb_s3_disable_tls",
            "Whether to speak plain HTTP to the endpoint; for testing only.",
        ),
        forcePathStyle: optionalFlag("cloudb_s3_force_path_style", "Whether URLs have the style endpoint/bucket."),
        enableKms: optionalFlag("cloudb_s3_enable_kms", "Whether to encrypt with a key-management service."),
        serverSideEncryption: optionalFlag(
            "cloudb_s3_server_side_encryption",
            "Whether to encrypt with AES256. Cannot be combined with `enableKms`.",
        ),
        kmsKey: optionalString("cloudb_s3_kms_key", "Named key, when `enableKms` is true."),
    }),
    {
        description: "Objects in a bucket of the provider `cloudb`, or of a store that speaks its protocol.",
        rules: [
            {
                uses: ["enableKms", "serverSideEncryption"],
                test: ({ enableKms, serverSideEncryption }) =>
                    enableKms === true && serverSideEncryption === true ? twoEncryptions() : undefined,
            },
            {
                uses: ["enableKms", "kmsKey"],
                severity: "warning",
                test: ({ enableKms, kmsKey }) => (kmsKey && enableKms !== true ? keyWithoutKms() : undefined),
            },
        ],
    },
);

const objectPrefix = property(nonEmptyString, {
    wire: "path_prefix",
    ...unshown,
    description: "Prefix of the objects. Must end in `/`.",
});
const endsInSlash: Rule = {
    uses: ["pathPrefix"],
    severity: "warning",
    test: ({ pathPrefix }) => (String(pathPrefix).endsWith("/") ? undefined : prefixWithoutSlash()),
};

const gcs = property(
    z.strictObject({
        type: kind(["cloudc-gcs", productWord("cloudc-gcs")]),
        pathPrefix: objectPrefix,
        bucket: property(nonEmptyString, { wire: "cloudc_gcs_bucket", ...unshown, description: "Bucket." }),
        serviceAccountKey: property(jsonDocument.optional(), {
            wire: "cloudc_service_account_key",
            default: "",
            equality: asJson,
            secret: true,
            description: `Key of a service account: the JSON document as an object, or its text. ${sdkCredentials}`,
        }),
        endpoint: property(z.string().optional(), {
            wire: "cloudc_endpoint",
            default: "",
            ...unshown,
            // Real servers show `false` where none is set.
            wireForm: { decode: (answer) => answer || "" },
            description: "Endpoint; normally only for stores of another provider.",
        }),
        disableTls: optionalFlag(
            "cloudc_disable_tls",
            "Whether to speak plain HTTP to the endpoint; for testing only.",
        ),
    }),
    { description: "Objects in a bucket of the provider `cloudc`.", rules: [endsInSlash] },
);

/** Environments of storage accounts are written in capitals. */
const usualBlobEnvironment = usualEnvironment.toUpperCase();

const blob = property(
    z.strictObject({
        type: kind(["clouda-blob", productWord("clouda-blob")]),
        pathPrefix: objectPrefix,
        container: property(nonEmptyString, { wire: "clouda_container_name", ...unshown, description: "Container." }),
        accountName: optionalString("clouda_account_name", "Storage account."),
        accountKey: credential("clouda_account_key", "Key of the storage account."),
        environment: property(z.string().optional(), {
            wire: "clouda_blob_environment",
            default: "",
            equality: (name) => documentedWord(String(name || usualBlobEnvironment)) ?? name,
            wireForm: { encode: (name) => name || usualBlobEnvironment },
            ...unshown,
            description: "Cloud environment of the storage account.",
        }),
        endpoint: optionalString("clouda_endpoint", "Endpoint; normally only for stores of another provider."),
        authMode: property(z.enum(["shared", "managed", "environment"]).optional(), {
            wire: "clouda_auth_mode",
            leaveAlone: true,
            ...unshown,
            description:
                "How to authenticate: with `accountKey`, with the managed identity `clientId`, or as the server's environment says. Vault needs it.",
        }),
        clientId: property(z.string().optional(), {
            wire: "clouda_client_id",
            default: "",
            ...unshown,
            description: "Client ID of the managed identity.",
        }),
    }),
    {
        description: "Blobs in a container of the provider `clouda`.",
        rules: [
            endsInSlash,
            {
                uses: ["environment"],
                severity: "warning",
                test: ({ environment }) =>
                    documentedWord(String(environment)) === closedCloud
                        ? closedEnvironment({ names: openClouds })
                        : undefined,
            },
            {
                uses: ["authMode"],
                severity: "warning",
                test: ({ authMode }) => (authMode === undefined ? noAuthMode() : undefined),
            },
            {
                uses: ["authMode", "accountKey"],
                severity: "warning",
                test: ({ authMode, accountKey }) => (authMode === "shared" && !accountKey ? noAccountKey() : undefined),
            },
            {
                uses: ["authMode", "clientId"],
                severity: "warning",
                test: ({ authMode, clientId }) => (authMode === "managed" && !clientId ? noClientId() : undefined),
            },
        ],
    },
);

const forms = [local, s3, gcs, blob] as const;

/** What its rules say. */
export const storageFindings = [
    rootPath,
    prefixWithoutSlash,
    twoEncryptions,
    keyWithoutKms,
    noAccountKey,
    noAuthMode,
    noClientId,
    closedEnvironment,
];

/** Where snapshots go. */
export const storage = z.discriminatedUnion("type", forms);
