import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const repository = resolve(__dirname, "..", "..");
const processes = () => import("../../scripts/processes.mjs");
const prepare = () => import("../../scripts/prepare.mjs");

describe("scripts: the commands", () => {
    let root: string;

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "statecraft-commands-"));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    describe("a Node that is too old", () => {
        it("is told apart by its number", async () => {
            const { nodeProblem } = await prepare();
            assert.equal(nodeProblem("v20.3.0"), undefined);
            assert.equal(nodeProblem("v26.1.0"), undefined);
            for (const version of ["v20.2.0", "v19.9.0", "v16.20.2", "v9.0.0"]) {
                assert.match(
                    nodeProblem(version) ?? "",
                    new RegExp(`^Node 20\\.3 or newer is needed, and this is ${version}`),
                );
            }
        });

        for (const command of ["start", "test"]) {
            it(`ends npm ${command} with one sentence`, async () => {
                const { run } = await processes();
                const pretend = join(root, "pretend.cjs");
                writeFileSync(pretend, 'Object.defineProperty(process, "version", { value: "v16.20.2" });');
                const script = join(repository, "scripts", `${command}.mjs`);
                const result = await run(process.execPath, ["--require", pretend, script]);
                assert.equal(result.code, 1);
                assert.equal(result.stdout, "");
                assert.match(result.stderr, /^Node 20\.3 or newer is needed, and this is v16\.20\.2: [^\n]+\n$/);
            });
        }
    });

    it("installs the packages before it builds, also where npm packs a fresh clone", async () => {
        const { run } = await processes();
        cpSync(join(repository, "scripts"), join(root, "scripts"), { recursive: true });
        const npm = join(root, "npm-cli.js");
        writeFileSync(npm, "console.log(process.argv[2]); process.exitCode = 1;");
        const env = { ...process.env, npm_execpath: npm };
        const result = await run(process.execPath, [join(root, "scripts", "build.mjs")], { env });
        assert.equal(result.code, 1);
        assert.match(`${result.stdout}${result.stderr}`, /^ci$.*packages could not be installed/ms);
    });

    describe("without a Pulumi CLI, and nothing that could get one", () => {
        before(async function () {
            this.timeout(0);
            await (await prepare()).ensureBuilt();
        });

        for (const [command, ...args] of [["start"], ["test", "test/end-to-end/packages.test.ts"]] as const) {
            it(`ends npm ${command} with one sentence`, async () => {
                const { run } = await processes();
                const pretend = join(root, "pretend.cjs");
                writeFileSync(
                    pretend,
                    `const processes = require("node:child_process");
                    const { spawn } = processes;
                    processes.spawn = (_command, ...rest) => spawn("/there/is/nothing", ...rest);
                    require("node:module").syncBuiltinESMExports();`,
                );
                const script = join(repository, "scripts", `${command}.mjs`);
                const env = { ...process.env, HOME: root };
                const { code, stderr } = await run(process.execPath, ["--require", pretend, script, ...args], { env });
                assert.match(
                    stderr,
                    /^There is no Pulumi CLI 3\.150 or newer here, and its installer failed [^\n]+\n$/,
                );
                assert.equal(code, 1);
            });
        }
    });

    describe("npm start, with a program in the place of the Pulumi CLI", () => {
        before(async function () {
            this.timeout(0);
            await (await prepare()).ensureBuilt();
        });
        let child: ChildProcess;
        // Nothing is left to end, unless a test has failed.
        afterEach(() => {
            if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
        });

        /** Starts it as a terminal does, in a group of processes of its own. `preview` is what the CLI does then, in shell. */
        function start(preview: string) {
            const bin = join(root, "bin");
            mkdirSync(bin);
            const cli = `case "$1" in version) echo v3.200.0;; preview) ${preview};; esac`;
            const programs = { pulumi: cli, "pulumi-language-nodejs": "", "pulumi-resource-pulumi-nodejs": "" };
            for (const [name, lines] of Object.entries(programs)) {
                writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`);
                chmodSync(join(bin, name), 0o755);
            }
            const started = spawn(process.execPath, [join(repository, "scripts", "start.mjs")], {
                env: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) },
                detached: true,
                stdio: ["ignore", "pipe", "pipe"],
            });
            child = started;
            const said = { stdout: "", stderr: "" };
            started.stderr.on("data", (data: Buffer) => (said.stderr += data.toString()));
            const ended = once(started, "close").then(([code]: unknown[]) => code);
            /** Waits until this has been said. */
            const hears = (text: RegExp) =>
                new Promise<RegExpExecArray>((heard, failed) => {
                    started.stdout.on("data", (data: Buffer) => {
                        said.stdout += data.toString();
                        const match = text.exec(said.stdout);
                        if (match) heard(match);
                    });
                    void ended.then(() => failed(new Error(`it ended first: ${said.stdout}${said.stderr}`)));
                });
            return { said, ended, hears };
        }

        /** Nothing listens any more where the simulator did. */
        async function simulatorIsGone(stdout: string) {
            const [address = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout) ?? [];
            await assert.rejects(fetch(address), /fetch failed/);
        }

        it("leaves nothing behind after Ctrl-C", async () => {
            // Like the real one, it does not end at once.
            const { said, ended, hears } = start('trap "" INT; sleep 60 & echo "$! works in $PWD."; wait');
            const [, pid, folder = ""] = await hears(/^(\d+) works in (.+)\.$/m);
            assert(existsSync(folder));
            assert(child.pid);
            process.kill(-child.pid, "SIGINT");
            assert.equal(await ended, 130);
            assert.equal(said.stderr, "\nStopping and cleaning up.\n");
            assert(!existsSync(folder), "its folder is still there");
            const { alive } = await processes();
            assert(!alive(Number(pid)) || isZombie(Number(pid)), "what the CLI started is still running");
            await simulatorIsGone(said.stdout);
        });

        it("says which act did not go as told, keeps what was written, and fails", async () => {
            const { said, ended, hears } = start("exit 3");
            const [, folder = ""] = await hears(/^What was written is kept in (.+)$/m);
            try {
                assert.equal(await ended, 1);
                assert.match(said.stdout, /^ {2}as told {2}stack /m);
                assert.match(said.stdout, /^ {2}NOT as told {2}preview: pulumi preview ended with code 3$/m);
                assert(existsSync(join(folder, "Pulumi.yaml")));
                await simulatorIsGone(said.stdout);
            } finally {
                rmSync(folder, { recursive: true });
            }
        });
    });

    describe("counting", () => {
        async function count(source: string, ...args: string[]) {
            const { run } = await processes();
            const [file, counts] = [join(root, "some.test.js"), join(root, "counts.json")];
            writeFileSync(file, source);
            const reporter = join(repository, "scripts", "reporter.cjs");
            const mocha = join(repository, "node_modules", "mocha", "bin", "mocha.js");
            const all = [mocha, "--no-config", "--no-package", "--reporter", reporter];
            const result = await run(process.execPath, [
                ...all,
                "--reporter-option",
                `counts=${counts}`,
                ...args,
                file,
            ]);
            return { ...result, counts: JSON.parse(readFileSync(counts, "utf8")) as unknown };
        }

        const mixed = `describe("first", () => { it("a", () => {}); it("b", () => { throw new Error("because"); }); });
            describe("second", () => { describe("inner", () => { it("c", () => {}); }); it("d"); });
            describe("third", () => { it("e [left out: no such host]"); });`;

        for (const mode of [[], ["--parallel", "--jobs", "2"]]) {
            it(`counts a skipped test as a failure, and one that this machine cannot run as neither ${mode.length > 0 ? "in a parallel run" : "in a plain run"}`, async () => {
                const { counts, stdout, code } = await count(mixed, ...mode);
                assert.deepEqual(counts, { passed: 2, failed: 2 });
                assert.equal(code, 1);
                assert.match(stdout, /first: 1 passed, 1 FAILED/);
                assert.match(stdout, /second: 1 passed, 1 SKIPPED/);
                assert.match(stdout, /because/);
                assert.match(stdout, /skipped, which is not allowed: second › d/);
                assert.match(stdout, /pending: third › e \[left out: no such host\]/);
            });
        }

        it("counts a hook that fails", async () => {
            const source = `describe("first", () => { before(() => { throw new Error("early"); }); it("a", () => {}); });`;
            assert.deepEqual((await count(source)).counts, { passed: 0, failed: 1 });
        });

        it("counts what passes", async () => {
            const { counts, code } = await count(`describe("x", () => { it("a", () => {}); it("b", () => {}); });`);
            assert.deepEqual(counts, { passed: 2, failed: 0 });
            assert.equal(code, 0);
        });
    });

    describe("processes", () => {
        it("are ended with all that they started, by their ids", async () => {
            const { alive, descendants, endProcesses } = await processes();
            // A child that ignores the polite signal, with a child of its own.
            const parent = spawn("/bin/sh", ["-c", "trap '' TERM; sleep 60 & sleep 60; sleep 60"], { stdio: "ignore" });
            const pid = parent.pid ?? 0;
            const closed = new Promise((resolveClosed) => parent.once("close", resolveClosed));
            while (descendants(pid).length < 2) await new Promise((wait) => setTimeout(wait, 20));
            const tree = [pid, ...descendants(pid)];
            await endProcesses([pid], 300);
            await closed;
            // The grandchildren belong to nobody now and vanish when the system collects them.
            const until = Date.now() + 5000;
            while (tree.some((one) => alive(one) && !isZombie(one)) && Date.now() < until) {
                await new Promise((wait) => setTimeout(wait, 20));
            }
            assert.deepEqual(
                tree.filter((one) => alive(one) && !isZombie(one)),
                [],
            );
        });

        it("that take too long are ended and reported as late", async () => {
            const { run } = await processes();
            assert.equal((await run("/bin/sh", ["-c", "sleep 60"], { limit: 200 })).code, 124);
        });

        it("that cannot be started are an outcome, not an exception", async () => {
            const { run } = await processes();
            assert.equal((await run(join(root, "nothing"), [])).code, 127);
        });
    });
});

/** Where nobody collects orphans (a container without init) they stay as names without a process. */
function isZombie(pid: number): boolean {
    try {
        return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
        return false;
    }
}
