/**
 * `npm run test:faults`: the whole fault matrix, every crash of the real engine and the load, of which `npm test` has a sample. It takes
 * about half an hour, and prints its figures. What stands behind `--` is a part of titles, and chooses cells of the matrix and nothing
 * else: `npm run test:faults -- "AuthRole, create"`. The last line is always `N passed, N failed`.
 */
import { delimiter, join } from "node:path";
import { mocha, total } from "./mocha.mjs";
import { ensureBuilt, main, workFolder } from "./prepare.mjs";
import { findPulumi, isolatedEnvironment } from "./pulumi-cli.mjs";

await main(async () => {
    const start = Date.now();
    const wanted = process.argv.slice(2).join(" ");
    await ensureBuilt();
    const env = { ...isolatedEnvironment(process.env, join(workFolder(), "test")), STATECRAFT_FAULTS: "all" };
    if (wanted === "") env.STATECRAFT_PULUMI_PATH = (await findPulumi()).folders.join(delimiter);
    else env.STATECRAFT_CELLS = wanted;
    const patient = ["--timeout", "1800000"];
    const matrix = join("test", "faults", "matrix.test.ts");
    const engine = ["crashes.test.ts", "load.test.ts"].map((file) => join("test", "crashes", file));
    const counts = [await mocha("The fault matrix", [matrix], patient, env)];
    if (wanted === "") counts.push(await mocha("Crashes and load on the real engine", engine, patient, env));
    return total(counts, start);
});
