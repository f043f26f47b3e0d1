import assert from "node:assert/strict";
import { type Connection, connect } from "../../../src/client";
import * as errors from "../../../src/errors";
import type { Seed } from "../../../src/simulator/seed";
import { canaryToken } from "../../support/canaries";
import { withSimulator } from "../../support/simulator";

const fields = { tenant_id: "tenant-1", resource: "https://secrets.example/" };
const seed: Seed = { mounts: ["clouda", "team/clouda"], loginConfigs: [{ mount: "clouda", fields }] };

const refusal = (status: number) => ({
    status,
    body: '{"errors":["planted"]}',
    headers: { "retry-after": "7" },
    times: 0,
});

const classes = [
    [400, errors.ServiceError],
    [401, errors.DeniedError],
    [403, errors.DeniedError],
    [409, errors.ConflictError],
    [412, errors.ConflictError],
    [429, errors.LimitedError],
    [500, errors.ServiceError],
    [503, errors.ServiceError],
] as const;

describe("failures of the secrets manager's login method, as scripts meet them", () => {
    const simulator = withSimulator(seed);
    let client: Connection;
    before(() => {
        client = connect({
            manager: { address: simulator.url, token: canaryToken, maxRetries: 0 },
            environment: {},
            warn: () => undefined,
        });
    });
    beforeEach(async () => {
        await simulator.outside("POST", "/v1/auth/clouda/role/web", { token_ttl: 60 });
    });

    const config = { tenantId: "tenant-1", resource: "https://secrets.example/" };
    const proof = { role: "web", jwt: "proof-of-identity", subscriptionId: "s", resourceGroupName: "g" };
    const operations: [name: string, method: string, act: () => Promise<unknown>][] = [
        ["a new role", "POST", () => client.authRole.create({ name: "api" })],
        ["a role that is taken over", "POST", () => client.authRole.create({ name: "web", tokenTtl: 1, adopt: true })],
        ["a look for a role", "GET", () => client.authRole.create({ name: "api" })],
        ["a changed role", "POST", () => client.authRole.update("auth/clouda/role/web", { name: "web" })],
        ["a role that is read", "GET", () => client.authRole.read("auth/clouda/role/web")],
        ["a role that is deleted", "DELETE", () => client.authRole.delete("auth/clouda/role/web")],
        ["a new configuration", "POST", () => client.authConfig.create({ ...config, mount: "team/clouda" })],
        [
            "a changed configuration",
            "POST",
            () => client.authConfig.update("auth/clouda/config", { ...config, clientId: "c" }),
        ],
        ["a configuration that is deleted", "DELETE", () => client.authConfig.delete("auth/clouda/config")],
        ["a rotation", "POST", () => client.rootRotation.create({})],
        [
            "another rotation",
            "POST",
            () => client.rootRotation.update("auth/clouda/rotate-root", { triggers: ["again", { at: 1 }] }),
        ],
        ["a lookup of a role", "GET", () => client.getAuthRole({ name: "web" })],
        ["a list of roles", "LIST", () => client.getAuthRoles({})],
        ["a lookup of the configuration", "GET", () => client.getAuthConfig({})],
        ["a login", "POST", () => client.login(proof)],
    ];
    for (const [name, method, act] of operations) {
        it(`${name} keeps the class and the status of every refusal`, async () => {
            for (const [status, family] of classes) {
                await simulator.heal();
                await simulator.fault({ method, ...refusal(status) });
                await assert.rejects(act(), (error) => {
                    assert(error instanceof family, `${status}: ${error}`);
                    assert.equal(error.status, status);
                    if (error instanceof errors.LimitedError) assert.equal(error.retryAfter, 7);
                    return true;
                });
            }
        });

        it(`${name} that is not answered is an UnreachableError`, async () => {
            await simulator.fault({ method, drop: "before", times: 0 });
            await assert.rejects(act(), (error) => error instanceof errors.UnreachableError && error.sent);
        });
    }

    it("a rotation without a configuration keeps what the service said, with a hint", async () => {
        await assert.rejects(client.rootRotation.create({ mount: "team/clouda" }), (error) => {
            assert(error instanceof errors.ServiceError);
            assert.deepEqual([error.status, error.reasons], [500, ["config is nil"]]);
            assert.notEqual(error.hint, undefined);
            return true;
        });
    });

    it("what is not there has a class and a code of its own in every lookup", async () => {
        for (const lookup of [
            () => client.getAuthRole({ name: "none" }),
            () => client.getAuthConfig({ mount: "team/clouda" }),
        ]) {
            await assert.rejects(lookup(), (error) => {
                assert(error instanceof errors.NotFoundError, String(error));
                assert.deepEqual([error.code, error.status], ["absent", 404]);
                return true;
            });
        }
    });

    it("a path that is not served is no missing object", async () => {
        for (const act of [
            () => client.getAuthRole({ name: "web", mount: "nowhere" }),
            () => client.getAuthConfig({ mount: "nowhere" }),
            () => client.authRole.delete("auth/nowhere/role/web"),
            () => client.rootRotation.create({ mount: "nowhere" }),
        ]) {
            await assert.rejects(act(), (error) => {
                assert(error instanceof errors.ServiceError && !(error instanceof errors.NotFoundError), String(error));
                assert.equal(error.status, 404);
                return true;
            });
        }
    });
});
