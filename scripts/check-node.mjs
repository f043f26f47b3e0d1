/**
 * `node scripts/check-node.mjs [list]`: fails if Node's list of releases has a newer one with security fixes than the Node in the archives of
 * the plugin, in the same major version. `list`: a file with the list, instead of that of nodejs.org.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const [, , list] = process.argv;
const workflow = readFileSync(join(repository, ".github", "workflows", "release.yml"), "utf8");
const [, pinned = ""] = /NODE_VERSION: (\S+)/.exec(workflow) ?? [];
const text = list ? readFileSync(list, "utf8") : await (await fetch("https://nodejs.org/dist/index.json")).text();

/** @type {{ version: string, security: boolean }[]} */
const releases = JSON.parse(text);
const [major] = pinned.split(".");
const ofMajor = releases.filter(({ version }) => version.startsWith(`v${major}.`));
const newer = ofMajor.filter(
    ({ version, security }) => security && version.slice(1).localeCompare(pinned, "en", { numeric: true }) > 0,
);
if (!ofMajor.some(({ version }) => version === `v${pinned}`)) {
    console.error(`The list has no Node ${pinned}, which .github/workflows/release.yml names.`);
    process.exitCode = 1;
} else if (newer.length > 0) {
    const versions = newer.map(({ version }) => version).join(", ");
    console.error(
        `Node ${pinned} lacks security fixes: set NODE_VERSION and the six digests in .github/workflows/release.yml to one of ${versions}, or newer. ` +
            `The digests are in https://nodejs.org/dist/<version>/SHASUMS256.txt.`,
    );
    process.exitCode = 1;
} else console.log(`Node ${pinned} has all security fixes.`);
