/** The contract tests of a secrets manager: roles of the login method, and configurations of snapshots if the server supports them. */

import assert from "node:assert/strict";
import type { Connection } from "../../src/client";
import { StatecraftError } from "../../src/errors";
import { manager } from "../../src/services/manager/service";
import { describeEndpoints } from "./endpoints";
import { itKeepsContracts, itKeepsEveryProperty, type NamedObject, written } from "./named-object";
import { Ground, named, type Target, titleOf } from "./target";

const group = "00000000-0000-4000-8000-000000000001";

/** Registers the tests. `STATECRAFT_CONTRACT_MOUNT` is the mount of the login method, if it is not the default one. */
export function describeManagerContract(target: Target): void {
    describeEndpoints(target, "Secrets Manager");
    describe(titleOf("secrets manager", target), () => {
        const ground = new Ground(target, manager);
        const mount = target.environment["STATECRAFT_CONTRACT_MOUNT"];
        const at = mount ? { mount } : {};
        const namespace = target.environment["STATECRAFT_CONTRACT_NAMESPACE"];
        let client: Connection;
        before(() => {
            client = ground.client;
        });
        after(() => ground.clear());

        ground.itLogsIn((other) => other.getAuthRoles(at));

        describe("roles", () => {
            // Real servers refuse a role without a bound value.
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
                values: { namespace },
                ignored: ["maxJwtExp"],
            };
            itKeepsContracts(ground, object);
            itKeepsEveryProperty(ground, object);

            it("ignores the letter case of a name", async () => {
                const { resource, name } = await written(ground, object, "Mixed-Case");
                assert.equal((await show(name.toUpperCase())).name, name.toLowerCase());
                assert.equal(await resource.up(role(name.toUpperCase())), "same");
            });

            it("fails for an absent mount, instead of reporting the role as absent", async () => {
                const wrong = { mount: named("mount"), name: named("absent") };
                const isFailure = (error: unknown) => error instanceof StatecraftError && error.code !== "absent";
                await assert.rejects(client.getAuthRole(wrong), isFailure);
                await assert.rejects(client.authRole.read(`auth/${wrong.mount}/role/${wrong.name}`), isFailure);
                await assert.rejects(ground.resource("AuthRole").up(role(wrong.name, wrong)), new RegExp(wrong.mount));
            });
        });

        describe("the configuration of the login method", () => {
            const configured = target.environment["STATECRAFT_CONTRACT_CONFIG_MOUNT"];
            before(function () {
                if (!configured)
                    ground.passOver(this, "configuration", "STATECRAFT_CONTRACT_CONFIG_MOUNT names no mount");
            });

            // Vault has no defaults of these two.
            const required = { tenantId: "tenant-0", resource: "https://contract.example/" };
            itKeepsEveryProperty(ground, {
                type: "AuthConfig",
                inputs: (_, more) => ({ mount: configured, ...required, ...more }),
                values: { namespace },
            });
        });

        if (ground.lacks("snapshots")) return;
        describe("snapshot configurations", () => {
            const storage = { type: "local", pathPrefix: `/tmp/${named("snapshots")}`, maxSpace: 1_000_000 };
            const interval = 2_592_000;
            const config = (name: string, more: object = {}) => ({ name, interval, storage, retain: 2, ...more });
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
                // The server must not take a snapshot during the tests.
                values: { waitForSnapshot: undefined },
            };

            itKeepsContracts(ground, object);
            itKeepsEveryProperty(ground, object);
        });
    });
}
