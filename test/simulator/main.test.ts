/** The simulator as a command. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { main } from "../../src/simulator/main";
import type { RunningSimulator } from "../../src/simulator/server";
import { exchangesAt } from "./exchanges";

/** Runs the command as `npm run simulator` does. */
function run(...args: string[]) {
    const command = ["-r", "./scripts/ts-node.cjs", join("src", "command", "main.ts"), "simulator", ...args];
    const cwd = resolve(__dirname, "..", "..");
    return spawn(process.execPath, command, { cwd, stdio: ["ignore", "pipe", "pipe"] });
}

describe("simulator: command", () => {
    const folder = mkdtempSync(join(tmpdir(), "simulator-"));
    const running: RunningSimulator[] = [];
    afterEach(async () => {
        for (const simulator of running.splice(0)) await simulator.close();
    });
    after(() => rmSync(folder, { recursive: true }));

    /** Runs the command within this process. */
    const start = async (...args: string[]) => {
        const printed: string[] = [];
        const simulator = await main(args, (text) => printed.push(text));
        running.push(simulator);
        const send = exchangesAt(simulator.url, { below: "/v1/auth/clouda/" });
        return { ...simulator, printed: printed.join("\n"), send };
    };

    it("prints its address first, and then how to point a stack at it", async () => {
        const { url, printed } = await start("--port", "0");
        assert.equal(
            printed,
            [
                `simulator listening on ${url}`,
                "Its objects are in memory and end with this process.",
                "Point a stack at it:",
                `    pulumi config set --path 'statecraft:manager.address' ${url}`,
                `    pulumi config set --path 'statecraft:volumes.address' ${url}`,
                `    pulumi config set --path 'statecraft:stateVersions.address' ${url}`,
                "Tokens: any text is accepted.",
            ].join("\n"),
        );
    });

    it("serves the demonstration unless it is to begin empty", async () => {
        const current = "GET /api/v2/workspaces/ws-1/current-state-version | authorization: Bearer any";
        await (await start("--port", "0")).send`${current} -> 200 {"data": {"id": "sv-4"}}`;
        await (await start("--port", "0", "--empty")).send`${current} -> 404`;
    });

    it("keeps its objects in a file, and takes other tokens, or any, when it is called again without those", async () => {
        const again = async (...tokens: string[]) => {
            await running.pop()?.close();
            return start("--port", "0", "--data", join(folder, "world.json"), ...tokens);
        };
        const first = await again("--token", "old");
        assert.ok(
            first.printed.includes(`Its objects are in the file ${join(folder, "world.json")}, secrets in clear.\n`),
        );
        assert.match(first.printed, /Tokens: 1 known, others are refused\.$/);
        await first.send`POST role/web | x-secrets-token: old -> 204`;
        const second = await again();
        await second.send`GET role/web | x-secrets-token: other -> 200`;
    });

    it("speaks the product's names, and names their keys", async () => {
        const { printed, send } = await start("--port", "0", "--names", "product");
        assert.match(printed, /statecraft:vault\.address.*statecraft:nomad\.address.*statecraft:terraform\.address/s);
        await send`GET /v1/auth/azure/role/web | x-vault-token: any -> 404 {"errors": []}`;
    });

    for (const [args, message] of [
        [["--port", "many"], /^--port must be a number from 0 to 65535, not "many" \(npx statecraft simulator .*\)$/],
        [["--port", "65536"], /^--port must be a number/],
        [["--port"], /^Option '--port <value>' argument missing \(.*\)$/],
        [["--token", ""], /^--token must not be empty \(.*\)$/],
        [["--data", ""], /^--data must not be empty \(.*\)$/],
        [["--names", "brand"], /^--names must be documents or product, not "brand"/],
        [["--empty=yes"], /^Option '--empty' does not take an argument \(.*\)$/],
        [["extra"], /^Unexpected argument 'extra'\. This command does not take positional arguments \(.*\)$/],
    ] as const) {
        it(`refuses ${args.join(" ")} in one sentence`, () => assert.rejects(start(...args), { message, exitCode: 2 }));
    }

    it("says in one sentence why it cannot start", async () => {
        const { port } = new URL((await start("--port", "0")).url);
        const message = `port ${port} is in use: choose another one with --port`;
        await assert.rejects(start("--port", port), { message, exitCode: 1 });
        await assert.rejects(start("--port", "0", "--data", folder), { message: /EISDIR/, exitCode: 1 });
    });

    it("ends cleanly on a signal, and with 2 on bad flags", async () => {
        const wrong = run("--nonsense");
        const refused = once(wrong, "close");
        const complaint = textOf(wrong.stderr);
        const right = run("--port", "0");
        const [greeting] = await once(right.stdout, "data");
        assert.match(String(greeting), /^simulator listening on http:\/\/127\.0\.0\.1:\d+\n/);
        const stopped = once(right, "close");
        right.kill("SIGTERM");
        assert.deepEqual(await stopped, [0, null]);
        assert.deepEqual(await refused, [2, null]);
        assert.match(await complaint, /^statecraft: Unknown option '--nonsense' \(npx statecraft simulator .*\)\n$/);
    });
});
