/**
 * `npm test`: gets ready, then runs every check of the project. What stands behind `--` goes to mocha: `npm test -- --grep
 * lock` or `npm test -- test/core/diff.test.ts` runs only these tests. The last line is always `N passed, N failed`.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { delimiter, join, relative, resolve, sep } from "node:path";
import { mocha, total } from "./mocha.mjs";
import { ensureBuilt, main, repository, say, seconds, tool, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";
import { findPulumi, isolatedEnvironment, withLanguages } from "./pulumi-cli.mjs";
import { goFolders, prepareLanguages } from "./sdk.mjs";

const endToEnd = join("test", "end-to-end");
/** Programs in Python and Go run only where they are named: `npm run test:languages`. */
const languages = join("test", "languages");

/** Test files at once. */
const sideBySide = (jobs) => ["--parallel", "--jobs", String(jobs)];
const cores = Math.max(2, cpus().length);

/**
 * A command of the engine takes seconds, a third of them waiting, and a test several of them: the limit of single commands in
 * test/support/pulumi-cli.ts comes first.
 */
const engineOptions = [...sideBySide(cores + 1), "--timeout", "300000"];

/** The test files below `folder`, as paths from the repository's root. */
function testFiles(folder) {
    if (!existsSync(join(repository, folder))) return [];
    return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return testFiles(path);
        return entry.name.endsWith(".test.ts") ? [path] : [];
    });
}

/** Options of mocha that take their value from the next word. */
const withValue = /^(-[gftj]|--(grep|fgrep|timeout|jobs|retries|slow|require))$/;

/** Splits what the user gave into the test files that it names and what mocha shall have. */
function readArguments(args) {
    const files = [];
    const options = [];
    for (const [index, arg] of args.entries()) {
        const path = relative(repository, resolve(arg));
        const value = withValue.test(args[index - 1] ?? "");
        const named = !value && !arg.startsWith("-") && !path.startsWith("..") && existsSync(join(repository, path));
        if (named) files.push(...(path.endsWith(".ts") ? [path] : testFiles(path)));
        else options.push(arg);
    }
    return { files, options, narrowed: args.length > 0 };
}

/** A check without tests of its own: it counts as one, and its output is shown only if it fails. */
async function check(title, args) {
    const start = Date.now();
    const result = await run(process.execPath, args, { cwd: repository });
    const passed = result.code === 0;
    say(`${title}: ${passed ? "passed" : "FAILED"} (${seconds(start)})`);
    if (!passed) say([result.stdout, result.stderr].join("\n").trim());
    return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Types, lint and format. */
const checks = () => [
    check("types (tsc)", [
        // In a run this short, optimizing what is called a little more seldom costs more than it brings: a fifth of the whole.
        "--interrupt-budget=400000",
        tool("typescript/bin/tsc"),
        "--noEmit",
        "--incremental",
        "--tsBuildInfoFile",
        join(workFolder(), "types.tsbuildinfo"),
    ]),
    check("lint and format (biome)", [tool("@biomejs/biome/bin/biome"), "ci"]),
];

await main(async () => {
    const start = Date.now();
    const { files, options, narrowed } = readArguments(process.argv.slice(2));
    await ensureBuilt();

    const isIn = (folder) => (file) => file.startsWith(folder + sep);
    const all = files.length > 0 ? files : testFiles("test").filter((file) => !isIn(languages)(file));
    const isSlow = (file) => isIn(endToEnd)(file) || isIn(languages)(file);
    const needsLanguages = all.some(isIn(languages));
    // Long files first, so that the two jobs end at about the same time.
    const size = (file) => statSync(join(repository, file)).size;
    const slow = all.filter(isSlow).sort((one, other) => size(other) - size(one));
    const fast = all.filter((file) => !isSlow(file));
    const env = isolatedEnvironment(process.env, join(workFolder(), "test"));
    if (narrowed) say("Only the tests that were asked for; types, lint and format are left out.");
    const pulumi = slow.length > 0 ? await findPulumi() : undefined;
    if (pulumi) say(`Pulumi CLI ${pulumi.version}: ${pulumi.program}`);

    const withEngine = async () => {
        if (!pulumi) return { passed: 0, failed: 0 };
        const { folders } = await withLanguages(pulumi, { all: needsLanguages });
        if (needsLanguages) await prepareLanguages();
        const go = needsLanguages ? await goFolders() : {};
        return mocha("Tests with the real engine", slow, [...engineOptions, ...options], {
            ...env,
            ...go,
            STATECRAFT_PULUMI_PATH: folders.join(delimiter),
        });
    };
    // All at once: the checks use one core each, and a third of what a command of the engine takes is waiting.
    const counts = await Promise.all([
        ...(narrowed ? [] : checks()),
        mocha("Tests without the engine", fast, [...sideBySide(cores), "--timeout", "60000", ...options], {
            ...env,
            // They start many Node processes, each of which would read these first, and ask no server for its certificate.
            NODE_EXTRA_CA_CERTS: undefined,
        }),
        withEngine(),
    ]);
    return total(counts, start);
});
