/** A program in Go, with the SDK that Pulumi's generators make of the package schema. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readied, throughItsLife } from "./languages/life";

/** The language host builds what is in the folder at every command: this is built at once, and becomes the program that was built before. */
const becomes = (program: string) => `package main

import (
	"os"
	"syscall"
)

func main() {
	panic(syscall.Exec(${JSON.stringify(program)}, os.Args, os.Environ()))
}
`;

describe("a program in Go", () => {
    it("leads every resource from preview to destroy", async function () {
        const source = readFileSync(join(__dirname, "languages", "every-resource.go"), "utf8");
        const program = await readied(this, ({ goProgram }) => goProgram(source));
        const files = { "main.go": becomes(program), "go.mod": "module program\n\ngo 1.25\n" };
        await throughItsLife({ runtime: { name: "go" }, files });
    });
});
