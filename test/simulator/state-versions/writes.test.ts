/** Creating, uploading and rolling back state versions at the simulator. */
import assert from "node:assert/strict";
import type { TokenSeed } from "../../../src/simulator/seed";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { creation, md5, rawState, rollback } from "../documents";
import { type Answer, at, listAt, send, textAt } from "../requests";

const tokens: TokenSeed[] = [
    { token: "t-1", kind: "user", id: "user-1" },
    { token: "t-2", kind: "user", id: "user-2" },
    { token: "t-team", kind: "team", id: "team-1" },
    { token: "t-read", kind: "user", id: "user-3", access: "read" },
    { token: "t-none", kind: "user", id: "user-4", access: "none" },
    { token: "t-organization", kind: "organization", id: "acme" },
];

const raw = (serial: number, extra: Readonly<Record<string, unknown>> = {}) => JSON.stringify(rawState(serial, extra));

let simulator: RunningSimulator;

/** Each test has a simulator of its own: `ws-1` is locked by user-1 and holds serials 5 and 6, `ws-2` is free and empty. */
async function reset(): Promise<void> {
    const by = { type: "users" as const, id: "user-1" };
    const seed = {
        workspaces: [
            {
                id: "ws-1",
                name: "web",
                organization: "acme",
                stateVersions: [
                    { id: "sv-5", state: rawState(5, { outputs: { a: { value: 1 } } }) },
                    { id: "sv-6", state: rawState(6) },
                ],
                locked: { by },
            },
            { id: "ws-2", name: "free", organization: "acme", stateVersions: [{ id: "sv-free", state: rawState(1) }] },
            { id: "ws-3", name: "new", organization: "acme", locked: { by } },
        ],
    };
    assert.equal((await send("POST", `${simulator.url}/simulator/reset`, { body: seed })).status, 204);
}

const versionsOf = (workspace: string) => `${simulator.url}/api/v2/workspaces/${workspace}/state-versions`;
const post = (body: unknown, token = "t-1", workspace = "ws-1"): Promise<Answer> =>
    send("POST", versionsOf(workspace), { token, body });
const patch = (body: unknown, token = "t-1", workspace = "ws-1"): Promise<Answer> =>
    send("PATCH", versionsOf(workspace), { token, body });
const show = (id: string) => send("GET", `${simulator.url}/api/v2/state-versions/${id}`, { token: "t-1" });
const current = async (workspace = "ws-1") => {
    const path = `/api/v2/workspaces/${workspace}/current-state-version`;
    return at((await send("GET", `${simulator.url}${path}`, { token: "t-1" })).json, "data", "id");
};
const idOf = (answer: Answer) => textAt(answer.json, "data", "id");
const attribute = (answer: Answer, name: string) => at(answer.json, "data", "attributes", name);
const detailOf = (answer: Answer) => textAt(answer.json, "errors", 0, "detail");
const pending = async (text: string, serial: number) => {
    const created = await post(creation(text, serial, { state: undefined }));
    assert.equal(created.status, 201);
    return created;
};
const put = (address: string, body: string) => send("PUT", address, { body, contentType: "application/octet-stream" });

function suite(title: string, tests: () => void): void {
    describe(`state versions: ${title}`, () => {
        before(async () => {
            simulator = await startSimulator({ tokens });
        });
        beforeEach(reset);
        after(() => simulator.close());
        tests();
    });
}

