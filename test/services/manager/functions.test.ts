import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type Connection, InputError } from "../../../src/client";
import { invokeFunction } from "../../../src/core/functions";
import { resultOf } from "../../../src/pulumi/program";
import { createRuntime } from "../../../src/runtime/runtime";
import { objectNode } from "../../../src/schema/property";
import { secretStrings } from "../../../src/schema/secrets";
import { getAuthConfig } from "../../../src/services/manager/auth-config";
import { getSnapshotConfig } from "../../../src/services/manager/snapshot-config";
import { canaryToken } from "../../support/canaries";
import { withCode } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

describe("functions of Vault", () => {
    const simulator = withSimulator({ mounts: ["azure", "team/azure"] });
    const bound = { bound_locations: ["north"] };
    const web = { name: "web", boundLocations: ["north"] };
    let client: Connection;
    before(() => {
        client = simulator.connect();
    });

    for (const [lookup, args] of [
        ["getAuthRole", { name: "web" }],
        ["getAuthConfig", {}],
        ["getSnapshotConfig", { name: "hourly" }],
        ["getSnapshotStatus", { name: "hourly" }],
    ] as const) {
        it(`${lookup} fails for an answer without \`data\``, async () => {
            await simulator.fault({ method: "GET", status: 200, body: "{}" });
            await assert.rejects(client[lookup](args as { name: string }), { code: "answer" });
        });
    }

    describe("getAuthRoles", () => {
        it("lists the names of a mount with `list=true`, which Vault takes for the method LIST", async () => {
            for (const name of ["web", "api"]) await simulator.outside("POST", `/v1/auth/azure/role/${name}`, bound);
            await simulator.forget();
            assert.deepEqual(await client.getAuthRoles({}), { mount: "azure", namespace: "", names: ["api", "web"] });
            const [request] = await simulator.requests();
            assert.deepEqual([request?.method, request?.path], ["GET", "/v1/auth/azure/role"]);
        });

        it("returns no names for a mount without roles", async () => {
            assert.deepEqual((await client.getAuthRoles({ mount: "team/azure" })).names, []);
        });

        it("lists the roles of `namespace`", async () => {
            await simulator.outside("POST", "/v1/auth/azure/role/web", bound, { "x-vault-namespace": "a/b" });
            assert.deepEqual(await client.getAuthRoles({ namespace: "a/b" }), {
                mount: "azure",
                namespace: "a/b",
                names: ["web"],
            });
            assert.deepEqual((await client.getAuthRoles({})).names, []);
        });

        it("fails for a mount that does not exist, and for an answer without a list", async () => {
            await assert.rejects(client.getAuthRoles({ mount: "nowhere" }), { code: "service", status: 404 });
            await simulator.fault({ status: 200, body: '{"data":{"keys":"a"}}' });
            await assert.rejects(client.getAuthRoles({}), { code: "answer" });
        });
    });

    describe("getAuthConfig", () => {
        const path = "/v1/auth/azure/config";
        const fields = {
            tenant_id: "t",
            resource: "r",
            client_id: "c",
            client_secret: "planted-secret",
            retry_delay: "9s",
        };

        it("returns every field in the form of the inputs, of the mount in `namespace`", async () => {
            await simulator.outside("POST", path, fields, { "x-vault-namespace": "team" });
            assert.deepEqual(await client.getAuthConfig({ namespace: "/team" }), {
                mount: "azure",
                namespace: "team",
                tenantId: "t",
                resource: "r",
                environment: "AzurePublicCloud",
                clientId: "c",
                maxRetries: 3,
                maxRetryDelay: "60s",
                retryDelay: "9s",
                rootPasswordTtl: 15_768_000,
            });
        });

        it("omits fields that the server does not return", async () => {
            const shownFor = async (data: Record<string, unknown>) => {
                await simulator.fault({ status: 200, body: JSON.stringify({ data }) });
                const { mount, namespace, ...shown } = await client.getAuthConfig({});
                assert.deepEqual([mount, namespace], ["azure", ""]);
                return shown;
            };
            assert.deepEqual(await shownFor({}), {});
            assert.deepEqual(await shownFor({ tenant_id: "t", client_id: "" }), { tenantId: "t", clientId: "" });
            assert.deepEqual(await shownFor({ max_retries: 0, retry_delay: 9_000_000_000 }), {
                maxRetries: 0,
                retryDelay: "9s",
            });
            for (const mask of [null, "***", "[REDACTED]"]) {
                assert.deepEqual(await shownFor({ client_id: "c", client_secret: mask }), { clientId: "c" });
            }
            assert.deepEqual(await shownFor({ environment: null, max_retries: null, max_retry_delay: null }), {});
        });

        it("fails in programs with one paragraph and no stack trace", async () => {
            const settings = JSON.stringify({ address: simulator.url, token: canaryToken });
            const runtime = createRuntime((key) => (key === "statecraft:vault" ? settings : undefined), {
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
    });

    describe("of snapshots", () => {
        const config = { interval: "1h", path_prefix: "/var/snapshots", storage_type: "local", local_max_space: 5000 };
        const put = (name: string, fields: object = config) =>
            simulator.outside("POST", `/v1/sys/storage/raft/snapshot-auto/config/${name}`, fields);

        it("getSnapshotConfig returns a configuration", async () => {
            await put("hourly");
            assert.deepEqual(await client.getSnapshotConfig({ name: "hourly" }), {
                name: "hourly",
                interval: 3600,
                retain: 1,
                filePrefix: "vault-snapshot",
                storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 5000 },
            });
        });

        it("getSnapshotConfig returns credentials as secrets", async () => {
            await put("cloud", {
                ...{ interval: 60, path_prefix: "p", storage_type: "aws-s3", aws_s3_bucket: "b" },
                ...{ aws_s3_region: "r", aws_secret_access_key: "key-1" },
            });
            const { storage } = await client.getSnapshotConfig({ name: "cloud" });
            assert.equal(storage?.type === "aws-s3" && storage.secretAccessKey, "key-1");
            const node = objectNode(getSnapshotConfig.result);
            assert.deepEqual(secretStrings(node, { storage }).filter(Boolean), ["key-1"]);
        });

        it("getSnapshotConfigs lists names, and none if no configuration exists", async () => {
            assert.deepEqual(await client.getSnapshotConfigs({}), { names: [] });
            await put("hourly");
            await put("daily");
            assert.deepEqual(await client.getSnapshotConfigs({}), { names: ["daily", "hourly"] });
        });

        it("getSnapshotStatus returns the six fields of the document, empty before the first snapshot", async () => {
            await put("hourly");
            const nothing = { lastSnapshotStart: "", lastSnapshotEnd: "", lastSnapshotError: "", lastSnapshotUrl: "" };
            assert.deepEqual(await client.getSnapshotStatus({ name: "hourly" }), {
                ...nothing,
                snapshotStart: "",
                snapshotUrl: "",
            });
            await simulator.control("POST", "/simulator/clock", { advance: 3601 });
            const status = await client.getSnapshotStatus({ name: "hourly" });
            assert.match(status.lastSnapshotUrl, /^file:\/\/\/var\/snapshots\/vault-snapshot-\d+\.snap$/);
            assert.match(status.lastSnapshotEnd, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
        });

        const answerWith = (data: object) =>
            simulator.fault({ method: "GET", status: 200, body: JSON.stringify({ data }) });

        it("getSnapshotStatus returns each field of the status, and omits a `consecutiveErrors` that is null", async () => {
            const shown = {
                lastSnapshotStart: "2026-01-01T00:00:01+00:00",
                lastSnapshotEnd: "2026-01-01T00:00:02+00:00",
                lastSnapshotError: "no space left",
                lastSnapshotUrl: "file:///last.snap",
                snapshotStart: "2026-01-01T00:00:03+00:00",
                snapshotUrl: "file:///this.snap",
                nextSnapshotStart: "2026-01-01T00:00:05+00:00",
            };
            const fields = Object.entries(shown).map(([name, value]) => [
                name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
                value,
            ]);
            for (const errors of [4, null]) {
                await answerWith({ ...Object.fromEntries(fields), consecutive_errors: errors });
                const status = await client.getSnapshotStatus({ name: "hourly" });
                assert.deepEqual(status, errors === null ? shown : { ...shown, consecutiveErrors: errors });
            }
        });

        it("getSnapshotConfig omits `storage`, or the parts of it that the server does not return", async () => {
            const common = { interval: 60, retain: 2, path_prefix: "p", file_prefix: "f" };
            const shown = { name: "hourly", interval: 60, retain: 2, filePrefix: "f" };
            await answerWith(common);
            assert.deepEqual(await client.getSnapshotConfig({ name: "hourly" }), shown);
            const place = { storage_type: "google-gcs", google_gcs_bucket: "b", google_service_account_key: null };
            await answerWith({ ...common, ...place });
            assert.deepEqual(await client.getSnapshotConfig({ name: "hourly" }), {
                ...shown,
                storage: { type: "google-gcs", pathPrefix: "p", bucket: "b" },
            });
        });

        it("refuse a malformed name", async () => {
            const { getSnapshotConfig, getSnapshotStatus, snapshotConfig } = client;
            for (const name of ["a/b", "a b", "-a", ""]) {
                await assert.rejects(getSnapshotConfig({ name }), InputError);
                await assert.rejects(getSnapshotStatus({ name }), InputError);
                await assert.rejects(snapshotConfig.read(name), { code: "id" });
            }
        });
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
            const config = simulator.resource("SnapshotConfig");
            await config.up(inputs);
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

        it("fails for a missing right, and keeps the role in state", async () => {
            const role = simulator.resource("AuthRole");
            await role.up(web);
            await grant({ access: "none" });
            await assert.rejects(role.refresh(), { code: "denied" });
            assert.notEqual(role.state, undefined);
        });

        it("names the policy that the request needs", async () => {
            const role = simulator.resource("AuthRole");
            await role.up(web);
            const { mount } = role.outputs();
            const config = {
                name: "hourly",
                interval: "1h",
                storage: { type: "local", pathPrefix: "/a", maxSpace: 1 },
            };
            const rows: readonly [needed: string, request: () => Promise<unknown>][] = [
                [
                    `auth/${mount}/role/web" { capabilities = ["create", "update"] }`,
                    () => role.up({ ...web, tokenTtl: 1 }),
                ],
                [`auth/${mount}/role/web" { capabilities = ["read"] }`, () => role.refresh()],
                [`auth/${mount}/role/web" { capabilities = ["delete"] }`, () => role.destroy()],
                [`auth/${mount}/role" { capabilities = ["list"] }`, () => client.getAuthRoles({})],
                [
                    'sys/storage/raft/snapshot-auto/config/hourly" { capabilities = ["read", "sudo"] }',
                    () => simulator.resource("SnapshotConfig").up(config),
                ],
            ];
            await grant({ access: "none" });
            for (const [needed, request] of rows) {
                await assert.rejects(request, ({ message }: Error) => {
                    assert(message.includes(`path "${needed}`) && withCode("denied").test(message), message);
                    return true;
                });
            }
        });

        it("names each of the server's reasons for an expired token, and the next `up` continues", async () => {
            const role = simulator.resource("AuthRole");
            await role.up(web);
            await simulator.fault({
                method: "POST",
                status: 403,
                body: JSON.stringify({ errors: ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"] }),
            });
            const change = { ...web, tokenTtl: "1h" };
            const reasons = /403: permission denied, invalid token\. /;
            await assert.rejects(role.up(change), { code: "denied", message: reasons });
            await role.up(change);
            assert.equal(await role.up(change), "same");
        });

        it("requires `sudo` for configurations of snapshots, and not for the status", async () => {
            await simulator.outside("POST", "/v1/sys/storage/raft/snapshot-auto/config/hourly", {
                ...{ interval: "1h", path_prefix: "/var", storage_type: "local", local_max_space: 5000 },
            });
            await grant({ sudo: false });
            await assert.rejects(client.getSnapshotConfigs({}), { code: "denied" });
            await client.getSnapshotStatus({ name: "hourly" });
            await grant({ sudo: true });
            assert.deepEqual((await client.getSnapshotConfigs({})).names, ["hourly"]);
        });
    });
});
