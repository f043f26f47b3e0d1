/** SnapshotConfig: a schedule of automated snapshots and where they go (document "Secrets Manager", Automated snapshot configuration). */

import { declared, unlessAbsent } from "../../core/declared";
import type { Definition } from "../../core/definition";
import { secondsOf } from "../../core/duration";
import { isRecord } from "../../core/engine-values";
import { type Fields, field, type Props, type Rule, type Variant } from "../../core/field";
import { count, duration, flag, jsonDocument, text } from "../../core/kind";
import { fromWire, meantValue, toWire, variants } from "../../core/meaning";
import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { StatecraftError } from "../../errors";
import { adoptField, connectionField } from "../options";
import { dataOf, manager, showWarnings } from "./service";

const write = operation("POST /v1/sys/storage/raft/snapshot-auto/config/{name}", "always");
const show = operation("GET /v1/sys/storage/raft/snapshot-auto/config/{name}");
const remove = operation("DELETE /v1/sys/storage/raft/snapshot-auto/config/{name}");
const status = operation("GET /v1/sys/storage/raft/snapshot-auto/status/{name}");

const optionalText = (wire: string, doc: string) => field(text(), { wire, default: "", doc });
const optionalFlag = (wire: string, doc: string) => field(flag, { wire, default: false, doc });
const credential = (wire: string, doc: string) => field(text(), { wire, default: "", secret: true, doc });
const sdkCredentials = "Left out, the server takes credentials from where the provider's SDK looks for them.";

const endsInSlash = { pattern: /\/$/, must: "must end in / for this type of storage" };
const slashless = (value: string) => value.replace(/(.)\/+$/, "$1");
const directory = field(
    { ...text(), canonical: slashless, wire: (value: string) => value },
    {
        wire: "path_prefix",
        required: true,
        doc: "Directory of the snapshots on the server. A / at its end carries no meaning.",
    },
);
const s3Prefix = field(
    // Servers strip a leading / here.
    { ...text(), canonical: (value: string) => slashless(value).replace(/^\/+/, ""), wire: (value: string) => value },
    {
        wire: "path_prefix",
        required: true,
        doc: "Prefix of the objects in the bucket. Slashes at its ends carry no meaning.",
    },
);
const objectPrefix = field(text(endsInSlash), {
    wire: "path_prefix",
    required: true,
    doc: "Prefix of the objects. Must end in `/`.",
});

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
    },
    "cloudb-s3": {
        doc: "Objects in a bucket of the provider `cloudb`, or of a store that speaks its protocol.",
        fields: {
            pathPrefix: s3Prefix,
            bucket: field(text(), { wire: "cloudb_s3_bucket", required: true, doc: "Bucket." }),
            region: field(text(), { wire: "cloudb_s3_region", required: true, doc: "Region of the bucket." }),
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
        },
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
        fields: {
            pathPrefix: objectPrefix,
            bucket: field(text(), { wire: "cloudc_gcs_bucket", required: true, doc: "Bucket." }),
            serviceAccountKey: field(jsonDocument, {
                wire: "cloudc_service_account_key",
                default: "",
                secret: true,
                doc: `Key of a service account: the JSON document as an object, or its text. ${sdkCredentials}`,
            }),
            endpoint: optionalText("cloudc_endpoint", "Endpoint; normally only for stores of another provider."),
            disableTls: optionalFlag(
                "cloudc_disable_tls",
                "Whether to speak plain HTTP to the endpoint; for testing only.",
            ),
        },
    },
    "clouda-blob": {
        doc: "Blobs in a container of the provider `clouda`.",
        fields: {
            pathPrefix: objectPrefix,
            container: field(text(), { wire: "clouda_container_name", required: true, doc: "Container." }),
            accountName: optionalText("clouda_account_name", "Storage account."),
            accountKey: credential("clouda_account_key", "Key of the storage account."),
            environment: optionalText("clouda_blob_environment", "Cloud environment of the storage account."),
            endpoint: optionalText("clouda_endpoint", "Endpoint; normally only for stores of another provider."),
        },
    },
} as const satisfies Record<string, Variant>;

const inputs = {
    name: field(
        text({ pattern: /^(?!\.{1,2}$)[^/\s]+$/, must: "must not be empty, nor . or .., nor hold / or blanks" }),
        {
            required: true,
            replaces: true,
            doc: "Name of the configuration.",
        },
    ),
    interval: field(duration(1), {
        wire: "interval",
        required: true,
        doc: "Time between snapshots: whole seconds, or text such as `24h`.",
    }),
    retain: field(count(1), {
        wire: "retain",
        default: 1,
        doc: "How many snapshots are kept; when there are more after one was written, the oldest are deleted.",
    }),
    filePrefix: field(text(), {
        wire: "file_prefix",
        default: "secrets-snapshot",
        doc: "What the names of snapshot files or objects begin with.",
    }),
    storage: variants(forms, {
        required: true,
        doc: "Where snapshots go; `type` says which of the forms it is. Another type is changed in place.",
    }),
    waitForSnapshot: field(duration(), {
        option: true,
        default: 0,
        doc: "After a write, wait this long at most for the first snapshot that succeeds: whole seconds, or text. Off by default.",
    }),
    adopt: adoptField,
    connection: connectionField,
} as const satisfies Fields;

