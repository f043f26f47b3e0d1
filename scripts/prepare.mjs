/** Shared by all scripts: start and end, output, folders, and the build. */
import {
    accessSync,
    chmodSync,
    constants,
    existsSync,
    lstatSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./processes.mjs";

/** The repository's root. */
export const repository = resolve(fileURLToPath(new URL("..", import.meta.url)));

/** An expected failure: the user sees the message without a stack trace. */
export class Stop extends Error {}

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Runs the main function of a script, which returns the exit code or nothing.
 * @param {() => Promise<number | undefined | void>} body
 */
export async function main(body) {
    // `exit` handlers also run after Ctrl-C: they end child processes and remove temporary folders.
    for (const [name, code] of Object.entries(signals)) process.once(name, () => process.exit(code));
    try {
        process.exitCode = (await body()) ?? 0;
    } catch (error) {
        console.error(error instanceof Stop ? error.message : error);
        process.exitCode = 1;
    }
}

/**
 * The message of whatever was thrown.
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Prints one line.
 * @param {string} line
 */
export function say(line) {
    console.log(line);
}

/**
 * The seconds since `start`, as text.
 * @param {number} start
 */
export function seconds(start) {
    return `${Math.round((Date.now() - start) / 1000)} s`;
}

/**
 * Runs slow work under a title, prints every 15 seconds that it goes on, and prints how long it took.
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 */
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

/**
 * Runs a command under a title. If it fails, its output and then `sentence` are shown.
 * @param {string} title
 * @param {string} sentence
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("./processes.mjs").Options} options
 */
export async function runStep(title, sentence, command, args, options = {}) {
    await withProgress(title, async () => {
        const { code, stdout, stderr } = await run(command, args, { cwd: repository, ...options });
        if (code !== 0) throw new Stop([stdout.trimEnd(), stderr.trimEnd(), sentence].filter(Boolean).join("\n"));
    });
}

/** A folder for what scripts and tests write: `.work` in the repository, which git ignores, else a temporary one. */
export function workFolder() {
    const candidates = [join(repository, ".work"), join(tmpdir(), `statecraft-${process.getuid?.() ?? "work"}`)];
    for (const folder of candidates) {
        try {
            mkdirSync(folder, { recursive: true, mode: 0o700 });
            accessSync(folder, constants.W_OK);
            // All users share the temporary folder, so another user may own it.
            const isOurs = folder === candidates[0] || lstatSync(folder).uid === process.getuid?.();
            if (isOurs || process.platform === "win32") return folder;
        } catch {
            // Try the next candidate.
        }
    }
    throw new Stop(`Neither ${candidates.join(" nor ")} can be written to.`);
}

/**
 * A new folder below the work folder, removed when this process ends.
 * @param {string} prefix
 */
export function temporaryFolder(prefix) {
    const folder = mkdtempSync(join(workFolder(), prefix));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/**
 * The path of a file below `node_modules`.
 * @param {string} path
 */
export function tool(path) {
    return join(repository, "node_modules", path);
}

/** The names and times of all files that the build reads. */
function fingerprint() {
    const settings = ["tsconfig.json", "tsconfig.build.json", "package-lock.json", join("scripts", "bundle.mjs")];
    const names = readdirSync(join(repository, "src"), { recursive: true, encoding: "utf8" });
    const sources = names.filter((name) => name.endsWith(".ts")).map((name) => join("src", name));
    return [...settings, ...sources]
        .sort()
        .map((file) => `${file} ${statSync(join(repository, file)).mtimeMs}`)
        .join("\n");
}

/**
 * Builds `dist`, unless it was built from exactly these sources. The compiler writes into another folder, and `dist` is replaced at the end: a
 * failed build changes nothing, and files of deleted sources disappear.
 */
export async function ensureBuilt() {
    const work = join(repository, ".work");
    mkdirSync(work, { recursive: true });
    const dist = join(repository, "dist");
    const stamp = join(work, "built");
    const wanted = fingerprint();
    if (existsSync(join(dist, "index.js")) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;

    const fresh = join(work, `dist-${process.pid}`);
    const old = join(work, `dist-old-${process.pid}`);
    /**
     * @param {string} title
     * @param {string} sentence
     * @param {string[]} args
     */
    const node = (title, sentence, ...args) => runStep(title, sentence, process.execPath, args);
    try {
        const compiler = [tool("typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", fresh];
        await node("Building (tsc).", "The sources do not compile, as shown above.", ...compiler);
        const bundler = [join(repository, "scripts", "bundle.mjs"), fresh];
        await node("Bundling the provider (esbuild).", "The bundle failed, as shown above.", ...bundler);
        // npm sets this mode when it installs the package, but here `pulumi-statecraft` is a link to this folder.
        for (const folder of ["command", "plugin"]) chmodSync(join(fresh, folder, "main.js"), 0o755);
        if (existsSync(dist)) renameSync(dist, old);
        renameSync(fresh, dist);
        writeFileSync(stamp, wanted);
    } finally {
        for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
    }
}
