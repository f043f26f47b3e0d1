/** Where snapshots go: one form of `storage` per type (document "Secrets Manager", Automated snapshot configuration). */

import * as z from "zod";
import type { Body } from "../../core/named-object-spec";
import { factsOf, property, type Rule } from "../../schema/facts";
import { asJson, jsonDocument, nonEmptyString, wholeNumber } from "../../schema/property-types";
import { documentedName, productName } from "../../vocabulary";
import { closedCloud, environments, openClouds, usualEnvironment } from "./cloud-environment";
import { closedEnvironment } from "./failures";
import {
    keyWithoutKms,
    noAccountKey,
    noClientId,
    prefixWithoutSlash,
    rootPath,
    rootPathPerhaps,
    twoEncryptions,
} from "./storage-failures";

/** The document shows a read of the type `local` alone; real servers show all fields of the others too. */
const unshown = { optionalInAnswers: true, product: { optionalInAnswers: false } } as const;

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
                only: "product",
                test: ({ pathPrefix }) => (isRoot(pathPrefix) ? rootPath() : undefined),
            },
            {
                uses: ["pathPrefix"],
                only: "documented",
                severity: "warning",
                test: ({ pathPrefix }) => (isRoot(pathPrefix) ? rootPathPerhaps() : undefined),
            },
        ],
    },
);

const isRoot = (path: unknown) => /^\/+$/.test(String(path));

const s3 = property(
    z.strictObject({
        type: kind(["cloudb-s3", productName("cloudb-s3")]),
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
    only: "documented",
    test: ({ pathPrefix }) => (String(pathPrefix).endsWith("/") ? undefined : prefixWithoutSlash()),
};

const gcs = property(
    z.strictObject({
        type: kind(["cloudc-gcs", productName("cloudc-gcs")]),
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

const blobEnvironment = (name: unknown) => documentedName(environments, String(name))?.toUpperCase() ?? name;
const blobEnvironmentOrUsual = (name: unknown) => blobEnvironment(name || usualEnvironment);

const blob = property(
    z.strictObject({
        type: kind(["clouda-blob", productName("clouda-blob")]),
        pathPrefix: objectPrefix,
        container: property(nonEmptyString, { wire: "clouda_container_name", ...unshown, description: "Container." }),
        accountName: optionalString("clouda_account_name", "Storage account."),
        accountKey: credential("clouda_account_key", "Key of the storage account."),
        environment: property(z.string().optional(), {
            wire: "clouda_blob_environment",
            default: "",
            equality: blobEnvironment,
            optionalInAnswers: true,
            product: {
                optionalInAnswers: false,
                equality: blobEnvironmentOrUsual,
                wireForm: { encode: blobEnvironmentOrUsual },
            },
            description: "Cloud environment of the storage account.",
        }),
        endpoint: optionalString("clouda_endpoint", "Endpoint; normally only for stores of another provider."),
        authMode: property(z.enum(["shared", "managed", "environment"]), {
            wire: "clouda_auth_mode",
            only: "product",
            description:
                "How to authenticate: with `accountKey`, with the managed identity `clientId`, or as the server's environment says. Needed.",
        }),
        clientId: property(z.string().optional(), {
            wire: "clouda_client_id",
            default: "",
            only: "product",
            description: "Client ID of the managed identity.",
        }),
    }),
    {
        description: "Blobs in a container of the provider `clouda`.",
        rules: [
            endsInSlash,
            {
                uses: ["environment"],
                only: "product",
                test: ({ environment }) =>
                    documentedName([closedCloud], String(environment)) === undefined
                        ? undefined
                        : closedEnvironment({ names: openClouds }),
            },
            {
                uses: ["authMode", "accountKey"],
                only: "product",
                test: ({ authMode, accountKey }) => (authMode === "shared" && !accountKey ? noAccountKey() : undefined),
            },
            {
                uses: ["authMode", "clientId"],
                only: "product",
                test: ({ authMode, clientId }) => (authMode === "managed" && !clientId ? noClientId() : undefined),
            },
        ],
    },
);

const forms = [local, s3, gcs, blob] as const;

/** What its rules say. */
export const storageFindings = [
    rootPath,
    rootPathPerhaps,
    prefixWithoutSlash,
    twoEncryptions,
    keyWithoutKms,
    noAccountKey,
    noClientId,
    closedEnvironment,
];

/** Where snapshots go. */
export const storage = z.discriminatedUnion("type", forms);

/** What each type's fields are called on the wire. The type and its prefix every form has. */
const wireNames = forms.map(({ shape }) => ({
    type: shape.type.options[0] ?? "",
    own: Object.values(shape)
        .map((type) => factsOf(type).wire ?? "")
        .filter((wire) => wire !== "storage_type" && wire !== "path_prefix"),
}));

/** The type that an answer tells, or that its fields do; nothing where they are those of several types, or of none. */
export function toldType(body: Body): string | undefined {
    const told = body["storage_type"];
    if (typeof told === "string" && told !== "") return told;
    const held = wireNames.filter(({ own }) => own.some((wire) => body[wire]));
    return held.length === 1 ? held[0]?.type : undefined;
}

/** Fields of other forms that an answer still holds: the service keeps what a change of the type leaves behind. */
export function leftBehind(type: string, body: Body): string[] {
    return wireNames.flatMap((form) => (form.type === type ? [] : form.own.filter((wire) => body[wire])));
}
