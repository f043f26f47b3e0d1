/**
 * `npm run plugin [folder]`: packs the native plugin with all that it needs but Node into
 * `pulumi-resource-statecraft-v<version>-<os>-<arch>.tar.gz`, which `pulumi plugin install resource statecraft <version> --file …` takes.
 * `npm run plugin -- --release <folder>` packs it for every platform, with `checksums.txt`: the plugin is JavaScript, so the archives are equal.
 */
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, main, repository, Stop, say, temporaryFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The plugin uses only the protocol's files of Pulumi's SDK, and their dependencies. */
const sdk = {
    name: "@pulumi/pulumi",
    files: /^(package\.json|LICENSE|index\.js|proto(\/.*)?)?$/,
    dependencies: ["@grpc/grpc-js", "google-protobuf"],
};

/** The packages that scripts/bundle.mjs leaves out of the bundle, apart from the SDK. */
const loaded = ["https-proxy-agent"];

/** The platforms that the Pulumi CLI asks for. */
const platforms = ["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64", "windows-arm64"];

/** The folder of the package that `require(name)` finds from the folder `from`. */
function folderOf(name, from) {
    for (let place = from; place !== dirname(place); place = dirname(place)) {
        const folder = join(place, "node_modules", name);
        if (existsSync(join(folder, "package.json"))) return folder;
    }
    throw new Stop(`The package ${name} is not installed: run \`npm ci\`.`);
}

/** The folders of these packages and of all that they depend on. */
function closure(names, from, known = new Set()) {
    for (const name of names) {
        const folder = folderOf(name, from);
        if (known.has(folder)) continue;
        known.add(folder);
        const needs = name === sdk.name ? sdk.dependencies : Object.keys(manifestOf(folder).dependencies ?? {});
        closure(needs, folder, known);
    }
    return known;
}

function copy(folder, target) {
    const wanted = basename(folder) === basename(sdk.name) ? sdk.files : /^(?!node_modules(\/|$))/;
    const isWanted = (path) =>
        wanted.test(relative(folder, path).replaceAll("\\", "/")) && !/\.(map|d\.ts)$/.test(path);
    cpSync(folder, target, { recursive: true, filter: isWanted });
}

await main(async () => {
    await ensureBuilt();
    const { values, positionals } = parseArgs({ options: { release: { type: "boolean" } }, allowPositionals: true });
    const out = resolve(positionals[0] ?? join(repository, ".work"));
    mkdirSync(out, { recursive: true });
    const { version } = manifestOf(repository);
    const system = process.platform === "win32" ? "windows" : process.platform;
    const here = `${system}-${process.arch === "x64" ? "amd64" : process.arch}`;
    const nameFor = (platform) => `pulumi-resource-statecraft-v${version}-${platform}.tar.gz`;
    const archive = join(out, nameFor(here));
    const stage = temporaryFolder("plugin-");
    for (const folder of closure([...loaded, sdk.name], repository)) {
        copy(folder, join(stage, relative(repository, folder)));
    }
    for (const name of ["dist/plugin", "dist/runtime", "schema.json", "package.json", "LICENSE"]) {
        cpSync(join(repository, name), join(stage, name), { recursive: true });
    }
    const executable = join(stage, "pulumi-resource-statecraft");
    writeFileSync(executable, '#!/usr/bin/env node\nrequire("./dist/plugin/main.js");\n');
    chmodSync(executable, 0o755);
    writeFileSync(`${executable}.cmd`, '@node "%~dp0\\pulumi-resource-statecraft" %*\r\n');
    const packed = await run("tar", ["-czf", archive, "-C", stage, "."]);
    if (packed.code !== 0) throw new Stop(`The archive could not be made: ${packed.stderr.trim()}`);
    say(archive);
    if (!values.release) return;
    for (const platform of platforms) if (platform !== here) copyFileSync(archive, join(out, nameFor(platform)));
    const sum = createHash("sha256").update(readFileSync(archive)).digest("hex");
    writeFileSync(join(out, "checksums.txt"), platforms.map((platform) => `${sum}  ${nameFor(platform)}\n`).join(""));
});
