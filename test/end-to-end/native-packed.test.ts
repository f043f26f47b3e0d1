/** Packs the plugin with `npm run plugin`, installs it in an empty home folder, and runs a YAML program. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { done, onStage } from "../support/stack";

const repository = join(__dirname, "..", "..");

describe("the packed plugin", () => {
    it("works after `plugin install`, and with `schema check`, `package get-schema` and `package add`", async () => {
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
            const installed = await stack.pulumi(
                "plugin",
                "install",
                "resource",
                "statecraft",
                version,
                "--file",
                file,
            );
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
        });
    });
});
