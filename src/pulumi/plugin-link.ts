/**
 * Writes a file into the folder of Pulumi's plugins that starts the plugin of this package, so that a program which imports
 * `pulumi-statecraft/native` needs no further step. The engine prefers a plugin on PATH and an installed one.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Writes the file, unless it is there or an installed plugin is in its place. Returns the plugin's version, which is that of this package.
 * @param inform shows a note if the file cannot be written
 */
export function linkPlugin(inform: (text: string) => void): string {
    // Found by name, because a bundler moves this code to another file.
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
        // Several programs may write the file at the same time.
        const own = `${target}-${process.pid}`;
        writeFileSync(own, text, { mode: 0o755 });
        renameSync(own, target);
    } catch (error) {
        // Not a warning: the plugin may be on PATH, and a unit test needs none.
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
        inform(
            `The native plugin could not be written into ${folder} (${code}). If Pulumi does not find the plugin, set PULUMI_HOME to a writable folder, or name the plugin's folder in Pulumi.yaml. [plugin]`,
        );
    }
    return version;
}

/** The code that starts the plugin: of the package that wrote the file, or, if that was removed, of the program in the working folder. */
const startOf = (main: string) => `const main = ${JSON.stringify(main)};
const { join } = require("node:path");
require(require("node:fs").existsSync(main) ? main : join(require.resolve("pulumi-statecraft/package.json", { paths: [process.cwd()] }), "../dist/plugin/main.js"));`;
