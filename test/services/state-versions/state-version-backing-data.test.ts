import assert from "node:assert/strict";
import { withCode } from "../../support/messages";
import type { Props } from "../../support/pulumi-values";
import { storiesOf } from "../../support/story";
import { record, refusal, Workspaces } from "./fixture";

const inputs = { stateVersionId: "sv-1", state: "softDeleted" };
const forGood = { stateVersionId: "sv-1", state: "permanentlyDeleted", allowPermanentDeletion: true };
const actions = "/api/v2/state-versions/sv-1/actions";
const soft = "backing_data_soft_deleted";
const plain404 = { status: 404, body: "404 page not found", contentType: "text/plain" };

describe("StateVersionBackingData", () => {
    const at = new Workspaces({ tokens: [{ token: "member", kind: "user", id: "user-3", owner: false }] });

    const data = (settings: Props = {}) =>
        at.simulator.resource("StateVersionBackingData", { settings: { "statecraft:terraform": settings } });
    const version = () => at.simulator.store.stateVersions.versions.find(({ id }) => id === "sv-1") ?? assert.fail();
    const status = () => version().status;
    /** Performs an action as another account. */
    const act = (action: string) => at.simulator.outside("POST", `${actions}/${action}_backing_data`);
    const sent = async () =>
        (await at.simulator.writes()).map(({ path, body }) => [path.replace(`${actions}/`, ""), body]);
    const story = storiesOf(at, "StateVersionBackingData", inputs, { sent, status });

    describe("check", () => {
        it("refuses a permanent deletion without `allowPermanentDeletion`", async () => {
            await assert.rejects(data().check({ ...inputs, state: "permanentlyDeleted" }), { paths: ["state"] });
        });
    });

    describe("changes a version to `state`", () => {
        const granted = { data: { type: "state-versions", attributes: { "delete-older-than-n-days": 30 } } };
        story("changes an available version by a soft deletion, with `deleteOlderThanNDays`", {
            inputs: { deleteOlderThanNDays: 30 },
            ends: "created",
            leaves: { id: "sv-1", sent: [["soft_delete_backing_data", granted]], status: soft },
            outputs: { status: soft, grantedDays: 30 },
            next: ["same"],
        });
        story("changes a soft-deleted version by a restoration in place", {
            deployed: [{}],
            inputs: { state: "available" },
            ends: "updated",
            leaves: { sent: [["restore_backing_data", null]], status: "finalized" },
            outputs: { workspaceId: "ws-1" },
        });
        for (const [what, before] of [
            ["an available version", "available"],
            ["a soft-deleted version", "softDeleted"],
        ] as const) {
            const ended = { status: "backing_data_permanently_deleted" };
            story(`changes ${what} for good by a soft and a permanent deletion`, {
                deployed: [{ state: before }],
                inputs: forGood,
                ends: "updated",
                leaves: {
                    ...ended,
                    sent: [
                        ["soft_delete_backing_data", { data: { type: "state-versions", attributes: {} } }],
                        ["permanently_delete_backing_data", null],
                    ],
                },
                outputs: ended,
                next: ["same"],
            });
        }

        for (const [what, program, prepare] of [
            ["already available", { ...inputs, state: "available" }, []],
            ["already soft-deleted", inputs, ["soft_delete"]],
            ["already permanently deleted", forGood, ["soft_delete", "permanently_delete"]],
        ] as const) {
            it(`sends nothing if the version is ${what}`, async () => {
                for (const action of prepare) await act(action);
                const life = await data().deployed(program);
                await life.isQuiet(program);
            });
        }

        story("succeeds after a 204 without a body", {
            faults: [{ method: "POST", path: "/actions/", after: true, status: 204 }],
            outputs: { status: soft },
        });
        story("sends nothing for a change of options: `deleteOlderThanNDays` is sent only with the next deletion", {
            deployed: [{}],
            inputs: { deleteOlderThanNDays: 9, allowPermanentDeletion: true },
            ends: "updated",
            leaves: { sent: [] },
        });
    });

    describe("takes its outputs from the answer of the action", () => {
        const given = { "delete-older-than-n-days": 14, serial: 7, "created-at": "2024-01-01T00:00:00Z" };
        const shown = { serial: 7, createdAt: "2024-01-01T00:00:00Z", grantedDays: 14 };
        const gone = "backing_data_permanently_deleted";
        for (const [title, program, attributes, outputs, warns = ""] of [
            ["the days that the service granted", {}, { ...given, status: soft }, { ...shown, status: soft }],
            ["not the status if the answer omits it", {}, given, { ...shown, status: soft }],
            [
                "`uploaded` as the status of content",
                { state: "available" },
                { status: "uploaded" },
                { status: "uploaded" },
            ],
            ["another status than the declared one, with a warning", {}, { status: gone }, { status: gone }, "dropped"],
            [
                "a status that is not restored, with a warning",
                { state: "available" },
                { status: soft },
                { status: soft },
                "dropped",
            ],
            [
                "those of both deletions",
                forGood,
                { ...given, status: soft },
                { serial: 1, grantedDays: 14, status: gone },
            ],
        ] as const) {
            story(title, {
                inputs: { deleteOlderThanNDays: 30, ...program },
                faults: [
                    { method: "POST", path: "/actions/(soft|restore)", after: true, ...record("sv-1", attributes) },
                ],
                warns,
                outputs,
                next: ["same"],
            });
        }
    });

    describe("in preview", () => {
        const current = { stateVersionId: "sv-4" };
        for (const [what, program, code, text, before = "finalized"] of [
            ["the current version cannot be deleted", { ...inputs, ...current }, "in-use", /ws-1/],
            ["the current version cannot be deleted for good", { ...forGood, ...current }, "in-use", /ws-1/],
            ["a deletion for good cannot be undone", forGood, "preview", /serial 1 of ws-1.*cannot be undone/],
            ["a soft-deleted version cannot be read", forGood, "preview", /cannot be read.*cannot be undone/, soft],
            ["a soft deletion can be undone", inputs, "preview", /until it is made available again/],
            ["a pending version has no content to delete", inputs, "not-finalized", /pending/, "pending"],
            ["a discarded version has no content to delete", forGood, "not-finalized", /discarded/, "discarded"],
        ] as const) {
            it(`says that ${what}`, async () => {
                Object.assign(version(), { status: before });
                const life = data();
                await life.preview(program);
                const [message = "", ...others] = life.messages.map(({ message }) => message);
                assert.deepEqual(others, []);
                assert.match(message, withCode(code));
                assert.match(message, text);
                assert.deepEqual(await at.simulator.writes(), []);
            });
        }
    });

    describe("failures", () => {
        const explained = { status: 400, message: /400: .*Terraform Enterprise/ };
        story("explains a 400 of the current version", { inputs: { stateVersionId: "sv-4" }, ends: explained });
        story("explains a 400 of a permanently deleted version", {
            given: () => act("soft_delete").then(() => act("permanently_delete")),
            inputs: { state: "available" },
            ends: explained,
        });
        story("fails for a 400 if the version still has its content", {
            faults: [{ method: "POST", path: "/actions/", ...refusal(400) }],
            ends: { status: 400 },
        });

        it("explains a 404: an absent version, a token of another account than an owner, or HCP Terraform, which does not have these actions", async () => {
            const refused = { status: 404, message: /Terraform Enterprise.*organization owner/ };
            await assert.rejects(data().up({ ...inputs, stateVersionId: "sv-9" }), refused);
            await assert.rejects(data({ token: "member" }).up(inputs), refused);
            await at.simulator.fault({ method: "POST", path: "/actions/", ...plain404 });
            await assert.rejects(data().up(inputs), refused);
        });

        story("stays in state if neither the answer nor a read shows the version; the next `up` reads it", {
            faults: [
                { method: "POST", path: "/actions/", after: true, status: 204 },
                { method: "GET", path: "/sv-1$", times: 0, ...refusal(500) },
            ],
            ends: { status: 500 },
            outputs: { unfinished: ["readBack"], status: soft },
            next: ["updated", "same"],
        });
    });

    describe("read and delete", () => {
        it("shows drift of a version that another account restored", async () => {
            const life = await data().deployed(inputs);
            await act("restore");
            assert.deepEqual((await life.refresh())?.includes("state"), true);
            assert.equal(life.outputs()["state"], "available");
            assert.equal(await life.up(inputs), "updated");
            assert.equal(status(), soft);
        });

        it("accepts refused reads of a deleted version, but fails for a refused token or a server error", async () => {
            const life = await data().deployed(inputs);
            const reads = { method: "GET", path: "/state-versions/sv-1$", times: 0 };
            for (const status of [400, 404, 409, 410, 422, 403, 500]) {
                await at.simulator.fault({ ...reads, ...refusal(status) });
                if (status === 403 || status === 500) await assert.rejects(life.refresh(), { status });
                else assert.deepEqual(await life.refresh(), []);
                await at.simulator.heal();
            }
            assert.deepEqual(life.warnings, []);
        });

        it("imports a version by its id", async () => {
            const life = await data().imported("sv-1");
            assert.deepEqual([life.outputs()["state"], life.outputs()["serial"]], ["available", 1]);
            await assert.rejects(data().get("sv-9"), { code: "absent" });
        });

        for (const [declared, shown, state] of [
            ["available", "pending", "available"],
            ["available", soft, "softDeleted"],
            ["available", "backing_data_permanently_deleted", "permanentlyDeleted"],
            ["softDeleted", soft, "softDeleted"],
            // The service permanently deletes soft-deleted content after some days.
            ["softDeleted", "backing_data_permanently_deleted", "softDeleted"],
        ] as const) {
            it(`reads the status ${shown} of content that is declared ${declared} as ${state}`, async () => {
                const life = await data().deployed({ ...inputs, state: declared });
                await at.simulator.fault({ path: "/sv-1$", times: 0, ...record("sv-1", { status: shown }) });
                await life.refresh();
                assert.deepEqual([life.outputs()["state"], life.outputs()["status"]], [state, shown]);
            });
        }
    });
});
