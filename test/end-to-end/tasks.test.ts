/** Runs the task program that uses the Automation API. `test/tasks.test.ts` runs the others. */

import assert from "node:assert/strict";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { canaryToken } from "../support/canaries";
import { environmentOf } from "../support/pulumi-cli";
import { root } from "../support/repository";
import { Simulator } from "../support/simulator";
import { temporaryFolder } from "../support/temporary-folder";

describe("many-workspaces", () => {
    // The program runs the engine twice at once, which takes long on a busy machine.
    it("rolls workspaces back in parallel, prints the progress, and continues if one fails", async () => {
        const [app] = demonstration.workspaces ?? [];
        assert(app);
        const lock = { by: { type: "users", id: "someone" }, reason: "freeze" } as const;
        const workspaces = ["one", "two"].map((name) => ({
            ...app,
            id: `ws-${name}`,
            name,
            stateVersions: (app.stateVersions ?? []).map((version) => ({ ...version, id: `${version.id}-${name}` })),
            ...(name === "two" ? { locked: lock } : {}),
        }));
        const simulator = await Simulator.start({ workspaces }, "documented");
        const folder = temporaryFolder();
        try {
            const { run } = await import("../../scripts/processes.mjs");
            const script = join(folder, "many-workspaces.ts");
            cpSync(join(root, "examples", "tasks", "many-workspaces.ts"), script);
            symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
            // The options that `pulumi new typescript` writes.
            const compilerOptions = { target: "es2020", module: "commonjs", moduleResolution: "node" };
            writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
            const env = {
                ...(await environmentOf(folder)),
                TFE_ADDRESS: simulator.url,
                TFE_TOKEN: canaryToken,
            };
            const call = [
                "-r",
                "ts-node/register/transpile-only",
                script,
                "example",
                "2026-01-08T00:00:00Z",
                "one",
                "two",
                "nowhere",
            ];
            const helpless = await run(process.execPath, call.slice(0, 4), { cwd: folder, env });
            assert.match(helpless.stderr, /^Usage: .* <organization> .* <workspace>…$/m);
            assert.equal(helpless.code, 1);
            const { code, stdout, stderr } = await run(process.execPath, call, { cwd: folder, env, limit: 280_000 });
            assert.match(stdout, /^\d of 3: one: rolled back from sv-4-one to sv-3-one$/m);
            assert.match(stdout, /^\d of 3: two: FAILED: .*\[locked\]$/m);
            assert.match(stdout, /^\d of 3: nowhere: FAILED: .*\[absent\]$/m);
            assert.match(stdout, /^1 of 3: (.|\n)*^2 of 3: (.|\n)*^3 of 3: /m);
            assert.equal(code, 1, stderr);
            const patches = (await simulator.writes()).filter(({ method }) => method === "PATCH");
            const paths = patches.map(({ path }) => path);
            assert.deepEqual(paths, ["/api/v2/workspaces/ws-one/state-versions"]);
        } finally {
            await simulator.close();
        }
    });
});
