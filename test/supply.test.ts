/** What comes with this package, and what it does where it is installed. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installed } from "../scripts/licences";

const root = join(__dirname, "..");
const manifest: { scripts: Record<string, string>; dependencies: Record<string, string>; license: string } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
);

describe("the supply", () => {
    it("names every direct dependency among what is installed with this package", () => {
        const runtime = installed().filter(({ isRuntime }) => isRuntime);
        const names = runtime.map(({ name }) => name);
        for (const name of Object.keys(manifest.dependencies)) assert(names.includes(name), name);
        assert(!names.includes("@pulumi/pulumi") && !names.includes("mocha"));
    });

    it("has permissive licences only among what is installed with this package", () => {
        const permissive = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"];
        const others = installed().filter(({ isRuntime, licence }) => isRuntime && !permissive.includes(licence));
        assert.deepEqual(others, []);
    });

    it("runs nothing when this package is installed", () => {
        const hooks = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
        assert.deepEqual(
            Object.keys(manifest.scripts).filter((script) => hooks.includes(script)),
            [],
        );
        assert.deepEqual(
            installed().filter(({ isRuntime, hasInstallScript }) => isRuntime && hasInstallScript),
            [],
        );
    });
});
