import assert from "node:assert/strict";
import { documentedWord, productWord } from "../src/product-names";
import { withSimulator } from "./support/simulator";

type Word = Parameters<typeof productWord>[0];

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
            const config = await simulator.resource("AuthConfig").imported(`auth/${mount}/config`);
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
