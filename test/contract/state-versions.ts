/** The contract tests of a state versions service: reads, lists, locks, and a rollback that the tests undo. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Connection } from "../../src/client";
import { Context } from "../../src/core/context";
import { endpoint } from "../../src/core/endpoint";
import { Voice } from "../../src/core/voice";
import { StatecraftError } from "../../src/errors";
import { readLock } from "../../src/services/state-versions/lock";
import { stateVersions } from "../../src/services/state-versions/service";
import { describeEndpoints } from "./endpoints";
import { isAbsent } from "./named-object";
import { Ground, named, prefix, type Target, titleOf } from "./target";

const showWorkspace = endpoint("GET /workspaces/{workspaceId}");
const lockWorkspace = endpoint("POST /workspaces/{workspaceId}/actions/lock", "refused");
const unlockWorkspace = endpoint("POST /workspaces/{workspaceId}/actions/unlock", "refused");

const workspaceRecord = z.object({
    data: z.object({
        attributes: z.object({ name: z.string() }),
        relationships: z.object({ organization: z.object({ data: z.object({ id: z.string() }) }) }),
    }),
});

/**
 * Registers the tests for the workspace `STATECRAFT_CONTRACT_WORKSPACE`, which must have two versions with different resources. After the tests it
 * is unlocked, and the current version has the same content as before. The versions of the rollbacks stay in its history.
 */
