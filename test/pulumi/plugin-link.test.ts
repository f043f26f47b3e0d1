import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linkPlugin } from "../../src/pulumi/plugin-link";
import { version } from "../../src/version";
import { withEnvironment } from "../http/support";
import { temporaryFolder } from "../support/temporary-folder";

describe("the link to the native plugin", () => {
    const linked = (PULUMI_HOME: string, note: (text: string) => void) =>
        withEnvironment({ PULUMI_HOME }, async () => linkPlugin(note));

    it("causes a note with advice if it cannot be written", async () => {
        const notes: string[] = [];
        assert.match(await linked(__filename, (text) => void notes.push(text)), /^\d+\.\d+\.\d+/);
        assert.equal(notes.length, 1);
        const [text = ""] = notes;
        assert.ok(text.includes(`${join(__filename, "plugins")}/resource-statecraft`), text);
        assert.match(text, /\(ENOTDIR\).*PULUMI_HOME.*\[plugin\]$/);
    });

    it("does not replace the plugin of an archive", async () => {
        const own = temporaryFolder();
        const folder = join(own, "plugins", `resource-statecraft-v${version}`);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "LICENSE"), "of the archive");
        await linked(own, assert.fail);
        assert.deepEqual(readdirSync(folder), ["LICENSE"]);
    });
});
