import assert from "node:assert/strict";
import type { Outcome } from "../support/pulumi-cli";
import { isReadable, onStage } from "../support/stack";

const done = (outcome: Outcome): string => {
    isReadable(outcome);
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
    return outcome.stdout + outcome.stderr;
};

describe("the login method under the real engine", function () {
    // Six runs of the engine, on machines that have other things to do.
    this.timeout(120_000);

    it("keeps its secret from everybody, rotates once, and says before that it cannot be undone", async () => {
        const program = `
            const pulumi = require("@pulumi/pulumi");
            const { AuthConfig, RootRotation, getAuthConfigOutput } = require("pulumi-statecraft");
            const config = new pulumi.Config();
            const method = new AuthConfig("method", {
                tenantId: "tenant-1", resource: "https://secrets.example/", clientSecret: "planted-secret-1",
                retryDelay: config.get("retryDelay"),
            });
            new RootRotation("rotation", {}, { dependsOn: method });
            exports.shown = getAuthConfigOutput({ mount: method.mount }).clientSecret;`;
        const warning = /cannot be undone/;
        await onStage({}, program, async ({ world, stack }) => {
            const held = async () => {
                const { manager } = (await world.control("GET", "/simulator/state")) as {
                    manager: { loginConfigs: Record<string, Record<string, { client_secret: string }>> };
                };
                return manager.loginConfigs[""]?.["clouda"]?.client_secret;
            };
            assert.match(done(await stack.preview()), warning);
            assert.deepEqual(await world.writes(), [], "a preview changes nothing");
            const made = done(await stack.up());
            assert(!made.includes("planted-secret-1"));
            const first = await held();
            assert.notEqual(first, "planted-secret-1");

            await stack.config("retryDelay", "9s");
            assert.doesNotMatch(done(await stack.preview()), warning);
            done(await stack.up());
            assert.equal(await held(), first, "another change does not undo the rotation");
            done(await stack.up("--expect-no-changes"));
            assert(!JSON.stringify(await stack.resources()).includes("planted-secret-1"), "state holds it in clear");
            done(await stack.destroy());
            assert.equal(await world.outside("GET", "/v1/auth/clouda/config"), undefined);
        });
    });
});
