/** The simulator's server: addresses, routing, and the data file. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { type RunningSimulator, type SimulatorOptions, startSimulator } from "../../src/simulator/server";
import { canaryHeader, holdsNone } from "../support/canaries";
import { at, call } from "./requests";

const roleUrl = (simulator: RunningSimulator, name: string) => `${simulator.url}/v1/auth/clouda/role/${name}`;
const token = { "x-secrets-token": "any" };

describe("simulator: server", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    after(() => simulator.close());

    it("listens on the loopback interface only and names its address without a slash at the end", async () => {
        assert.match(simulator.url, /^http:\/\/127\.0\.0\.1:\d+$/);
        assert.equal((await fetch(`${simulator.url}/simulator`)).status, 200);
    });

    it("calls the hooks before and after the effect of every request to a service, and cuts those that a hook refuses", async () => {
        const passed: string[] = [];
        const own = await startSimulator({
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
        try {
            assert.equal((await call("GET", roleUrl(own, "web"), { headers: token })).status, 404);
            assert.equal((await call("GET", `${own.url}/simulator`)).status, 200, "the control API has no hooks");
            assert.equal((await call("POST", roleUrl(own, "web"), { headers: token })).status, 204);
            await assert.rejects(call("DELETE", roleUrl(own, "web"), { headers: token }));
            assert.equal((await call("GET", roleUrl(own, "web"), { headers: token })).status, 200);
            assert.deepEqual(passed.slice(0, 5), [
                "before GET",
                "after GET",
                "before POST",
                "after POST",
                "before DELETE",
            ]);
        } finally {
            await own.close();
        }
    });

    it("answers 501 where it has no route, and says which", async () => {
        for (const [method, path] of [
            ["GET", "/"],
            ["POST", "/v1/clouda/rotate-root"],
            ["LIST", "/v1/nothing"],
            ["POST", "/simulator/nothing"],
        ] as const) {
            const answer = await call(method, `${simulator.url}${path}?a=b`, { headers: token });
            assert.equal(answer.status, 501);
            assert.equal(answer.headers["content-type"], "application/json");
            assert.deepEqual(answer.json, { errors: [`no route: ${method} ${path}`] });
        }
    });

    it("says so in the way of the service that was asked", async () => {
        const asked = (path: string) => call("GET", simulator.url + path, { headers: { authorization: "Bearer any" } });
        const versions = await asked("/api/v2/nothing");
        assert.equal(versions.headers["content-type"], "application/vnd.api+json");
        const detail = "no route: GET /api/v2/nothing";
        assert.deepEqual(versions.json, { errors: [{ status: "501", title: "not implemented", detail }] });
        const volumes = await asked("/v1/volume/csi/x/nothing");
        assert.match(volumes.headers["content-type"] ?? "", /^text\/plain/);
        assert.deepEqual([volumes.status, volumes.text], [501, "no route: GET /v1/volume/csi/x/nothing"]);
    });

    it("leads from an unclean path to the clean one", async () => {
        const answer = await call("GET", `${simulator.url}/v1//auth/./clouda/x/../role/?list=true`);
        assert.equal(answer.status, 307);
        assert.equal(answer.headers["location"], "/v1/auth/clouda/role/?list=true");
    });

    it("takes a broken escape in a path for a name like any other", async () => {
        const answer = await call("GET", roleUrl(simulator, "a%zz"), { headers: token });
        assert.equal(answer.status, 404);
    });

    it("serves three services on one port", async () => {
        const own = await startSimulator({ seed: demonstration });
        try {
            const bearer = { authorization: "Bearer any" };
            const current = await call("GET", `${own.url}/api/v2/workspaces/ws-1/current-state-version`, {
                headers: bearer,
            });
            assert.equal(at(current.json, "data", "id"), "sv-4");
            assert.equal(at(current.json, "data", "attributes", "serial"), 4);
            const volumes = await call("GET", `${own.url}/v1/volumes?type=csi`, { headers: bearer });
            assert.deepEqual([volumes.status, volumes.json], [200, []]);
            assert.equal((await call("POST", roleUrl(own, "web"), { headers: token })).status, 204);
        } finally {
            await own.close();
        }
    });

    it("seeds a demonstration of four state versions that shrinks at the end", async () => {
        const own = await startSimulator({ seed: demonstration });
        try {
            const headers = { authorization: "Bearer any" };
            const seen: unknown[] = [];
            for (const id of ["sv-1", "sv-2", "sv-3", "sv-4"]) {
                const { json } = await call("GET", `${own.url}/api/v2/state-versions/${id}`, { headers });
                const address = at(json, "data", "attributes", "hosted-state-download-url");
                const raw = await call("GET", String(address), { headers });
                const resources = at(raw.json, "resources");
                assert.ok(Array.isArray(resources));
                seen.push([at(json, "data", "attributes", "status"), at(raw.json, "serial"), resources.length]);
            }
            assert.deepEqual(seen, [
                ["finalized", 1, 2],
                ["finalized", 2, 3],
                ["finalized", 3, 5],
                ["finalized", 4, 1],
            ]);
        } finally {
            await own.close();
        }
    });

    it("refuses a port that is taken", async () => {
        const port = Number(new URL(simulator.url).port);
        await assert.rejects(startSimulator({ port }), { code: "EADDRINUSE" });
    });

    it("leaves its port when it cannot begin", async () => {
        const own = await startSimulator();
        await own.close();
        const port = Number(new URL(own.url).port);
        const seed = { roles: [{ mount: "nowhere", name: "x", fields: {} }] };
        await assert.rejects(startSimulator({ port, seed }), /no handler for route "auth\/nowhere\/role\/x"/);
        await (await startSimulator({ port })).close();
    });

    it("closes with idle connections open, and twice", async () => {
        const own = await startSimulator();
        await fetch(`${own.url}/simulator`);
        await own.close();
        await own.close();
        await assert.rejects(fetch(`${own.url}/simulator`));
    });
});

describe("simulator: data file", () => {
    let folder: string;
    let file: string;
    const running = new Set<RunningSimulator>();
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "simulator-"));
        file = join(folder, "below", "world.json");
    });
    afterEach(async () => {
        for (const simulator of running) await simulator.close();
        running.clear();
        rmSync(folder, { recursive: true });
    });
    const start = async (options: SimulatorOptions = {}) => {
        const simulator = await startSimulator({ file, ...options });
        running.add(simulator);
        return simulator;
    };

    it("keeps a store from one process to the next, its id included", async () => {
        const first = await start();
        await call("POST", roleUrl(first, "web"), { headers: token, body: { token_ttl: "1h" } });
        await first.close();
        const second = await start();
        assert.equal(second.id, first.id);
        const read = await call("GET", roleUrl(second, "web"), { headers: token });
        assert.equal(at(read.json, "data", "token_ttl"), 3600);
    });

    it("is written before the answer is sent, says in its first line that it may hold secrets, and only its owner may read it", async () => {
        const simulator = await start();
        await call("POST", roleUrl(simulator, "web"), { headers: token });
        const written = readFileSync(file, "utf8");
        await call("POST", roleUrl(simulator, "api"), { headers: token });
        assert.equal(at(JSON.parse(written), "store", "id"), simulator.id);
        assert.match(written, /^.*may hold secrets.*\n/);
        assert.notEqual(readFileSync(file, "utf8"), written);
        assert.deepEqual(readdirSync(join(folder, "below")), ["world.json"]);
        assert.equal(statSync(file).mode & 0o777, 0o600);
    });

    it("does not hold the tokens of the command", async () => {
        const given = canaryHeader("token");
        await start({ tokens: [{ token: given, kind: "user", id: "user-1" }] });
        holdsNone({ given }, readFileSync(file, "utf8"), file);
    });

    it("is written by one process: the former one says so and undoes nothing", async () => {
        const former = await start();
        const latter = await start();
        await call("POST", roleUrl(latter, "web"), { headers: token });
        const refused = await call("POST", roleUrl(former, "api"), { headers: token });
        const reason = `another process has written the data file ${file}: end that one or this one`;
        assert.deepEqual(
            [refused.status, refused.json],
            [500, { errors: [`the simulator cannot save its objects: ${reason}`] }],
        );
        const reset = await call("POST", `${former.url}/simulator/reset`);
        assert.deepEqual([reset.status, reset.json], [refused.status, refused.json]);
        await latter.close();
        const next = await start();
        assert.equal((await call("GET", roleUrl(next, "web"), { headers: token })).status, 200);
        assert.equal((await call("GET", roleUrl(next, "api"), { headers: token })).status, 404);
    });

    it("is said to be at fault when it cannot be written", async () => {
        const simulator = await start();
        rmSync(file);
        mkdirSync(join(file, "in the way"), { recursive: true });
        const refused = await call("POST", roleUrl(simulator, "web"), { headers: token });
        assert.equal(refused.status, 500);
        assert.match(refused.text, /^\{"errors":\["the simulator cannot save its objects: /);
    });

    it("is not written by reads", async () => {
        const simulator = await start();
        rmSync(file);
        await call("GET", roleUrl(simulator, "web"), { headers: token });
        await call("LIST", `${simulator.url}/v1/auth/clouda/role`, { headers: token });
        assert.deepEqual(readdirSync(join(folder, "below")), []);
    });

    it("gets the seed only when it is new", async () => {
        const roles = [{ name: "seeded", fields: {} }];
        const first = await start({ seed: { roles } });
        await call("DELETE", roleUrl(first, "seeded"), { headers: token });
        await first.close();
        const second = await start({ seed: { roles } });
        assert.equal((await call("GET", roleUrl(second, "seeded"), { headers: token })).status, 404);
    });

    it("keeps the clock, and the tokens of seeds, but not those of the command", async () => {
        const seeded = { token: "s", kind: "user", id: "user-9" } as const;
        const first = await start({ tokens: [{ token: "t", kind: "user", id: "user-1" }], seed: { tokens: [seeded] } });
        await call("POST", `${first.url}/simulator/clock`, { body: { advance: 60 } });
        await first.close();
        const second = await start({ tokens: [{ token: "u", kind: "user", id: "user-2" }] });
        const { json } = await call("GET", `${second.url}/simulator/state`);
        assert.equal(at(json, "clockOffset"), 60);
        assert.deepEqual(at(json, "tokens"), [seeded, { token: "u", kind: "user", id: "user-2" }]);
        const write = async (given: string) =>
            (await call("POST", roleUrl(second, "web"), { headers: { "x-secrets-token": given } })).status;
        assert.deepEqual([await write("t"), await write("u"), await write("s")], [403, 204, 204]);
    });

    it("is refused, and left as it is, when it holds something else", async () => {
        file = join(folder, "notes.json");
        for (const text of [
            "notes",
            "[]",
            "null",
            '{"id":1}',
            '{"store":{"id":1}}',
            '{"simulator":"1a","sealed":"AAAA"}',
        ]) {
            writeFileSync(file, text);
            await assert.rejects(start(), /the data file .*notes\.json holds no objects of this simulator/);
            assert.equal(readFileSync(file, "utf8"), text);
        }
    });

    it("is not needed: two stores in memory have nothing in common", async () => {
        const [first, second] = [await startSimulator(), await startSimulator()];
        running.add(first).add(second);
        assert.notEqual(first.id, second.id);
        await call("POST", roleUrl(first, "web"), { headers: token });
        assert.equal((await call("GET", roleUrl(second, "web"), { headers: token })).status, 404);
    });
});
