/** Programs in Go with the generated SDK. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configured, readied, throughItsLife } from "./life";

const examples = join(__dirname, "..", "..", "examples", "go");
const names = readdirSync(examples).map((file) => file.replace(/\.go$/, ""));
const textOf = (file: string) => readFileSync(join(__dirname, file), "utf8");

/** Converts an example to a package with a function, so that one executable runs all examples. */
function asFunction(name: string): string {
    const text = readFileSync(join(examples, `${name}.go`), "utf8");
    const [, imports, body] =
        /^package main\n([\s\S]*)func main\(\) \{\n\tpulumi\.Run\((func\([\s\S]*\})\)\n\}\n$/.exec(text) ?? [];
    assert(imports && body, `${name}.go is no program of the usual form`);
    return `package example\n${imports}var Program = ${body}\n`;
}

/** Returns the source of a list of all examples. */
function exampleList(): string {
    const imports = names.map((name, index) => `example${index} "pulumi-tools/examples/${name}"`);
    const entries = names.map((name, index) => `{"${name}", example${index}.Program},`);
    return `package main\n\nimport (\n${imports.join("\n")}\n)\n\nvar examples = []example{\n${entries.join("\n")}\n}\n`;
}

const sources = {
    "every-resource/main.go": textOf("every-resource.go"),
    "run-examples/main.go": textOf("run-examples.go"),
    "run-examples/list.go": exampleList(),
    ...Object.fromEntries(names.map((name) => [`examples/${name}/main.go`, asFunction(name)])),
};

/** Returns the source of a program that runs an executable instead of itself: the language host builds the sources of a folder for each command. */
const becomes = (program: string) => `package main

import (
	"os"
	"syscall"
)

func main() {
	panic(syscall.Exec(${JSON.stringify(program)}, os.Args, os.Environ()))
}
`;

describe("programs in Go", () => {
    it("create every resource, find no change, and delete it", async function () {
        const built = await readied(this, ({ goPrograms }) => goPrograms(sources));
        const files = { "main.go": becomes(join(built, "every-resource")), "go.mod": "module program\n\ngo 1.25\n" };
        await throughItsLife({ runtime: { name: "go" }, files });
    });

    it("of the examples run with mocks", async function () {
        const built = await readied(this, ({ goPrograms }) => goPrograms(sources));
        const { run } = await import("../../scripts/processes.mjs");
        const env = { ...process.env, ...configured };
        const result = await run(join(built, "run-examples"), [], { env, limit: 60_000 });
        assert.equal(result.code, 0, result.stdout + result.stderr);
        assert.deepEqual(result.stdout.trim().split("\n"), names);
    });
});
