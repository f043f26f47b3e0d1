/**
 * Bundles the code of the provider's processes with its libraries. Pulumi starts such a process for each command, and loading hundreds of small
 * files takes longer than everything else that it does. `node scripts/bundle.mjs <folder of the build>`.
 *
 * | file                   | what it holds                                                                                     |
 * | ---------------------- | ------------------------------------------------------------------------------------------------- |
 * | `plugin/main.js`       | the entry of the native plugin, which makes Node cache compiled code                              |
 * | `plugin/server.js`     | the native plugin with all its libraries, gRPC and Pulumi's protocol too                          |
 * | `runtime/providers.js` | the provider of Pulumi's dynamic host, with all libraries that it does not share with Pulumi's SDK |
 * | `runtime/axios.js`     | axios for the dynamic host, loaded with the first request                                         |
 * | `simulator/main.js`    | the simulator with hono, which users do not install                                               |
 * | `command/main.js`      | the commands, which load the simulator only to run it                                             |
 *
 * Each file ends with the name, the version and the licence of each library that it contains.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { repository } from "./prepare.mjs";

const packages = join(repository, "node_modules");
const [, , out = ""] = process.argv;

/**
 * The names, versions and licence texts of the packages of these files.
 * @param {readonly string[]} files
 */
function licences(files) {
    const folders = files.flatMap(
        (file) => /^(?:.*[\\/])?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? [],
    );
    const texts = [...new Set(folders)].map((folder) => {
        const { name, version } = JSON.parse(readFileSync(join(repository, folder, "package.json"), "utf8"));
        return `Contains ${name} ${version}:\n${licencesIn(join(repository, folder))}`;
    });
    return texts.length === 0 ? "" : `/*! ${texts.join("\n")}*/\n`;
}

/** @param {string} folder */
function licencesIn(folder) {
    const files = readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name));
    if (files.length === 0) throw new Error(`${folder} has no licence.`);
    return files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

/**
 * Parts of libraries that the bundles replace by nothing. Of axios: adapters for browsers and `fetch`, forms, redirects and proxies
 * (`http/connect.ts` and `http/retry.ts` handle both). They take longer to load than the rest of axios: a test for the global `FormData` alone
 * loads Node's `fetch`. Of all: their log for `DEBUG`, which shows the password of a proxy. Of gRPC: the reader of `.proto` files. Of zod: schemas from JSON Schema.
 * @type {readonly (readonly [library: RegExp, part: RegExp])[]}
 */
const unused = [
    [/[\\/]node_modules[\\/]axios[\\/]/, /^(form-data|https-proxy-agent|debug|\.\/(xhr|fetch)\.js)$/],
    [/[\\/]node_modules[\\/](follow-redirects|https-proxy-agent|agent-base)[\\/]/, /^debug$/],
    [/[\\/]node_modules[\\/]@grpc[\\/]/, /^@grpc\/proto-loader$/],
    [/[\\/]node_modules[\\/]zod[\\/]/, /^\.\/from-json-schema\.js$/],
];
const nothing = "export let getFetch, fromJSONSchema; export default undefined;";
const axios = join(packages, "axios", "index.js");
/** @type {import("esbuild").Plugin} */
const withoutUnused = {
    name: "without-unused",
    setup({ onLoad, onResolve }) {
        onResolve({ filter: /.*/ }, ({ path, importer }) => {
            const isUnused = unused.some(([library, part]) => library.test(importer) && part.test(path));
            if (isUnused) return { path, namespace: "nothing" };
            return path === "axios" ? { path: axios } : undefined;
        });
        onLoad({ filter: /^debug$/, namespace: "nothing" }, () => ({ contents: "export default () => () => {};" }));
        onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: nothing }));
        onLoad({ filter: /[\\/]node_modules[\\/]axios[\\/].*\.js$/ }, ({ path }) => ({
            contents: readFileSync(path, "utf8").replace(/\bG\.FormData\b/g, "undefined"),
        }));
    },
};

/**
 * The plugin's process loads no other copy of the SDK's libraries, so its bundle contains them.
 * @type {import("esbuild").Plugin}
 */
const besideSdk = {
    name: "beside-sdk",
    setup({ onLoad }) {
        onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, "utf8").replace(/\brequireBesideSdk\((?=")/g, "require("),
            loader: "ts",
        }));
    },
};

/**
 * Names the file of another bundle.
 * @param {string} name
 * @param {string} path
 * @returns {import("esbuild").Plugin}
 */
const at = (name, path) => ({
    name: "at",
    setup: ({ onResolve }) => onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true })),
});

/**
 * Writes the bundle of one source file into one file of the same name.
 * @param {string} name
 * @param {string} input
 * @param {{ external?: readonly string[], plugins: import("esbuild").Plugin[] }} options
 */
async function bundle(name, input, { external = [], plugins }) {
    const outfile = join(out, `${name}.js`);
    const { metafile, outputFiles } = await build({
        ...{ entryPoints: [input], outfile, write: false, metafile: true, absWorkingDir: repository },
        ...{ bundle: true, platform: "node", target: "node20.3", logLevel: "warning" },
        // Stack traces show the original names.
        minifyWhitespace: true,
        external: ["pulumi-statecraft/package.json", ...external],
        plugins,
    });
    const [{ inputs } = { inputs: {} }] = Object.values(metafile.outputs);
    mkdirSync(dirname(outfile), { recursive: true });
    for (const { text } of outputFiles) writeFileSync(outfile, text + licences(Object.keys(inputs)));
}

/** @param {string} name */
const source = (name) => join(repository, "src", `${name}.ts`);
await bundle("plugin/main", source("plugin/main"), { plugins: [at("\\./server", "./server.js")] });
await bundle("plugin/server", source("plugin/server"), { plugins: [withoutUnused, besideSdk] });
await bundle("runtime/providers", source("runtime/providers"), {
    // The SDK accepts only messages of its own copy. Only users of an HTTPS proxy need the agent, and load it then.
    external: ["@pulumi/*"],
    plugins: [at("axios", "./axios.js"), at("https-proxy-agent", "./https-proxy-agent.js")],
});
await bundle("runtime/axios", axios, { plugins: [withoutUnused] });
const proxyAgent = join(packages, "https-proxy-agent", "dist", "index.js");
await bundle("runtime/https-proxy-agent", proxyAgent, { plugins: [withoutUnused] });
// The compiler's files would require hono, which users do not install.
rmSync(join(out, "simulator"), { recursive: true });
await bundle("simulator/main", source("simulator/main"), { external: ["zod"], plugins: [] });
await bundle("command/main", source("command/main"), {
    plugins: [
        at("axios", "../runtime/axios.js"),
        at("https-proxy-agent", "../runtime/https-proxy-agent.js"),
        at("\\.\\./simulator/main", "../simulator/main.js"),
    ],
});
