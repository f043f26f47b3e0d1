/** Runs JavaScript programs with the native plugin, which the engine finds although the plugin is not on PATH. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { canaryToken } from "../support/canaries";
import { Simulator } from "../support/simulator";
import { done, isDeclaredByProgram, onStage, type Stage } from "../support/stack";

const program = (from: string) => `
    const { AuthRole } = require("${from}");
    const args = { name: "web", tokenTtl: "1h", boundResourceGroups: ["prod"] };
    const web = new AuthRole("web", args);
    exports.mount = web.mount;`;

/** Removes the folders with the plugin from PATH, including the one that npm adds. */
function withoutPath({ stack }: Stage): void {
    const places = stack.environment.PATH?.split(delimiter) ?? [];
    const isIn = (place: string) => existsSync(join(place, "pulumi-resource-statecraft"));
    stack.environment.PATH = places.filter((place) => !isIn(place)).join(delimiter);
}

describe("a program that imports pulumi-statecraft/native", () => {
    it("moves a stack to the dynamic classes and back without a write to the server", async () => {
        await onStage({}, program("pulumi-statecraft/native"), async (stage) => {
            const { simulator, stack } = stage;
            withoutPath(stage);
            assert.deepEqual(done(await stack.up()), { web: "create" });
            await simulator.forget();
            const typeOf = async () => (await stack.resources())[0]?.type;
            assert.equal(await typeOf(), "statecraft:index:AuthRole");
            await isDeclaredByProgram(stack);

            // On a machine where the program never ran, a refresh finds the plugin by `plugins` in Pulumi.yaml.
            const { PULUMI_HOME = "" } = stack.environment;
            stack.environment["PULUMI_HOME"] = join(stack.root, "new-machine");
            const path = relative(stack.folder, join(stack.root, "bin"));
            const places = { runtime: "nodejs", plugins: { providers: [{ name: "statecraft", path }] } };
            stack.writeYaml(places);
            assert.deepEqual(done(await stack.refresh("--expect-no-changes")), { web: "same" });
            stack.writeYaml({ runtime: "nodejs" });
            stack.environment["PULUMI_HOME"] = PULUMI_HOME;

            stack.write(program("pulumi-statecraft"));
            // State gets `__provider`, without which the dynamic host cannot refresh.
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

    it("manages two servers by an explicit `Provider`, whose token is encrypted in state, and reads an object with `get` and a function", async () => {
        const other = await Simulator.start({}, "documented");
        const rolePath = (name: string) => `/v1/auth/clouda/role/${name}`;
        const source = (options: object) => `
            const { AuthRole, Provider, getAuthRoleOutput } = require("pulumi-statecraft/native");
            const manager = ${JSON.stringify({ address: other.url, token: canaryToken, headers: { "x-team": "b" }, ...options })};
            const provider = new Provider("other", { manager });
            new AuthRole("here", { name: "here" });
            const there = new AuthRole("there", { name: "there", tokenTtl: "1h" }, { provider });
            exports.ttl = AuthRole.get("found", there.id, { provider }).tokenTtl;
            exports.lookedUp = getAuthRoleOutput({ name: there.name }, { provider }).tokenTtl;`;
        try {
            await onStage({}, source({}), async (stage) => {
                const { simulator, stack } = stage;
                withoutPath(stage);
                assert.deepEqual(done(await stack.up()), { here: "create", there: "create", found: "read" });
                assert(await simulator.outside("GET", rolePath("here")));
                assert(await other.outside("GET", rolePath("there")));
                assert.equal(await simulator.outside("GET", rolePath("there")), undefined);
                assert(!JSON.stringify(await stack.export()).includes(canaryToken));
                assert.deepEqual(await stack.outputs(), { ttl: 3600, lookedUp: 3600 });

                // Another `timeout` of the provider changes no resource.
                stack.write(source({ timeout: 30 }));
                assert.deepEqual(done(await stack.up("--refresh")), { here: "same", there: "same", found: "read" });
            });
        } finally {
            await other.close();
        }
    });
});