suite("creating", () => {
    it("makes a version with content finalized and current", async () => {
        const created = await post(creation(raw(7), 7));
        assert.equal(created.status, 201);
        assert.equal(created.type, "application/vnd.api+json");
        assert.equal(attribute(created, "status"), "finalized");
        assert.equal(attribute(created, "serial"), 7);
        assert.equal(attribute(created, "size"), raw(7).length);
        assert.equal(attribute(created, "hosted-state-upload-url"), null);
        assert.deepEqual(at(created.json, "data", "relationships", "created-by", "data"), {
            id: "user-1",
            type: "users",
        });
        assert.equal(await current(), idOf(created));
        const download = textAt(created.json, "data", "attributes", "hosted-state-download-url");
        assert.equal((await send("GET", download)).text, raw(7));
    });

    it("makes the first version of a workspace, and names its run", async () => {
        const body = creation(raw(0), 0);
        const run = { data: { type: "runs", id: "run-1" } };
        const data = at(body, "data");
        assert.ok(typeof data === "object");
        const created = await post({ data: { ...data, relationships: { run } } }, "t-1", "ws-3");
        assert.equal(created.status, 201);
        assert.deepEqual(at(created.json, "data", "relationships", "run"), run);
        assert.equal(await current("ws-3"), idOf(created));
    });

    it("shows outputs at once when they are sent along", async () => {
        const outputs = Buffer.from('{"a":{},"b":{}}').toString("base64");
        const created = await post(creation(raw(7), 7, { "json-state-outputs": outputs }));
        assert.equal(attribute(created, "resources-processed"), false);
        assert.equal(listAt(created.json, "data", "relationships", "outputs", "data").length, 2);
    });

    it("gives the JSON state's address for tools from version 1.3 on", async () => {
        const json = { "json-state": Buffer.from('{"values":{}}').toString("base64") };
        const created = await post(creation(raw(7), 7, json));
        const address = textAt(created.json, "data", "attributes", "hosted-json-state-download-url");
        assert.equal((await send("GET", address)).text, '{"values":{}}');
        const old = raw(8, { tool_version: "1.2.9" });
        assert.equal(attribute(await post(creation(old, 8, json)), "hosted-json-state-download-url"), undefined);
    });

    it("wants the lock, and says who has it", async () => {
        const free = await post(creation(raw(2), 2), "t-1", "ws-2");
        assert.equal(free.status, 409);
        assert.match(detailOf(free), /not locked/);
        for (const token of ["t-2", "t-team"]) {
            const foreign = await post(creation(raw(7), 7), token);
            assert.equal(foreign.status, 409);
            assert.match(detailOf(foreign), /is locked by User user-1/);
        }
    });

    it("hides the workspace from those who may not write", async () => {
        const missing = await post(creation(raw(7), 7), "t-1", "ws-9");
        assert.equal(missing.status, 404);
        for (const token of ["t-read", "t-none", "t-organization"]) {
            const answer = await post(creation(raw(7), 7), token);
            assert.deepEqual([answer.status, answer.text], [404, missing.text], token);
        }
    });

    it("refuses malformed bodies", async () => {
        const attributes = { serial: 7, md5: md5(raw(7)) };
        const bodies: unknown[] = [
            "{",
            "[]",
            {},
            { data: { type: "workspaces", attributes } },
            { data: { type: "state-versions" } },
            { data: { type: "state-versions", attributes: { serial: 7 } } },
            { data: { type: "state-versions", attributes: { md5: md5(raw(7)) } } },
            { data: { type: "state-versions", attributes: { ...attributes, serial: "7" } } },
            { data: { type: "state-versions", attributes: { ...attributes, serial: 1.5 } } },
            { data: { type: "state-versions", attributes: { ...attributes, md5: 7 } } },
            { data: { type: "state-versions", attributes: { ...attributes, lineage: 7 } } },
            { data: { type: "state-versions", attributes: { ...attributes, state: 7 } } },
            { data: { type: "state-versions", attributes, relationships: { run: { data: { id: "run-1" } } } } },
        ];
        for (const body of bodies) {
            const answer = await post(body);
            assert.equal(answer.status, 422, JSON.stringify(body));
            assert.equal(at(answer.json, "errors", 0, "status"), "422");
        }
        assert.equal(await current(), "sv-6");
    });

    it("names the missing attribute", async () => {
        const body = { data: { type: "state-versions", attributes: { serial: 7 } } };
        assert.equal(detailOf(await post(body)), "required parameter missing: md5");
    });

    it("refuses a state that is none", async () => {
        for (const state of ["{", "[]", "{}", '{"version":4}']) {
            assert.equal((await post(creation(state, 7))).status, 422, state);
        }
        assert.equal((await post(creation(raw(7), 7, { state: "not base64!" }))).status, 422);
    });

    it("refuses a serial, a hash or a lineage that is not the state's own", async () => {
        assert.equal((await post(creation(raw(7), 8))).status, 422);
        assert.equal((await post(creation(raw(7), 7, { md5: md5("other") }))).status, 422);
        assert.equal((await post(creation(raw(7), 7, { lineage: "other" }))).status, 422);
        assert.equal((await post(creation(raw(7), 7, { lineage: "11aa" }))).status, 201);
    });

    it("refuses what does not follow the current version", async () => {
        const lower = await post(creation(raw(5), 5));
        assert.equal(lower.status, 409);
        assert.match(detailOf(lower), /serial .* is not greater than/);
        const changed = raw(6, { outputs: { b: { value: 2 } } });
        const other = await post(creation(changed, 6));
        assert.equal(other.status, 409);
        assert.match(detailOf(other), /MD5 hash .* does not match/);
        const foreign = await post(creation(raw(7, { lineage: "22bb" }), 7));
        assert.equal(foreign.status, 409);
        assert.match(detailOf(foreign), /lineage/);
    });

    it("takes the same content with the same serial once more", async () => {
        const first = await post(creation(raw(7), 7));
        const second = await post(creation(raw(7), 7));
        assert.equal(second.status, 201);
        assert.notEqual(idOf(second), idOf(first));
    });

    it("wants documents of its own content type", async () => {
        for (const contentType of ["application/json", "text/plain"]) {
            const answer = await send("POST", versionsOf("ws-1"), {
                token: "t-1",
                body: creation(raw(7), 7),
                contentType,
            });
            assert.equal(answer.status, 415, contentType);
        }
        const answer = await send("POST", versionsOf("ws-1"), {
            token: "t-1",
            body: creation(raw(7), 7),
            contentType: "application/vnd.api+json; charset=utf-8",
        });
        assert.equal(answer.status, 201);
    });
});

