/** Where an object is comes from settings, once: machines whose settings differ move nothing, a replacement included. */

import assert from "node:assert/strict";
import { Run } from "../src/core/run";
import { unknown } from "../src/schema/unknown";
import { canaryToken } from "./support/canaries";
import { withSimulator } from "./support/simulator";

describe("what settings say of an object's place", () => {
    const tokens = [canaryToken, "outside"].map((token) => ({ token, kind: "user", id: "user-1" }) as const);
    const simulator = withSimulator({ tokens, plugins: [{ id: "files", nodes: ["node-1"] }] });

    const on = (type: string, service: string, namespace: string | undefined) =>
        simulator.resource(type, { run: new Run(), settings: { [`statecraft:${service}`]: { namespace } } });

    it("stands among the inputs of a new one, unknown in its preview, where lookups that wait for it would find nothing", async () => {
        const role = on("AuthRole", "manager", "team");
        const inputs = { name: "web", boundLocations: ["north"] };
        const { mount, namespace } = await role.check(inputs);
        assert.deepEqual([mount, namespace], ["clouda", "team"]);
        const foreseen = await role.check(inputs, true);
        assert.deepEqual([foreseen["mount"], foreseen["namespace"]], [unknown, unknown]);
        const root = on("AuthRole", "manager", undefined);
        assert.equal((await root.check(inputs))["namespace"], "");
        assert.equal((await root.check(inputs, true))["namespace"], unknown);
    });

    it("makes two of a new program one object in their preview already", async () => {
        const run = new Run();
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
            it(`is that of the first machine when a volume is replaced on another: ${made} on ${elsewhere}, ${when}`, async () => {
                const first = on("CsiVolume", "volumes", made);
                await first.up({ volumeId: "data", pluginId: "files" });
                if (refreshes) await first.refresh();
                const second = on("CsiVolume", "volumes", elsewhere);
                second.state = first.state;
                assert.equal(await second.up({ volumeId: "data", pluginId: "files" }), "same");
                assert.equal(await second.up({ volumeId: "data", pluginId: "files", name: "Data" }), "replaced");
                assert.equal(second.state?.id, `${made ?? "default"}/data`);
                assert.deepEqual(await second.refresh(), []);
            });

            it(`is that of the first machine when a role is replaced on another: ${made} on ${elsewhere}, ${when}`, async () => {
                const first = on("AuthRole", "manager", made);
                await first.up({ name: "web", boundLocations: ["north"] });
                if (refreshes) await first.refresh();
                const second = on("AuthRole", "manager", elsewhere);
                second.state = first.state;
                const other = { name: "web2", boundLocations: ["north"] };
                assert.equal(await second.up(other), "replaced");
                assert.equal(second.state?.id, `${made ? `${made}@` : ""}auth/clouda/role/web2`);
                assert.deepEqual(await second.refresh(), []);
                assert.equal(await second.up(other), "same");
            });
        }
    }

    for (const imports of [false, true]) {
        it(`tells two objects apart, one of which is where no settings put it now: ${imports ? "imported" : "made"}`, async () => {
            const run = new Run();
            const settings = { "statecraft:manager": { namespace: "team" } };
            const web = { name: "web", boundLocations: ["north"] };
            const first = on("AuthRole", "manager", undefined);
            if (imports) {
                await simulator.outside("POST", "/v1/auth/clouda/role/web", { bound_locations: ["north"] });
                await first.get("auth/clouda/role/web");
            } else await first.up(web);
            const one = simulator.resource("AuthRole", { run, settings });
            one.state = first.state;
            assert.equal(await one.up(web), "same");
            const other = simulator.resource("AuthRole", { run, settings, stack: "other" });
            assert.equal(await other.up(web), "created");
            assert.equal(other.state?.id, "team@auth/clouda/role/web");
            const twin = simulator.resource("AuthRole", { run, settings, stack: "twin" });
            await assert.rejects(twin.up({ ...web, namespace: "" }), /one object needs one resource/);
        });
    }

    it("says nothing of an object whose server is not known yet", async () => {
        const run = new Run();
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
