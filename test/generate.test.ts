import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argsSource } from "../scripts/generate";

describe("the generated arguments", () => {
    it("in src/args.ts are what the definitions say; `npm run generate` writes them", () => {
        assert.equal(readFileSync(join(__dirname, "..", "src", "args.ts"), "utf8"), argsSource());
    });
});
