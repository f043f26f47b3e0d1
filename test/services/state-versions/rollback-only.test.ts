/** Tests a rollback with `only`: which part of a state comes back, what is refused, and what follows a fault. */

import assert from "node:assert/strict";
import { failureOf } from "../../support/failures";
import { CheckFailed } from "../../support/managed-resource";
import { type Props, unknown } from "../../support/pulumi-values";
import { refusal, rollbackInputs, slow, strict, Workspaces, workspaceWith } from "./fixture";

const aws = 'provider["example.com/hashicorp/aws"]';
const object = (id: string, more: object = {}) => ({ attributes: { id, size: 1 }, ...more });
const entry = (name: string, instances: object[], more: object = {}) => ({
    ...{ mode: "managed", type: "aws_x", name, provider: aws, instances, ...more },
});
const state = (serial: number, resources: object[], more: object = {}) => ({
    ...{ version: 4, serial, lineage: "parts", outputs: {}, resources, ...more },
});
const web = ["x", "y", "z"].map((id, index) => object(id, { index_key: index }));
const nested = (name: string, key: string) =>
    entry("db", [object(`${name} ${key}`, { index_key: key })], {
        module: `module.${name}["a.[1] \\"$\${x}"].module.n`,
    });

/** Ten instances. */
const older = state(1, [
    ...[entry("a", [object("a")]), entry("web", web), nested("m", "eu"), nested("m", "%{us"), nested("mx", "eu")],
    ...[entry("d", [object("d", { dependencies: ["aws_x.a", "aws_x.b", "data.aws_y.c"] })])],
    ...[entry("e", [object("e"), object("e-1", { deposed: "12ab" })]), entry("c", [object("c")], { mode: "data" })],
]);
/** `web[2]`, `module.m`, `d` and `e` are lost or changed, and three are newer. */
const newer = state(7, [
    ...[entry("web", web.slice(0, 2)), nested("mx", "eu"), entry("d", [{ attributes: { id: "d", size: 2 } }])],
    ...[
        entry("e", [object("e-2", { deposed: "34cd" })]),
        entry(
            "new",
            [object("1"), object("2"), object("3")].map((each, index_key) => ({ ...each, index_key })),
        ),
    ],
]);
const only = ["aws_x.web[2]", "module.m", "aws_x.d", "aws_x.e"];

const before = state(1, [entry("a", [object("a")]), entry("web", web)]);
const now = (...resources: object[]) => state(2, resources);
const otherForm = now(entry("web", [object("w", { index_key: "a" })]));
/** Refused rollbacks: the older state, the current one, what is named, and what the message says. */
const refused: readonly (readonly [string, Props, Props, string, RegExp])[] = [
    ["an address with a typo", before, now(), "aws_x.wed", /sv-30 has no aws_x\.wed; perhaps you mean aws_x\.web\b/],
    ["an instance that never was", before, now(), "aws_x.web[3]", /has no aws_x\.web\[3\]/],
    ["a key that is no text", before, now(), 'aws_x.web["\\x"]', /has no aws_x\.web/],
    ["a beginning of a module's name", state(1, [nested("mx", "eu")]), now(), "module.m", /has no module\.m\b/],
    ["a module that is called data", before, now(), "module.data", /has no module\.data/],
    ["another lineage", before, { ...now(), lineage: "other" }, "aws_x.a", /another lineage/],
    ["another format", { ...before, version: 3 }, now(), "aws_x.a", /sv-30 has the format 3/],
    ["an encrypted state", { ...before, encrypted_data: "x" }, now(), "aws_x.a", /sv-30 is encrypted/],
    ["a state of another form", { ...before, resources: {} }, now(), "aws_x.a", /sv-30 cannot be read/],
    [
        "two objects of one instance",
        before,
        now(entry("a", [object("a"), object("a")])),
        "aws_x.web",
        /two objects of one instance/,
    ],
    [
        "another provider",
        before,
        now(entry("web", [object("w", { index_key: 0 })], { provider: "provider.aws" })),
        "aws_x.web[1]",
        /another provider.*aws_x\.web\b/,
    ],
    [
        "another provider of an instance",
        state(1, [entry("o", [object("o", { index_key: 0, provider: aws })], { provider: undefined })]),
        now(entry("o", [object("p", { index_key: 0, provider: "provider.aws" })], { provider: undefined })),
        "aws_x.o[0]",
        /another provider/,
    ],
    ["another form", before, otherForm, "aws_x.web[1]", /other keys.*name the whole resource aws_x\.web\b/],
];

