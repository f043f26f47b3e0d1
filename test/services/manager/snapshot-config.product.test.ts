import assert from "node:assert/strict";
import { openClouds } from "../../../src/services/manager/cloud-environment";
import { noLicence } from "../../../src/services/manager/failures";
import { describeResource } from "../../support/conformance";
import { failureOf } from "../../support/failures";
import { CheckFailed } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { clouda, cloudb, cloudc, secrets } from "../../support/product-words";
import { withSimulator } from "../../support/simulator";

const path = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
const bucket = { bucket: "backups", region: "north-1" };

describeResource({
    type: "SnapshotConfig",
    vocabulary: "product",
    id: "hourly",
    minimal: { name: "hourly", interval: "1h", storage: { type: `${cloudb}-s3`, pathPrefix: "snapshots", ...bucket } },
    full: {
        name: "hourly",
        interval: "24h",
        retain: 7,
        filePrefix: "nightly",
        autoloadEnabled: true,
        storage: {
            type: `${clouda}-blob`,
            pathPrefix: "path/in/container",
            container: "backups",
            accountName: "store",
            accountKey: "planted-account-key",
            environment: `${clouda.toUpperCase()}USGOVERNMENTCLOUD`,
            authMode: "shared",
        },
    },
    path,
    requests: {
        method: "POST",
        minimal: {
            interval: 3600,
            retain: 1,
            file_prefix: `${secrets}-snapshot`,
            autoload_enabled: false,
            storage_type: `${cloudb}-s3`,
            path_prefix: "snapshots",
            [`${cloudb}_s3_bucket`]: "backups",
            [`${cloudb}_s3_region`]: "north-1",
            [`${cloudb}_access_key_id`]: "",
            [`${cloudb}_secret_access_key`]: "",
            [`${cloudb}_session_token`]: "",
            [`${cloudb}_s3_endpoint`]: "",
            [`${cloudb}_s3_disable_tls`]: false,
            [`${cloudb}_s3_force_path_style`]: false,
            [`${cloudb}_s3_enable_kms`]: false,
            [`${cloudb}_s3_server_side_encryption`]: false,
            [`${cloudb}_s3_kms_key`]: "",
        },
        full: {
            interval: 86400,
            retain: 7,
            file_prefix: "nightly",
            autoload_enabled: true,
            storage_type: `${clouda}-blob`,
            path_prefix: "path/in/container",
            [`${clouda}_container_name`]: "backups",
            [`${clouda}_account_name`]: "store",
            [`${clouda}_account_key`]: "planted-account-key",
            [`${clouda}_blob_environment`]: `${clouda.toUpperCase()}USGOVERNMENTCLOUD`,
            [`${clouda}_endpoint`]: "",
            [`${clouda}_auth_mode`]: "shared",
            [`${clouda}_client_id`]: "",
        },
    },
    changes: [
        { retain: 8 },
        { filePrefix: undefined },
        { autoloadEnabled: undefined },
        { storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1000 }, autoloadEnabled: undefined },
        { storage: { type: `${cloudc}-gcs`, pathPrefix: "no/slash", bucket: "b" } },
    ],
    replaces: [{ name: "other" }],
    spellings: [
        { interval: 86400 },
        {
            storage: {
                type: "clouda-blob",
                pathPrefix: "path/in/container",
                container: "backups",
                accountName: "store",
                accountKey: "planted-account-key",
                environment: "CloudAUSGovernmentCloud",
                authMode: "shared",
            },
        },
    ],
    options: [{ waitForSnapshot: 60 }, { adopt: true }],
    drifted: { retain: 2, [`${clouda}_account_name`]: "other" },
    drift: ["retain", "storage"],
    refused: [
        [{ retain: 0 }, "retain"],
        [{ filePrefix: "a/b" }, "filePrefix"],
        [{ storage: { type: "local", pathPrefix: "/", maxSpace: 1 } }, "storage.pathPrefix"],
        [{ storage: { type: `${cloudb}-s3`, pathPrefix: "", ...bucket } }, "storage.pathPrefix"],
        [{ storage: { type: `${cloudc}-gcs`, pathPrefix: "", bucket: "b" } }, "storage.pathPrefix"],
        [{ storage: { type: "s3" } }, "storage.type"],
        [{ storage: { type: `${clouda}-blob`, pathPrefix: "p", container: "c" } }, "storage.authMode"],
        [
            { storage: { type: "clouda-blob", pathPrefix: "p", container: "c", authMode: "shared" } },
            "storage.accountKey",
        ],
        [
            { storage: { type: "clouda-blob", pathPrefix: "p", container: "c", authMode: "managed" } },
            "storage.clientId",
        ],
        [
            {
                storage: {
                    type: "clouda-blob",
                    pathPrefix: "p",
                    container: "c",
                    authMode: "environment",
                    environment: `${clouda}germancloud`,
                },
            },
            "storage.environment",
        ],
        [{ autoloadEnabled: true, storage: { type: "local", pathPrefix: "/s", maxSpace: 1 } }, "autoloadEnabled"],
    ],
    secrets: ["storage.accountKey"],
});

