import assert from "node:assert/strict";
import { definitions } from "../../src/services/definitions";
import { counts } from "./lives";

describe("random lives in all", () => {
    it("are a thousand at least, and no resource is without", () => {
        assert.deepEqual(Object.keys(counts).sort(), definitions.map(({ type }) => type).sort());
        assert(Object.values(counts).reduce((sum, count) => sum + count, 0) >= 1000);
    });
});
