/** Chains of rollbacks: which versions are this resource's own, and what was current before them. */

import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/route";
import type { Life } from "../../support/life";
import { plantedToken, World } from "../../support/world";

type Props = Record<string, unknown>;

const state = (serial: number, ...names: string[]) => ({
    version: 4,
    serial,
    lineage: "6c1e54e8-0000-4000-8000-000000000004",
    outputs: {},
    resources: names.map((name) => ({ mode: "managed", type: "server", name, provider: "example", instances: [] })),
});
const seed: Seed = {
    tokens: [
        { token: plantedToken, kind: "user", id: "user-1" },
        { token: "outside", kind: "user", id: "user-2" },
    ],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-0", state: state(0, "a", "b", "c") },
                { id: "sv-1", state: state(1, "a") },
                { id: "sv-2", state: state(2, "a", "b") },
                { id: "sv-3", state: state(3, "a", "b", "c") },
                { id: "sv-4", state: state(4) },
            ],
        },
    ],
};
const inputs = { workspaceId: "ws-1", stateVersionId: "sv-3", onDelete: "restore" };
const type = "state-versions";

describe("a chain of rollbacks", () => {
    let world: World;
    before(async () => {
        world = await World.start(seed);
    });
    beforeEach(() => world.reset());
    after(() => world.close());

    const rollback = () => world.life("StateVersionRollback");
    const api = async (method: string, path: string, body?: unknown, token = "outside"): Promise<Props> => {
        const headers = { authorization: `Bearer ${token}` };
        return ((await world.outside(method, `/api/v2${path}`, body, headers)) as { data: Props }).data;
    };
    const current = async () => {
        const { id, relationships } = await api("GET", "/workspaces/ws-1/current-state-version");
        const source = (relationships as Record<string, { data?: { id: string } }>)["rollback-state-version"];
        return { id: String(id), copyOf: source?.data?.id };
    };
    const rollBackUnlocked = (id: string, token?: string) =>
        api(
            "PATCH",
            "/workspaces/ws-1/state-versions",
            { data: { type, relationships: { "rollback-state-version": { data: { type, id } } } } },
            token,
        );
    /** Somebody else rolls back. */
    const theirs = async (id: string) => {
        await api("POST", "/workspaces/ws-1/actions/lock", {});
        await rollBackUnlocked(id);
        await api("POST", "/workspaces/ws-1/actions/unlock");
        return (await current()).id;
    };
    const writes = async () => (await world.writes()).filter(({ method }) => method === "PATCH").length;
    const told = (life: Life) => {
        const { previousStateVersionId, rolledBackFrom, currentStateVersionId } = life.outputs();
        return { previousStateVersionId, rolledBackFrom, currentStateVersionId };
    };
    /** Its destruction brings this version back. */
    const restores = async (life: Life, id: string) => {
        await life.destroy();
        assert.equal((await current()).copyOf, id);
        assert.deepEqual(life.warnings, []);
    };

    it("goes on while nobody else makes a version", async () => {
        const undo = rollback();
        await undo.up(inputs);
        await undo.up({ ...inputs, stateVersionId: "sv-1" });
        await undo.up({ ...inputs, stateVersionId: "sv-1", triggers: [1] });
        assert.equal(told(undo).previousStateVersionId, "sv-4");
        await restores(undo, "sv-4");
    });

    for (const [what, change] of [
        ["another version", { stateVersionId: "sv-1" }],
        ["changed triggers", { triggers: [1] }],
        ["enforce", { enforce: true }],
    ] as const) {
        it(`begins anew at a version of somebody else, with ${what}`, async () => {
            const undo = rollback();
            await undo.up(inputs);
            const other = await theirs("sv-2");
            if (what === "enforce") await undo.refresh();
            await undo.up({ ...inputs, ...change });
            assert.deepEqual(told(undo), {
                previousStateVersionId: other,
                rolledBackFrom: other,
                currentStateVersionId: (await current()).id,
            });
            await restores(undo, other);
        });
    }

    it("begins anew at an equal copy of somebody else, for changed triggers", async () => {
        const undo = rollback();
        await undo.up(inputs);
        const other = await theirs("sv-3");
        await world.forget();
        await undo.up({ ...inputs, triggers: [1] });
        assert.equal(await writes(), 1);
        assert.equal(told(undo).previousStateVersionId, other);
        assert.equal(await undo.up({ ...inputs, triggers: [1] }), "same");
        await restores(undo, other);
    });

    it("holds nothing of what somebody else made that is just what is wanted now", async () => {
        const undo = rollback();
        await undo.up(inputs);
        const other = await theirs("sv-1");
        await world.forget();
        await undo.up({ ...inputs, stateVersionId: "sv-1" });
        assert.deepEqual(told(undo), {
            previousStateVersionId: "",
            rolledBackFrom: "",
            currentStateVersionId: other,
        });
        await undo.destroy();
        assert.equal(await writes(), 0);
    });

    describe("when an answer is lost", () => {
        const blind = { method: "GET", path: "/current-state-version$", skip: 2, times: 0, drop: "before" } as const;
        /** Nobody can see what became of it. */
        const lost = async (life: Life, given: Props, drop: "before" | "after") => {
            await world.fault({ method: "PATCH", drop }, blind);
            await assert.rejects(life.up(given));
            await world.heal();
            assert.deepEqual(life.outputs()["unfinished"], ["rollback"]);
        };

        for (const refreshes of [false, true]) {
            for (const change of [{ stateVersionId: "sv-1" }, { triggers: [1] }]) {
                const given = { ...inputs, ...change };
                const how = `${JSON.stringify(change)}${refreshes ? ", after a refresh" : ""}`;

                it(`goes on where it was done: ${how}`, async () => {
                    const undo = rollback();
                    await undo.up(inputs);
                    await lost(undo, given, "after");
                    if (refreshes) await undo.refresh();
                    await world.forget();
                    assert.equal(await undo.up(given), "updated");
                    assert.equal(await writes(), 0);
                    assert.equal(told(undo).previousStateVersionId, "sv-4");
                    await restores(undo, "sv-4");
                });

                it(`goes on where it was not done: ${how}`, async () => {
                    const undo = rollback();
                    await undo.up(inputs);
                    await lost(undo, given, "before");
                    if (refreshes) await undo.refresh();
                    await world.forget();
                    assert.equal(await undo.up(given), "updated");
                    assert.equal(await writes(), 1);
                    assert.equal(told(undo).previousStateVersionId, "sv-4");
                    await restores(undo, "sv-4");
                });
            }
        }

        it("begins anew at a version of somebody else before the one that was done", async () => {
            const undo = rollback();
            await undo.up(inputs);
            const other = await theirs("sv-2");
            await lost(undo, { ...inputs, stateVersionId: "sv-1" }, "after");
            await restores(undo, other);
        });

        it("begins anew at a version of somebody else after it", async () => {
            const undo = rollback();
            await lost(undo, inputs, "after");
            const other = await theirs("sv-2");
            await undo.up(inputs);
            await restores(undo, other);
        });

        it("restores the first one, done or not, without another up", async () => {
            for (const drop of ["before", "after"] as const) {
                await world.reset();
                const undo = rollback();
                await lost(undo, inputs, drop);
                await world.forget();
                await undo.destroy();
                assert.equal(await writes(), drop === "after" ? 1 : 0);
                assert.deepEqual(undo.warnings, []);
            }
        });

        it("leaves a version of somebody else that came after the first one, and says so", async () => {
            const undo = rollback();
            await lost(undo, inputs, "after");
            const other = await theirs("sv-2");
            await undo.destroy();
            assert.equal((await current()).id, other);
            assert.match(undo.warnings.join(), new RegExp(`the newer version ${other} is current.*restoring sv-4`));
        });

        it("holds nothing where the first one was not done, and what is current is wanted now", async () => {
            const undo = rollback();
            await lost(undo, inputs, "before");
            await undo.up({ ...inputs, stateVersionId: "sv-4" });
            assert.deepEqual(told(undo), {
                previousStateVersionId: "",
                rolledBackFrom: "",
                currentStateVersionId: "sv-4",
            });
        });

        it("holds nothing of what somebody else made from another version with the same content", async () => {
            const undo = rollback();
            await lost(undo, inputs, "before");
            const other = await theirs("sv-0");
            await world.forget();
            await undo.up(inputs);
            assert.equal(await writes(), 0);
            assert.deepEqual(told(undo), {
                previousStateVersionId: "",
                rolledBackFrom: "",
                currentStateVersionId: other,
            });
        });

        for (const isLeft of [false, true]) {
            it(`does again for the same triggers what was not done, over an equal copy of somebody else${isLeft ? ", under the lock that it left" : ""}`, async () => {
                const undo = rollback();
                await undo.up(inputs);
                const other = await theirs("sv-3");
                if (isLeft) await world.fault({ path: "/actions/unlock$", status: 403, times: 0 });
                await lost(undo, { ...inputs, triggers: [1] }, "before");
                undo.messages.splice(0);
                await world.forget();
                await undo.up({ ...inputs, triggers: [1] });
                assert.equal(await writes(), 1);
                await restores(undo, other);
            });
        }

        it("leaves an equal copy of somebody else where the one for triggers was not done, and says so", async () => {
            const undo = rollback();
            await undo.up(inputs);
            const other = await theirs("sv-3");
            await lost(undo, { ...inputs, triggers: [1] }, "before");
            await undo.destroy();
            assert.equal((await current()).id, other);
            assert.match(undo.warnings.join(), new RegExp(`the newer version ${other} is current.*restoring sv-4`));
        });
    });

    describe("when a run is killed under its lock", () => {
        /** What it leaves behind. */
        const killed = async (id: string) => {
            const reason = `rolling back to ${id} [statecraft o/app/dev x]`;
            await api("POST", "/workspaces/ws-1/actions/lock", { reason }, plantedToken);
            await rollBackUnlocked(id, plantedToken);
            await world.forget();
        };

        for (const change of [{ stateVersionId: "sv-1" }, { triggers: [1] }]) {
            it(`goes on, and nothing is done twice, for ${JSON.stringify(change)}`, async () => {
                const undo = rollback();
                await undo.up(inputs);
                await killed("stateVersionId" in change ? change.stateVersionId : "sv-3");
                await undo.up({ ...inputs, ...change });
                assert.equal(await writes(), 0);
                assert.equal(told(undo).previousStateVersionId, "sv-4");
                await restores(undo, "sv-4");
            });
        }

        it("is done for changed triggers where it was killed before it, over an equal copy of another account", async () => {
            const undo = rollback();
            await undo.up(inputs);
            const other = await theirs("sv-3");
            await api("POST", "/workspaces/ws-1/actions/lock", { reason: "[statecraft o/app/dev x]" }, plantedToken);
            await world.forget();
            await undo.up({ ...inputs, triggers: [1] });
            assert.equal(await writes(), 1);
            await restores(undo, other);
        });

        it("holds nothing of what another account made, though its lock is there", async () => {
            const undo = rollback();
            await undo.up(inputs);
            const other = await theirs("sv-1");
            await api("POST", "/workspaces/ws-1/actions/lock", { reason: "[statecraft o/app/dev x]" }, plantedToken);
            await undo.up({ ...inputs, stateVersionId: "sv-1" });
            assert.equal(told(undo).previousStateVersionId, "");
            assert.equal((await current()).id, other);
        });

        it("is done for changed triggers where it was killed before it", async () => {
            const undo = rollback();
            await undo.up(inputs);
            await api("POST", "/workspaces/ws-1/actions/lock", { reason: "[statecraft o/app/dev x]" }, plantedToken);
            await world.forget();
            await undo.up({ ...inputs, triggers: [1] });
            assert.equal(await writes(), 1);
            await restores(undo, "sv-4");
        });
    });
});