describe("SnapshotConfig (product)", () => {
    const simulator = withSimulator({}, { vocabulary: "product" });

    const isQuiet = async (storage: Record<string, unknown>) => {
        const config = simulator.resource("SnapshotConfig");
        const inputs = { name: "hourly", interval: "1h", storage };
        await config.up(inputs);
        assert.equal(await config.up(inputs), "same");
        assert.deepEqual(await config.refresh(), []);
        assert.equal(await config.up(inputs), "same");
        assert.deepEqual(
            config.warnings.filter((text) => !/deprecated|own disk/.test(text)),
            [],
        );
        return config;
    };

    it("takes an unset endpoint that reads `false` for none", async () => {
        await isQuiet({ type: `${cloudc}-gcs`, pathPrefix: "p", bucket: "b" });
        const read = (await simulator.outside("GET", path)) as { data: Record<string, unknown> };
        assert.equal(read.data[`${cloudc}_endpoint`], false);
    });

    it("takes an unset environment that reads as the public cloud for none", async () => {
        await isQuiet({ type: `${clouda}-blob`, pathPrefix: "p", container: "c", authMode: "environment" });
    });

    it("takes a leading / that the server strips for none", async () => {
        await isQuiet({ type: "cloudb-s3", pathPrefix: "/snapshots/", ...bucket });
    });

    it("takes a / at the end of a directory for none", async () => {
        await isQuiet({ type: "local", pathPrefix: "/var/snapshots/", maxSpace: 10 });
    });

    it("takes a bare / for the whole bucket", async () => {
        await isQuiet({ type: "cloudb-s3", pathPrefix: "/", ...bucket });
    });

    it("finds the whole bucket as a program that can be deployed, though the server shows an empty prefix", async () => {
        await isQuiet({ type: "cloudb-s3", pathPrefix: "/", ...bucket });
        const found = simulator.resource("SnapshotConfig");
        await found.get("hourly");
        const { name, storage } = found.outputs();
        assert.equal(await found.up({ name, storage, interval: "1h" }), "same");
        assert.equal(await found.up({ name, storage, interval: "2h" }), "updated");
    });

    it("sees another default than the documents' in names of files", async () => {
        const config = simulator.resource("SnapshotConfig");
        const storage = { type: "local", pathPrefix: "/s", maxSpace: 10 };
        await config.up({ name: "hourly", interval: "1h", storage, filePrefix: `${secrets}-snapshot` });
        assert.equal(await config.up({ name: "hourly", interval: "1h", storage }), "same");
        assert.equal(
            await config.up({ name: "hourly", interval: "1h", storage, filePrefix: "secrets-snapshot" }),
            "updated",
        );
        const read = (await simulator.outside("GET", path)) as { data: Record<string, unknown> };
        assert.equal(read.data["file_prefix"], "secrets-snapshot");
    });

    it("shows drift of the type by the documents' name, and is repaired in place", async () => {
        const config = await isQuiet({ type: `${cloudb}-s3`, pathPrefix: "p", ...bucket });
        await simulator.outside("POST", path, { storage_type: "local", local_max_space: 5, path_prefix: "/s" });
        assert.deepEqual(await config.refresh(), ["storage"]);
        assert.equal((config.outputs()["storage"] as { type: string }).type, "local");
        const inputs = {
            name: "hourly",
            interval: "1h",
            storage: { type: `${cloudb}-s3`, pathPrefix: "p", ...bucket },
        };
        assert.equal(await config.up(inputs), "updated");
        assert.equal(await config.up(inputs), "same");
        await config.up({ ...inputs, storage: { type: "local", pathPrefix: "/s", maxSpace: 5 } });
        assert.match(config.warnings.join(), new RegExp(`another type of storage: ${cloudb}_s3_bucket, `));
    });

    it("says what servers refuse", async () => {
        const of = async (inputs: Record<string, unknown>) => {
            const check = simulator.resource("SnapshotConfig").check({ name: "hourly", interval: "1h", ...inputs });
            return (await failureOf(check, CheckFailed)).reasons;
        };
        const blob = { type: "clouda-blob", pathPrefix: "p", container: "c" };
        const germany = { authMode: "environment", environment: `${clouda}germancloud` };
        assert.deepEqual(
            [
                ...(await of({
                    retain: 0,
                    filePrefix: "a/b",
                    storage: { type: "local", pathPrefix: "/", maxSpace: 1 },
                })),
                ...(await of({ storage: { ...blob, authMode: "shared" } })),
                ...(await of({ storage: { ...blob, ...germany } })),
                ...(await of({ autoloadEnabled: true, storage: { type: "local", pathPrefix: "/s", maxSpace: 1 } })),
            ],
            [
                "storage.pathPrefix: must be a directory below the root",
                "filePrefix: must not be empty, nor hold /",
                "retain: must be a whole number of at least 1",
                'storage.accountKey: is needed where authMode is "shared"',
                `storage.environment: must be one of ${openClouds}: the German cloud is closed`,
                "autoloadEnabled: cannot be set for storage of the type local: choose another type, or leave it out",
            ],
        );
    });

    it("says that a server without the licence is one, and never that the object is gone", async () => {
        const config = await isQuiet({ type: "local", pathPrefix: "/s", maxSpace: 10 });
        await simulator.fault({ status: 404, times: 0, body: '{"errors":["enterprise-only feature"]}' });
        await assert.rejects(config.refresh(), { code: "service", status: 404, message: wordsOf(noLicence) });
        await assert.rejects(config.destroy(), { code: "service", status: 404 });
    });
});

