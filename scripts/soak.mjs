/**
 * `npm run test:soak`: many ups, edits, refreshes and destroys, for STATECRAFT_SOAK_MINUTES (30 unless set): a third of the time
 * through one host without the engine, the rest with the real engine. Memory and sockets at the beginning and at the end are
 * told, and growth beyond bounds is a failure. STATECRAFT_SEED repeats a run. The last line is always `N passed, N failed`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureBuilt, ensureInstalled, main, repository, Stop, say, seconds, tool, workFolder } from "./prepare.mjs";
import { beforeEnd, run } from "./processes.mjs";
import { findPulumi, isolatedEnvironment } from "./pulumi-cli.mjs";

/** The parts, and their shares of the time. */
const parts = [
    { title: "Through one host, without the engine", file: "client.soak.ts", share: 1 / 3 },
    { title: "With the real engine", file: "engine.soak.ts", share: 2 / 3 },
];

async function soak({ title, file, share }, minutes, environment) {
    say(`${title}: ${Math.round(minutes * share * 60)} s`);
    const folder = mkdtempSync(join(workFolder(), "counts-"));
    const remove = beforeEnd(() => rmSync(folder, { recursive: true, force: true }));
    const counted = join(folder, "counts.json");
    const reporter = join(repository, "scripts", "reporter.cjs");
    const options = ["--timeout", "0", "--reporter-option", "slow=86400000"];
    const result = await run(
        process.execPath,
        [
            // What is left after collecting is what is held.
            "--expose-gc",
            tool("mocha/bin/_mocha"),
            "--reporter",
            reporter,
            "--reporter-option",
            `counts=${counted}`,
            ...options,
            join("test", "soak", file),
        ],
        {
            cwd: repository,
            env: { ...environment, STATECRAFT_SOAK_SECONDS: String(minutes * share * 60) },
            stdio: "inherit",
        },
    );
    const counts = existsSync(counted) ? JSON.parse(readFileSync(counted, "utf8")) : { passed: 0, failed: 0 };
    remove();
    if (result.code !== 0 && counts.failed === 0) counts.failed = 1;
    return counts;
}

await main(async () => {
    const start = Date.now();
    const minutes = Number(process.env.STATECRAFT_SOAK_MINUTES ?? 30);
    if (!(minutes > 0)) throw new Stop("STATECRAFT_SOAK_MINUTES must be a number of minutes.");
    await ensureInstalled();
    await ensureBuilt();
    const pulumi = await findPulumi();
    const seed = process.env.STATECRAFT_SEED ?? String(Date.now() % 2 ** 31);
    say(`STATECRAFT_SEED=${seed} makes the same programs again. Pulumi CLI ${pulumi.version}.`);
    const environment = {
        ...isolatedEnvironment(process.env, join(workFolder(), "soak")),
        STATECRAFT_SEED: seed,
        STATECRAFT_PULUMI_PATH: pulumi.folders.join(delimiter),
    };
    const counts = [];
    for (const part of parts) counts.push(await soak(part, minutes, environment));
    const sum = (what) => counts.reduce((total, one) => total + one[what], 0);
    say(`Done in ${seconds(start)}.`);
    say(`${sum("passed")} passed, ${sum("failed")} failed`);
    return sum("failed") === 0 ? 0 : 1;
});
