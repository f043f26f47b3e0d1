/**
 * `npm run test:faults`: the whole fault matrix, every crash of the real engine and the load, of which `npm test` has the typical ones.
 * It takes about half an hour, and prints its figures. A pattern behind `--` chooses cells of the matrix by their titles, and nothing else: `npm run test:faults -- "AuthRole, create"`. The last line is
 * always `N passed, N failed`.
 */
import { delimiter, join } from "node:path";
import { counted, mocha, total } from "./mocha.mjs";
import { ensureBuilt, ensureInstalled, main, workFolder } from "./prepare.mjs";
import { findPulumi, isolatedEnvironment } from "./pulumi-cli.mjs";

await main(async () => {
    const start = Date.now();
    const patterns = process.argv.slice(2);
    await ensureInstalled();
    await ensureBuilt();
    const env = isolatedEnvironment(process.env, join(workFolder(), "test"));
    const matrix = (file) => [
        "--require",
        "./scripts/ts-node.cjs",
        join("test", "faults", "main.ts"),
        `--counts=${file}`,
        ...patterns,
    ];
    const counts = [await counted("The fault matrix", matrix, env)];
    if (patterns.length === 0) {
        const pulumi = await findPulumi();
        const all = { ...env, STATECRAFT_FAULTS: "all", STATECRAFT_PULUMI_PATH: pulumi.folders.join(delimiter) };
        const files = ["crashes.test.ts", "load.test.ts"].map((file) => join("test", "crashes", file));
        const patient = ["--timeout", "1800000", "--reporter-option", "slow=3600000"];
        counts.push(await mocha("Crashes and load on the real engine", files, patient, all));
    }
    return total(counts, start);
});
