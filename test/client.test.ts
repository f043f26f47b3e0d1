import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { report, withRole } from "../examples/scripts/morning-report";
import {
    ConfigError,
    type Connection,
    connect,
    DeniedError,
    InputError,
    NotFoundError,
    ServiceError,
} from "../src/client";
import { demonstration } from "../src/simulator/demonstration";
import { canaryToken } from "./support/canaries";
import { failureOf } from "./support/failures";
import { withSimulator } from "./support/simulator";

describe("the client for scripts", () => {
    const simulator = withSimulator({ ...demonstration, mounts: ["clouda", "other"] }, { vocabulary: "documented" });
    const other = withSimulator(demonstration, { vocabulary: "documented" });
    let client: Connection;
    const warnings: string[] = [];
    before(async () => {
        const token = canaryToken;
        client = connect({
            manager: { address: simulator.url, token },
            volumes: { address: simulator.url, token },
            stateVersions: { address: `${simulator.url}/api/v2`, token },
            environment: {},
            warn: (message) => warnings.push(message),
        });
    });

    it("makes, reads, updates and deletes an object", async () => {
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

    it("goes through the connection that is named, whatever it does", async () => {
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

    it("names a setting of a connection where it stands", async () => {
        const manager = { address: other.url, token: canaryToken, caFile: "/nowhere/ca.pem" };
        const { getAuthRole } = connect({ environment: {}, connections: { other: { manager } } });
        await assert.rejects(getAuthRole({ name: "web", connection: "other" }), {
            code: "config",
            setting: "statecraft:connections.other.manager.caFile",
        });
    });

    it("tells whole what is wrong with the settings, whatever it is asked for", async () => {
        const { getAuthRole, authRole } = connect({ environment: {} });
        const connection = "dr";
        for (const asked of [getAuthRole({ name: "web", connection }), authRole.create({ name: "web", connection })]) {
            const { message } = await failureOf(asked, ConfigError);
            assert.match(message, /^(getAuthRole|AuthRole web): .*`connections\.dr\.vault\.address`/);
            assert.doesNotMatch(message, /pulumi config/);
        }
        const { message, hint } = await failureOf(getAuthRole({ name: "web" }), ConfigError);
        for (const told of [message, hint]) assert.match(told ?? "", /`vault\.address`.* STATECRAFT_VAULT_ADDRESS\b/);
    });

    it("looks up what needs no arguments without any", async () => {
        assert.deepEqual((await client.getAuthRoles()).names, []);
        assert.deepEqual((await client.getCsiVolumes()).volumes, []);
    });

    it("looks for a lock that it left when it deletes a rollback, by the id alone", async () => {
        warnings.splice(0);
        await client.stateVersionRollback.delete("ws-1", { lock: true });
        assert.deepEqual(warnings, []);
        assert.deepEqual(
            (await simulator.requests()).map(({ path }) => path),
            ["/api/v2/workspaces/ws-1"],
        );
    });

    it("takes no lock over that another script of the same account holds, and releases its own", async () => {
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

    describe("on its page", () => {
        it("is shown by a program to the letter", () => {
            const [page, program] = ["docs/client.md", "examples/scripts/morning-report.ts"].map((file) =>
                readFileSync(join(__dirname, "..", file), "utf8"),
            );
            assert(page?.includes(`\n\`\`\`ts\n${program}\`\`\`\n`));
        });

        it("reports what to look at", async () => {
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

        it("makes a role for the time of one piece of work", async () => {
            const inside = () => client.getAuthRole({ name: "migration" });
            assert.deepEqual((await withRole(client, "migration", inside)).tokenPolicies, ["migration"]);
            await assert.rejects(inside(), { code: "absent" });
            const failing = withRole(client, "migration", () => Promise.reject(new Error("planted")));
            await assert.rejects(failing, /planted/);
            await assert.rejects(inside(), { code: "absent" });
        });
    });

    describe("of another object", () => {
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
            it(`refuses the arguments before any write: ${of}`, async () => {
                await assert.rejects(update(), InputError);
                assert.deepEqual(await simulator.writes(), []);
            });
        }

        it("takes another spelling of the same one", async () => {
            const { id } = await client.authRole.create({ name: "Dev", boundLocations: ["north"] });
            const spelt = { name: "DEV", mount: "/clouda/", namespace: "", boundLocations: ["south"] };
            assert.deepEqual((await client.authRole.update(id, spelt)).boundLocations, ["south"]);
        });

        it("takes what the arguments leave out for where the object is", async () => {
            const made = await client.authRole.create({ name: "dev", mount: "other", boundLocations: ["north"] });
            const updated = await client.authRole.update(made.id, { name: "dev", boundLocations: ["south"] });
            assert.deepEqual([updated.mount, updated.boundLocations], ["other", ["south"]]);
        });
    });

    describe("what only another object can have", () => {
        const writes = async () => (await simulator.writes()).map(({ method, path }) => `${method} ${path}`);

        it("is refused for a version of a state, whose content nothing changes", async () => {
            const content = (serial: number) => JSON.stringify({ version: 4, serial, lineage: "x", resources: [] });
            const { text: now } = await client.downloadState({ stateVersionId: "sv-4" });
            const known = { workspaceId: "ws-1", lock: true, content: now };
            const { id } = await client.stateVersion.create(known);
            await simulator.forget();
            await assert.rejects(client.stateVersion.update(id, { ...known, content: content(9) }), InputError);
            assert.deepEqual(await writes(), []);
            assert.equal((await client.stateVersion.update(id, known)).serial, 4);
        });

        it("is refused for a volume", async () => {
            const volume = { volumeId: "data", pluginId: "disks", externalId: "vol-1" };
            const { id } = await client.csiVolume.create(volume);
            await simulator.forget();
            await assert.rejects(client.csiVolume.update(id, { ...volume, externalId: "vol-2" }), InputError);
            assert.deepEqual(await writes(), []);
            await client.csiVolume.update(id, { ...volume, force: true });
        });
    });

    describe("an update that is given the outputs of a former operation", () => {
        it("restores a content that nobody can read", async () => {
            const { stateVersionBackingData } = client;
            const retired = await stateVersionBackingData.create({ stateVersionId: "sv-1", state: "softDeleted" });
            const wanted = { stateVersionId: "sv-1", state: "available" } as const;
            await assert.rejects(stateVersionBackingData.update("sv-1", wanted), { code: "absent" });
            const restored = await stateVersionBackingData.update("sv-1", wanted, retired.outputs);
            assert.deepEqual([restored.state, restored.status], ["available", "finalized"]);
        });

        it("rotates for other triggers only", async () => {
            const clientSecret = "planted-client-secret";
            await client.authConfig.create({ tenantId: "t", resource: "r", clientId: "c", clientSecret });
            const { id, outputs } = await client.rootRotation.create({ triggers: ["1"] });
            const same = await client.rootRotation.update(id, { triggers: ["1"] }, outputs);
            await simulator.forget();
            await client.rootRotation.update(id, { triggers: ["1"] }, same);
            assert.deepEqual(await simulator.writes(), []);
            await client.rootRotation.update(id, { triggers: ["2"] }, same);
            assert.equal((await simulator.writes()).length, 1);
        });

        it("needs no more of them than what the service does not tell", async () => {
            const { csiVolume, csiVolumeDetachment, stateVersionBackingData } = client;
            await csiVolume.create({ volumeId: "data", pluginId: "disks" });
            const detached = { volumeId: "data", node: "node-1", triggers: ["1"] };
            const { id } = await csiVolumeDetachment.create(detached);
            await simulator.forget();
            await csiVolumeDetachment.update(id, detached, { triggers: ["1"] });
            assert.deepEqual(await simulator.writes(), []);
            await csiVolumeDetachment.update(id, { ...detached, triggers: ["2"] }, { triggers: ["1"] });
            assert.equal((await simulator.writes()).length, 1);
            await stateVersionBackingData.create({ stateVersionId: "sv-1", state: "softDeleted" });
            const wanted = { stateVersionId: "sv-1", state: "available" } as const;
            const restored = await stateVersionBackingData.update("sv-1", wanted, { state: "softDeleted" });
            assert.equal(restored.status, "finalized");
        });
    });

    describe("a rollback that is deleted", () => {
        const undo = { workspaceId: "ws-1", stateVersionId: "sv-2", lock: true, onDelete: "restore" } as const;
        const current = async () => (await client.getCurrentStateVersion({ workspaceId: "ws-1" })).serial;

        it("restores by the outputs of create, of update, and of a read that was given them", async () => {
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
    });

    it("throws what is denied as such, with the status and without advice about programs, whatever it did", async () => {
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

    it("throws what a server repeats without what was secret of it", async () => {
        const clientSecret = "planted-client-secret";
        const repeated = { method: "POST", path: "/config$", status: 400, times: 0 };
        await simulator.fault({ ...repeated, body: JSON.stringify({ errors: [`bad secret ${clientSecret}`] }) });
        const creation = client.authConfig.create({ tenantId: "t", resource: "r", clientSecret });
        const error = await failureOf(creation, ServiceError);
        assert.deepEqual(error.reasons, ["bad secret [secret]"]);
        assert(!error.message.includes(clientSecret));
    });

    it("throws the family of errors, each with its whole paragraph", async () => {
        await assert.rejects(client.getAuthRole({ name: "nobody" }), {
            code: "absent",
            message: /^getAuthRole: .*\bnobody\b.* \[absent\]$/,
        });
        await assert.rejects(client.authRole.create({ name: "a/b" }), InputError);
        await client.authRole.create({ name: "web", boundLocations: ["north"] });
        await assert.rejects(client.authRole.create({ name: "web", boundLocations: ["north"] }), {
            code: "exists",
        });
        await assert.rejects(client.getAuthRole({ name: "" }), InputError);
        const nowhere = client.stateVersionRollback.create({ workspaceId: "ws-9", stateVersionId: "sv-1" });
        assert.equal((await failureOf(nowhere, NotFoundError)).status, 404);
    });

    it("hands on outputs of a state that are null", async () => {
        const outputs = { address: { value: null, type: "string" }, port: { value: 80, type: "number" } };
        const lineage = "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10";
        const content = JSON.stringify({ version: 4, serial: 5, lineage, outputs, resources: [] });
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
