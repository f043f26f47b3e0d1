import assert from "node:assert/strict";
import { documentedWord, inDocumentedNames, inProductNames, productWord } from "../src/product-names";
import { withSimulator } from "./support/simulator";

type Word = Parameters<typeof productWord>[0];

type Service = Parameters<typeof inProductNames>[0];

const request = { method: "POST", query: {}, headers: {}, body: undefined } as const;
const sent = (service: Service, body: unknown) => inProductNames(service, { ...request, body }).body;
const received = (service: Service, body: unknown) => inDocumentedNames(service, { headers: {}, body }).body;

describe("the names of the product", () => {
    it("replace the document's fields and words of the secrets manager in requests, and its fields in answers", () => {
        const documented = {
            storage_type: "clouda-blob",
            clouda_container_name: "clouda_container",
            clouda_blob_environment: "CLOUDACHINACLOUD",
            cloudb_s3_bucket: "cloudb-s3",
            cloudc_service_account_key: "k",
            environment: "CloudAPublicCloud",
            path_prefix: "clouda",
            file_prefix: "secrets-snapshot",
        };
        const product = {
            storage_type: "azure-blob",
            azure_container_name: "clouda_container",
            azure_blob_environment: "AZURECHINACLOUD",
            aws_s3_bucket: "cloudb-s3",
            google_service_account_key: "k",
            environment: "AzurePublicCloud",
            path_prefix: "clouda",
            file_prefix: "secrets-snapshot",
        };
        assert.deepEqual(sent("manager", documented), product);
        const { storage_type, azure_blob_environment: clouda_blob_environment, environment } = product;
        const words = { storage_type, clouda_blob_environment, environment };
        for (const [data, seen] of [
            [product, { ...documented, ...words }],
            [documented, documented],
        ]) {
            assert.deepEqual(received("manager", { data, warnings: null }), { data: seen, warnings: null });
        }
    });

    it("are accepted in the records of volumes and state versions", () => {
        const states = (field: string) => ({ web: { State: "dead", Events: [{ [field]: "denied" }] }, idle: null });
        assert.deepEqual(
            received("volumes", { ProviderVersion: "1.2", Allocations: [{ TaskStates: states("VaultError") }] }),
            { Version: "1.2", Allocations: [{ TaskStates: states("SecretsError") }] },
        );
        const version = (name: string) => ({ id: "sv-1", attributes: { [name]: "1.6", serial: 1 } });
        const [theirs, ours] = [version("terraform-version"), version("tool-version")];
        assert.deepEqual(received("stateVersions", { data: theirs }), { data: ours });
        assert.deepEqual(received("stateVersions", { data: [theirs] }), { data: [ours] });
    });

    it("are recognized in any letter case", () => {
        for (const word of ["CloudAPublicCloud", "CLOUDAPUBLICCLOUD", "AzurePublicCloud", "AZUREPUBLICCLOUD"]) {
            assert.equal(documentedWord(word), "CloudAPublicCloud", word);
        }
        assert.equal(documentedWord("local"), "local");
        assert.equal(productWord("cloudb-s3"), "aws-s3");
    });
});

for (const [vocabulary, mount, ours, theirs] of [
    ["product", "azure", productWord, (word: string) => String(documentedWord(word))],
    ["documented", "clouda", (word: Word) => word, (word: Word) => productWord(word)],
] as const) {
    describe(`the words of a server that uses the names of the ${vocabulary === "product" ? "product" : "documents"}`, () => {
        const simulator = withSimulator({}, { vocabulary });
        const path = `/v1/auth/${mount}/config`;
        const required = { tenantId: "t", resource: "r" };
        const china = ours("CloudAChinaCloud");

        it("are those of an imported object and of a function", async () => {
            await simulator.outside("POST", path, { tenant_id: "t", resource: "r", environment: china });
            const config = simulator.resource("AuthConfig");
            await config.get(`auth/${mount}/config`);
            assert.equal(config.outputs()["environment"], china);
        });

        it("are those of drift", async () => {
            const config = await simulator
                .resource("AuthConfig")
                .deployed({ ...required, environment: "CloudAUSGovernmentCloud" });
            await simulator.outside("POST", path, { environment: china });
            assert.deepEqual(await config.refresh(), ["environment"]);
            assert.equal(config.outputs()["environment"], china);
            const snapshots = simulator.resource("SnapshotConfig");
            const local = { type: "local", pathPrefix: "/a", maxSpace: 1_000_000 };
            await snapshots.up({ name: "daily", interval: "1h", storage: local });
            const [type, field] = [ours("cloudc-gcs"), vocabulary === "product" ? "google_gcs" : "cloudc_gcs"];
            await simulator.outside("POST", "/v1/sys/storage/raft/snapshot-auto/config/daily", {
                ...{ interval: 3600, path_prefix: "a/", storage_type: type, [`${field}_bucket`]: "b" },
            });
            assert.deepEqual(await snapshots.refresh(), ["storage"]);
            assert.equal(Object(snapshots.outputs()["storage"]).type, type);
        });

        it("are equal to the other word in the program, which stays as written", async () => {
            const other = theirs(china as never);
            const config = simulator.resource("AuthConfig");
            const inputs = { ...required, environment: other };
            await config.up(inputs);
            const [{ body } = assert.fail()] = await simulator.writes();
            assert.equal(Object(body).environment, china);
            assert.deepEqual(await config.refresh(), []);
            assert.equal(config.outputs()["environment"], other);
            assert.equal(await config.up({ ...required, environment: china }), "same");
            assert.deepEqual(config.warnings, []);
        });
    });
}
