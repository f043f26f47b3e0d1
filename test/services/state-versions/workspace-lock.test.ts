/** Tests when a resource locks a workspace, uses an existing lock and unlocks. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { failureOf } from "../../support/failures";
import { Cut } from "../../support/gate";
import { Shown, unsealed } from "../../support/managed-resource";
import { withCode } from "../../support/messages";
import type { Props } from "../../support/pulumi-values";
import { DeployingProcess } from "../../support/simulator";
import { stateOf } from "../../support/workspaces";
import { mark, refusal, rollbackInputs, unreleasable, Workspaces } from "./fixture";

const uploaded = { workspaceId: "ws-1", content: JSON.stringify(stateOf(5, "c")) };
const locking = /\/actions\/lock$/;
const releasing = /\/actions\/unlock$/;
const hidden = { method: "GET", path: "/workspaces/ws-1$", times: 0, ...refusal(404) } as const;
const pending = { ...refusal(409), body: '{"errors":[{"detail":"latest state version is still pending"}]}' };

describe("the lock of a workspace", () => {
    const at = new Workspaces();
    const cut = async () => {
        throw new Cut();
    };
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
            const warningsOfPreview = async (resource: ReturnType<typeof life>) => {
                await resource.preview(inputs);
                return resource.warnings;
            };
            const requested = async () => (await at.writes()).filter((end) => /lock$|^state-versions$/.test(end));

            for (const [given, reason] of [
                [{}, /^(rolling back to sv-3|uploading the state with serial 5) \[statecraft o\/app\/dev x\]$/],
                [{ lock: { reason: "incident 7" } }, /^incident 7 \[statecraft o\/app\/dev x\]$/],
            ] as const) {
                it(`is taken during the action with ${JSON.stringify(given)}`, async () => {
                    let shown: unknown;
                    at.meanwhile(/\/state-versions$/, async () => {
                        shown = await at.lockReason();
                    });
                    await life().up({ ...inputs, ...given });
                    assert.match(String(shown), reason);
                    assert.deepEqual(await requested(), ["lock", "state-versions", "unlock"]);
                    assert.equal(await at.lockReason(), undefined);
                });
            }

            for (const [what, reason, token] of [
                ["of the same account", "deploy freeze", undefined],
                ["of another account", "deploy freeze", "outside"],
                ["of another stack", "x [statecraft o/app/prod x]", undefined],
            ] as const) {
                it(`${what} stops the action and is not released; the error names the holder and the reason`, async () => {
                    await at.lock(reason, token);
                    await at.simulator.forget();
                    await assert.rejects(life().up(inputs), ({ code, message }: Shown) => {
                        assert.equal(code, "locked");
                        assert.match(
                            message,
                            /: set `lock: false` if the lock is yours: .*ws-1 is locked by user user-/,
                        );
                        assert(message.includes(JSON.stringify(reason)), message);
                        return true;
                    });
                    assert.deepEqual(await requested(), []);
                    assert.equal(await at.lockReason(), reason);
                });
            }

            it("of a run stops the action; the error names the run and how to end it, and neither `lock: false` nor force-unlock", async () => {
                byRun("run-7;id");
                for (const message of [
                    (await failureOf(life().up(inputs), Shown)).message,
                    (await warningsOfPreview(life())).join(),
                ]) {
                    assert.match(message, withCode("locked"));
                    assert.match(
                        message,
                        /run run-7;id.*`curl [^`]*'[^`']*\/runs\/run-7;id\/actions\/discard'`.*`cancel`/,
                    );
                    assert(!/lock: false|force-unlock/.test(message), message);
                }
                assert.deepEqual(await requested(), []);
            });

            it("names the permission that is missing if the token may not lock", async () => {
                await at.simulator.fault({ method: "POST", path: "/actions/lock$", ...refusal(403) });
                await assert.rejects(life().up(inputs), { code: "denied", message: /permission to lock and unlock/ });
            });

            it("is used and not released with `lock: false`", async () => {
                await at.lock("mine");
                await at.simulator.forget();
                const resource = life();
                await resource.up({ ...inputs, lock: false });
                await resource.destroy();
                assert.deepEqual(await requested(), ["state-versions"]);
                assert.equal(await at.lockReason(), "mine");
            });

            it("must exist with `lock: false`", async () => {
                await assert.rejects(life().up({ ...inputs, lock: false }), { code: "not-locked" });
                assert.deepEqual(await requested(), []);
            });

            it("that the token cannot read is no error with `lock: false`: the service checks the lock", async () => {
                await at.simulator.fault(hidden);
                await assert.rejects(life().up({ ...inputs, lock: false }), { code: "conflict", status: 409 });
                await at.lock("mine");
                const resource = life();
                assert.equal(await resource.up({ ...inputs, lock: false }), "created");
                await resource.destroy();
            });

            it("of a killed run of this resource is used and released", async () => {
                await at.lock(`x ${mark}`);
                await at.simulator.forget();
                await life().up(inputs);
                assert.deepEqual(await requested(), ["state-versions", "unlock"]);
                assert.equal(await at.lockReason(), undefined);
            });

            it("of a killed run is released by `up`, even without another change, and by `destroy`", async () => {
                await life().up(inputs);
                await at.lock(`x ${mark}`);
                const second = life();
                await second.up(inputs);
                assert.equal(await at.lockReason(), undefined);
                await at.lock(`x ${mark}`);
                assert.equal(await second.up({ ...inputs, waitForProcessing: 60 }), "updated");
                assert.equal(await at.lockReason(), undefined);
                await at.lock(`x ${mark}`);
                await second.destroy();
                assert.equal(await at.lockReason(), undefined);
            });

            it("can get another reason although the version can no longer be read", async () => {
                const resource = life();
                await resource.up({ ...inputs, waitForProcessing: true });
                await at.simulator.fault({ method: "GET", path: "/state-versions/sv-", times: 0, ...refusal(404) });
                const before = resource.outputs();
                const changed = { ...inputs, waitForProcessing: true, lock: { reason: "incident 7" } };
                assert.equal(await resource.up(changed), "updated");
                assert.deepEqual(resource.outputs(), { ...before, lock: changed.lock });
                assert.equal(await resource.up(changed), "same");
            });

            it("that cannot be released is recorded in state and named in the error; the next `up` releases the lock", async () => {
                await at.simulator.fault(unreleasable);
                const resource = life();
                const ways = /`pulumi up`.*`curl .*\/api\/v2\/workspaces\/ws-1\/actions\/force-unlock`/;
                await assert.rejects(resource.up(inputs), { code: "lock-kept", message: ways });
                assert.deepEqual(resource.outputs()["unfinished"], ["unlock"]);
                await at.simulator.heal();
                assert.equal(await resource.up(inputs), "updated");
                assert.equal(await at.lockReason(), undefined);
                assert.equal(await at.made(), 1);
                assert.equal(await resource.up(inputs), "same");
            });

            it("is not released by `destroy` if the workspace is absent, with a warning", async () => {
                const resource = life();
                await resource.up(inputs);
                await at.simulator.fault(hidden);
                await resource.destroy();
                assert.match(resource.warnings.join(), withCode("absent"));
            });
        });
    }

    describe("after a lost answer to the request that locks", () => {
        for (const reason of ["deploy freeze", "x [statecraft o/app/prod x]"]) {
            it(`belongs to another account with the reason ${reason}`, async () => {
                at.meanwhile(locking, () => at.lock(reason, "outside").then(cut));
                await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked" });
                assert.deepEqual(await at.writes(), ["lock", "lock"]);
                assert.equal(await at.lockReason(), reason);
            });
        }

        it("belongs to this run if the reason ends with the resource's mark", async () => {
            at.meanwhile(locking, cut, "after");
            await at.rollback().up(rollbackInputs);
            assert.equal(await at.made(), 1);
            assert.equal(await at.lockReason(), undefined);
        });

        it("belongs to this run if the lock has no reason, on a server that stores none", async () => {
            at.meanwhile(locking, () => at.lock("").then(cut));
            await at.rollback().up(rollbackInputs);
            assert.equal(await at.made(), 1);
            assert.equal(await at.lockReason(), undefined);
        });

        it("and a failed read, is named in an error with the command that releases it; the next `up` uses the lock", async () => {
            await at.simulator.fault(
                { method: "POST", path: "/actions/lock$", drop: "after" },
                { method: "GET", path: "/workspaces/ws-1$", skip: 1, drop: "before", times: 0 },
            );
            const undo = at.rollback();
            const way = /`curl .*\/workspaces\/ws-1\/actions\/force-unlock`/;
            await assert.rejects(undo.up(rollbackInputs), { code: "open", message: way });
            await at.simulator.heal();
            assert.equal(await undo.up(rollbackInputs), "created");
            assert.equal(await at.lockReason(), undefined);
            assert.equal(await at.made(), 1);
        });
    });

    it("is not taken if another account locks first", async () => {
        at.meanwhile(locking, () => at.lock("theirs", "outside"));
        await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked" });
        assert.equal(await at.lockReason(), "theirs");
    });

    it("of another account is quoted from the first character of its reason, up to 4,000", async () => {
        await at.lock(`why: ${"x".repeat(5_000)}`, "outside");
        await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked", message: /"why: x{3994}…"/ });
    });

    it("is not taken if another account was faster, on a server that stores no reasons", async () => {
        at.meanwhile(locking, () => at.lock("", "outside"));
        await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked" });
        assert.deepEqual([await at.made(), await at.lockReason()], [0, ""]);
    });

    describe("at its release", () => {
        for (const status of [400, 409, 503]) {
            it(`is released by repeated requests while a version is pending, after ${status}`, async () => {
                await at.simulator.fault({ method: "POST", path: "/actions/unlock$", times: 3, ...pending, status });
                await at.rollback().up(rollbackInputs);
                assert.equal(await at.lockReason(), undefined);
            });
        }

        for (const lost of [
            { drop: "before" },
            { drop: "after" },
            { status: 500, body: "", after: true },
            { status: 200, body: '{"data":{}}', contentType: "application/vnd.api+json" },
        ] as const) {
            it(`is released after ${JSON.stringify(lost)}`, async () => {
                await at.simulator.fault({ method: "POST", path: "/actions/unlock$", ...lost });
                await at.rollback().up(rollbackInputs);
                assert.equal(await at.lockReason(), undefined);
            });
        }

        for (const longest of ["10s", "2h"]) {
            it(`is requested again for one minute with \`timeouts\` of ${longest}`, async () => {
                await at.simulator.fault({ method: "POST", path: "/actions/unlock$", times: 0, ...pending });
                const undo = at.rollback();
                const timeouts = { create: longest, update: longest };
                await assert.rejects(undo.up({ ...rollbackInputs, timeouts }), { code: "lock-kept" });
                assert.equal(at.simulator.store.clockOffset, 60);
                await assert.rejects(undo.up({ ...rollbackInputs, timeouts }), { code: "lock-kept" });
                assert.equal(at.simulator.store.clockOffset, 120);
            });
        }

        it("may be released already", async () => {
            at.meanwhile(releasing, () => at.api("POST", "/actions/force-unlock", undefined, "outside"));
            assert.equal(await at.rollback().up(rollbackInputs), "created");
        });

        it("is not released if another account has locked since", async () => {
            at.meanwhile(releasing, () => at.lock("theirs", "outside").then(cut), "after");
            await at.rollback().up(rollbackInputs);
            assert.equal(await at.lockReason(), "theirs");
        });

        it("is not released if a run has locked since", async () => {
            at.meanwhile(releasing, async () => byRun("run-7"), "after");
            await at.simulator.fault({ method: "POST", path: "/actions/unlock$", drop: "after" });
            assert.equal(await at.rollback().up(rollbackInputs), "created");
            assert.equal(await at.lockReason(), "");
        });

        it("remains if the action and the release fail: the error is that of the action, and a warning says how to release the lock", async () => {
            await at.simulator.fault({ method: "PATCH", times: 0, ...refusal(422) }, unreleasable);
            const undo = at.rollback();
            await assert.rejects(undo.up(rollbackInputs), { code: "service", status: 422 });
            assert.match(undo.warnings.join(), withCode("lock-kept"));
        });
    });

    it("is released if the new version is discarded before its content is uploaded", async () => {
        const content = Buffer.from(JSON.stringify(stateOf(6, "d")));
        const md5 = createHash("md5").update(content).digest("hex");
        const attributes = { serial: 6, md5, state: content.toString("base64") };
        at.meanwhile(/^PUT/, () => at.api("POST", "/state-versions", { data: { type: "state-versions", attributes } }));
        const life = at.simulator.resource("StateVersion");
        await assert.rejects(life.up(uploaded), { code: "discarded" });
        assert.equal(life.state, undefined);
        assert.equal(await at.lockReason(), undefined);
    });

    for (const moment of ["before", "after"] as const) {
        it(`is released by a run that is cancelled ${moment} the server locks`, async () => {
            assert.match((await at.cancelled(locking, moment)).message, withCode("cancelled"));
            assert.deepEqual(await at.writes(), ["lock", "unlock"]);
            assert.equal(await at.lockReason(), undefined);
        });
    }

    describe("with `keepLocked`", () => {
        const keepLockedInputs = { ...rollbackInputs, keepLocked: true };

        it("remains after a rollback, and the next rollback uses the lock", async () => {
            const undo = at.rollback();
            await undo.up(keepLockedInputs);
            assert.equal(await undo.up({ ...keepLockedInputs, stateVersionId: "sv-2" }), "updated");
            assert.equal(await undo.up({ ...keepLockedInputs, stateVersionId: "sv-2", enforce: true }), "updated");
            assert((await at.lockReason())?.toString().endsWith(mark));
        });

        it("remains when a later rollback fails", async () => {
            const undo = at.rollback();
            await undo.up(keepLockedInputs);
            await at.simulator.fault({ method: "PATCH", ...refusal(422) });
            await assert.rejects(undo.up({ ...keepLockedInputs, stateVersionId: "sv-2" }), { status: 422 });
            assert((await at.lockReason())?.toString().endsWith(mark));
        });

        for (const keepLocked of [false, undefined]) {
            it(`changed to ${keepLocked}, is released by the next \`up\``, async () => {
                const undo = at.rollback();
                await undo.up(keepLockedInputs);
                assert.equal(
                    await undo.up({ ...rollbackInputs, ...(keepLocked === false && { keepLocked }) }),
                    "updated",
                );
                assert.equal(await at.lockReason(), undefined);
                assert.equal(await at.patches(), 1);
            });
        }

        for (const onDelete of ["keep", "restore"]) {
            it(`is released by \`destroy\` with \`onDelete: "${onDelete}"\``, async () => {
                const undo = at.rollback();
                await undo.up({ ...keepLockedInputs, onDelete });
                await undo.destroy();
                assert.equal(await at.lockReason(), undefined);
            });
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

    it("quotes at most 4,000 characters of a reason, and says what to do after them", async () => {
        await at.lock("x".repeat(1_000_000));
        const error = await failureOf(at.rollback().up(rollbackInputs), Shown);
        assert(error.message.length < 5_000);
        assert.match(error.message, withCode("locked"));
    });

    it("keeps the mark in state if the host does not know another", async () => {
        const undo = at.rollback();
        await undo.up(rollbackInputs);
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
});
