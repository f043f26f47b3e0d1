/** The examples in other languages are what those in TypeScript say, and are right: they compile, or run. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeExamples } from "../../scripts/examples";
import { generatedLanguages } from "../../scripts/program-texts";
import { demonstration } from "../../src/simulator/demonstration";
import { done, onStage } from "../support/stack";
import { readied } from "./languages/life";

const examples = join(__dirname, "..", "..", "examples");

/** The programs of all languages below a folder, by their paths. */
function programsIn(folder: string): Record<string, string> {
    const paths = generatedLanguages.flatMap(({ tag }) =>
        readdirSync(join(folder, tag)).map((file) => join(tag, file)),
    );
    return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

describe("the examples in other languages", () => {
    it("are what `npm run examples` writes", async function () {
        const folder = mkdtempSync(join(tmpdir(), "statecraft-examples-"));
        try {
            await readied(this, () => writeExamples(folder));
            assert.deepEqual(programsIn(examples), programsIn(folder));
        } finally {
            rmSync(folder, { recursive: true, force: true });
        }
    });

    it("compile in Go", async function () {
        const programs = Object.entries(programsIn(examples)).filter(([path]) => path.endsWith(".go"));
        const sources = programs.map(([path, text]) => [basename(path, ".go"), text]);
        await readied(this, ({ checkGo }) => checkGo(Object.fromEntries(sources)));
    });

    it("run in Python", async function () {
        const programs = readdirSync(join(examples, "python")).map((file) => join(examples, "python", file));
        await runPython(this, programs);
    });

    it("are taken by the engine in YAML", async () => {
        const programs = Object.entries(programsIn(examples)).filter(([path]) => path.endsWith(".yaml"));
        const secrets = ["clientSecret", "firstClientSecret", "bucketKeyId", "bucketKey"];
        const config = secrets.flatMap((name) => ["--config", `${name}=planted`]);
        await onStage(demonstration, { yaml: {} }, async ({ stack }) => {
            for (const [path, text] of programs) {
                // A function looks up what only another program has made.
                if (!text.includes("resources:")) continue;
                writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: ${stack.project}\nruntime: yaml\n${text}`);
                const steps = Object.values(done(await stack.preview(...config)));
                assert(steps.length > 0 && steps.every((step) => step === "create"), `${path}: ${steps}`);
            }
        });
    });
});
