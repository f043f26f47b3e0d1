import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { CheckFailed } from "../../support/life";
import { plantedToken, World } from "../../support/world";

const resource = (name: string, copies = 1, module = "") => ({
    mode: "managed",
    type: "server",
    name,
    provider: "example",
    ...(module !== "" && { module }),
    instances: Array.from({ length: copies }, () => ({ attributes: {} })),
});
const state = (serial: number, resources: object[], outputs = {}) => ({
    version: 4,
    serial,
    lineage: "11aa",
    outputs,
    resources,
});

const seed: Seed = {
    tokens: [
        { token: plantedToken, kind: "user", id: "user-1" },
        { token: "outside", kind: "user", id: "user-2" },
    ],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: state(1, [resource("d")]) },
                { id: "sv-2", state: state(2, [resource("d")], { a: { value: 1 } }) },
                { id: "sv-3", state: state(3, [resource("a"), resource("b", 3), resource("c", 1, "module.net")]) },
                { id: "sv-4", state: state(4, [resource("d"), resource("b")]) },
            ],
        },
        {
            id: "ws-2",
            name: "big",
            organization: "example",
            stateVersions: [
                {
                    id: "sv-21",
                    state: state(
                        1,
                        Array.from({ length: 23 }, (_, index) => resource(`n${index}`)),
                    ),
                },
                { id: "sv-22", state: state(2, []) },
            ],
        },
        { id: "ws-3", name: "empty", organization: "example" },
    ],
};

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const inputs = { workspaceId: "ws-1", stateVersionId: "sv-3", lock: true };

