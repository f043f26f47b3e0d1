/** Runs each command for a user whose id has no name and no home folder, as in a container with another user id than that of its image. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CommandName } from "../../src/command/names";
import { demonstration } from "../../src/simulator/demonstration";
import { withSimulator } from "../support/simulator";
import { productVariables } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";

const run = promisify(execFile);

const commands: Readonly<Record<CommandName | "simulator", string>> = {
    doctor: "doctor --rollback example/app",
    history: "history example/app",
    import: "import",
    lock: "lock example/app",
    rollback: "rollback example/app sv-3 --yes",
    simulator: "simulator --port 0 -- true",
    unlock: "unlock example/app --yes",
};

describe("a user without a name and a home folder", () => {
    const simulator = withSimulator(demonstration);
    const folder = temporaryFolder();

    // Only root can become such a user. For any other user, the process gets what Node throws for it.
    const preload = join(folder, "nameless.cjs");
    writeFileSync(
        preload,
        `const os = require("node:os");
        os.userInfo = os.homedir = () => { throw new Error("ENOENT: no such file or directory, uv_os_get_passwd"); };`,
    );
    const root = process.getuid?.() === 0;
    const options = root ? { uid: 54321, gid: 54321, cwd: "/" } : {};
    const flags = root ? [] : ["--require", preload];

    for (const [name, line] of Object.entries(commands))
        for (const main of name === "simulator" ? ["command"] : ["command", "plugin"])
            it(`runs ${name} of dist/${main}`, async () => {
                const file = require.resolve(`../../dist/${main}/main`);
                const variables = name === "simulator" ? {} : productVariables(simulator);
                const env = { PATH: process.env["PATH"], ...variables };
                const ran = await run(process.execPath, [...flags, file, ...line.split(" ")], { ...options, env });
                assert.doesNotMatch(ran.stdout + ran.stderr, /\[internal\]/);
            });
});
