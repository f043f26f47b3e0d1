/** What a bundler makes of a script or a program: one file, in a folder where nothing of this package may be. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { withSimulator } from "./support/simulator";

const repository = resolve(__dirname, "..");
const { version } = require("../package.json") as { version: string };
const run = promisify(execFile);

describe("a bundle", () => {
    const simulator = withSimulator({}, { vocabulary: "documented" });
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "statecraft-bundle-"));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    /** Gives what lies in this part of the folder the packages of the repository. */
    function withPackages(part: string): void {
        mkdirSync(join(folder, part));
        symlinkSync(join(repository, "node_modules"), join(folder, part, "node_modules"), "dir");
    }

    /** Bundles the source, and runs the result, which says something. */
    async function said(source: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
        withPackages("source");
        const [input, file] = [join(folder, "source", "index.js"), join(folder, "app", "out", "index.js")];
        writeFileSync(input, source);
        const bundler = join(repository, "node_modules", "rolldown", "bin", "cli.mjs");
        const options = ["--format", "cjs", "--platform", "node", "--external", "@pulumi/pulumi"];
        await run(process.execPath, [bundler, input, "--file", file, ...options]);
        return (await run(process.execPath, [file], { env: { ...process.env, ...environment } })).stdout.trim();
    }

    it("of a script runs without the package", async () => {
        const script = `
            const client = require("pulumi-statecraft/client").connect({ manager: { address: "${simulator.url}", token: "any" } });
            client.authRole.create({ name: "web", boundLocations: ["north"] })
                .then(() => client.getAuthRoles())
                .then(({ names }) => console.log(names.join()));`;
        assert.equal(await said(script), "web");
        const [request] = await simulator.requests();
        assert.equal(request?.headers["user-agent"], `pulumi-statecraft/${version}`);
    });

    describe("of a program with native classes", () => {
        const program = `
            const pulumi = require("@pulumi/pulumi");
            const { AuthRole } = require("pulumi-statecraft/native");
            pulumi.runtime.setMocks({ newResource: () => ({ id: "made", state: {} }), call: () => ({}) })
                .then(() => new AuthRole("web", { name: "web" }).id.apply(console.log));`;
        beforeEach(() => withPackages("app"));

        it("leads the engine to the installed plugin, whichever program has done so last and is gone", async () => {
            const home = join(folder, "home");
            assert.equal(await said(program, { PULUMI_HOME: home }), "made");
            const link = join(home, "plugins", `resource-statecraft-v${version}`, "pulumi-resource-statecraft");
            const main = join(repository, "dist", "plugin", "main.js");
            const text = readFileSync(link, "utf8");
            assert(text.includes(JSON.stringify(main)), text);
            writeFileSync(link, text.replace(JSON.stringify(main), JSON.stringify(join(folder, "gone", "main.js"))));
            const plugin = spawn(process.execPath, [link, "127.0.0.1:1"], {
                cwd: join(folder, "app"),
                stdio: ["pipe", "pipe", "inherit"],
            });
            const [port] = (await once(plugin.stdout.setEncoding("utf8"), "data")) as [string];
            assert.match(port, /^\d+\n$/);
            plugin.stdin.end();
            await once(plugin, "exit");
        });

        it("is tested with mocks where the folder of plugins cannot be written", async () => {
            const file = join(folder, "home");
            writeFileSync(file, "");
            assert.equal(await said(program, { PULUMI_HOME: file }), "made");
        });
    });
});
