import assert from "node:assert/strict";
import { exec, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { commandNames } from "../../src/command/names";
import { startSimulator } from "../../src/simulator/server";
import { temporaryFolder } from "../support/temporary-folder";
import { describeSessions, statecraft } from "./support";

const shell = promisify(exec);
const run = promisify(execFile);

describe("statecraft", () => {
    it("--version shows the package and its version", async () => {
        const { code, out } = await statecraft(["--version"]);
        assert.equal(code, 0);
        assert.match(out, /^pulumi-statecraft\/\d/);
    });

    it("without a command ends with 2, and shows the commands", async () => {
        const { code, out, complaints } = await statecraft([]);
        assert.deepEqual([code, out], [2, ""]);
        assert.match(complaints, /^Usage: npx pulumi-statecraft/);
    });

    describeSessions("main", undefined, {});

    for (const name of [...commandNames, "simulator"])
        it(`${name} --help has an example that works`, async () => {
            const { out } = await statecraft([name, "--help"]);
            const [, example = ""] =
                /^ {2}npx pulumi-statecraft simulator -- npx pulumi-statecraft (.+)$/m.exec(out) ?? [];
            assert.match(out, /^Exit codes: 0/m);
            const main = resolve("dist/command/main.js");
            const cwd = temporaryFolder();
            const args = [main, "simulator", "--port", "0", "--", process.execPath, main, ...example.split(" ")];
            const { stdout } = await run(process.execPath, args, { cwd, env: { PATH: process.env["PATH"] } });
            assert.notEqual(stdout, "");
        });

    describe("simulator", () => {
        it("runs until a signal, with the simulator's flags", async () => {
            // A process of its own, because a signal ends it.
            const child = spawn(process.execPath, ["dist/command/main.js", "simulator", "--port", "0"]);
            const [out] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
            child.kill("SIGTERM");
            assert.deepEqual(await once(child, "exit"), [0, null]);
            assert.match(out, /^simulator listening on http:\/\/127\.0\.0\.1:\d+\n/);
            const [, address = ""] = /listening on (\S+)/.exec(out) ?? [];
            await assert.rejects(fetch(address));
        });

        it("ends with 1 if the port is in use", async () => {
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

    for (const line of ["doctor", "--help", "import --what 2>&1"]) {
        it(`${line} prints no stack if its output is closed early, and keeps its exit code`, async () => {
            const command = `"${process.execPath}" dist/command/main.js ${line}`;
            const script = `{ { ${command}; echo code $? >&3; } | true; } 3>&1`;
            const { stdout, stderr } = await shell(script, { env: { PATH: process.env["PATH"] } });
            assert.match(stdout, /^code [012]\n$/);
            assert.doesNotMatch(stderr, /EPIPE|^ +at /m);
        });
    }
});
