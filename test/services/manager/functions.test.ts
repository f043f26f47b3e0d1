import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { Connection } from "../../../src/client";
import { invokeFunction } from "../../../src/core/functions";
import { resultOf } from "../../../src/pulumi/program";
import { ProcessRuntime } from "../../../src/runtime/runtime";
import { getAuthConfig } from "../../../src/services/manager/auth-config";
import { canaryToken } from "../../support/canaries";
import { describeFunction } from "../../support/functions";
import { withSimulator } from "../../support/simulator";

describe("functions of Vault", () => {
    const simulator = withSimulator({ mounts: ["azure", "team/azure"] });
    const bound = { bound_locations: ["north"] };
    const local = { interval: "1h", path_prefix: "/var/snapshots", storage_type: "local", local_max_space: 5000 };
    let client: Connection;
    before(() => {
        client = simulator.connect();
    });

    const put = async (...names: string[]) => {
        for (const name of names)
            await simulator.outside("POST", `/v1/sys/storage/raft/snapshot-auto/config/${name}`, local);
    };
    const inNamespace = (namespace: string) => ({ "x-vault-namespace": namespace });

    describeFunction("getAuthRoles", simulator, {
        path: "/v1/auth/azure/role",
        given: async () => {
            for (const name of ["web", "api"]) await simulator.outside("POST", `/v1/auth/azure/role/${name}`, bound);
            await simulator.outside("POST", "/v1/auth/azure/role/team", bound, inNamespace("a/b"));
        },
        returns: [
            // Vault takes `list=true` for the method LIST.
            [{}, { mount: "azure", namespace: "", names: ["api", "web"] }, { list: "true" }],
            [{ mount: "team/azure" }, { mount: "team/azure", namespace: "", names: [] }],
            [{ namespace: "a/b" }, { mount: "azure", namespace: "a/b", names: ["team"] }],
        ],
        fails: [[{ mount: "nowhere" }, { code: "service", status: 404 }]],
    });

    const onMount = { mount: "azure", namespace: "" };
    const fields = { tenant_id: "t", resource: "r", client_id: "c", client_secret: "planted", retry_delay: "9s" };
    const configured = { tenantId: "t", resource: "r", environment: "AzurePublicCloud", clientId: "c", maxRetries: 3 };
    describeFunction("getAuthConfig", simulator, {
        path: "/v1/auth/azure/config",
        given: () => simulator.outside("POST", "/v1/auth/azure/config", fields, inNamespace("team")),
        returns: [
            [
                { namespace: "/team" },
                {
                    ...{ mount: "azure", namespace: "team", ...configured, retryDelay: "9s", maxRetryDelay: "60s" },
                    rootPasswordTtl: 15_768_000,
                },
            ],
        ],
        reads: [
            [{ data: { max_retries: 0, retry_delay: 9e9 } }, { ...onMount, maxRetries: 0, retryDelay: "9s" }],
            [{ data: { client_id: "", environment: null, max_retries: null } }, { ...onMount, clientId: "" }],
            [{ data: { client_secret: "[REDACTED]" } }, onMount],
        ],
        secrets: ["clientSecret"],
    });

    it("getAuthConfig fails in programs with one paragraph and no stack trace", async () => {
        const settings = JSON.stringify({ address: simulator.url, token: canaryToken });
        const runtime = new ProcessRuntime((key) => (key === "statecraft:vault" ? settings : undefined), {
            environment: {},
            say: () => undefined,
        });
        const result = resultOf(invokeFunction(getAuthConfig, runtime), {});
        await assert.rejects(result, (error: Error) => {
            assert(pulumi.RunError.isInstance(error));
            assert.match(error.message, /^getAuthConfig: .*auth\/azure.* \[absent\]$/);
            // For a rejected promise without a handler, the SDK prints the `stack`.
            assert.equal(error.stack, error.message);
            return true;
        });
    });

    const args = { name: "hourly" };
    const common = { interval: 60, retain: 2, path_prefix: "p", file_prefix: "f" };
    const inCommon = { name: "hourly", interval: 60, retain: 2, filePrefix: "f" };
    const bucket = { storage_type: "google-gcs", google_gcs_bucket: "b", google_service_account_key: null };

    describeFunction("getSnapshotConfig", simulator, {
        args,
        path: "/v1/sys/storage/raft/snapshot-auto/config/hourly",
        given: () => put("hourly"),
        returns: [
            [
                {},
                {
                    ...{ name: "hourly", interval: 3600, retain: 1, filePrefix: "vault-snapshot" },
                    storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 5000 },
                },
            ],
        ],
        reads: [
            [{ data: common }, inCommon],
            [
                { data: { ...common, ...bucket } },
                { ...inCommon, storage: { type: "google-gcs", pathPrefix: "p", bucket: "b" } },
            ],
        ],
    });

    it("getSnapshotConfigs lists names, and none if no configuration exists", async () => {
        assert.deepEqual(await client.getSnapshotConfigs({}), { names: [] });
        await put("hourly", "daily");
        assert.deepEqual(await client.getSnapshotConfigs({}), { names: ["daily", "hourly"] });
    });

    const status = {
        lastSnapshotStart: "2026-01-01T00:00:01+00:00",
        lastSnapshotEnd: "2026-01-01T00:00:02+00:00",
        lastSnapshotError: "no space left",
        lastSnapshotUrl: "file:///last.snap",
        snapshotStart: "2026-01-01T00:00:03+00:00",
        snapshotUrl: "file:///this.snap",
    };
    const known = { ...status, nextSnapshotStart: "2026-01-01T00:00:05+00:00" };
    const snakeCase = (name: string) => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
    const data = Object.fromEntries(Object.entries(known).map(([name, value]) => [snakeCase(name), value]));
    describeFunction("getSnapshotStatus", simulator, {
        args,
        path: "/v1/sys/storage/raft/snapshot-auto/status/hourly",
        given: () => put("hourly"),
        // The six fields of the document are empty before the first snapshot.
        returns: [[{}, Object.fromEntries(Object.keys(status).map((name) => [name, ""]))]],
        reads: [
            [{ data: { ...data, consecutive_errors: 4 } }, { ...known, consecutiveErrors: 4 }],
            [{ data: { ...data, consecutive_errors: null } }, known],
        ],
    });

    it("getSnapshotStatus returns the last snapshot", async () => {
        await put("hourly");
        await simulator.control("POST", "/simulator/clock", { advance: 3601 });
        const { lastSnapshotUrl, lastSnapshotEnd } = await client.getSnapshotStatus(args);
        assert.match(lastSnapshotUrl, /^file:\/\/\/var\/snapshots\/vault-snapshot-\d+\.snap$/);
        assert.match(lastSnapshotEnd, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    });

    describe("on a server without the licence", () => {
        const inputs = {
            name: "hourly",
            interval: "1h",
            storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 5000 },
        } as const;
        const refusal = { code: "service", status: 404 };

        it("fails for every look-up of snapshots, and names the licence", async () => {
            await simulator.control("POST", "/simulator/seed", { licensed: false });
            await assert.rejects(client.getSnapshotConfigs({}), { ...refusal, message: /Vault Enterprise/ });
            await assert.rejects(client.getSnapshotConfig({ name: "hourly" }), refusal);
            await assert.rejects(client.getSnapshotStatus({ name: "hourly" }), refusal);
        });

        it("creates and deletes no resource, and keeps it in state", async () => {
            const config = await simulator.resource("SnapshotConfig").deployed(inputs);
            await simulator.control("POST", "/simulator/seed", { licensed: false });
            await assert.rejects(config.refresh(), refusal);
            await assert.rejects(config.destroy(), refusal);
            assert.notEqual(config.state, undefined);
            await assert.rejects(simulator.resource("SnapshotConfig").up({ ...inputs, name: "other" }), refusal);
            await simulator.control("POST", "/simulator/seed", { licensed: true });
            assert.deepEqual(await config.refresh(), []);
        });
    });

    describe("with a token that lacks a right", () => {
        const grant = (rights: object) =>
            simulator.control("POST", "/simulator/seed", {
                tokens: [{ token: canaryToken, kind: "user", id: "u-1", ...rights }],
            });

        it("names each of the server's reasons for an expired token", async () => {
            const errors = ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"];
            await simulator.fault({ status: 403, body: JSON.stringify({ errors }) });
            await assert.rejects(client.getAuthRoles(), { reasons: ["permission denied, invalid token"] });
        });

        it("requires `sudo` for configurations of snapshots, and not for the status", async () => {
            await put("hourly");
            await grant({ sudo: false });
            await assert.rejects(client.getSnapshotConfigs({}), { code: "denied" });
            await client.getSnapshotStatus({ name: "hourly" });
            await grant({ sudo: true });
            assert.deepEqual((await client.getSnapshotConfigs({})).names, ["hourly"]);
        });
    });
});
