/**
 * What both commands need before their own work: a Node that is new enough, the packages, the build. Only what Node
 * brings along is used here, because on a fresh clone there is nothing else; and only syntax that Node 16 reads, so that
 * a Node that is too old reaches the sentence that says so.
 */
import {
    accessSync,
    chmodSync,
    constants,
    existsSync,
    lstatSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanUp, cleanUpWhenInterrupted, interrupted, run } from "./processes.mjs";

/** The repository's root. */
export const repository = resolve(fileURLToPath(new URL("..", import.meta.url)));

/** An end that was foreseen: the user gets its message and no stack. */
export class Stop extends Error {}

/** The sentence for a Node that is older than `engines` of package.json says, or nothing. */
function nodeProblem() {
    const [major, minor] = process.versions.node.split(".").map(Number);
    if (major > 20 || (major === 20 && minor >= 3)) return undefined;
    return `Node 20.3 or newer is needed, and this is ${process.version}: install a newer one and run this again.`;
}

/** Runs a command's main function; says in one sentence what stopped it; the exit code says whether all went well. */
export async function main(body) {
    const problem = nodeProblem();
    if (problem) {
        console.error(problem);
        process.exit(1);
    }
    cleanUpWhenInterrupted();
    let code = 1;
    try {
        code = await body();
    } catch (error) {
        if (!interrupted) console.error(error instanceof Stop ? error.message : error);
    }
    // After Ctrl-C the handler of the signal decides how this ends.
    if (interrupted) return;
    cleanUp();
    process.exitCode = code;
}

/** One line to the user. */
export function say(line) {
    console.log(line);
}

/** Seconds since `start`, for people. */
export function seconds(start) {
    return `${Math.round((Date.now() - start) / 1000)} s`;
}

/** Does something slow: says what it is, that it goes on, and how long it took. */
export async function withProgress(title, work) {
    const start = Date.now();
    say(title);
    const timer = setInterval(() => say(`  … ${seconds(start)}`), 15_000);
    try {
        const result = await work();
        say(`  done in ${seconds(start)}`);
        return result;
    } finally {
        clearInterval(timer);
    }
}

/** Runs a command under a title; its output is shown only when it fails, before the sentence that says what failed. */
export async function runStep(title, sentence, command, args, options = {}) {
    await withProgress(title, async () => {
        const result = await run(command, args, { cwd: repository, ...options });
        if (result.code === 0) return;
        throw new Stop([result.stdout.trimEnd(), result.stderr.trimEnd(), sentence].filter(Boolean).join("\n"));
    });
}

/** A folder for what we write while running: `.work` in the repository, which git ignores, else a temporary one. */
export function workFolder() {
    const candidates = [join(repository, ".work"), join(tmpdir(), `statecraft-${process.getuid?.() ?? "work"}`)];
    for (const folder of candidates) {
        try {
            mkdirSync(folder, { recursive: true, mode: 0o700 });
            accessSync(folder, constants.W_OK);
            // In the folder that all users share, somebody else may have made it.
            const isOurs = folder === candidates[0] || lstatSync(folder).uid === process.getuid?.();
            if (isOurs || process.platform === "win32") return folder;
        } catch {
            // The next one.
        }
    }
    throw new Stop(`Neither ${candidates.join(" nor ")} can be written to.`);
}

/** The arguments that run an installed package's command with this very Node, without asking npm to find it. */
export function tool(path) {
    return join(repository, "node_modules", path);
}

function modified(path) {
    try {
        return statSync(path).mtimeMs;
    } catch {
        return 0;
    }
}

/** Installs the packages named in package-lock.json unless that has been done since the lock file last changed. */
export async function ensureInstalled() {
    const done = modified(join(repository, "node_modules", ".package-lock.json"));
    if (done > 0 && done >= modified(join(repository, "package-lock.json"))) return;
    // npm tells its scripts where it is; running that file with our own Node works on every system.
    const told = process.env.npm_execpath ?? "";
    const npm = basename(told) === "npm-cli.js" ? [process.execPath, told] : ["npm"];
    await runStep(
        "Installing the packages (npm ci), about half a minute, once.",
        "The packages could not be installed: npm ci failed as shown above.",
        npm[0],
        [...npm.slice(1), "ci", "--no-audit", "--no-fund"],
        { shell: npm.length === 1 && process.platform === "win32" },
    );
}

function filesBelow(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
}

/** Names and times of everything that the build reads: a changed, new or deleted source changes this text. */
function fingerprint() {
    const settings = ["tsconfig.json", "tsconfig.build.json", "package-lock.json", join("scripts", "bundle.mjs")].map(
        (name) => join(repository, name),
    );
    return [...settings, ...filesBelow(join(repository, "src"))]
        .sort()
        .map((file) => `${file.slice(repository.length)} ${modified(file)}`)
        .join("\n");
}

/**
 * Builds dist unless it was built from exactly these sources. The compiler writes elsewhere and dist is exchanged at the
 * end: a failed or killed build leaves the old one, and no file of a deleted source stays behind. A fresh clone gets its packages before.
 */
export async function ensureBuilt() {
    await ensureInstalled();
    const work = join(repository, ".work");
    mkdirSync(work, { recursive: true });
    const dist = join(repository, "dist");
    const stamp = join(work, "built");
    const wanted = fingerprint();
    if (existsSync(join(dist, "index.js")) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;

    const fresh = join(work, `dist-${process.pid}`);
    const old = join(work, `dist-old-${process.pid}`);
    try {
        await runStep("Building (tsc).", "The sources do not compile, as shown above.", process.execPath, [
            tool("typescript/bin/tsc"),
            "-p",
            "tsconfig.build.json",
            "--outDir",
            fresh,
        ]);
        await runStep(
            "Bundling the provider (rolldown).",
            "The bundle could not be made, as shown above.",
            process.execPath,
            [join(repository, "scripts", "bundle.mjs"), fresh],
        );
        // npm does so where it installs the package, but not here, where the package is a link to this folder.
        for (const folder of ["command", "plugin"]) chmodSync(join(fresh, folder, "main.js"), 0o755);
        if (existsSync(dist)) renameSync(dist, old);
        renameSync(fresh, dist);
        writeFileSync(stamp, wanted);
    } finally {
        for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
    }
}
