import assert from "node:assert/strict";
import { canaryToken } from "../../support/canaries";
import { withCode } from "../../support/messages";
import { unknown } from "../../support/pulumi-values";
import { withSimulator } from "../../support/simulator";

const path = "/v1/auth/azure/rotate-root";

describe("RootRotation", () => {
    const simulator = withSimulator({
        mounts: ["azure", "team/azure", "empty"],
        loginConfigs: ["azure", "team/azure"].map((mount) => ({
            mount,
            fields: { tenant_id: "tenant-1", resource: "https://secrets.example/", client_secret: "first" },
        })),
    });

    const rotations = async () =>
        (await simulator.writes()).map(({ method, path: sent, body }) => [method, sent, body]);
    // The document names no parameters.
    const sent = ["POST", path, null];

    it("rotates at create and in place for new `triggers`, and shows no change afterwards", async () => {
        const rotation = await simulator.resource("RootRotation").deployed({});
        for (const inputs of [{}, { triggers: [] }, {}]) await rotation.isQuiet(inputs);
        assert.equal(await rotation.up({ triggers: ["q2", { at: 1 }] }), "updated");
        await rotation.isQuiet({ triggers: ["q2", { at: 1 }] });
        assert.deepEqual(rotation.outputs()["triggers"], ["q2", { at: 1 }]);
        assert.deepEqual(await rotations(), [sent, sent]);
    });

    it("does not rotate for another `connection` to the same server", async () => {
        const same = { same: { vault: { address: simulator.url, token: canaryToken } } };
        const rotation = await simulator
            .resource("RootRotation", { settings: { "statecraft:connections": same } })
            .deployed({});
        await simulator.forget();
        assert.equal(await rotation.up({ connection: "same" }), "updated");
        assert.deepEqual(rotation.warnings, []);
        assert.deepEqual(await rotations(), []);
    });

    for (const isNative of [false, true]) {
        const settings = { "statecraft:vault": { namespace: "a/b" } };
        const named = (warnings: readonly string[]) => warnings.map((warning) => /auth\/\S+/.exec(warning)?.[0]);

        it(`names in a preview the mount in state that it will rotate, not that of the current settings: ${isNative ? "native" : "dynamic"}`, async () => {
            const first = await simulator
                .resource("RootRotation", { isNative })
                .deployed({ mount: "team/azure", triggers: [1] });
            assert.deepEqual(named(await first.preview({ triggers: [2] })), ["auth/team/azure"]);
            const second = simulator.resource("RootRotation", { isNative, settings });
            second.state = first.state;
            await second.refresh();
            assert.deepEqual(named(await second.preview({ triggers: [2] })), ["auth/team/azure"]);
            assert.deepEqual(named(await second.preview({ triggers: [2], mount: "azure" })), ["auth/azure"]);
        });
    }

    it("is told in a preview only if the deployment will rotate", async () => {
        const rotation = simulator.resource("RootRotation");
        const isWarned = async (inputs: Record<string, unknown>) => {
            const [warning = "", ...others] = await rotation.preview(inputs);
            return others.length === 0 && withCode("rotation").test(warning);
        };
        assert.equal(await isWarned({}), true);
        assert.deepEqual(await simulator.requests(), [], "a preview sends nothing");
        await rotation.up({});
        assert.equal(rotation.messages.length, 2, "the deployment itself does not repeat it");
        assert.deepEqual(await rotation.preview({}), []);
        assert.deepEqual(await rotation.preview({ triggers: [] }), []);
        assert.equal(await isWarned({ triggers: ["q2"] }), true);
        assert.equal(await isWarned({ triggers: [unknown] }), true);
    });

    it("fails if the mount has no configuration, or does not exist", async () => {
        const rotation = simulator.resource("RootRotation");
        await assert.rejects(rotation.up({ mount: "empty" }), { code: "rotation", status: 500 });
        assert.equal(rotation.state, undefined);
        await assert.rejects(rotation.up({ mount: "nowhere" }), { code: "service", status: 404 });
    });
});
