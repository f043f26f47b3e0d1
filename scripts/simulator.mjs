/** `npm run simulator`: gets ready like the other commands, then runs the simulator of the package with the same flags. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { ensureBuilt, main, repository } from "./prepare.mjs";
import { run } from "./processes.mjs";

await main(async () => {
    await ensureBuilt();
    const program = createRequire(import.meta.url).resolve(join(repository, "dist", "simulator", "main.js"));
    const result = await run(process.execPath, [program, ...process.argv.slice(2)], { stdio: "inherit" });
    return result.code;
});
