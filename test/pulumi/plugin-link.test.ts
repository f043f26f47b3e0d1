import assert from "node:assert/strict";
import { join } from "node:path";
import { linkPlugin } from "../../src/pulumi/plugin-link";

describe("the link to the native plugin", () => {
    const home = process.env["PULUMI_HOME"];
    after(() => {
        if (home === undefined) delete process.env["PULUMI_HOME"];
        else process.env["PULUMI_HOME"] = home;
    });

    it("that cannot be written is told, with what to do, and fails nothing", () => {
        process.env["PULUMI_HOME"] = __filename;
        const told: string[] = [];
        assert.match(
            linkPlugin((text) => told.push(text)),
            /^\d+\.\d+\.\d+/,
        );
        assert.equal(told.length, 1);
        const [text = ""] = told;
        assert.ok(text.includes(`${join(__filename, "plugins")}/resource-statecraft`), text);
        assert.match(text, /\(ENOTDIR\).* Pulumi\.yaml, or set PULUMI_HOME/);
    });
});
