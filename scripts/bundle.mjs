/**
 * Bundles what runs in a provider's process, with its libraries: Pulumi starts such a process for each command, and finding, reading and compiling
 * hundreds of small files takes it longer than the rest of ours. `node scripts/bundle.mjs <folder of the build>`.
 *
 * | file                                     | what it holds                                                               |
 * | ---------------------------------------- | --------------------------------------------------------------------------- |
 * | `plugin/main.js`, `settings/providers.js` | the entries                                                                 |
 * | `runtime/bundle-….js`                    | the rest of ours, and the libraries that it always loads                    |
 * | `runtime/axios.js`                       | axios, loaded with the first request, without what none of ours asks of it  |
 */
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { repository } from "./prepare.mjs";

const packages = join(repository, "node_modules");

/** The licences of the packages that a file holds. */
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

/** How every file is written. */
const written = {
    dir: process.argv[2],
    format: "cjs",
    // Names stay, so that a stack trace can be read.
    minify: { compress: false, mangle: false, codegen: true },
    banner: licences,
};

const ours = await rolldown({
    input: {
        "plugin/main": join(repository, "src", "plugin", "main.ts"),
        "settings/providers": join(repository, "src", "settings", "providers.ts"),
    },
    platform: "node",
    // Few need tunnels, and load what makes them then.
    external: (id) => isBuiltin(id) || id === "axios" || id === "https-proxy-agent",
});
await ours.write({
    ...written,
    // As deep as its sources: they find package.json and schema.json from where they are.
    chunkFileNames: "runtime/bundle-[hash].js",
    paths: { axios: "./axios.js" },
});

/**
 * What axios is built without, as it leaves out some of it for browsers: requests of browsers and of `fetch`, forms, a log of redirects that
 * none of ours lets it follow, and tunnels of its own, in whose place stand those of `http/connect.ts`. To load these takes longer than to load
 * the rest. Even to look for the platform's forms loads all that Node has for `fetch`.
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
