/** Where snapshots go: one form of `storage` per type (document "Secrets Manager", Automated snapshot configuration). */

import { type Fields, field, type Props, type Variant } from "../../core/field";
import { choice, count, flag, jsonDocument, type Kind, someText, text } from "../../core/kind";
import type { Vocabulary } from "../../core/session";
import { fieldsIn } from "../../core/vocabularies";
import { productName } from "../../vocabulary";
import { storageEnvironment, storageEnvironmentOfToday } from "./cloud-environment";

const optionalText = (wire: string, doc: string) => field(text(), { wire, default: "", doc });
const optionalFlag = (wire: string, doc: string) => field(flag, { wire, default: false, doc });
const credential = (wire: string, doc: string) => field(text(), { wire, default: "", secret: true, doc });
const sdkCredentials = "Left out, the server takes credentials from where the provider's SDK looks for them.";

/** Real servers show `false` where none is set. */
const textOrFalse: Kind<string> = { ...text(), read: (answer) => (answer === false ? "" : (answer ?? "")) };

const endsInSlash = { pattern: /\/$/, must: "must end in / for this type of storage" };
const slashless = (value: string) => value.replace(/(.)\/+$/, "$1");
const directoryOf = (kind: Kind<string>): Kind<string> => ({ ...kind, canonical: slashless, wire: (value) => value });
const directory = field(directoryOf(someText), {
    wire: "path_prefix",
    required: true,
    product: { kind: directoryOf(text({ pattern: /[^/]/, must: "must be a directory below the root" })) },
    doc: "Directory of the snapshots on the server. A / at its end carries no meaning.",
});
/** Servers strip a leading / here. */
const s3Path = (kind: Kind<string>): Kind<string> => ({
    ...kind,
    canonical: (value) => slashless(value).replace(/^\/+/, ""),
    wire: (value) => value,
});
const s3Prefix = field(s3Path(someText), {
    wire: "path_prefix",
    required: true,
    product: { kind: s3Path(text()) },
    doc: "Prefix of the objects in the bucket. Slashes at its ends carry no meaning.",
});
const objectPrefix = field(text(endsInSlash), {
    wire: "path_prefix",
    required: true,
    product: { kind: text() },
    doc: "Prefix of the objects. Must end in `/`.",
});

/** The document shows a read of the type `local` alone; real servers show all fields of the others too. */
const undocumentedRead = (fields: Fields): Fields =>
    Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [
            name,
            { ...field, untold: true, product: { ...field.product, untold: false } },
        ]),
    );

