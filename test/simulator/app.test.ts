/** What holds for all services: routing, the demonstration, the data file, beginning and end. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { type ServerOptions, startSimulator } from "../../src/simulator/server";
import { exchangesAt, section } from "./exchanges";

const headers = { "x-secrets-token": "any", authorization: "Bearer any" };
const place = { below: "/v1/auth/clouda/", headers };
const token = (name: string) => ({ token: name, kind: "user", id: `of ${name}` }) as const;

section("routing", place)`
    a request without a route is 501 in the form of its service, and says which request it is
        LIST /v1/nothing?a=b -> 501 {"errors": ["no route: LIST /v1/nothing"]}
        GET /api/v2/nothing -> 501 {"errors": [{"status": "501", "title": "not implemented", "detail": "no route: GET /api/v2/nothing"}]}
            | content-type: application/vnd.api+json
        GET /v1/volume/csi/x/nothing -> 501 no route: GET /v1/volume/csi/x/nothing | content-type: text/plain;charset=UTF-8
    a broken escape in a path is part of a name
        GET role/a%zz -> 404
`;

section("demonstration", { ...place, seed: demonstration })`
    the newest of four state versions has lost most of its resources
        GET /api/v2/state-versions/sv-3 -> 200 {"data": {"attributes": {"resources": [{}, {}, {}, {}, {}]}}}
        GET /api/v2/workspaces/ws-1/current-state-version -> 200 {"data": {"id": "sv-4", "attributes": {"resources": [{}]}}}
    a plugin, and three services on one port
        PUT /v1/volume/csi/data {"Volumes": [{"ID": "data", "PluginID": "disks"}]} -> 200
        GET /v1/volumes?type=csi -> 200 [{"ID": "data", "Schedulable": true}]
        POST role/web -> 204
`;

describe("simulator: server", () => {
    const folder = mkdtempSync(join(tmpdir(), "simulator-"));
    const file = join(folder, "world.json");
    const closings: (() => Promise<void>)[] = [];
    const start = async (options: ServerOptions = {}) => {
        const { url, close, store } = await startSimulator(options);
        closings.push(close);
        return { url, close, store, send: exchangesAt(url, place) };
    };
    const end = async () => {
        for (const close of closings.splice(0)) await close();
    };
    afterEach(async () => {
        await end();
        rmSync(file, { force: true });
    });
    after(() => rmSync(folder, { recursive: true }));

    it("refuses a port that is taken, and gives its own back when it closes", async () => {
        const first = await start();
        assert.match(first.url, /^http:\/\/127\.0\.0\.1:\d+$/);
        const port = Number(new URL(first.url).port);
        await assert.rejects(start({ port }), { code: "EADDRINUSE" });
        await fetch(`${first.url}/simulator/state`);
        await first.close();
        await first.close();
        await start({ port });
    });

    it("shares nothing with another simulator in memory", async () => {
        const [first, second] = [await start(), await start()];
        await first.send`POST role/web -> 204`;
        await second.send`GET role/web -> 404`;
    });

    it("keeps its objects in a data file that only its owner may read, and adds the seed only to a new file", async () => {
        const seed = { roles: [{ name: "seeded", fields: {} }], tokens: [token("s")] };
        const first = await start({ file, seed, tokens: [token("given")] });
        await first.send`
            POST role/web {"token_ttl": "1h"} | x-secrets-token: s -> 204
            DELETE role/seeded | x-secrets-token: given -> 204
            POST /simulator/clock {"advance": 60} -> 204`;
        assert.equal(statSync(file).mode & 0o777, 0o600);
        assert(!readFileSync(file, "utf8").includes("given"), "tokens of the command are not kept");
        await end();
        const second = await start({ file, seed });
        await second.send`
            GET role/web | x-secrets-token: s -> 200 {"data": {"token_ttl": 3600}}
            GET role/seeded | x-secrets-token: s -> 404
            GET role/web | x-secrets-token: given -> 403
            GET /simulator/state -> 200 {"clockOffset": 60}`;
        assert.deepEqual(readdirSync(folder), ["world.json"]);
    });

    for (const text of ["notes", "[]", '{"id":1}']) {
        it(`refuses a data file with ${text}, and leaves it unchanged`, async () => {
            writeFileSync(file, text);
            await assert.rejects(start({ file }), /the data file .*world\.json holds no objects of this simulator/);
            assert.equal(readFileSync(file, "utf8"), text);
        });
    }
});
