/** Runs the YAML projects of `examples`, and compiles that beside another provider. `test/end-to-end/readme.test.ts` runs those in TypeScript. */

import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { resolve } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { packed } from "../support/packed";
import { done, onStage } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";

describe("a project in YAML", () => {
    for (const product of ["vault", "vault-enterprise", "nomad", "terraform"]) {
        it(`creates and deletes its objects: ${product}`, async () => {
            const program = { folder: `examples/${product}-yaml` };
            const options = { names: "product" } as const;
            await onStage(
                demonstration,
                program,
                async ({ stack }) => {
                    done(await stack.up());
                    done(await stack.up("--expect-no-changes"));
                    done(await stack.destroy());
                },
                {},
                options,
            );
        });
    }
});

describe("a project in TypeScript", () => {
    it("beside @pulumi/vault compiles with the packages of its package.json", async () => {
        const { run } = await import("../../scripts/processes.mjs");
        const cwd = temporaryFolder();
        cpSync(resolve(__dirname, "..", "..", "examples", "beside-vault"), cwd, { recursive: true });
        const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", await packed()];
        for (const [command, args] of [
            ["npm", install],
            ["npx", ["tsc", "--noEmit"]],
        ] as const) {
            const { code, stdout, stderr } = await run(command, args, { cwd });
            assert.equal(code, 0, stdout + stderr);
        }
    });
});
