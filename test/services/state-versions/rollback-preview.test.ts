import assert from "node:assert/strict";
import { failureOf } from "../../support/failures";
import { CheckFailed } from "../../support/managed-resource";
import { type Props, unknown } from "../../support/pulumi-values";
import { stateOf } from "../../support/workspaces";
import { mark, record, refusal, rollbackInputs, strict, Workspaces, workspaceWith } from "./fixture";

const organization = "example";
const copies = (name: string, count: number, module = "") => ({
    mode: "managed",
    type: "server",
    name,
    provider: "example",
    ...(module !== "" && { module }),
    instances: Array.from({ length: count }, () => ({ attributes: {} })),
});
const holding = (serial: number, ...resources: object[]) => ({ ...stateOf(serial), resources });

describe("StateVersionRollback in preview", () => {
    const at = new Workspaces({
        workspaces: [
            {
                id: "ws-2",
                name: "counted",
                organization,
                stateVersions: [
                    { id: "sv-21", state: stateOf(1, "d") },
                    { id: "sv-22", state: { ...stateOf(2, "d"), outputs: { a: { value: 1 } } } },
                    {
                        id: "sv-23",
                        state: holding(3, copies("a", 1), copies("b", 3), copies("c", 1, "module.net")),
                    },
                    { id: "sv-24", state: stateOf(4, "d", "b") },
                ],
            },
            workspaceWith(3, stateOf(1, ...Array.from({ length: 23 }, (_, index) => `n${index}`)), stateOf(2)),
            {
                ...{ id: "ws-5", name: "snapshots", organization },
                stateVersions: [
                    { id: "sv-51", intermediate: true, state: { ...stateOf(1, "a"), tool_version: "1.12.0" } },
                    { id: "sv-52", state: stateOf(2) },
                ],
            },
        ],
    });
    const counted = { workspaceId: "ws-2", stateVersionId: "sv-23" };

    it("shows versions, serials, and which resources the rollback adds and removes", async () => {
        const undo = at.rollback();
        assert.deepEqual(await undo.preview(counted), [
            "rolling back ws-2 from sv-24 (serial 4) to sv-23 (serial 3): + server.a, server.b (2), module.net.server.c; - server.d. [preview]",
        ]);
        assert.deepEqual(
            undo.messages.slice(0, 1).map(({ severity, urn }) => [severity, urn]),
            [["info", "urn:pulumi:dev::app::t::x"]],
        );
        assert.deepEqual(await at.writes(), []);
    });

    it("warns of an intermediate version", async () => {
        const inputs = { workspaceId: "ws-5", stateVersionId: "sv-51" };
        const warnings = (await at.rollback().preview(inputs)).filter((text) => /intermediate/.test(text));
        assert.equal(warnings.length, 1);
        assert.deepEqual(await at.rollback().preview({ ...inputs, stateVersionId: "sv-52" }), [
            "nothing to roll back now: sv-52 (serial 2), which is current in ws-5, has the content of sv-52 already. [preview]",
        ]);
    });

    for (const [version, isNewer] of [
        ["1.5.7", true],
        ["1.11.9", true],
        ["1.12.0", false],
        ["1.12.1", false],
        ["2.0.0", false],
        ["latest", false],
        ["~> 1.5.0", false],
    ] as const) {
        it(`${isNewer ? "warns" : "does not warn"} of a state of Terraform 1.12.0 in a workspace of ${version}`, async () => {
            const shownAs = record("ws-5", { locked: false, "terraform-version": version });
            await at.simulator.fault({ path: "/workspaces/ws-5$", ...shownAs, times: 0 });
            const content = JSON.stringify({ ...stateOf(9), terraform_version: "1.12.0" });
            const shown = [
                await at.rollback().preview({ workspaceId: "ws-5", stateVersionId: "sv-51" }),
                await at.simulator.resource("StateVersion").preview({ workspaceId: "ws-5", content }),
            ];
            for (const messages of shown) assert.equal(/of Terraform 1\.12\.0, and/.test(messages.join()), isNewer);
        });
    }

    for (const [what, from, to, words] of [
        ["only values", "sv-22", "sv-21", /: the same resources, with other values\. \[preview\]$/],
        [
            "fewer copies",
            "sv-23",
            "sv-24",
            /: \+ server\.d; - server\.a, server\.b \(2\), module\.net\.server\.c\. \[preview\]$/,
        ],
    ] as const) {
        it(`shows ${what} that differ`, async () => {
            const undo = await at.rollback().deployed({ ...counted, stateVersionId: from });
            assert.match((await undo.preview({ ...counted, stateVersionId: to }))[0] ?? "", words);
        });
    }

    it("shortens long lists", async () => {
        const [message = ""] = await at.rollback().preview({ workspaceId: "ws-3", stateVersionId: "sv-30" });
        const shortened =
            /from sv-31 \(serial 2\) to sv-30 \(serial 1\): \+ server\.n0, .*server\.n19 and 3 more\. \[preview\]$/;
        assert.match(message, shortened);
    });

    it("does not compare resources before the service has processed them", async () => {
        await at.simulator.control("PATCH", "/simulator/processing", { reads: 60 });
        const undo = await at.rollback().deployed(rollbackInputs);
        const words = /is unknown, because the service does not list the resources of both/;
        assert.match((await undo.preview({ ...rollbackInputs, stateVersionId: "sv-1" }))[0] ?? "", words);
    });

    it("shows no message for a rollback without a change, and neither does the deployment", async () => {
        const undo = await at.rollback().deployed(rollbackInputs);
        assert.deepEqual(undo.messages, []);
        assert.deepEqual(await undo.preview({ ...rollbackInputs, keepLocked: true }), []);
    });

    describe("warns of a deployment that would fail:", () => {
        const theirs = () => at.lock("freeze", "outside");
        const nothing = async () => undefined;
        const discarded = () =>
            at.simulator.fault({ path: "/state-versions/sv-3$", times: 0, ...record("sv-3", { status: "discarded" }) });

        for (const [what, prepare, given, code] of [
            ["a lock of another account", theirs, {}, "locked"],
            ["another deployment's lock", () => at.lock("[statecraft o/app/prod x]"), {}, "locked"],
            ["no lock, with `lock: false`", nothing, { lock: false }, "not-locked"],
            ["a version of another workspace", nothing, { stateVersionId: "sv-21" }, "wrong-workspace"],
            ["a version without content", discarded, {}, "not-finalized"],
        ] as const) {
            it(what, async () => {
                await prepare();
                const all = { ...rollbackInputs, ...given };
                assert.equal((await at.foreseen(at.rollback(), all)).code, code);
            });
        }

        for (const [what, reason, given] of [
            ["a lock of the same account, with `lock: false`", "mine", { lock: false }],
            ["a lock of a killed run of this resource", mark, {}],
        ] as const) {
            it(`not of ${what}`, async () => {
                await at.lock(reason);
                const undo = at.rollback();
                await undo.preview({ ...rollbackInputs, ...given });
                assert.deepEqual(undo.warnings, []);
                assert.equal(await undo.up({ ...rollbackInputs, ...given }), "created");
            });
        }

        it("not of a workspace that the token cannot read, with `lock: false`", async () => {
            await at.lock("mine");
            await at.simulator.fault({ path: "/workspaces/ws-1$", times: 0, ...refusal(404) });
            const undo = at.rollback();
            assert.match((await undo.preview({ ...rollbackInputs, lock: false })).join(), /^rolling back ws-1 from /);
            assert.deepEqual(undo.warnings, []);
        });

        it("not of a lock while `lock` is unknown", async () => {
            await at.lock("[statecraft o/app/prod x]");
            const undo = at.rollback();
            await undo.preview({ ...rollbackInputs, lock: unknown });
            assert.deepEqual(undo.warnings, []);
        });
    });

    describe("with `strict`", () => {
        const previewed = (given: Props = {}) => at.rollback({}, strict).preview({ ...rollbackInputs, ...given });
        const ended = ["applied", "planned_and_finished", "planned_and_saved", "discarded", "errored"];
        for (const [status, given, words] of [
            ["planned", {}, /ws-1 .*: run-7 m \(planned\).*`keepLocked: true`.*\/app\/example\/app\/runs\/run-7\. /],
            ["new_status", {}, /run-7 m \(new_status\)/],
            ["pending", { keepLocked: true }, /^$/],
            ...[...ended, "canceled", "force_canceled", "policy_soft_failed"].map((each) => [each, {}, /^$/] as const),
        ] as const) {
            it(`notes only an unfinished run: ${status}, with ${JSON.stringify(given)}`, async () => {
                const run = { id: "run-7", status, message: "m", isDestroy: false, createdBy: null };
                at.simulator.store.stateVersions.workspaces[0]?.runs.push(run);
                assert.match((await previewed(given)).slice(1).join(), words);
            });
        }

        it("fails without a permission that the rollback needs", async () => {
            Object.assign(at.simulator.store.tokens[0] ?? {}, { access: "read" });
            for (const [given, lacking] of [
                [{}, ["can-create-state-versions", "can-lock"]],
                [{ lock: false }, ["can-create-state-versions"]],
            ] as const) {
                const { message } = await failureOf(previewed(given), CheckFailed);
                assert.deepEqual(message.match(/can-[\w-]+/g), lacking);
            }
        });
    });
});
