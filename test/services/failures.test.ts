/** The failures of services as scripts meet them: class, status and code of each. */

import assert from "node:assert/strict";
import { type Connection, connect } from "../../src/client";
import * as errors from "../../src/errors";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import type { Fault } from "../support/injector";
import { withSimulator } from "../support/simulator";

const raw = (serial: number) => JSON.stringify({ version: 4, serial, lineage: "11aa", outputs: {}, resources: [] });
const seed: Seed = {
    mounts: ["azure", "team/azure"],
    loginConfigs: [{ mount: "azure", fields: { tenant_id: "tenant-1", resource: "https://secrets.example/" } }],
    roles: [{ name: "web", fields: { bound_locations: ["north"] } }],
    workspaces: [
        {
            id: "ws-1",
            name: "app",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: JSON.parse(raw(1)) },
                { id: "sv-2", state: { ...JSON.parse(raw(2)), outputs: { other: { value: 1 } } } },
            ],
        },
    ],
};

type Operation = [name: string, fault: Fault, act: () => Promise<unknown>];

const classes = [
    [400, errors.ServiceError],
    [401, errors.DeniedError],
    [403, errors.DeniedError],
    [409, errors.ConflictError],
    [412, errors.ConflictError],
    [422, errors.ServiceError],
    [429, errors.LimitedError],
    [500, errors.ServiceError],
    [503, errors.ServiceError],
] as const;

describe("failures, as scripts meet them", () => {
    const simulator = withSimulator(seed);
    let client: Connection;
    before(() => {
        const settings = { token: canaryToken, maxRetries: 0 };
        client = connect({
            vault: { address: simulator.url, ...settings },
            terraform: { address: `${simulator.url}/api/v2`, ...settings },
            environment: {},
            warn: () => undefined,
        });
    });

    const proof = { role: "web", jwt: "proof-of-identity", subscriptionId: "s", resourceGroupName: "g" };
    const managerOperations: Operation[] = [
        ["a new role", { method: "POST" }, () => client.authRole.create({ name: "api" })],
        ["a role that is read", { method: "GET" }, () => client.authRole.read("auth/azure/role/web")],
        ["a rotation", { method: "POST" }, () => client.rootRotation.create({})],
        ["a list of roles", { method: "LIST" }, () => client.getAuthRoles({})],
        ["a login", { method: "POST" }, () => client.login(proof)],
    ];
    const content = raw(3);
    const made = { workspaceId: "ws-1", content, lock: true };
    const place = { organization: "example", workspaceName: "app" };
    const versionOperations: Operation[] = [
        ["a new version", { method: "POST", path: "ws-1/state-versions" }, () => client.stateVersion.create(made)],
        ...(
            [
                ["a rollback", { method: "PATCH", path: "ws-1/state-versions" }],
                ["a rollback's lock", { method: "POST", path: "/actions/lock$" }],
            ] as const
        ).map(
            ([name, fault]): Operation => [
                name,
                fault,
                () => client.stateVersionRollback.create({ workspaceId: "ws-1", stateVersionId: "sv-1" }),
            ],
        ),
        [
            "a download",
            { method: "GET", path: "/state-versions/sv-1$" },
            () => client.downloadState({ stateVersionId: "sv-1" }),
        ],
    ];
    // A store knows nothing of our objects.
    const storeOperations: Operation[] = [
        ["an upload", { method: "PUT", path: "/v1/object/" }, () => client.stateVersion.create(made)],
    ];
    const refusals = [
        ['{"errors":[{"detail":"planted"}]}', "application/vnd.api+json", classes, storeOperations],
        ['{"errors":["planted"]}', "application/json", classes, managerOperations],
        [
            '{"errors":[{"detail":"planted"}]}',
            "application/vnd.api+json",
            [...classes, [404, errors.NotFoundError]] as const,
            versionOperations,
        ],
    ] as const;
    for (const [body, contentType, families, operations] of refusals) {
        for (const [name, fault, act] of operations) {
            it(`${name} keeps the class and the status of every refusal`, async () => {
                for (const [status, family] of families) {
                    await simulator.reset();
                    const headers = { "retry-after": "7" };
                    await simulator.fault({ ...fault, status, body, contentType, headers, times: 0 });
                    await assert.rejects(act(), (error) => {
                        assert(error instanceof family, `${status}: ${error}`);
                        assert.equal(error.status, status);
                        const isUpload = error.operation.startsWith("PUT http");
                        assert.equal(error.reasons.join() === "planted", !isUpload, error.message);
                        if (error instanceof errors.LimitedError) assert.equal(error.retryAfter, 7);
                        return true;
                    });
                }
            });

            it(`${name} that is not answered is an UnreachableError`, async () => {
                await simulator.fault({ ...fault, drop: "before", times: 0 });
                await assert.rejects(act(), (error) => error instanceof errors.UnreachableError && error.sent);
            });
        }
    }

    it("a rotation without a configuration keeps what the service said, with a hint", async () => {
        await assert.rejects(client.rootRotation.create({ mount: "team/azure" }), (error) => {
            assert(error instanceof errors.ServiceError);
            assert.deepEqual([error.status, error.reasons], [500, ["config is nil"]]);
            assert.notEqual(error.hint, undefined);
            return true;
        });
    });

    it("what is not there has a class and a code of its own in every lookup", async () => {
        for (const lookup of [
            () => client.getAuthRole({ name: "none" }),
            () => client.getAuthConfig({ mount: "team/azure" }),
            () => client.getStateVersion({ id: "sv-9" }),
            () => client.getCurrentStateVersion({ workspaceId: "ws-9" }),
            () => client.getStateVersions({ ...place, workspaceName: "none" }),
            () => client.downloadState({ stateVersionId: "sv-9" }),
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
