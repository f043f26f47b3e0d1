import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definitions } from "../../src/services/definitions";
import { counts } from "./lives";

describe("random lives in all", () => {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);

    it("are a thousand at least, and no resource is without", () => {
        assert.deepEqual(Object.keys(counts).sort(), definitions.map(({ type }) => type).sort());
        assert(all >= 1000);
    });

    it("are as many as the documentation says", () => {
        const page = readFileSync(join(__dirname, "..", "..", "docs", "reliability.md"), "utf8").replace(/\s+/g, " ");
        const each = Object.entries(counts).map(([type, count]) => `\`${type}\` ${count}`);
        const sentence = `\`npm test\` leads ${all.toLocaleString("en-US")} of them: ${each.join(", ")}; half`;
        assert(page.includes(sentence), `docs/reliability.md should say: ${sentence}`);
    });
});