describe("SnapshotConfig (documented)", () => {
    const simulator = withSimulator();
    const check = (inputs: Record<string, unknown>) =>
        simulator.resource("SnapshotConfig").check({
            name: "hourly",
            interval: 60,
            storage: { type: "local", pathPrefix: "/s", maxSpace: 1 },
            ...inputs,
        });

    it("refuses what only real servers know", async () => {
        await assert.rejects(check({ autoloadEnabled: true }), { paths: ["autoloadEnabled"] });
        const blob = { type: "clouda-blob", pathPrefix: "p/", container: "c" };
        await check({ storage: blob });
        await assert.rejects(check({ storage: { ...blob, authMode: "shared" } }), { paths: ["storage.authMode"] });
        await assert.rejects(check({ storage: { ...blob, clientId: "c" } }), { paths: ["storage.clientId"] });
        await assert.rejects(check({ storage: { ...blob, pathPrefix: "p" } }), { paths: ["storage.pathPrefix"] });
    });

    it("takes the provider's own name of a type, and sends the document's", async () => {
        const config = simulator.resource("SnapshotConfig");
        const storage = { type: `${cloudb}-s3`, pathPrefix: "p", ...bucket, accessKeyId: "planted-access-key" };
        const inputs = { name: "hourly", interval: 60, storage };
        await config.up(inputs);
        const [write] = await simulator.writes();
        assert.equal(Object(write?.body)["storage_type"], "cloudb-s3");
        assert.equal((config.outputs()["storage"] as { type: string }).type, `${cloudb}-s3`);
        assert.equal(await config.up(inputs), "same");
        assert.deepEqual(await config.refresh(), []);
        assert.equal(await config.up({ ...inputs, storage: { ...storage, type: "cloudb-s3" } }), "same");
    });
});
