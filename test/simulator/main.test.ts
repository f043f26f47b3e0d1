/** The simulator as a command. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { main } from "../../src/simulator/main";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import { at, call } from "./requests";

const repository = resolve(__dirname, "..", "..");

/** Runs the command as `npm run simulator` does. */
function run(...args: string[]) {
    const command = ["-r", "./scripts/ts-node.cjs", join("src", "simulator", "main.ts"), ...args];
    const child = spawn(process.execPath, command, { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.setEncoding("utf8");
    child.stderr.setEncoding("utf8");
    return child;
}

describe("simulator: command", () => {
    let folder: string;
    let printed: string;
    const print = console.log;
    const running: RunningSimulator[] = [];
    before(() => {
        folder = mkdtempSync(join(tmpdir(), "simulator-"));
    });
    beforeEach(() => {
        printed = "";
    });
    afterEach(async () => {
        for (const simulator of running.splice(0)) await simulator.close();
    });
    after(() => rmSync(folder, { recursive: true }));

    /** Runs the command within this process. */
    const start = async (...args: string[]) => {
        console.log = (text: string) => {
            printed += `${text}\n`;
        };
        try {
            const simulator = await main(args);
            running.push(simulator);
            return simulator;
        } finally {
            console.log = print;
        }
    };

    it("prints its address first, and then how to point a stack at it", async () => {
        const { url } = await start("--port", "0");
        assert.equal(
            printed,
            [
                `simulator listening on ${url}`,
                "Its objects are in memory and end with this process.",
                "Point a stack at it:",
                `    pulumi config set --path 'statecraft:manager.address' ${url}`,
                `    pulumi config set --path 'statecraft:volumes.address' ${url}`,
                `    pulumi config set --path 'statecraft:stateVersions.address' ${url}/api/v2`,
                "Tokens: any text will do.",
                "",
            ].join("\n"),
        );
    });

    it("serves the demonstration unless it is to begin empty", async () => {
        const path = "/api/v2/workspaces/ws-1/current-state-version";
        const headers = { authorization: "Bearer anything" };
        const full = await start("--port", "0");
        assert.equal(at((await call("GET", full.url + path, { headers })).json, "data", "id"), "sv-4");
        const empty = await start("--port", "0", "--empty");
        assert.equal((await call("GET", empty.url + path, { headers })).status, 404);
    });

    it("keeps its objects in a file", async () => {
        const file = join(folder, "world.json");
        const first = await start("--port", "0", "--data", file);
        assert.ok(printed.includes(`Its objects are in the file ${file}.\n`));
        const headers = { "x-secrets-token": "any" };
        await call("POST", `${first.url}/v1/auth/clouda/role/web`, { headers });
        await first.close();
        const second = await start("--port", "0", "--data", file);
        assert.equal(second.id, first.id);
        assert.equal((await call("GET", `${second.url}/v1/auth/clouda/role/web`, { headers })).status, 200);
    });

    it("knows only the tokens given", async () => {
        const { url } = await start("--port", "0", "--token", "t-1", "--token", "t-2");
        assert.match(printed, /Tokens: only the 2 given with --token\.\n$/);
        assert.deepEqual(at((await call("GET", `${url}/simulator/state`)).json, "tokens"), [
            { token: "t-1", kind: "user", id: "user-1" },
            { token: "t-2", kind: "user", id: "user-2" },
        ]);
        const write = async (token: string) =>
            (await call("POST", `${url}/v1/auth/clouda/role/web`, { headers: { "x-secrets-token": token } })).status;
        assert.deepEqual([await write("other"), await write("t-2")], [403, 204]);
    });

    it("takes other tokens, or any, when it is called again without those", async () => {
        const file = join(folder, "tokens.json");
        const write = async ({ url }: RunningSimulator, token: string) =>
            (await call("POST", `${url}/v1/auth/clouda/role/web`, { headers: { "x-secrets-token": token } })).status;
        const first = await start("--port", "0", "--data", file, "--token", "old");
        await first.close();
        const second = await start("--port", "0", "--data", file);
        assert.match(printed, /Tokens: any text will do\.\n$/);
        assert.equal(await write(second, "other"), 204);
        const tokens = [{ token: "seeded", kind: "user", id: "user-9" }];
        await call("POST", `${second.url}/simulator/seed`, { body: { tokens } });
        await second.close();
        const third = await start("--port", "0", "--data", file);
        assert.match(printed, /Tokens: only the one that the seeds hold\.\n$/);
        await third.close();
        const fourth = await start("--port", "0", "--data", file, "--token", "a", "--token", "b");
        assert.match(printed, /Tokens: only the 2 given with --token and the one that the seeds hold\.\n$/);
        assert.deepEqual([await write(fourth, "old"), await write(fourth, "seeded")], [403, 204]);
    });

    it("refuses bad flags in one sentence", async () => {
        const cases: [string[], RegExp][] = [
            [["--port", "many"], /^--port must be a number from 0 to 65535, not "many" \(npm run simulator .*\)$/],
            [["--port", "65536"], /^--port must be a number/],
            [["--port"], /^Option '--port <value>' argument missing \(.*\)$/],
            [["--token", ""], /^--token must not be empty \(.*\)$/],
            [["--data", ""], /^--data must not be empty \(.*\)$/],
            [["--empty=yes"], /^Option '--empty' does not take an argument \(.*\)$/],
            [["extra"], /^Unexpected argument 'extra'\. This command does not take positional arguments \(.*\)$/],
        ];
        for (const [args, message] of cases) await assert.rejects(start(...args), { message, exitCode: 2 });
    });

    it("says in one sentence why it cannot start", async () => {
        const other = await startSimulator();
        running.push(other);
        const { port } = new URL(other.url);
        await assert.rejects(start("--port", port), {
            message: `port ${port} is in use: choose another one with --port`,
            exitCode: 1,
        });
        await assert.rejects(start("--port", "0", "--data", folder), { message: /EISDIR/, exitCode: 1 });
    });

    it("ends cleanly on a signal, and with 2 on bad flags", async () => {
        const wrong = run("--nonsense");
        let complaint = "";
        wrong.stderr.on("data", (text) => {
            complaint += text;
        });
        const refused = once(wrong, "close");
        const right = run("--port", "0");
        const [greeting] = await once(right.stdout, "data");
        assert.match(String(greeting), /^simulator listening on http:\/\/127\.0\.0\.1:\d+\n/);
        const stopped = once(right, "close");
        right.kill("SIGTERM");
        assert.deepEqual(await stopped, [0, null]);
        assert.deepEqual(await refused, [2, null]);
        assert.match(complaint, /^simulator: Unknown option '--nonsense' \(npm run simulator .*\)\n$/);
    });
});
