import assert from "node:assert/strict";
import { connect } from "../../../src/client";
import { boundToNothing } from "../../../src/services/manager/failures";
import { authRole, authRoleOfVault, unset, unsetSent } from "../../resources/auth-role";
import { describeResource } from "../../support/conformance";
import { failureOf } from "../../support/failures";
import { CheckFailed, pathsOf, Shown } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const { path, full } = authRole;

describeResource(authRole);
describeResource(authRoleOfVault);

describe("AuthRole", () => {
    const simulator = withSimulator(authRole.seed);

    const stored = async (at = path) =>
        ((await simulator.outside("GET", at)) as { data: Record<string, unknown> } | undefined)?.data;

    it("clears on the server what leaves the program", async () => {
        const role = simulator.resource("AuthRole");
        await role.up(full);
        await role.up({ name: "dev" });
        assert.deepEqual(await stored(), unset);
    });

    it("knows its own role again after a lost answer, also by a field that the service does not tell", async () => {
        const inputs = { name: "dev", maxJwtExp: 60 };
        await simulator.fault({ method: "POST", drop: "after", times: 3 });
        const role = simulator.resource("AuthRole");
        assert.equal(await role.up(inputs), "created");
        assert(role.warnings.some((warning) => warning.startsWith("AuthRole dev: maxJwtExp: ")));
        await simulator.forget();
        const copy = simulator.resource("AuthRole", { environment: { STATECRAFT_ADOPT: "identical" } });
        assert.equal(await copy.up(inputs), "created");
        await assert.rejects(
            simulator
                .resource("AuthRole", { environment: { STATECRAFT_ADOPT: "identical" } })
                .up({ ...inputs, tokenTtl: 1 }),
            { code: "exists", message: /it is not what the program says: tokenTtl\./ },
        );
        assert.deepEqual(await simulator.writes(), []);
        assert.equal(await simulator.resource("AuthRole").up({ ...inputs, adopt: true }), "created");
        assert.equal(
            (await simulator.writes()).length,
            1,
            "who is told to take it over makes sure of what cannot be seen",
        );

        await simulator.fault({ method: "POST", drop: "before", times: 3 });
        await assert.rejects(role.up({ ...inputs, maxJwtExp: 90 }), { code: "unreachable" });
    });

    it("has policies in no order, whichever the server tells", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", tokenPolicies: ["b", "a"] });
        await simulator.outside("POST", path, { token_policies: ["a", "b"] });
        assert.deepEqual(await role.refresh(), []);
        assert.equal(await role.up({ name: "dev", tokenPolicies: ["b", "a"] }), "same");
    });

    it("is one role in a namespace with slashes around it and without", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", namespace: "/team/one/" });
        assert.equal(role.state?.id, "team/one@auth/clouda/role/dev");
        assert.equal((await simulator.requests()).at(-1)?.headers["x-secrets-namespace"], "team/one");
        assert.equal(await role.up({ name: "dev", namespace: "team/one" }), "same");
        assert.deepEqual((await role.diff({ name: "dev", namespace: "" })).replaces, ["namespace"]);
    });

    it("finds nothing to do for addresses that are written twice", async () => {
        const inputs = { name: "dev", tokenBoundCidrs: ["192.0.2.1", "192.0.2.1/32"] };
        const role = simulator.resource("AuthRole");
        await role.up(inputs);
        assert.equal(await role.up(inputs), "same");
        assert.deepEqual(await role.refresh(), []);
    });

    it("leaves nothing of an adopted role but what the program says", async () => {
        await simulator.outside("POST", path, {
            token_policies: ["admin"],
            bound_locations: ["anywhere"],
            token_ttl: 60,
        });
        const role = simulator.resource("AuthRole");
        assert.equal(await role.up({ name: "dev", adopt: true, tokenPolicies: ["web"] }), "created");
        assert.deepEqual(await stored(), { ...unset, token_policies: ["web"] });
    });

    it("sends a former spelling under the new name only, and warns of the deprecated one", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", policies: "Web,base", maxTtl: "1h" });
        const [write] = await simulator.writes();
        assert.deepEqual(write?.body, { ...unsetSent, token_policies: ["Web", "base"], token_max_ttl: 3600 });
        const [warning] = role.messages;
        assert.equal(warning?.message, "policies: is deprecated: use tokenPolicies");
        assert.equal(warning?.urn, "urn:pulumi:dev::app::t::x");
        assert.deepEqual(await role.refresh(), []);
        assert.equal(role.outputs()["policies"], "Web,base");
    });

    it("shows drift of a former spelling under the name that the program uses", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", policies: ["web"] });
        await simulator.outside("POST", path, { token_policies: ["admin"] });
        assert.deepEqual(await role.refresh(), ["policies"]);
        assert.deepEqual(role.outputs()["policies"], ["admin"]);
    });

    it("warns of a role that every machine of the tenant could use", async () => {
        const role = simulator.resource("AuthRole");
        await role.check({ name: "dev", boundGroupIds: [] });
        assert.deepEqual(
            role.warnings.map((warning) => wordsOf(boundToNothing).test(warning)),
            [true],
        );
        const bound = simulator.resource("AuthRole");
        await bound.check({ name: "dev", boundLocations: ["north"] });
        await bound.check({ name: "dev", boundLocations: ["04da6b54-80e4-46f7-96ec-b56ff0331ba9"] });
        assert.deepEqual(bound.warnings, []);
    });

    for (const [inputs, field] of [
        [{ tokenTtl: "2h", tokenMaxTtl: "1h" }, "tokenTtl"],
        [{ tokenTtl: "2h", maxTtl: "1h" }, "tokenTtl"],
        [{ tokenType: "batch", tokenNumUses: 3 }, "tokenNumUses"],
        [{ tokenType: "batch", tokenPeriod: "1h" }, "tokenPeriod"],
        [{ tokenType: "default-batch", tokenPeriod: 60 }, "tokenType"],
        [{ tokenType: "default-service" }, "tokenType"],
    ] as const) {
        it(`warns of what only real servers refuse: ${JSON.stringify(inputs)}`, async () => {
            const role = simulator.resource("AuthRole");
            assert.equal(await role.up({ name: "dev", boundGroupIds: ["g"], ...inputs }), "created");
            assert.deepEqual(pathsOf(role.warnings), [field]);
        });
    }

    it("says nothing of tokens that live as long as they may", async () => {
        const role = simulator.resource("AuthRole");
        await role.check({ name: "dev", boundGroupIds: ["g"], tokenTtl: "1h", tokenMaxTtl: "1h" });
        assert.deepEqual(role.warnings, []);
    });

    it("says what a name, a mount and a namespace must be", async () => {
        const check = simulator.resource("AuthRole").check({ name: "-a", mount: "a//b", namespace: "a@b" });
        assert.deepEqual((await failureOf(check, CheckFailed)).reasons, [
            "mount: must be the path of a mount, such as clouda",
            "namespace: must not hold @",
            "name: must consist of letters, digits and _, with - and single . only inside",
        ]);
    });

    it("says what is wrong with its inputs beside what is wrong with the settings", async () => {
        const check = simulator.resource("AuthRole").check({ name: "-a", tokenTtl: "1w", connection: "nowhere" });
        const [name, ttl, settings] = (await failureOf(check, CheckFailed)).reasons;
        assert.match(`${name} ${ttl}`, /^name: must .* tokenTtl: must be a duration/);
        assert.match(settings ?? "", /^the connection "nowhere" has no settings for Vault\. Run `pulumi config set/);
        const alone = await failureOf(
            simulator.resource("AuthRole").check({ name: "a", connection: "nowhere" }),
            Shown,
        );
        assert.match(alone.message, /^AuthRole a: the connection "nowhere" has no settings for Vault\. /);
    });

    it("turns warnings into failures where strict is set, and says what is wrong with the setting otherwise", async () => {
        const strict = simulator.resource("AuthRole", { environment: { STATECRAFT_STRICT: "true" } });
        await assert.rejects(strict.check({ name: "dev", policies: "web" }), {
            paths: ["policies", "boundServicePrincipalIds"],
        });
        assert.deepEqual(strict.warnings, []);
        await strict.check({ name: "dev", boundGroupIds: ["g"] });
        const odd = simulator.resource("AuthRole", { environment: { STATECRAFT_STRICT: "perhaps" } });
        await assert.rejects(odd.check({ name: "dev" }), { code: "config", message: /STATECRAFT_STRICT/ });
    });

    it("sends maxJwtExp where given, warns that the server dropped it, and stays quiet", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", maxJwtExp: 60 });
        assert.deepEqual((await simulator.writes())[0]?.body, { ...unsetSent, max_jwt_exp: 60 });
        assert(role.warnings.some((warning) => warning.startsWith("AuthRole dev: maxJwtExp: ")));
        assert.deepEqual(await role.refresh(), []);
        assert.equal(await role.up({ name: "dev", maxJwtExp: 60 }), "same");
    });

    it("reads a type that was never set as the default", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", tokenType: "default" });
        await simulator.fault({
            ...{ method: "GET", times: 0, status: 200 },
            body: JSON.stringify({ data: { ...unset, token_type: "" } }),
        });
        assert.deepEqual(await role.refresh(), []);
        assert.equal(await role.up({ name: "dev" }), "same");
        const found = simulator.resource("AuthRole");
        await found.get("auth/clouda/role/dev");
        assert.equal(found.outputs()["tokenType"], undefined);
    });

    it("is found by an id in any letter case, and by none that no role could have", async () => {
        await simulator.outside("POST", path, { token_ttl: 60 });
        const role = simulator.resource("AuthRole");
        await simulator.forget();
        await role.get("auth/clouda/role/DEV");
        assert.deepEqual(
            (await simulator.requests()).map(({ path: asked }) => asked),
            [path],
        );
        assert.equal(role.outputs()["name"], "dev");
        await simulator.forget();
        for (const id of [
            "auth/clouda/role/-dev",
            "auth/a//b/role/dev",
            "auth/clouda/role/",
            "auth//role/dev",
            "clouda/role/dev",
        ]) {
            const client = connect({ manager: { address: simulator.url, token: "any" }, environment: {} });
            await assert.rejects(client.authRole.read(id), { code: "id" });
        }
        assert.deepEqual(await simulator.requests(), []);
    });

    it("treats names of another letter case as one role", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "Dev-1" });
        assert.equal(role.state?.id, "auth/clouda/role/dev-1");
        assert.equal(await role.up({ name: "dEV-1" }), "same");
        assert.notEqual(await stored("/v1/auth/clouda/role/dev-1"), undefined);
        await assert.rejects(simulator.resource("AuthRole").up({ name: "dev-1" }), { code: "exists" });
    });

    it("keeps namespaces apart, in the id and on the wire", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", namespace: "team/one" });
        assert.equal(role.state?.id, "team/one@auth/clouda/role/dev");
        const requests = await simulator.requests();
        assert(requests.every(({ headers }) => headers["x-secrets-namespace"] === "team/one"));
        assert.equal(await stored(), undefined);
        assert.deepEqual(await role.refresh(), []);
        await role.destroy();
    });

    it("stores the root namespace too, so that a preview knows it", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev" });
        assert.equal(role.outputs()["namespace"], "");
        assert.deepEqual(await role.refresh(), []);
        for (const namespace of [undefined, "", "/"]) assert.equal(await role.up({ name: "dev", namespace }), "same");
    });

    it("takes mount and namespace from the settings at create, and stays there when the settings move", async () => {
        const role = simulator.resource("AuthRole", { settings: { "statecraft:manager": { namespace: "team" } } });
        await role.up({ name: "dev" });
        assert.equal(role.outputs()["namespace"], "team");
        const moved = simulator.resource("AuthRole", { settings: { "statecraft:manager": { namespace: "other" } } });
        moved.state = role.state;
        assert.equal(await moved.up({ name: "dev" }), "same");
        assert.deepEqual(await moved.refresh(), []);
        assert.deepEqual((await moved.diff({ name: "dev", namespace: "other" })).replaces, ["namespace"]);
        await simulator.outside("POST", path, { token_ttl: 60 });
        await moved.destroy();
        assert.equal((await stored())?.["token_ttl"], 60, "the role of that name in the root namespace");
    });

    it("sends the token in the documented header, and names itself", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev" });
        for (const { headers } of await simulator.requests()) {
            assert.equal(headers["x-secrets-token"], "***");
            assert.match(headers["user-agent"] ?? "", /^pulumi-statecraft\/\d/);
        }
    });

    it("shows the server's warnings with a successful write", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", tokenMaxTtl: "900h" });
        assert.match(role.warnings.join(), /the secrets manager says: max_ttl is greater than/);
    });

    it("says what a missing mount is", async () => {
        const role = simulator.resource("AuthRole");
        await assert.rejects(role.up({ name: "dev", mount: "nowhere" }), /404: no handler for route/);
        assert.equal(role.state, undefined);
    });

    it("says how to go on where the mount was removed, of which nobody can tell", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev" });
        const errors = ['no handler for route "auth/clouda/role/dev". route entry not found.'];
        await simulator.fault({ times: 0, status: 404, body: JSON.stringify({ errors }) });
        for (const command of [() => role.refresh(), () => role.destroy()])
            await assert.rejects(command, { code: "service", message: /the mount.*`pulumi state delete`/ });
        assert(role.state);
    });

    it("keeps the old object when an update is refused", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "dev", tokenTtl: "1h" });
        await simulator.fault({ method: "POST", status: 400, body: '{"errors":["not today"]}' });
        await assert.rejects(
            role.up({ name: "dev", tokenTtl: "2h" }),
            /POST \/v1\/auth\/clouda\/role\/dev: 400: not today/,
        );
        assert.equal(role.outputs()["tokenTtl"], "1h");
        assert.equal(await role.up({ name: "dev", tokenTtl: "2h" }), "updated");
    });

    it("names where an address and a token were looked for", async () => {
        const nowhere = simulator.resource("AuthRole", { settings: { "statecraft:manager": { address: undefined } } });
        await assert.rejects(nowhere.up({ name: "dev" }), {
            code: "config",
            message: /statecraft:manager\.address.*STATECRAFT_MANAGER_ADDRESS/,
        });
        const nobody = simulator.resource("AuthRole", { settings: { "statecraft:manager": { token: undefined } } });
        await assert.rejects(nobody.up({ name: "dev" }), {
            code: "config",
            message: /statecraft:manager\.token.*STATECRAFT_MANAGER_TOKEN/,
        });
    });
});
