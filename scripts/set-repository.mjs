/**
 * `node scripts/set-repository.mjs <owner/name>`: writes where the repository is on GitHub into `package.json` and, through
 * `npm run generate`, into `schema.json` and the generated classes. The release workflow calls it; the sources name no repository.
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
        homepage: page,
        bugs: `${page}/issues`,
        repository: { type: "git", url: `git+${page}.git` },
    };
    writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
    await runStep("Writing the generated files.", "They could not be written.", "npm", ["run", "--silent", "generate"]);
});
