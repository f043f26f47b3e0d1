/** Builds Pulumi's programs with Go, from the exact versions that the modules of scripts/pulumi name. */
import {
    accessSync,
    chmodSync,
    constants,
    copyFileSync,
    mkdirSync,
    readdirSync,
    renameSync,
    rmSync,
    statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { repository, runStep, Stop } from "./prepare.mjs";
import { alive, beforeEnd, run } from "./processes.mjs";

/** What the installer is asked for and what is built; scripts/pulumi/tools/go.mod names the same. */
export const wantedVersion = "3.259.0";

export const windows = process.platform === "win32";
const executable = (name) => (windows ? `${name}.exe` : name);
/** The command `pulumi`. */
export const cli = executable("pulumi");
/** What runs programs of Node. */
export const languageHost = executable("pulumi-language-nodejs");

/** What runs programs of YAML. */
export const yamlHost = executable("pulumi-language-yaml");

/** Negative when version `a` is older than `b`, 0 when their numbers are equal; a leading `v` and what follows `-` or `+` do not count. */
export function compareVersions(a, b) {
    const numbers = (text) =>
        text
            .replace(/^v/, "")
            .split(/[-+]/)[0]
            .split(".")
            .map((part) => Number(part) || 0);
    const [left, right] = [numbers(a), numbers(b)];
    for (let index = 0; index < 3; index++) {
        const difference = (left[index] ?? 0) - (right[index] ?? 0);
        if (difference !== 0) return difference;
    }
    return 0;
}

/** Whether this is a program. */
export function runnable(path) {
    try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
    } catch {
        return false;
    }
}

/**
 * Calls `fill` with an empty folder and moves the files that it puts there into `target`, one rename each: what is killed
 * half-way leaves no half-written program, only a folder that the next call removes.
 */
export async function fillFolder(target, fill) {
    const parent = dirname(dirname(target));
    for (const name of readdirSync(parent)) {
        const owner = Number(/^\.making-(\d+)$/.exec(name)?.[1]);
        if (owner && !alive(owner)) rmSync(join(parent, name), { recursive: true, force: true });
    }
    const making = join(parent, `.making-${process.pid}`);
    const remove = beforeEnd(() => rmSync(making, { recursive: true, force: true }));
    try {
        mkdirSync(join(making, "bin"), { recursive: true });
        await fill(making);
        for (const name of readdirSync(join(making, "bin"))) renameSync(join(making, "bin", name), join(target, name));
    } finally {
        remove();
    }
}

/** A Go module that says exact versions of what is built in it. */
export const goModule = (name) => join(repository, "scripts", "pulumi", name);

/** The environment in which Go builds what runs here. */
export function goEnvironment() {
    const settings = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly", GOWORK: "off" };
    // A cross compiler's settings would give a program that does not run here.
    for (const setting of ["GOOS", "GOARCH"]) delete settings[setting];
    return settings;
}

/** The Go command's version, if it can build this CLI: asked where go.mod is, so that Go may fetch the toolchain that it names. */
export async function goVersion() {
    const answer = await run("go", ["version"], { cwd: goModule("tools") });
    const version = /go(\d+\.\d+(\.\d+)?)/.exec(answer.stdout)?.[1];
    return answer.code === 0 && version && compareVersions(version, "1.25.0") >= 0 ? version : undefined;
}

const inTools = (source, flags = "-s -w") => ({ folder: "tools", source: `github.com/pulumi/${source}`, flags });
const inHosts = (source) => ({ ...inTools(`pulumi/sdk/v3/${source}`), folder: "language-hosts" });
/** What is built. The newest language hosts that are part of a module are those of SDK 3.66; they work with the CLI. */
export const programs = {
    [cli]: inTools(
        "pulumi/pkg/v3/cmd/pulumi",
        `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${wantedVersion}`,
    ),
    [languageHost]: inHosts("nodejs/cmd/pulumi-language-nodejs"),
    [yamlHost]: inTools("pulumi-yaml/cmd/pulumi-language-yaml"),
    [executable("pulumi-language-python")]: inHosts("python/cmd/pulumi-language-python"),
    [executable("pulumi-language-go")]: inHosts("go/pulumi-language-go"),
};

/** What the host of Python runs: a file of the SDK. */
export const pythonScript = "pulumi-language-python-exec";

/** Builds one of the programs unless it is in `target`. */
export async function buildProgram(name, target) {
    if (runnable(join(target, name))) return;
    const { folder, source, flags } = programs[name];
    await fillFolder(target, (making) => {
        mkdirSync(join(making, "tmp"));
        return runStep(
            `Building ${name} from source.`,
            `${name} could not be built, as shown above.`,
            "go",
            ["build", "-trimpath", "-ldflags", flags, "-o", join(making, "bin", name), source],
            // Go's own temporary folder inside ours: a killed build leaves nothing elsewhere.
            { cwd: goModule(folder), env: { ...goEnvironment(), GOTMPDIR: join(making, "tmp") } },
        );
    });
}

/** Puts it beside the host of Python. */
export async function copyPythonScript(target) {
    if (runnable(join(target, pythonScript))) return;
    const module = `github.com/pulumi/pulumi/sdk/v3@v${wantedVersion}`;
    const args = ["mod", "download", "-json", module];
    const { stdout } = await run("go", args, { cwd: goModule("tools"), env: goEnvironment() });
    const { Dir: folder, Error: problem } = JSON.parse(stdout || "{}");
    if (!folder) throw new Stop(`${pythonScript} could not be got: ${problem ?? "Go gave no answer"}`);
    await fillFolder(target, async (making) => {
        copyFileSync(join(folder, "python", "cmd", pythonScript), join(making, "bin", pythonScript));
        chmodSync(join(making, "bin", pythonScript), 0o755);
    });
}
