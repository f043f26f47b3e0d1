/** Logging in at the simulated secrets manager: who may, what is refused, and the token that comes of it. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { type Answer, at, call } from "../requests";

const audience = "https://secrets.example/";
const subscription = "9a1f0c5e-0000-4000-8000-00000000000a";
const machine = { role: "web", subscription_id: subscription, resource_group_name: "prod" };
const bound = {
    bound_service_principal_ids: ["sp-1", "sp-2"],
    bound_group_ids: ["g-1"],
    bound_locations: ["north"],
    bound_subscription_ids: [subscription],
    bound_resource_groups: ["prod"],
    bound_scale_sets: ["set-1"],
};
const rightClaims = { oid: "sp-2", groups: ["g-0", "g-1"], location: "north" };

describe("simulator: login", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    beforeEach(async () => {
        await control("reset", {
            tokens: [{ token: "known", kind: "user", id: "u-1" }],
            loginConfigs: [{ fields: { tenant_id: "t", resource: audience } }],
            roles: [
                { name: "web", fields: {} },
                { name: "bound", fields: bound },
            ],
        });
    });
    after(() => simulator.close());

    const control = (path: string, body: unknown) => call("POST", `${simulator.url}/simulator/${path}`, { body });
    const identity = async (claims: object = {}) =>
        String(at((await control("jwt", { claims: { aud: audience, ...claims } })).json, "jwt"));
    const logIn = (body: object, mount = "clouda") => call("POST", `${simulator.url}/v1/auth/${mount}/login`, { body });
    const errors = (answer: Answer) => [answer.status, at(answer.json, "errors")];
    const role = (name: string, fields: object) => control("seed", { roles: [{ name, fields }] });
    const auth = async (body: object = {}) => {
        const answer = await logIn({ ...machine, jwt: await identity(), ...body });
        assert.equal(answer.status, 200, answer.text);
        return at(answer.json, "auth");
    };
    const use = (token: unknown) =>
        call("GET", `${simulator.url}/v1/auth/clouda/role/web`, { headers: { "x-secrets-token": String(token) } });

    it("gives a token for a signed proof, and asks for none", async () => {
        const given = await auth();
        assert.deepEqual(at(given, "token_policies"), ["default"]);
        assert.deepEqual([at(given, "lease_duration"), at(given, "renewable")], [768 * 3600, true]);
        assert.match(String(at(given, "client_token")), /^service-[0-9a-f]{16}$/);
        assert.match(String(at(given, "accessor")), /^accessor-/);
        assert.equal((await use(at(given, "client_token"))).status, 200);
        assert.equal((await use("another")).status, 403);
    });

    it("says what is missing, in this order", async () => {
        const jwt = await identity();
        for (const [body, reason] of [
            [{}, "jwt is required"],
            [{ jwt }, "role is required"],
            [{ jwt, role: "nosuch" }, 'invalid role name "nosuch"'],
            [{ jwt, role: "web" }, 'invalid subscription id ""'],
            [{ jwt, role: "web", subscription_id: "bad" }, 'invalid subscription id "bad"'],
            [{ jwt, ...machine, resource_group_name: "a b" }, 'invalid resource group name "a b"'],
            [{ jwt, ...machine, resource_group_name: "" }, 'invalid resource group name ""'],
        ] as const) {
            assert.deepEqual(errors(await logIn(body)), [400, [reason]]);
        }
    });

    it("needs a configuration and a mount", async () => {
        await control("reset", { roles: [{ name: "web", fields: {} }] });
        const jwt = await identity();
        assert.deepEqual(errors(await logIn({ ...machine, jwt })), [500, ["tenant_id is required"]]);
        assert.equal((await logIn({ ...machine, jwt }, "nowhere")).status, 404);
        const answer = await call("GET", `${simulator.url}/v1/auth/clouda/login`);
        assert.deepEqual(errors(answer), [405, ["1 error occurred:\n\t* unsupported operation\n\n"]]);
    });

    describe("the proof", () => {
        const refused = async (jwt: string) => errors(await logIn({ ...machine, jwt }));

        it("must be a token at all", async () => {
            for (const jwt of ["x", "a.b.c", "a.b.c.d", "null.null.null"]) {
                assert.deepEqual(await refused(jwt), [500, ["oidc: malformed jwt"]]);
            }
        });

        it("must be signed by the identity service, and by nobody else", async () => {
            const [head, body, signature] = (await identity()).split(".");
            const forged = createHmac("sha256", "guess").update(`${head}.${body}`).digest("base64url");
            const other = Buffer.from(JSON.stringify({ aud: audience, exp: 9e9 })).toString("base64url");
            const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
            for (const jwt of [`${head}.${body}.${forged}`, `${head}.${other}.${signature}`, `${none}.${body}.`]) {
                assert.deepEqual(await refused(jwt), [
                    500,
                    ["failed to verify signature: failed to verify id token signature"],
                ]);
            }
        });

        it("must be for the configured resource", async () => {
            assert.deepEqual(await refused(await identity({ aud: "other" })), [
                500,
                [`oidc: expected audience "${audience}" got ["other"]`],
            ]);
            assert.equal((await logIn({ ...machine, jwt: await identity({ aud: ["other", audience] }) })).status, 200);
        });

        it("must be valid now, by the simulator's clock", async () => {
            const jwt = await identity();
            await control("clock", { advance: 3500 });
            assert.equal((await logIn({ ...machine, jwt })).status, 200);
            await control("clock", { advance: 200 });
            assert.deepEqual(await refused(jwt), [500, ["oidc: token is expired"]]);
            assert.deepEqual(await refused(await identity({ nbf: 9e9, exp: 9.1e9 })), [
                500,
                ["token is not yet valid"],
            ]);
        });

        it("is made by the control API of claims", async () => {
            assert.equal((await control("jwt", { claims: "x" })).status, 400);
            assert.equal((await control("jwt", undefined)).status, 400);
        });
    });

    describe("a role's bound values", () => {
        const attempt = async (claims: object, body: object = {}) => {
            const jwt = await identity({ ...rightClaims, ...claims });
            return logIn({ ...machine, role: "bound", vmss_name: "set-1", jwt, ...body });
        };

        it("let in who fits all of them", async () => {
            assert.equal((await attempt({})).status, 200);
            assert.equal((await attempt({}, { role: "BOUND" })).status, 200, "names have no case");
        });

        for (const [what, claims, body, reason] of [
            ["service principal", { oid: "sp-9" }, {}, "service principal not authorized: sp-9"],
            ["service principal", { oid: undefined }, {}, "service principal not authorized: "],
            ["group", { groups: ["g-8", "g-9"] }, {}, "groups not authorized: [g-8 g-9]"],
            ["location", { location: "south" }, {}, "location not authorized"],
            ["scale set", {}, { vmss_name: "" }, "scale set not authorized"],
            ["subscription", {}, { subscription_id: subscription.replace("a", "b") }, "subscription not authorized"],
            ["resource group", {}, { resource_group_name: "staging" }, "resource group not authorized"],
        ] as const) {
            it(`keep out another ${what}: ${reason}`, async () => {
                assert.deepEqual(errors(await attempt(claims, body)), [500, [reason]]);
            });
        }

        it("keep out callers from elsewhere", async () => {
            await role("near", { token_bound_cidrs: ["127.0.0.0/8", "10.0.0.0/8"] });
            await role("far", { token_bound_cidrs: ["10.0.0.0/8", "2001:db8::/64"] });
            assert.equal((await attempt({}, { role: "near" })).status, 200);
            assert.deepEqual(errors(await attempt({}, { role: "far" })), [403, ["permission denied"]]);
        });
    });

    describe("the token", () => {
        it("has the role's policies, and `default` unless it is withheld", async () => {
            await role("a", { token_policies: ["web", "api"] });
            assert.deepEqual(at(await auth({ role: "a" }), "token_policies"), ["api", "default", "web"]);
            await role("b", { token_policies: ["web"], token_no_default_policy: true });
            assert.deepEqual(at(await auth({ role: "b" }), "token_policies"), ["web"]);
        });

        for (const [fields, seconds] of [
            [{ token_ttl: "1h" }, 3600],
            [{ token_ttl: "1h", token_max_ttl: "2h" }, 3600],
            [{ token_max_ttl: "2h" }, 7200],
            [{ token_ttl: "3h", token_explicit_max_ttl: "1h" }, 3600],
            [{ token_ttl: "1h", token_period: "30m" }, 1800],
            [{ token_ttl: "900h", token_max_ttl: "901h" }, 768 * 3600],
        ] as const) {
            it(`of ${JSON.stringify(fields)} lives ${seconds} s`, async () => {
                await role("timed", fields);
                const given = await auth({ role: "timed" });
                assert.equal(at(given, "lease_duration"), seconds);
                await control("clock", { advance: seconds - 60 });
                assert.equal((await use(at(given, "client_token"))).status, 200);
                await control("clock", { advance: 120 });
                assert.deepEqual(errors(await use(at(given, "client_token"))), [
                    403,
                    ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"],
                ]);
            });
        }

        it("is used up after as many uses as the role says", async () => {
            await role("twice", { token_num_uses: 2 });
            const token = at(await auth({ role: "twice" }), "client_token");
            assert.deepEqual(
                [(await use(token)).status, (await use(token)).status, (await use(token)).status],
                [200, 200, 403],
            );
        });

        for (const type of ["batch", "default-batch"]) {
            it(`of type ${type} cannot be renewed and has no accessor`, async () => {
                await role("batch", { token_type: type });
                const given = await auth({ role: "batch" });
                assert.deepEqual(
                    [at(given, "renewable"), at(given, "accessor"), at(given, "token_type")],
                    [false, "", "batch"],
                );
                assert.equal((await use(at(given, "client_token"))).status, 200);
            });
        }

        it("survives in the data file, and not a reset", async () => {
            const token = at(await auth(), "client_token");
            await control("reset", { tokens: [{ token: "known", kind: "user", id: "u-1" }] });
            assert.equal((await use(token)).status, 403);
        });
    });
});
