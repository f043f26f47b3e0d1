/** Tests the deletion of a rollback, and which version it restores. */

import assert from "node:assert/strict";
import { Cut } from "../../support/gate";
import { withCode } from "../../support/messages";
import { contentType, refusal, rollbackInputs, Workspaces } from "./fixture";

const retired = {
    data: { id: "sv-4", type: "state-versions", attributes: { status: "backing_data_soft_deleted" } },
};

const restoring = { ...rollbackInputs, onDelete: "restore" };

describe("deleting a rollback", () => {
    const at = new Workspaces();

    it("does not change the workspace", async () => {
        const undo = at.rollback();
        await undo.up(rollbackInputs);
        await undo.destroy();
        assert.equal(await at.made(), 1);
    });

    for (const [what, prepare] of [
        ["an empty previous version", async () => undefined],
        ["a newer version of another account", () => at.others("sv-1")],
    ] as const) {
        it(`restores nothing with ${what}, warns and succeeds`, async () => {
            const undo = at.rollback();
            await undo.up({ ...restoring, stateVersionId: what.startsWith("an") ? "sv-4" : "sv-3" });
            await prepare();
            await at.simulator.forget();
            await undo.destroy();
            assert.deepEqual(await at.writes(), []);
            assert.match(undo.warnings.join(), withCode("not-restored"));
        });
    }

    it("restores nothing if a lost request was done after its run had failed, of which the next `up` warns", async () => {
        await at.simulator.fault({ method: "PATCH", drop: "before" });
        const undo = at.rollback();
        await assert.rejects(undo.up(restoring), { code: "undone" });
        await at.others("sv-3");
        assert.equal(await undo.up(restoring), "created");
        assert.match(undo.warnings.join(), withCode("not-restored"));
    });

    for (const [what, programs, restored] of [
        ["before the resource's first rollback", [{}, { stateVersionId: "sv-2" }, { triggers: [1] }], "sv-4"],
        ["before the first rollback, although an earlier `up` sent none", [{ stateVersionId: "sv-4" }, {}], "sv-4"],
    ] as const) {
        it(`restores the version that was current ${what}`, async () => {
            const undo = at.rollback();
            for (const program of programs) await undo.up({ ...restoring, ...program });
            await undo.destroy();
            assert.equal((await at.current()).copyOf, restored);
            assert.equal(await at.lockReason(), undefined);
        });
    }

    it("restores the version of another account that the resource's last rollback replaced", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        const theirs = await at.others("sv-1");
        await undo.refresh();
        assert.equal(await undo.up({ ...restoring, enforce: true }), "updated");
        assert.equal(undo.outputs()["previousStateVersionId"], theirs);
        await undo.destroy();
        assert.equal((await at.current()).copyOf, theirs);
    });

    it("restores after a refresh", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        await undo.refresh();
        await undo.destroy();
        assert.equal((await at.current()).copyOf, "sv-4");
    });

    it("restores nothing over the version of another account that an update found", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        const theirs = await at.others("sv-2");
        await undo.up({ ...restoring, stateVersionId: "sv-2" });
        await undo.destroy();
        assert.equal((await at.current()).id, theirs);
    });

    it("restores only once if the answer is lost", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        await at.simulator.fault({ method: "PATCH", drop: "after" });
        await undo.destroy();
        assert.equal(await at.made(), 2);
    });

    it("fails with `lock: false` if the answer is lost and another version becomes current", async () => {
        const undo = at.rollback();
        await at.lock("mine");
        await undo.up({ ...restoring, lock: false });
        at.meanwhile(/^PATCH/, async () => {
            await at.rollBack("sv-2");
            throw new Cut();
        });
        await assert.rejects(undo.destroy(), { code: "open" });
    });

    for (const [what, fail, code] of [
        [
            "the lock could not be released",
            { method: "POST", path: "/actions/unlock$", times: 0, ...refusal(403) },
            "lock-kept",
        ],
        ["the request was lost before it had its effect", { method: "PATCH", drop: "before" }, "undone"],
    ] as const) {
        it(`restores only once if the first \`destroy\` fails because ${what}`, async () => {
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

    it("succeeds again after a restore whose result Pulumi did not store", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        const stored = undo.state;
        await undo.destroy();
        undo.state = stored;
        await undo.destroy();
        assert.equal(await at.made(), 2);
    });

    it("restores nothing if another version became current between the first read and the lock", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        at.meanwhile(/\/actions\/lock$/, () => at.others("sv-2"));
        await undo.destroy();
        assert.equal((await at.current()).copyOf, "sv-2");
        assert.match(undo.warnings.join(), withCode("not-restored"));
    });

    for (const [what, tell] of [
        ["cannot be read", refusal(404)],
        ["is retired", { status: 200, contentType, body: JSON.stringify(retired) }],
    ] as const) {
        it(`fails with advice if the version to restore ${what}`, async () => {
            const undo = at.rollback();
            await undo.up(restoring);
            await at.simulator.fault({ method: "GET", path: "/state-versions/sv-4$", times: 0, ...tell });
            await assert.rejects(undo.destroy(), { code: "not-finalized", message: /`onDelete: "keep"`/ });
            assert.equal(await at.lockReason(), undefined);
            await undo.up(rollbackInputs);
            await undo.destroy();
        });
    }

    it("fails if the token cannot read the workspace", async () => {
        const undo = at.rollback();
        await undo.up(restoring);
        await at.simulator.fault({ method: "GET", times: 0, ...refusal(404) });
        await assert.rejects(undo.destroy(), { code: "absent" });
    });
});
