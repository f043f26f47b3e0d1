/** Chains of rollbacks: which versions are this resource's own, and what was current before them. */

import assert from "node:assert/strict";
import { notRestored } from "../../../src/services/state-versions/rollback-failures";
import { canaryToken } from "../../support/canaries";
import type { ManagedResource } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { contentType, lostRollback, mark, type Props, rollbackInputs, Workspaces } from "./fixture";

const inputs = { ...rollbackInputs, onDelete: "restore" };
const other = { ...inputs, stateVersionId: "sv-1" };
const triggered = { ...inputs, triggers: [1] };

describe("the status of a rollback", () => {
    const at = new Workspaces();

    const idsOf = (life: ManagedResource) => {
        const { previousStateVersionId, rolledBackFrom, currentStateVersionId } = life.outputs();
        return { previousStateVersionId, rolledBackFrom, currentStateVersionId };
    };
    /** An attempt that stays open, or that is seen to have done nothing. */
    const lost = async (life: ManagedResource, given: Props, drop: "before" | "after", isSeen = false) => {
        const [cut, blind] = lostRollback(drop);
        await at.simulator.fault(cut, ...(isSeen ? [] : [blind]));
        await assert.rejects(life.up(given), { code: isSeen ? "undone" : "open" });
        await at.simulator.heal();
        assert.deepEqual(life.outputs()["unfinished"], ["rollback"]);
    };
    const restores = async (life: ManagedResource, id: string) => {
        await life.destroy();
        assert.equal((await at.current()).copyOf, id);
        assert.deepEqual(life.warnings, []);
    };

    /** What was done, and the inputs at last. The result is what another account made in between. */
    const histories = {
        found: async (life: ManagedResource) => void (await life.up({ ...inputs, stateVersionId: "sv-4" })),
        made: async (life: ManagedResource) => void (await life.up(inputs)),
        "open, not done": (life: ManagedResource) => lost(life, inputs, "before"),
        "open, done": (life: ManagedResource) => lost(life, inputs, "after"),
        undone: (life: ManagedResource) => lost(life, inputs, "before", true),
        "made; undone": async (life: ManagedResource) => {
            await life.up(inputs);
            await lost(life, other, "before", true);
        },
        "made; open, not done": async (life: ManagedResource) => {
            await life.up(inputs);
            await lost(life, other, "before");
        },
        "made; open, done": async (life: ManagedResource) => {
            await life.up(inputs);
            await lost(life, other, "after");
        },
        "made; open for triggers, not done": async (life: ManagedResource) => {
            await life.up(inputs);
            await lost(life, triggered, "before");
        },
        "made; open for triggers, done": async (life: ManagedResource) => {
            await life.up(inputs);
            await lost(life, triggered, "after");
        },
        "made; another's; open, done": async (life: ManagedResource) => {
            await life.up(inputs);
            const between = await at.others("sv-2");
            await lost(life, other, "after");
            return between;
        },
    };
    const inputsAfter = (history: string): Props => {
        if (history === "found") return { ...inputs, stateVersionId: "sv-4" };
        if (history.includes("triggers")) return triggered;
        return history.startsWith("made;") ? other : inputs;
    };

    // After the history, nobody or another account made a version. Then a refresh says whether that supersedes, an `up` of the same inputs
    // sends so many rollbacks, an `up` with new triggers leaves this as previous version, and a destroy restores this one, or warns.
    // biome-ignore format: a table
    const table = [
        { history: "found", since: "nobody", superseded: false, sends: 0, previous: "sv-4", restores: "nothing" },
        { history: "found", since: "another", superseded: true, sends: 0, previous: "since", restores: "nothing" },
        { history: "made", since: "nobody", superseded: false, sends: 0, previous: "sv-4", restores: "sv-4" },
        { history: "made", since: "another", superseded: true, sends: 0, previous: "since", restores: "warns" },
        { history: "open, not done", since: "nobody", superseded: false, sends: 1, previous: "sv-4", restores: "nothing" },
        { history: "open, not done", since: "another", superseded: false, sends: 1, previous: "since", restores: "warns" },
        { history: "open, done", since: "nobody", superseded: false, sends: 0, previous: "sv-4", restores: "sv-4" },
        { history: "open, done", since: "another", superseded: false, sends: 1, previous: "since", restores: "warns" },
        { history: "undone", since: "nobody", superseded: false, sends: 1, previous: "sv-4", restores: "nothing" },
        { history: "undone", since: "another", superseded: true, sends: 1, previous: "since", restores: "nothing" },
        { history: "made; undone", since: "nobody", superseded: false, sends: 1, previous: "sv-4", restores: "sv-4" },
        { history: "made; undone", since: "another", superseded: true, sends: 1, previous: "since", restores: "warns" },
        { history: "made; open, not done", since: "nobody", superseded: false, sends: 1, previous: "sv-4", restores: "sv-4" },
        { history: "made; open, not done", since: "another", superseded: false, sends: 1, previous: "since", restores: "warns" },
        { history: "made; open, done", since: "nobody", superseded: false, sends: 0, previous: "sv-4", restores: "sv-4" },
        { history: "made; open, done", since: "another", superseded: false, sends: 1, previous: "since", restores: "warns" },
        { history: "made; open for triggers, not done", since: "nobody", superseded: false, sends: 1, previous: "sv-4", restores: "sv-4" },
        { history: "made; open for triggers, not done", since: "another", superseded: false, sends: 1, previous: "since", restores: "warns" },
        { history: "made; open for triggers, done", since: "nobody", superseded: false, sends: 0, previous: "sv-4", restores: "sv-4" },
        { history: "made; open for triggers, done", since: "another", superseded: false, sends: 1, previous: "since", restores: "warns" },
        { history: "made; another's; open, done", since: "nobody", superseded: false, sends: 0, previous: "between", restores: "between" },
        { history: "made; another's; open, done", since: "another", superseded: false, sends: 1, previous: "since", restores: "warns" },
    ] as const;
    for (const { history, since, superseded, sends, previous, restores: restored } of table) {
        describe(`${history}; since then ${since}`, () => {
            let undo: ManagedResource;
            let ids: Record<string, string>;
            beforeEach(async () => {
                undo = at.rollback();
                const between = (await histories[history](undo)) ?? "";
                ids = { between, since: since === "another" ? await at.others("sv-2") : "" };
                await at.simulator.forget();
            });

            for (const refreshes of [false, true]) {
                it(`the same inputs${refreshes ? ", after a refresh" : ""}`, async () => {
                    if (refreshes) {
                        await undo.refresh();
                        assert.equal(undo.outputs()["superseded"], superseded);
                    }
                    const again = inputsAfter(history);
                    await undo.up(again);
                    assert.equal(await at.patches(), sends);
                    assert.equal(await undo.up(again), "same");
                });
            }

            it("new triggers", async () => {
                const before = await at.current();
                await undo.up({ ...inputsAfter(history), triggers: ["new"] });
                assert.equal(await at.patches(), 1);
                assert.deepEqual(idsOf(undo), {
                    previousStateVersionId: ids[previous] ?? previous,
                    rolledBackFrom: before.id,
                    currentStateVersionId: (await at.current()).id,
                });
                await restores(undo, ids[previous] ?? previous);
            });

            it("destroyed", async () => {
                const before = await at.current();
                await undo.destroy();
                const after = await at.current();
                if (restored === "nothing" || restored === "warns") assert.equal(after.id, before.id);
                else assert.equal(after.copyOf, ids[restored] ?? restored);
                const warning = new RegExp(
                    `the newer version ${ids["since"]} is current.*restoring (sv-4|${ids["between"]})`,
                );
                if (restored === "warns") assert.match(undo.warnings.join(), warning);
                else assert.deepEqual(undo.warnings, []);
            });
        });
    }

    it("goes on with the chain for another version", async () => {
        const undo = at.rollback();
        await undo.up(inputs);
        const first = (await at.current()).id;
        assert.equal(await undo.up(other), "updated");
        assert.deepEqual(idsOf(undo), {
            previousStateVersionId: "sv-4",
            rolledBackFrom: first,
            currentStateVersionId: (await at.current()).id,
        });
        await undo.refresh();
        assert.equal(await undo.up(other), "same");
        await restores(undo, "sv-4");
    });

    it("begins a chain at another account's version with enforce, after a refresh", async () => {
        const enforced = { ...inputs, enforce: true };
        const undo = at.rollback();
        await undo.up(enforced);
        const theirs = await at.others("sv-2");
        await undo.refresh();
        assert.equal((await undo.diff(enforced)).changes, true);
        assert.equal(await undo.up(enforced), "updated");
        assert.equal(undo.outputs()["superseded"], false);
        assert.equal(await undo.up(enforced), "same");
        await restores(undo, theirs);
    });

    it("begins a chain at an equal copy of another account, for changed triggers", async () => {
        const undo = at.rollback();
        await undo.up(inputs);
        const theirs = await at.others("sv-3");
        await at.simulator.forget();
        await undo.up({ ...inputs, triggers: [1] });
        assert.equal(await at.patches(), 1);
        await restores(undo, theirs);
    });

    for (const [what, leave, wanted, content] of [
        ["which another account made current", (undo: ManagedResource) => undo.up(inputs), "sv-1", "sv-1"],
        ["after an attempt without effect", (undo: ManagedResource) => lost(undo, inputs, "before"), "sv-4", undefined],
        [
            "which another account made current after an attempt that was seen to do nothing",
            (undo: ManagedResource) => lost(undo, inputs, "before", true),
            "sv-3",
            "sv-3",
        ],
        [
            "of another version with equal content",
            (undo: ManagedResource) => lost(undo, inputs, "before"),
            "sv-3",
            "sv-0",
        ],
    ] as const) {
        it(`owns nothing of what is wanted and current ${what}`, async () => {
            const undo = at.rollback();
            await leave(undo);
            const found = content === undefined ? "sv-4" : await at.others(content);
            await at.simulator.forget();
            assert.equal(await undo.up({ ...inputs, stateVersionId: wanted }), "updated");
            assert.deepEqual(idsOf(undo), {
                previousStateVersionId: "",
                rolledBackFrom: "",
                currentStateVersionId: found,
            });
            await undo.destroy();
            assert.equal(await at.patches(), 0);
        });
    }

    for (const [isLeft, token] of [
        [false, "outside"],
        [true, "outside"],
        [true, canaryToken],
    ] as const) {
        const where = isLeft
            ? `, under the lock that it left, made by ${token === "outside" ? "another" : "the same"} account`
            : "";
        it(`repeats an attempt for triggers that did nothing, over an equal copy${where}`, async () => {
            const undo = at.rollback();
            await undo.up(inputs);
            const theirs = await at.others("sv-3", token);
            if (isLeft) await at.simulator.fault({ path: "/actions/unlock$", status: 403, times: 0 });
            await lost(undo, { ...inputs, triggers: [1] }, "before");
            undo.messages.splice(0);
            await at.simulator.forget();
            await undo.up({ ...inputs, triggers: [1] });
            assert.equal(await at.patches(), 1);
            await restores(undo, theirs);
        });
    }

    it("owns what an open attempt made, also on a server that does not say what it is a copy of", async () => {
        const undo = at.rollback();
        await lost(undo, inputs, "after");
        const { relationships: _, ...record } = await at.api("GET", "/current-state-version");
        const body = JSON.stringify({ data: record });
        await at.simulator.fault({ method: "GET", path: "/current-state-version$", times: 2, body, contentType });
        assert.equal(await undo.up(inputs), "updated");
        assert.equal(await at.made(), 1);
        await restores(undo, "sv-4");
    });

    it("takes an attempt that succeeded, as states of version 0.1.0 hold it, for done", async () => {
        const undo = at.rollback();
        await undo.up(inputs);
        assert(undo.state);
        const { currentStateVersionId: made, ...outputs } = undo.state.outputs;
        const attempt = { from: "sv-4", target: "sv-3", made };
        undo.state = { ...undo.state, outputs: { ...outputs, currentStateVersionId: made, attempt } };
        await at.others("sv-2");
        await undo.refresh();
        assert.equal(undo.outputs()["superseded"], true);
    });

    it("leaves an equal copy where an attempt for triggers did nothing, and says so", async () => {
        const undo = at.rollback();
        await undo.up(inputs);
        const theirs = await at.others("sv-3");
        await lost(undo, { ...inputs, triggers: [1] }, "before");
        await undo.destroy();
        assert.equal((await at.current()).id, theirs);
        assert.match(undo.warnings.join(), wordsOf(notRestored));
    });

    describe("after a run that was killed under its lock", () => {
        for (const change of [{ stateVersionId: "sv-1" }, { triggers: [1] }]) {
            it(`goes on, and does nothing twice, for ${JSON.stringify(change)}`, async () => {
                const undo = at.rollback();
                await undo.up(inputs);
                await at.lock(mark);
                await at.rollBack("stateVersionId" in change ? change.stateVersionId : "sv-3");
                await at.simulator.forget();
                await undo.up({ ...inputs, ...change });
                assert.equal(await at.patches(), 0);
                assert.equal(idsOf(undo).previousStateVersionId, "sv-4");
                await restores(undo, "sv-4");
            });
        }

        for (const copies of [false, true]) {
            it(`rolls back for changed triggers where it did not${copies ? ", over an equal copy of another account" : ""}`, async () => {
                const undo = at.rollback();
                await undo.up(inputs);
                const previous = copies ? await at.others("sv-3") : "sv-4";
                await at.lock(mark);
                await at.simulator.forget();
                await undo.up({ ...inputs, triggers: [1] });
                assert.equal(await at.patches(), 1);
                await restores(undo, previous);
            });
        }

        it("owns nothing of what another account made", async () => {
            const undo = at.rollback();
            await undo.up(inputs);
            const theirs = await at.others("sv-1");
            await at.lock(mark);
            await undo.up(other);
            assert.deepEqual(idsOf(undo), {
                previousStateVersionId: "",
                rolledBackFrom: "",
                currentStateVersionId: theirs,
            });
        });
    });
});
