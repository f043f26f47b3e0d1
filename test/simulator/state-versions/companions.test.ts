/** The self-hosted actions, related resources, intermediate versions and retention at the simulator. */
import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { creation, md5, rawState, rollback } from "../documents";
import { at, listAt, send, textAt } from "../requests";

const seed: Seed = {
    tokens: [
        { token: "t-owner", kind: "user", id: "user-1" },
        { token: "t-member", kind: "user", id: "user-2", owner: false },
        { token: "t-team", kind: "team", id: "team-1" },
        { token: "t-read", kind: "user", id: "user-3", access: "read" },
        { token: "t-organization", kind: "organization", id: "acme" },
    ],
    workspaces: [
        {
            id: "ws-1",
            name: "web",
            organization: "acme",
            stateVersions: [
                {
                    id: "sv-1",
                    state: rawState(1, { outputs: { a: { value: "x", type: "string", sensitive: true } } }),
                    createdBy: "user-9",
                    run: "run-7",
                },
                { id: "sv-2", state: rawState(2), vcsCommit: { sha: "abc", url: "https://code.example/abc" } },
                { id: "sv-3", state: rawState(3) },
            ],
            locked: { by: { type: "users", id: "user-1" } },
        },
        { id: "ws-2", name: "new", organization: "acme" },
    ],
};

let simulator: RunningSimulator;
const get = (path: string, token = "t-owner") => send("GET", `${simulator.url}/api/v2${path}`, { token });
const post = (path: string, body?: unknown, token = "t-owner") =>
    send("POST", `${simulator.url}/api/v2${path}`, { token, body });
const control = (method: string, path: string, body: unknown) =>
    send(method, `${simulator.url}/simulator/${path}`, { body, contentType: "application/json" });
const listPath = "/state-versions?filter[workspace][name]=web&filter[organization][name]=acme";
const act = (action: string, id = "sv-1", token = "t-owner", body?: unknown) =>
    post(`/state-versions/${id}/actions/${action}_backing_data`, body, token);
const statusOf = async (id: string) =>
    at(
        listAt((await get(listPath)).json, "data").find((record) => at(record, "id") === id),
        "attributes",
        "status",
    );

