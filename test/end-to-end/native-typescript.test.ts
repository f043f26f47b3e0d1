/** Programs in JavaScript on the native plugin, which the engine finds without a further step. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { Simulator } from "../support/simulator";
import { done, isDeclaredByProgram, onStage, type Stage } from "../support/stack";

const program = (from: string) => `
    const { AuthRole } = require("${from}");
    const args = { name: "web", tokenTtl: "1h", boundResourceGroups: ["prod"] };
    const web = new AuthRole("web", args);
    exports.mount = web.mount;`;

/** Takes the plugin off PATH, where npm puts it too. */
function withoutPath({ stack }: Stage): void {
    const places = stack.environment.PATH?.split(delimiter) ?? [];
    const isIn = (place: string) => existsSync(join(place, "pulumi-resource-statecraft"));
    stack.environment.PATH = places.filter((place) => !isIn(place)).join(delimiter);
}

describe("a program that imports pulumi-statecraft/native", () => {
    it("moves a stack to the dynamic classes and back to the plugin, and nothing is written on any server", async () => {
        await onStage({}, program("pulumi-statecraft/native"), async (stage) => {
            const { simulator, stack } = stage;
            withoutPath(stage);
            assert.deepEqual(done(await stack.up()), { web: "create" });
            await simulator.forget();
            const typeOf = async () => (await stack.resources())[0]?.type;
            assert.equal(await typeOf(), "statecraft:index:AuthRole");
            await isDeclaredByProgram(stack);

            // No program has run on this machine, and a refresh runs none.
            const { PULUMI_HOME = "" } = stack.environment;
            stack.environment["PULUMI_HOME"] = join(stack.root, "new-machine");
            const path = relative(stack.folder, join(stack.root, "bin"));
            const places = { runtime: "nodejs", plugins: { providers: [{ name: "statecraft", path }] } };
            stack.writeYaml(places);
            assert.deepEqual(done(await stack.refresh("--expect-no-changes")), { web: "same" });
            stack.writeYaml({ runtime: "nodejs" });
            stack.environment["PULUMI_HOME"] = PULUMI_HOME;

            stack.write(program("pulumi-statecraft"));
            // Of what state then lacks, the dynamic host would find no provider.
            assert.deepEqual(done(await stack.up()), { web: "update" });
            assert.equal(await typeOf(), "pulumi-nodejs:dynamic/statecraft:AuthRole");
            assert.deepEqual(done(await stack.refresh("--expect-no-changes")), { web: "same" });

            stack.write(program("pulumi-statecraft/native"));
            assert.deepEqual(done(await stack.up("--expect-no-changes")), { web: "same" });
            assert.equal(await typeOf(), "statecraft:index:AuthRole");
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(done(await stack.destroy()), { web: "delete" });
        });
    });

    it("has providers of its own, and reads objects that it does not manage", async () => {
        const other = await Simulator.start({});
        try {
            await onStage(
                {},
                `const { AuthRole, Provider } = require("pulumi-statecraft/native");
                const provider = new Provider("other", { manager: { address: "${other.url}", token: "any" } });
                const there = new AuthRole("there", { name: "there", tokenTtl: "1h" }, { provider });
                exports.ttl = AuthRole.get("found", there.id, { provider }).tokenTtl;`,
                async (stage) => {
                    withoutPath(stage);
                    assert.deepEqual(done(await stage.stack.up()), { there: "create", found: "read" });
                    assert(await other.outside("GET", "/v1/auth/clouda/role/there"));
                    assert.deepEqual(await stage.stack.outputs(), { ttl: 3600 });
                },
            );
        } finally {
            await other.close();
        }
    });
});
