/** What Pulumi's own commands make of the plugin and of its package schema. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { done, onStage } from "../support/stack";

const schema = join(__dirname, "..", "..", "schema.json");

describe("Pulumi's commands for packages", () => {
    it("find the package schema right, get it from the plugin, add the package to a program, and run the plugin in a folder that the project names", async () => {
        const resources = { web: { type: "statecraft:AuthRole", properties: { name: "web" } } };
        await onStage({}, { yaml: { resources } }, async ({ stack }) => {
            const plugin = join(stack.root, "bin", "pulumi-resource-statecraft");
            const checked = await stack.pulumi("schema", "check", schema);
            assert.equal(checked.code, 0, checked.stderr);
            const got = await stack.pulumi("package", "get-schema", plugin);
            assert.equal(JSON.parse(got.stdout).version, JSON.parse(readFileSync(schema, "utf8")).version, got.stderr);
            const added = await stack.pulumi("package", "add", plugin);
            assert.equal(added.code, 0, added.stderr);
            assert.match(readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8"), /statecraft@\d/);

            const folder = join(stack.root, "bin");
            const path = stack.environment["PATH"]?.split(delimiter) ?? [];
            stack.environment["PATH"] = path.filter((place) => place !== folder).join(delimiter);
            stack.writeYaml({ plugins: { providers: [{ name: "statecraft", path: folder }] }, resources });
            assert.deepEqual(done(await stack.preview()), { web: "create" });
        });
    });
});