describe("StateVersionRollback with `only`", () => {
    const at = new Workspaces({ workspaces: [workspaceWith(2, older, newer)] });
    /** Adds a workspace with the states of a refused rollback, and returns the rollback. */
    const refusedIn = async (old: Props, current: Props, address: string) => ({
        ...(await at.seeded(old, current)),
        only: [address],
    });
    const inputs = { workspaceId: "ws-2", stateVersionId: "sv-20" };
    const story = at.stories("StateVersionRollback", { ...rollbackInputs, only: ["server.a"] });

    it("brings back what it names, and keeps everything else", async () => {
        const undo = await at.rollback().deployed({ ...inputs, only });
        const [lock, post, put, unlock, ...more] = await at.simulator.writes();
        assert.deepEqual(
            [lock, put, unlock].map((each) => each?.path.split("/").at(-2)),
            ["actions", "object", "actions"],
        );
        assert.deepEqual(more, []);
        assert.match(JSON.stringify(post?.body), /"attributes":{"serial":8,"md5":"\w{32}","lineage":"parts"}}}$/);
        const [kept, other, , , added] = newer.resources;
        assert.deepEqual(JSON.parse(await at.state("ws-2")), {
            ...newer,
            serial: 8,
            resources: [
                { ...kept, instances: web },
                ...[other, older.resources[5]],
                entry("e", [object("e-2", { deposed: "34cd" }), object("e")]),
                ...[added, older.resources[2], older.resources[3]],
            ],
        });
        const { id } = await at.current("ws-2");
        const { currentStateVersionId, previousStateVersionId, rolledBackFrom, serial } = undo.outputs();
        assert.deepEqual(
            [currentStateVersionId, previousStateVersionId, rolledBackFrom, serial],
            [id, "sv-21", "sv-21", 8],
        );
        assert.equal(await undo.up({ ...inputs, only: [...only].reverse() }), "same");
        await at.simulator.forget();
        assert.equal(await at.rollback().up({ ...inputs, only }), "created");
        assert.deepEqual(await at.writes(), []);
    });

    it("says in the preview what comes back, is replaced and is kept, and which dependencies are absent", async () => {
        const undo = at.rollback();
        const db = 'module.m["a.[1] \\"$${x}"].module.n.aws_x.db';
        const back = `aws_x.web[2], ${db}["eu"], ${db}["%%{us"], aws_x.e`;
        const [note, warning = ""] = await undo.preview({ ...inputs, only });
        assert.equal(
            note,
            `bringing a part back: from sv-20 (serial 1) into sv-21 (serial 7), which is current in ws-2: + ${back}; ~ aws_x.d (size, dependencies); kept: 3 newer. [preview]`,
        );
        assert.match(warning, /sv-21 lacks.*aws_x\.a/);
        assert.deepEqual(await at.writes(), []);
        await undo.up({ ...inputs, only });
        const same = /^nothing to bring back now: .*: kept: 3 newer\. \[preview\]$/;
        assert.match((await at.rollback().preview({ ...inputs, only })).join(), same);
    });

    it("brings a whole resource back whose instances have other keys now, and says what leaves the state", async () => {
        const undo = at.rollback();
        const whole = await refusedIn(before, otherForm, "aws_x.web");
        const words = /: \+ aws_x\.web\[0\], aws_x\.web\[1\], aws_x\.web\[2\]; - aws_x\.web\["a"\]; kept: 0 newer/;
        assert.match((await undo.preview(whole)).join(), words);
        await undo.up(whole);
        assert.equal((await at.current(whole.workspaceId)).serial, 3);
    });

    for (const wrong of [
        [],
        ["server.a", "server.a"],
        ["data.aws_y.c"],
        ["module.m.data.aws_y.c"],
        ["server"],
        ["server.a[b]"],
        [7],
        "server.a",
    ]) {
        it(`refuses ${JSON.stringify(wrong)} before a request`, async () => {
            const error = await failureOf(at.rollback().check({ ...inputs, only: wrong }), CheckFailed);
            assert(
                error.paths.every((path) => path.startsWith("only")),
                error.paths.join(),
            );
            assert.deepEqual(await at.simulator.requests(), []);
        });
    }

    it("sends no request in a preview while an address is unknown", async () => {
        assert.deepEqual(await at.rollback().preview({ ...inputs, only: ["aws_x.a", unknown] }), []);
        assert.deepEqual(await at.simulator.requests(), []);
    });

    for (const [what, old, current, address, words] of refused) {
        it(`refuses ${what} in the preview and before the lock`, async () => {
            const wrong = await refusedIn(old, current, address);
            const failure = await at.foreseen(at.rollback(), wrong);
            assert.equal(failure.code, "only");
            assert.match(failure.message, words);
            await assert.rejects(at.rollback({}, strict).preview(wrong), CheckFailed);
        });
    }

    story("fails without a lock if a state cannot be downloaded", {
        faults: [{ method: "GET", path: "/object/", times: 0, ...refusal(403) }],
        ends: { status: 403 },
        leaves: { writes: [], id: undefined },
        next: ["created"],
        last: { posts: 1 },
    });
    story("compares anew after a change of `only`", {
        deployed: [{}],
        inputs: { only: ["server.a", "server.b"] },
        ends: "updated",
        leaves: { posts: 1, isCurrent: true },
        outputs: { previousStateVersionId: "sv-4" },
        next: ["same"],
    });
    story("sends nothing after a change of `only` to what is there", {
        deployed: [{ only: ["server.a", "server.b"] }],
        ends: "updated",
        leaves: { writes: [] },
    });
    story("brings the whole version back once `only` is left out", {
        deployed: [{}],
        inputs: { only: undefined },
        leaves: { patches: 1, copyOf: "sv-3" },
    });
    story("brings the part back again after a change of `triggers`", {
        deployed: [{}],
        inputs: { triggers: [1] },
        leaves: { posts: 1, made: 2, isCurrent: true },
    });
    story("compares with the version that another account makes before the lock", {
        given: async () => at.meanwhile(/POST .*lock$/, () => at.others("sv-3")),
        leaves: { uploads: 0, copyOf: "sv-3", lock: undefined },
    });
    story("keeps the workspace locked with `keepLocked`", {
        inputs: { keepLocked: true },
        leaves: { requested: ["lock", "state-versions"] },
    });
    story("does nothing about a newer version of another account", {
        deployed: [{}],
        given: () => at.others("sv-4"),
        ends: "same",
        leaves: { writes: [] },
    });
    it("treats a newer version as drift with `enforce`, and brings the part back into that version", async () => {
        const undo = at.rollback();
        const enforced = { ...rollbackInputs, only: ["server.a"], enforce: true };
        await undo.up(enforced);
        await at.others("sv-4");
        assert.deepEqual(await undo.refresh(), ["stateVersionId", "superseded"]);
        assert.equal(await undo.up(enforced), "updated");
        assert.equal(undo.outputs()["superseded"], false);
        assert.equal(await at.made(), 3);
    });
    story("restores the whole version before with `onDelete: restore`", {
        deployed: [{ onDelete: "restore" }],
        command: "destroy",
        leaves: { copyOf: "sv-4", patches: 1, lock: undefined },
    });

    const put = { method: "PUT", path: "/object/" };
    const ended = { isCurrent: true, serial: 5, lock: undefined };
    story("makes a version anew if the content of the one in state never arrived", {
        options: slow,
        faults: [{ ...put, status: 200, body: "" }],
        ends: { code: "timeout" },
        leaves: { current: "sv-4" },
        outputs: { unfinished: ["readBack"] },
        next: ["updated", "same"],
        last: ended,
    });
    story("restores the version before, if the content of an update never arrived", {
        ...{ deployed: [{ onDelete: "restore" }], inputs: { only: ["server.b"], onDelete: "restore" } },
        options: slow,
        faults: [{ ...put, status: 200, body: "" }],
        ...{ ends: { code: "timeout" }, next: ["destroyed"], last: { copyOf: "sv-4", lock: undefined } },
    });
});