suite("uploading", () => {
    it("makes a version without content pending, with two addresses", async () => {
        const created = await pending(raw(7), 7);
        assert.equal(attribute(created, "status"), "pending");
        assert.equal(attribute(created, "size"), 0);
        assert.equal(attribute(created, "resources-processed"), false);
        for (const name of ["hosted-state-upload-url", "hosted-json-state-upload-url"]) {
            assert.ok(textAt(created.json, "data", "attributes", name).startsWith(`${simulator.url}/v1/object/`));
        }
        assert.equal(await current(), "sv-6");
    });

    it("takes the raw state once, without a token, and makes it current", async () => {
        const created = await pending(raw(7), 7);
        const address = textAt(created.json, "data", "attributes", "hosted-state-upload-url");
        assert.equal((await put(address, raw(7))).status, 200);
        const record = await show(idOf(created));
        assert.equal(attribute(record, "status"), "finalized");
        assert.equal(attribute(record, "hosted-state-upload-url"), null);
        assert.equal(attribute(record, "size"), raw(7).length);
        assert.equal(await current(), idOf(created));
        assert.equal((await put(address, raw(7))).status, 404);
    });

    it("takes the JSON state once, before the raw one or after it", async () => {
        for (const serial of [7, 8]) {
            const created = await pending(raw(serial), serial);
            const rawAddress = textAt(created.json, "data", "attributes", "hosted-state-upload-url");
            const jsonAddress = textAt(created.json, "data", "attributes", "hosted-json-state-upload-url");
            const order: [string, string][] = [
                [rawAddress, raw(serial)],
                [jsonAddress, '{"values":{}}'],
            ];
            for (const [address, content] of serial === 7 ? order : order.reverse()) {
                assert.equal((await put(address, content)).status, 200);
            }
            assert.equal((await put(jsonAddress, "{}")).status, 404);
            const record = await show(idOf(created));
            assert.equal(attribute(record, "hosted-json-state-upload-url"), null);
            const download = textAt(record.json, "data", "attributes", "hosted-json-state-download-url");
            assert.equal((await send("GET", download)).text, '{"values":{}}');
        }
    });

    it("refuses other content than announced, and still waits", async () => {
        const created = await pending(raw(7), 7);
        const address = textAt(created.json, "data", "attributes", "hosted-state-upload-url");
        for (const content of ["garbage", raw(8), raw(7, { outputs: { x: {} } })]) {
            assert.equal((await put(address, content)).status, 422);
        }
        assert.equal(attribute(await show(idOf(created)), "status"), "pending");
        assert.equal((await put(address, raw(7))).status, 200);
    });

    it("discards a pending version when a newer one gets ahead", async () => {
        const older = await pending(raw(7), 7);
        const newer = await post(creation(raw(8), 8));
        const record = await show(idOf(older));
        assert.equal(attribute(record, "status"), "discarded");
        assert.equal(attribute(record, "hosted-state-upload-url"), null);
        const address = textAt(older.json, "data", "attributes", "hosted-state-upload-url");
        assert.equal((await put(address, raw(7))).status, 404);
        assert.equal(await current(), idOf(newer));
    });

    it("discards nothing while the newer one is pending itself, nor anything newer", async () => {
        const older = await pending(raw(7), 7);
        const newer = await pending(raw(8), 8);
        assert.equal(attribute(await show(idOf(older)), "status"), "pending");
        const addressOf = (answer: Answer) => textAt(answer.json, "data", "attributes", "hosted-state-upload-url");
        assert.equal((await put(addressOf(older), raw(7))).status, 200);
        assert.equal(attribute(await show(idOf(newer)), "status"), "pending");
        assert.equal((await put(addressOf(newer), raw(8))).status, 200);
        assert.equal(attribute(await show(idOf(older)), "status"), "finalized");
        assert.equal(await current(), idOf(newer));
    });

    it("lists by status, pending and discarded ones too", async () => {
        await pending(raw(7), 7);
        await post(creation(raw(8), 8));
        await pending(raw(9), 9);
        const list = async (status: string) => {
            const query = `filter[organization][name]=acme&filter[workspace][name]=web&filter[status]=${status}`;
            const path = `/api/v2/state-versions?${query}`;
            const answer = await send("GET", `${simulator.url}${path}`, { token: "t-1" });
            return listAt(answer.json, "data").map((record) => at(record, "attributes", "serial"));
        };
        assert.deepEqual(await list("pending"), [9]);
        assert.deepEqual(await list("discarded"), [7]);
        assert.deepEqual(await list("pending,discarded"), [9, 7]);
        assert.deepEqual(await list("finalized"), [8, 6, 5]);
        assert.deepEqual(await list(""), [9, 8, 7, 6, 5]);
    });

    it("answers nothing for the content of a pending version", async () => {
        const created = await pending(raw(7), 7);
        const path = `/api/v2/state-versions/${idOf(created)}/download`;
        const answer = await send("GET", `${simulator.url}${path}`, { token: "t-1" });
        assert.deepEqual([answer.status, answer.text], [200, ""]);
    });
});