describe("state versions: companions", () => {
    before(async () => {
        simulator = await startSimulator({ seed });
    });
    beforeEach(async () => {
        assert.equal((await control("POST", "reset", seed)).status, 204);
    });
    after(() => simulator.close());

    it("soft-deletes, tells the days, and lets reads fail", async () => {
        const body = { data: { attributes: { "delete-older-than-n-days": 30 } } };
        const answer = await act("soft_delete", "sv-1", "t-owner", body);
        assert.equal(answer.status, 200);
        assert.equal(at(answer.json, "data", "attributes", "status"), "backing_data_soft_deleted");
        assert.equal(at(answer.json, "data", "attributes", "delete-older-than-n-days"), 30);
        for (const path of ["", "/download", "/outputs"]) {
            assert.equal((await get(`/state-versions/sv-1${path}`)).status, 404, path);
        }
        const address = textAt(answer.json, "data", "attributes", "hosted-state-download-url");
        assert.equal((await send("GET", address)).status, 404);
    });

    it("takes any number of days", async () => {
        const days = Number.MAX_SAFE_INTEGER;
        const answer = await act("soft_delete", "sv-1", "t-owner", {
            data: { attributes: { "delete-older-than-n-days": days } },
        });
        assert.equal(answer.status, 200);
        assert.equal(at(answer.json, "data", "attributes", "delete-older-than-n-days"), days);
        assert.equal(await statusOf("sv-1"), "backing_data_soft_deleted");
    });

    it("takes a soft deletion without a body, and refuses days that are no integer", async () => {
        assert.equal((await act("soft_delete", "sv-2")).status, 200);
        const body = { data: { attributes: { "delete-older-than-n-days": "soon" } } };
        assert.equal((await act("soft_delete", "sv-1", "t-owner", body)).status, 400);
    });

    it("restores, permanently deletes, and nothing after that", async () => {
        await act("soft_delete");
        const restored = await act("restore");
        assert.deepEqual([restored.status, at(restored.json, "data", "attributes", "status")], [200, "finalized"]);
        assert.equal((await get("/state-versions/sv-1/download")).status, 200);
        await act("soft_delete");
        const gone = await act("permanently_delete");
        assert.equal(at(gone.json, "data", "attributes", "status"), "backing_data_permanently_deleted");
        for (const action of ["soft_delete", "restore", "permanently_delete"]) {
            assert.equal((await act(action)).status, 400, action);
        }
    });

    it("restores from any state but the last", async () => {
        assert.equal((await act("restore", "sv-2")).status, 200);
    });

    it("refuses the current version, and a permanent deletion that no soft one came before", async () => {
        assert.equal((await act("soft_delete", "sv-3")).status, 400);
        const refused = await act("permanently_delete", "sv-1");
        assert.equal(refused.status, 400);
        assert.match(textAt(refused.json, "errors", 0, "detail"), /is finalized/);
    });

    it("leaves the actions to owners", async () => {
        for (const token of ["t-member", "t-read", "t-organization"]) {
            assert.equal((await act("soft_delete", "sv-1", token)).status, 404, token);
        }
        assert.equal((await act("soft_delete", "sv-9")).status, 404);
        assert.equal((await act("soft_delete", "sv-1", "t-team")).status, 200);
    });

    it("deletes for good when the days are over", async () => {
        await act("soft_delete", "sv-1", "t-owner", { data: { attributes: { "delete-older-than-n-days": 2 } } });
        await control("POST", "clock", { advance: 86_400 });
        assert.equal(await statusOf("sv-1"), "backing_data_soft_deleted");
        await control("POST", "clock", { advance: 86_400 });
        assert.equal(await statusOf("sv-1"), "backing_data_permanently_deleted");
    });

    it("does not roll back to a retired version", async () => {
        await act("soft_delete");
        const relationships = { "rollback-state-version": { data: { type: "state-versions", id: "sv-1" } } };
        const body = { data: { type: "state-versions", relationships } };
        const address = `${simulator.url}/api/v2/workspaces/ws-1/state-versions`;
        assert.equal((await send("PATCH", address, { token: "t-owner", body })).status, 409);
    });

    it("includes related resources at show, current and list", async () => {
        const types = async (path: string) =>
            listAt((await get(path)).json, "included").map((record) => `${at(record, "type")} ${at(record, "id")}`);
        assert.deepEqual(await types("/state-versions/sv-1?include=created_by"), ["users user-9"]);
        assert.deepEqual(await types("/state-versions/sv-1?include=run,run.created_by"), [
            "runs run-7",
            "users user-9",
        ]);
        assert.deepEqual(await types("/state-versions/sv-1?include=run.configuration_version"), [
            "runs run-7",
            "configuration-versions cv-run-7",
        ]);
        assert.deepEqual(await types("/workspaces/ws-1/current-state-version?include=outputs"), []);
        assert.deepEqual(await types(`${listPath}&include=run`), ["runs run-7"]);
        assert.equal(at((await get("/state-versions/sv-1")).json, "included"), undefined);
    });

    it("includes outputs when the record names them, not before it is processed", async () => {
        const raw = JSON.stringify(rawState(4, { outputs: { a: { value: "x", type: "string" } } }));
        await post("/workspaces/ws-1/state-versions", creation(raw, 4));
        const seen = async () => {
            const { json } = await get("/workspaces/ws-1/current-state-version?include=outputs");
            const ids = (records: unknown[]) => records.map((record) => at(record, "id"));
            const named = ids(listAt(json, "data", "relationships", "outputs", "data"));
            assert.deepEqual(ids(listAt(json, "included")), named);
            return [at(json, "data", "attributes", "resources-processed"), named.length];
        };
        assert.deepEqual(
            [await seen(), await seen()],
            [
                [false, 0],
                [true, 1],
            ],
        );
    });

    it("refuses to include what the document does not name", async () => {
        assert.equal((await get("/state-versions/sv-1?include=created-by")).status, 400);
    });

    it("passes over include where the document names none, as over every parameter that it does not know", async () => {
        for (const path of ["/workspaces/ws-1", "/organizations/acme/workspaces/web", "/state-versions/sv-1/outputs"]) {
            const plain = await get(path);
            assert.equal(plain.status, 200);
            assert.deepEqual((await get(`${path}?include=outputs&unknown=1`)).json, plain.json);
        }
        assert.equal((await post("/workspaces/ws-1/actions/unlock?include=outputs")).status, 200);
    });

    it("lists outputs, whose ids are those of the record", async () => {
        const { json } = await get("/state-versions/sv-1/outputs");
        assert.deepEqual(at(json, "data", 0, "attributes"), { name: "a", sensitive: true, type: "string", value: "x" });
        const record = await get("/state-versions/sv-1");
        assert.equal(at(record.json, "data", "relationships", "outputs", "data", 0, "id"), at(json, "data", 0, "id"));
        assert.equal((await get("/state-versions/sv-9/outputs")).status, 404);
    });

    it("shows commits only where there are some", async () => {
        const { json } = await get("/state-versions/sv-2");
        assert.equal(at(json, "data", "attributes", "vcs-commit-sha"), "abc");
        assert.equal(at(json, "data", "attributes", "vcs-commit-url"), "https://code.example/abc");
        const other = await get("/state-versions/sv-1");
        assert(!("vcs-commit-sha" in (at(other.json, "data", "attributes") as object)));
    });

    it("keeps intermediate versions back until the workspace is unlocked", async () => {
        assert.equal((await control("PATCH", "intermediates", { on: true })).status, 200);
        const make = async (serial: number) => {
            const raw = JSON.stringify(rawState(serial));
            return (await post("/workspaces/ws-1/state-versions", creation(raw, serial))).json;
        };
        assert.equal(at(await make(4), "data", "attributes", "intermediate"), true);
        const last = textAt(await make(5), "data", "id");
        const current = async () => at((await get("/workspaces/ws-1/current-state-version")).json, "data", "id");
        assert.equal(await current(), "sv-3");
        assert.equal((await post("/workspaces/ws-1/actions/unlock")).status, 200);
        assert.equal(await current(), last);
        assert.equal(at((await get(`/state-versions/${last}`)).json, "data", "attributes", "intermediate"), false);
        assert.equal((await control("PATCH", "intermediates", { on: "yes" })).status, 400);
    });

    it("leaves a version current that came after the intermediate ones, at every unlocking", async () => {
        await control("PATCH", "intermediates", { on: true });
        const make = async (serial: number) => {
            const raw = JSON.stringify(rawState(serial));
            return textAt((await post("/workspaces/ws-1/state-versions", creation(raw, serial))).json, "data", "id");
        };
        const current = async () => at((await get("/workspaces/ws-1/current-state-version")).json, "data", "id");
        await make(4);
        const last = await make(5);
        await post("/workspaces/ws-1/actions/unlock");
        await post("/workspaces/ws-1/actions/lock");
        await post("/workspaces/ws-1/actions/unlock");
        assert.equal(await current(), last);
        await post("/workspaces/ws-1/actions/lock");
        await make(6);
        const address = `${simulator.url}/api/v2/workspaces/ws-1/state-versions`;
        const rolledBack = await send("PATCH", address, { token: "t-owner", body: rollback("sv-1") });
        assert.equal(at(rolledBack.json, "data", "attributes", "intermediate"), false);
        assert.equal(await current(), textAt(rolledBack.json, "data", "id"));
        await post("/workspaces/ws-1/actions/unlock");
        assert.equal(await current(), textAt(rolledBack.json, "data", "id"));
    });

    it("drops what retention drops, and never the most recent version of a workspace", async () => {
        const { json } = await control("POST", "retention", { keep: 2 });
        assert.deepEqual(json, { dropped: ["sv-1"] });
        assert.equal((await get("/state-versions/sv-1")).status, 404);
        assert.deepEqual((await control("POST", "retention", { keep: 0 })).json, { dropped: ["sv-2"] });
        assert.equal((await get("/workspaces/ws-1/current-state-version")).status, 200);
        assert.equal((await control("POST", "retention", {})).status, 400);
    });

    it("takes the JSON form before and after the raw state, once", async () => {
        const raw = JSON.stringify(rawState(4));
        const body = { data: { type: "state-versions", attributes: { serial: 4, md5: md5(raw) } } };
        const { json } = await post("/workspaces/ws-1/state-versions", body);
        const put = (address: string, content: string) =>
            send("PUT", address, { body: content, contentType: "application/octet-stream" });
        const address = textAt(json, "data", "attributes", "hosted-json-state-upload-url");
        assert.equal((await put(textAt(json, "data", "attributes", "hosted-state-upload-url"), raw)).status, 200);
        assert.equal((await put(address, '{"a":1}')).status, 200);
        assert.equal((await put(address, '{"a":2}')).status, 404);
        const record = await get(`/state-versions/${textAt(json, "data", "id")}`);
        assert.equal(at(record.json, "data", "attributes", "hosted-json-state-upload-url"), null);
        const there = textAt(record.json, "data", "attributes", "hosted-json-state-download-url");
        assert.equal((await send("GET", there)).text, '{"a":1}');
    });
});
