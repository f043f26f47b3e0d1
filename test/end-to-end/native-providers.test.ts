/** What only a native plugin can: explicit providers, details of differences, time-outs of the engine, and a Ctrl-C that keeps what was made. */

import assert from "node:assert/strict";
import { canaryToken } from "../support/canaries";
import { Simulator } from "../support/simulator";
import { done, failed, onStage, saying } from "../support/stack";

const role = (name: string, properties: object = {}, options: object = {}) => ({
    [name]: { type: "statecraft:AuthRole", properties: { name, ...properties }, options },
});
const rolePath = (name: string) => `/v1/auth/clouda/role/${name}`;

describe("the native plugin and its providers", () => {
    it("leads one program on two servers; no token is in clear in state", async () => {
        const other = await Simulator.start({});
        try {
            const provider = {
                type: "pulumi:providers:statecraft",
                properties: { manager: { address: other.url, token: canaryToken, headers: { "x-team": "b" } } },
            };
            const there = (name: string) => role(name, {}, { provider: "$" + "{other}" });
            const yaml = { resources: { other: provider, ...role("here"), ...there("there") } };
            await onStage({}, { yaml }, async ({ simulator, stack }) => {
                assert.deepEqual(done(await stack.up()), { here: "create", there: "create" });
                assert(await simulator.outside("GET", rolePath("here")));
                assert(await other.outside("GET", rolePath("there")));
                assert.equal(await simulator.outside("GET", rolePath("there")), undefined);
                assert(!JSON.stringify(await stack.export()).includes(canaryToken));
                assert.deepEqual(done(await stack.refresh("--expect-no-changes")), { here: "same", there: "same" });

                // Other settings change no object.
                const longer = { ...provider.properties.manager, timeout: 30 };
                const changed = { ...provider, properties: { manager: longer } };
                stack.writeYaml({ resources: { ...yaml.resources, other: changed } });
                assert.deepEqual(done(await stack.up()), { here: "same", there: "same" });
                assert.deepEqual(done(await stack.destroy()), { here: "delete", there: "delete" });
            });
        } finally {
            await other.close();
        }
    });

    it("refuses settings that cannot be right, and two resources that are one object", async () => {
        const wrong = { type: "pulumi:providers:statecraft", properties: { manager: { address: "ftp://x" } } };
        await onStage({}, { yaml: { resources: { wrong } } }, async ({ simulator, stack }) => {
            const refused = await stack.up();
            failed(refused);
            assert.equal(saying(refused, /manager\.address: .*http/).length, 1);

            stack.writeYaml({ resources: { ...role("one", { name: "Web" }), ...role("two", { name: "web" }) } });
            const twice = await stack.preview();
            failed(twice);
            assert(saying(twice, /of this program is auth\/clouda\/role\/web already/).length > 0);
            assert.deepEqual(await simulator.writes(), []);
        });
    });

    it("names each nested property that differs, and what replaces", async () => {
        const storage = { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1000 };
        const program = (changes: object, name = "hourly") => ({
            resources: {
                hourly: {
                    type: "statecraft:SnapshotConfig",
                    properties: { name, interval: "1h", retain: 3, storage: { ...storage, ...changes } },
                },
            },
        });
        await onStage({}, { yaml: program({}) }, async ({ stack }) => {
            done(await stack.up());
            stack.writeYaml(program({ maxSpace: 2000 }));
            const nested = await stack.preview("--diff");
            assert.deepEqual(nested.steps[0]?.diffs, ["storage"]);
            assert.deepEqual(nested.steps[0]?.details, { "storage.maxSpace": "update" });
            stack.writeYaml(program({}, "daily"));
            const replaced = await stack.preview();
            assert.deepEqual(replaced.steps[0]?.details, { name: "update-replace" });
        });
    });
});
