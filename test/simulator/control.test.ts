/** The control API. */
import assert from "node:assert/strict";
import { Journal } from "../../src/simulator/journal";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import { at, call, type Parts } from "./requests";

describe("simulator: control API", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator({ tokens: [{ token: "t-1", kind: "user", id: "user-1" }] });
    });
    beforeEach(async () => {
        await call("POST", `${simulator.url}/simulator/reset`);
        await call("DELETE", `${simulator.url}/simulator/requests`);
    });
    after(() => simulator.close());

    const control = (method: string, path: string, body?: unknown) =>
        call(method, `${simulator.url}/simulator${path}`, body === undefined ? {} : { body });
    const role = (method: string, name: string, parts: Parts = {}) =>
        call(method, `${simulator.url}/v1/auth/clouda/role/${name}`, {
            headers: { "x-secrets-token": "t-1" },
            ...parts,
        });

    it("says which store this is", async () => {
        assert.deepEqual((await control("GET", "")).json, { simulator: simulator.id, version: 1 });
    });

    it("needs no token", async () => {
        assert.equal((await control("GET", "/state")).status, 200);
        assert.equal((await role("GET", "web", { headers: {} })).status, 403);
    });

    it("empties the store and keeps its id and the tokens it was started with", async () => {
        await role("POST", "web");
        await control("POST", "/clock", { advance: 5 });
        await control("POST", "/seed", { tokens: [{ token: "t-2", kind: "user", id: "user-2" }] });
        assert.equal((await control("POST", "/reset")).status, 204);
        assert.equal((await role("GET", "web")).status, 404);
        const state = (await control("GET", "/state")).json;
        assert.equal(at(state, "id"), simulator.id);
        assert.equal(at(state, "clockOffset"), 0);
        assert.deepEqual(at(state, "tokens"), [{ token: "t-1", kind: "user", id: "user-1" }]);
    });

    it("adds a seed to the emptied store", async () => {
        await control("POST", "/reset", {
            tokens: [{ token: "t-1", kind: "user", id: "user-1", access: "read" }],
            roles: [{ name: "Web", fields: { token_ttl: "1h", bound_locations: "a,b" } }],
        });
        const read = await role("GET", "web");
        assert.equal(at(read.json, "data", "token_ttl"), 3600);
        assert.deepEqual(at(read.json, "data", "bound_locations"), ["a", "b"]);
        assert.equal((await role("POST", "web")).status, 403);
    });

    it("adds a seed to what there is", async () => {
        await role("POST", "first");
        await control("POST", "/seed", {
            roles: [
                { name: "second", fields: {} },
                { name: "third", namespace: "team", fields: {} },
            ],
        });
        const list = (headers: Record<string, string> = {}) =>
            call("LIST", `${simulator.url}/v1/auth/clouda/role`, { headers: { "x-secrets-token": "t-1", ...headers } });
        assert.deepEqual(at((await list()).json, "data", "keys"), ["first", "second"]);
        assert.deepEqual(at((await list({ "x-secrets-namespace": "team" })).json, "data", "keys"), ["third"]);
    });

    it("adds all of a seed or nothing", async () => {
        const answer = await control("POST", "/seed", {
            tokens: [{ token: "t-9", kind: "user", id: "user-9" }],
            roles: [
                { name: "good", fields: {} },
                { name: "bad", fields: { token_ttl: "soon" } },
            ],
        });
        assert.equal(answer.status, 400);
        assert.match(answer.text, /error converting input for field \\"token_ttl\\"/);
        assert.equal((await role("GET", "good")).status, 404);
        assert.deepEqual(at((await control("GET", "/state")).json, "tokens"), [
            { token: "t-1", kind: "user", id: "user-1" },
        ]);
    });

    it("changes nothing when it refuses the seed of a reset", async () => {
        await role("POST", "web");
        const answer = await control("POST", "/reset", { roles: [{ name: "x", mount: "nowhere", fields: {} }] });
        assert.deepEqual(
            [answer.status, answer.json],
            [400, { errors: ['no handler for route "auth/nowhere/role/x". route entry not found.'] }],
        );
        assert.equal((await role("GET", "web")).status, 200);
    });

    it("refuses what it cannot read", async () => {
        for (const [path, body] of [
            ["/reset", "{"],
            ["/seed", []],
            ["/clock", {}],
            ["/clock", { advance: "1" }],
            ["/clock", { advance: 1e300 }],
            ["/clock", { advance: -1e11 }],
            ["/faults", { staus: 500 }],
            ["/faults", { status: "500" }],
            ["/faults", { path: "(" }],
            ["/faults", { headers: { "a b": "c" } }],
            ["/faults", { headers: { a: "b\nc" } }],
            ["/faults", "text"],
        ] as const) {
            const answer = await control("POST", path, body);
            assert.equal(answer.status, 400, path);
            assert.ok(Array.isArray(at(answer.json, "errors")));
        }
        assert.equal(at((await control("GET", "/state")).json, "clockOffset"), 0);
    });

    it("moves the clock", async () => {
        const fields = { interval: 60, path_prefix: "/var/snapshots", storage_type: "local", local_max_space: 100_000 };
        await control("POST", "/seed", { snapshotConfigs: [{ name: "hourly", fields }] });
        const takenAt = async () =>
            Date.parse(String(at((await control("POST", "/snapshots/hourly")).json, "last_snapshot_end")));
        const before = await takenAt();
        await control("POST", "/clock", { advance: 86_400 });
        await control("POST", "/clock", { advance: 86_400 });
        const days = (await takenAt()) - before;
        assert.equal(Math.round(days / 86_400_000), 2);
    });

    it("tells the requests in their order, with tokens hidden", async () => {
        await role("POST", "web?a=b&c=d", {
            headers: { "X-Secrets-Token": "t-1", Authorization: "Bearer t-1", "X-Other": "shown" },
            body: { token_ttl: 60 },
        });
        await call("LIST", `${simulator.url}/v1/auth/clouda/role`, { headers: { "x-secrets-token": "t-1" } });
        await control("GET", "/state");
        const seen = await control("GET", "/requests");
        assert.doesNotMatch(seen.text, /t-1/);
        assert.ok(Array.isArray(seen.json));
        const [first, second, ...more] = seen.json;
        assert.deepEqual(more, []);
        assert.deepEqual(
            ["method", "path", "query", "body", "status"].map((field) => at(first, field)),
            ["POST", "/v1/auth/clouda/role/web", { a: "b", c: "d" }, { token_ttl: 60 }, 204],
        );
        assert.equal(at(first, "headers", "x-secrets-token"), "***");
        assert.equal(at(first, "headers", "authorization"), "***");
        assert.equal(at(first, "headers", "x-other"), "shown");
        assert.deepEqual(
            ["method", "path", "body", "status"].map((field) => at(second, field)),
            ["LIST", "/v1/auth/clouda/role", null, 200],
        );
    });

    it("tells bodies as JSON, as text, or as their length", async () => {
        const bodies: (string | Uint8Array<ArrayBuffer>)[] = ['{"a":[1]}', "plain", new Uint8Array([0xff, 0xfe, 0x00])];
        for (const body of bodies) await fetch(`${simulator.url}/v1/object/x`, { method: "PUT", body });
        const seen = (await control("GET", "/requests")).json;
        assert.ok(Array.isArray(seen));
        assert.deepEqual(
            seen.map((entry: unknown) => at(entry, "body")),
            [{ a: [1] }, "plain", 3],
        );
    });

    it("forgets the oldest requests when their bodies grow too large together, never the newest", () => {
        const journal = new Journal(10);
        const paths = () => journal.list().map(({ path }) => path);
        const add = (path: string, length: number) => {
            const request = { method: "PUT", path, query: new URLSearchParams(), headers: {} };
            journal.add({ ...request, body: Buffer.alloc(length) });
        };
        for (const name of ["a", "b", "c"]) add(name, 4);
        assert.deepEqual(paths(), ["b", "c"]);
        add("d", 100);
        assert.deepEqual(paths(), ["d"]);
        for (const name of ["e", "f"]) add(name, 5);
        assert.deepEqual(paths(), ["e", "f"]);
    });

    it("forgets the requests", async () => {
        await role("GET", "web");
        assert.equal((await control("DELETE", "/requests")).status, 204);
        assert.deepEqual((await control("GET", "/requests")).json, []);
    });

    it("shows the whole store", async () => {
        await role("POST", "web");
        const { json } = await control("GET", "/state");
        assert.deepEqual(Object.keys(json ?? {}).sort(), [
            "clockOffset",
            "id",
            "manager",
            "manners",
            "stateVersions",
            "tokens",
            "vocabulary",
            "volumes",
        ]);
        assert.ok(at(json, "manager", "roles", "auth/clouda/role/web"));
    });
});
