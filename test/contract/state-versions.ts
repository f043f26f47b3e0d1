/** What every service of state versions must do with a workspace: look-ups, lists, locks, and a rollback that is taken back. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Connection } from "../../src/client";
import { Context } from "../../src/core/context";
import { operation } from "../../src/core/operation";
import { StatecraftError } from "../../src/errors";
import { readVersions } from "../../src/services/state-versions/get-state-versions";
import { stateVersions } from "../../src/services/state-versions/service";
import { readLock } from "../../src/services/state-versions/workspace-lock";
import { isAbsent } from "./named-object";
import { Ground, named, prefix, type Target, titleOf } from "./target";

const showWorkspace = operation("GET /workspaces/{workspaceId}");
const lockWorkspace = operation("POST /workspaces/{workspaceId}/actions/lock", "refused");
const unlockWorkspace = operation("POST /workspaces/{workspaceId}/actions/unlock", "refused");

const whereabouts = z.object({
    data: z.object({
        attributes: z.object({ name: z.string() }),
        relationships: z.object({ organization: z.object({ data: z.object({ id: z.string() }) }) }),
    }),
});

/**
 * The contracts of a service of state versions, in the workspace that `STATECRAFT_CONTRACT_WORKSPACE` names. It must have two
 * versions with different resources. Versions cannot be deleted, so those that the rollbacks make stay in its history; in the
 * end, the content that was current is current again and the workspace is not locked.
 */