describe("StateVersionRollback in preview", () => {
    let world: World;
    before(async () => {
        world = await World.start(seed);
    });
    beforeEach(() => world.reset());
    after(() => world.close());

    const rollback = () => world.life("StateVersionRollback");

    it("tells versions, serials, and what the state gains and loses, at the resource", async () => {
        const undo = rollback();
        assert.deepEqual(await undo.preview(inputs), [
            "rolling back ws-1 from sv-4 (serial 4, 2 resources) to sv-3 (serial 3, 5 resources): + server.a, server.b (2), module.net.server.c; - server.d",
        ]);
        assert.deepEqual(
            undo.messages.map(({ severity, urn }) => [severity, urn]),
            [["info", "urn:pulumi:dev::app::t::x"]],
        );
        assert.deepEqual(await world.writes(), []);
    });

    it("tells that there is nothing to do", async () => {
        assert.deepEqual(await rollback().preview({ ...inputs, stateVersionId: "sv-4" }), [
            "nothing to roll back: sv-4 (serial 4, 2 resources), which is current in ws-1, has the content of sv-4 already",
        ]);
    });

    it("tells that only values differ", async () => {
        const undo = rollback();
        await undo.up({ ...inputs, stateVersionId: "sv-2" });
        assert.match(
            (await undo.preview({ ...inputs, stateVersionId: "sv-1" }))[0] ?? "",
            /: the same resources, with other values$/,
        );
    });

    it("tells of copies how many more or fewer there are", async () => {
        const undo = rollback();
        await undo.up(inputs);
        assert.match(
            (await undo.preview({ ...inputs, stateVersionId: "sv-4" }))[0] ?? "",
            /: \+ server\.d; - server\.a, server\.b \(2\), module\.net\.server\.c$/,
        );
    });

    it("shortens long lists", async () => {
        const [message = ""] = await rollback().preview({ workspaceId: "ws-2", stateVersionId: "sv-21" });
        assert.match(
            message,
            /from sv-22 \(serial 2\) to sv-21 \(serial 1, 23 resources\): \+ server\.n0, .*server\.n19 and 3 more$/,
        );
    });

    it("does not take empty resources for final", async () => {
        await world.control("PATCH", "/simulator/processing", { mode: "after-seconds", n: 60 });
        const undo = rollback();
        await undo.up(inputs);
        assert.match(
            (await undo.preview({ ...inputs, stateVersionId: "sv-1" }))[0] ?? "",
            /cannot be told, because the service does not list the resources of sv-/,
        );
    });

    it("says nothing while nothing is done: outside of previews, and for a rollback that is done", async () => {
        const undo = rollback();
        await undo.up(inputs);
        assert.deepEqual(undo.messages, []);
        assert.deepEqual(await undo.preview({ ...inputs, keepLocked: true }), []);
        assert.match(
            (await undo.preview({ ...inputs, stateVersionId: "sv-2" }))[0] ?? "",
            /^rolling back ws-1 from sv-\w+ /,
        );
    });

    it("says nothing of what is not known yet, and asks nothing", async () => {
        for (const given of [{ workspaceId: unknown }, { stateVersionId: unknown }]) {
            assert.deepEqual(await rollback().preview({ ...inputs, ...given }), []);
        }
        assert.deepEqual(await world.requests(), []);
    });

    describe("warns of what would make it fail, which is a failure where warnings are", () => {
        const lock = async (reason: string, token: string = plantedToken) => {
            const headers = { authorization: `Bearer ${token}` };
            await world.outside("POST", "/api/v2/workspaces/ws-1/actions/lock", { reason }, headers);
        };
        const pending = async () => {
            await lock("");
            const headers = { authorization: `Bearer ${plantedToken}` };
            const body = { data: { type: "state-versions", attributes: { serial: 5, md5: "0".repeat(32) } } };
            const answer = await world.outside("POST", "/api/v2/workspaces/ws-1/state-versions", body, headers);
            await world.outside("POST", "/api/v2/workspaces/ws-1/actions/force-unlock", undefined, headers);
            return (answer as { data: { id: string } }).data.id;
        };

        for (const [what, prepare, given, warning] of [
            [
                "a lock of somebody else",
                () => lock("freeze", "outside"),
                {},
                /the workspace ws-1 is locked by user user-2 \("freeze"\)/,
            ],
            [
                "a lock of somebody else, with lock: false",
                () => lock("freeze", "outside"),
                { lock: false },
                /the workspace ws-1 is locked by user user-2/,
            ],
            [
                "another deployment's lock",
                () => lock("[statecraft o/app/prod x]"),
                {},
                /the workspace ws-1 is locked by user user-1/,
            ],
            ["no lock, with lock: false", async () => undefined, { lock: false }, /the workspace ws-1 is not locked/],
            [
                "a version of another workspace",
                async () => undefined,
                { stateVersionId: "sv-21" },
                /sv-21 is a version of the workspace ws-2, not of ws-1/,
            ],
            ["a version without content", pending, {}, /is pending and holds no state to roll back to/],
        ] as const) {
            it(what, async () => {
                const made = await prepare();
                const all = { ...inputs, ...given, ...(made !== undefined && { stateVersionId: made }) };
                const undo = rollback();
                await undo.preview(all);
                assert.match(undo.warnings.join(), warning);
                assert.equal(undo.warnings.length, 1);
                await assert.rejects(undo.up(all), warning, "and so it does");

                const strict = world.life("StateVersionRollback", { environment: { STATECRAFT_STRICT: "true" } });
                await assert.rejects(strict.preview(all), (error) => {
                    assert(error instanceof CheckFailed);
                    assert.match(error.reasons.join(), warning);
                    return true;
                });
                assert.deepEqual(strict.warnings, []);
            });
        }

        for (const [what, reason, given] of [
            ["a lock of the same account", "mine", {}],
            ["a lock of the same account, with lock: false", "mine", { lock: false }],
            ["what a run of this resource has left", "[statecraft o/app/dev x]", {}],
        ] as const) {
            it(`but not of ${what}`, async () => {
                await lock(reason);
                const undo = rollback();
                assert.equal((await undo.preview({ ...inputs, ...given })).length, 1);
                assert.deepEqual(undo.warnings, []);
                assert.equal(await undo.up({ ...inputs, ...given }), "created");
            });
        }

        it("but not of a workspace that may not be seen, with lock: false", async () => {
            await lock("mine");
            await world.fault({ path: "/workspaces/ws-1$", times: 0, status: 404, body: '{"errors":[]}' });
            const undo = rollback();
            assert.match((await undo.preview({ ...inputs, lock: false })).join(), /^rolling back ws-1 from /);
            assert.deepEqual(undo.warnings, []);
        });

        it("but not of a lock where it is not known yet whether one is taken", async () => {
            await lock("[statecraft o/app/prod x]");
            const undo = rollback();
            await undo.preview({ ...inputs, lock: unknown });
            assert.deepEqual(undo.warnings, []);
        });
    });

    it("warns, and does not fail, when it cannot look", async () => {
        for (const [given, warning] of [
            [
                { stateVersionId: "sv-9" },
                /^what this will do could not be looked up: GET \/state-versions\/sv-9: 404: /,
            ],
            [{ workspaceId: "ws-3" }, /could not be looked up: GET \/workspaces\/ws-3\/current-state-version: 404/],
            [{ stateVersionId: "sv-21" }, /stateVersionId: sv-21 is a version of the workspace ws-2, not of ws-1/],
        ] as const) {
            const undo = rollback();
            await undo.preview({ ...inputs, ...given });
            assert.equal(undo.warnings.length, 1);
            assert.match(undo.warnings[0] ?? "", warning);
            assert(!undo.warnings[0]?.includes(plantedToken));
        }
    });
});
