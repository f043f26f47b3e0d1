/** The one request that rolls back: when it is needed, and whose a version is that is current after its answer was lost. */

import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { Cut, Gate } from "../../support/gate";
import { plantedToken, World } from "../../support/world";

const state = (serial: number, ...names: string[]) => ({
    version: 4,
    serial,
    lineage: "6c1e54e8-0000-4000-8000-000000000005",
    outputs: {},
    resources: names.map((name) => ({ mode: "managed", type: "server", name, provider: "example", instances: [] })),
});
const seed: Seed = {
    tokens: [{ token: plantedToken, kind: "user", id: "user-1" }],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: state(1, "a") },
                { id: "sv-2", state: state(2, "a", "b") },
                { id: "sv-3", state: state(3) },
            ],
        },
        {
            id: "ws-2",
            name: "serials",
            organization: "example",
            stateVersions: [
                { id: "sv-21", state: state(9, "a") },
                { id: "sv-22", state: state(1000, "a") },
            ],
        },
        {
            id: "ws-3",
            name: "sizes",
            organization: "example",
            stateVersions: [
                { id: "sv-31", state: state(1, "a".repeat(500)) },
                { id: "sv-32", state: state(2) },
            ],
        },
    ],
};

describe("the request of a rollback", () => {
    let world: World;
    const gate = new Gate();
    before(async () => {
        world = await World.start(seed, "documented", gate.guard);
    });
    beforeEach(async () => {
        gate.open();
        await world.reset();
    });
    after(() => world.close());

    const api = (method: string, path: string, body?: unknown) =>
        world.outside(method, `/api/v2/workspaces/ws-1${path}`, body, { authorization: `Bearer ${plantedToken}` });
    const type = "state-versions";
    const rollBack = (id: string) =>
        api("PATCH", "/state-versions", {
            data: { type, relationships: { "rollback-state-version": { data: { type, id } } } },
        });
    const current = async () => ((await api("GET", "/current-state-version")) as { data: { id: string } }).data.id;
    const patches = async () => (await world.writes()).filter(({ method }) => method === "PATCH").length;
    /** The account holds the lock, and somebody else of it works under it; then our own request is cut. */
    const cut = (act: () => Promise<unknown> = async () => undefined) =>
        gate.set(async ({ moment, request }) => {
            if (moment !== "before" || request.method !== "PATCH") return;
            gate.open();
            await act();
            throw new Cut();
        });
    const inputs = { workspaceId: "ws-1", stateVersionId: "sv-1" };

    for (const lock of [true, false]) {
        describe(`under a lock of the user's, with lock: ${lock}`, () => {
            beforeEach(() => api("POST", "/actions/lock", { reason: "mine" }));

            it("has not made what somebody else made meanwhile", async () => {
                const undo = world.life("StateVersionRollback");
                cut(() => rollBack("sv-2"));
                await assert.rejects(undo.up({ ...inputs, lock }), /another version, .*, has become current meanwhile/);
                assert.deepEqual(undo.outputs()["unfinished"], ["rollback"]);
                const theirs = await current();
                await world.forget();
                assert.equal(await undo.up({ ...inputs, lock }), "updated");
                assert.equal(await patches(), 1);
                assert.equal(undo.outputs()["previousStateVersionId"], theirs);
            });

            it("was not done where what was current still is, though that has the same content", async () => {
                const undo = world.life("StateVersionRollback");
                await undo.up({ ...inputs, lock });
                const first = await current();
                cut();
                const again = { ...inputs, lock, triggers: [1] };
                await assert.rejects(undo.up(again), /nothing was rolled back/);
                assert.deepEqual(undo.outputs()["unfinished"], ["rollback"]);
                assert.equal(await undo.up(again), "updated");
                assert.notEqual(await current(), first);
            });
        });
    }

    it("is not needed where only the serials differ, though one has more digits", async () => {
        const undo = world.life("StateVersionRollback");
        await undo.up({ workspaceId: "ws-2", stateVersionId: "sv-21" });
        assert.deepEqual(await world.writes(), []);
        assert.equal(undo.outputs()["currentStateVersionId"], "sv-22");
    });

    it("needs no download where the sizes are far apart", async () => {
        await world.life("StateVersionRollback").up({ workspaceId: "ws-3", stateVersionId: "sv-31" });
        const paths = (await world.requests()).map(({ path }) => path);
        assert.deepEqual(
            paths.filter((path) => /object|download/.test(path)),
            [],
        );
        assert.equal(await patches(), 1);
    });

    it("is not counted as sent where an equal copy came between the look and the lock, and triggers ask for it", async () => {
        const undo = world.life("StateVersionRollback");
        await undo.up(inputs);
        gate.set(async ({ moment, request }) => {
            if (moment !== "before" || !request.path.endsWith("/actions/lock")) return;
            gate.open();
            await api("POST", "/actions/lock", {});
            await rollBack("sv-1");
            await api("POST", "/actions/unlock");
        });
        const again = { ...inputs, triggers: [1] };
        await assert.rejects(undo.up(again), /has become current in the place of/);
        const theirs = await current();
        assert.equal(await undo.up(again), "updated");
        assert.notEqual(await current(), theirs);
        assert.equal(undo.outputs()["previousStateVersionId"], theirs);
    });

    describe("that takes a rollback back", () => {
        it("is not sent over a version that came between the first look and the lock", async () => {
            const undo = world.life("StateVersionRollback");
            await undo.up({ ...inputs, onDelete: "restore" });
            gate.set(async ({ moment, request }) => {
                if (moment !== "before" || !request.path.endsWith("/actions/lock")) return;
                gate.open();
                await api("POST", "/actions/lock", {});
                await rollBack("sv-2");
                await api("POST", "/actions/unlock");
            });
            await undo.destroy();
            const { data } = (await api("GET", "/current-state-version")) as {
                data: { relationships: Record<string, { data?: { id: string } }> };
            };
            assert.equal(data.relationships["rollback-state-version"]?.data?.id, "sv-2");
            assert.match(undo.warnings.join(), /the newer version .* is current/);
        });
    });
});
