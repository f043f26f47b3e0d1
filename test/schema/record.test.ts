import assert from "node:assert/strict";
import * as z from "zod";
import { listOf } from "../../src/schema/property-types";

describe("a list in an answer", () => {
    let checked = 0;
    const item = z.custom((value) => {
        checked += 1;
        return value !== "wrong";
    });

    it("is refused at its first wrong item, without a look at the others", () => {
        assert.equal(listOf(item).safeParse(["right", "wrong", ...Array(100).fill("wrong")]).success, false);
        assert.equal(checked, 2);
    });
});
