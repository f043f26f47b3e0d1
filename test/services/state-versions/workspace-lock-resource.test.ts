/** Tests WorkspaceLock in both hosts: the lock of a workspace as a resource. */

import assert from "node:assert/strict";
import { ownerOf } from "../../../src/pulumi/deployment-context";
import { lockMark } from "../../../src/services/state-versions/lock-marks";
import { failureOf } from "../../support/failures";
import { Shown } from "../../support/managed-resource";
import { withCode } from "../../support/messages";
import { DeployingProcess } from "../../support/simulator";
import { stateOf } from "../../support/workspaces";
import { refusal, rollbackInputs, Workspaces } from "./fixture";

const inputs = { workspaceId: "ws-1", reason: "deploy freeze" };
const hidden = { method: "GET", path: "/workspaces/ws-1$", times: 0, ...refusal(404) } as const;

for (const isNative of [false, true]) {
    describe(`WorkspaceLock${isNative ? ", native" : ""}`, () => {
        const at = new Workspaces();
        const story = at.stories("WorkspaceLock", inputs, { options: { isNative } });
        const withMark = (reason: string) => `${reason} [statecraft ${isNative ? "" : "o/"}app/dev x::lock]`;
        const lock = withMark("deploy freeze");
        const others = () => at.lock("incident", "outside");
        const byHand = () => at.lock("by hand");
        const life = () => at.simulator.resource("WorkspaceLock");

        story("locks, and shows by whom; blanks at the ends of a reason do not count", {
            inputs: { reason: " deploy freeze\n" },
            leaves: { id: "ws-1", lock, requested: ["lock"] },
            outputs: { reason: " deploy freeze\n", lockedBy: "user-1", unfinished: undefined },
            next: ["same", "destroyed"],
            last: { lock: undefined },
        });
        for (const [what, given, adopt, requested] of [
            ["a killed run is found by its mark", () => at.lock(lock), false, []],
            ["a killed run gets another reason", () => at.lock(withMark("before")), false, ["unlock", "lock"]],
            ["this account is taken over with `adopt`", byHand, true, ["unlock", "lock"]],
        ] as const) {
            story(`of ${what}`, { given, inputs: { adopt }, ends: "created", leaves: { lock, requested } });
        }
        // The hosts differ in the mark alone.
        if (isNative) return;

        for (const [what, given, adopt, message] of [
            ["of another account", others, false, / locked by user user-2 \("incident"\)\..* set `adopt: true`/],
            ["of this account", byHand, false, / locked by user user-1 \("by hand"\)\..* set `adopt: true`/],
            ["of another account, with `adopt`", others, true, / user-2 \("incident"\)\..*of this account only/],
        ] as const) {
            story(`${what} stays, and the error names the holder and the reason`, {
                ...{ given, inputs: { adopt }, ends: { code: "locked", message } },
                leaves: { id: undefined, lock: given === others ? "incident" : "by hand" },
            });
        }

        const taken = () => at.unlock().then(others);
        for (const [what, given] of [
            ["was unlocked", () => at.unlock()],
            ["was taken by another account", taken],
            ["has another lock of this account", () => at.unlock().then(() => at.lock(""))],
        ] as const) {
            story(`is gone if the workspace ${what}`, { deployed: [{}], given, command: "refresh", ends: "gone" });
        }
        const unread = { deployed: [{}], faults: [hidden], leaves: { requested: [] } } as const;
        story("stays in state if no read shows the workspace", { ...unread, command: "refresh", ends: [] });
        story("cannot be released if no read shows the workspace", {
            ...unread,
            command: "destroy",
            warns: "lock-kept",
        });
        story("of another account is not released", {
            ...{ deployed: [{}], given: taken, command: "destroy", warns: "lock-kept", leaves: { lock: "incident" } },
        });

        for (const [what, parts] of [
            ["no reason", /"locked-(reason)":/g],
            ["no reason and no holder", /"locked-(reason|by)":/g],
        ] as const) {
            it(`is the same, and is released, on a server that shows ${what}`, async () => {
                at.simulator.answerWith(async (_, act) => {
                    const answer = await act();
                    return { ...answer, body: Buffer.from(answer.body.toString().replace(parts, '"unknown-$1":')) };
                });
                const freeze = life();
                await freeze.up(inputs);
                assert.deepEqual(await freeze.refresh(), []);
                await freeze.destroy();
                at.simulator.answerWith();
                assert.equal(await at.lockReason(), undefined);
            });
        }
        for (const reason of [
            "see [statecraft rollout] in the wiki",
            "[statecraft",
            "x [statecraft o/app/dev x::lock]",
        ]) {
            story(`has no drift with the reason ${reason}`, {
                ...{ deployed: [{ reason }], command: "refresh", ends: [] },
                leaves: { lock: withMark(reason) },
            });
        }

        for (const [type, program] of [
            ["WorkspaceLock", inputs],
            ["StateVersionRollback", rollbackInputs],
            ["StateVersion", { workspaceId: "ws-1", content: JSON.stringify(stateOf(5)) }],
        ] as const) {
            it(`of another stack is named first to a ${type}, whoever has the token`, async () => {
                await at.lock("change 7: no runs [statecraft acme/ops/prod freeze::lock]");
                const other = at.simulator.resource(type);
                const { message } = await failureOf(other.up(program), Shown);
                const [first = ""] = [...message.split(/\. /)];
                assert.match(first, /^\w+ ws-1: the lock of the WorkspaceLock freeze of acme\/ops\/prod /);
                assert.doesNotMatch(first, /lock: false|adopt/);
                assert.match(
                    (await other.preview(program)).join(),
                    /WorkspaceLock freeze of acme\/ops\/prod .*\[locked\]/,
                );
            });
        }
        for (const name of ["y", "a b", 'z["1"]']) {
            it(`of this program that was ${name} before a rename says so`, async () => {
                await at.lock(`deploy freeze ${lockMark(`${ownerOf("app", "dev", name, "o")}::lock`)}`);
                const { message } = await failureOf(life().up(inputs), Shown);
                assert.match(message, /leaves this program/);
                assert(message.includes(`aliases: [{ name: ${JSON.stringify(name)} }]`), message);
            });
        }

        it("says in its preview what would make it fail, and that a run may start while the lock is replaced", async () => {
            const freeze = life();
            assert.deepEqual(await freeze.preview(inputs), []);
            await freeze.up(inputs);
            const other = { ...inputs, reason: "incident 7" };
            assert.match((await freeze.preview(other)).join(), /\("deploy freeze \[.*a run may start in between/);
            await taken();
            for (const each of [freeze, life()]) assert.match((await each.preview(other)).join(), withCode("locked"));
            assert.match((await life().preview({ ...inputs, adopt: true })).join(), /a run may start in between/);
        });
    });
}

describe("a rollback in the program of a WorkspaceLock of the same name", () => {
    const at = new Workspaces();
    it("expects the lock in its preview with `lock: false`, and does not release it", async () => {
        const process = new DeployingProcess();
        const life = (type: string) => at.simulator.resource(type, { process });
        const [freeze, undo] = [life("WorkspaceLock"), life("StateVersionRollback")];
        await freeze.preview(inputs);
        await undo.preview({ ...rollbackInputs, lock: false });
        assert.deepEqual(undo.warnings, []);
        await freeze.up(inputs);
        await assert.rejects(undo.up(rollbackInputs), { code: "locked", message: /deploy freeze \[statecraft / });
        await undo.up({ ...rollbackInputs, lock: false });
        assert.equal((await at.current()).copyOf, "sv-3");
        assert.match(String(await at.lockReason()), /^deploy freeze/);
    });
});
