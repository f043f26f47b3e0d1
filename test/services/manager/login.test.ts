import assert from "node:assert/strict";
import { type Connection, connect, InputError, UnreachableError } from "../../../src/client";
import { failureOf } from "../../support/failures";
import { identityToken } from "../../support/injector";
import { pathsOf } from "../../support/managed-resource";
import { withSimulator } from "../../support/simulator";

const subscriptionId = "9a1f0c5e-0000-4000-8000-00000000000a";
const resourceId = `/subscriptions/${subscriptionId}/resourceGroups/prod/compute/machines/vm-1`;
const machine = { role: "web", subscriptionId, resourceGroupName: "prod" };

describe("login", () => {
    const simulator = withSimulator({
        mounts: ["azure", "team/azure"],
        tokens: [{ token: "outside", kind: "user", id: "u-1" }],
        loginConfigs: [{ fields: { tenant_id: "t", resource: "https://secrets.example/" } }],
        roles: [
            {
                name: "web",
                fields: { bound_resource_groups: ["prod"], token_policies: ["web"], token_ttl: "1h" },
            },
        ],
    });
    let client: Connection;
    let jwt: string;
    const warnings: string[] = [];
    before(() => {
        client = connect({
            vault: { address: simulator.url },
            environment: {},
            warn: (message) => warnings.push(message),
        });
    });
    beforeEach(async () => {
        warnings.length = 0;
        jwt = identity({});
    });

    const identity = (claims: object) => identityToken({ aud: "https://secrets.example/", ...claims });

    it("requires no `token` and sends none", async () => {
        const { clientToken, accessor, ...rest } = await client.login({ ...machine, jwt });
        assert.deepEqual(rest, { tokenPolicies: ["default", "web"], leaseDuration: 3600, renewable: true });
        assert(clientToken.length > 8 && accessor.length > 8);
        const [sent] = await simulator.requests();
        assert.deepEqual([sent?.method, sent?.path], ["POST", "/v1/auth/azure/login"]);
        assert.deepEqual(sent?.body, {
            role: "web",
            jwt,
            subscription_id: subscriptionId,
            resource_group_name: "prod",
        });
        // Not even if the settings have one.
        const settings = { address: simulator.url, token: "settings-token" };
        await connect({ vault: settings, environment: {} }).login({ ...machine, jwt });
        for (const { headers } of await simulator.requests()) assert(!("x-vault-token" in headers));
    });

    for (const [given, ...ignored] of [
        [{ vmName: "vm-1" }],
        [{ vmssName: "set-1" }],
        [{ vmName: "vm-1", vmssName: "set-1" }, "vmName"],
        [{ vmName: "vm-1", resourceId }, "resourceId"],
        [{ vmssName: "set-1", resourceId }, "resourceId"],
        [{ vmName: "", vmssName: "", resourceId }],
    ] as const) {
        it(`warns of ${ignored[0] ?? "no argument"} as ignored with ${Object.keys(given)}`, async () => {
            await client.login({ ...machine, jwt, ...given }).catch(() => 0);
            const said = warnings.flatMap((warning) => /(\w+): is ignored/.exec(warning)?.[1] ?? []);
            assert.deepEqual(said, ignored);
        });
    }

    it("accepts a `resourceId` in any letter case, because the cloud provider uses several", async () => {
        await client.login({ ...machine, jwt, resourceId: resourceId.replace("Groups", "groups") });
        assert.deepEqual(warnings, []);
    });

    it("refuses every wrong argument at once and sends nothing", async () => {
        const wrong = { role: "", jwt: "", subscriptionId: "", resourceId: "/subscriptions/1", vmssname: "x" };
        const { reasons } = await failureOf(client.login({ ...machine, ...wrong }), InputError);
        assert.deepEqual(pathsOf(reasons), ["vmssname", "role", "jwt", "subscriptionId", "resourceId"]);
        assert.deepEqual(await simulator.requests(), []);
    });

    it("is not repeated after a lost answer, because each login creates a token", async () => {
        await simulator.fault({ method: "POST", drop: "after", times: 0 });
        await assert.rejects(client.login({ ...machine, jwt }), UnreachableError);
        assert.equal((await simulator.requests()).length, 1);
    });

    it("returns the token of an answer that lacks all other fields", async () => {
        const empty = { accessor: "", tokenPolicies: [], leaseDuration: 0, renewable: false };
        for (const lacking of [{}, { accessor: null, token_policies: null, lease_duration: null, renewable: null }]) {
            const auth = { client_token: "made-all-the-same", ...lacking };
            await simulator.fault({ status: 200, body: JSON.stringify({ auth }) });
            assert.deepEqual(await client.login({ ...machine, jwt }), { clientToken: "made-all-the-same", ...empty });
        }
    });

    it("requires an `address` but no `token`, unlike other functions", async () => {
        await assert.rejects(client.getAuthRoles({}), { setting: "statecraft:vault.token" });
        await assert.rejects(connect({ environment: {} }).login({ ...machine, jwt }), {
            setting: "statecraft:vault.address",
        });
    });
});
