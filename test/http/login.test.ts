/** Logs in at run time, and gives the tokens back. */

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, type ConnectOptions, StatecraftError } from "../../src/client";
import { endpoint } from "../../src/core/endpoint";
import { unlessAbsent } from "../../src/errors";
import { createClient } from "../../src/http/client";
import { manager } from "../../src/services/manager/service";
import { volumes } from "../../src/services/volumes/service";
import { readSettings } from "../../src/settings/settings";
import type { LoginRole } from "../../src/simulator/seed";
import { testClock } from "../support/clock";
import { failureOf, thrownBy } from "../support/failures";
import { identityToken } from "../support/injector";
import { assertDiscreet } from "../support/messages";
import { withSimulator } from "../support/simulator";
import { temporaryFolder } from "../support/temporary-folder";

/** A JWT, whose signature the simulator does not verify. */
const jwtOf = (claims: object = {}, life = 300) => {
    const body = { iss: "https://issuer.example", sub: "repo:acme/app", aud: "vault", ...claims };
    return identityToken({ ...body, exp: Math.floor(Date.now() / 1000) + life });
};

const roles: readonly LoginRole[] = [
    { at: "jwt", name: "web", audiences: ["vault"], ttl: 60, policies: ["web"] },
    { at: "jwt", name: "batch", audiences: ["vault"], ttl: 60, type: "batch" },
    { at: "jwt", name: "few", audiences: ["vault"], ttl: 60, uses: 3 },
    { at: "jwt", name: "reader", audiences: ["vault"], ttl: 60, access: "read" },
    { at: "jwt", namespace: "team", name: "web", audiences: ["vault"], ttl: 60 },
    { at: "approle", name: "role-1", secretId: "planted-secret-id", ttl: 60 },
    { at: "github", name: "", audiences: ["nomad"], ttl: 60 },
];
const seed = { tokens: [{ token: "admin", kind: "user" as const, id: "user-1" }], logins: roles };
const role = { name: "web", boundLocations: ["north"] };

