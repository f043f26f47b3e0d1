/** What deleting a rollback does: which version comes back stands in the table of `rollback-status.test.ts`. */

import assert from "node:assert/strict";
import {
    lockLeft,
    neededToRestore,
    notRestorable,
    notRestored,
} from "../../../src/services/state-versions/rollback-failures";
import { failureOf } from "../../support/failures";
import { Shown } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { contentType, refusal, rollbackInputs, Workspaces } from "./fixture";

const retired = {
    data: { id: "sv-4", type: "state-versions", attributes: { status: "backing_data_soft_deleted" } },
};

const restoring = { ...rollbackInputs, onDelete: "restore" };

describe("deleting a rollback", () => {
    const at = new Workspaces();

    for (const lock of [true, false]) {
        it(`leaves the workspace as it is, also when the service is gone, with lock: ${lock}`, async () => {
            await at.lock("mine");
            const undo = at.rollback();
            await undo.up({ ...rollbackInputs, lock });
            await at.simulator.forget();
            await at.simulator.fault({ drop: "before", times: 0 });
            await undo.destroy();
            await at.simulator.heal();
            const asked = new Set((await at.simulator.requests()).map(({ method, path }) => `${method} ${path}`));
            // A lock that it may have left is looked for.
            assert.deepEqual([...asked], lock ? ["GET /api/v2/workspaces/ws-1"] : []);
            assert.equal(undo.warnings.length, lock ? 1 : 0);
            if (lock) assert.match(undo.warnings.join(), wordsOf(lockLeft));
        });
    }

    it("restores the former state, and releases the lock", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        await undo.destroy();
        assert.equal((await at.current()).serial, 4);
        assert.equal(await at.lockReason(), undefined);
    });

    it("does nothing where state was changed by hand to something that is no id", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        assert(undo.state);
        undo.state.outputs["previousStateVersionId"] = 4;
        await at.simulator.forget();
        const { code, message } = await failureOf(undo.destroy(), Shown);
        assert.equal(code, "input");
        assert.match(message, wordsOf(neededToRestore));
        assert.match(message, /previousStateVersionId/);
        assert.deepEqual(await at.simulator.requests(), []);
    });

    it("restores once, also when the answer is lost", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        await at.simulator.fault({ method: "PATCH", drop: "after" });
        await undo.destroy();
        assert.equal(await at.made(), 2);
    });

    for (const [what, fail, code] of [
        [
            "its lock was not released",
            { method: "POST", path: "/actions/unlock$", times: 0, ...refusal(403) },
            "still-locked",
        ],
        ["its answer was lost before it was done", { method: "PATCH", drop: "before" }, "undone"],
    ] as const) {
        it(`restores once where ${what} at first`, async () => {
            const undo = at.rollback();
            await undo.up(restoring);
            await at.simulator.fault(fail);
            await assert.rejects(undo.destroy(), { code });
            await at.simulator.heal();
            await undo.destroy();
            assert.equal(await at.lockReason(), undefined);
            assert.equal(await at.made(), 2);
        });
    }

    it("restores under its own lock, and then releases the one that it had left, with lock: false", async () => {
        const undo = at.rollback();
        await at.simulator.fault({ method: "POST", path: "/actions/unlock$", times: 0, ...refusal(403) });
        await assert.rejects(undo.up(restoring), { code: "still-locked" });
        await at.simulator.heal();
        await undo.refresh();
        if (undo.state) undo.state.outputs = { ...undo.state.outputs, lock: false };
        await undo.destroy();
        assert.equal((await at.current()).copyOf, "sv-4");
        assert.equal(await at.lockReason(), undefined);
    });

    it("succeeds again after a restore whose end was lost", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        const kept = undo.state;
        await undo.destroy();
        undo.state = kept;
        await undo.destroy();
        assert.equal(await at.made(), 2);
    });

    it("restores nothing over a version that came between the first look and the lock", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        at.meanwhile(/\/actions\/lock$/, () => at.others("sv-2"));
        await undo.destroy();
        assert.equal((await at.current()).copyOf, "sv-2");
        assert.match(undo.warnings.join(), wordsOf(notRestored));
    });

    for (const [what, tell] of [
        ["cannot be read", refusal(404)],
        ["is retired", { status: 200, contentType, body: JSON.stringify(retired) }],
    ] as const) {
        it(`says how to go on where the version to restore ${what}`, async () => {
            const undo = at.rollback();
            await undo.up(restoring);
            await at.simulator.fault({ method: "GET", path: "/state-versions/sv-4$", times: 0, ...tell });
            await assert.rejects(undo.destroy(), (error: Shown) => {
                assert.equal(error.code, "not-finalized");
                assert.match(error.message, wordsOf(notRestorable));
                assert.match(error.message, /set `onDelete: "keep"`, run `pulumi up`/);
                assert(!/stateVersionId/.test(error.message));
                return true;
            });
            assert.equal(await at.lockReason(), undefined);
            await undo.up(rollbackInputs);
            await undo.destroy();
        });
    }

    it("is an error when the workspace may not be seen: it does not claim to have restored", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        await at.simulator.fault({ method: "GET", times: 0, ...refusal(404) });
        await assert.rejects(undo.destroy(), {
            code: "not-found",
            message: /Nothing was restored.* If the workspace is gone, `pulumi state delete` forgets this resource\./,
        });
    });
});
