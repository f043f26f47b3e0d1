/** `read`, `update` and `delete` of every resource refuse state of another server. */

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

        it(`is refused by ${type}, and the message names both servers`, async () => {
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

    it("contains the region of the settings, and the error for another server contains the command that adds that server to `otherAddresses`", async () => {
        const north = await volume({ region: "north" }).deployed(data);
        const server = `${simulator.url}?region=north`;
        assert.equal(north.outputs()["server"], server);
        for (const region of ["south", undefined]) {
            const other = volume({ region });
            other.state = north.state;
            const { code, message } = await failureOf(other.refresh(), Shown);
            assert.equal(code, "server");
            assert(
                message.includes(`pulumi config set --path 'statecraft:nomad.otherAddresses[0]' '${server}'`),
                message,
            );
        }
    });

    it("is accepted if `otherAddresses` contains the server, with or without the region", async () => {
        const old = await volume({ region: "north" }).deployed(data);
        const moved = { ...old.outputs(), server: "https://old.example?region=north" };
        for (const otherAddresses of [["https://old.example?region=north"], ["https://old.example/v1/"]]) {
            const now = volume({ region: "north", otherAddresses });
            now.state = old.state && { ...old.state, outputs: moved };
            await now.refresh();
            assert.equal(now.outputs()["server"], `${simulator.url}?region=north`);
        }
    });
});