describe("a login", () => {
    const simulator = withSimulator(seed);
    const jwtFile = join(temporaryFolder(), "jwt");
    const warnings: string[] = [];
    beforeEach(() => {
        warnings.length = 0;
        writeFileSync(jwtFile, `${jwtOf()}\n`);
    });

    const connect = (settings: Record<string, unknown>, environment = {}, key: "vault" | "nomad" = "vault") => {
        const own = { address: simulator.url, ...settings };
        const warn = (text: string) => void warnings.push(text);
        return simulator.connect({ [key]: own, environment, warn } as ConnectOptions);
    };
    const loggedIn = (login: object, environment = {}, key?: "vault" | "nomad") => connect({ login }, environment, key);
    /** The requests, with the tokens that they carry. */
    const sent = async () => (await simulator.requests()).map(({ method, path }) => `${method} ${path}`);
    const living = () => simulator.store.tokens.filter(({ id }) => id.startsWith("login"));
    const refusalOf = async (operation: Promise<unknown>) => {
        const error = await failureOf(operation, StatecraftError);
        assertDiscreet(error.message, ["planted-", ...jwtOf().split(".").slice(1)]);
        return error;
    };

    it("precedes the first request, once for requests that wait together, and `close` revokes its token", async () => {
        const { authRole, close, getAuthRoles } = loggedIn({ mount: "jwt", role: "web", jwtFile });
        await Promise.all([getAuthRoles(), getAuthRoles()]);
        const [login, list] = await simulator.requests();
        assert.deepEqual(login?.body, { role: "web", jwt: readFileSync(jwtFile, "utf8").trim() });
        assert.equal(login?.headers["x-vault-token"], undefined);
        assert.equal(list?.headers["x-vault-token"], "***");
        await authRole.create(role);
        assert.equal(living().length, 1);
        await close();
        assert.deepEqual(living(), []);
        const requests = await sent();
        assert.deepEqual(
            requests.filter((request) => request.startsWith("POST")),
            ["POST /v1/auth/jwt/login", "POST /v1/auth/azure/role/web", "POST /v1/auth/token/revoke-self"],
        );
        await simulator.forget();
        await getAuthRoles();
        assert.deepEqual(await sent(), ["POST /v1/auth/jwt/login", "GET /v1/auth/azure/role"]);
        const { token = "" } = living()[0] ?? {};
        await simulator.fault({ status: 400, body: JSON.stringify({ errors: [`not ${token}`] }) });
        assert(!(await refusalOf(getAuthRoles())).message.includes(token), "the token is shown");
    });
    it("takes the JWT from a variable, also in a connection, and the namespace of the settings unless it names one", async () => {
        const environment = { PIPELINE_JWT: jwtOf() };
        const login = { mount: "jwt", role: "web", jwtVariable: "PIPELINE_JWT" };
        const namespaces = [
            { namespace: "team", login },
            { namespace: "other", login: { ...login, namespace: "" } },
        ];
        for (const settings of namespaces) {
            const { getAuthRoles } = simulator.connect({
                connections: { dr: { vault: { address: simulator.url, ...settings } } },
                environment,
            });
            await getAuthRoles({ connection: "dr" });
        }
        const logins = (await simulator.requests()).filter(({ path }) => path === "/v1/auth/jwt/login");
        assert.deepEqual(
            logins.map(({ headers }) => headers["x-vault-namespace"]),
            ["team", undefined],
        );
    });
    it("sends the fields of an azure method, and those of an AppRole", async () => {
        const azure = { subscriptionId: "s", resourceGroupName: "g", vmName: "v", vmssName: "w", resourceId: "r" };
        writeFileSync(jwtFile, "planted.jwt.x");
        await refusalOf(loggedIn({ mount: "azure", role: "web", jwtFile, ...azure }).getAuthRoles());
        const [login] = await simulator.requests();
        const group = { subscription_id: "s", resource_group_name: "g" };
        const machine = { ...group, vm_name: "v", vmss_name: "w", resource_id: "r" };
        assert.deepEqual(login?.body, { role: "web", jwt: "planted.jwt.x", ...machine });
        await simulator.forget();
        writeFileSync(jwtFile, "planted-secret-id");
        await loggedIn({ mount: "approle", roleId: "role-1", secretIdFile: jwtFile }).getAuthRoles();
        const [{ body } = { body: undefined }] = await simulator.requests();
        assert.deepEqual(body, { role_id: "role-1", secret_id: "planted-secret-id" });
    });
    it("precedes the requests to Nomad, whose 403 just after it is repeated, and logs in no second time", async () => {
        writeFileSync(jwtFile, jwtOf({ aud: "nomad" }));
        await simulator.fault({ path: "/v1/volumes", status: 403, body: "Permission denied", times: 2 });
        const { close, getCsiVolumes } = loggedIn({ authMethod: "github", jwtFile }, {}, "nomad");
        await getCsiVolumes();
        assert.deepEqual(await sent(), ["POST /v1/acl/login", ...Array(3).fill("GET /v1/volumes")]);
        const [{ body } = { body: undefined }] = await simulator.requests();
        assert.deepEqual(body, { AuthMethodName: "github", LoginToken: readFileSync(jwtFile, "utf8") });
        await close();
        assert.equal(living().length, 1, "only a management token may delete a token");
    });
    it("is done once more after a refusal, and each refused request is repeated with the new token", async () => {
        const { getAuthRole, getAuthRoles } = loggedIn({ mount: "jwt", role: "web", jwtFile });
        await getAuthRoles();
        simulator.store.tokens = simulator.store.tokens.filter(({ id }) => !id.startsWith("login"));
        await Promise.all([getAuthRoles(), getAuthRoles(), getAuthRoles()]);
        const logins = async () => (await sent()).filter((request) => request.endsWith("/login")).length;
        assert.equal(await logins(), 2);
        simulator.store.tokens = simulator.store.tokens.filter(({ id }) => !id.startsWith("login"));
        const { code } = await refusalOf(getAuthRole({ name: "web" }));
        assert.deepEqual([code, await logins()], ["denied", 2]);
    });
    it("is done at most twice for a role that lacks a right", async () => {
        const { authRole } = loggedIn({ mount: "jwt", role: "reader", jwtFile });
        const names = Array.from({ length: 30 }, (_, index) => `role-${index}`);
        const failures = await Promise.all(names.map((name) => refusalOf(authRole.create({ ...role, name }))));
        assert.deepEqual([...new Set(failures.map(({ code }) => code))], ["denied"]);
        assert.equal((await sent()).filter((request) => request.endsWith("/login")).length, 2);
    });
    it("is done again after two thirds of the token's life; if that fails, the token serves until its end", async () => {
        const clock = testClock();
        const { url: address } = simulator;
        const notify = (...note: readonly unknown[]) => void warnings.push(note.join());
        const settings = { address, token: undefined, login: { mount: "jwt", role: "batch", jwtFile }, notify };
        const revocations: (() => Promise<unknown>)[] = [];
        const logins = {
            begin: (revokeTokens: () => Promise<unknown>) => void revocations.push(revokeTokens),
            add: () => undefined,
        };
        const client = createClient(manager, { ...settings, names: "product", logins }, clock);
        const roles = endpoint("LIST /v1/auth/azure/role");
        const livingAfter = async (seconds: number) => {
            await clock.sleep(seconds * 1000);
            await client.call(roles, { parameters: {} }).catch(unlessAbsent);
            return living().length;
        };
        assert.deepEqual([await livingAfter(0), await livingAfter(39), await livingAfter(2)], [1, 1, 2]);
        rmSync(jwtFile);
        assert.deepEqual([await livingAfter(41), await livingAfter(8)], [2, 2]);
        assert.equal(warnings.filter((warning) => warning.endsWith(",login,info")).length, 1);
        assert.equal((await refusalOf(livingAfter(12))).code, "login");
        await revocations[0]?.();
        assert(!(await sent()).some((request) => request.includes("revoke")), "a batch token cannot be revoked");
    });
    for (const [how, ExpirationTime, pauses, logins] of [
        ["once if its token never ends", null, [0, 86_400_000, 864_000_000_000], 1],
        [
            "again five seconds later, when every server knows a token, if it has ended already",
            "2000-01-01T00:00:00Z",
            [0, 5000],
            2,
        ],
    ] as const) {
        it(`is done ${how}`, async () => {
            const clock = testClock();
            const body = JSON.stringify({ SecretID: "admin", ExpirationTime });
            await simulator.fault({ path: "/login$", times: 0, status: 200, body, contentType: "application/json" });
            const settings = { address: simulator.url, token: undefined, login: { authMethod: "github", jwtFile } };
            const client = createClient(volumes, settings, clock);
            for (const pause of pauses) {
                await clock.sleep(pause);
                await client.call(endpoint("GET /v1/volumes"), { parameters: {} });
            }
            const requests = await sent();
            assert.equal(requests.filter((request) => request === "POST /v1/acl/login").length, logins);
            assert.equal(requests.length, logins + pauses.length);
        });
    }
    it("needs of its answer only the fields of the document, and its token is revoked even if it cannot be used", async () => {
        const documented = { accessor: "a", token_policies: ["web"], lease_duration: 3600, renewable: true };
        const least = { lease_duration: 0, num_uses: null, policies: null, token_type: 5 };
        const { token = "" } = simulator.store.tokens[0] ?? {};
        const answers: [fields: object, isUsable: boolean][] = [
            [documented, true],
            [least, true],
            [{}, false],
            [{ lease_duration: "1h" }, false],
        ];
        for (const [fields, isUsable] of answers) {
            const body = JSON.stringify({ auth: { client_token: token, ...fields } });
            await simulator.fault({ path: "/login$", status: 200, body, contentType: "application/json" });
            const { close, getAuthRoles } = loggedIn({ mount: "jwt", role: "web", jwtFile });
            await simulator.fault({ path: "/revoke-self$", status: 204 });
            if (isUsable) await getAuthRoles();
            else assert.equal((await refusalOf(getAuthRoles())).code, "login");
            await close();
            const lists = isUsable ? ["GET /v1/auth/azure/role"] : [];
            assert.deepEqual(await sent(), ["POST /v1/auth/jwt/login", ...lists, "POST /v1/auth/token/revoke-self"]);
            await simulator.forget();
        }
    });
    it("warns of a token that is good for a few requests", async () => {
        await loggedIn({ mount: "jwt", role: "few", jwtFile }).getAuthRoles();
        assert.match(warnings.join(), /"few".* 3 requests.*\[login\]/);
    });

    it("fails with `login` and advice for an expired or a missing JWT", async () => {
        const { getAuthRoles } = loggedIn({ mount: "jwt", role: "web", jwtFile });
        writeFileSync(jwtFile, jwtOf({}, -90));
        const { code, message } = await refusalOf(getAuthRoles());
        assert.equal(code, "login");
        assert.match(message, /expired \d+ s ago.*`login.githubAudience`/);
        assert.match(message, /"iss":"https:\/\/issuer.example","aud":.*"sub":"repo:acme\/app"/);
        writeFileSync(jwtFile, "");
        assert.match((await refusalOf(getAuthRoles())).message, /vault print token.*\[login\]/);
    });
    it("fails with `login` and advice at Nomad without a JWT, and for a token that needs a second factor", async () => {
        rmSync(jwtFile);
        const missing = await refusalOf(loggedIn({ authMethod: "github", jwtFile }, {}, "nomad").getCsiVolumes());
        assert.match(missing.message, /export STATECRAFT_NOMAD_TOKEN=/);
        writeFileSync(jwtFile, jwtOf());
        const body = '{"auth":{"client_token":"","lease_duration":0,"renewable":false,"mfa_requirement":{}}}';
        await simulator.fault({ path: "/login$", status: 200, body, contentType: "application/json" });
        const error = await refusalOf(loggedIn({ mount: "jwt", role: "web", jwtFile }).getAuthRoles());
        assert.match(error.message, /second factor.*\[login\]/);
    });

    it("of `tokenFile` is none: each request reads the file", async () => {
        writeFileSync(jwtFile, "admin\n");
        const { getAuthRoles } = connect({ tokenFile: jwtFile });
        await getAuthRoles();
        writeFileSync(jwtFile, "planted-other");
        assert.equal((await refusalOf(getAuthRoles())).code, "denied");
        const clock = testClock(async () => writeFileSync(jwtFile, "admin"));
        writeFileSync(jwtFile, "");
        const settings = { "statecraft:vault": { token: undefined, tokenFile: jwtFile } };
        await simulator.resource("AuthRole", { clock, settings }).up(role);
        await simulator.forget();
        rmSync(jwtFile);
        assert.equal((await refusalOf(getAuthRoles())).code, "login");
        assert.deepEqual(await sent(), []);
    });

    const read = (settings: object | undefined, environment: NodeJS.ProcessEnv, key = "vault") => {
        const service = { vault: "manager", nomad: "volumes", terraform: "stateVersions" } as const;
        const config = (name: string) =>
            name === `statecraft:${key}` && settings ? JSON.stringify(settings) : undefined;
        return readSettings(service[key as "vault"], undefined, config, environment);
    };
    it("is one choice with `token` and `tokenFile`: the first place that has one of them decides", () => {
        const login = JSON.stringify({ mount: "jwt", jwtFile });
        const places = (settings: object, environment = {}) => {
            const { sources } = read(settings, { VAULT_TOKEN: "product", ...environment });
            return [sources["token"], sources["tokenFile"], sources["login"]].filter(Boolean);
        };
        assert.deepEqual(places({ token: "t" }, { STATECRAFT_VAULT_LOGIN: login }), ["STATECRAFT_VAULT_LOGIN"]);
        assert.deepEqual(places({ login }, { STATECRAFT_VAULT_TOKEN_FILE: "f" }), ["STATECRAFT_VAULT_TOKEN_FILE"]);
        assert.deepEqual(places({ tokenFile: "f" }), ["statecraft:vault.tokenFile"]);
        assert.deepEqual(places({ namespace: "a" }), ["VAULT_TOKEN"]);
    });
    const token = jwtOf();
    const wrong: [what: string, settings: object, says: RegExp, key?: string][] = [
        ["two ways to a token in one place", { token: "t", tokenFile: "f" }, /vault.token and .*vault.tokenFile/],
        ["no source", { login: { mount: "jwt" } }, /`mount .*jwtFile`, or `.*jwtVariable`/],
        ["two sources", { login: { mount: "jwt", jwtFile, jwtVariable: "A" } }, /jwtFile`, or `.*jwtVariable`/],
        ["an AppRole without its ID", { login: { mount: "a", secretIdFile: "f" } }, /roleId secretIdFile`/],
        ["an unknown field", { login: { mount: "jwt", jwtFile, jwt: "planted" } }, /mount \[namespace\]/],
        ["a JWT as a variable's name", { login: { mount: "jwt", jwtVariable: token } }, /login: jwtVariable: /],
        ["a JWT in another field", { login: { mount: "jwt", jwtFile, role: token } }, /login: role: /],
        [
            "a secret ID as a variable",
            { login: { mount: "a", secretIdVariable: "planted-" } },
            /login: secretIdVariable: /,
        ],
        ["a mount at Nomad", { login: { mount: "jwt", jwtFile } }, /authMethod jwtFile/, "nomad"],
        ["any login at HCP Terraform", { login: { mount: "jwt", jwtFile } }, /`tokenFile`/, "terraform"],
    ];
    for (const [what, settings, says, key] of wrong) {
        it(`is refused with \`config\`, without a quotation, for ${what}`, () => {
            const { message } = thrownBy(() => read(settings, {}, key), ConfigError);
            assert.match(message, says);
            assert(!message.includes("planted") && !message.includes("eyJ"), message);
        });
    }
});
