/** The control API. */
import assert from "node:assert/strict";
import { Journal } from "../../src/simulator/journal";
import { withSimulator } from "../support/simulator";
import { section } from "./exchanges";
import { call } from "./requests";

const token = (name: string) => ({ token: name, kind: "user", id: `of ${name}` }) as const;
const seed = { tokens: [token("t-1")] };
const place = { below: "/v1/auth/clouda/", headers: { "x-secrets-token": "t-1" }, seed };
const reset = (more: object) => `POST /simulator/reset ${JSON.stringify({ ...seed, ...more })}`;
const state = (more: object) => `GET /simulator/state -> 200 ${JSON.stringify(more)}`;
const fields = { interval: 60, path_prefix: "/var", storage_type: "local", local_max_space: 100_000 };

section("control API", place)`
    it needs no token, tells which store this is, and shows all of it
        GET /simulator | x-secrets-token: -> 200 {"simulator": "<id>", "version": 1}
        POST role/web -> 204
        GET /simulator/state -> 200 = {"id": "<id>", "vocabulary": "documented", "manners": {}, "clockOffset": 0, "tokens": [${token("t-1")}],
            "manager": {"licensed": true, "identityKey": "~ ^[0-9a-f]{64}$", "logins": [], "loginSurroundings": {}, "mounts": ["clouda"],
                "loginConfigs": {}, "roles": {"auth/clouda/role/web": {"token_bound_cidrs": [], "token_policies": [], "token_ttl": 0,
                "token_max_ttl": 0, "token_explicit_max_ttl": 0, "token_period": 0, "token_no_default_policy": false,
                "token_num_uses": 0, "token_type": "default"}}, "snapshotConfigs": {}, "objects": {}},
            "volumes": {"index": 0, "plugins": [], "volumes": [], "claims": []},
            "stateVersions": {"workspaces": [], "versions": [], "processing": {"mode": "after-reads", "n": 1}, "intermediates": false}}
    a reset empties the store, whose id stays, and adds a seed
        GET /simulator -> 200 {"simulator": "<id>"}
        POST role/web -> 204
        POST /simulator/clock {"advance": 5} -> 204
        POST /simulator/seed ${{ tokens: [token("t-2")] }} -> 204
        ${reset({ roles: [{ name: "Api", fields: { token_ttl: "1h", bound_locations: "a,b" } }] })} -> 204
        GET role/web -> 404
        GET role/api -> 200 {"data": {"token_ttl": 3600, "bound_locations": ["a", "b"]}}
        ${state({ id: "<id>", clockOffset: 0, tokens: [token("t-1")] })}
    a seed adds to what there is
        POST role/first -> 204
        POST /simulator/seed ${{
            roles: [
                { name: "second", fields: {} },
                { name: "third", namespace: "team/", fields: {} },
            ],
            tokens: [{ ...token("t-1"), id: "another" }],
        }} -> 204
        LIST role -> 200 {"data": {"keys": ["first", "second"]}}
        LIST role | x-secrets-namespace: team -> 200 {"data": {"keys": ["third"]}}
        ${state({ tokens: [{ token: "t-1", id: "another" }] })}
    all of a seed is added, or nothing
        POST /simulator/seed ${{
            tokens: [token("t-9")],
            roles: [
                { name: "good", fields: {} },
                { name: "bad", fields: { token_ttl: "soon" } },
            ],
        }} -> 400 ~ error converting input for field \\"token_ttl\\"
        GET role/good -> 404
        ${state({ tokens: [token("t-1")] })}
    a reset whose seed is refused changes nothing
        POST role/web -> 204
        ${reset({ roles: [{ name: "x", mount: "nowhere", fields: {} }] })} -> 400 {"errors": ["~ ^no handler for route"]}
        GET role/web -> 200
    what cannot be read is refused
        POST /simulator/reset { -> 400 {"errors": ["the body is not JSON"]}
        POST /simulator/seed [] -> 400 {"errors": ["a seed is an object"]}
        POST /simulator/clock {} -> 400
        POST /simulator/clock {"advance": "1"} -> 400 {"errors": ["~ ^advance: "]}
        POST /simulator/clock {"advance": 1e300} -> 400 {"errors": ["the clock goes from the year 1970 to 9999"]}
        POST /simulator/clock {"advance": -1e11} -> 400
        ${[
            '{"staus": 500}',
            '{"status": "500"}',
            '{"path": "("}',
            '{"headers": {"a b": "c"}}',
            '{"headers": {"a": "b\\nc"}}',
            "text",
        ].map((body) => `POST /simulator/faults ${body} -> 400`)}
        ${state({ clockOffset: 0 })}
    requests are told in their order, with tokens hidden, until they are forgotten
        DELETE /simulator/requests -> 204
        POST role/web?a=b&c=d {"token_ttl": 60} | Authorization: Bearer t-1 | X-Other: shown -> 204
        LIST role -> 200
        PUT /v1/object/x plain -> 404
        GET /simulator/requests -> 200 [
            {"method": "POST", "path": "/v1/auth/clouda/role/web", "query=": {"a": "b", "c": "d"}, "body=": {"token_ttl": 60}, "status": 204,
                "headers": {"x-secrets-token": "***", "authorization": "***", "x-other": "shown"}},
            {"method": "LIST", "path": "/v1/auth/clouda/role", "body": null, "status": 200}, {"method": "PUT", "body": "plain"}]
        DELETE /simulator/requests -> 204
        GET /simulator/requests -> 200 []
`;

describe("simulator: journal", () => {
    const simulator = withSimulator();

    it("tells a body that is no text by its length", async () => {
        const body = new Uint8Array([0xff, 0xfe, 0x00]);
        await fetch(`${simulator.url}/v1/object/x`, { method: "PUT", body });
        assert.deepEqual(
            (await simulator.requests()).map((request) => request.body),
            [3],
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

    it("moves the clock by as much as it is told", async () => {
        const taken = async () => {
            const { json } = await call("POST", `${simulator.url}/simulator/snapshots/hourly`);
            return Date.parse(String(new Map(Object.entries(json ?? {})).get("last_snapshot_end")));
        };
        await simulator.control("POST", "/simulator/seed", { snapshotConfigs: [{ name: "hourly", fields }] });
        const before = await taken();
        for (const advance of [86_400, 86_400]) await simulator.control("POST", "/simulator/clock", { advance });
        assert.equal(Math.round(((await taken()) - before) / 86_400_000), 2);
    });
});
