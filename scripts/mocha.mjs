/** Runs of mocha, shown by scripts/reporter.cjs and counted. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repository, say, seconds, tool, workFolder } from "./prepare.mjs";
import { beforeEnd, run } from "./processes.mjs";

/** Runs what writes its counts into a file whose path `args` gets, and says them. One that ends badly with no failure counted is a failure. */
export async function counted(title, args, env) {
    const start = Date.now();
    const folder = mkdtempSync(join(workFolder(), "counts-"));
    const remove = beforeEnd(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "counts.json");
    const result = await run(process.execPath, args(file), { cwd: repository, env, stdio: "inherit" });
    const counts = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { passed: 0, failed: 0 };
    remove();
    if (result.code !== 0 && counts.failed === 0) {
        say(`${title} ended with code ${result.code} before they could be counted.`);
        counts.failed = 1;
    }
    say(`${title}: ${counts.passed} passed, ${counts.failed} failed (${seconds(start)})`);
    return counts;
}

/** One run of mocha over these files. */
export async function mocha(title, files, args, env) {
    if (files.length === 0) return { passed: 0, failed: 0 };
    const reporter = ["--reporter", join(repository, "scripts", "reporter.cjs"), "--reporter-option"];
    return counted(
        title,
        (file) => [tool("mocha/bin/mocha.js"), ...reporter, `counts=${file}`, ...args, ...files],
        env,
    );
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
