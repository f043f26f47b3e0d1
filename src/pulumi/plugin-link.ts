/**
 * Writes a file into Pulumi's plugin folder that starts the plugin of this package, so that a program that imports
 * `pulumi-statecraft/native` needs no installation of the plugin. The engine uses a plugin on PATH or an installed one instead, if there is
 * one.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Writes the file, unless it exists or the plugin is installed there. Returns the plugin's version, which is that of this package.
 * @param inform shows a message if the file cannot be written
 */
export function linkPlugin(inform: (text: string) => void): string {
    // Resolved by the name of the package, because a bundler moves this code to another file.
    const root = dirname(require.resolve("pulumi-statecraft/package.json"));
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const main = join(root, "dist", "plugin", "main.js");
    const [file, text] =
        process.platform === "win32"
            ? ["pulumi-resource-statecraft.cmd", `@node "${main}" %*\r\n`]
            : ["pulumi-resource-statecraft", `#!/usr/bin/env node\n${startOf(main)}\n`];
    let folder = "the home folder";
    try {
        folder = join(pulumiHome(), "plugins", `resource-statecraft-v${version}`);
        const target = join(folder, file);
        // Only an archive of the plugin contains this file.
        const isInstalled = existsSync(join(folder, "LICENSE"));
        if (isInstalled || (existsSync(target) && readFileSync(target, "utf8") === text)) return version;
        mkdirSync(folder, { recursive: true });
        // Written under another name and renamed, because several programs may write the file at the same time.
        const temporary = `${target}-${process.pid}`;
        writeFileSync(temporary, text, { mode: 0o755 });
        renameSync(temporary, target);
    } catch (error) {
        // Not a warning, because the plugin may be on PATH, and a unit test needs no plugin.
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
        inform(
            `The native plugin could not be written into ${folder} (${code}). If Pulumi does not find the plugin, set PULUMI_HOME to a writable folder, or name the plugin's folder in Pulumi.yaml. [plugin]`,
        );
    }
    return version;
}

/** The folder of Pulumi's plugins, workspaces and credentials. @throws Error for a user without a home folder */
export const pulumiHome = (): string => process.env["PULUMI_HOME"] || join(homedir(), ".pulumi");

/** The code that starts the plugin of the package that wrote the file or, if that package was removed, of the package in the working directory. */
const startOf = (main: string) => `const main = ${JSON.stringify(main)};
const { join } = require("node:path");
require(require("node:fs").existsSync(main) ? main : join(require.resolve("pulumi-statecraft/package.json", { paths: [process.cwd()] }), "../dist/plugin/main.js"));`;
