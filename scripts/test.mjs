/**
 * `npm test`: types, lint, format, the tests without Pulumi's engine (`unit`) and those with it (`engine`), all at once.
 * `npm run test:unit` and `npm run test:engine` run one of the two. They take files, and options of mocha: `npm run test:unit -- --grep lock`.
 * The last line is always `N passed, N failed`.
 */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, sep } from "node:path";
import { engineEnvironment, mocha, testEnvironment, testFiles, total } from "./mocha.mjs";
import { ensureBuilt, main, repository, Stop, say, seconds, tool, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";

const cores = Math.max(2, availableParallelism());
/** @param {number} jobs */
const parallel = (jobs) => ["--parallel", "--jobs", String(jobs)];

/** Folders of tests that need the engine, and of those that `npm run test:nightly` runs. */
const engineFolder = join("test", "end-to-end");
const otherFolders = [engineFolder, join("test", "crashes"), join("test", "languages")];

/**
 * Runs a check that counts as one test; its output is shown only if it fails.
 * @param {string} title
 * @param {readonly string[]} args
 */
async function check(title, args) {
    const start = Date.now();
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: repository });
    say(`${title}: ${code === 0 ? "passed" : "FAILED"} (${seconds(start)})`);
    if (code !== 0) say(`${stdout}\n${stderr}`.trim());
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

const types = () =>
    check("types (tsc)", [
        tool("typescript/bin/tsc"),
        ...["--noEmit", "--incremental", "--tsBuildInfoFile", join(workFolder(), "types.tsbuildinfo")],
    ]);

const lint = () => check("lint and format (biome)", [tool("@biomejs/biome/bin/biome"), "ci"]);

/**
 * @param {string[]} named
 * @param {string[]} options
 */
function unit(named, options) {
    /** @param {string} file */
    const isUnit = (file) => !otherFolders.some((folder) => file.startsWith(folder + sep));
    const files = named.length > 0 ? named : testFiles("test").filter(isUnit);
    // These tests start many Node processes, and each would read the extra certificates first.
    const env = { ...testEnvironment(), NODE_EXTRA_CA_CERTS: undefined };
    return mocha("Tests without the engine", files, [...parallel(cores), "--timeout", "60000", ...options], env);
}

/**
 * @param {string[]} named
 * @param {string[]} options
 */
async function engine(named, options) {
    /** @param {string} file */
    const size = (file) => statSync(join(repository, file)).size;
    // Long files first, so that all jobs end at about the same time.
    const all = testFiles(engineFolder).sort((one, other) => size(other) - size(one));
    // A third of an engine's command is waiting, so one more job than cores.
    const args = [...parallel(cores + 1), "--timeout", "300000", ...options];
    return mocha("Tests with the engine", named.length > 0 ? named : all, args, await engineEnvironment());
}

await main(async () => {
    const start = Date.now();
    const [part = "", ...args] = process.argv.slice(2);
    const one = { unit, engine }[part];
    if (part !== "" && one === undefined) {
        throw new Stop("`npm test` takes no arguments: say `npm run test:unit -- …`, or `npx mocha <file>`.");
    }
    const files = args.filter((arg) => arg.endsWith(".ts"));
    const options = args.filter((arg) => !files.includes(arg));
    await ensureBuilt();
    const all = () => [types(), lint(), unit([], []), engine([], [])];
    return total(await Promise.all(one ? [one(files, options)] : all()), start);
});
