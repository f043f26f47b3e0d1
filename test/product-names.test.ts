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

        it("are those of drift", async () => {
            const config = await simulator
                .resource("AuthConfig")
                .deployed({ ...required, environment: "CloudAUSGovernmentCloud" });
            await simulator.outside("POST", path, { environment: china });
            assert.deepEqual(await config.refresh(), ["environment"]);
            assert.equal(config.outputs()["environment"], china);
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