/** The forms of `storage`, by the document's names. */
const forms = {
    local: {
        doc: "Files on the server that takes the snapshot.",
        fields: {
            pathPrefix: directory,
            maxSpace: field(count(1), {
                wire: "local_max_space",
                required: true,
                doc: "Most bytes that all snapshots of this configuration may take; a snapshot fails when too little is left.",
            }),
        },
        rules: [
            {
                uses: ["pathPrefix"],
                only: "documented",
                severity: "warning",
                test: (values) =>
                    /^\/+$/.test(String(values["pathPrefix"]))
                        ? "pathPrefix: is the root, which no document forbids, but servers are known to refuse"
                        : undefined,
            },
        ],
    },
    "cloudb-s3": {
        doc: "Objects in a bucket of the provider `cloudb`, or of a store that speaks its protocol.",
        fields: undocumentedRead({
            pathPrefix: s3Prefix,
            bucket: field(someText, { wire: "cloudb_s3_bucket", required: true, doc: "Bucket." }),
            region: field(someText, { wire: "cloudb_s3_region", required: true, doc: "Region of the bucket." }),
            accessKeyId: credential("cloudb_access_key_id", `Access key ID. ${sdkCredentials}`),
            secretAccessKey: credential("cloudb_secret_access_key", `Secret access key. ${sdkCredentials}`),
            sessionToken: credential("cloudb_session_token", "Session token of temporary credentials."),
            endpoint: optionalText("cloudb_s3_endpoint", "Endpoint; normally only for stores of another provider."),
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
            kmsKey: optionalText("cloudb_s3_kms_key", "Named key, when `enableKms` is true."),
        }),
        rules: [
            {
                uses: ["enableKms", "serverSideEncryption"],
                test: (values) =>
                    values["enableKms"] === true && values["serverSideEncryption"] === true
                        ? "serverSideEncryption: cannot be combined with enableKms: choose one of them"
                        : undefined,
            },
            {
                uses: ["enableKms", "kmsKey"],
                severity: "warning",
                test: (values) =>
                    values["kmsKey"] && values["enableKms"] !== true
                        ? "kmsKey: has no effect unless enableKms is true"
                        : undefined,
            },
        ],
    },
    "cloudc-gcs": {
        doc: "Objects in a bucket of the provider `cloudc`.",
        fields: undocumentedRead({
            pathPrefix: objectPrefix,
            bucket: field(someText, { wire: "cloudc_gcs_bucket", required: true, doc: "Bucket." }),
            serviceAccountKey: field(jsonDocument, {
                wire: "cloudc_service_account_key",
                default: "",
                secret: true,
                doc: `Key of a service account: the JSON document as an object, or its text. ${sdkCredentials}`,
            }),
            endpoint: field(text(), {
                wire: "cloudc_endpoint",
                default: "",
                product: { kind: textOrFalse },
                doc: "Endpoint; normally only for stores of another provider.",
            }),
            disableTls: optionalFlag(
                "cloudc_disable_tls",
                "Whether to speak plain HTTP to the endpoint; for testing only.",
            ),
        }),
    },
    "clouda-blob": {
        doc: "Blobs in a container of the provider `clouda`.",
        fields: undocumentedRead({
            pathPrefix: objectPrefix,
            container: field(someText, { wire: "clouda_container_name", required: true, doc: "Container." }),
            accountName: optionalText("clouda_account_name", "Storage account."),
            accountKey: credential("clouda_account_key", "Key of the storage account."),
            environment: field(storageEnvironment, {
                wire: "clouda_blob_environment",
                default: "",
                product: { kind: storageEnvironmentOfToday },
                doc: "Cloud environment of the storage account.",
            }),
            endpoint: optionalText("clouda_endpoint", "Endpoint; normally only for stores of another provider."),
            authMode: field(choice(["shared", "managed", "environment"]), {
                wire: "clouda_auth_mode",
                required: true,
                only: "product",
                doc: "How to authenticate: with `accountKey`, with the managed identity `clientId`, or as the server's environment says. Needed.",
            }),
            clientId: field(text(), {
                wire: "clouda_client_id",
                default: "",
                only: "product",
                doc: "Client ID of the managed identity.",
            }),
        }),
        rules: [
            {
                uses: ["authMode", "accountKey"],
                only: "product",
                test: (values) =>
                    values["authMode"] === "shared" && !values["accountKey"]
                        ? 'accountKey: is needed where authMode is "shared"'
                        : undefined,
            },
            {
                uses: ["authMode", "clientId"],
                only: "product",
                test: (values) =>
                    values["authMode"] === "managed" && !values["clientId"]
                        ? 'clientId: is needed where authMode is "managed"'
                        : undefined,
            },
        ],
    },
} as const satisfies Record<string, Variant>;

/** The forms under the names of both vocabularies. */
export const storageForms: Readonly<Record<string, Variant>> = {
    ...forms,
    [productName("cloudb-s3")]: forms["cloudb-s3"],
    [productName("cloudc-gcs")]: forms["cloudc-gcs"],
    [productName("clouda-blob")]: forms["clouda-blob"],
};

/** The fields of a form, by the documents' name of it. */
export function formFields(type: string, vocabulary: Vocabulary): Fields {
    return Object.hasOwn(forms, type) ? fieldsIn(forms[type as keyof typeof forms].fields, vocabulary) : {};
}

/** Names of the fields of a form that an answer holds; its prefix every form has. */
function heldFields(type: string, data: Props): string[] {
    const names = Object.values(formFields(type, "product")).map(({ wire }) => wire ?? "");
    return names.filter((wire) => wire !== "path_prefix" && data[wire]);
}

/** The type that an answer tells, or that its fields do; nothing where they are those of several types, or of none. */
export function toldType(data: Props): string | undefined {
    const told = data["storage_type"];
    if (typeof told === "string" && told !== "") return told;
    const types = Object.keys(forms).filter((type) => heldFields(type, data).length > 0);
    return types.length === 1 ? types[0] : undefined;
}

/** Fields of other forms that an answer still holds: the service keeps what a change of the type leaves behind. */
export function leftBehind(type: string, data: Props): string[] {
    return Object.keys(forms).flatMap((other) => (other === type ? [] : heldFields(other, data)));
}
