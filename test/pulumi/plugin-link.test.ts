import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkPlugin } from "../../src/pulumi/plugin-link";

describe("the link to the native plugin", () => {
    const home = process.env["PULUMI_HOME"];
    after(() => {
        if (home === undefined) delete process.env["PULUMI_HOME"];
        else process.env["PULUMI_HOME"] = home;
    });

    it("is the only file in a new folder", () => {
        const root = mkdtempSync(join(tmpdir(), "statecraft-link-"));
        try {
            process.env["PULUMI_HOME"] = join(root, "home");
            const notes: string[] = [];
            const version = linkPlugin((text) => notes.push(text));
            const folder = join(root, "home", "plugins", `resource-statecraft-v${version}`);
            assert.deepEqual([notes, readdirSync(folder).length], [[], 1]);
        } finally {
            rmSync(root, { recursive: true });
        }
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
});
