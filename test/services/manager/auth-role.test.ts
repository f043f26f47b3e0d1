import assert from "node:assert/strict";
import { authRole, unset } from "../../resources/auth-role";
import { describeResource } from "../../support/conformance";
import { failureOf } from "../../support/failures";
import { CheckFailed, type ManagedResource, pathsOf, Shown } from "../../support/managed-resource";
import { withCode } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const { path, minimal: dev } = authRole;
const bound = { bound_resource_groups: ["prod"] };

describeResource(authRole);

describe("AuthRole", () => {
    const simulator = withSimulator(authRole.seed);

    const stored = async () => Object(await simulator.outside("GET", path)).data;
    const identical = { environment: { STATECRAFT_ADOPT: "identical" } };
    const isDropped = ({ warnings }: ManagedResource) =>
        warnings.filter((each) => withCode("dropped").test(each)).length;

    it("recognizes its role after a lost answer, also if the server does not return a field", async () => {
        const inputs = { ...dev, maxJwtExp: 60 };
        await simulator.fault({ method: "POST", drop: "after", times: 3 });
        const role = await simulator.resource("AuthRole").deployed(inputs);
        assert.equal(isDropped(role), 1);
        await simulator.forget();
        assert.equal(await simulator.resource("AuthRole", identical).up(inputs), "created");
        const differing = simulator.resource("AuthRole", identical).up({ ...inputs, tokenTtl: 1 });
        await assert.rejects(differing, { code: "exists", message: /tokenTtl/ });
        assert.deepEqual(await simulator.writes(), []);
        assert.equal(await simulator.resource("AuthRole").up({ ...inputs, adopt: true }), "created");
        assert.equal((await simulator.writes()).length, 1, "`adopt: true` writes what the server does not show");

        await simulator.fault({ method: "POST", drop: "before", times: 3 });
        await assert.rejects(role.up({ ...inputs, maxJwtExp: 90 }), { code: "unreachable" });
    });

    it("is refused after a lost answer if another program created the role meanwhile, with other values", async () => {
        await simulator.outside("POST", path, { ...bound, token_ttl: 7 });
        await simulator.fault(
            { method: "GET", status: 404, body: '{"errors":[]}' },
            { method: "POST", drop: "before", times: 3 },
        );
        await assert.rejects(simulator.resource("AuthRole").up(dev), { code: "exists" });
        assert.equal((await stored()).token_ttl, 7);
    });

    it("stays in state if a refresh after a lost answer finds other values, and the next `up` is refused", async () => {
        const role = simulator.resource("AuthRole");
        await simulator.fault(
            { method: "POST", drop: "after", times: 3 },
            { method: "GET", skip: 1, times: 9, status: 500 },
        );
        await assert.rejects(role.up(dev));
        assert.deepEqual(role.outputs()["unfinished"], ["create"]);
        await simulator.heal();
        await simulator.outside("POST", path, { ...bound, token_ttl: 7 });
        await role.refresh();
        assert(role.state);
        await assert.rejects(role.up(dev), { code: "exists" });
        assert.equal((await stored()).token_ttl, 7);
    });

    it("sends `policies` and `maxTtl` under their new names only, and warns about `policies`", async () => {
        const role = await simulator.resource("AuthRole").deployed({ ...dev, policies: "Web,base", maxTtl: "1h" });
        const { token_policies, token_max_ttl, policies, max_ttl } = Object((await simulator.writes())[0]?.body);
        assert.deepEqual(
            [token_policies, token_max_ttl, policies, max_ttl],
            [["Web", "base"], 3600, undefined, undefined],
        );
        assert.deepEqual(pathsOf(role.warnings).slice(0, 1), ["policies"]);
        assert.equal(role.messages[0]?.urn, "urn:pulumi:dev::app::t::x");
        assert.deepEqual(await role.refresh(), []);
        assert.equal(role.outputs()["tokenPolicies"], "Web,base");
        assert.equal(await role.up({ ...dev, tokenPolicies: ["base", "Web"], tokenMaxTtl: 3600 }), "same");
    });

    it("shows drift of `policies` as `tokenPolicies`", async () => {
        const role = await simulator.resource("AuthRole").deployed({ ...dev, policies: ["web"] });
        await simulator.outside("POST", path, { token_policies: ["admin"] });
        assert.deepEqual(await role.refresh(), ["tokenPolicies"]);
        assert.deepEqual(role.outputs()["tokenPolicies"], ["admin"]);
        assert.equal(await role.up({ ...dev, policies: ["web"] }), "updated");
        assert.deepEqual((await stored()).token_policies, ["web"]);
    });

    for (const [inputs, field] of [
        [{ tokenTtl: "2h", tokenMaxTtl: "1h" }, "tokenTtl"],
        [{ tokenTtl: "2h", maxTtl: "1h" }, "tokenTtl"],
        [{ tokenType: "batch", tokenNumUses: 3 }, "tokenNumUses"],
        [{ tokenType: "batch", tokenPeriod: "1h" }, "tokenPeriod"],
        [{ tokenType: "default-batch", tokenPeriod: 60 }, "tokenType"],
        [{ tokenType: "default-service" }, "tokenType"],
    ] as const) {
        it(`warns of inputs that Vault refuses: ${JSON.stringify(inputs)}`, async () => {
            const role = simulator.resource("AuthRole");
            await assert.rejects(role.up({ name: "dev", boundGroupIds: ["g"], ...inputs }), { status: 400 });
            assert.deepEqual(pathsOf(role.warnings), [field]);
        });
    }

    it("reports problems of inputs and of settings at once", async () => {
        const check = simulator.resource("AuthRole").check({ name: "a/b", tokenTtl: "1w", connection: "nowhere" });
        const { paths, reasons } = await failureOf(check, CheckFailed);
        assert.deepEqual(paths.slice(0, 2), ["name", "tokenTtl"]);
        assert.match(reasons[2] ?? "", /"nowhere".*`pulumi config set.*\[config\]$/);
        assert.equal(reasons.length, 3);
    });

    it("sends `maxJwtExp`, warns once that the server dropped it, and shows no change", async () => {
        const role = await simulator.resource("AuthRole").deployed({ ...dev, maxJwtExp: 60 });
        assert.equal(Object((await simulator.writes())[0]?.body).max_jwt_exp, 60);
        assert.equal(isDropped(role), 1);
        await role.isQuiet({ ...dev, maxJwtExp: 60 });
    });

    it("reads an unset `tokenType` as the default", async () => {
        const role = await simulator.resource("AuthRole").deployed({ ...dev, tokenType: "default" });
        await simulator.fault({
            ...{ method: "GET", times: 0, status: 200 },
            body: JSON.stringify({ data: { ...unset, ...bound, token_type: "" } }),
        });
        await role.isQuiet(dev);
        const found = await simulator.resource("AuthRole").imported("auth/azure/role/dev");
        assert.equal(found.outputs()["tokenType"], undefined);
    });

    for (const id of ["auth/azure/role/..", "auth/a//b/role/dev", "auth/azure/role/", "azure/role/dev"]) {
        it(`refuses the id ${id}`, () => assert.rejects(simulator.resource("AuthRole").get(id), { code: "id" }));
    }

    it("advises `vault auth enable` if the mount is absent, and `pulumi state delete` only for a role in state", async () => {
        const role = await simulator.resource("AuthRole").deployed(dev);
        const errors = ['no handler for route "auth/azure/role/dev". route entry not found.'];
        await simulator.fault({ times: 0, status: 404, body: JSON.stringify({ errors }) });
        for (const command of [() => role.refresh(), () => role.destroy()])
            await assert.rejects(command, {
                code: "service",
                message: /`vault auth enable -path=azure azure`.*`pulumi state delete <urn>`/,
            });
        assert(role.state);
        const isNew = (error: Error) => /vault auth enable/.test(error.message) && !/state delete/.test(error.message);
        await assert.rejects(simulator.resource("AuthRole").up({ ...dev, name: "other" }), isNew);
    });

    for (const [mount, word] of [
        ["edge/role", "edge/role"],
        ["login", "login"],
        ["a/rotate-root/b", "a/rotate-root/b"],
        ["new mount;ls", "'new mount;ls'"],
    ] as const) {
        it(`names the mount ${mount} in the advice, and quotes it in the command`, async () => {
            const errors = [`no handler for route "auth/${mount}/role/dev". route entry not found.`];
            await simulator.fault({ times: 0, status: 404, body: JSON.stringify({ errors }) });
            const message = new RegExp(
                `Nothing is mounted at auth/${mount}: run \`vault auth enable -path=${word} azure\``,
            );
            await assert.rejects(simulator.resource("AuthRole").up({ ...dev, mount }), { message });
        });
    }

    for (const [status, reason] of [
        [404, "no handler for route"],
        [403, "permission denied"],
    ] as const) {
        it(`says after ${status} that a namespace is a whole path, if there is one`, async () => {
            const settings = { "statecraft:vault": { namespace: "payments" } };
            await simulator.fault({ times: 0, status, body: JSON.stringify({ errors: [reason] }) });
            const inside = simulator.resource("AuthRole", { settings }).up(dev);
            await assert.rejects(inside, { status, message: /namespace payments .*`?admin\/team-a/ });
            const outside = await failureOf(simulator.resource("AuthRole").up(dev), Shown);
            assert.doesNotMatch(outside.message, /whole path/);
        });
    }

    for (const [status, reason] of [
        [500, "1 error occurred:\n\t* local node not active but active cluster node not found\n\n"],
        [412, "required index state not present"],
        [400, "failed to persist lease entry: cannot write to readonly storage"],
        [500, "context deadline exceeded"],
    ] as const) {
        it(`repeats reads and writes after ${status} ${JSON.stringify(reason)}`, async () => {
            const passing = { status, body: JSON.stringify({ errors: [reason] }) };
            await simulator.fault({ ...passing, method: "GET" }, { ...passing, method: "POST", times: 2 });
            const role = await simulator.resource("AuthRole").deployed(dev);
            await simulator.fault({ ...passing, method: "DELETE" });
            await role.destroy();
            assert.equal(await stored(), undefined);
        });
    }

    it("does not repeat another 400 or 412, a 501, and what only an administrator ends", async () => {
        for (const [status, reason] of [
            [400, "something else"],
            [412, "something else"],
            [501, "not implemented"],
            [503, "API access to this namespace has been locked by an administrator"],
        ] as const) {
            await simulator.forget();
            const body = JSON.stringify({ errors: [reason] });
            await simulator.fault({ method: "GET", status, body });
            await assert.rejects(simulator.resource("AuthRole").up(dev), { status });
            assert.equal((await simulator.requests()).length, 1);
        }
    });

    describe("`aliasMetadata`", () => {
        const described = { ...dev, aliasMetadata: { owner: "data" } };
        afterEach(() => simulator.answerWith());

        it("is sent only if the program has it or had it, or adopts the role", async () => {
            const role = await simulator.resource("AuthRole").deployed(dev);
            await role.up({ ...dev, tokenTtl: 60 });
            await role.up(described);
            await role.up(dev);
            await role.up({ ...dev, aliasMetadata: {} });
            await role.up({ ...dev, tokenTtl: 30 });
            const sent = (await simulator.writes()).map(({ body }) => Object(body)["alias_metadata"]);
            assert.deepEqual(sent, [undefined, undefined, { owner: "data" }, {}, undefined]);
        });

        it("brings one warning if the server does not know it, and shows no change", async () => {
            simulator.answerWith(async ({ method }, act) => {
                const answer = await act();
                if (method !== "GET" || answer.status !== 200) return answer;
                const { alias_metadata: _, ...data } = JSON.parse(answer.body.toString()).data;
                return { ...answer, body: Buffer.from(JSON.stringify({ data })) };
            });
            const role = await simulator.resource("AuthRole").deployed(described);
            assert.equal(isDropped(role), 1);
            assert.match(role.warnings.join(), /aliasMetadata: /);
            await role.isQuiet(described);
            const other = await simulator.resource("AuthRole").deployed({ ...dev, name: "other" });
            assert.deepEqual(other.warnings, []);
        });
    });
});
