/** The lock of a workspace: whose it is, who may work under it, and who releases it. */

import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { Cut, Gate } from "../../support/gate";
import { plantedToken, World } from "../../support/world";

type Props = Record<string, unknown>;

const state = (serial: number, ...names: string[]) => ({
    version: 4,
    serial,
    lineage: "6c1e54e8-0000-4000-8000-000000000003",
    outputs: {},
    resources: names.map((name) => ({ mode: "managed", type: "server", name, provider: "example", instances: [] })),
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
                { id: "sv-1", state: state(1, "a", "b") },
                { id: "sv-2", state: state(2) },
            ],
        },
    ],
};

const contentType = "application/vnd.api+json";
const hidden = { status: 404, times: 0, body: '{"errors":[{"status":"404","title":"not found"}]}', contentType };
const rolledBack = { workspaceId: "ws-1", stateVersionId: "sv-1" };
const uploaded = { workspaceId: "ws-1", content: JSON.stringify(state(3, "c")) };

describe("the lock of a workspace", () => {
    let world: World;
    const gate = new Gate();
    before(async () => {
        world = await World.start(seed, "documented", gate.guard);
    });
    beforeEach(async () => {
        gate.open();
        await world.reset();
    });
    after(() => world.close());

    const api = async (method: string, path: string, token = plantedToken, body?: unknown): Promise<Props> => {
        const headers = { authorization: `Bearer ${token}` };
        const answer = (await world.outside(method, `/api/v2/workspaces/ws-1${path}`, body, headers)) as Props;
        return answer["data"] as Props;
    };
    const lock = (reason: string, token = plantedToken) => api("POST", "/actions/lock", token, { reason });
    const shown = async () => (await api("GET", ""))["attributes"] as { locked: boolean; "locked-reason": string };
    const isLocked = async () => (await shown()).locked;
    const writes = async (end: string) => (await world.writes()).filter(({ path }) => path.endsWith(end)).length;
    const made = async () => (await world.writes()).filter(({ path }) => path.endsWith("/state-versions")).length;

    for (const [type, inputs] of [
        ["StateVersionRollback", rolledBack],
        ["StateVersion", uploaded],
    ] as const) {
        describe(`of ${type}`, () => {
            for (const given of [{}, { lock: true }, { lock: { reason: "incident 7" } }]) {
                it(`is taken and released with ${JSON.stringify(given)}`, async () => {
                    const life = world.life(type);
                    await life.up({ ...inputs, ...given });
                    assert.deepEqual([await writes("/lock"), await made(), await writes("/unlock")], [1, 1, 1]);
                    assert.equal(await isLocked(), false);
                    assert.deepEqual(life.warnings, []);
                    assert.equal(
                        await life.up({ ...inputs, lock: true }),
                        "lock" in given && given.lock !== true ? "updated" : "same",
                    );
                });

                it(`of the same account is used and left with ${JSON.stringify(given)}`, async () => {
                    await lock("deploy freeze");
                    await world.forget();
                    const life = world.life(type);
                    await life.up({ ...inputs, ...given });
                    assert.deepEqual([await writes("/lock"), await made(), await writes("/unlock")], [0, 1, 0]);
                    await life.refresh();
                    await life.destroy();
                    assert.deepEqual(await shown(), {
                        ...(await shown()),
                        locked: true,
                        "locked-reason": "deploy freeze",
                    });
                    assert.deepEqual(
                        life.warnings.filter((text) => /lock/.test(text)),
                        [],
                    );
                });
            }

            it("of another account stops it, and stays", async () => {
                await lock("deploy freeze", "outside");
                for (const given of [{}, { lock: false }]) {
                    await assert.rejects(
                        world.life(type).up({ ...inputs, ...given }),
                        /locked by user user-2 \("deploy freeze"\)/,
                    );
                }
                assert.equal(await made(), 0);
                assert.equal(await isLocked(), true);
            });

            it("is demanded by lock: false", async () => {
                await assert.rejects(world.life(type).up({ ...inputs, lock: false }), /is not locked/);
                assert.equal(await made(), 0);
                await lock("mine");
                const life = world.life(type);
                await life.up({ ...inputs, lock: false });
                assert.equal(await made(), 1);
                assert.deepEqual([await isLocked(), await writes("/unlock")], [true, 0]);
            });

            it("need not be seen with lock: false", async () => {
                await lock("mine");
                await world.fault({ method: "GET", path: "/workspaces/ws-1$", ...hidden });
                const life = world.life(type);
                assert.equal(await life.up({ ...inputs, lock: false }), "created");
                assert.equal(await made(), 1);
                assert.equal(await life.up({ ...inputs, lock: false }), "same");
                assert.notEqual(await life.refresh(), "gone");
                await life.destroy();
            });

            it("that the service misses is told, where it could not be seen", async () => {
                await world.fault({ method: "GET", path: "/workspaces/ws-1$", ...hidden });
                await assert.rejects(
                    world.life(type).up({ ...inputs, lock: false }),
                    /409: This workspace is not locked.*needs its lock, held by the same account/,
                );
            });
        });
    }

    describe("when the answer to taking it is lost", () => {
        /** What somebody does between the cut request and our look. */
        const meanwhile = (act: () => Promise<unknown>, moment: "before" | "after" = "before") =>
            gate.set(async ({ moment: now, request }) => {
                if (now !== moment || !request.path.endsWith("/actions/lock")) return;
                gate.open();
                await act();
                throw new Cut();
            });

        for (const reason of ["", "deploy freeze", "x [statecraft o/app/dev x]"]) {
            it(`is another account's that shows the reason ${JSON.stringify(reason)}`, async () => {
                meanwhile(() => lock(reason, "outside"));
                await assert.rejects(world.life("StateVersionRollback").up(rolledBack), { code: "locked" });
                assert.deepEqual([await made(), await writes("/unlock")], [0, 0]);
                assert.equal(await isLocked(), true);
            });
        }

        it("is ours with our mark", async () => {
            meanwhile(async () => undefined, "after");
            await world.life("StateVersionRollback").up(rolledBack);
            assert.equal(await isLocked(), false);
        });

        it("is nobody's known with other words under our account: nothing is done, and it stays", async () => {
            meanwhile(() => lock("deploy freeze"));
            await assert.rejects(world.life("StateVersionRollback").up(rolledBack), /cannot be told/);
            assert.deepEqual([await made(), await writes("/unlock")], [0, 0]);
        });
    });

    describe("on servers of other manners", () => {
        after(() => world.behave({}));

        const manners = [
            ["keeps-reasons"],
            ["shortens-reasons"],
            ["drops-reasons"],
            ["hides-holders"],
            ["hides-holders", "shortens-reasons"],
            ["hides-holders", "drops-reasons"],
        ] as const;
        const refused = { status: 403, body: '{"errors":[{"detail":"planted"}]}', contentType };
        const faults = [
            undefined,
            { path: "/actions/lock$", drop: "before" },
            { path: "/actions/lock$", drop: "after" },
            { path: "/actions/unlock$", drop: "before" },
            { path: "/actions/unlock$", drop: "after" },
            { path: "/actions/unlock$", ...refused },
            { path: "/actions/unlock$", ...refused, times: 0 },
        ] as const;
        for (const some of manners) {
            for (const fault of faults) {
                it(`is never left by an up that succeeds: ${some.join(", ")}, ${JSON.stringify(fault)}`, async () => {
                    await world.behave({ stateVersions: some });
                    const undo = world.life("StateVersionRollback");
                    if (fault) await world.fault({ method: "POST", ...fault });
                    for (let tries = 0; ; tries++) {
                        const failure = await undo.up(rolledBack).then(
                            () => undefined,
                            (error: Error) => error.message,
                        );
                        const isLeft = await isLocked();
                        if (failure === undefined) {
                            assert.equal(isLeft, false);
                            break;
                        }
                        assert(fault && tries < 3, failure);
                        await world.heal();
                        // Where the server does not tell enough, the message says what to type; else the next run knows.
                        if (!isLeft || !/cannot be told/.test(failure)) continue;
                        assert.match(failure, /POST \/workspaces\/ws-1\/actions\/unlock/);
                        await api("POST", "/actions/unlock");
                    }
                    assert.equal(await made(), 1);
                    assert.equal(await undo.up(rolledBack), "same");
                });
            }
        }

        for (const some of [["shortens-reasons"], ["hides-holders"]] as const) {
            it(`is not forgotten by a destroy that cannot release it: ${some}`, async () => {
                await world.behave({ stateVersions: some });
                const undo = world.life("StateVersionRollback");
                await world.fault({ method: "POST", path: "/actions/unlock$", ...refused, times: 0 });
                await assert.rejects(undo.up(rolledBack), /its lock was not released/);
                await world.heal();
                await assert.rejects(undo.destroy(), /POST \/workspaces\/ws-1\/actions\/unlock/);
                await api("POST", "/actions/unlock");
                await undo.destroy();
            });
        }
    });

    it("that another run took meanwhile is not released", async () => {
        gate.set(async ({ moment, request }) => {
            if (moment !== "after" || !request.path.endsWith("/actions/unlock")) return;
            gate.open();
            await lock("", "outside");
            throw new Cut();
        });
        await world.life("StateVersionRollback").up(rolledBack);
        assert.equal(await writes("/unlock"), 1);
        assert.equal(await isLocked(), true);
    });

    it("that the user took meanwhile is not released, and told", async () => {
        gate.set(async ({ moment, request }) => {
            if (moment !== "after" || !request.path.endsWith("/actions/unlock")) return;
            gate.open();
            await lock("deploy freeze");
            throw new Cut();
        });
        await assert.rejects(
            world.life("StateVersionRollback").up(rolledBack),
            /still locked by user user-1 \("deploy freeze"\)/,
        );
        assert.equal(await writes("/unlock"), 1);
        assert.equal(await isLocked(), true);
    });

    it("under which the service refuses is looked at before it is released", async () => {
        const refusal = { status: 409, body: '{"errors":[{"detail":"planted"}]}', contentType };
        await world.fault({ method: "PATCH", ...refusal });
        const order: string[] = [];
        gate.set(({ moment, request }) => {
            if (moment === "before") order.push(`${request.method} ${request.path.split("/").at(-1)}`);
        });
        await assert.rejects(world.life("StateVersionRollback").up(rolledBack), (error: Error) => {
            assert.match(error.message, /409: planted/);
            assert(!/not locked|lock: true/.test(error.message), error.message);
            return true;
        });
        assert.deepEqual(order.slice(-3), ["PATCH state-versions", "GET ws-1", "POST unlock"]);
        assert.equal(await isLocked(), false);
    });

    it("that somebody broke while we worked is told with the refusal", async () => {
        gate.set(async ({ moment, request }) => {
            if (moment !== "before" || request.method !== "PATCH") return;
            gate.open();
            await api("POST", "/actions/force-unlock", "outside");
        });
        await assert.rejects(
            world.life("StateVersionRollback").up(rolledBack),
            /409: .*The workspace is not locked: a rollback needs its lock.*run `pulumi up` again/,
        );
    });
});
