/**
 * Finds the Pulumi CLI, or installs it once. The order: `PATH`, `~/.pulumi/bin`, Pulumi's own installer, and a build with Go (`offline/build.mjs`).
 * Also the environment of a CLI that touches nothing of the user's.
 */
import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import {
    allHosts,
    buildCli,
    buildProgram,
    cli,
    compareVersions,
    dynamicHost,
    fillFolder,
    goVersion,
    languageHost,
    runnable,
    wantedVersion,
    windows,
    yamlHost,
} from "./offline/build.mjs";
import { ownEnvironment, userHome } from "./own-environment.cjs";
import { messageOf, repository, Stop, say, tool, withProgress, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";

/** @typedef {{ program: string, version: string, folders: readonly string[] }} PulumiCli */

const oldestVersion = "3.150.0";

const pathFolders = (env = process.env) => (env.PATH ?? "").split(delimiter).filter(Boolean);

/** Where the Automation API's installer puts a CLI, and a folder of the repository for a home folder that cannot be written to. */
const ownFolders = () =>
    [join(userHome(process.env), ".pulumi"), join(workFolder(), "pulumi")].map((root) =>
        join(root, "versions", wantedVersion, "bin"),
    );

function writableFolder() {
    for (const folder of ownFolders()) {
        try {
            mkdirSync(folder, { recursive: true });
            accessSync(folder, constants.W_OK);
            return folder;
        } catch {
            // Try the next folder.
        }
    }
    throw new Stop(`The Pulumi CLI cannot be installed: neither ${ownFolders().join(" nor ")} can be written to.`);
}

/**
 * The CLI in this folder, if it is new enough and has the language host of Node, which some distributions package separately.
 * @param {string} folder
 * @returns {Promise<PulumiCli | undefined>}
 */
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
    return { program, version, folders: [...new Set([folder, language, ...(host ? [] : [tool("@pulumi/pulumi")])])] };
}

/** The first usable CLI among those that are installed, or nothing. */
export async function installedPulumi() {
    const places = [...pathFolders(), join(userHome(process.env), ".pulumi", "bin"), ...ownFolders()];
    for (const folder of new Set(places)) {
        const found = await inspect(folder);
        if (found) return found;
    }
    return undefined;
}

/**
 * Calls the Automation API's installer, which downloads from Pulumi.
 * @param {string} target
 * @param {number} limit
 */
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

/**
 * The CLI with the language host of YAML; with `all` those of Python and Go too. A missing host is built, which takes two minutes, once. Without Go
 * the CLI is returned unchanged.
 * @param {PulumiCli} found
 * @param {{ all: boolean }} which
 */
export async function withLanguages(found, { all }) {
    const places = [...found.folders, ...pathFolders()];
    const wanted = all ? allHosts : [yamlHost];
    const missing = wanted.filter((name) => !places.some((place) => runnable(join(place, name))));
    if (missing.length === 0 || windows || !(await goVersion())) return found;
    const target = writableFolder();
    for (const name of missing) await buildProgram(name, target);
    return { ...found, folders: [...new Set([...found.folders, target])] };
}

/** The Pulumi CLI, which is installed if there is none. `folders` must come first on PATH. */
export async function findPulumi() {
    const found = await installedPulumi();
    if (found) return found;
    const target = writableFolder();
    const version = windows ? undefined : await goVersion();
    // Without Go there is no other way, so a slow connection gets more time.
    const limit = version ? 120_000 : 600_000;
    let reason = "the installed program does not run";
    try {
        await withProgress(`Installing the Pulumi CLI ${wantedVersion} with Pulumi's installer.`, () =>
            installFromVendor(target, limit),
        );
        const installed = await inspect(target);
        if (installed) return installed;
    } catch (error) {
        reason = messageOf(error);
    }
    if (!version) {
        throw new Stop(
            `There is no Pulumi CLI ${oldestVersion} or newer here, its installer failed (${reason}), and without Go 1.25 or newer (on Windows never) it is not built from source: install the CLI as pulumi.com/docs/install says, and run this again.`,
        );
    }
    say(`Pulumi's installer failed (${reason}).`);
    await buildCli(target, version);
    const built = await inspect(target);
    if (!built) throw new Stop(`The Pulumi CLI built in ${target} does not run: remove that folder and try again.`);
    return built;
}

/**
 * The environment without the user's Pulumi account, servers and settings; the home folder, Pulumi's home and the backend are in `folder`.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} extra
 */
export function isolatedEnvironment(env, folder, extra = {}) {
    // A proxy for the internet must not get requests to servers on this machine.
    const direct = [env.NO_PROXY ?? env.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
    return {
        ...ownEnvironment(env, join(folder, "user")),
        NO_PROXY: direct,
        no_proxy: direct,
        PULUMI_HOME: join(folder, "home"),
        PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
        PULUMI_CONFIG_PASSPHRASE: "nothing here is secret",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        // `@pulumi/random` is in our package.json: without this, each program below this folder waits for the download of that plugin.
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        ...extra,
    };
}

/**
 * The environment of a command in `folder`, which is created: PATH begins with the folders of the CLI and of this Node.
 * @param {readonly string[]} folders
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.ProcessEnv} extra
 */
export function environmentFor(folders, folder, env = process.env, extra = {}) {
    for (const name of ["home", "backend", "user"]) mkdirSync(join(folder, name), { recursive: true });
    const path = [...new Set([...folders, dirname(process.execPath), ...pathFolders(env)])].join(delimiter);
    return isolatedEnvironment({ ...env, PATH: path }, folder, extra);
}
