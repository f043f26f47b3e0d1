/** `mount` and `namespace` come from the settings only at create: later runs with other settings do not replace the object. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
import { canaryToken } from "./support/canaries";
import { withCode } from "./support/messages";
import { withSimulator } from "./support/simulator";

describe("mount and namespace from the settings", () => {
    const tokens = [canaryToken, "outside"].map((token) => ({ token, kind: "user", id: "user-1" }) as const);
    const simulator = withSimulator({ tokens, plugins: [{ id: "files", nodes: ["node-1"] }] });

    const on = (type: string, service: string, namespace: string | undefined) =>
        simulator.resource(type, { run: new OwnedObjects(), settings: { [`statecraft:${service}`]: { namespace } } });

    const web = { name: "web", boundLocations: ["north"] };
    const data = {
        ...{ volumeId: "data", pluginId: "files" },
        ...{ accessMode: "single-node-writer", attachmentMode: "file-system" },
    };

    it("are in the outputs of a new object, and not in its inputs", async () => {
        const role = on("AuthRole", "vault", "team");
        await role.up(web);
        const { mount, namespace } = role.outputs();
        assert.deepEqual([mount, namespace], ["azure", "team"]);
        assert.deepEqual([role.state?.inputs["mount"], role.state?.inputs["namespace"]], [undefined, undefined]);
        const root = on("AuthRole", "vault", undefined);
        await root.up(web);
        assert.equal(root.outputs()["namespace"], "", "an absent output would be unknown in each preview");
    });

    it("make a preview refuse a second resource with the same object", async () => {
        const run = new OwnedObjects();
        const inputs = { name: "web", boundLocations: ["north"] };
        await simulator.resource("AuthRole", { run }).check(inputs, true);
        const twin = simulator.resource("AuthRole", { run, stack: "twin" });
        await assert.rejects(twin.check(inputs, true), withCode("duplicate"));
    });

    for (const refreshes of [false, true]) {
        const when = refreshes ? " after a refresh" : "";

        for (const [made, elsewhere] of [
            ["prod", "dev"],
            ["prod", undefined],
            [undefined, "dev"],
        ]) {
            it(`do not move an object created in ${made} and deployed with ${elsewhere}${when}`, async () => {
                for (const [type, service, news, id] of [
                    ["CsiVolume", "nomad", data, `${made ?? "default"}/data`],
                    ["AuthRole", "vault", web, `${made ? `${made}@` : ""}auth/azure/role/web`],
                ] as const) {
                    const first = on(type, service, made);
                    await first.up(news);
                    if (refreshes) await first.refresh();
                    const second = on(type, service, elsewhere);
                    second.state = first.state;
                    assert.equal(await second.up(news), "same");
                    assert.deepEqual(await second.refresh(), []);
                    if (type === "AuthRole") assert.equal(await second.up({ ...news, tokenTtl: "1h" }), "updated");
                    assert.equal(second.state?.id, id);
                    assert.deepEqual(await second.refresh(), []);
                    await second.destroy();
                }
            });
        }
    }

    it("apply only if the program has no `namespace`", async () => {
        const first = on("CsiVolume", "nomad", "prod");
        await first.up(data);
        assert.equal(await first.up({ ...data, namespace: "dev" }), "replaced");
        assert.equal(first.state?.id, "dev/data");
    });
});
