/** Runs JavaScript programs with the native plugin, which the engine finds although the plugin is not on PATH. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { canaryToken } from "../support/canaries";
import { Simulator } from "../support/simulator";
import { done, isDeclaredByProgram, onStage, type Stage } from "../support/stack";

const rolePath = (name: string) => `/v1/auth/clouda/role/${name}`;

/** Removes the folders with the plugin from PATH, including the one that npm adds. */
function withoutPath({ stack }: Stage): void {
    const places = stack.environment.PATH?.split(delimiter) ?? [];
    const isIn = (place: string) => existsSync(join(place, "pulumi-resource-statecraft"));
    stack.environment.PATH = places.filter((place) => !isIn(place)).join(delimiter);
}

describe("a program that imports pulumi-statecraft/native", () => {
    it("moves a stack to the dynamic classes and back without a write to the server, beside an explicit `Provider` of another server, whose token is encrypted in state", async () => {
        const other = await Simulator.start({}, "documented");
        const program = (from: string, options: object = {}) => `
            const { AuthRole, Provider, getAuthRoleOutput } = require("pulumi-statecraft/native");
            const manager = ${JSON.stringify({ address: other.url, token: canaryToken, headers: { "x-team": "b" }, ...options })};
            const provider = new Provider("other", { manager });
            const args = { name: "here", tokenTtl: "1h", boundResourceGroups: ["prod"] };
            new (require("${from}").AuthRole)("here", args);
            const there = new AuthRole("there", { name: "there", tokenTtl: "1h" }, { provider });
            exports.ttl = AuthRole.get("found", there.id, { provider }).tokenTtl;
            exports.lookedUp = getAuthRoleOutput({ name: there.name }, { provider }).tokenTtl;`;
        const moves = async (stage: Stage) => {
            const { simulator, stack } = stage;
            withoutPath(stage);
            assert.deepEqual(done(await stack.up()), { here: "create", there: "create", found: "read" });
            assert(await simulator.outside("GET", rolePath("here")));
            assert(await other.outside("GET", rolePath("there")));
            assert.equal(await simulator.outside("GET", rolePath("there")), undefined);
            assert(!JSON.stringify(await stack.export()).includes(canaryToken));
            assert.deepEqual(await stack.outputs(), { ttl: 3600, lookedUp: 3600 });
            await Promise.all([simulator.forget(), other.forget()]);
            const typeOf = async () => (await stack.resources()).find(({ urn }) => urn.endsWith("::here"))?.type;
            assert.equal(await typeOf(), "statecraft:index:AuthRole");
            await isDeclaredByProgram(stack);

            // On a machine where the program never ran, a refresh finds the plugin by `plugins` in Pulumi.yaml.
            const { PULUMI_HOME = "" } = stack.environment;
            stack.environment["PULUMI_HOME"] = join(stack.root, "new-machine");
            const path = relative(stack.folder, join(stack.root, "bin"));
            stack.writeYaml({ runtime: "nodejs", plugins: { providers: [{ name: "statecraft", path }] } });
            const same = { here: "same", there: "same" };
            assert.deepEqual(done(await stack.refresh("--expect-no-changes")), { ...same, found: "same" });
            stack.writeYaml({ runtime: "nodejs" });
            stack.environment["PULUMI_HOME"] = PULUMI_HOME;

            // State gets `__provider`, without which the dynamic host cannot refresh. Another `timeout` of the provider changes no resource.
            stack.write(program("pulumi-statecraft", { timeout: 30 }));
            assert.deepEqual(done(await stack.up()), { ...same, here: "update", found: "read" });
            assert.equal(await typeOf(), "pulumi-nodejs:dynamic/statecraft:AuthRole");
            stack.write(program("pulumi-statecraft/native", { timeout: 30 }));
            const back = await stack.up("--refresh", "--expect-no-changes");
            assert.deepEqual(done(back), { ...same, found: "read" });
            assert.equal(await typeOf(), "statecraft:index:AuthRole");
            assert.deepEqual([await simulator.writes(), await other.writes()], [[], []]);
        };
        await onStage({}, program("pulumi-statecraft/native"), moves).finally(() => other.close());
    });
});
