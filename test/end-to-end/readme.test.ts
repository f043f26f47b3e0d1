/** The README's words, as a new user follows them: its commands and its program, exactly as they stand there. */

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

/** Runs a script as a shell would, one command after the other; stops at the first that fails. */
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

/** Starts the simulator and waits until it says that it listens. */
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

describe("the README", () => {
    it("has two commands, and CI runs both", () => {
        const commands = "npm start\nnpm test\n";
        assert.equal(blocks("sh")[0], commands);
        assert.ok(readFileSync(join(repository, ".ci", "run"), "utf8").includes(commands));
    });

    it("leads to a working stack by its own words", async () => {
        const [, start, configure, apply, ...rest] = blocks("sh");
        const [program] = blocks("ts");
        assert(start && configure && apply && program);
        assert.deepEqual(rest, [], "every command of the README is run here");
        assert(await isFree(8640), "the README's simulator needs port 8640, and something listens there");
        const stack = await workspace({ program: { source: program, language: "typescript" } });
        const running = await simulator(start.trim());
        try {
            const all = `pulumi stack select dev\n${configure}${apply}`;
            const { code, said } = await shell(all, stack.folder, { ...stack.environment, CI: "true" });
            assert.equal(code, 0, said);
            assert.match(said, /\+ 5 to create[\s\S]*\+ 5 created[\s\S]*5 unchanged[\s\S]*- 5 deleted/);
        } finally {
            if (running.pid !== undefined) process.kill(-running.pid, "SIGTERM");
            stack.dispose();
        }
    });
});
