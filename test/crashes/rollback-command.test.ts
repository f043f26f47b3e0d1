/** Kills `rollback` before and after the effect of each of its requests, and does what the documentation says then. Part of `npm run test:nightly`. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statecraft } from "../command/support";
import { canaryToken } from "../support/canaries";
import { Cut } from "../support/gate";
import { withSimulator } from "../support/simulator";
import { productVariables } from "../support/stack";
import { stateOf } from "../support/workspaces";

describe("rollback, killed at each request", function () {
    this.timeout(1_800_000);
    const stateVersions = [
        { id: "sv-1", state: stateOf(1, "a", "b") },
        { id: "sv-2", state: stateOf(2, "b", "c") },
    ];
    const simulator = withSimulator({
        tokens: [{ token: canaryToken, kind: "user", id: "user-1" }],
        workspaces: [{ id: "ws-1", name: "web", organization: "acme", stateVersions }],
    });
    const lock = () => simulator.store.stateVersions.workspaces[0]?.lock;
    const run = (...args: string[]) => statecraft(args, productVariables(simulator));

    for (const [what, args] of [
        ["a whole version", ["acme/web", "sv-1", "--yes"]],
        ["a part", ["acme/web", "sv-1", "--yes", "--only", "server.a"]],
    ] as const)
        for (const way of ["--under-lock", "unlock"])
            for (const moment of ["before", "after"] as const)
                it(`of ${what} converges by ${way} after a kill ${moment} the effect`, async () => {
                    let isOver = false;
                    for (let index = 0; !isOver; index++) {
                        await simulator.reset();
                        const main = ["dist/command/main.js", "rollback", ...args];
                        const env = { PATH: process.env["PATH"], ...productVariables(simulator) };
                        const child = spawn(process.execPath, main, { env, stdio: "ignore" });
                        const end = once(child, "close");
                        isOver = true;
                        simulator.gate.set(async (stop) => {
                            if (stop.moment !== moment || stop.index !== index) return;
                            isOver = false;
                            child.kill("SIGKILL");
                            await end;
                            throw new Cut();
                        });
                        await end;
                        simulator.gate.open();
                        const stays = lock();
                        const unlocked =
                            stays && way === "unlock" ? await run("unlock", "acme/web", "--yes") : undefined;
                        // A version waits for its content.
                        const isRefused = unlocked?.code === 1;
                        if (isRefused) assert.match(unlocked.complaints, /pending.*`--under-lock`.*\[lock-kept\]/);
                        const flags = stays && (way === "--under-lock" || isRefused) ? ["--under-lock"] : [];
                        const { code, complaints } = await run("rollback", ...args, ...flags);
                        if (isRefused) assert.equal((await run("unlock", "acme/web", "--yes")).code, 0);
                        assert.equal(code, 0, `request ${index}: ${complaints}`);
                        const made = simulator.store.stateVersions.versions.filter(
                            ({ status }) => status === "finalized",
                        );
                        const left = way === "unlock" ? null : stays;
                        assert.deepEqual([made.length, lock()], [3, left], `request ${index}`);
                    }
                });
});
