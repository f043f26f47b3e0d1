/** Programs in Java, with the SDK that Pulumi's generators make of the package schema. All are built at once. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configured, readied, throughItsLife } from "./languages/life";

const examples = join(__dirname, "..", "..", "examples", "java");
/** The packages of the examples: each has a class `App`. */
const packages = readdirSync(examples).map((file) => file.replace(/\.java$/, "").replaceAll("-", "_"));
const own = ["every-resource.java", "run-examples.java"];

const sources = Object.fromEntries([
    ...own.map((file) => [file, readFileSync(join(__dirname, "languages", file), "utf8")]),
    ...packages.map((name) => {
        const text = readFileSync(join(examples, `${name.replaceAll("_", "-")}.java`), "utf8");
        return [join(name, "App.java"), `package ${name};\n${text}`];
    }),
]);

/** The language host lets Maven build and run what is in the folder at every command: this runs what was built before. */
const mavenThatRuns = (command: readonly string[]) => `#!/bin/sh
case "$*" in *mainArgs=packages*) echo '[]';; *) exec ${command.map((word) => `'${word}'`).join(" ")};; esac
`;

describe("programs in Java", () => {
    it("lead every resource from preview to destroy", async function () {
        const command = await readied(this, ({ javaPrograms }) => javaPrograms(sources));
        const files = { "pom.xml": "<project/>", mvnw: mavenThatRuns([...command, "EveryResource"]) };
        await throughItsLife({ runtime: { name: "java" }, files });
    });

    it("are the examples, which run with mocks", async function () {
        const [java = "", ...args] = await readied(this, ({ javaPrograms }) => javaPrograms(sources));
        const { run } = await import("../../scripts/processes.mjs");
        const env = { ...process.env, ...configured };
        const result = await run(java, [...args, "RunExamples", ...packages], { env, limit: 60_000 });
        assert.equal(result.code, 0, result.stdout + result.stderr);
        assert.deepEqual(result.stdout.trim().split("\n"), packages);
    });
});
