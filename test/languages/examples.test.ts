/** The examples in Python, Go and YAML are what `npm run examples` writes. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeExamples } from "../../scripts/examples";
import { generatedLanguages } from "../../scripts/program-texts";
import { readied } from "./life";

/** The programs of all languages below a folder, by their paths. */
function programsIn(folder: string): Record<string, string> {
    const paths = generatedLanguages.flatMap(({ tag }) =>
        readdirSync(join(folder, tag)).map((file) => join(tag, file)),
    );
    return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

describe("the examples in other languages", () => {
    it("are what `npm run examples` writes", async function () {
        const folder = mkdtempSync(join(tmpdir(), "statecraft-examples-"));
        try {
            await readied(this, () => writeExamples(folder));
            assert.deepEqual(programsIn(join(__dirname, "..", "..", "examples")), programsIn(folder));
        } finally {
            rmSync(folder, { recursive: true, force: true });
        }
    });
});
