/** What every secrets manager must do: roles of the login method, and schedules of snapshots where the server has them. */

import assert from "node:assert/strict";
import type { Connection } from "../../src/client";
import { operation } from "../../src/core/operation";
import { ServiceError, StatecraftError } from "../../src/errors";
import { manager } from "../../src/services/manager/service";
import { itKeepsContracts, type NamedObject, written as writtenObject } from "./named-object";
import { Ground, named, type Target, titleOf } from "./target";

const listSnapshots = operation("LIST /v1/sys/storage/raft/snapshot-auto/config");
const group = "00000000-0000-4000-8000-000000000001";

/** The contracts of a secrets manager. `STATECRAFT_CONTRACT_MOUNT` names where the login method is mounted, unless at its usual place. */
export function describeManagerContract(target: Target): void {
    describe(titleOf("secrets manager", target), () => {
        const ground = new Ground(target, manager);
        const mount = target.environment["STATECRAFT_CONTRACT_MOUNT"];
        const at = mount ? { mount } : {};
        let client: Connection;
        before(() => {
            client = ground.client;
        });
        after(() => ground.clear());

        describe("roles", () => {
            /** A role's arguments: real servers want every role to be bound to something. */
            const role = (name: string, more: object = {}) => ({ ...at, name, boundGroupIds: [group], ...more });
            const show = (name: string) => client.getAuthRole({ ...at, name });

            const object: NamedObject = {
                type: "AuthRole",
                inputs: role,
                show,
                list: async () => (await client.getAuthRoles(at)).names,
                remove: (id) => client.authRole.delete(id),
                read: (id) => client.authRole.read(id),
                idOf: async (name) => `auth/${(await client.getAuthRoles(at)).mount}/role/${name.toLowerCase()}`,
                more: { tokenTtl: 600 },
            };
            const written = (word: string, more?: object) => writtenObject(ground, object, word, more);

            itKeepsContracts(ground, object);

            it("are read as they were written", async () => {
                const given = {
                    boundLocations: ["place-1", "place-2"],
                    tokenPolicies: ["reader", "writer"],
                    tokenTtl: 600,
                    tokenMaxTtl: 1200,
                    tokenExplicitMaxTtl: 3600,
                    tokenNoDefaultPolicy: true,
                    tokenNumUses: 3,
                    tokenType: "service",
                };
                const { name } = await written("whole", given);
                const { boundGroupIds, ...seen } = await show(name);
                assert.deepEqual(boundGroupIds, [group]);
                for (const [field, value] of Object.entries(given))
                    assert.deepEqual(
                        Object.entries(seen).find(([seenField]) => seenField === field)?.[1],
                        value,
                        field,
                    );
            });

            it("have the documented defaults where nothing was said", async () => {
                const { name } = await written("bare");
                const seen = await show(name);
                assert.deepEqual(
                    [seen.tokenPolicies, seen.tokenTtl, seen.tokenMaxTtl, seen.tokenNumUses],
                    [[], 0, 0, 0],
                );
                assert.deepEqual([seen.tokenNoDefaultPolicy, seen.tokenType], [false, "default"]);
            });

            it("lose what is not declared any more", async () => {
                const more = { boundLocations: ["place-1"], tokenPolicies: ["reader"], tokenTtl: 600 };
                const { life, name } = await written("cleared", more);
                assert.equal(await life.up(role(name)), "updated");
                const seen = await show(name);
                assert.deepEqual([seen.boundLocations, seen.tokenPolicies, seen.tokenTtl], [[], [], 0]);
                assert.deepEqual(seen.boundGroupIds, [group]);
                assert.deepEqual(await life.refresh(), []);
            });

            it("keep what was not changed", async () => {
                const { life, name } = await written("kept", { tokenPolicies: ["reader"], tokenTtl: 600 });
                assert.equal(
                    await life.up(role(name, { tokenPolicies: ["reader", "writer"], tokenTtl: 600 })),
                    "updated",
                );
                const seen = await show(name);
                assert.deepEqual([seen.tokenPolicies, seen.tokenTtl], [["reader", "writer"], 600]);
            });

            it("have names in which the case of letters carries no meaning", async () => {
                const { life, name } = await written("Mixed-Case");
                assert.equal((await show(name.toLowerCase())).name, name.toLowerCase());
                assert.equal((await show(name.toUpperCase())).name, name.toLowerCase());
                assert.equal(await life.up(role(name.toUpperCase())), "same");
            });

            it("take durations as text, and show seconds", async () => {
                const { life, name } = await written("lasting", { tokenTtl: "1h30m", tokenMaxTtl: "2h" });
                const seen = await show(name);
                assert.deepEqual([seen.tokenTtl, seen.tokenMaxTtl], [5400, 7200]);
                assert.deepEqual(await life.refresh(), []);
                assert.equal(await life.up(role(name, { tokenTtl: 5400, tokenMaxTtl: "120m" })), "same");
            });

            it("have policies whose order carries no meaning", async () => {
                const { life, name } = await written("ordered", { tokenPolicies: ["writer", "reader"] });
                await life.refresh();
                assert.equal(await life.up(role(name, { tokenPolicies: ["reader", "writer"] })), "same");
            });

            it("take blocks of addresses and single ones", async () => {
                const tokenBoundCidrs = ["10.0.0.0/8", "192.0.2.7/32"];
                const { life, name } = await written("blocks", { tokenBoundCidrs });
                await life.refresh();
                assert.equal(await life.up(role(name, { tokenBoundCidrs })), "same");
                assert.equal(await life.up(role(name, { tokenBoundCidrs: ["10.0.0.0/8"] })), "updated");
                assert.deepEqual((await show(name)).tokenBoundCidrs, ["10.0.0.0/8"]);
            });

            it("may make batch tokens", async () => {
                const { life, name } = await written("batch", { tokenType: "batch" });
                assert.equal((await show(name)).tokenType, "batch");
                assert.equal(await life.up(role(name)), "updated");
                assert.equal((await show(name)).tokenType, "default");
            });

            it("of a mount that is not there are a failure, and not merely absent", async () => {
                const wrong = { mount: named("mount"), name: named("nobody") };
                const isFailure = (error: unknown) => error instanceof StatecraftError && error.code !== "absent";
                await assert.rejects(client.getAuthRole(wrong), isFailure);
                await assert.rejects(client.authRole.read(`auth/${wrong.mount}/role/${wrong.name}`), isFailure);
                await assert.rejects(ground.life("AuthRole").up(role(wrong.name, wrong)), new RegExp(wrong.mount));
            });
        });

        describe("snapshot configurations", () => {
            before(async function () {
                const reason = await withoutSnapshots(ground);
                if (reason !== undefined) ground.passOver(this, reason);
            });

            const storage = { type: "local", pathPrefix: `/tmp/${named("snapshots")}`, maxSpace: 1_000_000 };
            // So long that none is taken while the contracts are tried.
            const config = (name: string, more: object = {}) => ({
                name,
                interval: 2_592_000,
                storage,
                retain: 2,
                ...more,
            });
            const show = (name: string) => client.getSnapshotConfig({ name });

            const object: NamedObject = {
                type: "SnapshotConfig",
                inputs: config,
                show,
                list: async () => (await client.getSnapshotConfigs({})).names,
                remove: (id) => client.snapshotConfig.delete(id),
                read: (id) => client.snapshotConfig.read(id),
                idOf: (name) => name,
                more: { retain: 5 },
            };
            const written = (word: string, more?: object) => writtenObject(ground, object, word, more);

            itKeepsContracts(ground, object);

            it("are read as they were written", async () => {
                const { life, name } = await written("whole", { retain: 5, filePrefix: "night" });
                const seen = await show(name);
                assert.deepEqual(
                    [seen.name, seen.interval, seen.retain, seen.filePrefix],
                    [name, 2_592_000, 5, "night"],
                );
                assert.deepEqual({ ...seen.storage }, storage);
                assert.deepEqual(await life.refresh(), []);
            });

            it("take the interval as text, and show seconds", async () => {
                const { life, name } = await written("lasting", { interval: "720h" });
                assert.equal((await show(name)).interval, 2_592_000);
                await life.refresh();
                assert.equal(await life.up(config(name)), "same");
            });

            it("go back to the defaults of what is not declared any more", async () => {
                const { life, name } = await written("cleared", { filePrefix: "night", retain: 5 });
                assert.equal(await life.up(config(name, { retain: undefined })), "updated");
                const seen = await show(name);
                assert.equal(seen.retain, 1);
                assert.match(seen.filePrefix ?? "", /^\w+-snapshot$/);
            });
        });
    });
}

/** Asks whether the server has snapshots that take themselves, and gives the reason where it has not. Any other failure is one. */
async function withoutSnapshots(ground: Ground): Promise<string | undefined> {
    const { client } = await ground.open();
    try {
        await client.call(listSnapshots, { parameters: {} });
        return undefined;
    } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.status === 404 && error.reasons.length === 0) return undefined;
        const said = error.reasons.join("; ");
        if (/enterprise|unsupported path/i.test(said)) return `the server has no automated snapshots (${said})`;
        if (error.status === 403) return "the token may not list snapshot configurations, which needs sudo";
        throw error;
    }
}
