/** Runs the README's commands and programs unchanged. The programs are the TypeScript projects of `examples`. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
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

    it("leads to a working stack of each product, with the simulator", async () => {
        const [apply = "none", tryOut = "", ...rest] = blocks("sh");
        assert.deepEqual(rest, [commands], "every command of the README is run");
        assert(tryOut.includes(apply.trim()));
        for (const product of products) {
            const stack = await workspace({ program: { folder: `examples/${product}-typescript` } });
            const { code, said } = await shell(tryOut, stack.folder, stack.environment);
            stack.dispose();
            assert.equal(code, 0, said);
            assert.match(said, /\+ \d created[\s\S]*- \d deleted/);
        }
    });
});
