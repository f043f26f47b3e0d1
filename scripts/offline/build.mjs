/**
 * Builds with Go the Pulumi CLI and its language hosts, for a machine that Pulumi's installer cannot serve, and the servers of `npm run real`.
 * The Go modules beside this file name the exact versions. Where a Pulumi CLI is installed with its language hosts, it is not built.
 */
import {
    accessSync,
    chmodSync,
    constants,
    copyFileSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    renameSync,
    rmSync,
    statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { repository, runStep, Stop, say, tool, workFolder } from "../prepare.mjs";
import { run } from "../processes.mjs";

/** The version that is installed or built; tools/go.mod names the same. */
export const wantedVersion = "3.259.0";

export const windows = process.platform === "win32";
/** @param {string} name */
const executable = (name) => (windows ? `${name}.exe` : name);
/** The command `pulumi`. */
export const cli = executable("pulumi");
/** The language host of Node. */
export const languageHost = executable("pulumi-language-nodejs");
/** The language host of YAML. */
export const yamlHost = executable("pulumi-language-yaml");
/** The script of the Node SDK that runs dynamic providers. */
export const dynamicHost = windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs";
/** The script that the language host of Python runs: a file of the SDK. */
const pythonScript = "pulumi-language-python-exec";

/**
 * Negative if version `a` is older than `b`, 0 if their numbers are equal; a leading `v` and all after `-` or `+` are ignored.
 * @param {string} a
 * @param {string} b
 */
export function compareVersions(a, b) {
    /** @param {string} text */
    const numbers = (text) => (/^v?([\d.]*)/.exec(text)?.[1] ?? "").split(".").map(Number);
    const [left, right] = [numbers(a), numbers(b)];
    const index = [0, 1, 2].find((part) => (left[part] ?? 0) !== (right[part] ?? 0));
    return index === undefined ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

/**
 * Whether the path is a file that may be executed.
 * @param {string} path
 */
export function runnable(path) {
    try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
    } catch {
        return false;
    }
}

/**
 * Calls `fill` with a new folder, and then moves the files in its `bin` to `target`: a killed run leaves no half-written program there.
 * @param {string} target
 * @param {(making: string) => Promise<void>} fill
 */
export async function fillFolder(target, fill) {
    const parent = dirname(dirname(target));
    const hourAgo = Date.now() - 3_600_000;
    for (const name of readdirSync(parent).filter((each) => each.startsWith(".making-"))) {
        const killed = join(parent, name);
        if (statSync(killed).mtimeMs < hourAgo) rmSync(killed, { recursive: true, force: true });
    }
    const making = mkdtempSync(join(parent, ".making-"));
    try {
        mkdirSync(join(making, "bin"));
        await fill(making);
        for (const name of readdirSync(join(making, "bin"))) renameSync(join(making, "bin", name), join(target, name));
    } finally {
        rmSync(making, { recursive: true, force: true });
    }
}

/**
 * The folder of a Go module that names exact versions.
 * @param {string} name
 */
export const goModule = (name) => join(repository, "scripts", "offline", name);

/** The environment of Go: it builds for this machine, whatever the user's settings are. */
export function goEnvironment() {
    const { GOOS, GOARCH, ...env } = process.env;
    return { ...env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly", GOWORK: "off" };
}

/** The version of Go, if it is new enough. It runs beside go.mod, so that Go may fetch the toolchain that go.mod names. */
export async function goVersion() {
    const answer = await run("go", ["version"], { cwd: goModule("tools") });
    const version = /go(\d+\.\d+(\.\d+)?)/.exec(answer.stdout)?.[1];
    return answer.code === 0 && version && compareVersions(version, "1.25.0") >= 0 ? version : undefined;
}

/** @param {string} source */
const inTools = (source, flags = "-s -w") => ({ folder: "tools", source: `github.com/pulumi/${source}`, flags });
/** @param {string} source */
const inHosts = (source) => ({ ...inTools(`pulumi/sdk/v3/${source}`), folder: "language-hosts" });
/**
 * The programs to build. The newest language hosts that are part of a Go module are those of SDK 3.66; they work with the CLI.
 * @type {Readonly<Record<string, ReturnType<typeof inTools>>>}
 */
const programs = {
    [cli]: inTools(
        "pulumi/pkg/v3/cmd/pulumi",
        `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${wantedVersion}`,
    ),
    [languageHost]: inHosts("nodejs/cmd/pulumi-language-nodejs"),
    [yamlHost]: inTools("pulumi-yaml/cmd/pulumi-language-yaml"),
    [executable("pulumi-language-python")]: inHosts("python/cmd/pulumi-language-python"),
    [executable("pulumi-language-go")]: inHosts("go/pulumi-language-go"),
};

/** @typedef {{ folder: string, source: string, flags: string, tags?: string, needsC?: boolean }} Program */

/**
 * The servers of the contract tests, with what they run (Vault's azure login method is a plugin of its own), and the program that plans states.
 * @type {Readonly<Record<string, Program>>}
 */
const realServers = {
    vault: { folder: "vault", source: "github.com/hashicorp/vault", flags: "-s -w", tags: "minimal" },
    azure: {
        ...{ folder: "vault", flags: "-s -w" },
        source: "github.com/hashicorp/vault-plugin-auth-azure/cmd/vault-plugin-auth-azure",
    },
    nomad: { folder: "nomad", source: "github.com/hashicorp/nomad", flags: "-s -w", needsC: true },
    "csi-plugin": { folder: "nomad", source: ".", flags: "-s -w" },
    tofu: {
        ...{ folder: "opentofu", source: "github.com/opentofu/opentofu/cmd/tofu" },
        flags: "-s -w -X github.com/opentofu/opentofu/version.dev=no",
    },
};

/** The folder of these programs. */
export const realFolder = process.env.STATECRAFT_REAL ?? join(workFolder(), "real");

/** The names of all language hosts, and of what they run. */
export const allHosts = [...Object.keys(programs).filter((name) => name !== cli), pythonScript];

/**
 * Builds a program, unless it is in `target` already.
 * @param {string} name
 * @param {string} target
 */
export async function buildProgram(name, target) {
    if (runnable(join(target, name))) return;
    if (name === pythonScript) {
        await copyPythonScript(target);
        return;
    }
    /** @type {Program} */
    const program = programs[name] ?? realServers[name] ?? inTools(name);
    const { folder, source, flags, tags = "", needsC } = program;
    const { CGO_ENABLED, ...env } = goEnvironment();
    await fillFolder(target, (making) => {
        mkdirSync(join(making, "tmp"));
        return runStep(
            `Building ${name} from source.`,
            `${name} could not be built, as shown above.`,
            "go",
            ["build", "-trimpath", "-tags", tags, "-ldflags", flags, "-o", join(making, "bin", name), source],
            // Go's temporary files go there too, so that a killed build leaves nothing elsewhere.
            { cwd: goModule(folder), env: { ...env, ...(!needsC && { CGO_ENABLED }), GOTMPDIR: join(making, "tmp") } },
        );
    });
}

/**
 * Builds the CLI, and what it needs to run programs in Node.
 * @param {string} target
 * @param {string} version
 */
export async function buildCli(target, version) {
    say(`The Pulumi CLI ${wantedVersion} is now built with Go ${version}: five to seven minutes on two cores, once.`);
    for (const name of [cli, languageHost]) await buildProgram(name, target);
    copyFileSync(join(tool("@pulumi/pulumi"), dynamicHost), join(target, dynamicHost));
    chmodSync(join(target, dynamicHost), 0o755);
}

/** @param {string} target */
async function copyPythonScript(target) {
    const module = `github.com/pulumi/pulumi/sdk/v3@v${wantedVersion}`;
    const args = ["mod", "download", "-json", module];
    const { stdout } = await run("go", args, { cwd: goModule("tools"), env: goEnvironment() });
    const { Dir: folder, Error: problem } = JSON.parse(stdout || "{}");
    if (!folder) throw new Stop(`${pythonScript} could not be downloaded: ${problem ?? "Go gave no answer"}`);
    await fillFolder(target, async (making) => {
        copyFileSync(join(folder, "python", "cmd", pythonScript), join(making, "bin", pythonScript));
        chmodSync(join(making, "bin", pythonScript), 0o755);
    });
}