export function describeStateVersionsContract(target: Target): void {
    describe(titleOf("state versions", target), () => {
        const ground = new Ground(target, stateVersions);
        const workspaceId = target.environment["STATECRAFT_CONTRACT_WORKSPACE"] ?? "";
        let client: Connection;
        let session: Context;
        /** The version that was current before. */
        let original: string;
        before(async function () {
            if (workspaceId === "") ground.passOver(this, "STATECRAFT_CONTRACT_WORKSPACE names no workspace");
            client = ground.client;
            session = new Context(ground.open(), { secrets: [], say: () => undefined });
            original = (await client.getCurrentStateVersion({ workspaceId })).id;
        });
        after(() => ground.clear());

        const isLocked = async () => (await readLock(session, workspaceId)).locked;
        const current = async () => (await client.getCurrentStateVersion({ workspaceId })).id;
        const parameters = { workspaceId };

        /** What a version describes. A copy may have another serial. */
        async function resourcesOf(stateVersionId: string): Promise<unknown> {
            return (await client.downloadState({ stateVersionId })).state["resources"];
        }

        describe("one version", () => {
            it("is looked up as the current one and by its id", async () => {
                const [now, shown] = await Promise.all([
                    client.getCurrentStateVersion({ workspaceId }),
                    client.getStateVersion({ id: original }),
                ]);
                assert.equal(now.id, original);
                assert.equal(shown.id, original);
                assert.equal(shown.serial, now.serial);
                assert.equal(shown.createdAt, now.createdAt);
            });

            it("is downloaded with the serial that it tells", async () => {
                const { serial, state } = await client.downloadState({ stateVersionId: original });
                assert.equal(typeof state["serial"], "number");
                if (serial !== undefined) assert.equal(state["serial"], serial);
            });

            it("is downloaded alike as what is current", async () => {
                const [one, other] = await Promise.all([
                    client.downloadState({ stateVersionId: original }),
                    client.downloadState({ workspaceId }),
                ]);
                assert.equal(other.stateVersionId, original);
                assert.deepEqual(other.state, one.state);
            });

            it("that does not exist is absent", async () => {
                await assert.rejects(client.getStateVersion({ id: "sv-0000000000000000" }), isAbsent);
                await assert.rejects(client.downloadState({ stateVersionId: "sv-0000000000000000" }), StatecraftError);
            });

            it("of a workspace that does not exist is absent", async () => {
                await assert.rejects(client.getCurrentStateVersion({ workspaceId: "ws-0000000000000000" }), isAbsent);
            });
        });

        describe("the list", () => {
            let organization: string;
            let workspaceName: string;
            before(async function () {
                const answer = await session.client.call(showWorkspace, { parameters });
                const told = whereabouts.safeParse(answer.body).data?.data;
                if (!told) return ground.passOver(this, "the server does not tell the workspace's organization");
                organization = told.relationships.organization.data.id;
                workspaceName = told.attributes.name;
            });

            it("holds every version once, and the current one first of those that are finished", async () => {
                const all = await client.getStateVersions({ organization, workspaceName });
                const ids = all.stateVersions.map(({ id }) => id);
                assert(ids.length >= 2, "the workspace must have two versions");
                assert.equal(new Set(ids).size, ids.length);
                assert.equal(all.stateVersions.find(({ status }) => status === "finalized")?.id, await current());
            });

            it("ends where it was limited", async () => {
                const some = await client.getStateVersions({ organization, workspaceName, limit: 1 });
                assert.equal(some.stateVersions.length, 1);
            });

            it("is the same from small pages", async () => {
                const ids = async (pageSize?: number) =>
                    (await readVersions(session, { organization, workspaceName, pageSize }, 3)).versions.map(
                        ({ id }) => id,
                    );
                assert.deepEqual(await ids(1), await ids());
            });

            it("is narrowed by status", async () => {
                const some = await client.getStateVersions({ organization, workspaceName, status: "finalized" });
                assert(some.stateVersions.some(({ id }) => id === original));
                assert(some.stateVersions.every(({ status }) => status === "finalized"));
            });
        });

        describe("the lock", () => {
            before(async function () {
                if (await isLocked()) ground.passOver(this, "somebody holds the lock of the workspace");
            });

            const unlockOwn = async () => {
                const { locked, reason } = await readLock(session, workspaceId);
                if (locked && (reason === "" || reason.includes(prefix)))
                    await session.client.call(unlockWorkspace, { parameters });
            };
            const lock = () => {
                return session.client.call(lockWorkspace, { parameters, body: { reason: prefix } });
            };
            afterEach(unlockOwn);

            const rollback = (stateVersionId: string, more: object = {}) => ({ workspaceId, stateVersionId, ...more });

            /** A version whose resources are not those of the current one. */
            async function otherVersion(context: Mocha.Context): Promise<string> {
                const answer = await session.client.call(showWorkspace, { parameters });
                const told = whereabouts.safeParse(answer.body).data?.data;
                const filter = told && {
                    organization: told.relationships.organization.data.id,
                    workspaceName: told.attributes.name,
                };
                const candidates = filter
                    ? (await client.getStateVersions({ ...filter, status: "finalized", limit: 20 })).stateVersions
                    : [];
                const now = await resourcesOf(original);
                for (const { id } of candidates) {
                    if (id !== original && !isDeepStrictEqual(await resourcesOf(id), now)) return id;
                }
                return ground.passOver(context, "no other version of the workspace has other resources");
            }

            it("is taken and released, and seen by everybody", async () => {
                assert.equal(await isLocked(), false);
                await lock();
                const { locked, reason } = await readLock(session, workspaceId);
                assert.equal(locked, true);
                if (reason !== "") assert.equal(reason, prefix);
                await session.client.call(unlockWorkspace, { parameters });
                assert.equal(await isLocked(), false);
            });

            it("is not taken twice", async () => {
                await lock();
                await assert.rejects(
                    session.client.call(lockWorkspace, { parameters, body: { reason: named("second") } }),
                );
                assert.equal(await isLocked(), true);
            });

            it("is needed by a rollback", async function () {
                const other = await otherVersion(this);
                const unlocked = client.stateVersionRollback.create(rollback(other, { lock: false }));
                await assert.rejects(unlocked, { code: "not-locked" });
                assert.equal(await current(), original);
            });

            it("is released after a rollback that was refused", async () => {
                const wrong = rollback("sv-0000000000000000", { lock: true });
                await assert.rejects(client.stateVersionRollback.create(wrong), StatecraftError);
                assert.equal(await isLocked(), false);
                assert.equal(await current(), original);
            });

            it("is held for a rollback, which is done once, and for taking it back", async function () {
                const other = await otherVersion(this);
                const [wanted, had] = [await resourcesOf(other), await resourcesOf(original)];
                ground.leaves("the rollback", async () => {
                    if (isDeepStrictEqual(await resourcesOf(await current()), had)) return;
                    await client.stateVersionRollback.create({ workspaceId, stateVersionId: original, lock: true });
                });
                const life = ground.life("StateVersionRollback");
                const declared = rollback(other, { lock: { reason: prefix }, onDelete: "restore" });
                assert.equal(await life.up(declared), "created");
                const made = await current();
                assert.notEqual(made, original);
                assert.notEqual(made, other);
                assert.deepEqual(await resourcesOf(made), wanted);
                assert.equal(await isLocked(), false);

                assert.equal(await life.up(declared), "same");
                await life.refresh();
                assert.equal(await life.up(declared), "same");
                const again = await client.stateVersionRollback.create(rollback(other, { lock: true }));
                assert.equal(again.outputs.currentStateVersionId, made);
                assert.equal(await current(), made);

                await life.destroy();
                assert.deepEqual(await resourcesOf(await current()), had);
                assert.equal(await isLocked(), false);
            });

            it("that is held already serves a rollback and its end, and is left", async function () {
                const other = await otherVersion(this);
                const had = await resourcesOf(original);
                ground.leaves("the rollback", async () => {
                    if (isDeepStrictEqual(await resourcesOf(await current()), had)) return;
                    await client.stateVersionRollback.create({ workspaceId, stateVersionId: original });
                });
                await lock();
                const life = ground.life("StateVersionRollback");
                await life.up(rollback(other, { lock: false, onDelete: "restore" }));
                assert.deepEqual(await resourcesOf(await current()), await resourcesOf(other));
                await life.destroy();
                assert.deepEqual(await resourcesOf(await current()), had);
                assert.equal(await isLocked(), true);
            });
        });
    });
}
