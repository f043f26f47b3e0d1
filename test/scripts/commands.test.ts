import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

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
        it("is told apart by its major number", async () => {
            const { nodeProblem } = await prepare();
            assert.equal(nodeProblem("v20.0.0"), undefined);
            assert.equal(nodeProblem("v26.1.0"), undefined);
            for (const version of ["v19.9.0", "v16.20.2", "v9.0.0"]) {
                assert.match(
                    nodeProblem(version) ?? "",
                    new RegExp(`^Node 20 or newer is needed, and this is ${version}`),
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
                assert.match(result.stderr, /^Node 20 or newer is needed, and this is v16\.20\.2: [^\n]+\n$/);
            });
        }
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
            describe("second", () => { describe("inner", () => { it("c", () => {}); }); it("d"); });`;

        for (const mode of [[], ["--parallel", "--jobs", "2"]]) {
            it(`counts a skipped test as a failure ${mode.length > 0 ? "in a parallel run" : "in a plain run"}`, async () => {
                const { counts, stdout, code } = await count(mixed, ...mode);
                assert.deepEqual(counts, { passed: 2, failed: 2 });
                assert.equal(code, 1);
                assert.match(stdout, /first: 1 passed, 1 FAILED/);
                assert.match(stdout, /second: 1 passed, 1 SKIPPED/);
                assert.match(stdout, /because/);
                assert.match(stdout, /skipped, which is not allowed: second › d/);
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
