/** Where an object is comes from settings, once: machines whose settings differ move nothing, a replacement included. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
import { unknown } from "../src/schema/unknown";
import { canaryToken } from "./support/canaries";
import { withSimulator } from "./support/simulator";

describe("what settings say of an object's place", () => {
    const tokens = [canaryToken, "outside"].map((token) => ({ token, kind: "user", id: "user-1" }) as const);
    const simulator = withSimulator({ tokens, plugins: [{ id: "files", nodes: ["node-1"] }] });

    const on = (type: string, service: string, namespace: string | undefined) =>
        simulator.resource(type, { run: new OwnedObjects(), settings: { [`statecraft:${service}`]: { namespace } } });

    const web = { name: "web", boundLocations: ["north"] };

    it("is in the outputs of what is made, and not in the inputs", async () => {
        const role = on("AuthRole", "manager", "team");
        await role.up(web);
        const { mount, namespace } = role.outputs();
        assert.deepEqual([mount, namespace], ["clouda", "team"]);
        assert.deepEqual([role.state?.inputs["mount"], role.state?.inputs["namespace"]], [undefined, undefined]);
        const root = on("AuthRole", "manager", undefined);
        await root.up(web);
        assert.equal(root.outputs()["namespace"], "", "what is absent would be unknown in each preview");
    });

    it("makes two of a new program one object in their preview already", async () => {
        const run = new OwnedObjects();
        const inputs = { name: "web", boundLocations: ["north"] };
        await simulator.resource("AuthRole", { run }).check(inputs, true);
        const twin = simulator.resource("AuthRole", { run, stack: "twin" });
        await assert.rejects(twin.check(inputs, true), /one object needs one resource/);
    });

    for (const refreshes of [false, true]) {
        const when = refreshes ? "after a refresh" : "without one";

        for (const [made, elsewhere] of [
            ["prod", "dev"],
            ["prod", undefined],
            [undefined, "dev"],
        ]) {
            it(`moves no role and no volume: made in ${made}, deployed with ${elsewhere}, ${when}`, async () => {
                const inputs = { volumeId: "data", pluginId: "files" };
                for (const [type, service, news, id] of [
                    ["CsiVolume", "volumes", inputs, `${made ?? "default"}/data`],
                    ["AuthRole", "manager", web, `${made ? `${made}@` : ""}auth/clouda/role/web`],
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

    it("says nothing of an object whose server is not known yet", async () => {
        const run = new OwnedObjects();
        const web = { name: "web", boundLocations: ["north"] };
        await simulator.resource("AuthRole", { run }).check(web, true);
        const elsewhere = simulator.resource("AuthRole", { run, stack: "elsewhere" });
        await elsewhere.check({ ...web, connection: unknown }, true);
    });

    it("gives way to what the program says", async () => {
        const first = on("CsiVolume", "volumes", "prod");
        await first.up({ volumeId: "data", pluginId: "files" });
        assert.equal(await first.up({ volumeId: "data", pluginId: "files", namespace: "dev" }), "replaced");
        assert.equal(first.state?.id, "dev/data");
    });
});
