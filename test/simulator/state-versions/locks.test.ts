/** Locking and unlocking workspaces at the simulator. */
import assert from "node:assert/strict";
import type { TokenSeed } from "../../../src/simulator/seed";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { creation, rawState } from "../documents";
import { at, send, textAt } from "../requests";

const tokens: TokenSeed[] = [
    { token: "t-1", kind: "user", id: "user-1" },
    { token: "t-2", kind: "user", id: "user-2" },
    { token: "t-team", kind: "team", id: "team-1" },
    { token: "t-read", kind: "user", id: "user-3", access: "read" },
    { token: "t-organization", kind: "organization", id: "acme" },
];

describe("state versions: locks", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator({ tokens });
    });
    beforeEach(async () => {
        const free = { id: "ws-1", name: "web", organization: "acme" };
        const held = { id: "ws-run", name: "run", organization: "acme", locked: { by: { type: "runs", id: "run-1" } } };
        await send("POST", `${simulator.url}/simulator/reset`, { body: { workspaces: [free, held] } });
    });
    after(() => simulator.close());

    const act = (action: string, token = "t-1", body?: unknown, workspace = "ws-1") =>
        send("POST", `${simulator.url}/api/v2/workspaces/${workspace}/actions/${action}`, { token, body });
    const workspace = async () =>
        at((await send("GET", `${simulator.url}/api/v2/workspaces/ws-1`, { token: "t-1" })).json, "data");
    const addPending = async (serial: number) => {
        const raw = JSON.stringify(rawState(serial));
        const body = creation(raw, serial, { state: undefined });
        const created = await send("POST", `${simulator.url}/api/v2/workspaces/ws-1/state-versions`, {
            token: "t-1",
            body,
        });
        assert.equal(created.status, 201);
        return { raw, address: textAt(created.json, "data", "attributes", "hosted-state-upload-url") };
    };

    it("locks for the caller and answers the workspace", async () => {
        const answer = await act("lock");
        assert.equal(answer.status, 200);
        assert.equal(answer.type, "application/vnd.api+json");
        assert.equal(at(answer.json, "data", "id"), "ws-1");
        assert.equal(at(answer.json, "data", "attributes", "locked"), true);
        assert.equal(at(answer.json, "data", "attributes", "locked-reason"), "");
        assert.deepEqual(at(await workspace(), "relationships", "locked-by"), {
            data: { id: "user-1", type: "users" },
        });
    });

    it("takes a reason plain and wrapped", async () => {
        for (const body of [{ reason: "moving" }, { data: { type: "", attributes: { reason: "moving" } } }]) {
            const answer = await act("lock", "t-1", body);
            assert.equal(at(answer.json, "data", "attributes", "locked-reason"), "moving");
            await act("unlock");
        }
        assert.equal((await act("lock", "t-1", {})).status, 200);
    });

    it("refuses a body that is none", async () => {
        assert.equal((await act("lock", "t-1", "{")).status, 422);
        assert.equal((await act("lock", "t-1", { reason: 7 })).status, 422);
        assert.equal(at(await workspace(), "attributes", "locked"), false);
    });

    it("locks for teams", async () => {
        const answer = await act("lock", "t-team");
        assert.deepEqual(at(answer.json, "data", "relationships", "locked-by", "data"), {
            id: "team-1",
            type: "teams",
        });
        assert.match(textAt((await act("unlock")).json, "errors", 0, "detail"), /is locked by Team team-1/);
        assert.equal((await act("unlock", "t-team")).status, 200);
    });

    it("refuses a second lock, the holder's own too", async () => {
        await act("lock");
        for (const token of ["t-1", "t-2"]) {
            const answer = await act("lock", token);
            assert.equal(answer.status, 409);
            assert.equal(at(answer.json, "errors", 0, "status"), "409");
        }
    });

    it("gives one of twenty parallel requests the lock", async () => {
        const answers = await Promise.all(
            Array.from({ length: 20 }, (_, index) => act("lock", index % 2 ? "t-1" : "t-2")),
        );
        const statuses = answers.map(({ status }) => status).sort();
        assert.deepEqual(statuses, [200, ...Array(19).fill(409)]);
    });

    it("unlocks for the holder, and forgets the reason", async () => {
        await act("lock", "t-1", { reason: "moving" });
        const answer = await act("unlock");
        assert.equal(answer.status, 200);
        assert.equal(at(answer.json, "data", "attributes", "locked"), false);
        assert.equal(at(answer.json, "data", "attributes", "locked-reason"), "");
        assert.deepEqual(at(answer.json, "data", "relationships", "locked-by"), { data: null });
    });

    it("refuses to unlock what is not locked or held by another", async () => {
        assert.equal((await act("unlock")).status, 409);
        await act("lock", "t-2");
        const answer = await act("unlock");
        assert.equal(answer.status, 409);
        assert.match(textAt(answer.json, "errors", 0, "detail"), /is locked by User user-2/);
        const run = await act("unlock", "t-1", undefined, "ws-run");
        assert.match(textAt(run.json, "errors", 0, "detail"), /is locked by Run run-1/);
    });

    it("refuses to unlock while the latest version is pending", async () => {
        await act("lock");
        const { raw, address } = await addPending(1);
        const refused = await act("unlock");
        assert.equal(refused.status, 503);
        assert.equal(at(refused.json, "errors", 0, "detail"), "latest state version is still pending");
        assert.equal(at(await workspace(), "attributes", "locked"), true);
        await send("PUT", address, { body: raw, contentType: "application/octet-stream" });
        assert.equal((await act("unlock")).status, 200);
    });

    it("minds only the version made last", async () => {
        await act("lock");
        await addPending(1);
        const raw = JSON.stringify(rawState(2));
        const body = creation(raw, 2);
        await send("POST", `${simulator.url}/api/v2/workspaces/ws-1/state-versions`, { token: "t-1", body });
        assert.equal((await act("unlock")).status, 200);
    });

    it("breaks any lock by force, a pending version notwithstanding", async () => {
        assert.equal((await act("force-unlock")).status, 409);
        assert.equal((await act("force-unlock", "t-1", undefined, "ws-run")).status, 200);
        await act("lock");
        await addPending(1);
        const answer = await act("force-unlock", "t-2");
        assert.equal(answer.status, 200);
        assert.equal(at(answer.json, "data", "attributes", "locked"), false);
    });

    it("hides workspaces from those who may not write, and knows no missing ones", async () => {
        for (const action of ["lock", "unlock", "force-unlock"]) {
            const missing = await act(action, "t-1", undefined, "ws-9");
            assert.equal(missing.status, 404);
            for (const token of ["t-read", "t-organization"]) {
                const answer = await act(action, token);
                assert.deepEqual([answer.status, answer.text], [404, missing.text]);
            }
        }
    });

    it("tells of reasons and holders what its manners are", async () => {
        const reason = "rolling back to sv-1 [somebody]";
        await act("lock", "t-1", { reason });
        const told = async (...stateVersions: string[]) => {
            await send("PUT", `${simulator.url}/simulator/manners`, { body: { stateVersions } });
            const { json } = await send("GET", `${simulator.url}/api/v2/workspaces/ws-1`, { token: "t-1" });
            const of = (...path: string[]) => at(json, "data", ...path);
            const relationships = of("relationships") as Record<string, unknown>;
            const holder = relationships["locked-by"] && of("relationships", "locked-by", "data", "id");
            return [of("attributes", "locked"), of("attributes", "locked-reason"), holder];
        };
        const [, , holder] = await told();
        assert.deepEqual(await told("keeps-reasons", "tells-holders"), [true, reason, holder]);
        assert.deepEqual(await told("shortens-reasons"), [true, reason.slice(0, 24), holder]);
        assert.deepEqual(await told("drops-reasons", "hides-holders"), [true, "", undefined]);
        await told();
    });

    it("wants documents of its own content type when there is a body", async () => {
        const address = `${simulator.url}/api/v2/workspaces/ws-1/actions/lock`;
        const body = { reason: "moving" };
        assert.equal(
            (await send("POST", address, { token: "t-1", body, contentType: "application/json" })).status,
            415,
        );
        assert.equal((await send("POST", address, { token: "t-1" })).status, 200);
    });
});