const rules: readonly Rule[] = [
    {
        uses: ["retain"],
        severity: "warning",
        test: (values, olds) => {
            const before = olds && Number(meantValue(inputs, olds, "retain"));
            const now = Number(meantValue(inputs, values, "retain"));
            return before !== undefined && now < before
                ? `retain: only the newest ${now === 1 ? "snapshot is" : `${now} snapshots are`} kept from now on, instead of ${before}; older ones are deleted`
                : undefined;
        },
    },
];

interface Address {
    readonly name: string;
}

/** A configuration as the service takes it: the fields of the form beside the common ones. */
function bodyOf(values: Props): Record<string, unknown> {
    const storage = isRecord(values["storage"]) ? values["storage"] : {};
    const type = String(storage["type"]);
    return { ...toWire(inputs, values), storage_type: type, ...toWire(formFields(type), storage) };
}

function formFields(type: string): Fields {
    return type in forms ? forms[type as keyof typeof forms].fields : {};
}

/** Fields of other forms that an answer still holds: the service keeps what a change of the type leaves behind. */
function leftBehind(type: string, data: Props): string[] {
    const own = new Set(Object.values(formFields(type)).map(({ wire }) => wire));
    const others = Object.values(forms).flatMap((form) =>
        Object.values<Fields[string]>(form.fields).map(({ wire }) => wire),
    );
    return others.flatMap((wire) => (wire !== undefined && !own.has(wire) && data[wire] ? [wire] : []));
}

/** What the status endpoint tells, by the names of outputs. */
const statusFields = {
    lastSnapshotStart: "last_snapshot_start",
    lastSnapshotEnd: "last_snapshot_end",
    lastSnapshotError: "last_snapshot_error",
    lastSnapshotUrl: "last_snapshot_url",
    snapshotStart: "snapshot_start",
    snapshotUrl: "snapshot_url",
} as const;

async function readStatus({ client }: Session, { name }: Address): Promise<Record<keyof typeof statusFields, string>> {
    const data = dataOf(await client.call(status, { parameters: { name } }), `GET ${status.path({ name })}`);
    const told = Object.entries(statusFields).map(([output, wire]) => [output, String(data[wire] ?? "")]);
    return Object.fromEntries(told) as Record<keyof typeof statusFields, string>;
}

const pollMilliseconds = 2_000;

/** A configuration of automated snapshots. */
export const snapshotConfig: Definition = {
    type: "SnapshotConfig",
    service: manager,
    doc: "A configuration of the secrets manager's automated snapshots: how often, how many are kept, and where they go. Lives in the root namespace.",
    inputs,
    outputs: {
        status: {
            doc: "The status of the configuration's snapshots when `waitForSnapshot` last saw one: the fields of the status endpoint.",
            type: `{ ${Object.keys(statusFields)
                .map((name) => `readonly ${name}: string`)
                .join("; ")} }`,
            optional: true,
        },
    },
    rules,
    verbs: declared<Address>({
        inputs,
        title: ({ name }) => `snapshot configuration ${name}`,
        address: (values) => ({ name: String(values["name"]) }),
        id: ({ name }) => name,
        parse: (id) => (id === "" || id.includes("/") ? undefined : { name: id }),
        idForm: "<name>",
        settled: () => ({}),

        async observe({ client }, { name }) {
            const answer = await client.call(show, { parameters: { name } }).catch(unlessAbsent);
            if (answer === undefined) return undefined;
            const data = dataOf(answer, `GET ${show.path({ name })}`);
            const type = String(data["storage_type"]);
            const storage = { type, ...fromWire(formFields(type), data) };
            const left = leftBehind(type, data);
            const notes =
                left.length > 0
                    ? [`storage: the server still holds fields of another type of storage: ${left.join(", ")}`]
                    : [];
            return { fields: { name, ...fromWire(inputs, data), storage }, notes };
        },

        async write(session, { name }, values) {
            const answer = await session.client.call(write, { parameters: { name }, body: bodyOf(values) });
            showWarnings(answer, session);
        },

        async remove({ client }, { name }) {
            await client.call(remove, { parameters: { name } });
        },

        waits: (values) => (secondsOf(values["waitForSnapshot"]) > 0 ? ["waitForSnapshot"] : []),

        async settle(session, address, values) {
            const before = await readStatus(session, address);
            const deadline = session.now() + secondsOf(values["waitForSnapshot"]) * 1000;
            for (;;) {
                const now = await readStatus(session, address);
                if (now.lastSnapshotError !== "" && now.lastSnapshotEnd !== before.lastSnapshotEnd) {
                    throw new StatecraftError("snapshot", `the snapshot failed: ${now.lastSnapshotError}`);
                }
                if (now.lastSnapshotEnd !== "" && now.lastSnapshotError === "") return { status: now };
                if (session.now() >= deadline) {
                    throw new StatecraftError(
                        "timeout",
                        `no snapshot was taken within ${secondsOf(values["waitForSnapshot"])} s`,
                        {
                            hint: "Set `waitForSnapshot` to more than `interval`, or leave it out",
                        },
                    );
                }
                session.progress(
                    `waiting for the first snapshot, ${Math.round((deadline - session.now()) / 1000)} s left`,
                );
                await session.sleep(pollMilliseconds);
            }
        },
    }),
};
