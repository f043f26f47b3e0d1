/** Packs the plugin with `npm run plugin`, installs it in an empty home folder, and runs a YAML program. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { done, onStage } from "../support/stack";

const repository = join(__dirname, "..", "..");

describe("the packed plugin", () => {
    it("works after `plugin install`, and with `schema check`, `package get-schema` and `package add`, also from a server", async () => {
        const yaml = {
            resources: { web: { type: "statecraft:AuthRole", properties: { name: "web", tokenTtl: "1h" } } },
        };
        await onStage({}, { yaml }, async ({ simulator, stack }) => {
            const { run } = await import("../../scripts/processes.mjs");
            const folder = join(stack.root, "packed");
            const packed = await run(process.execPath, [join(repository, "scripts", "plugin.mjs"), folder], {
                limit: 100_000,
            });
            assert.equal(packed.code, 0, packed.stdout + packed.stderr);
            const [archive = ""] = readdirSync(folder);
            const [, version = ""] =
                /^pulumi-resource-statecraft-v(\d+\.\d+\.\d+)-\w+-\w+\.tar\.gz$/.exec(archive) ?? [];
            const { stdout } = await run("tar", ["-tzf", join(folder, archive)]);
            const packages: readonly string[] =
                stdout.match(/node_modules\/(@[^/\n]+\/)?[^/\n]+(?=\/package\.json$)/gm) ?? [];
            assert(packages.includes("node_modules/@pulumi/pulumi"));
            const builtIn = ["axios", "zod"].filter((name) => packages.includes(`node_modules/${name}`));
            assert.deepEqual(builtIn, [], "the bundle contains these already");
            for (const each of packages)
                assert(new RegExp(`^\\./${each}/licen[cs]e`, "im").test(stdout), `the licence of ${each} is missing`);
            // Removes the repository's plugin from PATH.
            const path = stack.environment.PATH?.split(delimiter) ?? [];
            stack.environment.PATH = path.filter((place) => !place.startsWith(stack.root)).join(delimiter);
            const file = join(folder, archive);
            const install = ["plugin", "install", "resource", "statecraft", version, "--file", file];
            const installed = await stack.pulumi(...install);
            assert.equal(installed.code, 0, installed.stderr);
            assert.deepEqual(done(await stack.up()), { web: "create" });
            assert(await simulator.outside("GET", "/v1/auth/clouda/role/web"));
            const schema = await stack.pulumi("package", "get-schema", "statecraft");
            assert.equal(JSON.parse(schema.stdout).version, version, schema.stderr);
            const checked = await stack.pulumi("schema", "check", join(repository, "schema.json"));
            assert.equal(checked.code, 0, checked.stderr);
            const added = await stack.pulumi("package", "add", join(stack.root, "bin", "pulumi-resource-statecraft"));
            assert.equal(added.code, 0, added.stderr);
            assert.match(readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8"), /statecraft@\d/);
            assert.deepEqual(done(await stack.destroy()), { web: "delete" });

            await stack.pulumi("plugin", "rm", "resource", "statecraft", "--yes");
            const server = createServer((_, response) => response.end(readFileSync(file))).listen(0, "127.0.0.1");
            await once(server, "listening");
            const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
            const released = await stack.pulumi("package", "add", `statecraft@${version}`, "--server", from);
            server.close();
            assert.equal(released.code, 0, released.stderr);
            assert.match(released.stdout + released.stderr, /Downloading provider statecraft/);
        });
    });
});
