import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inCommand } from "../../src/command/servers";
import { inProgram, inWords, step } from "../../src/core/steps";

describe("the steps in messages", () => {
    const ofProgram = /pulumi (up|refresh|state|destroy)|getStateVersions|triggers|timeouts|`lock|keepLocked/;

    it("have words for commands without a program and without a state", () => {
        const { subject: _, ...others } = step;
        const text = Object.entries(others).map(([name, named]) => named(name === "option" ? "keepLocked: true" : ""));
        assert.match(inWords(text.join("; "), inProgram), ofProgram);
        assert.doesNotMatch(inWords(text.join("; "), inCommand), ofProgram);
    });

    it("change nothing else, such as what a server says", () => {
        const said = "say \uE000constructor\uE001x\uE002, `pulumi up` and \uE000again";
        assert.equal(inWords(said, inCommand), said);
    });

    for (const folder of ["services/state-versions", "http"])
        it(`are named by every message of src/${folder}, which commands show too`, () => {
            const path = join(__dirname, "..", "..", "src", folder);
            const texts = readdirSync(path).map((file) => readFileSync(join(path, file), "utf8"));
            const code = texts.join("\n").replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, "");
            assert.doesNotMatch(code, /`pulumi (up|refresh|state delete)/);
        });
});
