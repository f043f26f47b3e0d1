/**
 * Bundles the code of the provider's process with its libraries. Pulumi starts this process for each command, and loading hundreds of small files
 * takes longer than everything else that it does. `node scripts/bundle.mjs <folder of the build>`.
 *
 * | file                                     | what it holds                                                               |
 * | ---------------------------------------- | --------------------------------------------------------------------------- |
 * | `plugin/main.js`, `runtime/providers.js` | the entries                                                                 |
 * | `runtime/bundle-….js`                    | the rest of `dist`, and the libraries that every process loads              |
 * | `runtime/axios.js`                       | axios, loaded with the first request, without the parts that nothing uses   |
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
    const texts = [...held].map(([folder, name]) => `Contains ${name}:\n${licenceIn(folder)}`);
    return texts.length === 0 ? "" : `/*! ${texts.join("\n")}*/`;
}

function licenceIn(folder) {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    return readFileSync(join(folder, file), "utf8");
}

/** The output options of every bundle. */
const written = {
    dir: process.argv[2],
    format: "cjs",
    // Stack traces show the original names.
    minify: { compress: false, mangle: false, codegen: true },
    banner: licences,
};

const ours = await rolldown({
    input: {
        "plugin/main": join(repository, "src", "plugin", "main.ts"),
        "runtime/providers": join(repository, "src", "runtime", "providers.ts"),
    },
    platform: "node",
    // The SDK accepts only messages of its own copy. Only users of an HTTPS proxy need the agent, and load it then.
    external: (id) => isBuiltin(id) || id === "axios" || id === "https-proxy-agent" || id.startsWith("@pulumi/"),
});
await ours.write({
    ...written,
    // The same depth as the sources, which find package.json and schema.json by relative paths.
    chunkFileNames: "runtime/bundle-[hash].js",
    paths: { axios: "./axios.js" },
});

/**
 * Parts of axios that the bundle replaces by nothing: adapters for browsers and `fetch`, forms, redirects and proxies (`http/connect.ts` and
 * `http/retry.ts` handle both). They take longer to load than the rest of axios: a test for the global `FormData` alone loads Node's `fetch`.
 */
const unused = /^(form-data|https-proxy-agent|debug|\.\/(xhr|fetch)\.js)$/;
const nothing = "\0nothing";
const platformForms = /\bG\.FormData\b/g;

const axios = await rolldown({
    input: { "runtime/axios": join(packages, "axios", "index.js") },
    platform: "node",
    external: isBuiltin,
    plugins: [
        {
            name: "without-unused",
            resolveId: (id) => (unused.test(id) ? nothing : undefined),
            load: (id) => (id === nothing ? "export const getFetch = undefined; export default undefined;" : undefined),
            transform: (code) => code.replace(platformForms, "undefined"),
        },
    ],
});
await axios.write({ ...written, exports: "named" });
