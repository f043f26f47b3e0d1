/** Tests the deletion of a rollback, and which version it restores. */

import assert from "node:assert/strict";
import { withCode } from "../../support/messages";
import { record, refusal, rollbackInputs, slow, Workspaces } from "./fixture";

const restoring = { ...rollbackInputs, onDelete: "restore" };

describe("deleting a rollback", () => {
    const at = new Workspaces();

    const story = at.stories("StateVersionRollback", restoring, { deployed: [{}], command: "destroy" });

    story('does not change the workspace with `onDelete: "keep"`, the default', {
        deployed: [{ onDelete: undefined }],
        leaves: { made: 1, writes: [] },
    });
    story("restores nothing if the version before was empty, warns and succeeds", {
        deployed: [{ stateVersionId: "sv-4" }],
        warns: "not-restored",
        leaves: { writes: [] },
    });
    story("restores nothing over a newer version of another account, warns and succeeds", {
        given: () => at.others("sv-1"),
        warns: "not-restored",
        leaves: { writes: [] },
    });

    it("restores nothing if a lost request was done after its run had failed, of which the next `up` warns", async () => {
        await at.simulator.fault({ method: "PATCH", drop: "before" });
        const undo = at.rollback({}, slow);
        await assert.rejects(undo.up(restoring), { code: "undone" });
        await at.others("sv-3");
        assert.equal(await undo.up(restoring), "created");
        assert.match(undo.warnings.join(), withCode("not-restored"));
    });

    for (const [when, ...deployed] of [
        ["before the resource's first rollback", {}, { stateVersionId: "sv-2" }, { triggers: [1] }],
        ["before the first rollback, although an earlier `up` sent none", { stateVersionId: "sv-4" }, {}],
    ] as const) {
        const leaves = { copyOf: "sv-4", lock: undefined };
        story(`restores the version that was current ${when}`, { deployed, leaves });
    }

    it("restores the version of another account that the resource's last rollback replaced", async () => {
        const undo = await at.rollback().deployed(restoring);
        const theirs = await at.others("sv-1");
        await undo.refresh();
        assert.equal(await undo.up({ ...restoring, enforce: true }), "updated");
        assert.equal(undo.outputs()["previousStateVersionId"], theirs);
        await undo.destroy();
        assert.equal((await at.current()).copyOf, theirs);
    });

    it("restores after a refresh", async () => {
        const undo = await at.rollback().deployed(restoring);
        await undo.refresh();
        await undo.destroy();
        assert.equal((await at.current()).copyOf, "sv-4");
    });

    it("restores nothing over the version of another account that an update found", async () => {
        const undo = await at.rollback().deployed(restoring);
        const theirs = await at.others("sv-2");
        await undo.up({ ...restoring, stateVersionId: "sv-2" });
        await undo.destroy();
        assert.equal((await at.current()).id, theirs);
    });

    for (const upload of [false, true]) {
        it(`is no warning if Pulumi did not store that it has restored, with \`upload: ${upload}\``, async () => {
            const undo = await at.rollback().deployed({ ...restoring, upload });
            const { state } = undo;
            await undo.destroy();
            undo.state = state;
            await undo.destroy();
            assert.deepEqual([undo.warnings, await at.made(), await at.lockReason()], [[], 2, undefined]);
        });
    }

    story("restores nothing if another version became current between the first read and the lock", {
        given: () => at.meanwhile(/\/actions\/lock$/, () => at.others("sv-2")),
        warns: "not-restored",
        leaves: { copyOf: "sv-2" },
    });
    for (const [what, answer] of [
        ["cannot be read", refusal(404)],
        ["is retired", record("sv-4", { status: "backing_data_soft_deleted" })],
    ] as const) {
        const faults = [{ method: "GET", path: "/state-versions/sv-4$", times: 0, ...answer }];
        story(`fails with advice if the version to restore ${what}`, {
            faults,
            ends: { code: "not-finalized", message: /`onDelete: "keep"`/ },
            leaves: { lock: undefined },
        });
        story(`restores nothing with \`onDelete: "keep"\` if the version before ${what}`, {
            deployed: [{}, { onDelete: "keep" }],
            faults,
            leaves: { made: 1 },
        });
    }
    story("fails if the token cannot read the workspace", {
        faults: [{ method: "GET", times: 0, ...refusal(404) }],
        ends: { code: "absent" },
    });
});
