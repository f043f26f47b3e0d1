/** Packs the plugin with `npm run plugin`, installs it in an empty home folder, and runs a YAML program without Node in PATH. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { root } from "../support/repository";
import { done, leaveOut, onStage } from "../support/stack";

describe("the packed plugin", () => {
    it("works after `plugin install` where there is no Node, with `schema check`, `package get-schema` and `package add`, also from a server", async function () {
        const { run } = await import("../../scripts/processes.mjs");
        const properties = { workspaceId: "ws-1", stateVersionId: "sv-3" };
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in YAML programs
        const undo = { type: "statecraft:StateVersionRollback", properties, options: { dependsOn: ["${web}"] } };
        const web = { type: "statecraft:AuthRole", properties: { name: "web", tokenTtl: "1h" } };
        const test: Parameters<typeof onStage>[2] = async ({ simulator, stack }) => {
            const folder = join(stack.root, "packed");
            const script = join(root, "scripts", "plugin.mjs");
            // The least compression takes a third of the time.
            const env = { ...process.env, GZIP: "-1" };
            const packed = await run(process.execPath, [script, folder], { env, limit: 100_000 });
            if (/cannot be made into an executable/.test(packed.stderr)) leaveOut(this, "a Node for an executable");
            assert.equal(packed.code, 0, packed.stdout + packed.stderr);
            const [archive = ""] = readdirSync(folder);
            const [, version = ""] = /^pulumi-resource-statecraft-v([\d.]+)-\w+-\w+\.tar\.gz$/.exec(archive) ?? [];
            onlyPulumiInPath(stack);
            const file = join(folder, archive);
            const install = ["plugin", "install", "resource", "statecraft", version, "--file", file];
            const installed = await stack.pulumi(...install);
            assert.equal(installed.code, 0, installed.stderr);
            const plugin = join(stack.root, "home", "plugins", `resource-statecraft-v${version}`);
            assert.match(readFileSync(join(plugin, "LICENSE-node"), "utf8"), /Node\.js is licensed/);
            const libraries = readFileSync(join(plugin, "LICENSE-libraries"), "utf8");
            assert.match(libraries, /Contains @pulumi\/pulumi 3\.[\s\S]*^Contains axios 1\./m);

            stack.environment.STATECRAFT_STATE_VERSIONS_ADDRESS = simulator.url;
            const ran = await stack.pulumi(
                "plugin",
                "run",
                "--kind",
                "resource",
                "statecraft",
                "--",
                "history",
                "ws-1",
            );
            assert.equal(ran.code, 0, ran.stderr);
            assert.match(ran.stdout, /^example\/app \(ws-1\)[\s\S]* sv-4 [\s\S]*: pulumi-resource-statecraft history/m);
            delete stack.environment.STATECRAFT_STATE_VERSIONS_ADDRESS;
            const wrong = await run(join(plugin, "pulumi-resource-statecraft"), ["doctor", "--what"]);
            assert.equal(wrong.code, 2, wrong.stderr);

            assert.deepEqual(done(await stack.up()), { web: "create", undo: "create" });
            assert(await simulator.outside("GET", "/v1/auth/clouda/role/web"));
            const schema = await stack.pulumi("package", "get-schema", "statecraft");
            assert.equal(JSON.parse(schema.stdout).version, version, schema.stderr);
            const checked = await stack.pulumi("schema", "check", join(root, "schema.json"));
            assert.equal(checked.code, 0, checked.stderr);
            const added = await stack.pulumi("package", "add", join(plugin, "pulumi-resource-statecraft"));
            assert.equal(added.code, 0, added.stderr);
            assert.match(readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8"), /statecraft@\d/);
            assert.deepEqual(done(await stack.destroy()), { web: "delete", undo: "delete" });

            await stack.pulumi("plugin", "rm", "resource", "statecraft", "--yes");
            const server = createServer((_, response) => response.end(readFileSync(file))).listen(0, "127.0.0.1");
            await once(server, "listening");
            const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
            const released = await stack.pulumi("package", "add", `statecraft@${version}`, "--server", from);
            server.close();
            assert.equal(released.code, 0, released.stderr);
            assert.match(released.stdout + released.stderr, /Downloading provider statecraft/);
        };
        await onStage(demonstration, { yaml: { resources: { web, undo } } }, test);
    });
});

/** Makes PATH one folder that contains only the Pulumi CLI and its language host for YAML. */
function onlyPulumiInPath({ root, environment }: { root: string; environment: Record<string, string> }): void {
    const places = environment.PATH?.split(delimiter) ?? [];
    environment.PATH = mkdtempSync(join(root, "path-"));
    for (const name of ["pulumi", "pulumi-language-yaml"]) {
        const found = places.map((place) => join(place, name)).find(existsSync);
        symlinkSync(found ?? "", join(environment.PATH, name));
    }
    delete environment.NODE_OPTIONS;
}
