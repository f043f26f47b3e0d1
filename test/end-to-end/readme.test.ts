/** Runs the README's commands and programs unchanged. The programs are the TypeScript projects of `examples`. */

import assert from "node:assert/strict";
import { workspace } from "../support/pulumi-cli";
import { textOf } from "../support/repository";

const readme = textOf("README.md");
const blocks = (language: string) =>
    [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text);

const products = ["terraform", "vault", "vault-enterprise", "nomad"];
const commands = "npm start\nnpm test\n";

describe("the README", () => {
    it("has two commands for a clone, and CI runs both", () => {
        assert(blocks("sh").includes(commands));
        assert(textOf(".ci/run").includes(commands));
    });

    it("contains the programs of the projects in TypeScript", () => {
        const projects = products.map((product) => textOf(`examples/${product}-typescript/index.ts`));
        assert.deepEqual(blocks("ts"), projects);
    });

    it("leads to a working stack of each product, with the simulator", async () => {
        const [rollBack = "", tryOut = "", apply = "none", ...rest] = blocks("sh");
        assert.deepEqual(rest, [commands], "every command of the README is run");
        assert(tryOut.includes(apply.trim()));
        const { run } = await import("../../scripts/processes.mjs");
        for (const product of products) {
            const stack = await workspace({ program: { folder: `examples/${product}-typescript` } });
            // Up to the first failure.
            const options = { cwd: stack.folder, env: stack.environment };
            const { code, stdout, stderr } = await run("bash", ["-ec", `${rollBack}${tryOut}`], options);
            stack.dispose();
            assert.equal(code, 0, stdout + stderr);
            assert.match(stdout, /kept: 2 newer[\s\S]*\+ \d created[\s\S]*- \d deleted/);
        }
    }).timeout(60_000);
});
