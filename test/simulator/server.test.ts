/** The server: addresses, routing, hooks, beginning and end. */
import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { type SimulatorOptions, startSimulator } from "../../src/simulator/server";
import { exchangesAt, section } from "./exchanges";
import { call } from "./requests";

const headers = { "x-secrets-token": "any", authorization: "Bearer any" };
const place = { below: "/v1/auth/clouda/", headers };
const noRoute = (line: string) =>
    `${line}?a=b -> 501 ${JSON.stringify({ errors: [`no route: ${line}`] })} | content-type: application/json`;

section("routing", place)`
    what has no route is 501, and says which
        ${["GET /", "POST /v1/clouda/rotate-root", "LIST /v1/nothing", "POST /simulator/nothing"].map(noRoute)}
    it says so in the way of the service that was asked
        GET /api/v2/nothing -> 501 {"errors": [{"status": "501", "title": "not implemented", "detail": "no route: GET /api/v2/nothing"}]}
            | content-type: application/vnd.api+json
        GET /v1/volume/csi/x/nothing -> 501 no route: GET /v1/volume/csi/x/nothing | content-type: text/plain; charset=utf-8
    an unclean path leads to the clean one
        GET /v1//auth/./clouda/x/../role/?list=true -> 307 | location: /v1/auth/clouda/role/?list=true
        GET /v1/auth/clouda/role/. -> 307 | location: /v1/auth/clouda/role/
    a broken escape in a path is part of a name
        GET role/a%zz -> 404
`;

section("demonstration", { ...place, seed: demonstration })`
    four state versions, and the last one has lost most of its resources
        ${[2, 3, 5, 1].flatMap((resources, index) => [
            `GET /api/v2/state-versions/sv-${index + 1} -> 200 {"data": {"attributes": {"status": "finalized"}}}`,
            `GET /api/v2/state-versions/sv-${index + 1}/download
                -> 200 ${JSON.stringify({ serial: index + 1, resources: Array(resources).fill({ type: "example_server" }) })}`.replace(
                /\s+/g,
                " ",
            ),
        ])}
        GET /api/v2/workspaces/ws-1/current-state-version -> 200 {"data": {"id": "sv-4", "attributes": {"serial": 4}}}
    a plugin, and three services on one port
        PUT /v1/volume/csi/data {"Volumes": [{"ID": "data", "PluginID": "disks"}]} -> 200
        GET /v1/volumes?type=csi -> 200 [{"ID": "data", "Schedulable": true}]
        POST role/web -> 204
`;

describe("simulator: server", () => {
    const closings: (() => Promise<void>)[] = [];
    const start = async (options: SimulatorOptions = {}) => {
        const simulator = await startSimulator(options);
        closings.push(simulator.close);
        return simulator;
    };
    afterEach(async () => {
        for (const close of closings.splice(0)) await close();
    });

    it("listens on the loopback interface only, at an address without a slash at its end", async () => {
        assert.match((await start()).url, /^http:\/\/127\.0\.0\.1:\d+$/);
    });

    it("calls the hooks around the effect of every request to a service, and cuts those that a hook refuses", async () => {
        const passed: string[] = [];
        const { url } = await start({
            hooks: {
                before: async ({ method }) => {
                    passed.push(`before ${method}`);
                    if (method === "DELETE") throw new Error("cut");
                },
                after: ({ method }) => {
                    passed.push(`after ${method}`);
                },
            },
        });
        await exchangesAt(url, place)`
            GET role/web -> 404
            GET /simulator -> 200
            POST role/web -> 204`;
        await assert.rejects(call("DELETE", `${url}/v1/auth/clouda/role/web`, { headers }));
        await exchangesAt(url, place)`GET role/web -> 200`;
        const expected = ["before GET", "after GET", "before POST", "after POST", "before DELETE"];
        assert.deepEqual(passed, [...expected, "before GET", "after GET"]);
    });

    it("refuses a port that is taken", async () => {
        const port = Number(new URL((await start()).url).port);
        await assert.rejects(startSimulator({ port }), { code: "EADDRINUSE" });
    });

    it("leaves its port when it cannot begin, and when it is closed", async () => {
        const own = await start();
        await own.close();
        const port = Number(new URL(own.url).port);
        const seed = { roles: [{ mount: "nowhere", name: "x", fields: {} }] };
        await assert.rejects(startSimulator({ port, seed }), /no handler for route "auth\/nowhere\/role\/x"/);
        await start({ port });
    });

    it("closes with idle connections open, and twice", async () => {
        const own = await start();
        await fetch(`${own.url}/simulator`);
        await own.close();
        await own.close();
        await assert.rejects(fetch(`${own.url}/simulator`));
    });

    it("has nothing in common with another one in memory", async () => {
        const [first, second] = [await start(), await start()];
        assert.notEqual(first.store.id, second.store.id);
        await exchangesAt(first.url, place)`POST role/web -> 204`;
        await exchangesAt(second.url, place)`GET role/web -> 404`;
    });
});
