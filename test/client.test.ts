import assert from "node:assert/strict";
import { report, withRole } from "../examples/scripts/morning-report";
import { ConfigError, type Connection, connect, DeniedError, InputError } from "../src/client";
import { demonstration } from "../src/simulator/demonstration";
import { canaryToken } from "./support/canaries";
import { failureOf } from "./support/failures";
import { textOf } from "./support/repository";
import { withSimulator } from "./support/simulator";
import { stateOf } from "./support/workspaces";

describe("the client for scripts", () => {
    const simulator = withSimulator({ ...demonstration, mounts: ["clouda", "other"] }, { vocabulary: "documented" });
    const other = withSimulator(demonstration, { vocabulary: "documented" });
    let client: Connection;
    const [warnings, notes]: [string[], string[]] = [[], []];
    before(async () => {
        client = simulator.connect({ warn: (message) => warnings.push(message), inform: (note) => notes.push(note) });
    });

    it("creates, reads, updates and deletes an object", async () => {
        const made = await client.authRole.create({ name: "dev", tokenPolicies: ["web"], tokenTtl: "1h" });
        assert.equal(made.id, "auth/clouda/role/dev");
        assert.deepEqual((await client.authRole.read(made.id))?.tokenPolicies, ["web"]);
        await client.authRole.update(made.id, { name: "dev", tokenTtl: "2h" });
        const role = await client.getAuthRole({ name: "dev" });
        assert.deepEqual([role.tokenPolicies, role.tokenTtl, role.mount, role.namespace], [[], 7200, "clouda", ""]);
        await client.authRole.delete(made.id);
        await client.authRole.delete(made.id);
        assert.equal(await client.authRole.read(made.id), undefined);
    });

    it("compares an update with the object, and tells of fewer snapshots", async () => {
        const storage = { type: "local", pathPrefix: "/a", maxSpace: 1_000_000 } as const;
        const { id } = await client.snapshotConfig.create({ name: "daily", interval: "24h", retain: 2, storage });
        await client.snapshotConfig.update(id, { name: "daily", interval: "24h", retain: 1, storage });
        assert(notes.splice(0).some((note) => note.startsWith("SnapshotConfig daily: retain: ")));
    });

    it("writes the object although `inform` throws", async () => {
        const { authConfig } = simulator.connect({
            inform: () => {
                throw new Error("no terminal");
            },
        });
        const body = JSON.stringify({ warnings: ["planted"] });
        await simulator.fault({ method: "POST", path: "/config$", status: 200, after: true, body });
        const { id } = await authConfig.create({ tenantId: "t", resource: "r" });
        assert.equal((await authConfig.read(id))?.tenantId, "t");
        await authConfig.delete(id);
    });

    it("uses the named connection in each operation", async () => {
        const manager = { address: other.url, token: canaryToken };
        for (const settings of [{}, { manager: { address: simulator.url, token: canaryToken } }]) {
            const { authRole } = connect({ ...settings, environment: {}, connections: { other: { manager } } });
            const connection = "other";
            const { id, outputs } = await authRole.create({ name: "far", boundLocations: ["north"], connection });
            await client.authRole.create({ name: "far", boundLocations: ["south"] });
            await authRole.update(id, { name: "far", boundLocations: ["east"], connection });
            const read = await authRole.read(id, { connection });
            assert.deepEqual([read?.boundLocations, read?.server], [["east"], outputs.server]);
            await authRole.delete(id, { connection });
            assert.equal(await authRole.read(id, { connection }), undefined);
            assert.deepEqual((await client.authRole.read(id))?.boundLocations, ["south"]);
            await simulator.reset();
        }
    });

    it("names the path of a wrong setting of a connection", async () => {
        const manager = { address: other.url, token: canaryToken, caFile: "/nowhere/ca.pem" };
        const { getAuthRole } = connect({ environment: {}, connections: { other: { manager } } });
        await assert.rejects(getAuthRole({ name: "web", connection: "other" }), {
            code: "config",
            setting: "statecraft:connections.other.manager.caFile",
        });
    });

    it("names the arguments of `connect` in errors of the settings", async () => {
        const { getAuthRole, authRole } = connect({ environment: {} });
        const connection = "dr";
        for (const call of [getAuthRole({ name: "web", connection }), authRole.create({ name: "web", connection })]) {
            const { message } = await failureOf(call, ConfigError);
            assert.match(message, /^(getAuthRole|AuthRole web): .*`connections\.dr\.vault\.address`/);
            assert.doesNotMatch(message, /pulumi config/);
        }
        const { message } = await failureOf(getAuthRole({ name: "web" }), ConfigError);
        for (const place of ["`vault.address`", "STATECRAFT_VAULT_ADDRESS"]) assert(message.includes(place), message);
    });

    it("does not take over the lock of another script of the same account, and releases its own lock", async () => {
        const workspaceId = "ws-1";
        const lock = async () => JSON.stringify(await simulator.outside("GET", "/api/v2/workspaces/ws-1"));
        const rollBack = (stateVersionId: string) =>
            client.stateVersionRollback.create({ workspaceId, stateVersionId, lock: true, keepLocked: true });
        const first = await rollBack("sv-2");
        await assert.rejects(rollBack("sv-1"), {
            code: "locked",
            message: /rolling back to sv-2 \[statecraft script /,
        });
        await client.stateVersionRollback.delete(workspaceId, { lock: true });
        assert.match(await lock(), /"locked":true/, "it is another operation's");
        await client.stateVersionRollback.delete(workspaceId, { ...first.outputs, keepLocked: false });
        assert.match(await lock(), /"locked":false/);
    });

    describe("in docs/client.md", () => {
        it("equals the program of the example", () => {
            const program = textOf("examples/scripts/morning-report.ts");
            assert(textOf("docs/client.md").includes(`\n\`\`\`ts\n${program}\`\`\`\n`));
        });

        it("reports roles without bounds and failed snapshots", async () => {
            assert.deepEqual(await report(client), []);
            await client.authRole.create({ name: "open" });
            await client.authRole.create({ name: "bound", boundGroupIds: ["group-1"] });
            const storage = { type: "local", pathPrefix: "/a", maxSpace: 1_000_000 } as const;
            await client.snapshotConfig.create({ name: "hourly", interval: "1h", retain: 2, storage });
            await simulator.control("POST", "/simulator/snapshots/hourly", { error: "the disk is full" });
            assert.deepEqual(await report(client), [
                "role open: bound to neither service principals nor groups, so no machine can log in",
                "snapshots hourly: the disk is full",
            ]);
            assert(
                warnings.splice(0).some((warning) => warning.startsWith("AuthRole open: boundServicePrincipalIds: ")),
            );
        });

        it("creates a role and deletes it after the work, also if that fails", async () => {
            const inside = () => client.getAuthRole({ name: "migration" });
            assert.deepEqual((await withRole(client, "migration", inside)).tokenPolicies, ["migration"]);
            await assert.rejects(inside(), { code: "absent" });
            const failing = withRole(client, "migration", () => Promise.reject(new Error("planted")));
            await assert.rejects(failing, /planted/);
            await assert.rejects(inside(), { code: "absent" });
        });
    });

    describe("given an id and arguments", () => {
        const detached = { volumeId: "mine", node: "node-2" };
        const updates: Readonly<Record<string, () => Promise<unknown>>> = {
            role: async () => {
                const { id } = await client.authRole.create({ name: "mine", boundLocations: ["north"] });
                await simulator.forget();
                return client.authRole.update(id, { name: "theirs" });
            },
            rotation: () => client.rootRotation.update("auth/clouda/rotate-root", { mount: "other" }),
            detachment: () => client.csiVolumeDetachment.update("default/mine/node-1", detached),
        };
        for (const [of, update] of Object.entries(updates)) {
            it(`refuses arguments of another object before any write: ${of}`, async () => {
                await assert.rejects(update(), InputError);
                assert.deepEqual(await simulator.writes(), []);
            });
        }

        for (const origin of ["without outputs", "with the outputs of its creation"]) {
            it(`says of an object that was deleted that it does not exist, before any write: ${origin}`, async () => {
                const { csiVolume } = client;
                const data = { volumeId: "data", pluginId: "disks" };
                const { id, outputs } = await csiVolume.create(data);
                await csiVolume.delete(id);
                await simulator.forget();
                const state = origin === "without outputs" ? {} : outputs;
                await assert.rejects(csiVolume.update(id, data, state), { code: "absent", message: /default\/data/ });
                assert.deepEqual(await simulator.writes(), []);
            });
        }

        it("accepts another spelling of the same object", async () => {
            const { id } = await client.authRole.create({ name: "Dev", boundLocations: ["north"] });
            const spelt = { name: "DEV", mount: "/clouda/", namespace: "", boundLocations: ["south"] };
            assert.deepEqual((await client.authRole.update(id, spelt)).boundLocations, ["south"]);
        });
    });

    describe("an update with the outputs of a former operation", () => {
        it("restores content that cannot be read", async () => {
            const { stateVersionBackingData } = client;
            const retired = await stateVersionBackingData.create({ stateVersionId: "sv-1", state: "softDeleted" });
            const wanted = { stateVersionId: "sv-1", state: "available" } as const;
            await assert.rejects(stateVersionBackingData.update("sv-1", wanted), { code: "absent" });
            const restored = await stateVersionBackingData.update("sv-1", wanted, retired.outputs);
            assert.deepEqual([restored.state, restored.status], ["available", "finalized"]);
        });

        it("requires only the outputs that the service does not return", async () => {
            const { csiVolume, csiVolumeDetachment } = client;
            await csiVolume.create({ volumeId: "data", pluginId: "disks" });
            const detached = { volumeId: "data", node: "node-1", triggers: ["1"] };
            const { id } = await csiVolumeDetachment.create(detached);
            await simulator.forget();
            await csiVolumeDetachment.update(id, detached, { triggers: ["1"] });
            assert.deepEqual(await simulator.writes(), []);
            await csiVolumeDetachment.update(id, { ...detached, triggers: ["2"] }, { triggers: ["1"] });
            assert.equal((await simulator.writes()).length, 1);
        });
    });

    it("restores, when a rollback is deleted, with the outputs of create, update or read", async () => {
        const undo = { workspaceId: "ws-1", stateVersionId: "sv-2", lock: true, onDelete: "restore" } as const;
        const current = async () => (await client.getCurrentStateVersion({ workspaceId: "ws-1" })).serial;
        const { stateVersionRollback } = client;
        for (const outputs of [
            async () => (await stateVersionRollback.create(undo)).outputs,
            async () => {
                await stateVersionRollback.create({ ...undo, stateVersionId: "sv-1" });
                return stateVersionRollback.update("ws-1", undo);
            },
            async () => stateVersionRollback.read("ws-1", (await stateVersionRollback.create(undo)).outputs),
        ]) {
            await simulator.reset();
            const known = await outputs();
            assert.equal(await current(), 2);
            await stateVersionRollback.delete("ws-1", { ...known, onDelete: "restore" });
            assert.notEqual(await current(), 2);
        }
    });

    it("throws a DeniedError in each operation, without advice about programs", async () => {
        await simulator.fault({ path: "/role/", status: 403, times: 0, body: '{"errors":["permission denied"]}' });
        const id = "auth/clouda/role/dev";
        for (const verb of [
            () => client.authRole.create({ name: "dev", boundLocations: ["north"] }),
            () => client.authRole.read(id),
            () => client.authRole.update(id, { name: "dev", boundLocations: ["north"] }),
            () => client.authRole.delete(id),
        ]) {
            const error = await failureOf(verb(), DeniedError);
            assert.deepEqual([error.status, error.reasons], [403, ["permission denied"]]);
            assert.doesNotMatch(error.message, /pulumi/);
        }
    });

    it("returns outputs of a state that are null", async () => {
        const outputs = { address: { value: null, type: "string" }, port: { value: 80, type: "number" } };
        const content = JSON.stringify({ ...stateOf(5), outputs });
        await client.stateVersion.create({ workspaceId: "ws-1", content, lock: true });
        const { included } = await client.getCurrentStateVersion({ workspaceId: "ws-1", include: ["outputs"] });
        const values = included?.map(({ attributes }) => [attributes["name"], attributes["value"]]);
        assert.deepEqual(values, [
            ["address", null],
            ["port", 80],
        ]);
        assert.deepEqual((await client.downloadState({ workspaceId: "ws-1" })).state["outputs"], outputs);
    });
});
