/** The generated files match the definitions. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generated } from "../scripts/generate";

describe("the generated files", () => {
    for (const [path, text] of Object.entries(generated())) {
        it(`${path} equals the output of \`npm run generate\``, () => {
            assert.ok(readFileSync(join(__dirname, "..", path), "utf8") === text, "run `npm run generate`");
        });
    }
});
