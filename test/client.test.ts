import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { report, withRole } from "../examples/scripts/morning-report";
import { type Connection, connect, DeniedError, InputError, NotFoundError, StatecraftError } from "../src/client";
import { demonstration } from "../src/simulator/demonstration";
import { plantedToken, World } from "./support/world";

describe("the client for scripts", () => {
    let world: World;
    let other: World;
    let client: Connection;
    const warnings: string[] = [];
    before(async () => {
        world = await World.start(demonstration);
        other = await World.start(demonstration);
        const token = plantedToken;
        client = connect({
            manager: { address: world.url, token },
            volumes: { address: world.url, token },
            stateVersions: { address: `${world.url}/api/v2`, token },
            environment: {},
            warn: (message) => warnings.push(message),
        });
    });
    beforeEach(() => world.reset());
    after(() => Promise.all([world.close(), other.close()]));

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
        const manager = { address: other.url, token: plantedToken };
        for (const settings of [{}, { manager: { address: world.url, token: plantedToken } }]) {
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
            await world.reset();
        }
    });

    it("looks for a lock that it left when it deletes a rollback, by the id alone", async () => {
        warnings.splice(0);
        await client.stateVersionRollback.delete("ws-1", { lock: true });
        assert.deepEqual(warnings, []);
        assert.deepEqual(
            (await world.requests()).map(({ path }) => path),
            ["/api/v2/workspaces/ws-1"],
        );
    });

    it("takes no lock over that another script of the same account holds, and releases its own", async () => {
        const workspaceId = "ws-1";
        const lock = async () => JSON.stringify(await world.outside("GET", "/api/v2/workspaces/ws-1"));
        const rollBack = (stateVersionId: string) =>
            client.stateVersionRollback.create({ workspaceId, stateVersionId, lock: true, keepLocked: true });
        const first = await rollBack("sv-2");
        await assert.rejects(rollBack("sv-1"), /is locked by user .*rolling back to sv-2 \[statecraft script /);
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
            await client.authRole.create({ name: "bound", boundLocations: ["north"] });
            const storage = { type: "local", pathPrefix: "/a", maxSpace: 1_000_000 } as const;
            await client.snapshotConfig.create({ name: "hourly", interval: "1h", retain: 2, storage });
            await world.control("POST", "/simulator/snapshots/hourly", { error: "the disk is full" });
            assert.deepEqual(await report(client), [
                "role open: every machine of the tenant can log in",
                "snapshots hourly: the disk is full",
            ]);
            assert.match(warnings.splice(0).join(), /AuthRole open: boundServicePrincipalIds: without any/);
        });

        it("makes a role for the time of one piece of work", async () => {
            const inside = () => client.getAuthRole({ name: "migration" });
            assert.deepEqual((await withRole(client, "migration", inside)).tokenPolicies, ["migration"]);
            await assert.rejects(inside(), /does not exist/);
            const failing = withRole(client, "migration", () => Promise.reject(new Error("planted")));
            await assert.rejects(failing, /planted/);
            await assert.rejects(inside(), /does not exist/);
        });
    });

    it("throws what is denied as such, with the status and without advice about programs, whatever it did", async () => {
        await world.fault({ path: "/role/", status: 403, times: 0, body: '{"errors":["permission denied"]}' });
        const id = "auth/clouda/role/dev";
        for (const verb of [
            () => client.authRole.create({ name: "dev", boundLocations: ["north"] }),
            () => client.authRole.read(id),
            () => client.authRole.update(id, { name: "dev", boundLocations: ["north"] }),
            () => client.authRole.delete(id),
        ]) {
            await assert.rejects(verb(), (error: Error) => {
                assert(error instanceof DeniedError);
                assert.match(error.message, /permission denied/);
                assert.doesNotMatch(error.message, /pulumi/);
                return error.status === 403;
            });
        }
    });

    it("throws the family of errors, each with its whole paragraph", async () => {
        await assert.rejects(client.getAuthRole({ name: "nobody" }), (error: StatecraftError) => {
            assert(error instanceof StatecraftError);
            assert.match(error.message, /^getAuthRole: the role nobody of auth\/clouda does not exist/);
            return error.code === "absent";
        });
        await assert.rejects(client.authRole.create({ name: "a/b" }), InputError);
        await assert.rejects(client.getAuthRole({ name: "" }), InputError);
        await assert.rejects(
            client.stateVersionRollback.create({ workspaceId: "ws-9", stateVersionId: "sv-1" }),
            (error: StatecraftError) => {
                assert.match(error.message, /organization tokens cannot/);
                return error instanceof NotFoundError && error.status === 404;
            },
        );
    });
});
