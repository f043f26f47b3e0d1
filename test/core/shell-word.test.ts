/** Tests that a shell reads a quoted text as one word. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { shellWord } from "../../src/core/steps";

describe("a word of a command in a message", () => {
    for (const text of [
        "",
        "data[0]",
        "a b",
        "it's",
        "$(id)`id`",
        "x;id|id&",
        "https://nomad.test/?region=eu",
        "~",
        "*",
    ]) {
        it(`is ${JSON.stringify(text)} again in a shell`, () => {
            assert.equal(execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" }), text);
        });
    }

    it("is not quoted if a shell changes none of its characters", () => {
        const word = "team-a@auth/azure/role/web_1.x:y";
        assert.equal(shellWord(word), word);
    });
});
