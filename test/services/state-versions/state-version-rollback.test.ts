import assert from "node:assert/strict";
import type { Seed } from "../../../src/simulator/seed";
import { plantedToken, World } from "../../support/world";

type Props = Record<string, unknown>;

const lineage = "6c1e54e8-0000-4000-8000-000000000001";
const resource = (name: string) => ({
    mode: "managed",
    type: "server",
    name,
    provider: "example",
    instances: [{ attributes: { id: name } }],
});
const state = (serial: number, ...names: string[]) => ({
    version: 4,
    serial,
    lineage,
    outputs: {},
    resources: names.map(resource),
});

const me = { token: plantedToken, kind: "user", id: "user-1" } as const;
const seed: Seed = {
    tokens: [
        me,
        { token: "outside", kind: "user", id: "user-2" },
        { token: "reader", kind: "user", id: "user-3", access: "read" },
        { token: "organization-token", kind: "organization", id: "org-1" },
    ],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: state(1, "a") },
                { id: "sv-2", state: state(2, "a", "b") },
                { id: "sv-3", state: state(3, "a", "b", "c") },
                { id: "sv-4", state: state(4) },
            ],
        },
        {
            id: "ws-2",
            name: "copied",
            organization: "example",
            // The same content under two serials.
            stateVersions: [
                { id: "sv-21", state: state(1, "a") },
                { id: "sv-22", state: state(2, "a", "b") },
                { id: "sv-23", state: state(3, "a") },
            ],
        },
        {
            id: "ws-3",
            name: "frozen",
            organization: "example",
            stateVersions: [
                { id: "sv-31", state: state(1, "a") },
                { id: "sv-32", state: state(2) },
            ],
            locked: { by: { type: "users", id: "user-2" }, reason: "deploy freeze" },
        },
        { id: "ws-4", name: "empty", organization: "example" },
    ],
};

const patchPath = "/api/v2/workspaces/ws-1/state-versions";
const inputs = { workspaceId: "ws-1", stateVersionId: "sv-3", lock: true };