suite("rolling back", () => {
    it("copies the version byte for byte and makes the copy current", async () => {
        const answer = await patch(rollback("sv-5"));
        assert.equal(answer.status, 201);
        const id = idOf(answer);
        assert.notEqual(id, "sv-5");
        assert.equal(attribute(answer, "serial"), 5);
        assert.equal(await current(), id);
        const content = async (version: string) =>
            (await send("GET", `${simulator.url}/api/v2/state-versions/${version}/download`, { token: "t-1" })).text;
        assert.equal(await content(id), await content("sv-5"));
    });

    it("answers without status, commit and run, and names the source", async () => {
        const answer = await patch(rollback("sv-5"));
        for (const name of ["status", "vcs-commit-sha", "vcs-commit-url"]) {
            assert.equal(attribute(answer, name), undefined, name);
        }
        assert.equal(attribute(answer, "resources-processed"), false);
        assert.equal(at(answer.json, "data", "relationships", "run"), undefined);
        assert.deepEqual(at(answer.json, "data", "relationships", "rollback-state-version"), {
            data: { id: "sv-5", type: "state-versions" },
        });
        assert.equal(attribute(await show(idOf(answer)), "status"), "finalized");
    });

    it("makes another version every time, ten in parallel too", async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => patch(rollback("sv-5"))));
        assert.deepEqual(
            answers.map(({ status }) => status),
            Array(10).fill(201),
        );
        assert.equal(new Set(answers.map(idOf)).size, 10);
        assert.ok(answers.map(idOf).includes(String(await current())));
    });

    it("takes the current version itself, and a version that is a rollback", async () => {
        const first = await patch(rollback("sv-6"));
        const second = await patch(rollback(idOf(first)));
        assert.deepEqual([first.status, second.status], [201, 201]);
        assert.equal(at(second.json, "data", "relationships", "rollback-state-version", "data", "id"), idOf(first));
    });

    it("lets serials repeat afterwards", async () => {
        await patch(rollback("sv-5"));
        const other = raw(6, { outputs: { b: { value: 2 } } });
        assert.equal((await post(creation(other, 6))).status, 201);
    });

    it("answers 404 for another workspace's version, a missing one and a missing workspace", async () => {
        assert.equal((await patch(rollback("sv-free"))).status, 404);
        assert.equal((await patch(rollback("sv-9"))).status, 404);
        assert.equal((await patch(rollback("sv-5"), "t-1", "ws-9")).status, 404);
        assert.equal(await current(), "sv-6");
    });

    it("wants the lock, and says who has it", async () => {
        const free = await patch(rollback("sv-free"), "t-1", "ws-2");
        assert.equal(free.status, 409);
        assert.match(detailOf(free), /not locked/);
        const foreign = await patch(rollback("sv-5"), "t-2");
        assert.equal(foreign.status, 409);
        assert.match(detailOf(foreign), /is locked by User user-1/);
        assert.equal(await current(), "sv-6");
    });

    it("hides the workspace from those who may not write", async () => {
        for (const token of ["t-read", "t-none", "t-organization"]) {
            assert.equal((await patch(rollback("sv-5"), token)).status, 404, token);
        }
    });

    it("refuses versions without content", async () => {
        const waiting = await pending(raw(7), 7);
        assert.equal((await patch(rollback(idOf(waiting)))).status, 409);
        await post(creation(raw(8), 8));
        const discarded = await patch(rollback(idOf(waiting)));
        assert.equal(discarded.status, 409);
        assert.match(detailOf(discarded), /discarded/);
    });

    it("refuses malformed bodies", async () => {
        const type = "state-versions";
        const related = (data: unknown) => ({ data: { type, relationships: { "rollback-state-version": { data } } } });
        const bodies: unknown[] = [
            "{",
            {},
            { data: { type } },
            { data: { type, relationships: { "state-version": { data: { type, id: "sv-5" } } } } },
            { data: { type, relationships: [] } },
            related(null),
            related({ id: "sv-5" }),
            related({ type }),
            related({ type, id: 5 }),
            related({ type: "workspaces", id: "sv-5" }),
            { ...related({ type, id: "sv-5" }), data: { relationships: {} } },
        ];
        for (const body of bodies) {
            assert.equal((await patch(body)).status, 422, JSON.stringify(body));
        }
        assert.equal(await current(), "sv-6");
    });

    it("wants documents of its own content type, and a token", async () => {
        const body = rollback("sv-5");
        const address = versionsOf("ws-1");
        assert.equal(
            (await send("PATCH", address, { token: "t-1", body, contentType: "application/json" })).status,
            415,
        );
        assert.equal((await send("PATCH", address, { body })).status, 401);
    });
});

