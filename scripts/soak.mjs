/**
 * `npm run test:soak`: many ups, edits, refreshes and destroys, for STATECRAFT_SOAK_MINUTES (30 unless set): a third of the time
 * through one host without the engine, the rest with the real engine. Memory and sockets at the beginning and at the end are
 * told, and growth beyond bounds is a failure. STATECRAFT_SEED repeats a run. The last line is always `N passed, N failed`.
 */
import { delimiter, join } from "node:path";
import { mocha, total } from "./mocha.mjs";
import { ensureBuilt, main, Stop, say, workFolder } from "./prepare.mjs";
import { findPulumi, isolatedEnvironment } from "./pulumi-cli.mjs";

/** The parts, and their shares of the time. */
const parts = [
    { title: "Through one host, without the engine", file: "client.soak.ts", share: 1 / 3 },
    { title: "With the real engine", file: "engine.soak.ts", share: 2 / 3 },
];

await main(async () => {
    const start = Date.now();
    const minutes = Number(process.env.STATECRAFT_SOAK_MINUTES ?? 30);
    if (!(minutes > 0)) throw new Stop("STATECRAFT_SOAK_MINUTES must be a number of minutes.");
    await ensureBuilt();
    const pulumi = await findPulumi();
    const seed = process.env.STATECRAFT_SEED ?? String(Date.now() % 2 ** 31);
    say(`STATECRAFT_SEED=${seed} makes the same programs again. Pulumi CLI ${pulumi.version}.`);
    const environment = {
        ...isolatedEnvironment(process.env, join(workFolder(), "soak")),
        STATECRAFT_SEED: seed,
        STATECRAFT_SOAK_MINUTES: String(minutes),
        STATECRAFT_PULUMI_PATH: pulumi.folders.join(delimiter),
    };
    const counts = [];
    for (const { title, file, share } of parts) {
        const length = Math.round(minutes * share * 60);
        // What is left after collecting is what is held.
        const options = ["--expose-gc", "--timeout", "0"];
        say(`${title}, for ${length} s:`);
        const env = { ...environment, STATECRAFT_SOAK_SECONDS: String(length) };
        counts.push(await mocha(title, [join("test", "soak", file)], options, env));
    }
    return total(counts, start);
});
