/** The control API. */
import { section } from "./exchanges";

const token = (name: string) => ({ token: name, kind: "user", id: `of ${name}` }) as const;
const seed = { tokens: [token("t-1")] };
const place = { below: "/v1/auth/clouda/", headers: { "x-secrets-token": "t-1" }, seed };
const reset = (more: object) => `POST /simulator/reset ${JSON.stringify({ ...seed, ...more })}`;
const fields = { interval: 60, path_prefix: "/var", storage_type: "local", local_max_space: 100_000 };

section("control API", place)`
    it needs no token, and shows the whole store
        POST role/web -> 204
        GET /simulator/state | x-secrets-token: -> 200 {"clockOffset": 0, "tokens": [${token("t-1")}],
            "manager": {"roles": {"auth/clouda/role/web": {"token_ttl": 0}}}, "volumes": {"index": 0}}
    a reset empties the store, and adds a seed
        POST role/web -> 204
        POST /simulator/clock {"advance": 5} -> 204
        POST /simulator/seed ${{ tokens: [token("t-2")] }} -> 204
        ${reset({ roles: [{ name: "Api", fields: { token_ttl: "1h", bound_locations: "a,b" } }] })} -> 204
        GET role/web -> 404
        GET role/api -> 200 {"data": {"token_ttl": 3600, "bound_locations": ["a", "b"]}}
        GET /simulator/state -> 200 {"clockOffset": 0, "tokens": [${token("t-1")}]}
    a seed adds to the objects that exist
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
        GET /simulator/state -> 200 {"tokens": [{"token": "t-1", "id": "another"}]}
    a reset whose seed is refused changes nothing
        POST role/web -> 204
        ${reset({ roles: [{ name: "x", mount: "nowhere", fields: {} }] })} -> 404 {"errors": ["~ ^no handler for route"]}
        GET role/web -> 200
    the clock moves by as much as it is told, and snapshots that are due are taken
        POST /simulator/seed ${{ snapshotConfigs: [{ name: "hourly", fields }] }} -> 204
        GET /v1/sys/storage/raft/snapshot-auto/status/hourly -> 200 {"data": {"last_snapshot_end": ""}}
        POST /simulator/clock {"advance": 61} -> 204
        GET /v1/sys/storage/raft/snapshot-auto/status/hourly -> 200 {"data": {"last_snapshot_end": "~ ^20"}}
    a body of another form is refused
        POST /simulator/reset { -> 400 {"errors": ["the body is not JSON"]}
        POST /simulator/seed [] -> 400 {"errors": ["a seed is an object"]}
        POST /simulator/clock {"advance": "1"} -> 400 {"errors": ["~ ^advance: "]}
`;
