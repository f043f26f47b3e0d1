/** What tokens may do at the simulated secrets manager, and what it does without its licence. */
import assert from "node:assert/strict";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { at, call } from "../requests";

const snapshots = "sys/storage/raft/snapshot-auto";
const local = { interval: "1h", path_prefix: "/var", storage_type: "local", local_max_space: 5000 };
const denied = [403, ["1 error occurred:\n\t* permission denied\n\n"]];

describe("simulator: permissions of the secrets manager", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    after(() => simulator.close());

    const send = async (method: string, path: string, token = "t", body?: unknown) => {
        const parts = { headers: { "x-secrets-token": token }, ...(body === undefined ? {} : { body }) };
        const answer = await call(method, `${simulator.url}/v1/${path}`, parts);
        return [answer.status, ...(answer.status < 400 ? [] : [at(answer.json, "errors")])];
    };
    const grant = async (capabilities: unknown, more: object = {}) => {
        const answer = await call("POST", `${simulator.url}/simulator/reset`, {
            body: {
                tokens: [
                    { token: "t", kind: "user", id: "u-1", capabilities },
                    { token: "root", kind: "user", id: "u-2" },
                ],
                ...more,
            },
        });
        assert.equal(answer.status, 204);
    };
    const role = "auth/clouda/role/web";
    const one = (...capabilities: string[]) => grant([{ path: "auth/clouda/role/*", capabilities }]);

    it("tell writing a new object from writing one that exists", async () => {
        await one("create");
        assert.deepEqual(await send("POST", role, "t", {}), [204]);
        assert.deepEqual(await send("POST", role, "t", {}), denied);
        assert.deepEqual(await send("POST", "auth/clouda/role/WEB", "t", {}), denied);
        await one("update");
        assert.deepEqual(await send("POST", role, "t", {}), denied);
        await send("POST", role, "root", {});
        assert.deepEqual(await send("PUT", role, "t", {}), [204]);
    });

    for (const [capability, method, path] of [
        ["read", "GET", role],
        ["delete", "DELETE", role],
        ["list", "LIST", "auth/clouda/role"],
        ["list", "GET", "auth/clouda/role?list=true"],
    ] as const) {
        it(`${method} ${path} needs ${capability}, and nothing else will do`, async () => {
            await one(
                ...["create", "read", "update", "delete", "list", "sudo"].filter((other) => other !== capability),
            );
            await send("POST", role, "root", {});
            assert.deepEqual(await send(method, path), denied);
            await one(capability);
            await send("POST", role, "root", {});
            assert.equal((await send(method, path))[0], method === "DELETE" ? 204 : 200);
        });
    }

    it("allow to write what may not be read", async () => {
        await one("create", "update");
        assert.deepEqual(await send("POST", role, "t", {}), [204]);
        assert.deepEqual(await send("GET", role), denied);
    });

    it("take the most exact path, and `deny` over everything", async () => {
        await grant([
            { path: "auth/*", capabilities: ["read", "create"] },
            { path: "auth/clouda/role/web", capabilities: ["create"] },
            { path: "auth/+/config", capabilities: ["deny", "read"] },
        ]);
        assert.deepEqual(await send("POST", role, "t", {}), [204]);
        assert.deepEqual(await send("GET", role), denied);
        assert.deepEqual(await send("GET", "auth/clouda/role/other"), [404, []]);
        assert.deepEqual(await send("GET", "auth/clouda/config"), denied);
        assert.deepEqual(await send("GET", `${snapshots}/status/x`), denied);
    });

    it("are judged before the path is: who has no right learns nothing of it", async () => {
        await one("read");
        assert.deepEqual(await send("GET", "auth/nowhere/role/web"), denied);
    });

    it("are judged of paths with a broken escape too", async () => {
        await grant([{ path: "auth/clouda/role/*", capabilities: ["read"] }]);
        assert.deepEqual(await send("GET", "auth/clouda/role/%zz"), [
            404,
            ["1 error occurred:\n\t* unsupported path\n\n"],
        ]);
    });

    it("of the configuration and its rotation are told apart as well", async () => {
        const config = { tenant_id: "t", resource: "r" };
        await grant([{ path: "auth/clouda/config", capabilities: ["create", "read"] }]);
        assert.deepEqual(await send("POST", "auth/clouda/config", "t", config), [204]);
        assert.deepEqual(await send("POST", "auth/clouda/config", "t", config), denied);
        assert.deepEqual(await send("POST", "auth/clouda/rotate-root", "t"), denied);
        await grant([{ path: "auth/clouda/rotate-root", capabilities: ["update"] }], {
            loginConfigs: [{ fields: config }],
        });
        assert.deepEqual(await send("POST", "auth/clouda/rotate-root", "t"), [204]);
    });

    it("of snapshot configurations need sudo beside, their status does not", async () => {
        const all = ["create", "read", "update", "delete", "list"];
        const seed = { snapshotConfigs: [{ name: "hourly", fields: local }] };
        await grant([{ path: `${snapshots}/*`, capabilities: all }], seed);
        const config = `${snapshots}/config/hourly`;
        assert.deepEqual(await send("GET", config), denied);
        assert.deepEqual(await send("POST", config, "t", local), denied);
        assert.deepEqual(await send("DELETE", config), denied);
        assert.deepEqual(await send("LIST", `${snapshots}/config`), denied);
        assert.deepEqual(await send("GET", `${snapshots}/status/hourly`), [200]);
        await grant([{ path: `${snapshots}/*`, capabilities: [...all, "sudo"] }], seed);
        assert.deepEqual(await send("GET", config), [200]);
        assert.deepEqual(await send("LIST", `${snapshots}/config`), [200]);
        assert.deepEqual(await send("POST", config, "t", local), [204]);
    });

    describe("without the licence", () => {
        const unlicensed = [404, ["enterprise-only feature"]];

        it("every call for snapshots is refused, and everything else works", async () => {
            await grant(undefined, { licensed: false, snapshotConfigs: [{ name: "hourly", fields: local }] });
            for (const [method, path] of [
                ["GET", "config/hourly"],
                ["POST", "config/hourly"],
                ["DELETE", "config/hourly"],
                ["LIST", "config"],
                ["GET", "config?list=true"],
                ["GET", "status/hourly"],
            ] as const) {
                assert.deepEqual(await send(method, `${snapshots}/${path}`), unlicensed, `${method} ${path}`);
            }
            assert.deepEqual(await send("POST", role, "t", {}), [204]);
        });

        it("sudo is asked for first, and a bad name is found out first", async () => {
            await grant([{ path: `${snapshots}/*`, capabilities: ["read"] }], { licensed: false });
            assert.deepEqual(await send("GET", `${snapshots}/config/hourly`), denied);
            assert.deepEqual(await send("GET", `${snapshots}/status/hourly`), unlicensed);
            assert.deepEqual(await send("GET", `${snapshots}/status/-x`), [
                404,
                ["1 error occurred:\n\t* unsupported path\n\n"],
            ]);
            assert.equal((await send("PATCH", `${snapshots}/config/hourly`, "root"))[0], 405);
        });

        it("no snapshot is taken", async () => {
            await grant(undefined, { licensed: false, snapshotConfigs: [{ name: "hourly", fields: local }] });
            await call("POST", `${simulator.url}/simulator/clock`, { body: { advance: 7200 } });
            const state = await call("GET", `${simulator.url}/simulator/state`);
            assert.deepEqual(
                at(
                    state.json,
                    "manager",
                    "snapshotConfigs",
                    "sys/storage/raft/snapshot-auto/config/hourly",
                    "snapshots",
                ),
                [],
            );
        });
    });
});
