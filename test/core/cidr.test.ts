import assert from "node:assert/strict";
import { isEverywhere } from "../../src/schema/cidr";

describe("CIDR blocks leave nobody out", () => {
    for (const blocks of [
        ["0.0.0.0/0"],
        ["10.0.0.0/0"],
        ["255.255.255.255/00"],
        ["::/0"],
        ["0::/0"],
        ["0:0:0:0:0:0:0:0/0"],
        ["2001:db8::1/0"],
        ["::ffff:0.0.0.0/96"],
        ["::FFFF:0:0/96"],
        ["10.0.0.0/8", "0.0.0.0/0"],
        ["0.0.0.0/1", "128.0.0.0/1"],
        ["128.0.0.0/1", "10.0.0.0/8", "0.0.0.0/2", "64.0.0.0/2"],
        ["::/1", "8000::/1"],
    ]) {
        it(`where they are ${blocks.join(", ")}`, () => assert.equal(isEverywhere(blocks), true));
    }

    for (const blocks of [
        [],
        ["10.0.0.0/8"],
        ["0.0.0.0/1"],
        ["0.0.0.0/1", "0.0.0.0/1", "0.0.0.0/2"],
        ["0.0.0.0/1", "128.0.0.0/2"],
        ["0.0.0.0/1", "8000::/1"],
        ["0.0.0.0"],
        ["::/1"],
        ["::/96"],
        ["::ffff:10.0.0.0/104"],
        ["junk/0", "/0", ""],
    ]) {
        it(`but not where they are ${JSON.stringify(blocks)}`, () => assert.equal(isEverywhere(blocks), false));
    }
});
