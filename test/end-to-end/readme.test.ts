/** Runs the README's commands and programs unchanged. The programs are the TypeScript projects of `examples`. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { workspace } from "../support/pulumi-cli";

const repository = resolve(__dirname, "..", "..");
const readme = readFileSync(join(repository, "README.md"), "utf8");
const blocks = (language: string) =>
    [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text);

/** Runs a shell script up to the first failure. */
function shell(
    script: string,
    cwd: string,
    env: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
    const child = spawn("bash", ["-ec", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (said += data.toString()));
    return new Promise((done) => child.on("close", (code) => done({ code, said })));
}

/** Starts the simulator and waits until it listens. */
function simulator(command: string): Promise<ChildProcess> {
    const child = spawn("bash", ["-c", `exec ${command}`], {
        cwd: repository,
        detached: true,
        stdio: ["ignore", "pipe", "inherit"],
    });
    return new Promise((done, failed) => {
        let said = "";
        child.stdout?.on("data", (data: Buffer) => {
            said += data.toString();
            if (said.includes("simulator listening on http://127.0.0.1:8640")) done(child);
        });
        child.on("close", () => failed(new Error(`the simulator ended: ${said}`)));
    });
}

function isFree(port: number): Promise<boolean> {
    return new Promise((done) => {
        const server = createServer()
            .once("error", () => done(false))
            .listen(port, "127.0.0.1", () => server.close(() => done(true)));
    });
}

const products = ["vault", "nomad", "terraform"];
const commands = "npm start\nnpm test\n";

describe("the README", () => {
    it("has two commands for a clone, and CI runs both", () => {
        assert(blocks("sh").includes(commands));
        assert(readFileSync(join(repository, ".ci", "run"), "utf8").includes(commands));
    });

    it("contains the programs of the projects in TypeScript", () => {
        const projects = products.map((product) => join(repository, "examples", `${product}-typescript`, "index.ts"));
        assert.deepEqual(
            blocks("ts"),
            projects.map((file) => readFileSync(file, "utf8")),
        );
    });

    it("leads to a working stack of each product", async () => {
        const [apply, start, set, ...rest] = blocks("sh");
        assert(apply && start && set);
        assert.deepEqual(rest, [commands], "every command of the README is run");
        assert(await isFree(8640), "the README's simulator needs port 8640, which is in use");
        const running = await simulator(start.trim());
        try {
            for (const product of products) {
                const program = { folder: `examples/${product}-typescript` };
                const stack = await workspace({ program });
                const env = { ...stack.environment, CI: "true", PULUMI_SKIP_CONFIRMATIONS: "true" };
                const { code, said } = await shell(`${set}${apply}pulumi destroy`, stack.folder, env);
                stack.dispose();
                assert.equal(code, 0, said);
                assert.match(said, /All well[\s\S]*\+ \d created[\s\S]*- \d deleted/);
            }
        } finally {
            if (running.pid !== undefined) process.kill(-running.pid, "SIGTERM");
        }
    });
});
