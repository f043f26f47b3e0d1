/**
 * `npm run sdk -- <python|go> [folder]`: generates an SDK of the native plugin from `schema.json` with Pulumi's own generators. That of Node
 * is this package itself (`pulumi-statecraft/native`). Tests run programs in Python and Go with these SDKs.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { goEnvironment, goModule, goVersion, wantedVersion } from "./offline/build.mjs";
import { main, messageOf, repository, runStep, Stop, say, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";

/** A tool is not installed and cannot be downloaded. */
export class Missing extends Stop {}

const schema = join(repository, "schema.json");

/**
 * A short hash of these texts.
 * @param {(string | Buffer)[]} texts
 */
export function fingerprint(...texts) {
    return texts
        .reduce((hash, text) => hash.update(text), createHash("sha256"))
        .digest("hex")
        .slice(0, 12);
}

/**
 * The folder in `.work` that `fill` filled for this key, in this run or an earlier one. Folders of other keys are removed. The folder is renamed
 * once it is complete, so a killed run leaves no incomplete one.
 * @param {string} name
 * @param {string} key
 * @param {(making: string) => Promise<void>} fill
 */
export async function cached(name, key, fill) {
    const parent = join(workFolder(), name);
    const target = join(parent, key);
    if (existsSync(target)) return target;
    mkdirSync(parent, { recursive: true });
    const old = readdirSync(parent).map((other) => join(parent, other));
    const making = join(workFolder(), `${name}-${process.pid}`);
    try {
        mkdirSync(making);
        await fill(making);
        renameSync(making, target);
        for (const folder of old) rmSync(folder, { recursive: true, force: true });
    } catch (error) {
        // Another process may have made the same folder.
        if (!existsSync(target)) throw error;
    } finally {
        rmSync(making, { recursive: true, force: true });
    }
    return target;
}

const module = goModule("tools");

/** The sources of `scripts/offline/tools/codegen`, the program that calls Pulumi's generators. */
function sources() {
    const own = readdirSync(join(module, "codegen")).map((name) => join("codegen", name));
    return ["go.mod", "go.sum", ...own].map((name) => readFileSync(join(module, name)));
}

/**
 * Runs Go. Without Go, or if a download fails, the error is `Missing`.
 * @param {string} title
 * @param {readonly string[]} args
 * @param {import("./processes.mjs").Options} options
 */
export async function runGo(title, args, options) {
    if (!(await goVersion())) throw new Missing("There is no Go 1.25 or newer here.");
    try {
        await runStep(title, "It could not be built, as shown above.", "go", args, options);
    } catch (error) {
        throw /https?:/.test(messageOf(error)) ? new Missing(messageOf(error)) : error;
    }
}

/**
 * Runs Pulumi's generators. They are built again if their sources changed.
 * @param {string[]} args
 */
async function generate(...args) {
    const folder = await cached("codegen", fingerprint(...sources()), (making) =>
        runGo(
            "Building Pulumi's generators from source.",
            ["build", "-trimpath", "-ldflags", "-s -w", "-o", join(making, "codegen"), "./codegen"],
            { cwd: module, env: goEnvironment() },
        ),
    );
    const result = await run(join(folder, "codegen"), args);
    if (result.code !== 0) throw new Stop(result.stderr.trim());
}

/**
 * The folder of an SDK that was generated from the present package schema.
 * @param {string} language
 */
export async function sdkFolder(language) {
    const key = fingerprint(...sources(), readFileSync(schema));
    return cached(`sdk-${language}`, key, (making) => generate(schema, language, making));
}

const python = process.platform === "win32" ? "python" : "python3";

/** The Python packages that the SDK needs, and the installer. */
const packages = [`pulumi==${wantedVersion}`, "parver==0.5", "setuptools==80.9.0"];

/** The Python of a virtual environment with these packages, and the folder where the generated SDK is installed. */
export async function pythonWithSdk() {
    const environment = await cached("python", fingerprint(...packages), async (folder) => {
        if ((await run(python, ["-c", "import venv, ensurepip"])).code !== 0) {
            throw new Missing(`There is no ${python} with venv here.`);
        }
        try {
            await runStep("Making a virtual environment.", "It could not be made.", python, ["-m", "venv", folder]);
            await install("Installing Pulumi's SDK for Python.", pythonOf(folder), packages);
        } catch (error) {
            throw new Missing(messageOf(error));
        }
    });
    const own = pythonOf(environment);
    const sdk = await sdkFolder("python");
    const path = await cached("python-sdk", fingerprint(sdk), (folder) => {
        const options = ["--no-deps", "--no-build-isolation", "--target", folder];
        return install("Installing the Python SDK.", own, [...options, sdk]);
    });
    return { python: own, path };
}

/** The folders of Go's modules and build cache, for a process with another home folder. */
export async function goFolders() {
    const { code, stdout } = await run("go", ["env", "-json", "GOPATH", "GOCACHE", "GOMODCACHE", "GOENV"]);
    return code === 0 ? JSON.parse(stdout) : {};
}

/** Prepares the SDKs before the test files run in parallel. An error here is thrown again by the test that needs the SDK. */
export async function prepareLanguages() {
    for (const prepare of [pythonWithSdk, () => sdkFolder("go")]) {
        await prepare().catch((error) => {
            if (!(error instanceof Missing)) throw error;
        });
    }
}

/** @param {string} environment */
const pythonOf = (environment) => join(environment, process.platform === "win32" ? "Scripts" : "bin", "python");

/**
 * @param {string} title
 * @param {string} executable
 * @param {readonly string[]} args
 */
function install(title, executable, args) {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...args];
    return runStep(title, "pip failed, as shown above.", executable, pip);
}

/**
 * Builds Go programs that use the SDK, from sources by their paths, and returns the folder of the executables. Each has the name of its folder.
 * Modules have the versions of `scripts/offline/tools/go.mod`.
 * @param {Readonly<Record<string, string>>} sources
 */
export async function goPrograms(sources) {
    const sdk = await sdkFolder("go");
    const folder = await cached("go-programs", fingerprint(sdk, JSON.stringify(sources)), async (making) => {
        const manifest = readFileSync(join(module, "go.mod"), "utf8");
        const files = {
            "go.mod": `${manifest}\nrequire pulumi-statecraft/go v0.0.0\n\nreplace pulumi-statecraft/go => ${sdk}\n`,
            "go.sum": readFileSync(join(module, "go.sum"), "utf8"),
            ...sources,
        };
        for (const [path, text] of Object.entries(files)) {
            mkdirSync(dirname(join(making, path)), { recursive: true });
            writeFileSync(join(making, path), text);
        }
        const env = { ...goEnvironment(), GOFLAGS: "-mod=mod" };
        const args = ["build", "-trimpath", "-o", "bin/", "./..."];
        await runGo("Building programs in Go.", args, { cwd: making, env });
    });
    return join(folder, "bin");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    await main(async () => {
        const [language = "", folder = join(workFolder(), "sdk", language)] = process.argv.slice(2);
        if (language !== "python" && language !== "go") {
            throw new Stop("Say which: npm run sdk -- <python|go> [folder]");
        }
        await generate(schema, language, resolve(folder));
        say(resolve(folder));
    });
}
