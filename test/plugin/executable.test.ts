/** Runs the built executable with arguments of the engine and of users. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts the executable, and ends its standard input as a shell without a terminal does. */
function start(line: string) {
    const args = [require.resolve("../../dist/plugin/main"), ...line.split(" ").filter(Boolean)];
    const child = spawn(process.execPath, args, { env: { PATH: process.env["PATH"] } });
    const said = { out: "", complaints: "" };
    child.stdout.on("data", (text) => {
        said.out += text;
    });
    child.stderr.on("data", (text) => {
        said.complaints += text;
    });
    return { child, said };
}

describe("the executable", () => {
    for (const [line, code, said] of [
        ["histroy example/app --json", 2, /Did you mean history\?/],
        ["imprt --help", 2, /Did you mean import\?/],
        ["simulator --port 0", 2, /unknown command/],
        ["127.0.0.1:1 doctor", 2, /unknown command/],
        ["--what", 2, /unknown option/],
        ["--help", 0, /rollback/],
        ["--version", 0, /^pulumi-statecraft\/\d/],
    ] as const)
        it(`ends with ${code} for ${line}`, async () => {
            const { child, said: all } = start(line);
            child.stdin.end();
            assert.deepEqual(await once(child, "close"), [code, null]);
            assert.match(code === 0 ? all.out : all.complaints, said);
        });

    for (const line of ["", "127.0.0.1:1", "-v=3", "--logtostderr -v=9 --tracing http://127.0.0.1:1/a 127.0.0.1:1"])
        it(`serves with the arguments ${JSON.stringify(line)}`, async () => {
            const { child, said } = start(line);
            await once(child.stdout, "data");
            child.kill("SIGKILL");
            await once(child, "close");
            assert.match(said.out, /^\d+\n$/);
        });
});
