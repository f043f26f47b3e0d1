import assert from "node:assert/strict";
import {
    halfway,
    nothingBringsBack,
    otherStatus,
    unknownState,
} from "../../../src/services/state-versions/backing-data-failures";
import type { Seed } from "../../../src/simulator/seed";
import { canaryToken } from "../../support/canaries";
import { wordsOf } from "../../support/messages";
import { withSimulator } from "../../support/simulator";
import { refusal } from "./fixture";

type Props = Record<string, unknown>;

const state = (serial: number) => ({ version: 4, serial, lineage: "11aa", outputs: {}, resources: [] });

const seed: Seed = {
    tokens: [
        { token: canaryToken, kind: "user", id: "user-1" },
        { token: "member", kind: "user", id: "user-2", owner: false },
    ],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: state(1) },
                { id: "sv-2", state: state(2) },
            ],
        },
    ],
};

const inputs = { stateVersionId: "sv-1", state: "softDeleted" };
const forGood = { stateVersionId: "sv-1", state: "permanentlyDeleted", allowPermanentDeletion: true };
const actions = "/api/v2/state-versions/sv-1/actions";
const plain404 = { status: 404, body: "404 page not found", contentType: "text/plain" };

describe("StateVersionBackingData", () => {
    const simulator = withSimulator(seed);

    const data = (settings: Props = {}) =>
        simulator.resource("StateVersionBackingData", { settings: { "statecraft:stateVersions": settings } });
    const status = async (id = "sv-1") => {
        const address = `${simulator.url}/api/v2/state-versions?filter[workspace][name]=app&filter[organization][name]=example`;
        const answer = await fetch(address, { headers: { authorization: `Bearer ${canaryToken}` } });
        const { data: all } = (await answer.json()) as { data: { id: string; attributes: Props }[] };
        return all.find((one) => one.id === id)?.attributes["status"];
    };
    const act = async (action: string) => {
        const headers = { authorization: `Bearer ${canaryToken}`, "content-type": "application/vnd.api+json" };
        assert.equal((await fetch(`${simulator.url}${actions}/${action}`, { method: "POST", headers })).status, 200);
    };
    const sent = async () =>
        (await simulator.writes()).map(({ path, body }) => [path.replace(`${actions}/`, ""), body]);

    describe("check", () => {
        for (const given of [{ stateVersionId: "" }, { state: "deleted" }, { deleteOlderThanNDays: 1.5 }]) {
            it(`refuses ${JSON.stringify(given)}`, async () => {
                await assert.rejects(data().check({ ...inputs, ...given }), { paths: Object.keys(given) });
            });
        }

        it("refuses to delete for good where that is not asked for by name", async () => {
            await assert.rejects(data().check({ ...inputs, state: "permanentlyDeleted" }), {
                reasons: [
                    "state: permanentlyDeleted cannot be undone; to ask for it all the same, set allowPermanentDeletion: true",
                ],
            });
        });

        it("warns of days without a soft deletion", async () => {
            const life = data();
            await life.check({ stateVersionId: "sv-1", state: "available", deleteOlderThanNDays: 5 });
            assert.deepEqual(life.warnings, ["deleteOlderThanNDays: is only sent with a soft deletion"]);
        });
    });

    describe("of a content that was deleted for good", () => {
        const available = { ...forGood, state: "available" };
        const read = (attributes: Props, { times = 0, skip = 0 } = {}) =>
            simulator.fault({
                method: "GET",
                path: "/state-versions/sv-1$",
                times,
                skip,
                status: 200,
                body: JSON.stringify({ data: { id: "sv-1", type: "state-versions", attributes } }),
                contentType: "application/vnd.api+json",
            });

        it("says in preview and in up that nothing brings it back, and asks for nothing", async () => {
            const life = data();
            await life.up(forGood);
            await simulator.forget();
            const [told, ...others] = await life.preview(available);
            assert.match(told ?? "", /^state: the version cannot be read: if its content was deleted for good/);
            assert.deepEqual(others, []);
            await assert.rejects(life.up(available), {
                code: "deleted",
                message: /state: the content of this version was deleted for good, and nothing brings it back/,
            });
            assert.deepEqual(await sent(), []);
            assert.deepEqual(await life.preview(forGood), []);
            assert.deepEqual(await life.preview({ ...available, stateVersionId: "sv-2" }), []);
        });

        it("says nothing in the preview of what can be brought back, and looks for nothing that is there", async () => {
            const life = data();
            await life.up(inputs);
            assert.deepEqual(await life.preview({ ...inputs, state: "available" }), []);
            await life.up({ ...inputs, state: "available" });
            await simulator.forget();
            assert.deepEqual(await life.preview({ ...inputs, state: "available" }), []);
            assert.deepEqual(await simulator.requests(), []);
        });

        it("says so too where the version can still be read", async () => {
            await read({ status: "backing_data_permanently_deleted" });
            const life = data();
            assert.match((await life.preview(available)).join(), wordsOf(nothingBringsBack));
            await assert.rejects(life.up(available), { code: "deleted" });
            assert.deepEqual(await sent(), []);
            assert.equal(await data().up(inputs), "created", "retired content is deleted for good after some days");
        });

        it("believes it only once it was confirmed: a lost request may have done nothing", async () => {
            for (const [drop, before] of [
                ["before", []],
                ["before", [inputs]],
            ] as const) {
                await simulator.reset();
                const life = data();
                for (const program of before) await life.up(program);
                await simulator.fault({ method: "POST", path: "/permanently_delete", times: 0, drop });
                await assert.rejects(
                    life.up(forGood),
                    /whether the content of sv-1 is permanentlyDeleted now is unknown/,
                );
                assert.equal(life.outputs()["status"], "backing_data_soft_deleted", "the last that was confirmed");
                await simulator.heal();
                await life.refresh();
                assert.equal(await life.up(available), "updated");
                assert.equal(await status(), "finalized");
                assert.equal(await life.up(available), "same");
            }
        });

        it("learns from the refusal that the lost request was done", async () => {
            const life = data();
            await simulator.fault({ method: "POST", path: "/permanently_delete", drop: "after" });
            await assert.rejects(life.up(forGood), { message: wordsOf(unknownState) });
            await assert.rejects(life.up(available), { status: 400 });
            assert.equal(await life.up(forGood), "updated");
            assert.equal(life.outputs()["status"], "backing_data_permanently_deleted");
        });

        it("takes `uploaded`, as the sample of a restored version has it, for available", async () => {
            await read({ status: "uploaded" });
            const life = data();
            await life.up({ ...inputs, state: "available" });
            assert.deepEqual(await sent(), []);
            assert.equal(life.outputs()["status"], "uploaded");
            assert.deepEqual(await life.refresh(), []);
            await simulator.heal();
            const restored = data();
            await restored.up(inputs);
            await read({ status: "uploaded" }, { skip: 1 });
            assert.equal(await restored.up({ ...inputs, state: "available" }), "updated");
            await simulator.heal();
            assert.equal(await status(), "finalized");
            await read({ status: "uploaded" }, { times: 1 });
            await simulator.forget();
            await data().up(forGood);
            assert.deepEqual(
                (await sent()).map(([path]) => path),
                ["soft_delete_backing_data", "permanently_delete_backing_data"],
            );
        });
    });

    describe("brings a version to its state", () => {
        it("by a soft deletion, with days where given", async () => {
            const life = data();
            assert.equal(await life.up({ ...inputs, deleteOlderThanNDays: 30 }), "created");
            assert.equal(life.state?.id, "sv-1");
            const attributes = { "delete-older-than-n-days": 30 };
            assert.deepEqual(await sent(), [
                ["soft_delete_backing_data", { data: { type: "state-versions", attributes } }],
            ]);
            assert.equal(await status(), "backing_data_soft_deleted");
            assert.equal(life.outputs()["status"], "backing_data_soft_deleted");
            assert.equal(await life.up({ ...inputs, deleteOlderThanNDays: 30 }), "same");
        });

        it("and back, in place", async () => {
            const life = data();
            await life.up(inputs);
            await simulator.forget();
            assert.equal(await life.up({ ...inputs, state: "available" }), "updated");
            assert.deepEqual(await sent(), [["restore_backing_data", null]]);
            assert.equal(await status(), "finalized");
            assert.equal(life.outputs()["workspaceId"], "ws-1");
        });

        it("by a soft and a permanent deletion of an available one", async () => {
            await data().up(forGood);
            assert.deepEqual(
                (await sent()).map(([path]) => path),
                ["soft_delete_backing_data", "permanently_delete_backing_data"],
            );
            assert.equal(await status(), "backing_data_permanently_deleted");
        });

        it("by the permanent deletion alone of one that is soft-deleted", async () => {
            const life = data();
            await life.up(inputs);
            await simulator.forget();
            assert.equal(await life.up(forGood), "updated");
            assert.deepEqual(await sent(), [["permanently_delete_backing_data", null]]);
        });

        it("by the permanent deletion alone where somebody else has retired it since", async () => {
            const life = data();
            await life.up({ ...inputs, state: "available" });
            await act("soft_delete_backing_data");
            assert.equal(await life.up(forGood), "updated");
            assert.equal(await status(), "backing_data_permanently_deleted");
        });

        it("sends nothing when it is there already", async () => {
            await data().up({ ...inputs, state: "available" });
            assert.deepEqual(await sent(), []);
        });

        it("takes 204 without a body for a success", async () => {
            await simulator.fault({ method: "POST", path: "/actions/", after: true, status: 204 });
            const life = data();
            await life.up(inputs);
            assert.equal(life.outputs()["status"], "backing_data_soft_deleted");
        });

        it("stores options, and says nothing to the service about days until the next deletion", async () => {
            const life = data();
            await life.up(inputs);
            await simulator.forget();
            assert.equal(
                await life.up({ ...inputs, deleteOlderThanNDays: 9, allowPermanentDeletion: true }),
                "updated",
            );
            assert.deepEqual(await sent(), []);
            assert.deepEqual((await life.diff({ ...inputs, stateVersionId: "sv-2" })).replaces, ["stateVersionId"]);
        });
    });

    describe("failures", () => {
        it("explains a 400 of the current version", async () => {
            await assert.rejects(
                data().up({ ...inputs, stateVersionId: "sv-2" }),
                /400: .*sv-2 is the current version of ws-1, whose content cannot be retired/,
            );
        });

        it("explains a 400 of what is deleted for good", async () => {
            await data().up(forGood);
            await assert.rejects(data().up({ ...inputs, state: "available" }), /400: .*cannot be brought back/);
        });

        it("does not call deleted what never had content", async () => {
            const id = "sv-9";
            const body = JSON.stringify({ data: { id, type: "state-versions", attributes: { status: "pending" } } });
            const contentType = "application/vnd.api+json";
            await simulator.fault({ path: `/${id}$`, times: 0, status: 200, body, contentType });
            await simulator.fault({ method: "POST", path: `/${id}/actions`, ...refusal(400) });
            await assert.rejects(data().up({ stateVersionId: id, state: "available" }), {
                status: 400,
                message: wordsOf(otherStatus),
            });
        });

        for (const code of [400, 404, 429]) {
            it(`keeps what was granted before the second step was refused with ${code}, and goes on or back from there`, async () => {
                for (const { declared, ends } of [
                    { declared: forGood, ends: "backing_data_permanently_deleted" },
                    { declared: { ...inputs, state: "available" }, ends: "finalized" },
                ]) {
                    await simulator.reset();
                    const life = data();
                    await life.up({ ...inputs, state: "available" });
                    await simulator.fault({ method: "POST", path: "/permanently", times: 0, ...refusal(code) });
                    await assert.rejects(life.up(forGood), { status: code, message: wordsOf(halfway) });
                    const { status: reached, unfinished } = life.outputs();
                    assert.deepEqual([reached, unfinished], ["backing_data_soft_deleted", ["state"]]);
                    await life.refresh();
                    await simulator.heal();
                    assert.equal(await life.up(declared), "updated");
                    assert.equal(await status(), ends);
                    assert.equal(await life.up(declared), "same");
                }
            });
        }

        it("speaks of the status that the first step has led to, where the second one is refused", async () => {
            await simulator.fault({ method: "POST", path: "/permanently", ...refusal(400) });
            await assert.rejects(data().up(forGood), /planted.*sv-1 is backing_data_soft_deleted: only a finalized/);
        });

        it("explains a 404: missing, or not an owner's token", async () => {
            await assert.rejects(data({ token: "member" }).up(inputs), {
                code: "not-found",
                message: /Either sv-1 does not exist.*permission of an organization owner/,
            });
            await assert.rejects(data().up({ ...inputs, stateVersionId: "sv-9" }), { code: "not-found" });
        });

        it("says that the hosted edition has no such actions", async () => {
            await simulator.fault({ method: "POST", path: "/actions/", ...plain404 });
            await assert.rejects(data().up(inputs), /self-hosted edition/);
        });

        it("keeps a half-made object when nobody can tell; the next up looks again", async () => {
            await simulator.fault(
                { method: "POST", path: "/actions/", drop: "after" },
                { method: "GET", skip: 1, times: 0, drop: "before" },
            );
            const life = data();
            await assert.rejects(life.up(inputs), { message: wordsOf(unknownState) });
            assert.deepEqual(life.outputs()["unfinished"], ["state"]);
            await simulator.heal();
            await act("restore_backing_data");
            assert.equal(await life.up(inputs), "updated");
            assert.equal(await status(), "backing_data_soft_deleted");
            assert.equal(life.outputs()["unfinished"], undefined);
        });

        it("recognises by failing reads that it was done after all, in the same run or the next", async () => {
            for (const { declared, reads } of [
                { declared: inputs, reads: 1 },
                { declared: inputs, reads: 0 },
                { declared: forGood, reads: 0 },
            ]) {
                await simulator.reset();
                const retired = data();
                await simulator.fault({ method: "POST", drop: "after", times: 1 });
                // The looks after the lost answer fail too, so that only the next run can tell.
                if (reads === 0) await simulator.fault({ method: "GET", skip: 1, times: 0, drop: "before" });
                const first = retired.up(declared);
                await (reads === 0 ? assert.rejects(first) : first);
                await simulator.heal();
                if (reads === 0) assert.equal(await retired.up(declared), "updated");
                const expected = declared === forGood ? "permanently_deleted" : "soft_deleted";
                assert.equal(await status(), `backing_data_${expected}`);
                assert.equal(await retired.up(declared), "same");
            }
        });

        it("takes a refusal for the proof that the lost request was done, where the version can be read no more", async () => {
            await simulator.fault({ method: "POST", path: "/actions/", drop: "after", times: 0 });
            const life = data();
            await assert.rejects(life.up(forGood), { message: wordsOf(unknownState) });
            await simulator.heal();
            await life.refresh();
            assert.equal(await life.up(forGood), "updated");
            assert.equal(life.outputs()["unfinished"], undefined);
            assert.equal(await status(), life.outputs()["status"]);
            assert.equal(life.outputs()["workspaceId"], "ws-1");
        });

        it("takes what a killed run has retired for retired", async () => {
            await data().up(inputs);
            assert.equal(await data().up(inputs), "created");
            assert.equal(await status(), "backing_data_soft_deleted");
        });

        it("restores again when it was granted and the version still cannot be read", async () => {
            const life = data();
            await life.up(inputs);
            await simulator.fault({
                method: "POST",
                path: "/actions/",
                status: 200,
                body: "{}",
                contentType: "application/json",
            });
            await assert.rejects(life.up({ ...inputs, state: "available" }), { message: wordsOf(unknownState) });
            assert.equal(await life.up({ ...inputs, state: "available" }), "updated");
            assert.equal(await status(), "finalized");
        });

        it("is kept as half-made when it was granted and cannot be read back, and asks for nothing again", async () => {
            await simulator.fault({
                method: "GET",
                skip: 1,
                times: 0,
                status: 500,
                body: "planted",
                contentType: "text/plain",
            });
            const life = data();
            await assert.rejects(life.up(inputs), { status: 500 });
            assert.deepEqual(life.outputs()["unfinished"], ["readBack"]);
            await simulator.heal();
            await simulator.forget();
            assert.equal(await life.up(inputs), "updated");
            assert.deepEqual(await sent(), []);
            assert.equal(await life.up(inputs), "same");
        });

        it("does not take it for done when the service grants it and says otherwise", async () => {
            await simulator.fault({
                method: "POST",
                path: "/actions/",
                status: 200,
                body: "{}",
                contentType: "application/json",
            });
            const life = data();
            await assert.rejects(life.up(inputs), {
                code: "unheeded",
                message: /the service granted it, but says that the version is finalized/,
            });
            assert.equal(await life.up(inputs), "updated");
            assert.equal(await status(), "backing_data_soft_deleted");
        });

        it("recognises that it was done after all where the version can be read", async () => {
            const life = data();
            await life.up(inputs);
            await simulator.fault({ method: "POST", path: "/actions/", drop: "after" });
            assert.equal(await life.up({ ...inputs, state: "available" }), "updated");
            assert.equal(life.outputs()["status"], "finalized");
        });
    });

    describe("read and delete", () => {
        it("shows drift: a version that somebody else restored", async () => {
            const life = data();
            await life.up(inputs);
            await act("restore_backing_data");
            assert.deepEqual((await life.refresh())?.includes("state"), true);
            assert.equal(life.outputs()["state"], "available");
            assert.equal(await life.up(inputs), "updated");
            assert.equal(await status(), "backing_data_soft_deleted");
        });

        it("takes failing reads of a retired version for what they are", async () => {
            const life = data();
            await life.up(inputs);
            assert.deepEqual(await life.refresh(), []);
            assert.deepEqual(life.warnings, []);
        });

        it("takes whatever refusal of a read for that of a retired version, but none for the token or of a server in trouble", async () => {
            const life = data();
            await life.up(inputs);
            const body = '{"errors":[{"detail":"planted"}]}';
            const refuse = (status: number) =>
                simulator.fault({ method: "GET", path: "/state-versions/sv-1$", times: 0, status, body });
            for (const status of [400, 404, 409, 410, 422]) {
                await refuse(status);
                assert.deepEqual(await life.refresh(), []);
                assert.equal(await data().up(inputs), "created");
                await simulator.heal();
            }
            for (const status of [401, 403, 429, 500, 503]) {
                await refuse(status);
                await assert.rejects(life.refresh(), { status });
                await simulator.heal();
            }
            assert.deepEqual(life.warnings, []);
        });

        it("warns of failing reads of an available one, and keeps it", async () => {
            const life = data();
            await life.up({ ...inputs, state: "available" });
            await act("soft_delete_backing_data");
            assert.deepEqual(await life.refresh(), []);
            assert.match(life.warnings.join(), /cannot be read: it does not exist any more, its content was retired/);
        });

        it("finds a version by its id alone", async () => {
            const life = data();
            await life.get("sv-1");
            assert.deepEqual([life.outputs()["state"], life.outputs()["serial"]], ["available", 1]);
            await assert.rejects(data().get("sv-9"), { code: "absent" });
        });

        it("shows no drift of a version that waits for its content again", async () => {
            const life = data();
            await life.up({ ...inputs, state: "available" });
            const body = JSON.stringify({
                data: { id: "sv-1", type: "state-versions", attributes: { status: "pending" } },
            });
            const contentType = "application/vnd.api+json";
            await simulator.fault({ path: "/sv-1$", times: 0, status: 200, body, contentType });
            assert.deepEqual(await life.refresh(), ["status"]);
            assert.deepEqual([life.outputs()["state"], life.outputs()["status"]], ["available", "pending"]);
        });

        it("leaves the content as it is when deleted", async () => {
            const life = data();
            await life.up(inputs);
            await simulator.forget();
            await life.destroy();
            assert.deepEqual(await simulator.requests(), []);
        });
    });
});