describe("StateVersionRollback", () => {
    let world: World;
    before(async () => {
        world = await World.start(seed);
    });
    beforeEach(() => world.reset());
    after(() => world.close());

    const rollback = (settings: Props = {}) =>
        world.life("StateVersionRollback", { settings: { "statecraft:stateVersions": settings } });
    const as = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" });
    const api = async (path: string, token: string = me.token): Promise<Props> => {
        const answer = await fetch(`${world.url}/api/v2${path}`, { headers: as(token) });
        assert(answer.ok, `${path}: ${answer.status}`);
        return ((await answer.json()) as { data: Props }).data;
    };
    const act = async (method: string, path: string, body?: unknown, token: string = me.token): Promise<number> => {
        const init = body === undefined ? {} : { body: JSON.stringify(body) };
        return (await fetch(`${world.url}/api/v2${path}`, { method, headers: as(token), ...init })).status;
    };
    const current = async (workspace = "ws-1") =>
        String((await api(`/workspaces/${workspace}/current-state-version`))["id"]);
    const versions = async () =>
        (
            (await api(
                "/state-versions?filter[workspace][name]=app&filter[organization][name]=example",
            )) as unknown as Props[]
        ).map(({ id }) => id);
    const isLocked = async (workspace = "ws-1") =>
        ((await api(`/workspaces/${workspace}`))["attributes"] as Props)["locked"] === true;
    const patches = async () => (await world.requests()).filter(({ method }) => method === "PATCH");
    const rollBackOutside = async (id: string) => {
        assert.equal(await act("POST", "/workspaces/ws-1/actions/lock", { reason: "x" }), 200);
        const relationships = { "rollback-state-version": { data: { type: "state-versions", id } } };
        assert.equal(
            await act("PATCH", "/workspaces/ws-1/state-versions", { data: { type: "state-versions", relationships } }),
            201,
        );
        assert.equal(await act("POST", "/workspaces/ws-1/actions/unlock"), 200);
        return current();
    };

    describe("check", () => {
        for (const [given, reason] of [
            [{ workspaceId: undefined }, /workspaceId: is required/],
            [{ stateVersionId: undefined }, /stateVersionId: is required/],
            [{ workspaceId: "ws/1" }, /workspaceId: must be the id of a workspace/],
            [{ stateVersionId: "../x" }, /stateVersionId: must be the id of a state version/],
            [{ lock: "yes" }, /lock: must be true, false, or an object with a reason/],
            [{ lock: { why: "x" } }, /lock: must be true, false, or an object with a reason/],
            [{ onDelete: "undo" }, /onDelete: must be one of "keep", "restore"/],
            [{ waitForProcessing: "soon" }, /waitForProcessing: must be true, false, or a duration/],
            [{ triggers: "x" }, /triggers: must be a list/],
            [{ stateVersion: "sv-1" }, /stateVersion: is not an argument; did you mean stateVersionId/],
        ] as const) {
            it(`refuses ${JSON.stringify(given)}`, async () => {
                const all = Object.fromEntries(
                    Object.entries({ ...inputs, ...given }).filter(([, value]) => value !== undefined),
                );
                await assert.rejects(rollback().check(all), reason);
            });
        }

        it("warns that keepLocked keeps no lock that is not taken", async () => {
            const undo = rollback();
            await undo.check({ workspaceId: "ws-1", stateVersionId: "sv-3", keepLocked: true });
            assert.deepEqual(undo.warnings, []);
            await undo.check({ workspaceId: "ws-1", stateVersionId: "sv-3", keepLocked: true, lock: false });
            assert.match(undo.warnings.join(), /^keepLocked: /);
        });
    });

    describe("create", () => {
        it("locks, sends the one documented request, reads the answer again, and unlocks", async () => {
            const undo = rollback();
            assert.equal(await undo.up(inputs), "created");
            const writes = (await world.writes()).map(({ method, path, body }) => [method, path, body]);
            const type = "state-versions";
            assert.deepEqual(writes, [
                [
                    "POST",
                    "/api/v2/workspaces/ws-1/actions/lock",
                    { reason: "rolling back to sv-3 [statecraft o/app/dev x]" },
                ],
                [
                    "PATCH",
                    patchPath,
                    { data: { type, relationships: { "rollback-state-version": { data: { type, id: "sv-3" } } } } },
                ],
                ["POST", "/api/v2/workspaces/ws-1/actions/unlock", null],
            ]);
            const outputs = undo.outputs();
            assert.equal(undo.state?.id, "ws-1");
            assert.equal(outputs["currentStateVersionId"], await current());
            assert.equal(outputs["previousStateVersionId"], "sv-4");
            assert.equal(outputs["rolledBackFrom"], "sv-4");
            assert.equal(outputs["serial"], 3);
            assert.equal(outputs["superseded"], false);
            assert.match(String(outputs["createdAt"]), /^\d{4}-\d\d-\d\dT/);
            assert.equal(await isLocked(), false);
        });

        it("is quiet afterwards", async () => {
            const undo = rollback();
            await undo.up(inputs);
            await undo.refresh();
            assert.equal(await undo.up(inputs), "same");
            assert.deepEqual(await undo.refresh(), []);
            assert.equal(await undo.up(inputs), "same");
            assert.equal((await patches()).length, 1);
        });

        it("sends JSON:API with its content type and a bearer", async () => {
            await rollback().up(inputs);
            for (const { method, headers } of await world.requests()) {
                assert.equal(headers["authorization"], "***");
                if (method !== "GET") assert.equal(headers["content-type"], "application/vnd.api+json");
            }
        });

        it("sends nothing when the wanted version is current already", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, stateVersionId: "sv-4", onDelete: "restore" });
            assert.deepEqual(await world.writes(), []);
            const { currentStateVersionId, previousStateVersionId, rolledBackFrom } = undo.outputs();
            assert.deepEqual([currentStateVersionId, previousStateVersionId, rolledBackFrom], ["sv-4", "", ""]);
            await undo.destroy();
            assert.deepEqual(await world.writes(), [], "there is nothing to restore");
        });

        it("sends nothing when the current version is a rollback to the wanted one", async () => {
            const made = await rollBackOutside("sv-2");
            await world.forget();
            const undo = rollback();
            await undo.up({ ...inputs, stateVersionId: "sv-2" });
            assert.deepEqual(await world.writes(), []);
            assert.equal(undo.outputs()["currentStateVersionId"], made);
        });

        it("sends nothing when the states are equal but for their serials", async () => {
            const undo = rollback();
            await undo.up({ workspaceId: "ws-2", stateVersionId: "sv-21" });
            assert.deepEqual(await world.writes(), []);
            assert.equal(undo.outputs()["currentStateVersionId"], "sv-23");
        });

        it("takes versions for different when a state cannot be downloaded", async () => {
            await world.fault({
                method: "GET",
                path: "/download|/object/",
                status: 403,
                times: 0,
                body: "",
                contentType: "text/plain",
            });
            await rollback().up({ workspaceId: "ws-2", stateVersionId: "sv-21", lock: true });
            assert.equal((await patches()).length, 1);
        });

        it("stores no signed addresses and no state", async () => {
            const undo = rollback();
            await undo.up(inputs);
            assert(!/https?:|object\//.test(JSON.stringify(undo.state)));
        });

        it("waits until the version is processed when asked, and then has its resources", async () => {
            await world.control("PATCH", "/simulator/processing", { mode: "after-reads", n: 3 });
            const undo = rollback();
            await undo.up({ ...inputs, waitForProcessing: true });
            const resources = undo.outputs()["resources"] as Props[];
            assert.deepEqual(resources.map(({ name }) => name).sort(), ["a", "b", "c"]);
            assert(
                undo.messages.some(
                    ({ severity, message }) => severity === "progress" && /to be processed/.test(message),
                ),
            );
            assert.equal(await undo.up({ ...inputs, waitForProcessing: true }), "same");
        });

        it("does not take unprocessed resources for none, and has them after a refresh", async () => {
            await world.control("PATCH", "/simulator/processing", { mode: "after-reads", n: 2 });
            const undo = rollback();
            await undo.up(inputs);
            assert(!("resources" in undo.outputs()));
            await undo.refresh();
            await undo.refresh();
            assert.equal((undo.outputs()["resources"] as Props[]).length, 3);
            assert.equal(await undo.up(inputs), "same");
        });

        it("gives up waiting after its time; the rollback is kept, and the next up waits on without another one", async () => {
            await world.control("PATCH", "/simulator/processing", { mode: "after-seconds", n: 1000 });
            const waiting = { ...inputs, waitForProcessing: "10s" };
            const undo = rollback();
            await assert.rejects(
                undo.up(waiting),
                /the rollback is done, but its version could not be read to the end.*has not processed the version/,
            );
            assert.deepEqual(undo.outputs()["unfinished"], ["waitForProcessing"]);
            await undo.refresh();
            await world.control("POST", "/simulator/clock", { advance: 1000 });
            assert.equal(await undo.up(waiting), "updated");
            assert.equal(undo.outputs()["unfinished"], undefined);
            assert.equal((await patches()).length, 1);
            assert.equal(await undo.up(waiting), "same");
        });
    });

    describe("refusals", () => {
        const refused = async (given: Props, reason: RegExp, settings: Props = {}) => {
            const undo = rollback(settings);
            const error = await undo.up(given).then(
                () => assert.fail("it should have failed"),
                (failure: Error) => failure,
            );
            assert.match(error.message, reason);
            assert(!error.message.includes(plantedToken));
            assert.equal(undo.state, undefined, "nothing was made");
            return error.message;
        };

        it("says that the workspace is not locked, and how to lock it", async () => {
            await refused(
                { workspaceId: "ws-1", stateVersionId: "sv-3", lock: false },
                /is not locked, and a rollback needs its lock.*`lock: false`/,
            );
            assert.deepEqual(await world.writes(), []);
        });

        it("says who holds the lock, with and without lock", async () => {
            for (const lock of [true, false]) {
                await refused(
                    { workspaceId: "ws-3", stateVersionId: "sv-31", lock },
                    /ws-3 is locked by user user-2 \("deploy freeze"\)/,
                );
            }
            assert.equal(await isLocked("ws-3"), true);
        });

        it("explains a 404 both ways: missing, or not permitted; organization tokens cannot", async () => {
            const both = /404: .*does not exist, or the token may not use it.*organization tokens cannot/;
            await refused({ ...inputs, workspaceId: "ws-nope" }, both);
            await refused({ ...inputs, stateVersionId: "sv-nope" }, both);
            await refused({ ...inputs, workspaceId: "ws-4" }, both);
            await refused(inputs, both, { token: "reader" });
            await refused(inputs, both, { token: "organization-token" });
            assert.equal(await isLocked(), false);
        });

        it("explains a 401", async () => {
            await refused(inputs, /: 401: /, { token: "nobody" });
        });

        it("refuses a version of another workspace before anything is sent", async () => {
            await refused(
                { ...inputs, stateVersionId: "sv-21" },
                /sv-21 is a version of the workspace ws-2, not of ws-1/,
            );
            assert.deepEqual(await world.writes(), []);
        });

        for (const [status, hint] of [
            [409, /409: planted.*the workspace is locked by user user-1 .*, as it should/i],
            [412, /412: planted.*changed meanwhile: run `pulumi up` again/],
            [422, /422: planted.*check that `stateVersionId` is a finalized version/],
            [429, /429: planted/],
        ] as const) {
            it(`explains a ${status}, and releases the lock`, async () => {
                const body = JSON.stringify({ errors: [{ status, title: "planted", detail: "planted" }] });
                await world.fault({ method: "PATCH", status, times: 0, body, contentType: "application/vnd.api+json" });
                await refused(inputs, hint);
                // Of these, only a 429 says that nothing was done; the settings allow two more tries.
                assert.equal((await patches()).length, status === 429 ? 3 : 1);
                assert.equal(await isLocked(), false);
            });
        }
    });

    describe("lost answers", () => {
        it("finds its own rollback after a lost answer, under its lock", async () => {
            await world.fault({ method: "PATCH", drop: "after" });
            const undo = rollback();
            await undo.up(inputs);
            assert.equal(undo.outputs()["currentStateVersionId"], await current());
            assert.equal((await versions()).length, 5, "one version was made");
            assert.equal(await isLocked(), false);
        });

        for (const lock of [true, false]) {
            it(`finds it by its content under a lock of the user's, with lock: ${lock}`, async () => {
                await act("POST", "/workspaces/ws-1/actions/lock");
                await world.fault({ method: "PATCH", drop: "after" });
                const undo = rollback();
                await undo.up({ workspaceId: "ws-1", stateVersionId: "sv-3", lock });
                assert.equal((await versions()).length, 5);
            });
        }

        for (const [what, fault] of [
            [
                "an answer that cannot be read",
                { status: 201, body: "<html></html>", contentType: "text/html", after: true },
            ],
            ["an empty answer", { status: 201, body: "", after: true }],
            ["a cut answer", { truncate: 20 }],
            ["a gateway's 502", { status: 502, body: "bad gateway", after: true }],
            ["a 500 without a word", { status: 500, body: "", after: true }],
        ] as const) {
            it(`finds it after ${what}`, async () => {
                await world.fault({ method: "PATCH", ...fault });
                const undo = rollback();
                await undo.up(inputs);
                assert.equal(undo.outputs()["currentStateVersionId"], await current());
                assert.equal((await patches()).length, 1);
            });
        }

        it("keeps a half-made object when nothing was done, and the next up rolls back once", async () => {
            await world.fault({ method: "PATCH", drop: "before" });
            const undo = rollback();
            await assert.rejects(undo.up(inputs), /nothing was rolled back: sv-4 is still current/);
            assert.deepEqual(undo.outputs()["unfinished"], ["rollback"]);
            assert.equal(undo.outputs()["currentStateVersionId"], "sv-4");
            assert.equal(await isLocked(), false);
            assert.equal(await undo.up(inputs), "updated");
            assert.equal(undo.outputs()["unfinished"], undefined);
            assert.equal((await versions()).length, 5);
            assert.equal(await undo.up(inputs), "same");
        });

        for (const refreshes of [false, true]) {
            it(`recognises at the next up a rollback that nobody could see${refreshes ? ", after a refresh" : ""}`, async () => {
                const blind = {
                    method: "GET",
                    path: "/current-state-version$",
                    skip: 2,
                    times: 0,
                    drop: "before",
                } as const;
                await world.fault({ method: "PATCH", drop: "after" }, blind);
                const undo = rollback();
                await assert.rejects(
                    undo.up({ ...inputs, onDelete: "restore" }),
                    /whether the rollback was done cannot be seen either/,
                );
                await world.heal();
                if (refreshes) await undo.refresh();
                assert.equal(await undo.up({ ...inputs, onDelete: "restore" }), "updated");
                assert.equal((await versions()).length, 5, "no second rollback was made");
                const { currentStateVersionId, previousStateVersionId, rolledBackFrom } = undo.outputs();
                assert.deepEqual(
                    [currentStateVersionId, previousStateVersionId, rolledBackFrom],
                    [await current(), "sv-4", "sv-4"],
                );
                await undo.destroy();
                assert.equal((await versions()).length, 6, "restored");
            });
        }

        it("recognises its own lock after the answer to locking was lost", async () => {
            await world.fault({ method: "POST", path: "/actions/lock$", drop: "after" });
            await rollback().up(inputs);
            assert.equal(await isLocked(), false);
            assert.equal((await versions()).length, 5);
        });

        it("says how to release a lock that it may have taken, when nobody can look; the next up takes it over", async () => {
            for (const lost of [{ drop: "after" as const }, { status: 500, after: true, body: "planted" }]) {
                await world.reset();
                await world.fault(
                    { method: "POST", path: "/actions/lock$", ...lost },
                    { method: "GET", path: "/workspaces/ws-1$", skip: 1, drop: "before", times: 0 },
                );
                const undo = rollback();
                await assert.rejects(
                    undo.up(inputs),
                    /whether the workspace ws-1 is locked now cannot be seen either.*POST \/workspaces\/ws-1\/actions\/unlock/,
                );
                await world.heal();
                assert.equal(await isLocked(), true);
                assert.equal(await undo.up(inputs), "created");
                assert.equal(await isLocked(), false);
                assert.equal((await versions()).length, 5);
            }
        });

        it("looks when the answer to unlocking says nothing of the lock, and asks again where it is held", async () => {
            for (const after of [true, false]) {
                await world.reset();
                const path = "/actions/unlock$";
                await world.fault({
                    method: "POST",
                    path,
                    after,
                    status: 200,
                    body: "{}",
                    contentType: "application/json",
                });
                await rollback().up(inputs);
                assert.equal(await isLocked(), false);
            }
        });

        it("says how to release the lock when neither the rollback nor the release succeeds", async () => {
            const refused = {
                times: 0,
                body: '{"errors":[{"detail":"planted"}]}',
                contentType: "application/vnd.api+json",
            };
            await world.fault(
                { method: "PATCH", status: 422, ...refused },
                { method: "POST", path: "/actions/unlock$", status: 403, ...refused },
            );
            const undo = rollback();
            await assert.rejects(undo.up(inputs), /422: planted/);
            assert.match(
                undo.warnings.join(),
                /still locked.*to do it by hand, POST \/workspaces\/ws-1\/actions\/unlock/,
            );
        });

        it("takes over the lock of a run that died, by its mark and its account", async () => {
            await act("POST", "/workspaces/ws-1/actions/lock", {
                reason: "rolling back to sv-3 [statecraft o/app/dev x]",
            });
            await rollback().up(inputs);
            assert.equal(await isLocked(), false);
        });

        it("leaves a lock with another mark, and one with our mark held by another account", async () => {
            await act("POST", "/workspaces/ws-1/actions/lock", { reason: "[statecraft o/app/prod x]" });
            await assert.rejects(rollback().up(inputs), { code: "locked" });
            await act("POST", "/workspaces/ws-1/actions/unlock");
            await act("POST", "/workspaces/ws-1/actions/lock", { reason: "[statecraft o/app/dev x]" }, "outside");
            await assert.rejects(rollback().up(inputs), { code: "locked" });
            assert.equal(await isLocked(), true);
        });

        it("asks again to unlock while a version is pending", async () => {
            const body = '{"errors":[{"status":"503","detail":"latest state version is still pending"}]}';
            await world.fault({
                method: "POST",
                path: "/actions/unlock$",
                status: 503,
                times: 3,
                body,
                contentType: "application/vnd.api+json",
            });
            await rollback().up(inputs);
            assert.equal(await isLocked(), false);
        });

        it("says who holds what when it cannot unlock; the next up releases it without another rollback", async () => {
            const body = '{"errors":[{"status":"403","detail":"planted"}]}';
            await world.fault({
                method: "POST",
                path: "/actions/unlock$",
                status: 403,
                times: 0,
                body,
                contentType: "application/vnd.api+json",
            });
            const undo = rollback();
            await assert.rejects(
                undo.up(inputs),
                /the rollback is done, but its lock was not released: the workspace ws-1 is still locked by user user-1 .*statecraft o\/app\/dev x.*planted.*POST \/workspaces\/ws-1\/actions\/unlock/,
            );
            await world.heal();
            assert.equal(await undo.up(inputs), "updated");
            assert.equal(await isLocked(), false);
            assert.equal((await versions()).length, 5);
            assert.equal(await undo.up(inputs), "same");
        });

        it("does not release a lock that another stack took before the lost answer to unlocking was looked up", async () => {
            const attributes = { locked: true, "locked-reason": "rolling back to sv-1 [statecraft o/app/prod other]" };
            const relationships = { "locked-by": { data: { id: "user-1", type: "users" } } };
            const data = { id: "ws-1", type: "workspaces", attributes, relationships };
            await world.fault(
                { method: "POST", path: "/actions/unlock$", drop: "after" },
                {
                    method: "GET",
                    path: "/workspaces/ws-1$",
                    skip: 1,
                    times: 0,
                    body: JSON.stringify({ data }),
                    contentType: "application/vnd.api+json",
                },
            );
            await rollback().up(inputs);
            const unlocks = (await world.writes()).filter(({ path }) => path.endsWith("/actions/unlock"));
            assert.equal(unlocks.length, 1);
        });

        it("ends as well when the answer to unlocking is lost", async () => {
            await world.fault({ method: "POST", path: "/actions/unlock$", drop: "after" });
            await rollback().up(inputs);
            assert.equal(await isLocked(), false);
        });

        it("keeps the object when its version cannot be read afterwards", async () => {
            await world.fault({
                method: "GET",
                path: "/state-versions/sv-",
                skip: 1,
                times: 0,
                status: 500,
                body: "",
                contentType: "text/plain",
            });
            const undo = rollback();
            await assert.rejects(undo.up(inputs), /the rollback is done, but its version could not be read/);
            await world.heal();
            assert.equal(await undo.up(inputs), "updated");
            assert.equal((await versions()).length, 5);
        });
    });

    describe("update", () => {
        it("rolls back again, in place, for another version; what was current first stays remembered", async () => {
            const undo = rollback();
            await undo.up(inputs);
            const first = await current();
            assert.equal(await undo.up({ ...inputs, stateVersionId: "sv-1" }), "updated");
            const { previousStateVersionId, rolledBackFrom, serial } = undo.outputs();
            assert.deepEqual([previousStateVersionId, rolledBackFrom, serial], ["sv-4", first, 1]);
            await undo.refresh();
            assert.equal(await undo.up({ ...inputs, stateVersionId: "sv-1" }), "same");
        });

        it("rolls back again for changed triggers, also when nothing newer is current", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, triggers: ["monday"] });
            await rollBackOutside("sv-1");
            assert.equal(await undo.up({ ...inputs, triggers: ["tuesday"] }), "updated");
            assert.equal(undo.outputs()["currentStateVersionId"], await current());
            assert.equal((await patches()).length, 3);
            assert.equal(await undo.up({ ...inputs, triggers: ["wednesday"] }), "updated");
            assert.equal(undo.outputs()["currentStateVersionId"], await current());
            assert.equal((await patches()).length, 4);
            assert.equal(await undo.up({ ...inputs, triggers: ["wednesday"] }), "same");
        });

        it("rolls back once for changed triggers, also when the run is cut off before or after it", async () => {
            for (const [drop, trigger] of [
                ["before", "tuesday"],
                ["after", "wednesday"],
            ] as const) {
                const undo = rollback();
                await undo.up({ ...inputs, triggers: ["monday"] });
                const before = (await versions()).length;
                await world.fault(
                    { method: "PATCH", drop },
                    { method: "GET", path: "/current-state-version$", skip: 2, times: 0, drop: "before" },
                );
                const changed = { ...inputs, triggers: [trigger] };
                await assert.rejects(undo.up(changed), /whether the rollback was done cannot be seen either/);
                await world.heal();
                assert.equal(await undo.up(changed), "updated");
                assert.equal((await versions()).length, before + 1, drop);
                assert.equal(undo.outputs()["currentStateVersionId"], await current());
                assert.equal(await undo.up(changed), "same");
            }
        });

        it("counts numbers that differ in digits which JavaScript does not keep", async () => {
            const states = ["1234567890123456788", "1234567890123456799"].map((id, index) =>
                JSON.stringify({ ...state(index + 1, "a"), check: "id" }).replace('"check":"id"', `"check":${id}`),
            );
            for (const body of states)
                await world.fault({ method: "GET", path: "/object/", body, contentType: "application/json" });
            await rollback().up({ ...inputs, workspaceId: "ws-2", stateVersionId: "sv-21" });
            assert.equal((await patches()).length, 1);
        });

        it("replaces for another workspace", async () => {
            const undo = rollback();
            await undo.up(inputs);
            assert.deepEqual((await undo.diff({ ...inputs, workspaceId: "ws-2", stateVersionId: "sv-22" })).replaces, [
                "workspaceId",
            ]);
        });

        for (const option of [
            { lock: false },
            { lock: { reason: "x" } },
            { keepLocked: true },
            { onDelete: "restore" },
            { enforce: true },
            { waitForProcessing: 60 },
        ]) {
            it(`stores the option ${JSON.stringify(option)} and sends nothing`, async () => {
                const undo = rollback();
                await undo.up(inputs);
                await world.forget();
                assert.equal(await undo.up({ ...inputs, ...option }), "updated");
                assert.deepEqual(await world.writes(), []);
                assert.equal(await undo.up({ ...inputs, ...option }), "same");
                await undo.refresh();
                assert.equal(await undo.up({ ...inputs, ...option }), "same");
            });
        }

        it("uses the user's words for the lock, and keeps the lock when told to", async () => {
            await rollback().up({ ...inputs, lock: { reason: "incident 7" }, keepLocked: true });
            assert.equal(
                ((await api("/workspaces/ws-1"))["attributes"] as Props)["locked-reason"],
                "incident 7 [statecraft o/app/dev x]",
            );
            assert.equal(await isLocked(), true);
        });

        it("warns that a lock which was kept stays when keepLocked is turned off, and how to release it", async () => {
            const kept = rollback();
            await kept.up({ ...inputs, keepLocked: true });
            await world.forget();
            assert.equal(await kept.up(inputs), "updated");
            assert.equal(await isLocked(), true);
            assert.match(
                kept.warnings.join(),
                /keepLocked: the lock that was kept before stays.* POST \/workspaces\/ws-1\/actions\/unlock with the same token$/,
            );
            assert.deepEqual(await world.writes(), []);

            assert.deepEqual(await kept.refresh(), ["resources", "unfinished"]);
            assert.match(kept.warnings.at(-1) ?? "", /an earlier run has left the workspace ws-1 locked; the next/);
            assert.equal(await kept.up(inputs), "updated");
            assert.equal(await isLocked(), false, "as the warning said");
        });

        it("says nothing of a kept lock that was released meanwhile", async () => {
            const kept = rollback();
            await kept.up({ ...inputs, keepLocked: true });
            await world.outside("POST", "/api/v2/workspaces/ws-1/actions/force-unlock");
            assert.equal(await kept.up(inputs), "updated");
            assert.deepEqual(kept.warnings, []);
        });
    });

    describe("read", () => {
        it("takes a newer version for normal life", async () => {
            const undo = rollback();
            await undo.up(inputs);
            await undo.refresh();
            await rollBackOutside("sv-1");
            assert.deepEqual(await undo.refresh(), ["superseded"]);
            assert.equal(undo.outputs()["superseded"], true);
            assert.equal(await undo.up(inputs), "same");
        });

        it("with enforce takes it for drift, and the next up rolls back again", async () => {
            const enforced = { ...inputs, enforce: true };
            const undo = rollback();
            await undo.up(enforced);
            await rollBackOutside("sv-1");
            await undo.refresh();
            assert.equal((await undo.diff(enforced)).changes, true);
            assert.equal(await undo.up(enforced), "updated");
            assert.equal(undo.outputs()["superseded"], false);
            assert.equal(await undo.up(enforced), "same");
        });

        it("never takes a 404 for gone: it keeps the state, and warns both ways", async () => {
            const undo = rollback();
            await undo.up(inputs);
            const reader = rollback({ token: "organization-token" });
            reader.state = undo.state;
            const body = '{"errors":[{"status":"404","title":"not found"}]}';
            await world.fault({
                method: "GET",
                path: "/current-state-version$",
                status: 404,
                body,
                contentType: "application/vnd.api+json",
            });
            assert.deepEqual(await reader.refresh(), []);
            assert.match(
                reader.warnings.join(),
                /does not exist any more, or the token may not see it.*`pulumi state delete`/,
            );
            assert.equal(await reader.up(inputs), "same");
        });

        for (const status of [401, 403, 500]) {
            it(`is an error on ${status}`, async () => {
                const undo = rollback();
                await undo.up(inputs);
                await world.fault({ status, times: 0, body: "", contentType: "text/plain" });
                await assert.rejects(undo.refresh(), new RegExp(`: ${status}: `));
            });
        }

        it("finds a workspace by its id alone, and says so when there is none", async () => {
            const undo = rollback();
            await undo.get("ws-1");
            assert.equal(undo.outputs()["currentStateVersionId"], "sv-4");
            await assert.rejects(rollback().get("ws-nope"), /does not exist, or may not be seen/);
        });
    });

    describe("delete", () => {
        it("leaves the workspace as it is, also when the service is gone, and asks only for a lock that it may have left", async () => {
            for (const lock of [true, false]) {
                const undo = rollback();
                await undo.up({ ...inputs, lock });
                await world.forget();
                await world.fault({ drop: "before", times: 0 });
                await undo.destroy();
                await world.heal();
                const asked = new Set((await world.requests()).map(({ method, path }) => `${method} ${path}`));
                assert.deepEqual([...asked], lock ? ["GET /api/v2/workspaces/ws-1"] : []);
                assert.equal(undo.warnings.length, lock ? 1 : 0);
            }
        });

        it("restores what was current before the first rollback", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            await undo.up({ ...inputs, onDelete: "restore", stateVersionId: "sv-1" });
            await undo.destroy();
            const now = await api(`/state-versions/${await current()}`);
            assert.equal((now["attributes"] as Props)["serial"], 4);
            assert.equal(await isLocked(), false);
        });

        it("restores nothing over a version of somebody else that was declared since", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            await rollBackOutside("sv-2");
            const theirs = await current();
            assert.equal(await undo.up({ ...inputs, onDelete: "restore", stateVersionId: theirs }), "updated");
            assert.equal(undo.outputs()["previousStateVersionId"], "");
            await world.forget();
            await undo.destroy();
            assert.deepEqual(await world.writes(), []);
            assert.equal(await current(), theirs);
        });

        it("restores what was current before the first rollback that happened, not before one that did not", async () => {
            const restoring = { ...inputs, onDelete: "restore" };
            const undo = rollback();
            await world.fault({ method: "PATCH", drop: "before" });
            await assert.rejects(undo.up(restoring), /nothing was rolled back: sv-4 is still current/);
            const theirs = await rollBackOutside("sv-2");
            assert.equal(await undo.up(restoring), "updated");
            assert.equal(undo.outputs()["previousStateVersionId"], theirs);
            await undo.destroy();
            const { relationships } = await api(`/state-versions/${await current()}`);
            assert.match(JSON.stringify(relationships), new RegExp(theirs));
        });

        it("leaves a newer version alone, and says so", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            const newer = await rollBackOutside("sv-1");
            await world.forget();
            await undo.destroy();
            assert.deepEqual(await world.writes(), []);
            assert.match(undo.warnings.join(), new RegExp(`the newer version ${newer} is current`));
        });

        it("restores once, also when the answer is lost", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            await world.fault({ method: "PATCH", drop: "after" });
            await undo.destroy();
            assert.equal((await versions()).length, 6);
        });

        it("restores after another rollback that broke off without effect", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            await world.fault({ method: "PATCH", drop: "before" });
            await assert.rejects(
                undo.up({ ...inputs, onDelete: "restore", stateVersionId: "sv-1" }),
                /is still current/,
            );
            await undo.destroy();
            const now = await api(`/state-versions/${await current()}`);
            assert.equal((now["attributes"] as Props)["serial"], 4);
            assert.equal((await versions()).length, 6);
        });

        it("leaves a newer version alone after another rollback that broke off without effect", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            const newer = await rollBackOutside("sv-1");
            await world.fault({ method: "PATCH", drop: "before" });
            await assert.rejects(
                undo.up({ ...inputs, onDelete: "restore", stateVersionId: "sv-2" }),
                /is still current/,
            );
            await undo.destroy();
            assert.equal(await current(), newer);
            assert.match(undo.warnings.join(), new RegExp(`the newer version ${newer} is current`));
        });

        it("releases the lock that an earlier destroy could not release, and restores once", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            const path = "/actions/unlock$";
            await world.fault({
                method: "POST",
                path,
                status: 403,
                times: 0,
                body: "planted",
                contentType: "text/plain",
            });
            await assert.rejects(undo.destroy(), /still locked by user user-1/);
            await world.heal();
            await undo.destroy();
            assert.equal(await isLocked(), false);
            assert.equal((await versions()).length, 6);
        });

        it("releases the lock that the rollback left, also where it keeps the workspace as it is", async () => {
            const path = "/actions/unlock$";
            await world.fault({
                method: "POST",
                path,
                status: 403,
                times: 0,
                body: "planted",
                contentType: "text/plain",
            });
            const undo = rollback();
            await assert.rejects(undo.up(inputs), /its lock was not released/);
            await world.heal();
            await undo.destroy();
            assert.equal(await isLocked(), false);
        });

        it("ends a second destroy well after a restore whose end was lost", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            const kept = undo.state;
            await undo.destroy();
            undo.state = kept;
            await undo.destroy();
            assert.equal((await versions()).length, 6);
        });

        it("is an error when the workspace may not be seen: it does not claim to have restored", async () => {
            const undo = rollback();
            await undo.up({ ...inputs, onDelete: "restore" });
            const body = '{"errors":[{"status":"404","title":"not found"}]}';
            await world.fault({ method: "GET", status: 404, times: 0, body, contentType: "application/vnd.api+json" });
            await assert.rejects(undo.destroy(), /does not exist, or the token may not use it/);
        });
    });
});
