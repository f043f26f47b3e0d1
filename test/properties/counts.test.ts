import assert from "node:assert/strict";
import { definitions } from "../../src/services/definitions";
import { counts } from "./random-runs";

describe("random runs", () => {
    it("are led by every resource", () => {
        assert.deepEqual(Object.keys(counts).sort(), definitions.map(({ type }) => type).sort());
    });
});
