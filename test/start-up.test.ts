/** What a program loads by importing this package: nothing but the classes. What the services need comes with the first call. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..");

/** The files that code loads after Pulumi's SDK, by their paths from the repository's root. */
function loadedBy(code: string): string[] {
    const program = `
        require("@pulumi/pulumi");
        const before = new Set(Object.keys(require.cache));
        (async () => { ${code} })().catch(() => undefined).then(() => {
            console.log(JSON.stringify(Object.keys(require.cache).filter((file) => !before.has(file))));
        });`;
    const args = ["--require", "./scripts/ts-node.cjs", "--eval", program];
    const files: string[] = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" }));
    return files.map((file) => file.slice(root.length + 1)).sort();
}

describe("an import", () => {
    const classes = [
        "src/args.ts",
        "src/class-facts.ts",
        "src/functions.ts",
        "src/pulumi/deployment-context.ts",
        "src/pulumi/function-of.ts",
        "src/pulumi/left-out.ts",
        "src/pulumi/resource-class.ts",
        "src/schema/secrets.ts",
        "src/schema/unknown.ts",
        "src/schema/values.ts",
    ];

    it("loads the classes and no library", () => {
        assert.deepEqual(loadedBy('require("./src/index")'), [...classes, "src/index.ts", "src/resources.ts"].sort());
    });

    it("of the native classes loads no more", () => {
        const native = [
            "src/native-resources.ts",
            "src/native.ts",
            "src/pulumi/native-class.ts",
            "src/pulumi/plugin-link.ts",
        ];
        const dynamic = ["src/pulumi/deployment-context.ts", "src/pulumi/left-out.ts", "src/pulumi/resource-class.ts"];
        const wanted = [...classes.filter((file) => !dynamic.includes(file)), ...native];
        assert.deepEqual(loadedBy('require("./src/native")'), wanted.sort());
    });

    it("loads the services at the first call of a function", () => {
        const loaded = loadedBy('await require("./src/index").getAuthRole({ name: "web" })');
        assert.ok(loaded.includes("src/services/manager/auth-role.ts"));
    });
});
