/**
 * `node scripts/set-repository.mjs <owner/name>`: writes where the repository is on GitHub into `package.json`, into the README's badges
 * and, through `npm run generate`, into `schema.json` and the generated classes. The release workflow calls it; the sources name no repository.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { main, repository, runStep, Stop } from "./prepare.mjs";

await main(async () => {
    const [name = ""] = process.argv.slice(2);
    if (!/^[\w-]+\/[\w.-]+$/.test(name))
        throw new Stop("Name the repository: node scripts/set-repository.mjs <owner/name>");
    const page = `https://github.com/${name}`;
    const file = join(repository, "package.json");
    const manifest = {
        ...JSON.parse(readFileSync(file, "utf8")),
        author: `${name.split("/")[0]} (${page.slice(0, page.lastIndexOf("/"))})`,
        homepage: page,
        bugs: `${page}/issues`,
        repository: { type: "git", url: `git+${page}.git` },
    };
    writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
    const readme = join(repository, "README.md");
    const badges = [
        `[![CI](${page}/actions/workflows/ci.yml/badge.svg)](${page}/actions/workflows/ci.yml)`,
        `[![npm](https://img.shields.io/npm/v/${manifest.name})](https://www.npmjs.com/package/${manifest.name})`,
    ];
    const text = readFileSync(readme, "utf8").replace(/(<!-- badges -->\n)(\[.*\n)?/, `$1${badges.join(" ")}\n`);
    writeFileSync(readme, text);
    await runStep("Writing the generated files.", "They could not be written.", "npm", ["run", "--silent", "generate"]);
});
