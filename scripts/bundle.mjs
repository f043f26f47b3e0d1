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
 */
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { repository } from "./prepare.mjs";

const packages = join(repository, "node_modules");

/** The licence texts of the packages in a bundle. */
function licences({ moduleIds }) {
    const found = moduleIds.map((id) => /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id));
    const held = new Map(found.filter((match) => match !== null).map(([folder, name]) => [folder, name]));
    const texts = [...held].map(([folder, name]) => `Contains ${name}:\n${licencesIn(folder)}`);
    return texts.length === 0 ? "" : `/*! ${texts.join("\n")}*/`;
}

function licencesIn(folder) {
    const files = readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name));
    if (files.length === 0) throw new Error(`${folder} has no licence.`);
    return files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

/**
 * Parts of libraries that the bundles replace by nothing. Of axios: adapters for browsers and `fetch`, forms, redirects and proxies
 * (`http/connect.ts` and `http/retry.ts` handle both). They take longer to load than the rest of axios: a test for the global `FormData` alone
 * loads Node's `fetch`. Of gRPC: the reader of `.proto` files. Of zod: schemas from JSON Schema.
 */
const unused = [
    [/[\\/]node_modules[\\/]axios[\\/]/, /^(form-data|https-proxy-agent|debug|\.\/(xhr|fetch)\.js)$/],
    [/[\\/]node_modules[\\/]follow-redirects[\\/]/, /^debug$/],
    [/[\\/]node_modules[\\/]@grpc[\\/]/, /^@grpc\/proto-loader$/],
    [/[\\/]node_modules[\\/]zod[\\/]/, /^\.\/from-json-schema\.js$/],
];
const nothing = "\0nothing";
const platformForms = /\bG\.FormData\b/g;
const axios = join(packages, "axios", "index.js");
const withoutUnused = {
    name: "without-unused",
    resolveId(id, importer = "") {
        if (unused.some(([library, part]) => library.test(importer) && part.test(id))) return nothing;
        return id === "axios" ? axios : undefined;
    },
    load: (id) => (id === nothing ? "export let getFetch, fromJSONSchema; export default undefined;" : undefined),
    transform: (code) => code.replace(platformForms, "undefined"),
};

/** The plugin's process loads no other copy of the SDK's libraries, so its bundle contains them. */
const besideSdk = {
    name: "beside-sdk",
    transform: (code) => code.replace(/\brequireBesideSdk\((?=")/g, "require("),
};

/** Writes the bundle of one source file into one file of the same name. */
async function bundle(name, input, options, output = {}) {
    const made = await rolldown({ input, platform: "node", ...options });
    await made.write({
        file: join(process.argv[2], `${name}.js`),
        format: "cjs",
        codeSplitting: false,
        // Stack traces show the original names.
        minify: { compress: false, mangle: false, codegen: true },
        banner: licences,
        ...output,
    });
}

const source = (name) => join(repository, "src", `${name}.ts`);
const isServer = (id) => /^\.\/server$|[\\/]server$/.test(id);
await bundle(
    "plugin/main",
    source("plugin/main"),
    { external: (id) => isBuiltin(id) || isServer(id) },
    { paths: (id) => (isServer(id) ? "./server.js" : id) },
);
await bundle("plugin/server", source("plugin/server"), {
    external: isBuiltin,
    plugins: [withoutUnused, besideSdk],
    treeshake: { moduleSideEffects: (id) => !id.endsWith("sdk.ts") },
});
await bundle(
    "runtime/providers",
    source("runtime/providers"),
    // The SDK accepts only messages of its own copy. Only users of an HTTPS proxy need the agent, and load it then.
    { external: (id) => isBuiltin(id) || id === "axios" || id === "https-proxy-agent" || id.startsWith("@pulumi/") },
    { paths: { axios: "./axios.js" } },
);
await bundle("runtime/axios", axios, { external: isBuiltin, plugins: [withoutUnused] }, { exports: "named" });
