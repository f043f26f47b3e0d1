/** What tests need to run programs in Python, Go and Java with the SDKs of this package. All is made once and kept among our files. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { runStep } from "./prepare.mjs";
import { run } from "./processes.mjs";
import { goEnvironment, goModule, wantedVersion } from "./pulumi-build.mjs";
import { cached, fingerprint, Missing, runGo, sdkFolder } from "./sdk.mjs";

export { Missing };

const python = process.platform === "win32" ? "python" : "python3";

/** What the SDK needs, what installs it, and an object store. */
const packages = [
    `pulumi==${wantedVersion}`,
    "parver==0.5",
    "setuptools==80.9.0",
    "moto[s3]==5.2.5",
    "flask==3.1.3",
    "flask-cors==6.0.5",
];

/** The Python of a virtual environment with these packages, and the folder into which our SDK is installed. */
export async function pythonWithSdk() {
    const environment = await cached("python", fingerprint(...packages), async (folder) => {
        if ((await run(python, ["-c", "import venv, ensurepip"])).code !== 0) {
            throw new Missing(`There is no ${python} with venv here.`);
        }
        try {
            await runStep("Making a virtual environment.", "It could not be made.", python, ["-m", "venv", folder]);
            await install("Installing Pulumi's SDK and an object store for Python.", pythonOf(folder), packages);
        } catch (error) {
            throw new Missing(error.message);
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

/** Whether this machine has what something needs. */
export async function isHad(needed) {
    try {
        await needed;
        return true;
    } catch (error) {
        if (!(error instanceof Missing)) throw error;
        return false;
    }
}

/** Gets what several tests need, so that no two of them do it at once. What this machine lacks, they tell themselves. */
export async function prepareLanguages() {
    await isHad(pythonWithSdk());
    await isHad(sdkFolder("go"));
    await isHad(javaSdk());
}

const pythonOf = (environment) => join(environment, process.platform === "win32" ? "Scripts" : "bin", "python");

function install(title, executable, args) {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...args];
    return runStep(title, "pip failed, as shown above.", executable, pip);
}

/** The folder of the executables of Go programs that use the SDK, from sources by their paths. Each is called as its folder is. */
export async function goPrograms(sources) {
    return join(await goModuleOf("go-programs", sources, ["build", "-trimpath", "-o", "bin/", "./..."]), "bin");
}

/** Whether a Go program that uses the SDK compiles. */
export async function checkGo(source) {
    await goModuleOf("go-checked", { "main.go": source }, ["build", "-trimpath", "-o", devNull, "./..."]);
}

/** A Go module in which a command was run. Versions are those of the module in which Pulumi's tools are built. */
async function goModuleOf(name, sources, command) {
    const sdk = await sdkFolder("go");
    return cached(name, fingerprint(sdk, JSON.stringify(sources)), async (making) => {
        const [module, sums] = ["go.mod", "go.sum"].map((file) => readFileSync(join(goModule("tools"), file), "utf8"));
        const files = {
            "go.mod": `${module}\nrequire pulumi-statecraft/go v0.0.0\n\nreplace pulumi-statecraft/go => ${sdk}\n`,
            "go.sum": sums,
            ...sources,
        };
        writeFiles(making, files);
        const env = { ...goEnvironment(process.env), GOFLAGS: "-mod=mod" };
        await runGo("Building programs in Go.", command, { cwd: making, env });
    });
}

function writeFiles(folder, files) {
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
    }
}

/** The folder of the SDK for Java and of what it needs, which Maven builds and gets. */
async function javaSdk() {
    const sdk = await sdkFolder("java");
    const folder = await cached("java-sdk", fingerprint(sdk), async (making) => {
        for (const tool of ["javac", "mvn"]) {
            if ((await run(tool, ["--version"])).code !== 0) throw new Missing(`There is no ${tool} here.`);
        }
        cpSync(sdk, making, { recursive: true });
        try {
            const goals = ["--quiet", "--batch-mode", "compile", "dependency:copy-dependencies"];
            await runStep("Building the Java SDK.", "Maven failed, as shown above.", "mvn", goals, { cwd: making });
        } catch (error) {
            throw error.message.includes("COMPILATION ERROR") ? error : new Missing(error.message);
        }
    });
    return join(folder, "target");
}

/** The command that runs a class of Java programs that use the SDK, from sources by their paths. Starting it soon counts more than its speed. */
export async function javaPrograms(sources) {
    const sdk = await javaSdk();
    const needed = join(sdk, "dependency", "*");
    const folder = await cached("java-programs", fingerprint(sdk, JSON.stringify(sources)), async (making) => {
        writeFiles(making, sources);
        const files = Object.keys(sources).map((path) => join(making, path));
        const [classes, own] = [join(making, "classes"), join(sdk, "classes")];
        const command = ["-d", classes, "-cp", [own, needed].join(delimiter), ...files];
        await runStep("Building programs in Java.", "They do not compile, as shown above.", "javac", command);
        const packing = ["--create", "--file", join(making, "programs.jar"), "-C", classes, ".", "-C", own, "."];
        await runStep("Packing them.", "They could not be packed, as shown above.", "jar", packing);
    });
    // What Java keeps of the classes of one run, ready for the next ones, of packed classes only: it halves their start.
    const kept = join(folder, "classes.jsa");
    const keeping = `-XX:${existsSync(kept) ? "SharedArchiveFile" : "ArchiveClassesAtExit"}=${kept}`;
    const quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+IgnoreUnrecognizedVMOptions", keeping];
    return ["java", ...quick, "-Xlog:disable", "-cp", [join(folder, "programs.jar"), needed].join(delimiter)];
}
