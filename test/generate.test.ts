/** The generated files follow from the definitions. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generated } from "../scripts/generate";

describe("the generated files", () => {
    for (const [path, text] of Object.entries(generated())) {
        it(`${path} is as \`npm run generate\` writes it`, () => {
            assert.ok(readFileSync(join(__dirname, "..", path), "utf8") === text);
        });
    }
});
