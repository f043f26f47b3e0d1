/** Runs mocha with scripts/reporter.cjs, and counts tests. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { repository, say, seconds, temporaryFolder, tool, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";
import { findPulumi, isolatedEnvironment, withLanguages } from "./pulumi-cli.mjs";

/** Thousands of short tests run a few percent faster with more room for short-lived objects. */
const flags = ["--min-semi-space-size=16"];

/**
 * The test files below a folder of the repository.
 * @param {string} folder
 */
export function testFiles(folder) {
    const names = readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".test.ts")).map((name) => join(folder, name));
}

/** The environment of all tests: it leads to no server and no account of the user. */
export const testEnvironment = () => isolatedEnvironment(process.env, join(workFolder(), "test"));

/** The same for tests with the real engine. `all`: with the language hosts of Python and Go. */
export async function engineEnvironment({ all = false } = {}) {
    const pulumi = await withLanguages(await findPulumi(), { all });
    say(`Pulumi CLI ${pulumi.version}: ${pulumi.program}`);
    return { ...testEnvironment(), STATECRAFT_PULUMI_PATH: pulumi.folders.join(delimiter) };
}

/** @typedef {{ passed: number, failed: number }} Counts */

/**
 * Runs mocha on these files, prints how many tests passed and failed, and returns both. A bad end without a failed test counts as a failure.
 * @param {string} title
 * @param {readonly string[]} files
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Counts>}
 */
export async function mocha(title, files, args, env) {
    const start = Date.now();
    const file = join(temporaryFolder("counts-"), "counts.json");
    const reporter = ["--reporter", join(repository, "scripts", "reporter.cjs"), "--reporter-option", `counts=${file}`];
    const command = [...flags, tool("mocha/bin/mocha.js"), ...reporter, ...args, ...files];
    const { code } = await run(process.execPath, command, { cwd: repository, env, stdio: "inherit" });
    const counts = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { passed: 0, failed: 0 };
    if (code !== 0 && counts.failed === 0) {
        say(`${title}: mocha ended with code ${code} before it counted the tests.`);
        counts.failed = 1;
    }
    say(`${title}: ${counts.passed} passed, ${counts.failed} failed (${seconds(start)})`);
    return counts;
}

/**
 * Prints the sum of all runs as the last line, and returns the exit code.
 * @param {readonly Counts[]} counts
 * @param {number} start
 */
export function total(counts, start) {
    /** @param {keyof Counts} what */
    const sum = (what) => counts.reduce((all, one) => all + one[what], 0);
    const [passed, failed] = [sum("passed"), sum("failed")];
    if (passed + failed === 0) say("No test matches the arguments.");
    say(`Done in ${seconds(start)}.`);
    say(`${passed} passed, ${failed} failed`);
    return failed === 0 && passed > 0 ? 0 : 1;
}
