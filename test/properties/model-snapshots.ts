/** Configurations of automated snapshots as the document has them: the common arguments, and those of each type of storage. */

import fc from "fast-check";
import {
    type Argument,
    type Chosen,
    lengthOfTime,
    oneOf,
    type Props,
    programs,
    secret,
    secretText,
    type Told,
} from "./random-programs";
import type { Model } from "./upsert-runs";

type Vocabulary = Model["vocabulary"];

const text = (wire: string, ...values: readonly string[]): Argument => ({
    wire,
    absent: "",
    told: oneOf("", ...values),
});
const needed = (wire: string, ...values: readonly unknown[]): Argument => ({
    wire,
    absent: "",
    required: true,
    told: oneOf(...values),
});
const flag = (wire: string): Argument => ({ wire, absent: false, told: oneOf(true, false) });
const credential = (wire: string): Argument => ({ wire, absent: "", told: secret });

/** The key of a service account: an object, or its text. It is sent as text. */
const account: fc.Arbitrary<Told> = fc.tuple(secretText, fc.boolean()).map(([key, asText]) => {
    // In the order of the alphabet, into which the engine puts keys.
    const document = { private_key: key, type: "service_account" };
    const sent = JSON.stringify(document);
    return { written: asText ? sent : document, means: sent, secrets: [key] };
});

const forms: Readonly<Record<string, Record<string, Argument>>> = {
    local: {
        pathPrefix: needed("path_prefix", "/var/a", "/var/b"),
        maxSpace: needed("local_max_space", 1, 10_000_000_000),
    },
    "cloudb-s3": {
        pathPrefix: needed("path_prefix", "a", "b/c"),
        bucket: needed("cloudb_s3_bucket", "one", "two"),
        region: needed("cloudb_s3_region", "north-1"),
        accessKeyId: credential("cloudb_access_key_id"),
        secretAccessKey: credential("cloudb_secret_access_key"),
        sessionToken: credential("cloudb_session_token"),
        endpoint: text("cloudb_s3_endpoint", "https://store.example"),
        disableTls: flag("cloudb_s3_disable_tls"),
        forcePathStyle: flag("cloudb_s3_force_path_style"),
        enableKms: flag("cloudb_s3_enable_kms"),
        serverSideEncryption: flag("cloudb_s3_server_side_encryption"),
        kmsKey: text("cloudb_s3_kms_key", "key-1"),
    },
    "cloudc-gcs": {
        pathPrefix: needed("path_prefix", "a/"),
        bucket: needed("cloudc_gcs_bucket", "one"),
        serviceAccountKey: { wire: "cloudc_service_account_key", absent: "", told: account },
        endpoint: text("cloudc_endpoint", "https://store.example"),
        disableTls: flag("cloudc_disable_tls"),
    },
    "clouda-blob": {
        pathPrefix: needed("path_prefix", "a/", "b/"),
        container: needed("clouda_container_name", "one"),
        accountName: text("clouda_account_name", "store"),
        accountKey: { ...credential("clouda_account_key"), required: true },
        endpoint: text("clouda_endpoint", "https://store.example"),
    },
};

const realNames: Readonly<Record<string, string>> = { clouda: "azure", cloudb: "aws", cloudc: "google" };
const withReal = (name: string) => name.replace(/cloud[abc]/, (provider) => realNames[provider] ?? provider);

/** One form, as it is written and as it is meant. */
function formOf(type: string, vocabulary: Vocabulary): fc.Arbitrary<Told> {
    const some = { ...forms[type] };
    if (vocabulary === "product" && type === "clouda-blob") some["authMode"] = needed("clouda_auth_mode", "shared");
    const settle = ({ serverSideEncryption, ...chosen }: Chosen): Chosen =>
        serverSideEncryption && chosen["enableKms"]?.means !== true ? { ...chosen, serverSideEncryption } : chosen;
    return fc.tuple(programs(some, settle), fc.boolean()).map(([{ args, means, secrets }, real]) => ({
        written: { type: real ? withReal(type) : type, ...args },
        means: { storage_type: type, ...means },
        secrets,
    }));
}

const usualPrefix = { documented: "secrets-snapshot", product: "vault-snapshot" };

/** Random runs of snapshot configurations. */
export function snapshots(vocabulary: Vocabulary): Model {
    const path = (at: string) => `/v1/sys/storage/raft/snapshot-auto/config/${at}-x`;
    const wireName = (name: string) => (vocabulary === "product" ? withReal(name) : name);
    const table: Record<string, Argument> = {
        interval: { wire: "interval", absent: 0, required: true, told: lengthOfTime(3600, 5400, 86_400) },
        retain: { wire: "retain", absent: 1, told: oneOf(1, 2, 7) },
        filePrefix: { wire: "file_prefix", absent: usualPrefix[vocabulary], told: oneOf("nightly", "ünï") },
        storage: {
            wire: "storage",
            absent: {},
            required: true,
            told: fc.oneof(...Object.keys(forms).map((type) => formOf(type, vocabulary))),
        },
    };
    return {
        type: "SnapshotConfig",
        vocabulary,
        seed: {},
        runs: 75,
        programs: programs(table),
        methods: ["POST", "DELETE"],
        naming: (at) => ({ name: `${at}-x` }),
        async look(simulator, at) {
            const read = (await simulator.outside("GET", path(at))) as { data: Props } | undefined;
            if (read === undefined) return undefined;
            const type = Object.keys(forms).find((form) => wireName(form) === read.data["storage_type"]) ?? "";
            const own = Object.values({ ...forms[type] }).map(({ wire, absent }) => [
                wire,
                read.data[wireName(wire)] || absent,
            ]);
            const mode =
                type === "clouda-blob" && vocabulary === "product"
                    ? { clouda_auth_mode: read.data[wireName("clouda_auth_mode")] }
                    : {};
            return {
                ...Object.fromEntries(["interval", "retain", "file_prefix"].map((name) => [name, read.data[name]])),
                storage: { storage_type: type, ...Object.fromEntries(own), ...mode },
            };
        },
        write(simulator, at, { means: { storage, ...common } }) {
            const { storage_type: type, ...form } = storage as Record<string, unknown>;
            const all = { ...common, ...form, storage_type: wireName(String(type)) };
            return simulator.outside(
                "POST",
                path(at),
                Object.fromEntries(Object.entries(all).map(([name, value]) => [wireName(name), value])),
            );
        },
        remove: (simulator, at) => simulator.outside("DELETE", path(at)),
    };
}
