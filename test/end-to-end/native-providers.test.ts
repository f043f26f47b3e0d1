/** Explicit providers: the line "several servers" of the README's table "Dynamic or native". */

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
});
