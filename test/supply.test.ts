/** Tests the packages in the lock file that users install. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Package {
    readonly license?: string;
    readonly dev?: boolean;
    readonly link?: boolean;
    readonly hasInstallScript?: boolean;
}

const read = (file: string) => JSON.parse(readFileSync(join(__dirname, "..", file), "utf8"));
const { packages }: { packages: Readonly<Record<string, Package>> } = read("package-lock.json");
const { scripts }: { scripts: Readonly<Record<string, string>> } = read("package.json");
const installed = Object.entries(packages).filter(([path, { dev, link }]) => path !== "" && !dev && !link);

describe("the dependencies of the package", () => {
    it("have only permissive licences", () => {
        const permissive = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"];
        assert.ok(installed.length > 5);
        assert.deepEqual(
            installed.filter(([, { license = "none" }]) => !permissive.includes(license)),
            [],
        );
    });

    it("run no install scripts", () => {
        const hooks = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
        assert.deepEqual(
            Object.keys(scripts).filter((script) => hooks.includes(script)),
            [],
        );
        assert.deepEqual(
            installed.filter(([, { hasInstallScript }]) => hasInstallScript),
            [],
        );
    });
});
