/**
 * `npm run sdk -- <python|go|java> [folder]`: generates an SDK of the native plugin from `schema.json` with Pulumi's own generators. That of Node
 * is this package itself (`pulumi-statecraft/native`).
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { main, repository, runStep, Stop, say, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";
import { goEnvironment, goModule, goVersion } from "./pulumi-build.mjs";

/** Something that this machine has not, and that nothing here can get. */
export class Missing extends Stop {}

const schema = join(repository, "schema.json");

/** The programs that call Pulumi's generators: a Go module, and the package in it. They take the same arguments. */
const generators = { codegen: ["tools", "codegen"], java: ["java", "."] };

/** Which of them writes the SDK of a language. */
const sdks = { python: "codegen", go: "codegen", java: "java" };

/** Changes when one of these texts does. */
export function fingerprint(...texts) {
    return texts
        .reduce((hash, text) => hash.update(text), createHash("sha256"))
        .digest("hex")
        .slice(0, 12);
}

/**
 * A folder among our files that `fill` made for this key, now or earlier; those of other keys are removed. One rename: what is killed
 * half-way leaves nothing that looks whole.
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
        // Another process may have been faster.
        if (!existsSync(target)) throw error;
    } finally {
        rmSync(making, { recursive: true, force: true });
    }
    return target;
}

function sources(program) {
    const [module, folder] = generators[program];
    const own = readdirSync(join(goModule(module), folder)).map((name) => join(folder, name));
    return [...new Set(["go.mod", "go.sum", ...own])].map((name) => readFileSync(join(goModule(module), name)));
}

/** Runs Go. What cannot be fetched is missing; what does not compile is wrong. */
export async function runGo(title, args, options) {
    if (!(await goVersion(process.env))) throw new Missing("There is no Go 1.25 or newer here.");
    try {
        await runStep(title, "It could not be built, as shown above.", "go", args, options);
    } catch (error) {
        throw /https?:/.test(error.message) ? new Missing(error.message) : error;
    }
}

/** One of the programs, built if its sources are new. */
async function generator(program) {
    const [module, source] = generators[program];
    const folder = await cached(program, fingerprint(...sources(program)), (making) =>
        runGo(
            `Building Pulumi's generators from source (${program}).`,
            ["build", "-trimpath", "-ldflags", "-s -w", "-o", join(making, program), `./${source}`],
            { cwd: goModule(module), env: goEnvironment(process.env) },
        ),
    );
    return join(folder, program);
}

/** The folder of an SDK that fits the package schema. */
export async function sdkFolder(language) {
    const key = fingerprint(...sources(sdks[language]), readFileSync(schema));
    return cached(`sdk-${language}`, key, (making) => generateSdk(language, making));
}

/** Writes an SDK. */
export async function generateSdk(language, folder) {
    await generate(sdks[language], "sdk", language, folder);
}

/** Writes the YAML programs of a folder in other languages, each in a folder of its own. */
export async function generatePrograms(from, folder) {
    await generate("codegen", "programs", from, folder);
    await generate("java", "programs", join(folder, "pcl"), join(folder, "java"));
}

/** Writes what `pulumi import` prints of the resources that a file of `pulumi stack export` holds, in each language. */
export async function generateImported(state, folder) {
    await generate("codegen", "imported", state, folder);
}

async function generate(program, what, from, folder) {
    const result = await run(await generator(program), [what, schema, from, folder]);
    if (result.code !== 0) throw new Stop(result.stderr.trim());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    await main(async () => {
        const [language = "", folder = join(workFolder(), "sdk", language)] = process.argv.slice(2);
        if (!Object.hasOwn(sdks, language)) {
            throw new Stop("Say which: npm run sdk -- <python|go|java> [folder]");
        }
        await generateSdk(language, resolve(folder));
        say(resolve(folder));
        return 0;
    });
}
