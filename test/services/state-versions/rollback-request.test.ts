/** Tests the request for a rollback: when it is sent, how it is refused, and what follows a lost answer. */

import assert from "node:assert/strict";
import { Cut } from "../../support/gate";
import { withCode } from "../../support/messages";
import { stateOf } from "../../support/workspaces";
import { contentType, record, refusal, rollbackInputs, slow, Workspaces, workspaceWith } from "./fixture";

describe("the request of a rollback", () => {
    const at = new Workspaces({
        tokens: [
            { token: "reader", kind: "user", id: "user-3", access: "read" },
            { token: "organization-token", kind: "organization", id: "org-1" },
        ],
        workspaces: [
            workspaceWith(2, stateOf(9, "a"), stateOf(1000, "a")),
            { id: "ws-4", name: "empty", organization: "example" },
            workspaceWith(5, stateOf(1, "a"), stateOf(2, "b")),
        ],
    });
    const story = at.stories("StateVersionRollback", rollbackInputs);
    const serials = { workspaceId: "ws-2", stateVersionId: "sv-20" };

    const downloadReturns = (body: string) =>
        at.simulator.fault({ method: "GET", path: "/object/", body, contentType: "application/json" });

    /** Lets the next downloads return states that differ only in these JSON values of a resource. */
    const downloadsReturn = async (values: readonly string[]) => {
        const state = JSON.stringify({ ...stateOf(1), resources: [{ name: "a", check: "id" }] });
        for (const value of values) await downloadReturns(state.replace('"check":"id"', () => `"check":${value}`));
    };

    describe("is not sent", () => {
        story("if the wanted version is current", {
            inputs: { stateVersionId: "sv-4" },
            leaves: { writes: [] },
            outputs: { currentStateVersionId: "sv-4" },
        });

        story("if the current version is a copy of the wanted version", {
            given: () => at.others("sv-2"),
            inputs: { stateVersionId: "sv-2" },
            leaves: { writes: [], isCurrent: true },
        });

        const escapes = '\\"'.repeat(4_000_000);
        for (const [what, ...values] of [
            ["the spelling of a number", "1.0000000000000000", "1"],
            ["the order of properties", '{"a":[{"b":1,"c":2}],"d":3}', '{"d":3,"a":[{"c":2,"b":1}]}'],
            ["the white space beside a string with millions of escapes", `"${escapes}"`, ` "${escapes}"`],
        ] as const) {
            const given = () => downloadsReturn(values);
            story(`if only ${what} differs`, { given, inputs: serials, leaves: { writes: [] } });
        }

        story("if only the serials differ", {
            inputs: serials,
            leaves: { writes: [] },
            outputs: { currentStateVersionId: "sv-21" },
        });
    });

    describe("is sent", () => {
        for (const [what, fault] of [
            ["is refused", refusal(403)],
            ["fails at the store", { status: 503, body: "" }],
            ["is cut", { drop: "before" }],
            ["is a web page", { status: 200, body: "<html></html>", contentType: "text/html" }],
        ] as const) {
            story(`if the download of a state ${what}, with a warning that names the host`, {
                inputs: serials,
                faults: [{ method: "GET", path: "/object/", times: 0, ...fault }],
                warns: /127\.0\.0\.1:\d+/,
                leaves: { patches: 1 },
            });
        }

        const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
        const outputs = () =>
            Promise.all(
                [1, 2].map((value) => downloadReturns(JSON.stringify({ ...stateOf(1), outputs: { a: { value } } }))),
            );
        for (const [what, given, inputs = serials] of [
            ["a state is nested too deeply to be compared", () => downloadsReturn([nested, ` ${nested}`])],
            ["only an output differs", outputs],
            ["only the sizes are equal", () => undefined, { workspaceId: "ws-5", stateVersionId: "sv-50" }],
            ["integers differ in lost digits", () => downloadsReturn(["1234567890123456788", "1234567890123456799"])],
            ["numbers differ that JavaScript calls infinite", () => downloadsReturn(["1e400", "1e500"])],
        ] as const) {
            story(`if ${what}`, { given, inputs, leaves: { patches: 1 } });
        }
    });

    describe("is refused", () => {
        for (const [what, inputs, token] of [
            ["a workspace that does not exist", { workspaceId: "ws-nope" }],
            ["a version that does not exist", { stateVersionId: "sv-nope" }],
            ["a workspace without versions", { workspaceId: "ws-4" }],
            ["a token without the right", {}, "reader"],
            ["an organization's token", {}, "organization-token"],
        ] as const) {
            story(`for ${what}, with \`absent\` and without a lock`, {
                ...(token && { options: { settings: { "statecraft:terraform": { token } } } }),
                inputs,
                ends: { code: "absent" },
                leaves: { id: undefined, lock: undefined },
            });
        }

        story("before any write, for a version of another workspace", {
            inputs: { stateVersionId: "sv-20" },
            ends: { code: "wrong-workspace" },
            leaves: { writes: [] },
        });

        const pointer = "/data/relationships/rollback-state-version/data";
        story("with a text that names what the service refused", {
            faults: [
                {
                    ...{ method: "PATCH", status: 422, contentType },
                    body: JSON.stringify({ errors: [{ status: "422", title: "invalid", source: { pointer } }] }),
                },
            ],
            ends: { status: 422, message: /: data\.relationships\.rollback-state-version\.data is refused: invalid/ },
        });

        story("before any write, for a version without content", {
            faults: [{ path: "/state-versions/sv-3$", ...record("sv-3", { status: "discarded" }) }],
            ends: { code: "not-finalized" },
            leaves: { writes: [] },
        });
    });

    it("is not sent without a comparison if the last run left a step unfinished", async () => {
        const undo = at.rollback();
        await at.simulator.fault({ method: "POST", path: "/actions/unlock$", times: 0, ...refusal(403) });
        await assert.rejects(undo.up(rollbackInputs), { code: "lock-kept" });
        await at.simulator.heal();
        await at.simulator.fault({ method: "GET", path: "/object/", times: 0, ...refusal(410) });
        await assert.rejects(undo.up({ ...rollbackInputs, stateVersionId: "sv-2" }), { status: 410 });
        assert.equal(await at.patches(), 1);
    });

    describe("if another version becomes current between the read and the lock", () => {
        story("is not sent if the new current version has the wanted content", {
            given: () => at.meanwhile(/\/actions\/lock$/, () => at.others("sv-3")),
            leaves: { made: 1, isCurrent: true, lock: undefined },
            outputs: { previousStateVersionId: "" },
        });

        it("rolls back from the new current version if that has other content", async () => {
            const undo = at.rollback();
            at.meanwhile(/\/actions\/lock$/, () => at.others("sv-2"));
            await undo.up(rollbackInputs);
            assert.equal(await at.made(), 2);
            const { rolledBackFrom, previousStateVersionId } = undo.outputs();
            assert.deepEqual([rolledBackFrom, previousStateVersionId === rolledBackFrom], [rolledBackFrom, true]);
            assert.notEqual(rolledBackFrom, "sv-4");
            assert.equal((await at.current()).copyOf, "sv-3");
        });
    });

    describe("whose answer is lost", () => {
        for (const [what, fault] of [
            ["a cut connection", { drop: "before" }],
            ["a gateway's 503", { status: 503, body: "busy" }],
        ] as const) {
            it(`succeeds if the service does it seconds later, while the workspace is locked, after ${what}`, async () => {
                await at.simulator.fault({ method: "PATCH", ...fault });
                let reason: unknown;
                at.reading(4, async () => {
                    reason = await at.lockReason();
                    await at.rollBack("sv-3");
                });
                const undo = await at.rollback().deployed(rollbackInputs);
                assert.match(String(reason), /statecraft/);
                assert.equal(undo.outputs()["currentStateVersionId"], (await at.current()).id);
                assert.equal(undo.outputs()["previousStateVersionId"], "sv-4");
                assert.deepEqual([await at.made(), await at.lockReason()], [1, undefined]);
            });
        }

        const page = { body: "<html>no</html>", contentType: "text/html" };
        for (const [fault, code, waited] of [
            [{ status: 504, body: "" }, "undone", 30],
            [{ status: 522, ...page }, "undone", 30],
            [refusal(500), "undone", 30],
            [{ status: 408, body: "" }, "undone", 30],
            [{ status: 403, ...page }, "denied", 0],
            [{ status: 413, ...page }, "service", 0],
            [{ status: 200, ...page }, "answer", 0],
        ] as const) {
            const of = `${fault.status} ${fault.body.slice(0, 8)}`;
            story(`ends with \`${code}\` after ${waited} s if no other version is current, after ${of}`, {
                options: slow,
                faults: [{ method: "PATCH", ...fault }],
                ends: { code },
                leaves: { waited, lock: undefined },
                next: ["created", "same"],
                last: { made: 1 },
            });
        }

        it("is open after one more read if the user cancels and no other version is current", async () => {
            const { message } = await at.cancelled(/^PATCH/, "before", () => Promise.reject(new Cut()));
            assert.match(message, withCode("open"));
            assert.equal(at.simulator.store.clockOffset, 0);
            assert.equal(await at.lockReason(), undefined);
        });

        it("is followed by a read even after the user cancels", async () => {
            const { partial } = await at.cancelled(/^PATCH/, "after", () => Promise.reject(new Cut()));
            assert.deepEqual(partial?.outputs["unfinished"], ["readBack"]);
            assert.equal(partial?.outputs["currentStateVersionId"], (await at.current()).id);
            assert.equal(await at.lockReason(), undefined);
        });

        describe("with `lock: false`", () => {
            const inputs = { ...rollbackInputs, lock: false };
            beforeEach(() => at.lock("mine"));
            /** Calls `act` as another client before the request for the rollback, and then cuts that request. */
            const cut = (act: () => Promise<unknown> = async () => undefined) =>
                at.meanwhile(/^PATCH/, async () => {
                    await act();
                    throw new Cut();
                });

            it("fails if another client has created a version with other content", async () => {
                const undo = at.rollback();
                cut(() => at.rollBack("sv-2"));
                await assert.rejects(undo.up(inputs), { code: "open" });
                const theirs = await at.current();
                assert.equal(await undo.up(inputs), "created");
                assert.equal(await at.made(), 2);
                assert.equal(undo.outputs()["previousStateVersionId"], theirs.id);
            });

            it("fails if the current version is the same as before, even if that has the wanted content", async () => {
                const undo = await at.rollback({}, slow).deployed(inputs);
                const first = await at.current();
                cut();
                const again = { ...inputs, triggers: [1] };
                await assert.rejects(undo.up(again), { code: "undone" });
                assert.equal(await undo.up(again), "updated");
                assert.notEqual((await at.current()).id, first.id);
            });
        });
    });

    for (const [becomes, ends] of [
        ["finalized", "created"],
        ["discarded", { code: "discarded" }],
    ] as const) {
        const shown = (status: string) => record("sv-9", { status, serial: 9 });
        story(`waits for a new version that is pending and becomes ${becomes}`, {
            faults: [
                { method: "PATCH", ...shown("pending") },
                { path: "/state-versions/sv-9$", times: 2, ...shown("pending") },
                { path: "/state-versions/sv-9$", times: 0, ...shown(becomes) },
            ],
            ends,
            leaves: { id: ends === "created" ? "ws-1" : undefined, lock: undefined },
        });
    }
});
