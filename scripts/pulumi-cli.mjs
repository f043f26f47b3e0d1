/**
 * Finds the Pulumi CLI, or gets it once: on PATH, in the home folder, by the vendor's installer, built with Go. Says how
 * to run it without touching anything of the user's.
 */
import { accessSync, chmodSync, constants, copyFileSync, mkdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ownEnvironment, userHome } from "./own-environment.cjs";
import { repository, Stop, say, tool, withProgress, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";
import {
    buildProgram,
    cli,
    compareVersions,
    copyPythonScript,
    fillFolder,
    goVersion,
    languageHost,
    programs,
    pythonScript,
    runnable,
    wantedVersion,
    windows,
    yamlHost,
} from "./pulumi-build.mjs";

const oldestVersion = "3.150.0";

/** A script that comes with the Node SDK and runs our providers. */
const dynamicHost = windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs";
const sdk = tool("@pulumi/pulumi");

const pathFolders = (env = process.env) => (env.PATH ?? "").split(delimiter).filter(Boolean);

/** Where the Automation API's installer puts a CLI, and a place among our own files where the home folder cannot be written to. */
const ownFolders = () =>
    [join(userHome(process.env), ".pulumi"), join(workFolder(), "pulumi")].map((root) =>
        join(root, "versions", wantedVersion, "bin"),
    );

function writableFolder(folders) {
    for (const folder of folders) {
        try {
            mkdirSync(folder, { recursive: true });
            accessSync(folder, constants.W_OK);
            return folder;
        } catch {
            // The next one.
        }
    }
    throw new Stop(`The Pulumi CLI can be put neither in ${folders.join(" nor in ")}: one of them must be writable.`);
}

/** The CLI in this folder if it is new enough and has the language host that runs Node programs, which some distributions package apart. */
async function inspect(folder) {
    const program = join(folder, cli);
    if (!runnable(program)) return undefined;
    const answer = await run(program, ["version"], {
        env: isolatedEnvironment(process.env, workFolder()),
        limit: 20_000,
    });
    const version = /^v?(\d+\.\d+\.\d+\S*)/.exec(answer.stdout.trim())?.[1];
    if (answer.code !== 0 || !version || compareVersions(version, oldestVersion) < 0) return undefined;
    const beside = [folder, dirname(realpathSync(program))];
    const language = [...beside, ...pathFolders()].find((place) => runnable(join(place, languageHost)));
    if (!language) return undefined;
    const host = beside.find((place) => runnable(join(place, dynamicHost)));
    return { program, version, folders: [...new Set([folder, language, ...(host ? [] : [sdk])])] };
}

/** The first CLI that will do among those that are already here. */
async function lookUp() {
    const places = [...pathFolders(), join(userHome(process.env), ".pulumi", "bin"), ...ownFolders()];
    for (const folder of new Set(places)) {
        const found = await inspect(folder);
        if (found) return found;
    }
    return undefined;
}

/** Calls the installer that comes with the Automation API: it downloads from the vendor. */
async function installFromVendor(target, limit) {
    const script = `const { PulumiCommand } = require("@pulumi/pulumi/automation");
        const { SemVer } = require("semver");
        PulumiCommand.install({ root: process.argv[1], version: new SemVer(process.argv[2]) })
            .catch((error) => { console.error(error.message); process.exit(1); });`;
    await fillFolder(target, async (making) => {
        const result = await run(process.execPath, ["-e", script, making, wantedVersion], { cwd: repository, limit });
        if (result.code !== 0) throw new Stop(result.stderr.trim().split("\n")[0] || `no answer in ${limit / 1000} s`);
    });
}

/** Builds in `target` what runs programs for Node. */
async function buildWithGo(target, version) {
    say(`The Pulumi CLI ${wantedVersion} is now built with Go ${version}: five to seven minutes on two cores, once.`);
    for (const name of [cli, languageHost]) await buildProgram(name, target);
    copyFileSync(join(sdk, dynamicHost), join(target, dynamicHost));
    chmodSync(join(target, dynamicHost), 0o755);
}

/**
 * The CLI with the language host of YAML beside it, and with `all` those of Python and Go too. What is missing is built, which takes two
 * minutes, once. Without Go the CLI stays as it is.
 */
export async function withLanguages(found, { all }) {
    const places = [...found.folders, ...pathFolders()];
    const wanted = all ? [...Object.keys(programs), pythonScript] : [yamlHost];
    const missing = wanted.filter((name) => !places.some((place) => runnable(join(place, name))));
    if (missing.length === 0 || windows || !(await goVersion())) return found;
    const target = writableFolder(ownFolders());
    for (const name of missing) await (name === pythonScript ? copyPythonScript(target) : buildProgram(name, target));
    return { ...found, folders: [...new Set([...found.folders, target])] };
}

/**
 * The Pulumi CLI: `{program, version, folders}`, where `folders` must come first on PATH. With `get: false` only looks
 * for one that is here already and returns nothing when there is none.
 */
export async function findPulumi({ get = true } = {}) {
    const found = await lookUp();
    if (found || !get) return found;
    const target = writableFolder(ownFolders());
    const version = windows ? undefined : await goVersion();
    // With nothing to fall back on a slow line deserves more patience.
    const limit = version ? 120_000 : 600_000;
    let reason = "what it installed does not run";
    try {
        await withProgress(`Getting the Pulumi CLI ${wantedVersion} with its own installer.`, () =>
            installFromVendor(target, limit),
        );
        const installed = await inspect(target);
        if (installed) return installed;
    } catch (error) {
        reason = error.message;
    }
    if (!version) {
        throw new Stop(
            `There is no Pulumi CLI ${oldestVersion} or newer here, its installer failed (${reason}), and without Go 1.25 or newer (on Windows never) it is not built from source: install the CLI as pulumi.com/docs/install says, and run this again.`,
        );
    }
    say(`Its installer failed (${reason}).`);
    await buildWithGo(target, version);
    const built = await inspect(target);
    if (!built)
        throw new Stop(`The Pulumi CLI that was built in ${target} does not run: remove that folder and try again.`);
    return built;
}

/**
 * The environment without the user's Pulumi account, servers and settings of this package, with a home folder, an engine's home and a backend in
 * `folder`.
 */
export function isolatedEnvironment(env, folder, extra = {}) {
    // Whoever needs a proxy for the world needs none for a server on this machine.
    const direct = [env.NO_PROXY ?? env.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
    return {
        ...ownEnvironment(env, join(folder, "user")),
        NO_PROXY: direct,
        no_proxy: direct,
        PULUMI_HOME: join(folder, "home"),
        PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
        PULUMI_CONFIG_PASSPHRASE: "nothing here is secret",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        ...extra,
    };
}

/** The environment of a command in `folder`, which is made ready: PATH begins with the folders of the CLI and this very Node. */
export function environmentFor(folders, folder, env = process.env, extra = {}) {
    for (const name of ["home", "backend", "user"]) mkdirSync(join(folder, name), { recursive: true });
    const path = [...new Set([...folders, dirname(process.execPath), ...pathFolders(env)])].join(delimiter);
    return isolatedEnvironment({ ...env, PATH: path }, folder, extra);
}
