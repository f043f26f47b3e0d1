/** Asserts that an import of the package loads only the classes, and that the first call loads its service. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..");

/** Returns a program that calls `check` of a dynamic provider, as the first `up` does. */
const checkBy = (providers: string, type = "AuthRole", inputs: object = { name: "web", boundLocations: ["north"] }) => `
    const provider = require("${providers}").provider("${type}");
    const settings = JSON.stringify({ address: "http://127.0.0.1:1", token: "any" });
    const isSet = (key) => /^statecraft:(manager|stateVersions)$/.test(key);
    await provider.configure({ config: { get: (key) => (isSet(key) ? settings : undefined) } });
    await provider.check({}, ${JSON.stringify(inputs)});`;

const programs = {
    classes: 'require("./src/index")',
    nativeClasses: 'require("./src/native")',
    call: 'await require("./src/index").getAuthRole({ name: "web" })',
    provider: checkBy("./src/runtime/providers"),
    rollback: checkBy("./src/runtime/providers", "StateVersionRollback", {
        workspaceId: "ws-1",
        stateVersionId: "sv-1",
    }),
    // Everything that the process of the plugin loads before it can answer.
    plugin: 'require("./src/plugin/server")',
    builtProvider: checkBy("./dist/runtime/providers"),
    builtRequest: `
        const provider = require("./dist/runtime/providers").provider("AuthRole");
        const settings = JSON.stringify({ address: "http://127.0.0.1:1", token: "any", maxRetries: 0 });
        await provider.configure({ config: { get: (key) => (key === "statecraft:manager" ? settings : undefined) } });
        await provider.read("auth/clouda/role/web", {});`,
};
type Loaded = Readonly<Record<keyof typeof programs, readonly string[]>>;

let loaded: Loaded | undefined;

/** Returns the files that a program loads after Pulumi's SDK. One process runs all programs, and clears the module cache after each. */
function loadedBy(name: keyof typeof programs): readonly string[] {
    const runs = Object.entries(programs).map(([each, code]) => `${each}: async () => { ${code} }`);
    const program = `
        require("@pulumi/pulumi");
        const isTranspiler = (file) => /node_modules.(@swc|ts-node)/.test(file);
        const before = new Set(Object.keys(require.cache));
        const loaded = {};
        (async () => {
            for (const [name, run] of Object.entries({ ${runs.join(", ")} })) {
                await run().catch(() => undefined);
                const files = Object.keys(require.cache).filter((file) => !before.has(file) && !isTranspiler(file));
                for (const file of files) delete require.cache[file];
                loaded[name] = files.map((file) => file.slice(process.cwd().length + 1)).sort();
            }
            console.log(JSON.stringify(loaded));
            // The server of the plugin listens.
            process.exit();
        })();`;
    const args = ["--require", "./scripts/ts-node.cjs", "--eval", program];
    const options = { cwd: root, encoding: "utf8" } as const;
    // The plugin prints its port first.
    loaded ??= JSON.parse(execFileSync(process.execPath, args, options).trim().split("\n").at(-1) ?? "") as Loaded;
    return loaded[name];
}

/** Files that only the first call may load, not the import. */
const heavy = /^src\/(services|http|settings(?!\/config-keys)|runtime|plugin|simulator)\/|node_modules\//;
/** Files that only a login, a source of a secret, an upload or a command may load. */
const later =
    /^src\/(command|simulator|http\/(login|job-token)|settings\/secret-|services\/state-versions\/(uploaded-state|\w+-of-state|state-parts|same-object))/;
const ofOtherServices = /^src\/services\/(volumes|state-versions)\//;
const http = /node_modules\/(axios|form-data|follow-redirects|https-proxy-agent)\//;
const besideBundle = /^dist\/(?!runtime\/providers\.js$)|node_modules\/zod\//;
const forRole = new RegExp([later, ofOtherServices, http].map(({ source }) => source).join("|"));

describe("what a program loads", () => {
    for (const [title, program, wanted, unwanted] of [
        ["an import has few files, without a library", "classes", "src/index.ts", heavy],
        ["an import of native classes has few files, without a library", "nativeClasses", "src/native.ts", heavy],
        ["a function has its service alone", "call", "src/services/manager/auth-role.ts", ofOtherServices],
        ["the plugin has no login, source of a secret, upload or command", "plugin", "src/plugin/service.ts", later],
        [
            "the dynamic host has for a role no login, source of a secret, upload, command, other service and HTTP library",
            "provider",
            "src/services/manager/auth-role.ts",
            forRole,
        ],
        [
            "the dynamic host has for a rollback no login, source of a secret, upload and command",
            "rollback",
            "src/services/state-versions/state-version-rollback.ts",
            later,
        ],
        [
            "the built dynamic host is one file with the schema library",
            "builtProvider",
            "dist/runtime/providers.js",
            besideBundle,
        ],
        ["the built first request has the bundled HTTP library", "builtRequest", "dist/runtime/axios.js", http],
    ] as const)
        it(title, () => {
            const loaded = loadedBy(program);
            assert(loaded.includes(wanted), loaded.join("\n"));
            const wrong = loaded.filter((file) => unwanted.test(file));
            assert.deepEqual(wrong, []);
            if (unwanted === heavy) assert(loaded.length > 5 && loaded.length <= 25, loaded.join("\n"));
        });
});
