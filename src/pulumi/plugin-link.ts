/**
 * Puts the native plugin where Pulumi's engine looks for it: a file in the folder of its plugins that leads to this package. So a program
 * that imports `pulumi-statecraft/native` needs no further step. A plugin on PATH, or one that was installed, comes first.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

/** Writes the file, unless it is there or an installed plugin is in its place. Returns the plugin's version, which is that of this package. */
export function linkPlugin(): string {
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const home = process.env["PULUMI_HOME"] || join(homedir(), ".pulumi");
    const folder = join(home, "plugins", `resource-statecraft-v${version}`);
    const main = join(root, "dist", "plugin", "main.js");
    const [file, text] =
        process.platform === "win32"
            ? ["pulumi-resource-statecraft.cmd", `@node "${main}" %*\r\n`]
            : ["pulumi-resource-statecraft", `#!/usr/bin/env node\nrequire(${JSON.stringify(main)});\n`];
    const target = join(folder, file);
    const isInstalled = existsSync(join(folder, "dist"));
    if (isInstalled || (existsSync(target) && readFileSync(target, "utf8") === text)) return version;
    mkdirSync(folder, { recursive: true });
    // Programs that run side by side may do so at once.
    const own = `${target}-${process.pid}`;
    writeFileSync(own, text, { mode: 0o755 });
    renameSync(own, target);
    return version;
}
