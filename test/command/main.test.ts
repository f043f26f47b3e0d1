import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "../../src/simulator/server";
import { statecraft } from "./support";

const root = join(__dirname, "..", "..");

describe("statecraft", () => {
    it("is the package's command: its file is built from one that says who runs it", () => {
        const { bin, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
        assert.deepEqual(bin, {
            "pulumi-resource-statecraft": "dist/plugin/main.js",
            statecraft: "dist/command/main.js",
        });
        assert.match(version, /^\d/);
        const source = join(root, bin.statecraft.replace("dist/", "src/").replace(".js", ".ts"));
        assert.ok(existsSync(source));
        assert.equal(readFileSync(source, "utf8").split("\n")[0], "#!/usr/bin/env node");
    });

    for (const args of [["--help"], ["help"], ["doctor", "--help"], ["simulator", "--help"]]) {
        it(`${args.join(" ")} says what it can do`, async () => {
            const { code, out } = await statecraft(args);
            assert.equal(code, 0);
            assert.match(out, /npx statecraft doctor \[vault\]/);
            assert.match(out, /npx statecraft simulator \[--port N\]/);
        });
    }

    it("--version names the package", async () => {
        const { code, out } = await statecraft(["--version"]);
        assert.equal(code, 0);
        assert.match(out, /^pulumi-statecraft\/\d/);
    });

    for (const args of [[], ["docter"]]) {
        it(`${JSON.stringify(args)} ends with 2, and says how it is used`, async () => {
            const { code, out, complaints } = await statecraft(args);
            assert.deepEqual([code, out], [2, ""]);
            assert.match(complaints, /^statecraft: .*\nUsage:\n/);
        });
    }

    describe("simulator", () => {
        it("runs until it is stopped, with the simulator's own flags", async () => {
            const args = ["simulator", "--port", "0"];
            const { code, out } = await statecraft(args, {}, () => process.emit("SIGTERM"));
            assert.equal(code, 0);
            assert.match(out, /^simulator listening on http:\/\/127\.0\.0\.1:\d+\n/);
            const [, address = ""] = /listening on (\S+)/.exec(out) ?? [];
            await assert.rejects(fetch(address));
        });

        it("ends with 2 for flags that make no sense, and says how it is used", async () => {
            const { code, complaints } = await statecraft(["simulator", "--port", "many"]);
            assert.equal(code, 2);
            assert.match(complaints, /--port must be a number .* \(npx statecraft simulator \[--port N\]/);
        });

        it("ends with 1 where the port is taken", async () => {
            const other = await startSimulator();
            try {
                const { code, complaints } = await statecraft(["simulator", "--port", new URL(other.url).port]);
                assert.equal(code, 1);
                assert.match(complaints, /port \d+ is in use/);
            } finally {
                await other.close();
            }
        });
    });
});