export function describeStateVersionsContract(target: Target): void {
    describeEndpoints(target, "State Versions");
    describe(titleOf("state versions", target), () => {
        const ground = new Ground(target, stateVersions);
        const workspaceId = target.environment["STATECRAFT_CONTRACT_WORKSPACE"] ?? "";
        let client: Connection;
        let session: Context;
        /** The id of the current version before the tests. */
        let original: string;
        let workspace: { readonly organization: string; readonly workspaceName: string } | undefined;
        before(async function () {
            if (workspaceId === "") ground.passOver(this, "workspace", "STATECRAFT_CONTRACT_WORKSPACE names none");
            client = ground.client;
            session = new Context(ground.open(), { voice: new Voice({ say: () => undefined, secrets: [] }) });
            original = await current();
            const answer = await session.client.call(showWorkspace, { parameters });
            const record = workspaceRecord.safeParse(answer.body).data?.data;
            if (record === undefined) return;
            const { organization } = record.relationships;
            workspace = { organization: organization.data.id, workspaceName: record.attributes.name };
        });
        after(() => ground.clear());

        const isLocked = async () => (await readLock(session, workspaceId)).locked;
        const current = async () => (await client.getCurrentStateVersion({ workspaceId })).id;
        const parameters = { workspaceId };

        /** Downloads a version, and returns its resources. */
        async function resourcesOf(stateVersionId: string): Promise<unknown> {
            return (await client.downloadState({ stateVersionId })).state["resources"];
        }

        describe("one version", () => {
            it("a read by id, a read of the current version and both downloads agree", async () => {
                const shown = await client.getStateVersion({ id: original });
                const now = await client.getCurrentStateVersion({ workspaceId });
                assert.deepEqual([shown.id, shown.serial, shown.createdAt], [original, now.serial, now.createdAt]);
                const byId = await client.downloadState({ stateVersionId: original });
                const byWorkspace = await client.downloadState({ workspaceId });
                assert.equal(byWorkspace.stateVersionId, original);
                assert.deepEqual(byWorkspace.state, byId.state);
                assert.equal(byId.state["serial"], byId.serial ?? byId.state["serial"]);
            });

            it("an unknown version is absent", async () => {
                await assert.rejects(client.getStateVersion({ id: "sv-0000000000000000" }), isAbsent);
                await assert.rejects(client.downloadState({ stateVersionId: "sv-0000000000000000" }), StatecraftError);
            });

            it("the current version of an unknown workspace is absent", async () => {
                await assert.rejects(client.getCurrentStateVersion({ workspaceId: "ws-0000000000000000" }), isAbsent);
            });
        });

        describe("the list", () => {
            const list = (more: object = {}) => {
                assert(workspace);
                return client.getStateVersions({ ...workspace, ...more });
            };
            before(function () {
                if (!workspace) ground.passOver(this, "organization", "the workspace shows none");
            });

            it("contains every version once, the current one first among the finalized versions", async () => {
                const { stateVersions: all } = await list();
                assert(all.length >= 2, "the workspace must have two versions");
                assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
                assert.equal(all.find(({ status }) => status === "finalized")?.id, await current());
            });

            it("ends at `limit`", async () => {
                assert.equal((await list({ limit: 1 })).stateVersions.length, 1);
            });

            it("can be filtered by `status`", async () => {
                const { stateVersions: some } = await list({ status: "finalized" });
                assert(some.some(({ id }) => id === original));
                assert(some.every(({ status }) => status === "finalized"));
            });
        });

        describe("the lock", () => {
            before(async function () {
                if (await isLocked()) ground.passOver(this, "free workspace", "another client has locked it");
            });
            afterEach(async () => {
                const { locked, reason } = await readLock(session, workspaceId);
                if (locked && (reason === "" || reason.includes(prefix))) await unlock();
            });

            const lock = (reason = prefix) => session.client.call(lockWorkspace, { parameters, body: { reason } });
            const unlock = () => session.client.call(unlockWorkspace, { parameters });
            const rollback = (stateVersionId: string, more: object = {}) => ({ workspaceId, stateVersionId, ...more });

            /** Returns a version whose resources differ from those of the current one. */
            async function otherVersion(context: Mocha.Context): Promise<string> {
                const filter = workspace && { ...workspace, status: "finalized" as const, limit: 20 };
                const candidates = filter ? (await client.getStateVersions(filter)).stateVersions : [];
                const now = await resourcesOf(original);
                for (const { id } of candidates) {
                    if (id !== original && !isDeepStrictEqual(await resourcesOf(id), now)) return id;
                }
                return ground.passOver(context, "other version", "none of the workspace has other resources");
            }

            /** Registers a rollback to the original content, for the case that a test fails after its rollback. */
            const restoreLater = (content: unknown) =>
                ground.undoLater("the rollback", async () => {
                    if (isDeepStrictEqual(await resourcesOf(await current()), content)) return;
                    await client.stateVersionRollback.create(rollback(original));
                });

            it("can be taken only once, is shown with its reason, and is released", async () => {
                assert.equal(await isLocked(), false);
                await lock();
                const { locked, reason } = await readLock(session, workspaceId);
                assert.equal(locked, true);
                if (reason !== "") assert.equal(reason, prefix);
                await assert.rejects(lock(named("second")));
                assert.equal(await isLocked(), true);
                await unlock();
                assert.equal(await isLocked(), false);
            });

            it("is that of a WorkspaceLock, until another client releases it or the resource is deleted", async () => {
                const resource = ground.resource("WorkspaceLock");
                const declared = { workspaceId, reason: prefix };
                for (const remove of [unlock, () => resource.destroy()]) {
                    assert.equal(await resource.up(declared), "created");
                    assert.deepEqual([await resource.refresh(), await resource.up(declared)], [[], "same"]);
                    assert.equal(await isLocked(), true);
                    await remove();
                    if (resource.state) assert.equal(await resource.refresh(), "gone");
                }
                assert.equal(await isLocked(), false);
            });

            it("is necessary for a rollback", async function () {
                const unlocked = client.stateVersionRollback.create(
                    rollback(await otherVersion(this), { lock: false }),
                );
                await assert.rejects(unlocked, { code: "not-locked" });
                assert.equal(await current(), original);
            });

            it("is released after a refused rollback", async () => {
                const wrong = rollback("sv-0000000000000000", { lock: true });
                await assert.rejects(client.stateVersionRollback.create(wrong), StatecraftError);
                assert.equal(await isLocked(), false);
                assert.equal(await current(), original);
            });

            it("is taken for one rollback and for its restoration", async function () {
                const other = await otherVersion(this);
                const [wanted, content] = [await resourcesOf(other), await resourcesOf(original)];
                restoreLater(content);
                const resource = ground.resource("StateVersionRollback");
                const declared = rollback(other, { lock: { reason: prefix }, onDelete: "restore" });
                assert.equal(await resource.up(declared), "created");
                const made = await current();
                assert(made !== original && made !== other);
                assert.deepEqual(await resourcesOf(made), wanted);
                assert.equal(await isLocked(), false);

                await resource.refresh();
                assert.equal(await resource.up(declared), "same");
                const again = await client.stateVersionRollback.create(rollback(other, { lock: true }));
                assert.equal(again.outputs.currentStateVersionId, made);
                assert.equal(await current(), made);

                await resource.destroy();
                assert.deepEqual(await resourcesOf(await current()), content);
                assert.equal(await isLocked(), false);
            });

            it("of the same account allows a rollback with `lock: false`, which does not release it", async function () {
                const other = await otherVersion(this);
                const content = await resourcesOf(original);
                restoreLater(content);
                await lock();
                const resource = await ground
                    .resource("StateVersionRollback")
                    .deployed(rollback(other, { lock: false, onDelete: "restore" }));
                assert.deepEqual(await resourcesOf(await current()), await resourcesOf(other));
                await resource.destroy();
                assert.deepEqual(await resourcesOf(await current()), content);
                assert.equal(await isLocked(), true);
            });
        });
    });
}
