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

/** Whether only a login, a source of a secret, an upload or a command may load a file. */
const isForLater = (file: string) =>
    /^src\/(command|simulator|http\/(login|job-token)|settings\/secret-|services\/state-versions\/(uploaded-state|\w+-of-state|state-parts|same-object))/.test(
        file,
    );

const isOfAnotherService = (file: string) => /^src\/services\/(volumes|state-versions)\//.test(file);

describe("an import", () => {
    /** Whether only the first call may load a file, not the import. */
    const isHeavy = (file: string) =>
        /^src\/(services|http|settings(?!\/config-keys)|runtime|plugin|simulator)\/|node_modules\//.test(file);

    for (const [module, program] of [
        ["pulumi-statecraft", "classes"],
        ["pulumi-statecraft/native", "nativeClasses"],
    ] as const) {
        it(`of ${module} loads only classes: few files and no library`, () => {
            const loaded = loadedBy(program);
            assert.ok(loaded.length > 5 && loaded.length <= 25, loaded.join("\n"));
            assert.deepEqual(loaded.filter(isHeavy), []);
        });
    }

    it("loads a service at the first call of a function, and no other service", () => {
        const loaded = loadedBy("call");
        assert.ok(loaded.includes("src/services/manager/auth-role.ts"));
        assert.deepEqual(loaded.filter(isOfAnotherService), []);
    });
});

describe("the first answer", () => {
    for (const [title, program, wanted] of [
        ["the plugin", "plugin", "src/plugin/service.ts"],
        ["the dynamic host about a role", "provider", "src/services/manager/auth-role.ts"],
        ["the dynamic host about a rollback", "rollback", "src/services/state-versions/state-version-rollback.ts"],
    ] as const)
        it(`of ${title} needs no login, source of a secret, upload or command`, () => {
            const loaded = loadedBy(program);
            assert.ok(loaded.includes(wanted));
            assert.deepEqual(loaded.filter(isForLater), []);
        });
});

describe("a provider of the dynamic host", () => {
    it("loads only its service, and no HTTP library before the first request", () => {
        const loaded = loadedBy("provider");
        assert.ok(loaded.includes("src/services/manager/auth-role.ts"));
        assert.deepEqual(loaded.filter(isOfAnotherService), []);
        const wrong = loaded.filter((file) => /node_modules\/(axios|https-proxy-agent)\//.test(file));
        assert.deepEqual(wrong, []);
    });

    it("is bundled into one file with the schema library", () => {
        const loaded = loadedBy("builtProvider");
        const own = loaded.filter((file) => file.startsWith("dist/"));
        assert.deepEqual(own, ["dist/runtime/providers.js"]);
        const wrong = loaded.filter((file) => /node_modules\/zod\//.test(file));
        assert.deepEqual(wrong, []);
    });

    it("sends its first request with the bundled HTTP library", () => {
        const loaded = loadedBy("builtRequest");
        assert.ok(loaded.includes("dist/runtime/axios.js"));
        assert.deepEqual(
            loaded.filter((file) => /node_modules\/(axios|form-data|follow-redirects|https-proxy-agent)\//.test(file)),
            [],
        );
    });
});
