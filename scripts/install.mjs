/**
 * The first step of `npm start` and `npm test`: checks the version of Node, and runs `npm ci` unless that was done since package-lock.json last
 * changed. A fresh clone has no packages, so this file imports only Node's own modules.
 */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 3)) {
    console.error(`Node 20.3 or newer is needed, and this is ${process.version}: install a newer one and try again.`);
    process.exit(1);
}

/** @param {string} path */
const modified = (path) => statSync(new URL(`../${path}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (modified("node_modules/.package-lock.json") < modified("package-lock.json")) {
    console.log("Installing the packages (npm ci): about half a minute, once.");
    const { status } = spawnSync("npm", ["ci"], { stdio: "inherit", shell: process.platform === "win32" });
    process.exitCode = status ?? 1;
}
