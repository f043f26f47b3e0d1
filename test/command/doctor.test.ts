import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Seed } from "../../src/simulator/seed";
import { deadAddress } from "../http/support";
import { World } from "../support/world";
import {
    type Around,
    type Check,
    checksOf,
    configOf,
    projectFolder,
    type Run,
    removeFolders,
    statecraft,
} from "./support";

const token = "planted-token-5e1c";
const seed: Seed = {
    tokens: [
        { token, kind: "user", id: "user-1" },
        { token: "reader-token", kind: "user", id: "user-2", access: "read" },
        { token: "lister-token", kind: "user", id: "user-3", permissions: ["namespace:csi-list-volume"] },
        { token: "organization-token", kind: "organization", id: "org-1" },
    ],
    workspaces: [{ id: "ws-1", name: "app", organization: "example" }],
    plugins: [{ id: "disks", nodes: ["node-1"] }],
    roles: [{ name: "web", fields: { token_policies: ["web"] } }],
};

describe("statecraft doctor", () => {
    let world: World;
    before(async () => {
        world = await World.start(seed);
    });
    beforeEach(() => world.reset());
    afterEach(removeFolders);
    after(() => world.close());

    const environment = (changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
        STATECRAFT_MANAGER_ADDRESS: world.url,
        STATECRAFT_MANAGER_TOKEN: token,
        STATECRAFT_VOLUMES_ADDRESS: world.url,
        STATECRAFT_VOLUMES_TOKEN: token,
        STATECRAFT_STATE_VERSIONS_ADDRESS: `${world.url}/api/v2`,
        STATECRAFT_STATE_VERSIONS_TOKEN: token,
        ...changes,
    });
    /** Runs doctor, and makes sure that it never shows a token. */
    const run = async (args: readonly string[], around: Around = { environment: environment() }): Promise<Run> => {
        const ended = await statecraft(["doctor", ...args], around);
        for (const secret of [token, "reader-token", "lister-token", "organization-token", "wrong-token"])
            assert.ok(!`${ended.out}${ended.complaints}`.includes(secret), `${secret} is shown`);
        return ended;
    };
    const json = async (args: readonly string[], around?: Around): Promise<{ code: number; checks: Check[] }> => {
        const ended = await run([...args, "--json"], around);
        return { code: ended.code, checks: checksOf(ended) };
    };
    const find = (checks: readonly Check[], service: string, check: string): Check =>
        checks.find((each) => each.service === service && each.check === check) ??
        assert.fail(`no check ${check} of ${service} in ${JSON.stringify(checks)}`);
    const results = (checks: readonly Check[], service: string) =>
        Object.fromEntries(
            checks.filter((each) => each.service === service).map(({ check, result }) => [check, result]),
        );

    describe("where all is well", () => {
        it("says so of every service, and ends with 0", async () => {
            const { code, checks } = await json(["--workspace", "ws-1"]);
            assert.equal(code, 0);
            assert.deepEqual(results(checks, "manager"), {
                settings: "ok",
                reachable: "ok",
                token: "ok",
                roles: "ok",
                snapshots: "ok",
                writing: "skipped",
                version: "skipped",
            });
            assert.deepEqual(results(checks, "volumes"), {
                settings: "ok",
                reachable: "ok",
                token: "ok",
                "list volumes": "ok",
                "read volumes": "ok",
                "write volumes": "skipped",
                version: "skipped",
            });
            assert.deepEqual(results(checks, "stateVersions"), {
                settings: "ok",
                reachable: "ok",
                token: "ok",
                workspace: "ok",
                version: "skipped",
            });
            assert.equal(find(checks, "manager", "roles").detail, "may list the roles of auth/clouda: there is 1");
            assert.match(find(checks, "stateVersions", "token").detail, /^valid, of user-1$/);
            assert.match(find(checks, "volumes", "reachable").detail, /^answered in \d+ ms, without TLS$/);
        });

        it("changes nothing, and asks each question once", async () => {
            const state = async () =>
                createHash("md5")
                    .update(JSON.stringify(await world.control("GET", "/simulator/state")))
                    .digest("hex");
            const before = await state();
            await run(["--workspace", "ws-1"]);
            assert.deepEqual(await world.writes(), []);
            assert.equal(await state(), before);
            assert.deepEqual(
                (await world.requests()).map(({ method, path }) => `${method} ${path}`),
                [
                    "LIST /v1/auth/clouda/role",
                    "LIST /v1/sys/storage/raft/snapshot-auto/config",
                    "GET /v1/sys/health",
                    "GET /v1/volumes",
                    "GET /v1/volume/csi/statecraft-doctor",
                    "GET /v1/agent/self",
                    "GET /api/v2/account/details",
                    "GET /api/v2/workspaces/ws-1",
                ],
            );
        });

        it("shows a table that people can read", async () => {
            const { code, out, complaints } = await run([]);
            assert.equal(code, 0);
            assert.equal(complaints, "");
            const lines = out.split("\n");
            assert.match(lines[0] ?? "", /^service +check +result$/);
            assert.match(lines[1] ?? "", /^stack +configuration +skipped +the current folder is in no Pulumi project/);
            assert.ok(
                lines.some((line) => /^manager +token +ok +the service accepts it$/.test(line)),
                out,
            );
            assert.ok(
                lines.some((line) => /^stateVersions +workspace +skipped +rights are given by workspace/.test(line)),
            );
            assert.match(lines.at(-1) ?? "", /^All well: \d skipped\.$/);
            assert.equal(new Set(lines.slice(0, -2).map((line) => line.search(/(ok|skipped|result)( |$)/))).size, 1);
        });

        it("looks at the services that it is told, and at no others", async () => {
            const { code, checks } = await json(["volumes"]);
            assert.equal(code, 0);
            assert.deepEqual([...new Set(checks.map(({ service }) => service))], ["stack", "volumes"]);
        });

        it("minds no service that nobody set up", async () => {
            const { STATECRAFT_MANAGER_ADDRESS, STATECRAFT_MANAGER_TOKEN } = environment();
            const around = { environment: { STATECRAFT_MANAGER_ADDRESS, STATECRAFT_MANAGER_TOKEN } };
            const { code, checks } = await json([], around);
            assert.equal(code, 0);
            assert.deepEqual(results(checks, "volumes"), { settings: "skipped" });
            assert.equal(find(checks, "volumes", "settings").detail, "nothing is set for it");
            assert.match(find(checks, "volumes", "settings").advice ?? "", /STATECRAFT_VOLUMES_ADDRESS/);
        });

        it("tells versions where a server does", async () => {
            await world.fault(
                { path: "/v1/sys/health", status: 200, body: '{"version":"1.21.0","sealed":false}' },
                {
                    path: "/v1/agent/self",
                    status: 200,
                    body: '{"member":{"Tags":{"build":"1.11.3"}},"config":{"secret":1}}',
                },
                { path: "/account/details", headers: { "API-Version": "2.6" } },
            );
            const { checks } = await json([]);
            assert.deepEqual(
                ["manager", "volumes", "stateVersions"].map((service) => find(checks, service, "version").detail),
                ["1.21.0", "1.11.3", "api-version 2.6"],
            );
        });
    });

    it("speaks the names of the vocabulary that the settings name", async () => {
        const other = await World.start({ ...seed, roles: [] }, "product");
        try {
            const { code, checks } = await json([], {
                environment: environment({
                    STATECRAFT_VOCABULARY: "product",
                    STATECRAFT_MANAGER_ADDRESS: other.url,
                    STATECRAFT_VOLUMES_ADDRESS: other.url,
                    STATECRAFT_STATE_VERSIONS_ADDRESS: `${other.url}/api/v2`,
                }),
            });
            assert.match(find(checks, "manager", "settings").detail, /vocabulary product$/);
            for (const service of ["manager", "volumes", "stateVersions"])
                assert.equal(find(checks, service, "token").result, "ok", service);
            assert.equal(code, 0, JSON.stringify(checks));
        } finally {
            await other.close();
        }
    });

    describe("settings", () => {
        it("that are not there at all are a failure that says what to do", async () => {
            const { code, checks } = await json([], {});
            assert.equal(code, 1);
            const none = find(checks, "stack", "settings");
            assert.equal(none.result, "failed");
            assert.match(none.advice ?? "", /npx statecraft simulator/);
        });

        it("without a token say how to set it, and nothing is asked", async () => {
            const { code, checks } = await json(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_TOKEN: "" }),
            });
            assert.equal(code, 1);
            assert.deepEqual(results(checks, "manager"), { settings: "failed" });
            assert.match(find(checks, "manager", "settings").detail, /no token is set for manager/);
            assert.match(find(checks, "manager", "settings").advice ?? "", /STATECRAFT_MANAGER_TOKEN/);
            assert.deepEqual(await world.requests(), []);
        });

        it("that are malformed are named", async () => {
            const { code, checks } = await json(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_ADDRESS: "ftp://x.example" }),
            });
            assert.equal(code, 1);
            assert.match(find(checks, "manager", "settings").detail, /address: must be an http or https address/);
        });

        it("name where each comes from, and no user or password of an address", async () => {
            const { out } = await run(["manager"], {
                environment: environment({
                    STATECRAFT_MANAGER_ADDRESS: `${world.url}/`,
                    STATECRAFT_MANAGER_NAMESPACE: "team",
                }),
            });
            assert.match(
                out,
                new RegExp(
                    `address ${world.url} from STATECRAFT_MANAGER_ADDRESS, token from STATECRAFT_MANAGER_TOKEN, namespace team, vocabulary documented`,
                ),
            );
            const address = world.url.replace("http://", "http://somebody:planted-password@");
            const refused = await run(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_ADDRESS: address }),
            });
            assert.equal(refused.code, 1);
            assert.ok(!/planted-password|somebody/.test(refused.out), refused.out);
        });

        it("that name a file which is not there are a failure, not a crash", async () => {
            const { code, checks } = await json(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_CA_FILE: "/nowhere/ca.pem" }),
            });
            assert.equal(code, 1);
            assert.ok(checks.some(({ result, detail }) => result === "failed" && detail.includes("/nowhere/ca.pem")));
        });

        it("warn of addresses that are probably wrong", async () => {
            const { checks } = await json(["manager", "stateVersions"], {
                environment: environment({
                    STATECRAFT_MANAGER_ADDRESS: `${world.url}/v1`,
                    STATECRAFT_STATE_VERSIONS_ADDRESS: world.url,
                }),
            });
            const warnings = checks.filter(({ result }) => result === "warning").map(({ detail }) => detail);
            assert.deepEqual(warnings, [
                "the address ends in /v1, which requests add by themselves",
                "the address does not end in /api/v2, where this service usually is",
            ]);
        });

        it("warn where no certificate is checked", async () => {
            const { code, checks } = await json(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_SKIP_TLS_VERIFY: "true" }),
            });
            assert.equal(code, 0);
            assert.ok(checks.some(({ result, detail }) => result === "warning" && detail.includes("skipTlsVerify")));
        });
    });

    describe("the stack's configuration", () => {
        const settings = () => ({
            "statecraft:manager": { address: world.url, token },
            "statecraft:volumes": { address: world.url, token, namespace: "prod" },
        });

        it("is read through the Pulumi CLI", async () => {
            const around = { folder: projectFolder(), pulumi: configOf(settings()) };
            const ended = await run(["--json"], around);
            assert.equal(ended.code, 0);
            assert.deepEqual(ended.pulumiCalls, [["config", "--json", "--show-secrets", "--non-interactive"]]);
            const checks = checksOf(ended);
            assert.equal(
                find(checks, "stack", "configuration").detail,
                "it sets statecraft:manager, statecraft:volumes",
            );
            assert.match(
                find(checks, "volumes", "settings").detail,
                /from the stack's configuration, token from the stack's/,
            );
            assert.match(find(checks, "volumes", "list volumes").detail, /in the namespace prod/);
            assert.equal(checks.filter(({ result }) => result === "warning").length, 0);
        });

        it("may be that of another stack", async () => {
            const around = { folder: projectFolder(), pulumi: configOf(settings()) };
            const { pulumiCalls } = await run(["--stack", "prod"], around);
            assert.deepEqual(pulumiCalls[0]?.slice(-2), ["--stack", "prod"]);
        });

        it("warns of a token that stands there in clear", async () => {
            const around = { folder: projectFolder(), pulumi: configOf(settings(), false) };
            const { code, checks } = await json(["manager"], around);
            assert.equal(code, 0);
            const warning = checks.find(({ result }) => result === "warning");
            assert.equal(warning?.detail, "the token stands in clear in the stack's configuration");
            assert.match(warning?.advice ?? "", /'statecraft:manager\.token' --secret/);
        });

        it("may name connections", async () => {
            const connections = { "statecraft:connections": { dr: { volumes: { address: world.url, token } } } };
            const around = { folder: projectFolder(), pulumi: configOf(connections), environment: environment() };
            const { code, checks } = await json(["--connection", "dr"], around);
            assert.equal(code, 0);
            assert.deepEqual(results(checks, "manager"), { settings: "skipped" });
            assert.match(
                find(checks, "volumes", "settings").detail,
                /from the connection dr, token from the connection dr/,
            );
            const { code: other, checks: none } = await json(["--connection", "nobody"], around);
            assert.equal(other, 1);
            assert.match(find(none, "stack", "settings").detail, /the connection "nobody" names none of the services/);
        });

        it("is passed over, and that is said, without a CLI, a project or a stack", async () => {
            const folder = projectFolder();
            const none = { code: 255, out: "", error: "error: no stack selected; please use `pulumi stack select`\n" };
            for (const [around, detail] of [
                [{ folder }, /no Pulumi CLI on PATH/],
                [{ pulumi: configOf({}) }, /in no Pulumi project/],
                [{ folder, pulumi: none }, /no stack is selected/],
            ] as const) {
                const { code, checks } = await json(["manager"], { environment: environment(), ...around });
                assert.equal(code, 0);
                assert.equal(find(checks, "stack", "configuration").result, "skipped");
                assert.match(find(checks, "stack", "configuration").detail, detail);
            }
        });

        it("that was asked for by name and cannot be read is a failure", async () => {
            const folder = projectFolder();
            for (const around of [
                {},
                { folder },
                { folder, pulumi: { code: 255, out: "", error: "error: no stack named 'prod' found\n" } },
                { folder, pulumi: new Error("it did not end") },
                { folder, pulumi: { code: 0, out: "no JSON", error: "" } },
            ]) {
                const { code, checks } = await json(["--stack", "prod", "manager"], {
                    environment: environment(),
                    ...around,
                });
                assert.equal(code, 1, JSON.stringify(around));
                assert.equal(find(checks, "stack", "configuration").result, "failed");
                assert.equal(find(checks, "manager", "token").result, "ok");
            }
        });

        it("that cannot be decrypted is a failure in the CLI's words", async () => {
            const error = "error: getting stack configuration:\n passphrase must be set\n";
            const { code, checks } = await json(["manager"], {
                environment: environment(),
                folder: projectFolder(),
                pulumi: { code: 255, out: "", error },
            });
            assert.equal(code, 1);
            assert.equal(
                find(checks, "stack", "configuration").detail,
                "the Pulumi CLI cannot read it: getting stack configuration: passphrase must be set",
            );
        });
    });

    describe("a server", () => {
        it("that is not there is not reached, and the rest is skipped", async () => {
            const { code, checks } = await json(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_ADDRESS: await deadAddress() }),
            });
            assert.equal(code, 1);
            assert.deepEqual(results(checks, "manager"), { settings: "ok", reachable: "failed", token: "skipped" });
            assert.match(find(checks, "manager", "reachable").detail, /the connection was refused \(ECONNREFUSED\)/);
            assert.match(
                find(checks, "manager", "reachable").advice ?? "",
                /Is the service running, and its address right\?/,
            );
        });

        it("that is sealed is said to be sealed", async () => {
            await world.fault({ path: "/v1/auth/", status: 503, body: '{"errors":["The server is sealed"]}' });
            const { code, checks } = await json(["manager"]);
            assert.equal(code, 1);
            const { result, detail, advice } = find(checks, "manager", "reachable");
            assert.equal(result, "failed");
            assert.match(detail, /503: The server is sealed/);
            assert.equal(advice, "Unseal the server");
            assert.equal((await world.requests()).length, 1);
        });

        it("that answers with a web page is not the service", async () => {
            const body = "<!doctype html><title>Sign in</title>";
            await world.fault({ path: "/v1/volumes", status: 200, body, contentType: "text/html" });
            const { code, checks } = await json(["volumes"]);
            assert.equal(code, 1);
            assert.match(find(checks, "volumes", "reachable").detail, /a web page \(200\)/);
            assert.match(find(checks, "volumes", "reachable").advice ?? "", /sign-in page or gateway/);
        });

        it("that serves nothing under the address is not the service", async () => {
            await world.fault({ path: "/account/details", status: 404, body: "" });
            const { checks } = await json(["stateVersions"]);
            assert.equal(find(checks, "stateVersions", "reachable").result, "failed");
            assert.match(find(checks, "stateVersions", "reachable").advice ?? "", /Nothing is served under this path/);
        });

        for (const body of ["null", "{}", "[]", "17", '"OK"', '{"data":null}', '{"data":{}}', '{"data":[]}', ""]) {
            it(`that answers ${body || "nothing"} to everything is none of the services`, async () => {
                await world.fault({ status: 200, body, contentType: "application/json", times: 0 });
                const { code, checks } = await json(["--workspace", "ws-1"]);
                assert.equal(code, 1);
                for (const service of ["manager", "volumes", "stateVersions"]) {
                    const said = checks.filter((check) => check.service === service && check.check !== "settings");
                    assert.ok(
                        said.some(({ result }) => result === "failed"),
                        service,
                    );
                }
                assert.equal(find(checks, "manager", "reachable").result, "failed");
                assert.equal(find(checks, "stateVersions", "reachable").result, "failed");
            });
        }

        const strange: [service: string, check: string, path: string, body: string][] = [
            ["manager", "reachable", "/role$", '{"data":{"keys":[1]}}'],
            ["manager", "snapshots", "/snapshot-auto/config$", "null"],
            ["manager", "snapshots", "/snapshot-auto/config$", '{"data":{"keys":"hourly"}}'],
            ["volumes", "reachable", "/volumes$", "null"],
            ["volumes", "reachable", "/volumes$", "[null]"],
            ["volumes", "read volumes", "/volume/csi/", "null"],
            ["volumes", "read volumes", "/volume/csi/", "[]"],
            ["stateVersions", "reachable", "/account/details$", '{"data":{"id":1}}'],
            ["stateVersions", "workspace", "/workspaces/ws-1$", "null"],
            ["stateVersions", "workspace", "/workspaces/ws-1$", '{"data":{"id":"ws-2","attributes":{}}}'],
        ];
        for (const [service, check, path, body] of strange) {
            it(`that answers ${body} to ${path} fails at that check`, async () => {
                await world.fault({ path, status: 200, body, contentType: "application/json" });
                const { code, checks } = await json([service, "--workspace", "ws-1"]);
                assert.equal(code, 1);
                assert.equal(find(checks, service, check).result, "failed");
                assert.deepEqual(
                    checks.filter(({ result }) => result === "failed").map((failed) => failed.check),
                    [check],
                );
            });
        }

        it("without a login method at the mount is told apart from one without roles", async () => {
            const { code, checks } = await json(["manager", "--mount", "elsewhere"]);
            assert.equal(code, 1);
            const { result, advice } = find(checks, "manager", "roles");
            assert.equal(result, "failed");
            assert.match(
                advice ?? "",
                /No login method is mounted at auth\/elsewhere: enable it there, or name its mount/,
            );
            assert.equal(find(checks, "manager", "token").result, "ok");
            await world.fault({ path: "/role$", status: 404, body: '{"errors":[]}' });
            assert.match(find((await json(["manager"])).checks, "manager", "roles").detail, /there are 0$/);
        });

        it("without a licence for snapshots is told so, and what works without", async () => {
            await world.fault({ path: "snapshot-auto", status: 404, body: '{"errors":["enterprise-only feature"]}' });
            const { code, checks } = await json(["manager"]);
            assert.equal(code, 1);
            const { result, detail, advice } = find(checks, "manager", "snapshots");
            assert.equal(result, "failed");
            assert.match(detail, /404: enterprise-only feature/);
            assert.equal(advice, "Automated snapshots need a licensed server; roles and logins work without");
            assert.equal(find(checks, "manager", "roles").result, "ok");
        });
    });

    describe("a token", () => {
        it("that nobody knows is refused by all three services", async () => {
            const { code, checks } = await json([], {
                environment: environment({
                    STATECRAFT_MANAGER_TOKEN: "wrong-token",
                    STATECRAFT_VOLUMES_TOKEN: "wrong-token",
                    STATECRAFT_STATE_VERSIONS_TOKEN: "wrong-token",
                }),
            });
            assert.equal(code, 1);
            for (const service of ["manager", "volumes", "stateVersions"]) {
                assert.equal(find(checks, service, "reachable").result, "ok", service);
                assert.equal(find(checks, service, "token").result, "failed", service);
                assert.match(find(checks, service, "token").advice ?? "", /^Set a token/, service);
            }
            assert.match(find(checks, "manager", "token").detail, /403: .*invalid token/);
            assert.match(find(checks, "volumes", "token").detail, /403: Permission denied/);
            assert.match(find(checks, "stateVersions", "token").detail, /401/);
            assert.equal(find(checks, "volumes", "read volumes").result, "skipped");
        });

        it("without sudo may have its roles, and is told what snapshots need", async () => {
            await world.fault({
                path: "snapshot-auto",
                status: 403,
                body: '{"errors":["1 error occurred:\\n\\t* permission denied\\n\\n"]}',
            });
            const { code, checks } = await json(["manager"]);
            assert.equal(code, 1);
            assert.equal(find(checks, "manager", "token").result, "ok");
            assert.equal(find(checks, "manager", "snapshots").result, "failed");
            assert.match(find(checks, "manager", "snapshots").advice ?? "", /the capability `sudo`/);
        });

        it("that may not list roles is told which capability it lacks", async () => {
            await world.fault({ path: "/role", status: 403, body: '{"errors":["permission denied"]}' });
            const { checks } = await json(["manager"]);
            assert.equal(find(checks, "manager", "token").result, "ok");
            assert.match(find(checks, "manager", "roles").advice ?? "", /`list` on `auth\/clouda\/role`/);
        });

        it("that may list volumes and not read them is told which permission it lacks", async () => {
            const { code, checks } = await json(["volumes"], {
                environment: environment({ STATECRAFT_VOLUMES_TOKEN: "lister-token" }),
            });
            assert.equal(code, 1);
            assert.deepEqual(results(checks, "volumes"), {
                settings: "ok",
                reachable: "ok",
                token: "ok",
                "list volumes": "ok",
                "read volumes": "failed",
                "write volumes": "skipped",
                version: "skipped",
            });
            assert.equal(
                find(checks, "volumes", "read volumes").advice,
                "The token needs the permission `namespace:csi-read-volume` on the namespace default",
            );
        });

        it("of an organization is told to be one", async () => {
            const { code, checks } = await json(["stateVersions"], {
                environment: environment({ STATECRAFT_STATE_VERSIONS_TOKEN: "organization-token" }),
            });
            assert.equal(code, 1);
            assert.match(find(checks, "stateVersions", "token").advice ?? "", /an organization's token/);
        });

        it("that may only read a workspace is told what a rollback needs", async () => {
            const { code, checks } = await json(["stateVersions", "--workspace", "ws-1"], {
                environment: environment({ STATECRAFT_STATE_VERSIONS_TOKEN: "reader-token" }),
            });
            assert.equal(code, 1);
            assert.equal(
                find(checks, "stateVersions", "workspace").detail,
                "the token lacks can-create-state-versions, can-lock, can-unlock on ws-1",
            );
        });

        it("does not see a workspace that does not exist", async () => {
            const { checks } = await json(["stateVersions", "--workspace", "ws-9"]);
            assert.equal(find(checks, "stateVersions", "workspace").result, "failed");
            assert.equal(
                find(checks, "stateVersions", "workspace").advice,
                "It does not exist, or the token may not see it",
            );
        });
    });

    describe("the report", () => {
        it("for programs has a version, a verdict and the checks", async () => {
            const { out } = await run(["--json", "volumes"]);
            const report = JSON.parse(out) as Record<string, unknown>;
            assert.deepEqual(Object.keys(report), ["version", "ok", "checks"]);
            assert.match(String(report["version"]), /^\d+\.\d+\.\d+/);
            assert.equal(report["ok"], true);
            for (const check of report["checks"] as Check[]) {
                const { advice: _, ...rest } = check;
                assert.deepEqual(Object.keys(rest), ["service", "check", "result", "detail"]);
                assert.match(check.result, /^(ok|warning|failed|skipped)$/);
                assert.notEqual(check.detail, "");
            }
        });

        it("for people says what to do below what failed, and how much did", async () => {
            const { code, out } = await run(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_ADDRESS: await deadAddress() }),
            });
            assert.equal(code, 1);
            const lines = out.split("\n");
            const failed = lines.findIndex((line) => /^manager +reachable +failed/.test(line));
            assert.match(lines[failed + 1] ?? "", /^ +→ Is the service running/);
            assert.equal(lines.at(-1), "Not all is well: 1 failed, 2 skipped.");
        });

        it("holds no secret, even if a server repeats what it was sent", async () => {
            await world.fault({
                path: "/v1/volumes",
                status: 400,
                body: `bad token ${token} and header planted-header`,
            });
            const { out } = await run(["volumes"], {
                environment: environment({ STATECRAFT_VOLUMES_HEADERS: '{"X-Key":"planted-header"}' }),
            });
            assert.match(out, /bad token \[secret\] and header \[secret\]/);
            assert.ok(!out.includes("planted-header"));
        });
    });

    describe("flags", () => {
        for (const args of [["--what"], ["--stack"], ["--stack", ""], ["--json=yes"], ["nobody"], ["--mount="]]) {
            it(`${args.join(" ") || "none"} ends with 2, and says how it is used`, async () => {
                const { code, out, complaints } = await run(args);
                assert.deepEqual([code, out], [2, ""]);
                assert.match(complaints, /^statecraft: /);
                assert.match(complaints, /npx statecraft doctor \[manager\]/);
            });
        }
    });
});
