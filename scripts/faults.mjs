/**
 * `npm run test:faults`: the whole fault matrix, of which `npm test` lives a part. It takes several minutes, prints its tables, and writes them
 * into docs/reliability.md if nothing failed. A pattern behind `--` chooses cells by their titles: `npm run test:faults -- "AuthRole, create"`.
 * The last line is always `N passed, N failed`.
 */
import { join } from "node:path";
import { ensureInstalled, main, repository, tool, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";
import { isolatedEnvironment } from "./pulumi-cli.mjs";

await main(async () => {
    await ensureInstalled();
    const result = await run(
        process.execPath,
        [
            "--require",
            tool("ts-node/register/transpile-only.js"),
            join("test", "faults", "main.ts"),
            ...process.argv.slice(2),
        ],
        { cwd: repository, env: isolatedEnvironment(process.env, join(workFolder(), "test")), stdio: "inherit" },
    );
    return result.code ?? 1;
});