suite("processing", () => {
    const processing = (mode: string, n?: number) =>
        send("PATCH", `${simulator.url}/simulator/processing`, { body: { mode, n } });
    const rich = raw(7, { resources: [{ type: "node", name: "a", provider: "p", instances: [{}] }] });

    it("shows empties at the first read and the rest at the next", async () => {
        const created = await post(creation(rich, 7));
        assert.equal(attribute(created, "resources-processed"), false);
        const first = await show(idOf(created));
        assert.equal(attribute(first, "resources-processed"), false);
        assert.equal(attribute(first, "tool-version"), "");
        assert.deepEqual(
            ["resources", "modules", "providers"].map((name) => attribute(first, name)),
            [[], {}, {}],
        );
        assert.equal(attribute(first, "size"), rich.length);
        const second = await show(idOf(created));
        assert.equal(attribute(second, "resources-processed"), true);
        assert.equal(attribute(second, "tool-version"), "1.6.2");
        assert.deepEqual(attribute(second, "modules"), { root: { node: 1 } });
    });

    it("processes a copy like any other version", async () => {
        const id = idOf(await patch(rollback("sv-5")));
        assert.deepEqual(at((await show(id)).json, "data", "relationships", "outputs"), { data: [] });
        assert.equal(listAt((await show(id)).json, "data", "relationships", "outputs", "data").length, 1);
    });

    it("is done at once when told so", async () => {
        assert.equal((await processing("at-once")).status, 200);
        assert.equal(attribute(await post(creation(rich, 7)), "resources-processed"), true);
    });

    it("waits for as many reads as told", async () => {
        await processing("after-reads", 3);
        const id = idOf(await post(creation(rich, 7)));
        const seen: unknown[] = [];
        for (let read = 0; read < 4; read += 1) {
            seen.push(attribute(await show(id), "resources-processed"));
        }
        assert.deepEqual(seen, [false, false, false, true]);
    });

    it("waits for the simulator's clock when told so", async () => {
        await processing("after-seconds", 3600);
        const id = idOf(await post(creation(rich, 7)));
        await show(id);
        assert.equal(attribute(await show(id), "resources-processed"), false);
        await send("POST", `${simulator.url}/simulator/clock`, { body: { advance: 3601 } });
        assert.equal(attribute(await show(id), "resources-processed"), true);
    });

    it("waits for any time, and stays processed when the clock is set back", async () => {
        await processing("after-seconds", 1e300);
        assert.equal(attribute(await show(idOf(await post(creation(rich, 7)))), "resources-processed"), false);
        await processing("after-seconds", 60);
        const id = idOf(await post(creation(rich, 7)));
        const clock = (advance: number) => send("POST", `${simulator.url}/simulator/clock`, { body: { advance } });
        await clock(60);
        assert.equal(attribute(await show(id), "resources-processed"), true);
        await clock(-60);
        assert.equal(attribute(await show(id), "resources-processed"), true);
    });

    it("refuses other modes", async () => {
        assert.equal((await processing("sometimes")).status, 400);
        assert.equal((await processing("after-reads", -1)).status, 400);
    });
});
