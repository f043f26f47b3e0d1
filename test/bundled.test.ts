/** Bundles scripts and programs, and runs the result in a folder without this package. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { root } from "./support/repository";
import { withSimulator } from "./support/simulator";
import { temporaryFolder } from "./support/temporary-folder";

const { version } = require("../package.json") as { version: string };
const run = promisify(execFile);

describe("a bundle", () => {
    const simulator = withSimulator({}, { vocabulary: "documented" });
    let folder: string;
    beforeEach(() => {
        folder = temporaryFolder();
    });

    /** Links the repository's packages into a subfolder. */
    function withPackages(part: string): void {
        mkdirSync(join(folder, part));
        symlinkSync(join(root, "node_modules"), join(folder, part, "node_modules"), "dir");
    }

    /** Bundles the source. Returns a function that runs the bundle and returns its output. */
    async function bundled(source: string): Promise<(environment?: NodeJS.ProcessEnv) => Promise<string>> {
        withPackages("source");
        const [input, file] = [join(folder, "source", "index.js"), join(folder, "app", "out", "index.js")];
        writeFileSync(input, source);
        const options = { bundle: true, platform: "node", logLevel: "error" } as const;
        await build({ entryPoints: [input], outfile: file, external: ["@pulumi/pulumi"], ...options });
        return async (environment) => {
            const { stdout } = await run(process.execPath, [file], { env: { ...process.env, ...environment } });
            return stdout.trim();
        };
    }

    it("of the package has no log of a library, which would show the password of a proxy for `DEBUG=*`", () => {
        const files = [
            "plugin/server",
            "runtime/axios",
            "runtime/https-proxy-agent",
            "runtime/providers",
            "command/main",
        ];
        for (const file of files) {
            const text = readFileSync(join(root, "dist", `${file}.js`), "utf8");
            assert.doesNotMatch(text, /process\.env\.DEBUG\b|require\("(debug|https-proxy-agent)"\)/, file);
        }
    });

    it("of a script runs without the package", async () => {
        const script = await bundled(`
            const client = require("pulumi-statecraft/client").connect({ manager: { address: "${simulator.url}", token: "any" } });
            client.authRole.create({ name: "web", boundLocations: ["north"] })
                .then(() => client.getAuthRoles())
                .then(({ names }) => console.log(names.join()));`);
        assert.equal(await script(), "web");
        const [request] = await simulator.requests();
        assert.equal(request?.headers["user-agent"], `pulumi-statecraft/${version}`);
    });

    it("of a program with native classes links the plugin for the engine", async () => {
        withPackages("app");
        const program = await bundled(`
            const pulumi = require("@pulumi/pulumi");
            const { AuthRole } = require("pulumi-statecraft/native");
            pulumi.runtime.setMocks({ newResource: () => ({ id: "made", state: {} }), call: () => ({}) })
                .then(() => new AuthRole("web", { name: "web" }).id.apply(console.log));`);
        const home = join(folder, "home");
        assert.equal(await program({ PULUMI_HOME: home }), "made");
        const link = join(home, "plugins", `resource-statecraft-v${version}`, "pulumi-resource-statecraft");
        const main = JSON.stringify(join(root, "dist", "plugin", "main.js"));
        const text = readFileSync(link, "utf8");
        assert(text.includes(main), text);
        // The link still works after the program that wrote the path was deleted.
        writeFileSync(link, text.replace(main, JSON.stringify(join(folder, "gone", "main.js"))));
        const plugin = spawn(process.execPath, [link, "127.0.0.1:1"], {
            cwd: join(folder, "app"),
            stdio: ["pipe", "pipe", "inherit"],
        });
        const [port] = (await once(plugin.stdout.setEncoding("utf8"), "data")) as [string];
        assert.match(port, /^\d+\n$/);
        plugin.stdin.end();
        await once(plugin, "exit");
    });
});
