/** What a preview says beside the changes: which settings are missing, and nothing of a server that is not known yet. */

import assert from "node:assert/strict";
import { unknown } from "../src/schema/values";
import { createProviders } from "../src/settings/providers";
import { demonstration } from "../src/simulator/demonstration";
import { canaryToken } from "./support/canaries";
import { CheckFailed, ManagedResource } from "./support/managed-resource";
import { resourceFacts } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

const role = { name: "web", boundLocations: ["north"] };
const undo = { workspaceId: "ws-1", stateVersionId: "sv-2" };
/** A program with all resources of the service. */
const programs = resourceFacts.filter(({ document }) => document === "Secrets Manager");

describe("a preview", () => {
    const simulator = withSimulator(demonstration);

    /** The resources of one program with these settings. */
    function program(settings: Record<string, object> = {}, strict = false) {
        const messages: ManagedResource["messages"] = [];
        const runtime = createProviders({}, (severity, message, urn) => messages.push({ severity, message, urn }));
        const config: Record<string, unknown> = { ...settings, "statecraft:strict": strict };
        const get = (key: string) => (config[key] === undefined ? undefined : JSON.stringify(config[key]));
        const life = (type: string) => {
            const provider = runtime.provider(type);
            void provider.configure?.({ config: { get, require: (key) => get(key) ?? assert.fail(key) } });
            return new ManagedResource(provider, messages);
        };
        /** Those that stand at no resource. The engine is told of the same one once. */
        const warnings = () => [
            ...new Set(
                messages.flatMap(({ severity, message, urn }) =>
                    severity === "warning" && urn === undefined ? [message] : [],
                ),
            ),
        ];
        return { life, warnings };
    }

    const token = canaryToken;
    const lacking: readonly [what: string, settings: () => Record<string, object>][] = [
        ["no address", () => ({})],
        ["no token", () => ({ "statecraft:vault": { address: simulator.url } })],
        [
            "a file that is not there",
            () => ({ "statecraft:vault": { address: simulator.url, token, caFile: "/none" } }),
        ],
        ["a token that no header can carry", () => ({ "statecraft:vault": { address: simulator.url, token: "a\nb" } })],
    ];
    for (const [what, settings] of lacking) {
        it(`fails for a service with ${what}, and nothing is written`, async () => {
            const { life, warnings } = program(settings());
            for (const { type, full } of programs) await assert.rejects(life(type).preview(full), CheckFailed);
            assert.deepEqual(warnings(), []);
            await assert.rejects(life("AuthRole").up(role));
            assert.deepEqual(await simulator.writes(), []);
        });
    }

    it("fails for a connection alone", async () => {
        const { life } = program({
            "statecraft:vault": { address: simulator.url, token },
            "statecraft:connections": { far: { vault: { address: simulator.url } } },
        });
        await life("AuthRole").preview(role);
        await assert.rejects(life("AuthRole").preview({ ...role, connection: "far" }), CheckFailed);
    });

    describe("with a connection that is not known yet", () => {
        const settings = () => ({
            "statecraft:terraform": { address: `${simulator.url}/api/v2`, token },
            "statecraft:nomad": { address: simulator.url, token },
        });

        it("sends no request", async () => {
            const { life } = program(settings());
            assert.deepEqual(await life("StateVersionRollback").preview({ ...undo, connection: unknown }), []);
            assert.deepEqual(await simulator.requests(), []);
            assert.equal((await life("StateVersionRollback").preview(undo)).length, 1);
        });

        it("refuses wrong inputs", async () => {
            const { life } = program(settings());
            const wrong = { volumeId: "data", pluginId: "disks", force: "yes", connection: unknown };
            await assert.rejects(life("CsiVolume").preview(wrong), { paths: ["force"] });
        });
    });

    it("does not show the text of an unknown value", async () => {
        const { life } = program({ "statecraft:vault": { address: simulator.url, token } });
        const told = await life("RootRotation").preview({ mount: unknown });
        assert.equal(told.length, 1);
        assert(!told.join().includes(unknown));
    });
});
