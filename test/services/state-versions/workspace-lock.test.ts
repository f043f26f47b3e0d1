/** The lock of a workspace: whose it is, who may work under it, and who releases it. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { tooLate } from "../../../src/services/state-versions/failures";
import { failureIfAny } from "../../support/failures";
import { Cut } from "../../support/gate";
import { Shown } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { DeployingProcess } from "../../support/simulator";
import { contentType, mark, type Props, refusal, rollbackInputs, state, Workspaces } from "./fixture";

const uploaded = { workspaceId: "ws-1", content: JSON.stringify(state(5, "c")) };
const unlocking = /POST \/workspaces\/ws-1\/actions\/unlock/;
const locking = /\/actions\/lock$/;
const releasing = /\/actions\/unlock$/;
const hidden = { method: "GET", path: "/workspaces/ws-1$", times: 0, ...refusal(404) } as const;
const unreleasable = { method: "POST", path: "/actions/unlock$", times: 0, ...refusal(403) } as const;

describe("the lock of a workspace", () => {
    const team = "a team's token";
    const at = new Workspaces({ tokens: [{ token: team, kind: "team", id: "team-1" }] });
    const cut = async () => {
        throw new Cut();
    };

    for (const [type, inputs] of [
        ["StateVersionRollback", rollbackInputs],
        ["StateVersion", uploaded],
    ] as const) {
        describe(`with ${type}`, () => {
            const requested = async () => (await at.writes()).filter((end) => /lock$|^state-versions$/.test(end));

            for (const [given, reason] of [
                [{}, /^(rolling back to sv-3|uploading the state with serial 5) \[statecraft o\/app\/dev x\]$/],
                [
                    { lock: true },
                    /^(rolling back to sv-3|uploading the state with serial 5) \[statecraft o\/app\/dev x\]$/,
                ],
                [{ lock: { reason: "incident 7" } }, /^incident 7 \[statecraft o\/app\/dev x\]$/],
            ] as const) {
                it(`is taken and released with ${JSON.stringify(given)}`, async () => {
                    const life = at.simulator.resource(type);
                    let shown: unknown;
                    at.meanwhile(/\/state-versions$/, async () => {
                        shown = await at.lockReason();
                    });
                    await life.up({ ...inputs, ...given });
                    assert.match(String(shown), reason);
                    assert.deepEqual(await requested(), ["lock", "state-versions", "unlock"]);
                    assert.equal(await at.lockReason(), undefined);
                    assert.deepEqual(life.warnings, []);
                });

                it(`of the same account is used and left with ${JSON.stringify(given)}`, async () => {
                    await at.lock("deploy freeze");
                    await at.simulator.forget();
                    const life = at.simulator.resource(type);
                    await life.up({ ...inputs, ...given });
                    assert.deepEqual(await requested(), ["state-versions"]);
                    assert(life.messages.some(({ message }) => message.includes("ws-1 was locked by user user-1")));
                    await life.refresh();
                    await life.destroy();
                    assert.equal(await at.lockReason(), "deploy freeze");
                    assert.deepEqual(
                        life.warnings.filter((text) => /lock/.test(text)),
                        [],
                    );
                });
            }

            it("of another account stops it, and stays", async () => {
                await at.lock("deploy freeze", "outside");
                await at.simulator.forget();
                for (const given of [{}, { lock: false }]) {
                    const holder = /ws-1 is locked by user user-2 \("deploy freeze"\)\. Wait until it is released/;
                    await assert.rejects(at.simulator.resource(type).up({ ...inputs, ...given }), {
                        code: "locked",
                        message: holder,
                    });
                }
                assert.deepEqual(await requested(), []);
                assert.equal(await at.lockReason(), "deploy freeze");
            });

            it("is demanded by lock: false", async () => {
                const unlocked = { ...inputs, lock: false };
                await assert.rejects(at.simulator.resource(type).up(unlocked), {
                    code: "unlocked",
                    message: /is not locked, and a .* needs its lock/,
                });
                assert.deepEqual(await requested(), []);
                await at.lock("mine");
                await at.simulator.forget();
                await at.simulator.resource(type).up(unlocked);
                assert.deepEqual(await requested(), ["state-versions"]);
                assert.equal(await at.lockReason(), "mine");
            });

            it("need not be seen with lock: false", async () => {
                await at.lock("mine");
                await at.simulator.fault(hidden);
                const life = at.simulator.resource(type);
                assert.equal(await life.up({ ...inputs, lock: false }), "created");
                assert.equal(await life.up({ ...inputs, lock: false }), "same");
                assert.notEqual(await life.refresh(), "gone");
                await life.destroy();
            });

            it("that the service misses is told, where it could not be seen", async () => {
                await at.simulator.fault(hidden);
                const up = at.simulator.resource(type).up({ ...inputs, lock: false });
                await assert.rejects(up, { code: "conflict", status: 409 });
            });
        });
    }

    describe("of a rollback", () => {
        describe("when the answer to taking it is lost", () => {
            for (const reason of ["", "deploy freeze", `x ${mark}`]) {
                it(`is another account's that shows the reason ${JSON.stringify(reason)}`, async () => {
                    at.meanwhile(locking, () => at.lock(reason, "outside").then(cut));
                    await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked" });
                    assert.deepEqual(await at.writes(), ["lock", "lock"]);
                    assert.equal(await at.lockReason(), reason);
                });
            }

            it("is ours with our mark", async () => {
                at.meanwhile(locking, cut, "after");
                await at.rollback().up(rollbackInputs);
                assert.equal(await at.made(), 1);
                assert.equal(await at.lockReason(), undefined);
            });

            it("may be anybody's with other words under our account: nothing is done, and it stays", async () => {
                at.meanwhile(locking, () => at.lock("deploy freeze").then(cut));
                await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked", message: /cannot be told/ });
                assert.deepEqual(await at.writes(), ["lock", "lock"]);
            });

            for (const lost of [{ drop: "after" as const }, { status: 500, after: true, body: "planted" }]) {
                it(`and nobody can look after ${JSON.stringify(lost)}, the error says how to release it; the next up takes it over`, async () => {
                    await at.simulator.fault(
                        { method: "POST", path: "/actions/lock$", ...lost },
                        { method: "GET", path: "/workspaces/ws-1$", skip: 1, drop: "before", times: 0 },
                    );
                    const undo = at.rollback();
                    await assert.rejects(undo.up(rollbackInputs), { code: "open", message: unlocking });
                    await at.simulator.heal();
                    assert.match(String(await at.lockReason()), /statecraft o\/app\/dev x/);
                    assert.equal(await undo.up(rollbackInputs), "created");
                    assert.equal(await at.lockReason(), undefined);
                    assert.equal(await at.made(), 1);
                });
            }
        });

        describe("on servers of other manners", () => {
            after(() => at.simulator.behave({}));

            const manners = [
                ["keeps-reasons"],
                ["shortens-reasons"],
                ["drops-reasons"],
                ["hides-holders"],
                ["hides-holders", "shortens-reasons"],
                ["hides-holders", "drops-reasons"],
            ] as const;
            const faults = [
                undefined,
                { path: "/actions/lock$", drop: "before" },
                { path: "/actions/lock$", drop: "after" },
                { path: "/actions/unlock$", drop: "before" },
                { path: "/actions/unlock$", drop: "after" },
                { path: "/actions/unlock$", ...refusal(403) },
                unreleasable,
            ] as const;
            for (const some of manners) {
                for (const fault of faults) {
                    it(`is never left by an up that succeeds: ${some.join(", ")}, ${JSON.stringify(fault)}`, async () => {
                        await at.simulator.behave({ stateVersions: some });
                        const undo = at.rollback();
                        if (fault) await at.simulator.fault({ method: "POST", ...fault });
                        for (let tries = 0; ; tries++) {
                            const failure = await failureIfAny(undo.up(rollbackInputs));
                            const reason = await at.lockReason();
                            if (failure === undefined) {
                                assert.equal(reason, undefined);
                                break;
                            }
                            assert(fault && tries < 3, failure.message);
                            await at.simulator.heal();
                            // Where the server does not tell enough, the message says what to type; else the next run knows.
                            if (reason === undefined || !(failure instanceof Shown) || failure.code !== "locked")
                                continue;
                            assert.match(failure.message, unlocking);
                            await at.unlock();
                        }
                        assert.equal(await at.made(), 1);
                        assert.equal(await undo.up(rollbackInputs), "same");
                    });
                }
            }

            for (const some of [["shortens-reasons"], ["hides-holders"]] as const) {
                for (const onDelete of ["keep", "restore"]) {
                    it(`is not forgotten by a destroy that cannot release it: ${some}, ${onDelete}`, async () => {
                        await at.simulator.behave({ stateVersions: some });
                        const undo = at.rollback();
                        await at.simulator.fault(unreleasable);
                        await assert.rejects(undo.up({ ...rollbackInputs, onDelete }), { code: "still-locked" });
                        await at.simulator.heal();
                        await assert.rejects(undo.destroy(), { code: "locked" });
                        await at.unlock();
                        await undo.destroy();
                    });
                }
            }
        });

        it("is not asked for where the record of the workspace is none", async () => {
            await at.simulator.fault({
                method: "GET",
                path: "/workspaces/ws-1$",
                status: 200,
                body: '{"data":[]}',
                contentType,
            });
            await assert.rejects(at.rollback().up(rollbackInputs), { code: "answer" });
            assert.deepEqual(await at.writes(), []);
        });

        describe("when it is released", () => {
            for (const status of [400, 409, 503]) {
                it(`is asked for again while a version is pending, which the server says with ${status}`, async () => {
                    const body =
                        '{"errors":[{"detail":"unlocking failed"},{"detail":"latest state version is still pending"}]}';
                    const refused = { ...refusal(status), body };
                    await at.simulator.fault({ method: "POST", path: "/actions/unlock$", times: 3, ...refused });
                    await at.rollback().up(rollbackInputs);
                    assert.equal(await at.lockReason(), undefined);
                });
            }

            for (const after of [true, false]) {
                it(`is looked at where the answer says nothing of it, and asked for again where it is held: ${after}`, async () => {
                    const empty = { status: 200, body: "{}", contentType: "application/json" };
                    await at.simulator.fault({ method: "POST", path: "/actions/unlock$", after, ...empty });
                    await at.rollback().up(rollbackInputs);
                    assert.equal(await at.lockReason(), undefined);
                });
            }

            for (const [who, reason, token] of [
                ["another account", "", "outside"],
                ["another stack", "rolling back to sv-1 [statecraft o/app/prod other]", undefined],
            ] as const) {
                it(`and ${who} has taken it since, it stays`, async () => {
                    at.meanwhile(releasing, () => at.lock(reason, token).then(cut), "after");
                    await at.rollback().up(rollbackInputs);
                    assert.equal((await at.writes()).filter((end) => end === "unlock").length, 1);
                    assert.equal(await at.lockReason(), reason);
                });
            }

            it("and the user has taken it since, it stays, and the error tells", async () => {
                at.meanwhile(releasing, () => at.lock("deploy freeze").then(cut), "after");
                const holder = /still locked by user user-1 \("deploy freeze"\)/;
                await assert.rejects(at.rollback().up(rollbackInputs), { code: "still-locked", message: holder });
                assert.equal((await at.writes()).filter((end) => end === "unlock").length, 1);
                assert.equal(await at.lockReason(), "deploy freeze");
            });

            it("and cannot be, the error says who holds what; the next up releases it without another rollback", async () => {
                await at.simulator.fault(unreleasable);
                const undo = at.rollback();
                const stuck =
                    /the rollback is done, but its lock was not released: the workspace ws-1 is still locked by user user-1 .*statecraft o\/app\/dev x.*planted.*to do it by hand, POST \/workspaces\/ws-1\/actions\/unlock/;
                await assert.rejects(undo.up(rollbackInputs), { code: "still-locked", message: stuck });
                await at.simulator.heal();
                assert.equal(await undo.up(rollbackInputs), "updated");
                assert.equal(await at.lockReason(), undefined);
                assert.equal(await at.made(), 1);
                assert.equal(await undo.up(rollbackInputs), "same");
            });

            it("and no answer comes, it is asked for less and less often", async () => {
                await at.simulator.fault({ method: "POST", path: "/actions/unlock$", times: 0, drop: "before" });
                await assert.rejects(at.rollback().up(rollbackInputs), { code: "still-locked" });
                const tries = (await at.writes()).filter((end) => end === "unlock").length;
                assert(tries > 1 && tries < 10, String(tries));
            });

            it("and cannot be after a refusal, the refusal is the error, and a warning says how", async () => {
                await at.simulator.fault({ method: "PATCH", times: 0, ...refusal(422) }, unreleasable);
                const undo = at.rollback();
                await assert.rejects(undo.up(rollbackInputs), { code: "service", status: 422 });
                assert.match(undo.warnings.join(), unlocking);
            });
        });

        it("under which the service refuses is looked at before it is released", async () => {
            await at.simulator.fault({ method: "PATCH", ...refusal(409) });
            const order: string[] = [];
            at.gate.set(({ moment, request }) => {
                if (moment === "before") order.push(`${request.method} ${request.path.split("/").at(-1)}`);
            });
            await assert.rejects(at.rollback().up(rollbackInputs), (error: Error) => {
                assert.match(error.message, /409: planted.*the workspace is locked by user user-1 .*, as it should/i);
                assert(!/not locked|lock: true/.test(error.message), error.message);
                return true;
            });
            assert.deepEqual(order.slice(-3), ["PATCH state-versions", "GET ws-1", "POST unlock"]);
            assert.equal(await at.lockReason(), undefined);
        });

        it("that somebody broke while we worked is told with the refusal", async () => {
            at.meanwhile(/^PATCH/, () => at.api("POST", "/actions/force-unlock", undefined, "outside"));
            await assert.rejects(
                at.rollback().up(rollbackInputs),
                /409: .*The workspace is not locked: a rollback needs its lock.*run `pulumi up` again/,
            );
        });

        describe("with keepLocked", () => {
            const kept = { ...rollbackInputs, keepLocked: true };

            it("stays; turned off, a warning says how to release it, and it does", async () => {
                const undo = at.rollback();
                await undo.up(kept);
                assert.match(String(await at.lockReason()), /statecraft o\/app\/dev x/);
                await at.simulator.forget();
                assert.equal(await undo.up(rollbackInputs), "updated");
                assert.match(
                    undo.warnings.join(),
                    /keepLocked: the lock that was kept before stays.* POST \/workspaces\/ws-1\/actions\/unlock with a token of the same account$/,
                );
                assert.deepEqual(await at.writes(), []);
                assert.deepEqual(await undo.refresh(), ["resources", "unfinished"]);
                assert.equal(await undo.up(rollbackInputs), "updated");
                assert.equal(await at.lockReason(), undefined);
            });

            it("and released meanwhile, is not told of", async () => {
                const undo = at.rollback();
                await undo.up(kept);
                await at.api("POST", "/actions/force-unlock", undefined, "outside");
                assert.equal(await undo.up(rollbackInputs), "updated");
                assert.deepEqual(undo.warnings, []);
            });
        });
    });

    it("is released where the version is discarded before its content comes", async () => {
        const content = Buffer.from(JSON.stringify(state(6, "d")));
        const md5 = createHash("md5").update(content).digest("hex");
        const attributes = { serial: 6, md5, state: content.toString("base64") };
        at.meanwhile(/^PUT/, () => at.api("POST", "/state-versions", { data: { type: "state-versions", attributes } }));
        const life = at.simulator.resource("StateVersion");
        await assert.rejects(life.up(uploaded), { code: "discarded", message: wordsOf(tooLate) });
        assert.deepEqual([life.outputs()["unfinished"], life.outputs()["status"]], [["upload"], "discarded"]);
        assert.equal(await at.lockReason(), undefined);
    });

    for (const moment of ["before", "after"] as const) {
        it(`is released by a run that is cancelled ${moment} it is taken`, async () => {
            const { message } = await at.cancelled(locking, moment);
            assert.match(message, /the operation was cancelled/);
            assert.deepEqual(await at.writes(), ["lock", "unlock"]);
            assert.equal(await at.lockReason(), undefined);
        });
    }

    describe("with resources of one run on one workspace", () => {
        const life = (type: string, process: DeployingProcess, stack?: string) =>
            at.simulator.resource(type, { process, ...(stack && { stack }) });

        for (const [names, stack] of [
            ["of one name", undefined],
            ["of different names", "other"],
        ] as const) {
            it(`${names}, is never taken over by one from the other: they work in turn`, async () => {
                for (const [first, second, begun] of [
                    ["StateVersionRollback", "StateVersion", /^PATCH/],
                    ["StateVersion", "StateVersionRollback", /^PUT/],
                ] as const) {
                    await at.simulator.reset();
                    const process = new DeployingProcess();
                    const inputs: Record<string, Props> = {
                        StateVersionRollback: { ...rollbackInputs, stateVersionId: "sv-1" },
                        StateVersion: { workspaceId: "ws-1", content: JSON.stringify(state(5, "c")) },
                    };
                    const later: Promise<unknown>[] = [];
                    at.meanwhile(begun, async () => {
                        later.push(life(second, process, stack).up(inputs[second] ?? {}));
                    });
                    await life(first, process).up(inputs[first] ?? {});
                    await Promise.all(later);
                    assert.equal(later.length, 1);
                    const ends = (await at.writes()).filter((end) => /lock$/.test(end));
                    assert.deepEqual(ends, ["lock", "unlock", "lock", "unlock"]);
                    const all = (await at.simulator.requests()).map(({ method, path }) => `${method} ${path}`);
                    const meanwhile = all.slice(
                        all.findIndex((request) => begun.test(request)),
                        all.findIndex((request) => releasing.test(request)),
                    );
                    // Whatever works on a workspace begins with a look at its current version.
                    const looks = meanwhile.filter((request) => /current-state-version$/.test(request));
                    assert.deepEqual(looks, []);
                    assert.deepEqual([await at.made(), await at.lockReason()], [2, undefined]);
                }
            });
        }
    });

    describe("with a team's token, whose versions name a user of its own", () => {
        const undoing = () => at.rollback({ token: team });

        for (const lock of [true, false]) {
            it(`is the team's own: it is used and left with lock: ${lock}`, async () => {
                await at.lock("deploy freeze", team);
                const undo = undoing();
                await undo.preview({ ...rollbackInputs, lock });
                await undo.up({ ...rollbackInputs, lock });
                assert.deepEqual([await at.lockReason(), undo.warnings], ["deploy freeze", []]);
            });
        }

        it("is known after the answer to taking it was lost", async () => {
            at.meanwhile(locking, cut, "after");
            await undoing().up(rollbackInputs);
            assert.deepEqual([await at.made(), await at.lockReason()], [1, undefined]);
        });

        it("is not called released where it cannot be; the next up releases it", async () => {
            await at.simulator.fault(unreleasable);
            const undo = undoing();
            await assert.rejects(undo.up(rollbackInputs), { code: "still-locked" });
            await at.simulator.heal();
            assert.equal(await undo.up(rollbackInputs), "updated");
            assert.deepEqual([await at.made(), await at.lockReason()], [1, undefined]);
        });

        it("of a run that was killed tells that what it made is the resource's own", async () => {
            const undo = undoing();
            await undo.up(rollbackInputs);
            await at.lock(mark, team);
            await at.rollBack("sv-1", team);
            await undo.up({ ...rollbackInputs, stateVersionId: "sv-1" });
            assert.deepEqual([await at.made(), await at.lockReason()], [2, undefined]);
            assert.equal(undo.outputs()["previousStateVersionId"], "sv-4");
        });

        it("is not called released where the server tells nothing of the team, and it shows our mark", async () => {
            const account = JSON.stringify({ data: { id: "user-of-team-1", type: "users" } });
            await at.simulator.fault(
                { path: "/account/details$", times: 0, status: 200, body: account, contentType },
                unreleasable,
            );
            await assert.rejects(undoing().up(rollbackInputs), { code: "still-locked", message: unlocking });
        });
    });

    describe("that is stale", () => {
        const reason = `rolling back to sv-3 ${mark}`;
        const unreported =
            /is locked.*cannot be told, so it was left alone.*POST \/workspaces\/ws-1\/actions\/unlock.*force-unlock.*run this again/;
        /** What a run has done that was killed between its rollback and the end of its lock. */
        const killed = async (token?: string, words = reason) => {
            await at.lock(words, token);
            await at.rollBack("sv-3", token);
            await at.simulator.forget();
        };
        /** The server keeps neither holders nor reasons of locks. */
        const silent = () =>
            at.simulator.fault({
                method: "GET",
                path: "/workspaces/ws-1$",
                times: 0,
                body: '{"data":{"id":"ws-1","type":"workspaces","attributes":{"locked":true}}}',
                contentType: "application/vnd.api+json",
            });

        for (const [when, leave, sent] of [
            ["after", () => killed(), ["unlock"]],
            ["before", () => at.lock(reason).then(() => at.simulator.forget()), ["state-versions", "unlock"]],
        ] as const) {
            describe(`of a run that was killed ${when} its rollback`, () => {
                beforeEach(leave);

                it("is released by the next up, which does what is left", async () => {
                    const undo = at.rollback();
                    assert.equal(await undo.up(rollbackInputs), "created");
                    assert.deepEqual(await at.writes(), sent);
                    assert.equal(await at.lockReason(), undefined);
                    assert.equal(await undo.up(rollbackInputs), "same");
                    await undo.refresh();
                    assert.deepEqual(undo.outputs()["unfinished"], undefined);
                });

                it("stays with keepLocked", async () => {
                    await at.rollback().up({ ...rollbackInputs, keepLocked: true });
                    assert.equal(await at.lockReason(), reason);
                });

                it("stays with lock: false, and a warning says how to release it", async () => {
                    const undo = at.rollback();
                    assert.equal(await undo.up({ ...rollbackInputs, lock: false }), "created");
                    assert.match(
                        undo.warnings.join(),
                        /the workspace ws-1 stays locked by user user-1 \("rolling back .*POST \/workspaces\/ws-1\/actions\/unlock/,
                    );
                    assert.equal(await at.lockReason(), reason);
                });
            });
        }

        for (const [when, act] of [
            ["after", killed],
            ["before", (token?: string) => at.lock(reason, token)],
        ] as const) {
            it(`${when} its rollback, but of another account, stays, and the error says how to release it`, async () => {
                await act("outside");
                await at.simulator.forget();
                const undo = at.rollback();
                await assert.rejects(undo.up(rollbackInputs), { code: "locked", message: unreported });
                assert.deepEqual(await at.writes(), []);
                await at.unlock("outside");
                assert.equal(await undo.up(rollbackInputs), "created");
                assert.equal(await at.made(), 1);
            });

            it(`${when} its rollback, but on a server that does not tell whose it is, as well`, async () => {
                await act();
                await at.simulator.forget();
                await silent();
                await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked" });
                await at.simulator.heal();
                await at.simulator.fault({ path: "/account/details$", times: 0, ...refusal(404) });
                await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked" });
                assert.deepEqual(await at.writes(), []);
            });
        }

        it("is none that another account took: there is nothing to do", async () => {
            await killed("outside", "deploy freeze");
            await at.rollback().up(rollbackInputs);
            assert.deepEqual(await at.writes(), []);
            assert.equal(await at.lockReason(), "deploy freeze");
        });

        it("is none that shows other words, where the server does not tell whose it is", async () => {
            await at.simulator.behave({ stateVersions: ["hides-holders"] });
            await killed("outside", "deploy freeze");
            const undo = at.rollback();
            await undo.up(rollbackInputs);
            await undo.refresh();
            await undo.destroy();
            assert.deepEqual([await at.writes(), undo.warnings], [[], []]);
            await at.simulator.behave({});
        });

        it("is none that the user took: nothing is said of it with lock: false", async () => {
            await at.lock("deploy freeze");
            const undo = at.rollback();
            await undo.up({ ...rollbackInputs, lock: false });
            assert.deepEqual(undo.warnings, []);
        });

        for (const words of ["", "deploy freeze [INC-7]"]) {
            it(`is none of the own account for another reason: the user's is used, and left: ${JSON.stringify(words)}`, async () => {
                await at.lock(words);
                await at.rollback().up(rollbackInputs);
                assert.equal(await at.lockReason(), words);
            });
        }

        for (const other of ["x [statecraft o/app/prod x]", "x [statecraft o/app/dev y]"]) {
            it(`is none of another resource or stack: ${other}`, async () => {
                await at.lock(other);
                await assert.rejects(at.rollback().up(rollbackInputs), { code: "locked" });
                assert.equal(await at.lockReason(), other);
            });
        }

        it("of an update is told by a refresh, and released by the next up", async () => {
            const undo = at.rollback();
            await undo.up(rollbackInputs);
            await undo.refresh();
            await at.lock(reason);
            assert.deepEqual(await undo.refresh(), ["unfinished"]);
            assert.match(undo.warnings.join(), /left the workspace ws-1 locked; the next `pulumi up`/);
            assert.equal(await at.lockReason(), reason, "a refresh changes nothing");
            assert.equal(await undo.up(rollbackInputs), "updated");
            assert.equal(await at.lockReason(), undefined);
            assert.equal(await undo.up(rollbackInputs), "same");
            assert.deepEqual(await undo.refresh(), []);
        });

        it("that may be somebody else's is told by a refresh", async () => {
            const undo = at.rollback();
            await undo.up(rollbackInputs);
            await undo.refresh();
            await silent();
            assert.deepEqual(await undo.refresh(), []);
            assert.match(undo.warnings.join(), unlocking);
        });

        it("that state knows of is released although the program takes none any more", async () => {
            const undo = at.rollback();
            await undo.up(rollbackInputs);
            await at.lock(reason);
            await undo.refresh();
            assert.equal(await undo.up({ ...rollbackInputs, lock: false }), "updated");
            assert.equal(await at.lockReason(), undefined);
        });

        it("that state knows of is released before a rollback that takes none, and so finds none to work under", async () => {
            const undo = at.rollback();
            await undo.up(rollbackInputs);
            await at.lock(reason);
            await undo.refresh();
            const other = { ...rollbackInputs, stateVersionId: "sv-1", lock: false };
            await assert.rejects(undo.up(other), { code: "unlocked" });
            assert.equal(await at.lockReason(), undefined);
        });

        it("is known by the former name of a resource or stack that got another one", async () => {
            const renamed = () => at.simulator.resource("StateVersionRollback", { stack: "prod" });
            const undo = at.rollback();
            await at.simulator.fault(unreleasable);
            await assert.rejects(undo.up(rollbackInputs), { code: "still-locked" });
            await at.simulator.heal();
            const other = renamed();
            other.state = undo.state;
            assert.equal(await other.up(rollbackInputs), "updated");
            assert.equal(await at.lockReason(), undefined);

            const kept = at.rollback();
            await kept.up({ ...rollbackInputs, keepLocked: true, triggers: [1] });
            await at.lock(reason);
            const heir = renamed();
            heir.state = kept.state;
            assert.equal(await heir.up({ ...rollbackInputs, triggers: [2] }), "updated");
            assert.equal(await at.lockReason(), undefined);
        });

        it("is released by a destroy, which leaves and tells of one that may be somebody else's", async () => {
            for (const token of [undefined, "outside"]) {
                const undo = at.rollback();
                await undo.up(rollbackInputs);
                await at.lock(reason, token);
                await undo.destroy();
                assert.equal(await at.lockReason(), token && reason);
                if (token) assert.match(undo.warnings.join(), unlocking);
            }
        });

        for (const lock of [true, false]) {
            it(`that state knows of is released by a destroy, with lock: ${lock}`, async () => {
                await at.simulator.fault(unreleasable);
                const undo = at.rollback();
                await assert.rejects(undo.up(rollbackInputs), { code: "still-locked" });
                await at.simulator.heal();
                if (undo.state) undo.state.outputs = { ...undo.state.outputs, lock };
                await undo.destroy();
                assert.equal(await at.lockReason(), undefined);
            });
        }

        it("of a destroy that had restored is released by the next one, which restores nothing twice", async () => {
            const undo = at.rollback();
            await undo.up({ ...rollbackInputs, onDelete: "restore" });
            const kept = undo.state;
            await undo.destroy();
            await at.lock(reason);
            await at.simulator.forget();
            undo.state = kept;
            await undo.destroy();
            assert.deepEqual(await at.writes(), ["unlock"]);
            assert.equal(await at.lockReason(), undefined);
        });

        it("of a run that had uploaded a state is released, and the state taken for its own", async () => {
            const first = at.simulator.resource("StateVersion");
            await first.up(uploaded);
            await at.lock(`making a version ${mark}`);
            await at.simulator.forget();
            assert.deepEqual(await first.refresh(), ["unfinished"]);
            const second = at.simulator.resource("StateVersion");
            await second.up(uploaded);
            assert.equal(second.state?.id, first.state?.id);
            assert.deepEqual(await at.writes(), ["unlock"]);
            assert.equal(await at.lockReason(), undefined);
        });
    });
});
