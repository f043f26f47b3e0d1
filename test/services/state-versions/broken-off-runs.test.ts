/** What a run finds that comes after one that was killed: rollbacks that are done, and locks that nobody released. */

import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { plantedToken, World } from "../../support/world";

type Props = Record<string, unknown>;

const state = (serial: number, ...names: string[]) => ({
    version: 4,
    serial,
    lineage: "6c1e54e8-0000-4000-8000-000000000002",
    outputs: {},
    resources: names.map((name) => ({ mode: "managed", type: "server", name, provider: "example", instances: [] })),
});
const me = plantedToken;
const seed: Seed = {
    tokens: [
        { token: me, kind: "user", id: "user-1" },
        { token: "outside", kind: "user", id: "user-2" },
    ],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: state(1, "a", "b", "c", "d") },
                { id: "sv-2", state: state(2) },
            ],
        },
    ],
};
const inputs = { workspaceId: "ws-1", stateVersionId: "sv-1", lock: true };
const mark = "rolling back to sv-1 [statecraft o/app/dev x]";
const unlockLine = /POST \/workspaces\/ws-1\/actions\/unlock.*actions\/force-unlock/;
const untold = /is locked.*cannot be told, so it was left alone.*run this again/;

describe("after a run that broke off", () => {
    let world: World;
    before(async () => {
        world = await World.start(seed);
    });
    beforeEach(async () => {
        await world.reset();
    });
    after(() => world.close());

    const api = async (method: string, path: string, body?: unknown, token = me): Promise<Props> => {
        const answer = (await world.outside(method, `/api/v2${path}`, body, {
            authorization: `Bearer ${token}`,
        })) as Props;
        return answer["data"] as Props;
    };
    const lock = (reason: string, token = me) => api("POST", "/workspaces/ws-1/actions/lock", { reason }, token);
    const isLocked = async () => ((await api("GET", "/workspaces/ws-1"))["attributes"] as Props)["locked"];
    const type = "state-versions";
    const patchBody = { data: { type, relationships: { "rollback-state-version": { data: { type, id: "sv-1" } } } } };
    /** What a run has done that was killed between its rollback and the end of its lock. */
    const killedUp = async (reason = mark, token = me) => {
        await lock(reason, token);
        await api("PATCH", "/workspaces/ws-1/state-versions", patchBody, token);
        await world.forget();
    };
    const isDoneOnce = async () =>
        assert.deepEqual(
            (await world.writes()).filter(({ method }) => method === "PATCH"),
            [],
        );
    const rollback = () => world.life("StateVersionRollback");
    /** A server that keeps neither holders nor reasons of locks. */
    const silent = () =>
        world.fault({
            method: "GET",
            path: "/workspaces/ws-1$",
            times: 0,
            body: '{"data":{"id":"ws-1","type":"workspaces","attributes":{"locked":true}}}',
            contentType: "application/vnd.api+json",
        });

    describe("that was killed between its rollback and the release of its lock", () => {
        it("the next up finds the rollback done, releases the lock and needs nothing else", async () => {
            await killedUp();
            const undo = rollback();
            assert.equal(await undo.up(inputs), "created");
            await isDoneOnce();
            assert.equal(await isLocked(), false);
            assert.equal(await undo.up(inputs), "same");
            assert.deepEqual(await undo.refresh(), []);
        });

        it("keepLocked keeps it", async () => {
            await killedUp();
            await rollback().up({ ...inputs, keepLocked: true });
            await isDoneOnce();
            assert.equal(await isLocked(), true);
        });

        it("a lock with our mark that another account holds stays, and the error says how to release it", async () => {
            await killedUp(mark, "outside");
            const undo = rollback();
            await assert.rejects(undo.up(inputs), untold);
            await assert.rejects(undo.up(inputs), unlockLine);
            assert.equal(await isLocked(), true);
            await api("POST", "/workspaces/ws-1/actions/unlock", undefined, "outside");
            assert.equal(await undo.up(inputs), "created");
            await isDoneOnce();
        });

        it("a lock of somebody else is none of ours: nothing is to be done", async () => {
            await killedUp("deploy freeze", "outside");
            await rollback().up(inputs);
            assert.deepEqual(await world.writes(), []);
            assert.equal(await isLocked(), true);
        });

        it("on a server that tells neither holder nor reason it is an error that says how to release the lock", async () => {
            await killedUp();
            await silent();
            const undo = rollback();
            await assert.rejects(undo.up(inputs), untold);
            await assert.rejects(undo.up(inputs), unlockLine);
            assert.deepEqual(await world.writes(), []);
            await world.heal();
            await api("POST", "/workspaces/ws-1/actions/unlock");
            assert.equal(await undo.up(inputs), "created");
        });

        it("on a server that does not tell whose account the token's is, as well", async () => {
            await killedUp();
            const body = '{"errors":[{"status":"404","title":"not found"}]}';
            const contentType = "application/vnd.api+json";
            await world.fault({ path: "/account/details$", times: 0, status: 404, body, contentType });
            await assert.rejects(rollback().up(inputs), untold);
            assert.equal(await isLocked(), true);
        });
    });

    describe("whose program takes no lock any more", () => {
        const stays =
            /the workspace ws-1 stays locked by user user-1 \("rolling back .*POST \/workspaces\/ws-1\/actions\/unlock/;

        for (const [what, leave] of [
            ["before", () => lock(mark)],
            ["after", () => killedUp()],
        ] as const) {
            it(`warns of the lock of a run that was killed ${what} its rollback`, async () => {
                await leave();
                const undo = rollback();
                assert.equal(await undo.up({ ...inputs, lock: false }), "created");
                assert.match(undo.warnings.join(), stays);
                assert.equal(await isLocked(), true);
            });
        }

        it("says nothing of a lock that the user took", async () => {
            await lock("deploy freeze");
            const undo = rollback();
            await undo.up({ ...inputs, lock: false });
            assert.deepEqual(undo.warnings, []);
        });
    });

    describe("that was killed between taking the lock and its rollback", () => {
        it("the next up takes the lock over, rolls back once and releases it", async () => {
            await lock(mark);
            await rollback().up(inputs);
            assert.equal(await isLocked(), false);
            assert.equal((await world.writes()).filter(({ method }) => method === "PATCH").length, 1);
        });

        for (const [whose, leave] of [
            ["another account's", () => lock(mark, "outside")],
            ["one on a server that tells nothing", silent],
        ] as const) {
            it(`${whose} is left alone, and the error says how to release it`, async () => {
                await leave();
                await assert.rejects(rollback().up(inputs), untold);
                await assert.rejects(rollback().up(inputs), unlockLine);
                assert.deepEqual(
                    (await world.writes()).filter(({ method }) => method === "PATCH"),
                    [],
                );
            });
        }

        it("one of the own account without a reason may be the user's: it is used, and left", async () => {
            await lock("");
            const undo = rollback();
            await undo.up(inputs);
            assert.equal(await isLocked(), true);
            assert.match(undo.messages.map(({ message }) => message).join(), /ws-1 was locked by user user-1 before/);
        });

        it("another resource's or stack's is left alone, and the error names it", async () => {
            for (const reason of ["x [statecraft o/app/prod x]", "x [statecraft o/app/dev y]"]) {
                await lock(reason);
                await assert.rejects(rollback().up(inputs), (error: Error) => {
                    assert(
                        error.message.includes(`is locked by user user-1 (${JSON.stringify(reason)})`),
                        error.message,
                    );
                    assert.match(error.message, unlockLine);
                    return true;
                });
                await api("POST", "/workspaces/ws-1/actions/unlock");
            }
        });
    });

    describe("that was killed in an update", () => {
        it("a refresh tells of the lock that is left, and the next up releases it", async () => {
            const undo = rollback();
            await undo.up(inputs);
            await undo.refresh();
            await lock(mark);
            assert.deepEqual(await undo.refresh(), ["unfinished"]);
            assert.match(undo.warnings.join(), /left the workspace ws-1 locked; the next `pulumi up`/);
            assert.equal(await isLocked(), true, "a refresh changes nothing");
            assert.equal(await undo.up(inputs), "updated");
            assert.equal(await isLocked(), false);
            assert.equal(await undo.up(inputs), "same");
            assert.deepEqual(await undo.refresh(), []);
        });

        it("a refresh tells of a lock that may be its, where the server does not tell whose it is", async () => {
            const undo = rollback();
            await undo.up(inputs);
            await undo.refresh();
            await silent();
            assert.deepEqual(await undo.refresh(), []);
            assert.match(undo.warnings.join(), untold);
            assert.match(undo.warnings.join(), unlockLine);
        });

        it("a resource or stack that got another name since releases what it left under the former one", async () => {
            const renamed = () => world.life("StateVersionRollback", { stack: "prod" });
            const undo = rollback();
            await world.fault({ method: "POST", path: "/actions/unlock$", times: 0, status: 403, body: "" });
            await assert.rejects(undo.up(inputs), /its lock was not released/);
            await world.heal();
            const other = renamed();
            other.state = undo.state;
            assert.equal(await other.up(inputs), "updated");
            assert.equal(await isLocked(), false);

            const kept = rollback();
            await kept.up({ ...inputs, keepLocked: true, triggers: [1] });
            await lock(mark);
            const heir = renamed();
            heir.state = kept.state;
            assert.equal(await heir.up({ ...inputs, triggers: [2] }), "updated");
            assert.equal(await isLocked(), false);
        });

        it("also when the program has given up its lock meanwhile", async () => {
            const undo = rollback();
            await undo.up(inputs);
            await lock(mark);
            await undo.refresh();
            assert.equal(await undo.up({ ...inputs, lock: false }), "updated");
            assert.equal(await isLocked(), false);
        });

        it("a destroy releases it, and leaves and tells of one that may be somebody else's", async () => {
            const first = rollback();
            await first.up(inputs);
            await lock(mark);
            await first.destroy();
            assert.equal(await isLocked(), false);

            const second = rollback();
            await second.up(inputs);
            await lock(mark, "outside");
            await second.destroy();
            assert.equal(await isLocked(), true);
            assert.match(second.warnings.join(), unlockLine);
        });
    });

    it("a destroy that was killed after it had restored releases the lock and restores nothing twice", async () => {
        const undo = rollback();
        await undo.up({ ...inputs, onDelete: "restore" });
        const kept = undo.state;
        await undo.destroy();
        await lock(mark);
        await world.forget();
        undo.state = kept;
        await undo.destroy();
        await isDoneOnce();
        assert.equal(await isLocked(), false);
    });

    it("a state that a killed run has uploaded is taken for the own one, and its lock released", async () => {
        const content = JSON.stringify(state(3, "a"));
        const version = { workspaceId: "ws-1", content, lock: true };
        const first = world.life("StateVersion");
        await first.up(version);
        await lock("making a version [statecraft o/app/dev x]");
        await world.forget();
        assert.deepEqual(await first.refresh(), ["unfinished"]);
        assert.match(first.warnings.join(), /left the workspace ws-1 locked; the next `pulumi up`/);
        const second = world.life("StateVersion");
        await second.up(version);
        assert.equal(second.state?.id, first.state?.id);
        assert.equal(await isLocked(), false);
        assert.deepEqual(
            (await world.writes()).map(({ path }) => path.split("/").at(-1)),
            ["unlock"],
        );
    });
});
