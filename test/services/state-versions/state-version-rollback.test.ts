import assert from "node:assert/strict";
import type { Props } from "../../support/pulumi-values";
import { rollbackInputs as inputs, mark, refusal, slow, Workspaces } from "./fixture";

describe("StateVersionRollback", () => {
    const at = new Workspaces();
    const processing = (reads: number) => at.simulator.control("PATCH", "/simulator/processing", { reads });

    describe("create", () => {
        it("locks, sends the document's request, reads the new version, and unlocks", async () => {
            const undo = await at.rollback().deployed(inputs);
            const writes = (await at.simulator.writes()).map(({ method, path, body }) => [method, path, body]);
            const type = "state-versions";
            const workspace = "/api/v2/workspaces/ws-1";
            assert.deepEqual(writes, [
                ["POST", `${workspace}/actions/lock`, { reason: `rolling back to sv-3 ${mark}` }],
                [
                    "PATCH",
                    `${workspace}/state-versions`,
                    { data: { type, relationships: { "rollback-state-version": { data: { type, id: "sv-3" } } } } },
                ],
                ["POST", `${workspace}/actions/unlock`, null],
            ]);
            const { createdAt, ...outputs } = undo.outputs();
            assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT/);
            assert.equal(undo.state?.id, "ws-1");
            const { id } = await at.current();
            const expected = {
                currentStateVersionId: id,
                previousStateVersionId: "sv-4",
                rolledBackFrom: "sv-4",
                serial: 3,
                superseded: false,
            };
            assert.deepEqual({ ...outputs, ...expected }, outputs);
        });

        it("waits with `waitForProcessing` until the version has `resources`, and fails after its time: the next `up` only waits again", async () => {
            await processing(3);
            const undo = at.rollback({}, slow);
            const names = () => (undo.outputs()["resources"] as Props[]).map(({ name }) => name).sort();
            await undo.up({ ...inputs, waitForProcessing: true });
            assert.deepEqual(names(), ["a", "b", "c"]);
            assert(undo.messages.some(({ severity }) => severity === "progress"));

            await processing(1000);
            const other = { ...inputs, stateVersionId: "sv-1", waitForProcessing: "10s" };
            await assert.rejects(undo.up(other), { code: "timeout", message: / after 10 s/ });
            assert.deepEqual([undo.outputs()["unfinished"], undo.outputs()["resources"]], [["wait"], undefined]);
            await undo.refresh();
            for (const made of at.simulator.store.stateVersions.versions) made.processing = 0;
            await at.simulator.forget();
            assert.equal(await undo.up(other), "updated");
            assert.deepEqual(names(), ["a"]);
            assert.equal(undo.outputs()["unfinished"], undefined);
            const paths = new Set((await at.simulator.requests()).map(({ method, path }) => `${method} ${path}`));
            assert.deepEqual([...paths], [`GET /api/v2/state-versions/${undo.outputs()["currentStateVersionId"]}`]);
            assert.equal(await undo.up(other), "same");
        });

        it("has no `resources` before a refresh after the processing", async () => {
            await processing(2);
            const undo = await at.rollback().deployed(inputs);
            assert(!("resources" in undo.outputs()));
            await undo.refresh();
            await undo.refresh();
            assert.equal((undo.outputs()["resources"] as Props[]).length, 3);
            assert.equal(await undo.up(inputs), "same");
        });

        it("waits for a version whose status a server omits, and says so", async () => {
            await processing(3);
            at.simulator.answerWith(async ({ path }, act) => {
                const answer = await act();
                return /state-versions\/sv-/.test(path)
                    ? { ...answer, body: Buffer.from(answer.body.toString().replace(/"status":"\w+",?/, "")) }
                    : answer;
            });
            const undo = await at.rollback().deployed({ ...inputs, waitForProcessing: true });
            at.simulator.answerWith();
            assert.match(undo.messages.map(({ message }) => message).join(), /status is unknown/);
        });

        it("stays `superseded` after the `up` that reads its version, if a refresh has shown another account's newer one", async () => {
            const path = "/state-versions/sv-";
            await at.simulator.fault({ method: "GET", path, skip: 1, times: 0, ...refusal(500) });
            const undo = at.rollback();
            await assert.rejects(undo.up(inputs), { status: 500 });
            await at.simulator.heal();
            await at.others("sv-1");
            await undo.refresh();
            assert.equal(await undo.up(inputs), "updated");
            assert.equal(undo.outputs()["superseded"], true);
            assert.deepEqual(await undo.refresh(), []);
        });
    });

    describe("update", () => {
        it("stores each option without a write", async () => {
            const undo = await at.rollback().deployed(inputs);
            await at.simulator.forget();
            for (const option of [
                { lock: false },
                { lock: { reason: "x" } },
                { keepLocked: true },
                { onDelete: "restore" },
                { enforce: true },
                { waitForProcessing: 60 },
            ]) {
                assert.equal(await undo.up({ ...inputs, ...option }), "updated", JSON.stringify(option));
                await undo.refresh();
                assert.equal(await undo.up({ ...inputs, ...option }), "same");
            }
            assert.deepEqual(await at.writes(), []);
        });
    });

    describe("read", () => {
        it("imports a workspace by its id, with the version that a rollback of another account copied", async () => {
            const { currentStateVersionId, stateVersionId } = (await at.rollback().imported("ws-1")).outputs();
            assert.deepEqual([currentStateVersionId, stateVersionId], ["sv-4", "sv-4"]);
            await assert.rejects(at.rollback().get("ws-nope"), { code: "absent" });
            await at.others("sv-3");
            const undo = await at.rollback().imported("ws-1");
            assert.equal(undo.outputs()["stateVersionId"], "sv-3");
            assert.equal(await undo.up(inputs), "same");
        });
    });
});
