import assert from "node:assert/strict";
import type { Props } from "../../support/pulumi-values";
import { rollbackInputs as inputs, mark, refusal, slow, Workspaces } from "./fixture";

describe("StateVersionRollback", () => {
    const at = new Workspaces();
    const story = at.stories("StateVersionRollback", inputs);
    const processing = (reads: number) => at.simulator.control("PATCH", "/simulator/processing", { reads });

    describe("check", () => {
        it("refuses all wrong inputs at once", async () => {
            const wrong = { workspaceId: "ws/1", stateVersionId: "../x", lock: "yes", waitForProcessing: "soon" };
            const paths = ["workspaceId", "stateVersionId", "waitForProcessing", "lock"];
            await assert.rejects(at.rollback().check(wrong), { paths });
        });
    });

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

        it("waits with `waitForProcessing` until the version is processed, and then has `resources`", async () => {
            await processing(3);
            const undo = await at.rollback().deployed({ ...inputs, waitForProcessing: true });
            const resources = undo.outputs()["resources"] as Props[];
            assert.deepEqual(resources.map(({ name }) => name).sort(), ["a", "b", "c"]);
            assert(undo.messages.some(({ severity }) => severity === "progress"));
            assert.equal(await undo.up({ ...inputs, waitForProcessing: true }), "same");
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

        it("fails after the time of `waitForProcessing`; the next `up` only waits again", async () => {
            await processing(1000);
            const waiting = { ...inputs, waitForProcessing: "10s" };
            const undo = at.rollback({}, slow);
            await assert.rejects(undo.up(waiting), { code: "timeout" });
            assert.deepEqual(undo.outputs()["unfinished"], ["wait"]);
            await undo.refresh();
            for (const made of at.simulator.store.stateVersions.versions) made.processing = 0;
            await at.simulator.forget();
            assert.equal(await undo.up(waiting), "updated");
            assert.equal(undo.outputs()["unfinished"], undefined);
            const paths = new Set((await at.simulator.requests()).map(({ method, path }) => `${method} ${path}`));
            assert.deepEqual([...paths], [`GET /api/v2/state-versions/${undo.outputs()["currentStateVersionId"]}`]);
            assert.equal(await undo.up(waiting), "same");
        });

        it("has no `resources` of the version before if the wait for those of the new version fails", async () => {
            const undo = await at.rollback({}, slow).deployed({ ...inputs, waitForProcessing: true });
            await processing(1000);
            const other = { ...inputs, stateVersionId: "sv-1", waitForProcessing: "10s" };
            await assert.rejects(undo.up(other), { code: "timeout" });
            assert.equal(undo.outputs()["resources"], undefined);
            for (const made of at.simulator.store.stateVersions.versions) made.processing = 0;
            assert.equal(await undo.up(other), "updated");
            const resources = undo.outputs()["resources"] as Props[];
            const names = resources.map(({ name }) => name);
            assert.deepEqual(names, ["a"]);
        });

        /** Makes all later reads of the rollback's new version fail. */
        const hideMade = () =>
            at.simulator.fault({ method: "GET", path: "/state-versions/sv-", skip: 1, times: 0, ...refusal(500) });

        story("stays in state if the new version cannot be read; the next `up` reads the version", {
            given: hideMade,
            ends: { status: 500 },
            leaves: { id: "ws-1" },
            outputs: { unfinished: ["readBack"] },
            next: ["updated"],
            last: { made: 1 },
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
            await hideMade();
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
        it("sets `superseded` for a newer version, which is no change", async () => {
            const undo = await at.rollback().deployed(inputs);
            await undo.refresh();
            await at.others("sv-1");
            assert.deepEqual(await undo.refresh(), ["superseded"]);
            assert.equal(await undo.up(inputs), "same");
        });

        const faults = [{ times: 0, ...refusal(403) }];
        story("fails after a 403", { deployed: [{}], command: "refresh", faults, ends: { status: 403 } });

        it("imports a workspace by its id", async () => {
            const undo = await at.rollback().imported("ws-1");
            assert.equal(undo.outputs()["currentStateVersionId"], "sv-4");
            assert.equal(undo.outputs()["stateVersionId"], "sv-4");
            await assert.rejects(at.rollback().get("ws-nope"), { code: "absent" });
        });

        it("imports the version that another account's rollback copied as `stateVersionId`", async () => {
            await at.others("sv-3");
            const undo = await at.rollback().imported("ws-1");
            assert.equal(undo.outputs()["stateVersionId"], "sv-3");
            assert.equal(await undo.up(inputs), "same");
        });
    });
});
