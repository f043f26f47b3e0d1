/**
 * `npm run test:nightly`: the tests that take too long for `npm test`. `npm run test:nightly -- --only matrix,crashes` runs some parts:
 *
 * | part        | what it runs                                                                              | what it needs              |
 * | ----------- | ----------------------------------------------------------------------------------------- | -------------------------- |
 * | `random`    | the random tests of `npm test` with a new seed and eight times as many runs               |                            |
 * | `matrix`    | all cells of the fault matrix, or those whose titles contain `STATECRAFT_CELLS`           |                            |
 * | `crashes`   | kills of the engine and its provider at every request, and 500 resources at a rate limit  |                            |
 * | `soak`      | `STATECRAFT_SOAK_MINUTES` (30) of deployments; fails if memory or sockets grow            |                            |
 * | `languages` | programs in YAML, Python and Go                                                           | Python 3, Go 1.25 or newer |
 * | `plans`     | plans by OpenTofu (`STATECRAFT_TOFU`, or built once) of `STATECRAFT_PLANS` (300) states   | Go 1.25 or newer           |
 * | `contract`  | the contracts on real servers; `test/contract/servers.ts` lists the variables             | `STATECRAFT_CONTRACT_…`    |
 * | `commands`  | the commands of pages and messages, with the real programs, and OpenTofu as `plans` has it | the same, `vault`, `nomad` |
 * | `differential` | random calls of the client on real servers and the simulator                                 | `STATECRAFT_CONTRACT_…`    |
 *
 * It prints the seed, and `STATECRAFT_SEED` repeats a run. The last line is always `N passed, N failed`.
 */
import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { engineEnvironment, mocha, testEnvironment, testFiles, total } from "./mocha.mjs";
import { buildProgram, realFolder } from "./offline/build.mjs";
import { ensureBuilt, main, messageOf, Stop, say } from "./prepare.mjs";
import { goFolders, prepareLanguages } from "./sdk.mjs";

const seed = process.env.STATECRAFT_SEED ?? String(randomInt(2 ** 31));
const patient = ["--timeout", "1800000"];
/** @param {string[]} names */
const inTest = (...names) => names.map((name) => join("test", name));
const environment = () => ({ ...testEnvironment(), STATECRAFT_SEED: seed });
const tofu = { STATECRAFT_TOFU: process.env.STATECRAFT_TOFU ?? join(realFolder, "tofu") };

async function random() {
    const files = testFiles(join("test", "properties"));
    const env = { ...environment(), STATECRAFT_RUNS: process.env.STATECRAFT_RUNS ?? "8" };
    return [await mocha("Random tests", files, ["--parallel", ...patient], env)];
}

async function matrix() {
    const env = { ...testEnvironment(), STATECRAFT_FAULTS: "all" };
    return [await mocha("The fault matrix", inTest("faults/matrix.test.ts"), patient, env)];
}

async function crashes() {
    return [await mocha("Crashes and load", testFiles(join("test", "crashes")), patient, await engineEnvironment())];
}

async function soak() {
    const minutes = Number(process.env.STATECRAFT_SOAK_MINUTES ?? 30);
    if (!(minutes > 0)) throw new Stop("STATECRAFT_SOAK_MINUTES must be a number of minutes.");
    const engine = { ...(await engineEnvironment()), STATECRAFT_SEED: seed };
    /**
     * @param {string} title
     * @param {string} file
     * @param {number} share
     */
    const part = (title, file, share) => {
        const env = { ...engine, STATECRAFT_SOAK_SECONDS: String(Math.round(minutes * share * 60)) };
        // Memory is compared after a garbage collection.
        return mocha(title, inTest(file), ["--expose-gc", "--timeout", "0"], env);
    };
    return [
        await part("Soak without the engine", "soak/client.soak.ts", 1 / 3),
        await part("Soak with the engine", "soak/engine.soak.ts", 2 / 3),
    ];
}

async function languages() {
    const env = { ...(await engineEnvironment({ all: true })), ...(await goFolders()) };
    await prepareLanguages();
    return [await mocha("Programs in Python and Go", testFiles(join("test", "languages")), patient, env)];
}

async function plans() {
    if (process.env.STATECRAFT_TOFU === undefined) {
        mkdirSync(realFolder, { recursive: true });
        await buildProgram("tofu", realFolder);
    }
    return [await mocha("Plans of parts of states", inTest("plans/plans.ts"), patient, { ...environment(), ...tofu })];
}

async function contract() {
    const env = { ...testEnvironment(), STATECRAFT_CONTRACT_SEED: process.env.STATECRAFT_CONTRACT_SEED ?? seed };
    return [await mocha("Contracts on real servers", inTest("contract/servers.ts"), patient, env)];
}

async function differential() {
    return [await mocha("Real servers and the simulator", inTest("contract/differential.ts"), patient, environment())];
}

async function commands() {
    // `vault` and `nomad`, if `npm run real` has built them.
    const PATH = [process.env.PATH, realFolder].join(delimiter);
    const env = { ...(await engineEnvironment()), ...tofu, PATH };
    return [await mocha("Printed commands", inTest("contract/commands.ts"), patient, env)];
}

/** @type {Readonly<Record<string, () => Promise<import("./mocha.mjs").Counts[]>>>} */
const parts = { random, matrix, crashes, soak, languages, plans, contract, commands, differential };
/** The parts that need real servers. */
const onServers = ["contract", "commands", "differential"];

/** The value of `--only`. */
function flag() {
    try {
        return parseArgs({ options: { only: { type: "string" } } }).values.only;
    } catch (error) {
        const [reason] = messageOf(error).split(". ");
        throw new Stop(`${reason}: the only option is --only ${Object.keys(parts).join(",")}`);
    }
}

/** The parts to run. Without `--only`: all, those on servers only if a variable names one. */
function chosen() {
    const only = flag();
    if (only === undefined) {
        const hasServers = Object.keys(process.env).some((name) => /^STATECRAFT_CONTRACT_\w+_ADDRESS$/.test(name));
        if (!hasServers) say(`${onServers}: left out, because no STATECRAFT_CONTRACT_…_ADDRESS names a server.`);
        return Object.keys(parts).filter((name) => !onServers.includes(name) || hasServers);
    }
    const names = only.split(",");
    const unknown = names.find((name) => !Object.keys(parts).includes(name));
    if (unknown !== undefined) throw new Stop(`--only ${unknown}: must be some of ${Object.keys(parts).join(",")}`);
    return names;
}

await main(async () => {
    const start = Date.now();
    const names = chosen();
    say(`STATECRAFT_SEED=${seed} repeats this run.`);
    await ensureBuilt();
    const counts = [];
    // One after the other, because each uses all cores or measures.
    for (const name of names) counts.push(...((await parts[name]?.()) ?? []));
    return total(counts, start);
});
