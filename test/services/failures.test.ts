/** Tests the class, status and code of the errors that scripts get, if a resource or function rewords them. `http/failures.test.ts` tests every status. */

import assert from "node:assert/strict";
import type { Connection } from "../../src/client";
import * as errors from "../../src/errors";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import type { Fault } from "../support/injector";
import { withSimulator } from "../support/simulator";
import { lockByHand, stateOf, workspaces } from "../support/workspaces";

const seed: Seed = {
    mounts: ["azure", "team/azure"],
    loginConfigs: [{ mount: "azure", fields: { tenant_id: "tenant-1", resource: "https://vault.example/" } }],
    workspaces,
};
const kinds = [
    [400, errors.ServiceError],
    [403, errors.DeniedError],
    [409, errors.ConflictError],
    [429, errors.LimitedError],
    [500, errors.ServiceError],
] as const;

describe("failures in scripts", () => {
    const simulator = withSimulator(seed);
    let client: Connection;
    before(() => {
        const settings = { address: simulator.url, token: canaryToken, maxRetries: 0 };
        client = simulator.connect({ vault: settings, terraform: settings });
    });

    const proof = { role: "web", jwt: "planted-jwt", subscriptionId: "s", resourceGroupName: "g" };
    const version = { workspaceId: "ws-1", content: JSON.stringify(stateOf(4)) };
    const rollback = { workspaceId: "ws-1", stateVersionId: "sv-11" };
    /** Uploads a state version with `lock: false`, because a lock would remain while the version waits for its content. */
    const upload = async () => {
        await lockByHand(simulator);
        return client.stateVersion.create({ ...version, lock: false });
    };
    const role = { name: "api", boundLocations: ["north"] };
    const operations: readonly (readonly [name: string, fault: Fault, run: () => Promise<unknown>])[] = [
        ["authRole.create", { method: "POST" }, () => client.authRole.create(role)],
        ["rootRotation.create", { method: "POST" }, () => client.rootRotation.create({})],
        ["getAuthRoles", { path: "/role$" }, () => client.getAuthRoles({})],
        ["login", { method: "POST" }, () => client.login(proof)],
        ["stateVersion.create", { method: "POST", path: "state-versions$" }, () => client.stateVersion.create(version)],
        ["an upload", { method: "PUT", path: "/v1/object/" }, upload],
        ["stateVersionRollback.create", { method: "PATCH" }, () => client.stateVersionRollback.create(rollback)],
        ["a lock", { method: "POST", path: "/lock$" }, () => client.stateVersionRollback.create(rollback)],
        ["downloadState", { method: "GET", path: "sv-11$" }, () => client.downloadState({ stateVersionId: "sv-11" })],
    ];
    for (const [name, fault, run] of operations) {
        it(`${name} throws the class and the status of a refusal and of a lost answer`, async () => {
            const isTerraform = /version|upload|lock|State/i.test(name);
            const body = JSON.stringify({ errors: isTerraform ? [{ detail: "planted" }] : ["planted"] });
            for (const [status, kind] of kinds) {
                // In real time, this would take the 30 s in which the rollback may still be done.
                if (fault.method === "PATCH" && status === 500) continue;
                await simulator.reset();
                await simulator.fault({ ...fault, status, body, headers: { "retry-after": "7" }, times: 0 });
                await assert.rejects(run(), (error) => {
                    assert(error instanceof kind, `${status}: ${error}`);
                    assert.equal(error.status, status);
                    // The message omits the answer to an upload, because the answer may quote the state.
                    assert.equal(error.reasons.join() === "planted", name !== "an upload", error.message);
                    if (error instanceof errors.LimitedError) assert.equal(error.retryAfter, 7);
                    return true;
                });
            }
            if (fault.method === "PATCH") return;
            await simulator.reset();
            await simulator.fault({ ...fault, drop: "before", times: 0 });
            await assert.rejects(run(), (error) => error instanceof errors.UnreachableError && error.sent);
        });
    }

    it("an object that a gateway does not find is no absent object", async () => {
        await simulator.fault({ method: "GET", status: 404, body: "404 page not found", contentType: "text/plain" });
        await assert.rejects(client.getStateVersion({ id: "sv-11" }), { name: "ServiceError", status: 404 });
    });

    it("a mount that does not exist does not count as an absent object", async () => {
        for (const run of [
            () => client.authRole.delete("auth/nowhere/role/web"),
            () => client.rootRotation.create({ mount: "nowhere" }),
        ]) {
            await assert.rejects(run(), { name: "ServiceError", status: 404 });
        }
    });
});
