/** Tests when a resource locks a workspace, uses an existing lock and unlocks. */

import assert from "node:assert/strict";
import { failureOf } from "../../support/failures";
import { Cut } from "../../support/gate";
import { Shown, unsealed } from "../../support/managed-resource";
import { withCode } from "../../support/messages";
import type { Props } from "../../support/pulumi-values";
import { DeployingProcess } from "../../support/simulator";
import { stateOf } from "../../support/workspaces";
import { contentType, mark, record, refusal, rollbackInputs, slow, strict, unreleasable, Workspaces } from "./fixture";

const uploaded = { workspaceId: "ws-1", content: JSON.stringify(stateOf(5, "c")) };
const locking = /\/actions\/lock$/;
const releasing = /\/actions\/unlock$/;
const hidden = { method: "GET", path: "/workspaces/ws-1$", times: 0, ...refusal(404) } as const;
const pending = { ...refusal(409), body: '{"errors":[{"detail":"latest state version is still pending"}]}' };

describe("the lock of a workspace", () => {
    const at = new Workspaces();
    const rolling = at.stories("StateVersionRollback", rollbackInputs);
    const cut = async (_?: unknown) => {
        throw new Cut();
    };
    const lockThenCut = (reason: string, token?: string) => at.lock(reason, token).then(cut);
    /** Locks `ws-1` as a run does. */
    const byRun = (id: string) => {
        const workspace = at.simulator.store.stateVersions.workspaces.find(({ id }) => id === "ws-1");
        assert(workspace);
        workspace.lock = { by: { type: "runs", id }, reason: "" };
    };

    for (const [type, inputs] of [
        ["StateVersionRollback", rollbackInputs],
        ["StateVersion", uploaded],
    ] as const) {
        describe(`with ${type}`, () => {
            const life = () => at.simulator.resource(type);
            const story = at.stories(type, inputs);
            const warningsOfPreview = async (resource: ReturnType<typeof life>) => {
                await resource.preview(inputs);
                return resource.warnings;
            };

            it("is taken during the action, with the reason of `lock`", async () => {
                let shown: unknown;
                at.meanwhile(/\/state-versions$/, async () => {
                    shown = await at.lockReason();
                });
                await life().up({ ...inputs, lock: { reason: "incident 7" } });
                assert.equal(shown, `incident 7 ${mark}`);
                assert.deepEqual(await at.requested(), ["lock", "state-versions", "unlock"]);
                assert.equal(await at.lockReason(), undefined);
            });

            it("of a run stops the action; the error names the run and its page, and neither `lock: false` nor a command", async () => {
                byRun("run-7;id");
                for (const message of [
                    (await failureOf(life().up(inputs), Shown)).message,
                    (await warningsOfPreview(life())).join(),
                ]) {
                    assert.match(message, withCode("locked"));
                    assert.match(message, /run run-7;id.* http:\/\/[^ ]+\/app\/example\/app\/runs\/run-7%3Bid\./);
                    assert(!/lock: false|unlock/.test(message), message);
                }
                assert.deepEqual(await at.requested(), []);
            });

            it("is used and not released with `lock: false`", async () => {
                await at.lock("mine");
                await at.simulator.forget();
                const resource = await life().deployed({ ...inputs, lock: false });
                await resource.destroy();
                assert.deepEqual(await at.requested(), ["state-versions"]);
                assert.equal(await at.lockReason(), "mine");
            });

            story("must exist with `lock: false`", {
                inputs: { lock: false },
                ends: { code: "not-locked" },
                leaves: { writes: [] },
            });

            story("of a killed run of this resource is used and released", {
                given: () => at.lock(`x ${mark}`),
                leaves: { requested: ["state-versions", "unlock"], lock: undefined },
            });

            story("of a killed run of this resource is released by `destroy`", {
                deployed: [{}],
                given: () => at.lock(`x ${mark}`),
                command: "destroy",
                leaves: { lock: undefined },
            });

            it("of a kept version can get another reason although the version can no longer be read", async () => {
                const resource = await life().deployed({ ...inputs, waitForProcessing: true });
                await at.simulator.fault({ method: "GET", path: "/state-versions/sv-", times: 0, ...refusal(404) });
                const before = resource.outputs();
                const changed = { ...inputs, waitForProcessing: true, lock: { reason: "incident 7" } };
                assert.equal(await resource.up(changed), "updated");
                assert.deepEqual(resource.outputs(), { ...before, lock: changed.lock });
                assert.equal(await resource.up(changed), "same");
            });

            story("that cannot be released is named in the error, and the next `up` releases it", {
                faults: [unreleasable],
                ends: { code: "lock-kept", message: /`pulumi up`.*`npx pulumi-statecraft unlock example\/app`/ },
                outputs: { unfinished: ["unlock"] },
                next: ["updated", "same"],
                last: { lock: undefined, made: 1 },
            });

            story("is not released by `destroy` if the workspace is absent, with a warning", {
                deployed: [{}],
                command: "destroy",
                faults: [hidden],
                warns: "absent",
            });
        });
    }

    for (const [what, reason, token] of [
        ["of the same account", "deploy freeze", undefined],
        ["of another account", "deploy freeze", "outside"],
        ["of another stack", "x [statecraft o/app/prod x]", undefined],
    ] as const) {
        const holder = `: the workspace ws-1 is locked by user user-.*${reason.replace("[", "\\[")}.*unlock example/app\`.*\`lock: false\``;
        rolling(`${what} stops the action and is not released; the error names the holder and the reason`, {
            given: () => at.lock(reason, token),
            ends: { code: "locked", message: new RegExp(holder) },
            leaves: { requested: [], lock: reason },
        });
    }

    rolling("names the permission that is missing if the token may not lock", {
        faults: [{ method: "POST", path: "/actions/lock$", ...refusal(403) }],
        ends: { code: "denied", message: /permission to lock and unlock/ },
    });

    rolling("is not taken if the record does not show whether the workspace is locked", {
        faults: [{ ...hidden, ...record("ws-1", { locked: "no" }) }],
        ends: { code: "answer" },
        leaves: { requested: [], writes: [] },
    });

    it("that the token cannot read is no error with `lock: false`: the service checks the lock", async () => {
        await at.simulator.fault(hidden);
        await assert.rejects(at.rollback().up({ ...rollbackInputs, lock: false }), { code: "conflict", status: 409 });
        await at.lock("mine");
        const resource = await at.rollback().deployed({ ...rollbackInputs, lock: false });
        await resource.destroy();
    });

    describe("after a lost answer to the request that locks", () => {
        for (const [holder, reason, token] of [
            ["another account", "deploy freeze", "outside"],
            ["another account", "x [statecraft o/app/prod x]", "outside"],
            ["a user of this account", "", undefined],
        ] as const) {
            rolling(`belongs to ${holder} with the reason ${JSON.stringify(reason)}`, {
                given: () => at.meanwhile(locking, () => lockThenCut(reason, token)),
                ends: { code: "locked" },
                leaves: { lock: reason },
            });
        }

        it("belongs to this run on a server that shows no reason and no holder", async () => {
            at.simulator.answerWith(async ({ path }, act) => {
                const answer = await act();
                const body = Buffer.from(answer.body.toString().replace(/"locked-(reason|by)":/g, '"unknown-$1":'));
                return /\/lock$/.test(path) ? { ...answer, broken: "reset" } : { ...answer, body };
            });
            assert.equal(await at.rollback().up(rollbackInputs), "created");
            at.simulator.answerWith();
            assert.deepEqual([await at.lockReason(), await at.made()], [undefined, 1]);
        });
    });

    for (const reason of ["theirs", ""]) {
        rolling(`is not taken if another account locks first, with the reason ${JSON.stringify(reason)}`, {
            given: () => at.meanwhile(locking, () => at.lock(reason, "outside")),
            ends: { code: "locked" },
            leaves: { made: 0, lock: reason },
        });
    }
    rolling("of another account is quoted from the first character of its reason, up to 4,000", {
        given: () => at.lock(`why: ${"x".repeat(1_000_000)}`, "outside"),
        ends: { code: "locked", message: /^.{0,500}"why: x{3994}…".{0,500}$/ },
    });

    describe("at its release", () => {
        for (const fault of [
            ...[400, 409, 503].map((status) => ({ times: 3, ...pending, status })),
            { drop: "before" },
            { drop: "after" },
            { status: 500, body: "", after: true },
            { status: 200, body: '{"data":{}}', contentType },
        ] as const) {
            const faults = [{ method: "POST", path: "/actions/unlock$", ...fault }];
            rolling(`is released in spite of ${JSON.stringify(fault)}`, { faults, leaves: { lock: undefined } });
        }

        it("is requested again for one minute, whatever `timeouts` says", async () => {
            await at.simulator.fault({ method: "POST", path: "/actions/unlock$", times: 0, ...pending });
            const undo = at.rollback({}, slow);
            const timed = { ...rollbackInputs, timeouts: { create: "10s", update: "2h" } };
            for (const waited of [60, 120]) {
                await assert.rejects(undo.up(timed), { code: "lock-kept" });
                assert.equal(at.simulator.store.clockOffset, waited);
            }
        });

        for (const [what, act, moment, lock] of [
            ["may be released already", () => at.api("POST", "/actions/force-unlock", {}, "outside"), "before"],
            ["stays if another account has locked since", () => lockThenCut("theirs", "outside"), "after", "theirs"],
            ["stays if a run has locked since", () => cut(byRun("run-7")), "after", ""],
        ] as const) {
            rolling(what, { given: () => at.meanwhile(releasing, act, moment), ends: "created", leaves: { lock } });
        }

        const acting = /^(PATCH|POST) .*\/state-versions$/;
        for (const [what, reason] of [
            ["by hand", "no runs"],
            ["without a reason", ""],
            ["of a WorkspaceLock", "change 7 [statecraft o/ops/prod freeze::lock]"],
            ["of the WorkspaceLock of its own name", "change 7 [statecraft o/app/dev x::lock]"],
            ["of a command", "x [statecraft rollback me@host 2026-01-01T00:00:00Z 1f]"],
        ] as const) {
            it(`leaves a lock ${what} that this account has put in the place of its own, as an information`, async () => {
                at.meanwhile(acting, () => at.unlock().then(() => at.lock(reason)), "after");
                const undo = at.rollback();
                assert.equal(await undo.up(rollbackInputs), "created");
                const said = undo.messages.filter(({ message }) => withCode("lock-kept").test(message));
                assert.deepEqual(
                    [said.map(({ severity }) => severity), undo.outputs()["unfinished"]],
                    [["info"], undefined],
                );
                assert.deepEqual([await at.made(), await at.lockReason()], [1, reason]);
            });
        }
        rolling("leaves a lock that was put in the place of its own when the action fails", {
            given: () => at.meanwhile(acting, () => at.unlock().then(() => lockThenCut("no runs"))),
            ends: { code: "undone" },
            leaves: { lock: "no runs" },
        });
        rolling("is released if a read before it fails at first", {
            faults: [{ method: "GET", path: "/workspaces/ws-1$", skip: 1, times: 5, status: 502 }],
            ends: "created",
            leaves: { lock: undefined },
        });
        rolling("is not requested by a run that cannot read whose lock it is, and the next `up` releases it", {
            faults: [{ method: "GET", path: "/workspaces/ws-1$", skip: 1, times: 0, ...refusal(403) }],
            ends: { code: "lock-kept", message: /may still be locked.*403.*unlock ws-1`/ },
            leaves: { requested: ["lock", "state-versions"] },
            outputs: { unfinished: ["unlock"] },
            next: ["updated", "same"],
            last: { lock: undefined, made: 1 },
        });
        rolling("is named in a warning if the release fails after the action, whose failure is the error", {
            faults: [{ method: "PATCH", times: 0, ...refusal(422) }, unreleasable],
            ends: { code: "service", status: 422 },
            warns: "lock-kept",
        });
    });

    for (const moment of ["before", "after"] as const) {
        it(`is released by a run that is cancelled ${moment} the server locks`, async () => {
            assert.match((await at.cancelled(locking, moment)).message, withCode("cancelled"));
            assert.deepEqual(await at.writes(), ["lock", "unlock"]);
            assert.equal(await at.lockReason(), undefined);
        });
    }

    describe("with `keepLocked`", () => {
        const kept = { lock: `rolling back to sv-3 ${mark}` };
        rolling("remains after a rollback, and the next rollbacks use it", {
            deployed: [{ keepLocked: true }, { keepLocked: true, stateVersionId: "sv-2" }],
            inputs: { keepLocked: true, stateVersionId: "sv-2", enforce: true },
            ends: "updated",
            leaves: kept,
        });
        rolling("remains when a later rollback fails", {
            deployed: [{ keepLocked: true }],
            inputs: { keepLocked: true, stateVersionId: "sv-2" },
            faults: [{ method: "PATCH", ...refusal(422) }],
            ends: { status: 422 },
            leaves: kept,
        });
        rolling('is released by `destroy` with `onDelete: "restore"`', {
            deployed: [{ keepLocked: true, onDelete: "restore" }],
            command: "destroy",
            leaves: { lock: undefined },
        });
    });

    describe("after its release, the current version is read once more:", () => {
        const sixth = stateOf(6, "half");
        /** Adds a version to `ws-1`: by default half an apply, which becomes current at the next unlock. */
        const add = (more: Props = { intermediate: true }) => {
            const { versions } = at.simulator.store.stateVersions;
            const [{ id: _, ...model } = assert.fail()] = versions.filter(({ workspace }) => workspace === "ws-1");
            versions.push({ ...model, raw: JSON.stringify(sixth), id: "sv-half", run: "run-7", ...more });
        };
        const marked = async () => {
            await at.lock(`x ${mark}`);
            add();
        };
        /** Makes a version of a run that begins right after the release. */
        const runLater = () =>
            at.meanwhile(
                releasing,
                async () => {
                    add({ createdAt: new Date(Date.now() + 60_000).toISOString() });
                    const [workspace = assert.fail()] = at.simulator.store.stateVersions.workspaces;
                    workspace.current = "sv-half";
                },
                "after",
            );
        const promoted = { warns: "superseded", leaves: { current: "sv-half", lock: undefined } };

        for (const [type, inputs] of [
            ["StateVersionRollback", rollbackInputs],
            ["StateVersion", uploaded],
        ] as const) {
            const story = at.stories(type, inputs, promoted);
            const given = () => add();
            story(`the last \`intermediate\` version, current since the release, is a warning of ${type}`, {
                given,
                options: strict,
                ends: "created",
                outputs: { unfinished: undefined, ...(type === "StateVersionRollback" && { superseded: true }) },
                next: type === "StateVersionRollback" ? ["same"] : [],
            });
            story(`an \`intermediate\` version is a warning of ${type} too if only a killed run's lock is released`, {
                deployed: [{}],
                given: marked,
                inputs: { waitForProcessing: 60 },
                ends: "updated",
            });
            story(`an \`intermediate\` version is a warning of ${type} too if the action was refused`, {
                given,
                faults: [
                    { method: type === "StateVersion" ? "POST" : "PATCH", path: "/state-versions$", ...refusal(422) },
                ],
                ends: { status: 422 },
            });
            story(`the version of a run that began later is no warning of ${type}`, {
                given: runLater,
                ends: "created",
                warns: "",
                ...(type === "StateVersionRollback" && { outputs: { superseded: true } }),
            });
        }
        for (const [what, row] of [
            [
                "if the release lost its answer",
                { faults: [{ method: "POST", path: "/actions/unlock$", drop: "after" }] },
            ],
            [
                "if a new resource finds a killed run's rollback and lock",
                {
                    given: () => marked().then(() => at.rollBack("sv-3")),
                    ends: "created",
                    outputs: { superseded: true },
                },
            ],
            ["of a delete with `restore`", { deployed: [{ onDelete: "restore" }], command: "destroy" }],
            ["of a delete that releases a kept lock", { deployed: [{ keepLocked: true }], command: "destroy" }],
        ] as const) {
            rolling(`an \`intermediate\` version is a warning ${what}`, { ...promoted, given: () => add(), ...row });
        }
        const unread = [{ path: "/current-state-version$", skip: 2, times: 0, ...refusal(403) }];
        rolling("a result is kept, with a warning, if that read fails", {
            faults: unread,
            ends: "created",
            warns: "denied",
            leaves: { made: 1 },
            outputs: { unfinished: undefined },
            next: ["same"],
        });
        const released = () => at.meanwhile(releasing, () => at.api("POST", "/actions/force-unlock", {}, "outside"));
        for (const [what, row] of [
            [
                "with `lock: false`, because nothing is unlocked",
                { given: () => at.lock("mine"), inputs: { lock: false } },
            ],
            ["with `keepLocked`", { inputs: { keepLocked: true } }],
            ["if another account released the lock", { given: released }],
        ] as const) {
            rolling(`nothing is read ${what}`, { ...row, faults: unread, ends: "created", warns: "" });
        }
    });

    it("says once for each workspace with auto-apply that its release starts runs", async () => {
        const [workspace] = at.simulator.store.stateVersions.workspaces;
        for (const autoApply of [false, true]) {
            Object.assign(workspace ?? {}, { autoApply });
            const undo = at.rollback();
            for (const stateVersionId of ["sv-1", "sv-2"]) await undo.up({ ...rollbackInputs, stateVersionId });
            const shown = undo.messages.filter(({ message }) => withCode("auto-apply").test(message));
            assert.equal(shown.length, autoApply ? 1 : 0);
        }
    });

    it("keeps the mark in state if the host does not know another", async () => {
        const undo = await at.rollback().deployed(rollbackInputs);
        const inputs = unsealed(undo.state?.inputs) as Props;
        // With `ignoreChanges: ["*"]`, the engine passes the inputs in state.
        const { inputs: checked } = (await undo.provider.check?.(inputs, inputs)) ?? {};
        assert.deepEqual({ ...checked, __provider: inputs["__provider"] }, inputs);
        assert.deepEqual(inputs["lockMarks"], [mark]);
    });

    it("is not shared by two resources of one run: the second resource waits for the first", async () => {
        for (const [first, second, begun] of [
            ["StateVersionRollback", "StateVersion", /^PATCH/],
            ["StateVersion", "StateVersionRollback", /^PUT/],
        ] as const) {
            await at.simulator.reset();
            const process = new DeployingProcess();
            const inputs: Record<string, Props> = {
                StateVersionRollback: { ...rollbackInputs, stateVersionId: "sv-1" },
                StateVersion: uploaded,
            };
            const life = (type: string) => at.simulator.resource(type, { process }).up(inputs[type] ?? {});
            const later: Promise<unknown>[] = [];
            at.meanwhile(begun, async () => {
                later.push(life(second));
            });
            await life(first);
            await Promise.all(later);
            const ends = (await at.writes()).filter((end) => /lock$/.test(end));
            assert.deepEqual(ends, ["lock", "unlock", "lock", "unlock"]);
            assert.deepEqual([await at.made(), await at.lockReason()], [2, undefined]);
        }
    });

    it("with the mark of the resource, of another account, leads to advice on that account", async () => {
        await at.lock(`by hand ${mark}`, "outside");
        const body = '{"errors":[{"detail":"Workspace is locked by another user"}]}';
        await at.simulator.fault(
            { method: "PATCH", status: 409, body, contentType },
            { method: "POST", path: "/actions/unlock$", status: 409, body, contentType, times: 0 },
        );
        const undo = at.rollback();
        const { message } = await failureOf(undo.up(rollbackInputs), Shown);
        for (const text of [message, undo.messages.map((shown) => shown.message).join()]) {
            assert.match(text, /account that took the lock by user user-2.*unlock example\/app --force`/);
            assert.doesNotMatch(text, /lock: false|finalized version/);
        }
    });
});
