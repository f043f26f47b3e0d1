import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Seed } from "../../src/simulator/seed";
import { deadAddress } from "../http/support";
import { withSimulator } from "../support/simulator";
import {
    type Around,
    type Check,
    configOf,
    projectFolder,
    type Report,
    type Run,
    removeFolders,
    reportOf,
    statecraft,
} from "./support";

const token = "planted-token-5e1c";
const seed: Seed = {
    tokens: [
        { token, kind: "user", id: "user-1" },
        { token: "reader-token", kind: "user", id: "user-2", access: "read" },
        { token: "powerless-token", kind: "user", id: "user-3", access: "none" },
        { token: "organization-token", kind: "organization", id: "org-1" },
    ],
    workspaces: [{ id: "ws-1", name: "app", organization: "example" }],
    plugins: [{ id: "disks", nodes: ["node-1"] }],
    roles: [{ name: "web", fields: { token_policies: ["web"] } }],
};

describe("statecraft doctor", () => {
    const simulator = withSimulator(seed);
    const other = withSimulator({ ...seed, roles: [] }, { vocabulary: "product" });
    afterEach(removeFolders);

    const environment = (changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
        STATECRAFT_MANAGER_ADDRESS: simulator.url,
        STATECRAFT_MANAGER_TOKEN: token,
        STATECRAFT_VOLUMES_ADDRESS: simulator.url,
        STATECRAFT_VOLUMES_TOKEN: token,
        STATECRAFT_STATE_VERSIONS_ADDRESS: `${simulator.url}/api/v2`,
        STATECRAFT_STATE_VERSIONS_TOKEN: token,
        ...changes,
    });
    /** Runs doctor, and makes sure that it never shows a token. */
    const run = async (args: readonly string[], around: Around = { environment: environment() }): Promise<Run> => {
        const ended = await statecraft(["doctor", ...args], around);
        for (const secret of [token, "reader-token", "powerless-token", "organization-token", "wrong-token"])
            assert.ok(!`${ended.out}${ended.complaints}`.includes(secret), `${secret} is shown`);
        return ended;
    };
    const json = async (args: readonly string[], around?: Around): Promise<Report & { code: number }> => {
        const ended = await run([...args, "--json"], around);
        return { code: ended.code, ...reportOf(ended) };
    };
    /** The value of a setting in use, and where it comes from. */
    const inUse = (settings: Report["settings"], name: string) =>
        settings.filter(({ setting }) => setting === name).flatMap(({ value, from }) => [value, from]);
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
            for (const service of ["manager", "volumes", "stateVersions"])
                assert.deepEqual(results(checks, service), { reachable: "ok", access: "ok" }, service);
            assert.deepEqual(
                ["manager", "volumes", "stateVersions"].map((service) => find(checks, service, "access").detail),
                [
                    "the token may list the roles of auth/clouda: 1",
                    "the token may list the volumes of the namespace default: 0",
                    "the token may do all of can-read-state-versions, can-create-state-versions, can-lock, can-unlock on ws-1",
                ],
            );
            assert.match(find(checks, "volumes", "reachable").detail, /^answered in \d+ ms, without TLS$/);
        });

        it("changes nothing, and asks each service one thing", async () => {
            const state = async () =>
                createHash("md5")
                    .update(JSON.stringify(await simulator.control("GET", "/simulator/state")))
                    .digest("hex");
            const before = await state();
            await run(["--workspace", "ws-1"]);
            assert.deepEqual(await simulator.writes(), []);
            assert.equal(await state(), before);
            assert.deepEqual(
                (await simulator.requests()).map(({ method, path }) => `${method} ${path}`),
                ["LIST /v1/auth/clouda/role", "GET /v1/volumes", "GET /api/v2/workspaces/ws-1"],
            );
        });

        it("shows a table that people can read", async () => {
            const { code, out, complaints } = await run([]);
            assert.equal(code, 0);
            assert.equal(complaints, "");
            const lines = out.split("\n");
            assert.match(lines[0] ?? "", /^setting +value +from$/);
            assert.equal(new Set(lines.slice(0, 8).map((line) => line.search(/(STATECRAFT|default|from$)/))).size, 1);
            const checks = lines.slice(lines.indexOf("") + 1);
            assert.match(checks[0] ?? "", /^service +check +result$/);
            assert.match(checks[1] ?? "", /^stack +configuration +skipped +the current folder is in no Pulumi project/);
            assert.ok(
                checks.some((line) => /^manager +access +ok +the token may list the roles/.test(line)),
                out,
            );
            assert.ok(checks.some((line) => /^stateVersions +access +ok +the token is of user-1;/.test(line)));
            assert.equal(checks.at(-1), "All well: 1 skipped.");
            assert.equal(new Set(checks.slice(0, -2).map((line) => line.search(/(ok|skipped|result)( |$)/))).size, 1);
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
    });

    it("speaks the names of the vocabulary that the settings name", async () => {
        const { code, checks, settings } = await json([], {
            environment: environment({
                STATECRAFT_VOCABULARY: "product",
                STATECRAFT_MANAGER_ADDRESS: other.url,
                STATECRAFT_VOLUMES_ADDRESS: other.url,
                STATECRAFT_STATE_VERSIONS_ADDRESS: `${other.url}/api/v2`,
            }),
        });
        assert.deepEqual(inUse(settings, "manager.vocabulary"), ["product", "STATECRAFT_VOCABULARY"]);
        for (const service of ["manager", "volumes", "stateVersions"])
            assert.equal(find(checks, service, "access").result, "ok", service);
        assert.equal(code, 0, JSON.stringify(checks));
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
            assert.deepEqual(await simulator.requests(), []);
        });

        it("that are malformed are named", async () => {
            const { code, checks } = await json(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_ADDRESS: "ftp://x.example" }),
            });
            assert.equal(code, 1);
            assert.match(find(checks, "manager", "settings").detail, /address: must be an http or https address/);
        });

        it("are told with the place of each, and no user or password of an address", async () => {
            const { settings } = await json(["manager"], {
                environment: environment({
                    STATECRAFT_MANAGER_ADDRESS: `${simulator.url}/`,
                    STATECRAFT_MANAGER_NAMESPACE: "team",
                    STATECRAFT_MANAGER_TIMEOUT: "5",
                    STATECRAFT_MANAGER_HEADERS: '{"X-Key":"planted-header"}',
                    STATECRAFT_MANAGER_FORMER_ADDRESSES: "https://a.example/,https://b.example",
                }),
            });
            assert.deepEqual(settings, [
                { setting: "manager.address", value: simulator.url, from: "STATECRAFT_MANAGER_ADDRESS" },
                { setting: "manager.token", value: "(set)", from: "STATECRAFT_MANAGER_TOKEN" },
                { setting: "manager.namespace", value: "team", from: "STATECRAFT_MANAGER_NAMESPACE" },
                { setting: "manager.headers", value: "X-Key", from: "STATECRAFT_MANAGER_HEADERS" },
                { setting: "manager.timeout", value: "5", from: "STATECRAFT_MANAGER_TIMEOUT" },
                {
                    setting: "manager.formerAddresses",
                    value: "https://a.example, https://b.example",
                    from: "STATECRAFT_MANAGER_FORMER_ADDRESSES",
                },
                { setting: "manager.vocabulary", value: "documented", from: "default" },
            ]);
            const address = simulator.url.replace("http://", "http://somebody:planted-password@");
            const refused = await run(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_ADDRESS: address }),
            });
            assert.equal(refused.code, 1);
            assert.ok(!/planted-password|somebody/.test(refused.out), refused.out);
        });

        it("are told as they win: the token of the environment, all else of the stack's configuration", async () => {
            const { settings } = await json(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_ADDRESS: "http://127.0.0.1:1" }),
                folder: projectFolder(),
                pulumi: configOf({ "statecraft:manager": { address: simulator.url, token: "wrong-token" } }),
            });
            assert.deepEqual(inUse(settings, "manager.address"), [simulator.url, "the stack's configuration"]);
            assert.deepEqual(inUse(settings, "manager.token"), ["(set)", "STATECRAFT_MANAGER_TOKEN"]);
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
                    STATECRAFT_MANAGER_ADDRESS: `${simulator.url}/v1`,
                    STATECRAFT_STATE_VERSIONS_ADDRESS: simulator.url,
                }),
            });
            const warnings = checks.filter(({ result }) => result === "warning").map(({ detail }) => detail);
            assert.deepEqual(warnings, [
                "the address ends in /v1, which requests add by themselves",
                "the address does not end in /api/v2, where this service usually is",
            ]);
        });

        it("warn where no certificate is checked", async () => {
            const { code, out } = await run(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_SKIP_TLS_VERIFY: "true" }),
            });
            assert.equal(code, 0);
            assert.match(out, /^manager .* warning .*skipTlsVerify/m);
            assert.equal(out.split("\n").at(-1), "All well: 1 with a warning, 1 skipped.");
        });
    });

    describe("the stack's configuration", () => {
        const settings = () => ({
            "statecraft:manager": { address: simulator.url, token },
            "statecraft:volumes": { address: simulator.url, token, namespace: "prod" },
        });

        it("is read through the Pulumi CLI", async () => {
            const around = { folder: projectFolder(), pulumi: configOf(settings()) };
            const ended = await run(["--json"], around);
            assert.equal(ended.code, 0);
            assert.deepEqual(ended.pulumiCalls, [["config", "--json", "--show-secrets", "--non-interactive"]]);
            const { checks, settings: used } = reportOf(ended);
            assert.equal(
                find(checks, "stack", "configuration").detail,
                "it sets statecraft:manager, statecraft:volumes",
            );
            assert.deepEqual(
                used.filter(({ setting }) => setting.startsWith("volumes.")).map(({ from }) => from),
                ["the stack's configuration", "the stack's configuration", "the stack's configuration", "default"],
            );
            assert.match(find(checks, "volumes", "access").detail, /of the namespace prod: 0$/);
            assert.equal(checks.filter(({ result }) => result === "warning").length, 0);
        });

        it("is warned of where a key of it is none of ours", async () => {
            const pulumi = configOf({ ...settings(), "statecraft:managr": {}, "app:size": {} });
            const { code, checks } = await json([], { folder: projectFolder(), pulumi });
            const { result, advice = "" } = find(checks, "stack", "configuration");
            assert.deepEqual([code, result], [0, "warning"]);
            assert.match(advice, /statecraft:managr/);
            assert.doesNotMatch(advice, /app:size/);
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
            const connections = { "statecraft:connections": { dr: { volumes: { address: simulator.url, token } } } };
            const around = { folder: projectFolder(), pulumi: configOf(connections), environment: environment() };
            const { code, checks, settings: used } = await json(["--connection", "dr"], around);
            assert.equal(code, 0);
            assert.deepEqual(results(checks, "manager"), { settings: "skipped" });
            assert.deepEqual(inUse(used, "volumes.token"), ["(set)", "the connection dr"]);
            const inClear = await json(["--connection", "dr"], { ...around, pulumi: configOf(connections, false) });
            assert.match(
                find(inClear.checks, "volumes", "settings").advice ?? "",
                /'statecraft:connections\.dr\.volumes\.token' --secret/,
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
                assert.equal(find(checks, "manager", "access").result, "ok");
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

        it("that cannot be read is not said to set nothing", async () => {
            const { code, checks } = await json([], {
                folder: projectFolder(),
                pulumi: { code: 255, out: "", error: "error: passphrase must be set\n" },
            });
            assert.equal(code, 1);
            assert.deepEqual(results(checks, "stack"), { configuration: "failed" });
            const { result, detail, advice } = find(checks, "manager", "settings");
            assert.equal(result, "skipped");
            assert.match(detail, /the stack's configuration was not read/);
            assert.equal(advice, undefined);
        });
    });

    describe("a server", () => {
        it("that is not there is not reached, and the rest is skipped", async () => {
            const { code, checks } = await json(["manager"], {
                environment: environment({ STATECRAFT_MANAGER_ADDRESS: await deadAddress() }),
            });
            assert.equal(code, 1);
            assert.deepEqual(results(checks, "manager"), { reachable: "failed", access: "skipped" });
            assert.match(find(checks, "manager", "reachable").detail, /the connection was refused \(ECONNREFUSED\)/);
            assert.match(
                find(checks, "manager", "reachable").advice ?? "",
                /Is the service running, and its address right\?/,
            );
        });

        it("that is sealed is said to be sealed", async () => {
            await simulator.fault({ path: "/v1/auth/", status: 503, body: '{"errors":["The server is sealed"]}' });
            const { code, checks } = await json(["manager"]);
            assert.equal(code, 1);
            const { result, detail, advice } = find(checks, "manager", "reachable");
            assert.equal(result, "failed");
            assert.match(detail, /503: The server is sealed/);
            assert.match(advice ?? "", /^Unseal the server/);
            assert.equal((await simulator.requests()).length, 1);
        });

        it("that answers with a web page is not the service", async () => {
            const body = "<!doctype html><title>Sign in</title>";
            await simulator.fault({ path: "/v1/volumes", status: 200, body });
            const { code, checks } = await json(["volumes"]);
            assert.equal(code, 1);
            assert.match(find(checks, "volumes", "reachable").detail, /a web page \(200\)/);
            assert.match(find(checks, "volumes", "reachable").advice ?? "", /sign-in page or gateway/);
        });

        it("that serves nothing under the address is not the service", async () => {
            await simulator.fault({ path: "/account/details", status: 404, body: "" });
            const { checks } = await json(["stateVersions"]);
            assert.equal(find(checks, "stateVersions", "reachable").result, "failed");
            assert.match(find(checks, "stateVersions", "reachable").advice ?? "", /Nothing is served under this path/);
        });

        for (const body of ["null", "{}", "[]", "17", '"OK"', '{"data":null}', '{"data":{}}', '{"data":[]}', ""]) {
            it(`that answers ${body || "nothing"} to everything is none of the services`, async () => {
                await simulator.fault({ status: 200, body, times: 0 });
                const { code, checks } = await json(["--workspace", "ws-1"]);
                assert.equal(code, 1);
                // A scheduler without volumes answers with an empty list too.
                for (const service of ["manager", "stateVersions", ...(body === "[]" ? [] : ["volumes"])])
                    assert.equal(find(checks, service, "reachable").result, "failed", service);
            });
        }

        const strange: [service: string, check: string, path: string, body: string][] = [
            ["manager", "reachable", "/role$", '{"data":{"keys":[1]}}'],
            ["volumes", "reachable", "/volumes$", "null"],
            ["volumes", "reachable", "/volumes$", "[null]"],
            ["stateVersions", "reachable", "/account/details$", '{"data":{"id":1}}'],
            ["stateVersions", "reachable", "/workspaces/ws-1$", "null"],
            ["stateVersions", "reachable", "/workspaces/ws-1$", '{"data":{"id":"ws-2","attributes":{}}}'],
        ];
        for (const [service, check, path, body] of strange) {
            it(`that answers ${body} to ${path} fails at that check`, async () => {
                await simulator.fault({ path, status: 200, body });
                const isAccount = path.startsWith("/account");
                const { code, checks } = await json([service, ...(isAccount ? [] : ["--workspace", "ws-1"])]);
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
            assert.deepEqual(results(checks, "manager"), { reachable: "ok", access: "failed" });
            assert.match(
                find(checks, "manager", "access").advice ?? "",
                /No login method is mounted at auth\/elsewhere: enable it there, or name its mount/,
            );
            await simulator.fault({ path: "/role$", status: 404, body: '{"errors":[]}' });
            assert.match(
                find((await json(["manager"])).checks, "manager", "access").detail,
                /roles of auth\/clouda: 0$/,
            );
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
                assert.equal(find(checks, service, "access").result, "failed", service);
                assert.match(find(checks, service, "access").advice ?? "", /^Set a token/, service);
            }
            assert.match(find(checks, "manager", "access").detail, /403: .*invalid token/);
            assert.match(find(checks, "volumes", "access").detail, /403: Permission denied/);
            assert.match(find(checks, "stateVersions", "access").detail, /401/);
        });

        it("that may not list roles is told which capability it lacks", async () => {
            await simulator.fault({ path: "/role", status: 403, body: '{"errors":["permission denied"]}' });
            const { checks } = await json(["manager"]);
            assert.match(
                find(checks, "manager", "access").advice ?? "",
                /`list` on `auth\/clouda\/role`.*`vocabulary` to `product`/,
            );
        });

        it("that may not list volumes is told which permission it lacks", async () => {
            const { code, checks } = await json(["volumes"], {
                environment: environment({ STATECRAFT_VOLUMES_TOKEN: "powerless-token" }),
            });
            assert.equal(code, 1);
            assert.deepEqual(results(checks, "volumes"), { reachable: "ok", access: "failed" });
            assert.match(
                find(checks, "volumes", "access").advice ?? "",
                /the permission `namespace:csi-list-volume` on the namespace default/,
            );
        });

        it("of an organization is told to be one", async () => {
            const { code, checks } = await json(["stateVersions"], {
                environment: environment({ STATECRAFT_STATE_VERSIONS_TOKEN: "organization-token" }),
            });
            assert.equal(code, 1);
            assert.match(find(checks, "stateVersions", "access").advice ?? "", /an organization's token/);
        });

        it("that may only read a workspace is told what a rollback needs", async () => {
            const { code, checks } = await json(["stateVersions", "--workspace", "ws-1"], {
                environment: environment({ STATECRAFT_STATE_VERSIONS_TOKEN: "reader-token" }),
            });
            assert.equal(code, 1);
            assert.equal(
                find(checks, "stateVersions", "access").detail,
                "the token lacks can-create-state-versions, can-lock, can-unlock on ws-1",
            );
        });

        it("does not see a workspace that does not exist", async () => {
            const { checks } = await json(["stateVersions", "--workspace", "ws-9"]);
            assert.equal(find(checks, "stateVersions", "access").result, "failed");
            assert.equal(
                find(checks, "stateVersions", "access").advice,
                "The workspace does not exist, or the token may not see it",
            );
        });
    });

    describe("the report", () => {
        it("for programs has a version, a verdict and the checks", async () => {
            const { out } = await run(["--json", "volumes"]);
            const report = JSON.parse(out) as Record<string, unknown>;
            assert.deepEqual(Object.keys(report), ["version", "ok", "settings", "checks"]);
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
            await simulator.fault({
                path: "/v1/volumes",
                status: 400,
                body: `bad token ${token} and header planted-header`,
            });
            const { out } = await run(["volumes"], {
                environment: environment({ STATECRAFT_VOLUMES_HEADERS: '{"X-Key":"planted-header"}' }),
            });
            assert.match(out, /bad token \[secret\] and header \[secret\]/);
            assert.doesNotMatch(out, /Set a token/);
            assert.ok(!out.includes("planted-header"));
        });

        for (const [what, fault] of [
            ["the type of an answer", { status: 200, contentType: `text/${token}`, body: "{}" }],
            ["the address of a redirect", { status: 302, headers: { location: `${token}:` } }],
            ["an account", { status: 200, body: JSON.stringify({ data: { id: `${token} \u001b[2J\r\nAll well` } }) }],
        ] as const) {
            it(`holds no secret and no sign for the terminal in ${what}`, async () => {
                await simulator.fault({ path: "/account/details", ...fault });
                const { out } = await run(["stateVersions"]);
                assert.match(out, /\[secret\]/);
                assert.doesNotMatch(out, /(?!\n)\p{Cc}|^All well$/mu);
            });
        }
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
