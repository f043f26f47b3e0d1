import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { isReadable, onStage, settings } from "../support/stack";
import { World } from "../support/world";

const program = `
    const s = require("pulumi-statecraft");
    new s.AuthRole("web", { name: "web" });`;

describe("settings under the real engine", () => {
    it("a token in secret configuration is never in clear in state, nor on screen", async () => {
        await onStage(
            {},
            program,
            async ({ stack }) => {
                await stack.config("statecraft:manager.token", "planted-config-token", { secret: true });
                const outcome = await stack.up("--diff");
                assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
                assert(
                    !(outcome.stdout + outcome.stderr + JSON.stringify(await stack.export())).includes(
                        "planted-config-token",
                    ),
                );
                assert.equal((await stack.refresh()).code, 0);
                assert.equal((await stack.destroy()).code, 0);
            },
            { STATECRAFT_MANAGER_TOKEN: "" },
        );
    });

    it("without an address the error names both ways to set it, and the simulator", async () => {
        await onStage({}, program, async ({ stack }) => {
            await stack.pulumi("config", "rm", "statecraft:manager");
            const outcome = await stack.up();
            assert.notEqual(outcome.code, 0);
            isReadable(outcome);
            assert.match(
                outcome.stdout + outcome.stderr,
                /no address is set.*pulumi config set --path 'statecraft:manager\.address'.*STATECRAFT_MANAGER_ADDRESS.*simulator/s,
            );
        });
    });

    it("a stack is never applied to another server unnoticed", async () => {
        await onStage({}, program, async ({ stack }) => {
            assert.equal((await stack.up()).code, 0);
            const other = await World.start({});
            try {
                await stack.config(
                    "statecraft:manager.address",
                    settings(other)["statecraft:manager"]?.["address"] ?? "",
                );
                const outcome = await stack.refresh("--run-program");
                assert.notEqual(outcome.code, 0);
                isReadable(outcome);
                assert.match(
                    outcome.stdout + outcome.stderr,
                    /it is on simulator:\w+, but the settings .* lead to simulator:\w+, so nothing was done/,
                );
                assert.deepEqual(await other.requests(), []);
            } finally {
                await other.close();
            }
        });
    });

    it("STATECRAFT_ADOPT=identical takes over, for one run, what is exactly as the program says", async () => {
        await onStage(
            demonstration,
            program,
            async ({ world, stack }) => {
                await world.outside("POST", "/v1/auth/clouda/role/web", {});
                await world.forget();
                assert.equal((await stack.up()).code, 0);
                assert.deepEqual(await world.writes(), []);
            },
            { STATECRAFT_ADOPT: "identical" },
        );
    });

    it("an existing object is refused, with the line that takes it over", async () => {
        await onStage({}, program, async ({ world, stack }) => {
            await world.outside("POST", "/v1/auth/clouda/role/web", { token_policies: ["admin"] });
            const outcome = await stack.up();
            assert.notEqual(outcome.code, 0);
            isReadable(outcome);
            assert.match(outcome.stdout, /exists already and was left untouched.*`adopt: true`/s);
            assert.deepEqual(await stack.resources(), []);
        });
    });
});
