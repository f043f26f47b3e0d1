import assert from "node:assert/strict";
import { documentedName, doorOf, productName } from "../src/vocabulary";
import { capital, clouda, cloudb, cloudc, scheduler, secrets, tool } from "./support/product-words";

const Clouda = capital(clouda);
const Secrets = capital(secrets);

type Service = Parameters<typeof doorOf>[0];

function productDoor(service: Service, region?: string) {
    const door = doorOf(service, { vocabulary: "product", region });
    assert(door);
    return door;
}
const sent = (service: Service, request: object, region?: string) =>
    productDoor(service, region).request({ query: {}, headers: {}, body: undefined, ...request });
const received = (service: Service, body: unknown, headers = {}) =>
    productDoor(service).answer({ status: 200, headers, body });

describe("the vocabulary", () => {
    it("has a name for each of the documents'", () => {
        const names = [
            ["X-Secrets-Token", `X-${Secrets}-Token`],
            ["X-Secrets-Namespace", `X-${Secrets}-Namespace`],
            ["secrets-snapshot", `${secrets}-snapshot`],
            ["clouda", clouda],
            ["cloudb", cloudb],
            ["cloudc", cloudc],
            ["clouda-blob", `${clouda}-blob`],
            ["cloudb-s3", `${cloudb}-s3`],
            ["cloudc-gcs", `${cloudc}-gcs`],
            ["CloudAPublicCloud", `${Clouda}PublicCloud`],
            ["CloudAUSGovernmentCloud", `${Clouda}USGovernmentCloud`],
            ["CloudAChinaCloud", `${Clouda}ChinaCloud`],
            ["CloudAGermanCloud", `${Clouda}GermanCloud`],
            ["tool-version", `${tool}-version`],
            ["SecretsError", `${Secrets}Error`],
            ["Version", "ProviderVersion"],
        ] as const;
        for (const [documented, product] of names) assert.equal(productName(documented), product);
    });

    it("knows a name of either side, in any case of letters", () => {
        const names = ["CloudAPublicCloud", "CloudAChinaCloud"] as const;
        for (const written of [
            "CloudAPublicCloud",
            "CLOUDAPUBLICCLOUD",
            `${Clouda}PublicCloud`,
            `${clouda.toUpperCase()}PUBLICCLOUD`,
        ]) {
            assert.equal(documentedName(names, written), "CloudAPublicCloud", written);
        }
        assert.equal(documentedName(names, "CloudAGermanCloud"), undefined);
    });
});

