/** A preview fails if a setting is missing, and sends no request to a server that is unknown yet. */

import assert from "node:assert/strict";
import { createProviders } from "../src/runtime/providers";
import { demonstration } from "../src/simulator/demonstration";
import { canaryToken } from "./support/canaries";
import { definitions } from "./support/definitions";
import { CheckFailed, ManagedResource } from "./support/managed-resource";
import { withCode } from "./support/messages";
import { unknown } from "./support/pulumi-values";
import { factsOf } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

const undo = { workspaceId: "ws-1", stateVersionId: "sv-2" };

describe("a preview", () => {
    const simulator = withSimulator(demonstration);
    const token = canaryToken;

    /** Creates the resources of one program with these settings. */
    function programWith(settings: Record<string, object>) {
        const messages: ManagedResource["messages"] = [];
        const runtime = createProviders({}, (severity, message, urn) => messages.push({ severity, message, urn }));
        const get = (key: string) => settings[key] && JSON.stringify(settings[key]);
        return (type: string) => {
            const provider = runtime.provider(type);
            void provider.configure?.({ config: { get, require: (key) => get(key) ?? assert.fail(key) } });
            return new ManagedResource(provider, messages);
        };
    }

    const lacking: readonly [what: string, settings: () => Record<string, object>][] = [
        ["no address", () => ({})],
        ["no token", () => ({ "statecraft:vault": { address: simulator.url } })],
        ["a missing `caFile`", () => ({ "statecraft:vault": { address: simulator.url, token, caFile: "/none" } })],
    ];
    for (const [what, settings] of lacking) {
        it(`fails for a service with ${what}, and nothing is written`, async () => {
            const resource = programWith(settings());
            for (const { type } of definitions.filter(({ service }) => service.name === "manager")) {
                await assert.rejects(resource(type).preview(factsOf(type).full), CheckFailed);
            }
            await assert.rejects(resource("AuthRole").up({ name: "web", boundLocations: ["north"] }));
            assert.deepEqual(await simulator.writes(), []);
        });
    }

    it("with an unknown connection refuses wrong inputs, and sends no request", async () => {
        const resource = programWith({
            "statecraft:terraform": { address: `${simulator.url}/api/v2`, token },
            "statecraft:nomad": { address: simulator.url, token },
        });
        const wrong = { volumeId: "data", pluginId: "disks", force: "yes", connection: unknown };
        await assert.rejects(resource("CsiVolume").preview(wrong), { paths: ["force"] });
        assert.deepEqual(await resource("StateVersionRollback").preview({ ...undo, connection: unknown }), []);
        assert.deepEqual(await simulator.requests(), []);
        assert.equal((await resource("StateVersionRollback").preview(undo)).length, 1);
    });

    for (const { type } of definitions) {
        it(`of ${type} sends no unknown value`, async () => {
            const { full, beside } = factsOf(type);
            const inputs = { ...full, ...beside };
            for (const name of Object.keys(inputs)) {
                for (const isNative of [false, true]) {
                    await simulator.resource(type, { isNative }).preview({ ...inputs, [name]: unknown });
                }
            }
            assert.doesNotMatch(JSON.stringify(await simulator.requests()), new RegExp(unknown));
        });
    }

    it("of an existing object whose connection is unknown checks the settings of the deployed connection", async () => {
        const dr = { nomad: { address: simulator.url, token } };
        const volume = programWith({ "statecraft:connections": { dr } })("CsiVolume");
        const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
        const inputs = { volumeId: "tmp", pluginId: "disks", externalId: "vol-1", ...modes };
        await volume.up({ ...inputs, connection: "dr" });
        await volume.preview({ ...inputs, connection: unknown });
        await assert.rejects(volume.preview(inputs), CheckFailed);
    });
});

describe("the deletion of a resource that leaves the server as it is", () => {
    const simulator = withSimulator(demonstration);
    const undo = { workspaceId: "ws-1", stateVersionId: "sv-2" };

    for (const isNative of [false, true]) {
        it(`is told once, by the preview of its creation, and by itself${isNative ? ", native" : ""}`, async () => {
            await simulator
                .resource("AuthConfig")
                .up({ tenantId: "t", resource: "r", clientId: "c", clientSecret: "s" });
            for (const [type, inputs, isTold] of [
                ["StateVersionRollback", undo, true],
                ["StateVersionRollback", { ...undo, onDelete: "restore" }, false],
                ["RootRotation", {}, true],
                ["AuthRole", { name: "told", boundGroupIds: ["g"] }, false],
            ] as const) {
                const resource = simulator.resource(type, { isNative });
                const told = () =>
                    resource.messages.splice(0).filter(({ message }) => withCode("not-deleted").test(message));
                await resource.preview(inputs);
                assert.equal(told().length, isTold ? 1 : 0, type);
                await resource.up(inputs);
                assert.equal(told().filter(({ message }) => /destroy/.test(message)).length, 0, type);
                await resource.destroy();
                assert.equal(told().length, isTold ? 1 : 0, type);
            }
        });
    }
});
