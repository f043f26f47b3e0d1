/** Records the README's picture again. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { draw, record } from "../../scripts/picture";

/** The lines of a picture, with sorted diagnostics: the engine prints the messages of one resource in the order in which they happen to arrive. */
function linesIn(svg: string): readonly string[] {
    const lines = (svg.match(/<text.*<\/text>/g) ?? []).map((text) => text.replace(/<[^>]*>/g, ""));
    const [from, to] = [lines.indexOf("Diagnostics:"), lines.indexOf("Outputs:")];
    assert(0 < from && from < to);
    return [...lines.slice(0, from), ...lines.slice(from, to).sort(), ...lines.slice(to)];
}

describe("the README's picture", () => {
    it("shows what the commands print, as `npm run picture` records it", async () => {
        const picture = readFileSync(join(__dirname, "..", "..", "docs", "history.svg"), "utf8");
        assert.deepEqual(linesIn(picture), linesIn(draw(await record())));
    });
});