describe("the door", () => {
    describe("of the secrets manager", () => {
        it("renames headers, and leaves others as they are", () => {
            const headers = { "X-Secrets-Token": "t", "X-Secrets-Namespace": "n", "X-Other": "o" };
            assert.deepEqual(sent("manager", { headers }).headers, {
                [`X-${Secrets}-Token`]: "t",
                [`X-${Secrets}-Namespace`]: "n",
                "X-Other": "o",
            });
        });

        it("renames fields and words of bodies, there and back", () => {
            const documented = {
                storage_type: "clouda-blob",
                clouda_container_name: "clouda_container",
                clouda_blob_environment: "CLOUDACHINACLOUD",
                cloudb_s3_bucket: "cloudb-s3",
                cloudc_service_account_key: "k",
                path_prefix: "clouda",
            };
            const product = {
                storage_type: `${clouda}-blob`,
                [`${clouda}_container_name`]: "clouda_container",
                [`${clouda}_blob_environment`]: `${clouda.toUpperCase()}CHINACLOUD`,
                [`${cloudb}_s3_bucket`]: "cloudb-s3",
                [`${cloudc}_service_account_key`]: "k",
                path_prefix: "clouda",
            };
            assert.deepEqual(sent("manager", { body: documented }).body, product);
            assert.deepEqual(received("manager", { data: product, warnings: null }).body, {
                data: documented,
                warnings: null,
            });
        });

        it("renames environments of the login method", () => {
            const body = { environment: "CloudAUSGovernmentCloud", tenant_id: "CloudAUSGovernmentCloud" };
            assert.deepEqual(sent("manager", { body }).body, {
                environment: `${Clouda}USGovernmentCloud`,
                tenant_id: "CloudAUSGovernmentCloud",
            });
            const data = { environment: `${Clouda}USGovernmentCloud` };
            assert.deepEqual(received("manager", { data }).body, { data: { environment: "CloudAUSGovernmentCloud" } });
            const other = { environment: "OtherCloud" };
            assert.deepEqual(sent("manager", { body: other }).body, other);
        });

        it("leaves what is inside of values alone", () => {
            const body = {
                alias_metadata: { clouda_team: "a", environment: "CloudAPublicCloud" },
                token_policies: ["clouda"],
            };
            assert.deepEqual(sent("manager", { body }).body, body);
        });

        it("lets through whatever an answer is", () => {
            for (const body of [
                undefined,
                null,
                "text",
                [],
                { errors: [] },
                { data: null },
                { data: { keys: ["a"] } },
            ]) {
                assert.deepEqual(received("manager", body).body, body);
            }
        });
    });

    describe("of volumes", () => {
        const flat = [{ rack: "r1" }, {}];
        const wrapped = [{ Segments: { rack: "r1" } }, { Segments: {} }];

        it("wraps topologies, and unwraps them", () => {
            const RequestedTopologies = { Required: flat, Preferred: [] };
            const body = {
                Volumes: [
                    { ID: "a", Topologies: flat, RequestedTopologies },
                    { ID: "b", RequestedTopologies: null },
                ],
            };
            const told = {
                Volumes: [
                    { ID: "a", Topologies: wrapped, RequestedTopologies: { Required: wrapped, Preferred: [] } },
                    { ID: "b", RequestedTopologies: null },
                ],
            };
            assert.deepEqual(sent("volumes", { body }).body, told);
            assert.deepEqual(received("volumes", { ID: "a", Topologies: wrapped }).body, { ID: "a", Topologies: flat });
            assert.deepEqual(received("volumes", [{ Topologies: [{ Segments: null }] }]).body, [{ Topologies: [{}] }]);
            assert.deepEqual(received("volumes", { Topologies: null }).body, { Topologies: null });
        });

        it("renames the plugin's version, the index, and errors of task events", () => {
            const event = (name: string) => ({
                Allocations: [{ TaskStates: { main: { Events: [{ [name]: "e", Type: "t" }] } } }],
            });
            const headers = { [`x-${scheduler}-index`]: "7" };
            const answer = received("volumes", { ProviderVersion: "1", ...event(`${Secrets}Error`) }, headers);
            assert.deepEqual(answer.body, { Version: "1", ...event("SecretsError") });
            assert.deepEqual(answer.headers, { "x-volumes-index": "7" });
        });

        it("adds the region, under the operation's own query", () => {
            assert.deepEqual(sent("volumes", { query: { namespace: "n" } }, "north").query, {
                region: "north",
                namespace: "n",
            });
            assert.deepEqual(sent("manager", { query: { namespace: "n" } }, "north").query, { namespace: "n" });
            assert.deepEqual(sent("volumes", { query: {} }, undefined).query, {});
        });

        it("lets through whatever an answer is", () => {
            for (const body of [
                undefined,
                "volume not found",
                [],
                [null, 1],
                { Allocations: [null, { TaskStates: null }] },
            ]) {
                assert.deepEqual(received("volumes", body).body, body);
            }
        });
    });

    describe("of state versions", () => {
        it("names the version to roll back to in both ways that servers know", () => {
            const source = { data: { type: "state-versions", id: "sv-1" } };
            const body = (relationships: object) => ({ data: { type: "state-versions", relationships } });
            assert.deepEqual(
                sent("stateVersions", { body: body({ "rollback-state-version": source }) }).body,
                body({ "rollback-state-version": source, "state-version": source }),
            );
            const run = body({ run: { data: { id: "run-1", type: "runs" } } });
            assert.deepEqual(sent("stateVersions", { body: run }).body, run);
        });

        it("renames the tool's version, of one record and of many", () => {
            const told = { id: "sv-1", attributes: { [`${tool}-version`]: "1.9.0", serial: 1 } };
            const documented = { id: "sv-1", attributes: { "tool-version": "1.9.0", serial: 1 } };
            assert.deepEqual(received("stateVersions", { data: told }).body, { data: documented });
            assert.deepEqual(received("stateVersions", { data: [told], meta: {} }).body, {
                data: [documented],
                meta: {},
            });
        });

        it("lets through whatever is no document", () => {
            for (const body of [undefined, "text", [1], { errors: [] }, { data: null }]) {
                assert.deepEqual(received("stateVersions", body).body, body);
                assert.deepEqual(sent("stateVersions", { body }).body, body);
            }
        });
    });
});
