import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linkPlugin } from "../../src/pulumi/plugin-link";
import { version } from "../../src/version";
import { temporaryFolder } from "../support/temporary-folder";

describe("the link to the native plugin", () => {
    const home = process.env["PULUMI_HOME"];
    after(() => {
        if (home === undefined) delete process.env["PULUMI_HOME"];
        else process.env["PULUMI_HOME"] = home;
    });

    it("causes a note with advice if it cannot be written", () => {
        process.env["PULUMI_HOME"] = __filename;
        const notes: string[] = [];
        assert.match(
            linkPlugin((text) => notes.push(text)),
            /^\d+\.\d+\.\d+/,
        );
        assert.equal(notes.length, 1);
        const [text = ""] = notes;
        assert.ok(text.includes(`${join(__filename, "plugins")}/resource-statecraft`), text);
        assert.match(text, /\(ENOTDIR\).*PULUMI_HOME.*\[plugin\]$/);
    });

    it("does not replace the plugin of an archive", () => {
        const own = temporaryFolder();
        process.env["PULUMI_HOME"] = own;
        const folder = join(own, "plugins", `resource-statecraft-v${version}`);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "LICENSE"), "of the archive");
        linkPlugin(assert.fail);
        assert.deepEqual(readdirSync(folder), ["LICENSE"]);
    });
});
