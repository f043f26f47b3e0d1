/** State of one server is never applied to another: every resource, every verb that has a state. */

import assert from "node:assert/strict";
import { failureOf } from "./support/failures";
import { Shown } from "./support/managed-resource";
import { programOf, resourceFacts } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

const there = "https://prod.example";

describe("state of another server", () => {
    const simulator = withSimulator();

    for (const facts of resourceFacts) {
        const { type, id } = facts;
        const inputs = programOf(facts);

        it(`is neither read, updated nor deleted by ${type}, and both servers are named`, async () => {
            const resource = simulator.resource(type);
            const { provider } = resource;
            for (const server of [there, `${simulator.url}/other`]) {
                const state = { ...inputs, server, __provider: "text" };
                const news = { ...inputs, triggers: [2], __provider: "text" };
                for (const verb of [
                    () => provider.read?.(id, state),
                    () => provider.update?.(id, state, news),
                    () => provider.delete?.(id, state),
                ]) {
                    const { code, message } = await failureOf(resource.shown(Promise.resolve<unknown>(verb())), Shown);
                    assert.equal(code, "server");
                    assert(message.startsWith(`${type} ${id}: `), message);
                    for (const named of [server, simulator.url]) assert(message.includes(named), message);
                }
            }
            assert.deepEqual(await simulator.requests(), []);
        });
    }
});

describe("the server of a volume", () => {
    const simulator = withSimulator({ plugins: [{ id: "disks", nodes: ["node-1"] }] });
    const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
    const data = { volumeId: "data", name: "data", externalId: "vol-1", pluginId: "disks", ...modes };
    const volume = (settings: Record<string, unknown> = {}) =>
        simulator.resource("CsiVolume", { settings: { "statecraft:nomad": settings } });

    it("has the region that the settings name, and the message of another one gives the command that lists it", async () => {
        const north = volume({ region: "north" });
        await north.up(data);
        const server = `${simulator.url}?region=north`;
        assert.equal(north.outputs()["server"], server);
        for (const region of ["south", undefined]) {
            const other = volume({ region });
            other.state = north.state;
            const { code, message } = await failureOf(other.refresh(), Shown);
            assert.equal(code, "server");
            assert(
                message.includes(`pulumi config set --path 'statecraft:nomad.otherAddresses[0]' ${server}`),
                message,
            );
        }
    });

    it("may be listed in otherAddresses as it is stored, or as an address of the same region", async () => {
        const old = volume({ region: "north" });
        await old.up(data);
        const moved = { ...old.outputs(), server: "https://old.example?region=north" };
        for (const otherAddresses of [["https://old.example?region=north"], ["https://old.example/v1/"]]) {
            const now = volume({ region: "north", otherAddresses });
            now.state = old.state && { ...old.state, outputs: moved };
            await now.refresh();
            assert.equal(now.outputs()["server"], `${simulator.url}?region=north`);
        }
    });
});
