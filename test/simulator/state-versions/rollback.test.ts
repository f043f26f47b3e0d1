/** Rolling back to a previous state version. */
import assert from "node:assert/strict";
import { withSimulator } from "../../support/simulator";
import { section } from "../exchanges";
import { call, textAt } from "../requests";
import { announce, create, isCurrent, locked, placeOf, raw, reads, rollBack, stateOf } from "./place";

const commit = { sha: "abc", url: "https://code.example/abc" };
const seed = {
    workspaces: [
        {
            ...{ id: "ws-1", name: "web", organization: "acme", locked },
            stateVersions: [
                { id: "sv-5", state: stateOf(5, { outputs: { a: { value: 1 } } }), run: "run-1", vcsCommit: commit },
                { id: "sv-6", state: stateOf(6) },
            ],
        },
        { id: "ws-2", name: "free", organization: "acme", stateVersions: [{ id: "sv-free", state: stateOf(1) }] },
    ],
};
const place = placeOf(seed);
const patch = "PATCH workspaces/ws-1/state-versions";
const type = "state-versions";
const source = (data: unknown) =>
    JSON.stringify({ data: { type, relationships: { "rollback-state-version": { data } } } });
const detail = (text: string) => JSON.stringify({ errors: [{ detail: text }] });

section("State Versions, Roll back to a previous state version", place)`
    duplicates the given state version into a new one and sets it as current
        ${rollBack("sv-5")} -> 201 {"data": {"id": "<new>", "attributes": {"serial": 5, "hosted-state-upload-url": null}}}
        ${isCurrent("<new>")}
        GET state-versions/sv-5/download -> 200 = ${stateOf(5, { outputs: { a: { value: 1 } } })}
        GET state-versions/<new>/download -> 200 = ${stateOf(5, { outputs: { a: { value: 1 } } })}
        ${reads("<new>", { status: "finalized" })}
    the answer carries no status, commit attributes or run, and names the source
        ${rollBack("sv-5")} -> 201 {"data": {
            "attributes": {"status": "<none>", "vcs-commit-sha": "<none>", "vcs-commit-url": "<none>", "resources-processed": false},
            "relationships": {"run": "<none>", "rollback-state-version": {"data": {"id": "sv-5", "type": "state-versions"}}}}}
    the current version will do, and a version that is a rollback
        ${rollBack("sv-6")} -> 201 {"data": {"id": "<first>"}}
        ${rollBack("<first>")} -> 201 {"data": {"id": "<second>", "relationships": {"rollback-state-version": {"data": {"id": "<first>"}}}}}
    serials may repeat afterwards
        ${rollBack("sv-5")} -> 201
        ${create(6, raw(6, { outputs: { b: { value: 2 } } }))} -> 201
    the copy is processed like any other version
        ${rollBack("sv-5")} -> 201 {"data": {"id": "<new>"}}
        GET state-versions/<new> -> 200 {"data": {"relationships": {"outputs": {"data": []}}}}
        GET state-versions/<new> -> 200 {"data": {"relationships": {"outputs": {"data": [{}]}}}}
    404: another workspace's version, a missing one, a missing workspace, a user not authorized
        ${rollBack("sv-free")} -> 404
        ${rollBack("sv-9")} -> 404
        ${rollBack("sv-5", "ws-9")} -> 404
        ${["t-read", "t-none", "t-organization"].map((token) => `${rollBack("sv-5")} | authorization: Bearer ${token} -> 404`)}
        ${isCurrent("sv-6")}
    409: the workspace must be locked by the requesting user
        ${rollBack("sv-free", "ws-2")} -> 409 ${detail("This workspace is not locked and will only accept state uploads when locked")}
        ${rollBack("sv-5")} | authorization: Bearer t-2 -> 409 ${detail("This workspace is locked by User user-1")}
        ${isCurrent("sv-6")}
    409: a version without content
        ${announce(7)} -> 201 {"data": {"id": "<id>"}}
        ${rollBack("<id>")} -> 409 ${detail("State version <id> is pending; only a finalized one can be rolled back to")}
        ${create(8)} -> 201
        ${rollBack("<id>")} -> 409 {"errors": [{"detail": "~ is discarded"}]}
    422: malformed body
        ${patch} { -> 422
        ${patch} {} -> 422
        ${patch} {"data": {"type": "state-versions"}} -> 422 ${detail("required parameter missing: rollback-state-version")}
        ${patch} {"data": {"type": "state-versions", "relationships": []}} -> 422
        ${patch} ${source(null)} -> 422
        ${patch} ${source({ id: "sv-5" })} -> 422
        ${patch} ${source({ type })} -> 422
        ${patch} ${source({ type, id: "" })} -> 422
        ${patch} ${source({ type, id: 5 })} -> 422
        ${patch} ${source({ type: "workspaces", id: "sv-5" })}
            -> 422 ${detail("rollback-state-version must name one of state-versions by type and id")}
        ${patch} {"data": {"relationships": {}}} -> 422
        ${isCurrent("sv-6")}
    a token and the content type of documents are required
        ${rollBack("sv-5")} | content-type: application/json -> 415
        ${rollBack("sv-5")} | authorization: -> 401
`;

describe("simulator: State Versions, Roll back in parallel", () => {
    const simulator = withSimulator(place.seed);

    it("ten rollbacks make ten versions, and one of them is current", async () => {
        const relationships = { "rollback-state-version": { data: { type, id: "sv-5" } } };
        const parts = { headers: { ...place.headers }, body: { data: { type, relationships } } };
        const url = `${simulator.url}/api/v2/workspaces/ws-1`;
        const calls = Array.from({ length: 10 }, () => call("PATCH", `${url}/state-versions`, parts));
        const ids = (await Promise.all(calls)).map(({ json }) => textAt(json, "data", "id"));
        assert.equal(new Set(ids).size, 10);
        const current = await call("GET", `${url}/current-state-version`, { headers: parts.headers });
        assert.ok(ids.includes(textAt(current.json, "data", "id")));
    });
});
