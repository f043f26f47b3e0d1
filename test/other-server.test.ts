/** State of another server, or of the simulator, is never applied unnoticed: every resource, every verb that has a state. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { failureOf } from "./support/failures";
import { Shown } from "./support/managed-resource";
import { programOf, resourceFacts } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

const services = ["manager", "volumes", "stateVersions"] as const;

describe("state of another server", () => {
    const simulator = withSimulator();
    let real: Server;
    let realUrl: string;
    const asked: string[] = [];
    before(async () => {
        // A server that is no simulator, and says so when it is asked.
        real = createServer((request, answer) => {
            asked.push(`${request.method} ${request.url}`);
            answer.writeHead(404).end();
        }).listen(0, "127.0.0.1");
        await once(real, "listening");
        const address = real.address();
        realUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    });
    beforeEach(async () => {
        asked.length = 0;
        await simulator.forget();
    });
    after(async () => {
        real.close();
        real.closeAllConnections();
    });

    for (const facts of resourceFacts) {
        const { type, id } = facts;
        const inputs = programOf(facts);
        const leadingTo = (url: string) =>
            simulator.resource(type, {
                settings: Object.fromEntries(
                    services.map((name) => [
                        `statecraft:${name}`,
                        { address: name === "stateVersions" ? `${url}/api/v2` : url },
                    ]),
                ),
            });
        const places: [from: string, server: string, to: () => string][] = [
            ["another simulator", "simulator:0123456789abcdef", () => simulator.url],
            ["a real server, now the simulator", "https://prod.example", () => simulator.url],
            ["the simulator, now a real server", "simulator:0123456789abcdef", () => realUrl],
            ["another path of one server", "http://127.0.0.1:1/other", () => realUrl],
        ];
        for (const [from, server, to] of places) {
            it(`of ${from} is neither read, updated nor deleted by ${type}`, async () => {
                const resource = leadingTo(to());
                const { provider } = resource;
                assert(provider.read && provider.update && provider.delete);
                const state = { ...inputs, server, __provider: "text" };
                const news = { ...inputs, triggers: [2], __provider: "text" };
                for (const verb of [
                    () => provider.read?.(id, state),
                    () => provider.update?.(id, state, news),
                    () => provider.delete?.(id, state),
                ]) {
                    const { code, message } = await failureOf(resource.shown(Promise.resolve<unknown>(verb())), Shown);
                    assert.equal(code, "server");
                    assert(message.startsWith(`${type} ${id}: `) && message.includes(server), message);
                }
                assert.deepEqual(await simulator.requests(), []);
                assert.deepEqual(
                    asked.filter((request) => request !== "GET /simulator"),
                    [],
                );
            });
        }
    }
});
