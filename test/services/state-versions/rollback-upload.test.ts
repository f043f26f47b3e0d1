/** Tests a rollback with `upload`, and the answers of servers that do not offer rollbacks. */

import assert from "node:assert/strict";
import { failureOf } from "../../support/failures";
import { CheckFailed, Shown } from "../../support/managed-resource";
import type { Props } from "../../support/pulumi-values";
import { record, refusal, rollbackInputs, slow, Workspaces, workspaceWith } from "./fixture";

const instance = (id: string) => ({ attributes: { id } });
const state = (serial: number, names: readonly string[], more: object = {}) => ({
    ...{ version: 4, serial, lineage: "whole", outputs: {} },
    resources: names.map((name) => ({
        ...{ mode: "managed", type: "aws_x", name, provider: "p" },
        instances: [instance(name === "b" ? `b${serial}` : name)],
    })),
    ...more,
});
const older = state(3, ["a", "b"]);

describe("StateVersionRollback with `upload`", () => {
    const at = new Workspaces({ workspaces: [workspaceWith(2, older, state(7, ["b", "c"]))] });
    const inputs = { workspaceId: "ws-2", stateVersionId: "sv-20", upload: true };
    const story = at.stories("StateVersionRollback", { ...rollbackInputs, upload: true });
    const download = { method: "GET", path: "/object/" };

    it("uploads the older state, whose serial alone differs", async () => {
        const text = `{ "version":4,\n "outputs": {"n": 1.10e3, "serial": 3}, "serial" : 3 ,"lineage":"whole", "resources": [ {"mode":"managed","type":"aws_x","name":"a","provider":"p","instances":[{"attributes":{"id":12345678901234567890.0,"serial":3}}]} ]}\n`;
        for (const body of [JSON.stringify(state(7, ["b", "c"])), text])
            await at.simulator.fault({ ...download, body, contentType: "text/plain" });
        const undo = await at.rollback().deployed(inputs);
        assert.equal(await at.state("ws-2"), text.replace('"serial" : 3', '"serial" : 8'));
        assert.equal(undo.outputs()["previousStateVersionId"], "sv-21");
    });

    it("sends nothing while the older state is current, whatever its serial", async () => {
        const undo = await at.rollback().deployed(inputs);
        assert.deepEqual(undo.warnings, []);
        assert.equal((await at.current("ws-2")).serial, 8);
        assert.equal(await undo.up(inputs), "same");
        await at.simulator.forget();
        assert.equal(await at.rollback().up(inputs), "created");
        assert.deepEqual(await at.writes(), []);
    });

    it("says in the preview which addresses the state gains, changes and loses", async () => {
        const [note] = await at.rollback().preview(inputs);
        assert.equal(
            note,
            "rolling back ws-2 from sv-21 (serial 7) to sv-20 (serial 3): + aws_x.a; ~ aws_x.b (id); - aws_x.c. [preview]",
        );
        await at.rollback().up(inputs);
        assert.match((await at.rollback().preview(inputs)).join(), /^nothing to roll back now: /);
    });

    for (const [what, old, words] of [
        ["another lineage", state(1, ["a"], { lineage: "other" }), /another lineage/],
        [
            "an encrypted state",
            { serial: 1, lineage: "whole", encrypted_data: "x", encryption_version: "v0" },
            /encrypted/,
        ],
        ["a state without a serial", { version: 4, lineage: "whole" }, /no serial/],
    ] as const) {
        it(`refuses ${what} in the preview and before the lock`, async () => {
            const wrong = { ...(await at.seeded(state(1, ["a"]), state(2, ["b"]))), upload: true };
            const bodies = [state(2, ["b"]), old].map((each) => JSON.stringify(each));
            const plant = () => at.simulator.fault(...bodies.map((body) => ({ ...download, body })));
            const failure = await at.foreseen(at.rollback(), wrong, plant);
            assert.equal(failure.code, "content");
            assert.match(failure.message, words);
        });
    }

    it("takes a state of an older format", async () => {
        const old = { version: 3, serial: 1, lineage: "whole", modules: [{ path: ["root"], resources: {} }] };
        await at.rollback().up({ ...(await at.seeded(old, state(2, ["b"]))), upload: true });
        assert.deepEqual((await at.current("ws-3")).serial, 3);
    });

    it("refuses `only` beside it before a request", async () => {
        const error = await failureOf(at.rollback().check({ ...inputs, only: ["aws_x.a"] }), CheckFailed);
        assert.deepEqual(error.paths, ["upload"]);
        assert.deepEqual(await at.simulator.requests(), []);
    });

    story("sends nothing after a change of `upload` alone", {
        deployed: [{ upload: false }],
        ends: "updated",
        leaves: { writes: [] },
    });
    story("restores the version before by an upload", {
        deployed: [{ onDelete: "restore" }],
        command: "destroy",
        leaves: { patches: 0, uploads: 1, serial: 6, lock: undefined },
    });
});

describe("a server that does not offer rollbacks", () => {
    const at = new Workspaces({ tokens: [{ token: "reader", kind: "user", id: "user-3", access: "read" }] });
    const page = { body: "<html></html>", contentType: "text/html" };
    const hidden = /may not write state versions/;
    /** Lets the record of the workspace show these permissions, and the rollback get this answer. Returns the message. */
    const answered = async (answer: Props, permissions?: Props) => {
        const shown = record("ws-1", { locked: false, permissions });
        await at.simulator.fault({ method: "PATCH", times: 0, ...answer });
        at.meanwhile(/^PATCH/, () => at.simulator.fault({ method: "GET", path: "/workspaces/ws-1$", ...shown }));
        const { message } = await failureOf(at.rollback({ maxRetries: 0 }, slow).up(rollbackInputs), Shown);
        assert.deepEqual((await at.requested()).includes("state-versions"), true);
        assert.equal(await at.made(), 0);
        return message;
    };

    for (const [what, answer] of [
        ["405", refusal(405)],
        ["501", refusal(501)],
        ["405 with a page", { status: 405, ...page }],
        ["404 with a page", { status: 404, ...page }],
        ["500", refusal(500)],
    ] as const) {
        it(`is named with \`upload: true\` after ${what}`, async () => {
            assert.match(await answered(answer), /`upload: true`/);
        });
    }
    it("is named after a 404 although the token may write", async () => {
        const message = await answered(refusal(404), { "can-create-state-versions": true });
        assert.match(message, /`upload: true`/);
        assert.doesNotMatch(message, hidden);
    });
    it("is named beside the right if the workspace shows no permissions", async () => {
        const message = await answered(refusal(404));
        assert.match(message, /`upload: true`/);
        assert.match(message, hidden);
    });
    it("is not named after a 404 for a missing right, nor after other answers", async () => {
        const message = await answered(refusal(404), { "can-create-state-versions": false });
        assert.doesNotMatch(message, /upload/);
        assert.match(message, /permission/);
    });
    for (const status of [403, 409, 422, 503]) {
        it(`is not named after ${status}`, async () => {
            assert.doesNotMatch(await answered(refusal(status)), /upload: true/);
        });
    }
    it("gets another version after the failed deletion of a part, in another way", async () => {
        const undo = await at.rollback().deployed({ ...rollbackInputs, only: ["server.a"], onDelete: "restore" });
        await at.simulator.fault({ method: "PATCH", ...refusal(501) });
        const { message } = await failureOf(undo.destroy(), Shown);
        assert.match(message, /`onDelete: "keep"`.*StateVersionRollback to sv-4 with `upload: true`/);
    });
});
