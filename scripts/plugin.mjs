/**
 * `npm run plugin [folder]`: packs the native plugin as one executable, which contains the Node that runs this script, into
 * `pulumi-resource-statecraft-v<version>-<os>-<arch>.tar.gz`. `pulumi plugin install resource statecraft <version> --file …` takes the archive.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, main, repository, runStep, Stop, say, temporaryFolder, tool } from "./prepare.mjs";

const { execPath, platform } = process;
/** Node looks for its program behind this mark. */
const mark = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** The licence of this Node, which archives of nodejs.org, Linux packages and installers have in different places. */
function licenceOfNode() {
    const places = ["LICENSE", "../LICENSE", "../share/doc/nodejs/LICENSE", "../share/doc/node/LICENSE"];
    return places.map((place) => join(dirname(execPath), place)).find(existsSync);
}

/** Why this Node cannot be a part of the executable, or nothing. */
function reasonAgainst() {
    if (!isBuiltin("node:sea")) return "it is older than 20.12";
    const shared = Object.entries(process.config.variables).find(
        ([name, value]) => name.startsWith("node_shared") && String(value) === "true",
    );
    if (shared !== undefined) return `it loads libraries at run time (${shared[0]})`;
    if (!readFileSync(execPath).includes(`${mark}:0`)) return "its executable has no place for a program";
    return licenceOfNode() === undefined ? "its licence, which the archive must contain, is not beside it" : undefined;
}

/**
 * Makes the executable in a folder, with the licences of what it contains, and returns its path.
 * @param {string} folder
 */
export async function makeExecutable(folder) {
    const reason = reasonAgainst();
    if (reason !== undefined) {
        throw new Stop(
            `This Node (${execPath}, ${process.version}) cannot be made into an executable: ${reason}. Use one from nodejs.org.`,
        );
    }
    const server = join(repository, "dist", "plugin", "server.js");
    const work = temporaryFolder("executable-");
    const [config, blob] = [join(work, "config.json"), join(work, "blob")];
    const assets = { "schema.json": join(repository, "schema.json") };
    const options = { disableExperimentalSEAWarning: true, useCodeCache: true };
    writeFileSync(config, JSON.stringify({ main: server, output: blob, assets, ...options }));
    const failure = "The executable could not be made, as shown above.";
    await runStep("Compiling the plugin.", failure, execPath, ["--experimental-sea-config", config]);
    const target = join(folder, `pulumi-resource-statecraft${platform === "win32" ? ".exe" : ""}`);
    copyFileSync(execPath, target);
    chmodSync(target, 0o755);
    // macOS starts no executable whose signature is that of other contents.
    /** @param {string[]} args */
    const sign = (...args) => runStep("Signing.", failure, "codesign", [...args, target]);
    if (platform === "darwin") await sign("--remove-signature");
    const place = ["--sentinel-fuse", mark, "--macho-segment-name", "NODE_SEA"];
    const inject = [tool("postject/dist/cli.js"), target, "NODE_SEA_BLOB", blob, ...place];
    await runStep("Adding it to Node.", failure, execPath, inject);
    if (platform === "darwin") await sign("--sign", "-");
    copyFileSync(join(repository, "LICENSE"), join(folder, "LICENSE"));
    copyFileSync(licenceOfNode() ?? "", join(folder, "LICENSE-node"));
    const [, libraries = ""] = /^\/\*!([\s\S]*?)\*\//m.exec(readFileSync(server, "utf8")) ?? [];
    writeFileSync(join(folder, "LICENSE-libraries"), `${libraries.trim()}\n`);
    return target;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    await main(async () => {
        await ensureBuilt();
        const out = resolve(process.argv[2] ?? join(repository, ".work"));
        mkdirSync(out, { recursive: true });
        const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
        const system = platform === "win32" ? "windows" : platform;
        const machine = process.arch === "x64" ? "amd64" : process.arch;
        const archive = join(out, `pulumi-resource-statecraft-v${version}-${system}-${machine}.tar.gz`);
        const stage = temporaryFolder("plugin-");
        await makeExecutable(stage);
        const failure = "The archive could not be made, as shown above.";
        await runStep("Packing.", failure, "tar", ["-czf", archive, "-C", stage, "."]);
        say(archive);
    });
}
