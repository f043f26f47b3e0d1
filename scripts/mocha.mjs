/** Runs of mocha, shown by scripts/reporter.cjs and counted. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repository, say, seconds, tool, workFolder } from "./prepare.mjs";
import { beforeEnd, run } from "./processes.mjs";

/**
 * Thousands of short tests: optimizing what is called a little more seldom, and room for what lives briefly, save a few percent of what they
 * compute. The processes that mocha starts take over the flags of their parent.
 */
const flags = ["--interrupt-budget=400000", "--min-semi-space-size=16"];

/** One run of mocha over these files, whose counts it says. One that ends badly with no failure counted is a failure. */
export async function mocha(title, files, args, env) {
    if (files.length === 0) return { passed: 0, failed: 0 };
    const start = Date.now();
    const folder = mkdtempSync(join(workFolder(), "counts-"));
    const remove = beforeEnd(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "counts.json");
    const reporter = ["--reporter", join(repository, "scripts", "reporter.cjs"), "--reporter-option", `counts=${file}`];
    const command = [...flags, tool("mocha/bin/mocha.js"), ...reporter, ...args, ...files];
    const result = await run(process.execPath, command, { cwd: repository, env, stdio: "inherit" });
    const counts = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { passed: 0, failed: 0 };
    remove();
    if (result.code !== 0 && counts.failed === 0) {
        say(`${title} ended with code ${result.code} before they could be counted.`);
        counts.failed = 1;
    }
    say(`${title}: ${counts.passed} passed, ${counts.failed} failed (${seconds(start)})`);
    return counts;
}

/** Says what all runs came to, which is the last line; whether all is well, as an exit code. */
export function total(counts, start) {
    const sum = (what) => counts.reduce((all, one) => all + one[what], 0);
    const [passed, failed] = [sum("passed"), sum("failed")];
    if (passed + failed === 0) say("No test matches what was asked for.");
    say(`Done in ${seconds(start)}.`);
    say(`${passed} passed, ${failed} failed`);
    return failed === 0 && passed > 0 ? 0 : 1;
}
