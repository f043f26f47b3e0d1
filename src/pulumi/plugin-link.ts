/**
 * Puts the native plugin where Pulumi's engine looks for it: a file in the folder of its plugins that leads to this package. So a program
 * that imports `pulumi-statecraft/native` needs no further step. A plugin on PATH, or one that was installed, comes first.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type * as Failures from "../core/failures";

/**
 * Writes the file, unless it is there or an installed plugin is in its place. Returns the plugin's version, which is that of this package.
 * @param inform told that it could not be written
 */
export function linkPlugin(inform: (text: string) => void): string {
    // By its name: a bundler puts this code into a file elsewhere.
    const root = dirname(require.resolve("pulumi-statecraft/package.json"));
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const home = process.env["PULUMI_HOME"] || join(homedir(), ".pulumi");
    const folder = join(home, "plugins", `resource-statecraft-v${version}`);
    const main = join(root, "dist", "plugin", "main.js");
    const [file, text] =
        process.platform === "win32"
            ? ["pulumi-resource-statecraft.cmd", `@node "${main}" %*\r\n`]
            : ["pulumi-resource-statecraft", `#!/usr/bin/env node\n${startOf(main)}\n`];
    const target = join(folder, file);
    const isInstalled = existsSync(join(folder, "dist"));
    if (isInstalled || (existsSync(target) && readFileSync(target, "utf8") === text)) return version;
    try {
        mkdirSync(folder, { recursive: true });
        // Programs that run side by side may do so at once.
        const own = `${target}-${process.pid}`;
        writeFileSync(own, text, { mode: 0o755 });
        renameSync(own, target);
    } catch (error) {
        // No warning: the plugin may be on PATH, and a unit test needs none. Else the engine will look for it elsewhere in vain.
        const { notLinked } = require("../core/failures") as typeof Failures;
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
        inform(notLinked({ folder, code }));
    }
    return version;
}

/** Starts the plugin. All programs share the file, and the one that wrote it last may be gone: the engine works in the program's folder. */
const startOf = (main: string) => `const main = ${JSON.stringify(main)};
const { join } = require("node:path");
require(require("node:fs").existsSync(main) ? main : join(require.resolve("pulumi-statecraft/package.json", { paths: [process.cwd()] }), "../dist/plugin/main.js"));`;
