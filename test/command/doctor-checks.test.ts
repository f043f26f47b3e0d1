import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/simulator/seed";
import { identityToken, withJson } from "../support/injector";
import { withSimulator } from "../support/simulator";
import { temporaryFolder } from "../support/temporary-folder";
import { statecraft } from "./support";

const token = "planted-token-5e1c";
const local = { interval: "24h", path_prefix: "/snapshots", storage_type: "local", local_max_space: 1_000_000 };
const volume = (ID: string, PluginID: string, Namespace = "default") => {
    return { ID, Namespace, PluginID, RequestedCapabilities: [{}] };
};
const bounds = {
    ...{ bound_service_principal_ids: ["Principal-1"], bound_group_ids: ["group-1", "group-2"] },
    ...{ bound_subscription_ids: ["s-1"], bound_resource_groups: ["prod"] },
};
const stateOf = (serial: number, more: object = {}) => ({
    version: 4,
    serial,
    lineage: "5d1c",
    resources: [],
    ...more,
});
const encrypted = { serial: 2, lineage: "5d1c", encrypted_data: "planted-data", encryption_version: "v0" };
const seed: Seed = {
    tokens: [
        { token, kind: "user", id: "user-1" },
        { token: "planted-reader", kind: "user", id: "user-2", access: "read" },
    ],
    workspaces: [
        {
            ...{ id: "ws-1", name: "web", organization: "acme" },
            stateVersions: [
                stateOf(1, { lineage: "gone" }),
                stateOf(2),
                stateOf(3, { version: 3 }),
                stateOf(4, { lineage: "other" }),
                stateOf(5),
                stateOf(6, { outputs: { password: { value: "planted-output" } } }),
            ].map((state, index) => ({ id: `sv-${index + 1}`, createdAt: `2026-01-0${index + 1}T08:00:00Z`, state })),
        },
        { id: "ws-2", name: "empty", organization: "acme" },
    ],
    logins: [{ at: "jwt", name: "web", ttl: 60 }],
    snapshotConfigs: ["daily", "weekly"].map((name) => ({ name, fields: local })),
    plugins: [
        { id: "disks", nodes: ["node-1"] },
        { id: "broken", nodes: ["node-1"], healthy: false },
    ],
    volumes: [volume("data", "disks"), volume("logs", "disks", "team a")],
    loginConfigs: [{ fields: { tenant_id: "t", resource: "https://vault.example" } }],
    roles: [
        { name: "open", fields: { bound_locations: ["north"] } },
        { name: "stars", fields: { bound_group_ids: ["*"], bound_service_principal_ids: ["*"] } },
        { name: "scaled", fields: { bound_service_principal_ids: ["principal-1"], bound_scale_sets: ["set-1"] } },
        { name: "anyone", fields: { bound_locations: ["north"], bound_service_principal_ids: ["*"] } },
        { name: "web", fields: bounds },
    ],
};

describe("statecraft doctor with checks", () => {
    const simulator = withSimulator(seed);
    const folder = temporaryFolder();

    const run = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
        const { url } = simulator;
        const servers = { VAULT_ADDR: url, VAULT_TOKEN: token, NOMAD_ADDR: url, NOMAD_TOKEN: token };
        return statecraft(["doctor", ...args], { ...servers, TFE_ADDRESS: url, TFE_TOKEN: token, ...environment });
    };
    /** The level, code and object of each finding, and the exit code. */
    const found = async (...args: readonly string[]): Promise<(string | number)[]> => {
        const { code, out } = await run([...args, "--json"]);
        const findings: Record<"level" | "code" | "about", string>[] = JSON.parse(out);
        return [...findings.map(({ level, code, about }) => `${level} ${code} ${about}`), code];
    };
    const snapshot = (name: string, body = {}) => simulator.control("POST", `/simulator/snapshots/${name}`, body);
    const claim = (body: object) => simulator.control("POST", "/simulator/claims", { node: "node-1", ...body });

    it("prints one list, and ends with 1 only if a finding is `failed`", async () => {
        await claim({ volume: "data" });
        await snapshot("daily");
        const { code, out } = await run(["--volumes", "--snapshots"]);
        const levels = out.match(/^(ok|warning|failed)(?= .*[.\]]$)/gm);
        assert.deepEqual([levels, code], [["ok", "failed", "ok", "warning"], 1]);
        assert.equal((await run(["--volumes"])).code, 0);
        assert.deepEqual(await simulator.writes(), []);
        const login = { STATECRAFT_VAULT_LOGIN: '{"mount":"jwt","role":"web","jwtVariable":"JOB"}', VAULT_TOKEN: "" };
        assert.equal((await run(["--snapshots"], { ...login, JOB: "e30.e30.s" })).out.match(/denied/), null);
        assert.match(JSON.stringify(await simulator.writes()), /jwt\/login.*revoke-self/);
        const refused = await run(["--volumes", "--snapshots"], { NOMAD_TOKEN: "wrong", VAULT_ADDR: "" });
        assert.match(refused.out, /^failed .*VAULT_ADDR.*\[config\]\nfailed .*csi-list-volume.*\[denied\]$/);
    });

    it("`--snapshots` finds an error, and a last snapshot that is old or missing", async () => {
        await simulator.control("POST", "/simulator/clock", { advance: -25 * 3600 });
        await snapshot("daily");
        assert.deepEqual(await found("--snapshots"), ["ok  snapshots daily", "failed stale snapshots weekly", 1]);
        await snapshot("weekly");
        assert.equal((await run(["--snapshots", "--max-age", "24h"])).out.match(/\[stale\]$/gm)?.length, 2);
        await snapshot("weekly", { error: `no space for ${token}\u001b[2J` });
        assert.deepEqual(await found("--snapshots"), ["ok  snapshots daily", "failed snapshot snapshots weekly", 1]);
        assert.match((await run(["--snapshots"])).out, /no space for \[secret\][^\p{Cc}]*\[snapshot\]$/u);
        await simulator.control("POST", "/simulator/reset", {});
        assert.deepEqual(await found("--snapshots"), ["failed stale snapshots", 1]);
    });

    it("`--snapshots` shows the start of the next one, and a status that Vault does not have or show", async () => {
        const data = { last_snapshot_end: new Date().toISOString(), next_snapshot_start: "2031-01-01T00:00:00Z" };
        await simulator.fault({ path: "/daily", status: 200, body: JSON.stringify({ data }) });
        await simulator.fault({ path: "/weekly", status: 403, body: '{"errors":["permission denied"]}' });
        const { out } = await run(["--snapshots"]);
        assert.match(out, /^ok .*2031-01-01T00:00:00Z.*\nfailed {2}snapshots weekly: .*\[denied\]$/);
        await simulator.fault({ path: "/status/", status: 404, body: '{"errors":[]}', times: 2 });
        assert.deepEqual((await found("--snapshots"))[0], "failed stale snapshots daily");
    });

    it("`--volumes` finds plugins that are gone or unhealthy, and claims of ended allocations", async () => {
        const volumes = [volume("gone", "removed"), volume("sick", "broken")];
        await simulator.control("POST", "/simulator/seed", { volumes });
        await claim({ volume: "sick" });
        await claim({ volume: "data", status: "failed", job: `${token}\u001b[2J` });
        assert.deepEqual(await found("--volumes"), [
            "failed ended-claims volume data in namespace default",
            "failed unhealthy volume gone in namespace default",
            "warning unused volume gone in namespace default",
            "failed unhealthy volume sick in namespace default",
            "warning unused volume logs in namespace team a",
            1,
        ]);
        const { out } = await run(["--volumes"]);
        assert.doesNotMatch(out, /planted|(?!\n)\p{Cc}/u);
        const commands = ["system gc", "plugin status removed", "volume deregister -namespace='team a' logs"];
        for (const command of commands) assert(out.includes(`\`nomad ${command}\``), command);
    });

    it("`--volumes` does not call a plugin gone that is healthy on more nodes than Nomad expects", async () => {
        const counts = { NodesHealthy: 4, NodesExpected: 0, ControllersHealthy: 4, ControllersExpected: 0 };
        const listed = { ...volume("data", "disks"), Schedulable: false, ...counts };
        await simulator.fault({ path: "/v1/volumes$", status: 200, body: JSON.stringify([listed]) });
        const { out } = await run(["--volumes"]);
        assert.match(out, /healthy on 4 of 0 nodes .*miscounted.*\[unhealthy\]/);
    });

    it("`--volumes` warns of a plugin that is healthy on some nodes, and of an empty list", async () => {
        await claim({ volume: "data" });
        const listed = { ...volume("data", "disks"), Schedulable: true, NodesHealthy: 1, NodesExpected: 3 };
        await simulator.fault({ path: "/v1/volumes$", status: 200, body: JSON.stringify([listed]) });
        assert.deepEqual(await found("--volumes"), ["warning unhealthy volume data in namespace default", 0]);
        assert.match((await run(["--volumes"], { NOMAD_NAMESPACE: "empty" })).out, /^warning .*\[unused\]$/);
    });

    const machine = "/subscriptions/S-1/resourcegroups/PROD/providers/Microsoft.Compute/virtualMachines/vm-1";
    const claims = { aud: "https://vault.example", oid: "principal-1", groups: ["group-2"], xms_mirid: machine };
    const identity = machine.replace(/Microsoft.*/, "Microsoft.ManagedIdentity/userAssignedIdentities/app");
    for (const [setting, changed, code] of [
        ["nothing", {}, 0],
        ["resource", { aud: "https://Vault.example" }, 1],
        ["boundServicePrincipalIds", { oid: "principal-2" }, 1],
        ["boundGroupIds", { groups: undefined }, 1],
        ["more than 200.* boundGroupIds", { groups: undefined, _claim_names: { groups: "src1" } }, 1],
        ["boundSubscriptionIds", { xms_mirid: machine.replace("S-1", "s-2") }, 1],
        ["boundResourceGroups", { xms_mirid: machine.replace("PROD", "test") }, 1],
        ["boundSubscriptionIds", { xms_az_rid: machine.replace("S-1", "s-2"), xms_mirid: identity }, 1],
        ["warning.* boundResourceGroups", { xms_mirid: identity }, 0],
        ["warning.* boundResourceGroups", { xms_mirid: undefined }, 0],
    ] as const) {
        it(`\`--role\` says what refuses a JWT, and sends it nowhere: ${setting}`, async () => {
            const file = join(folder, "jwt");
            const jwt = identityToken({ ...claims, ...changed });
            writeFileSync(file, `${jwt}\n`);
            const ended = await run(["--role", "WEB", "--jwt-file", file]);
            assert.equal(ended.code, code);
            assert.match(ended.out, new RegExp(`${setting}.* .*(\\[refused\\]|\\[not-shown\\]|refused\\.)`));
            assert(!JSON.stringify(await simulator.requests()).includes(jwt.split(".")[1] ?? assert.fail()));
        });
    }

    it("`--role` fails without a role, a configuration or a JWT, and for a role to which nobody can log in", async () => {
        assert.deepEqual(await found("--role", "web"), ["ok  role web", 0]);
        assert.deepEqual(await found("--role", "open"), ["failed refused role open", 1]);
        assert.deepEqual(await found("--role", "stars"), ["failed refused role stars", 1]);
        assert.deepEqual(await found("--role", "anyone"), ["ok  role anyone", 0]);
        // A login that names no machine of the JWT shows Vault no location and no scale set.
        const file = join(folder, "identity");
        writeFileSync(file, identityToken({ ...claims, xms_mirid: undefined }));
        for (const role of ["anyone", "scaled"])
            assert.deepEqual(await found("--role", role, "--jwt-file", file), [`failed refused role ${role}`, 1]);
        assert.deepEqual(await found("--role", "none"), ["failed absent role none", 1]);
        assert.deepEqual(await found("--role", "web", "--mount", "other"), ["failed service role web", 1]);
        const fifo = join(folder, "fifo");
        execFileSync("mkfifo", [fifo]);
        for (const path of [folder, fifo])
            assert.deepEqual(await found("--role", "web", "--jwt-file", path), ["failed input role web", 1]);
        await simulator.outside("DELETE", "/v1/auth/azure/config", undefined, { "x-vault-token": token });
        assert.deepEqual(await found("--role", "web"), ["failed absent role web", 1]);
    });

    describe("--rollback", () => {
        const versions = ["ok  version sv-6", "ok  version sv-5"];
        const others = ["warning content version sv-4", "warning content version sv-3", "warning content version sv-2"];
        const workspace = () => simulator.store.stateVersions.workspaces[0] ?? assert.fail();
        const version = (id: string) =>
            simulator.store.stateVersions.versions.find((each) => each.id === id) ?? assert.fail();
        beforeEach(() => {
            version("sv-2").raw = JSON.stringify(encrypted);
        });

        it("reads the newest five states, and prints nothing of them", async () => {
            const expected = ["ok  workspace acme/web", ...versions, ...others, 0];
            assert.deepEqual(await found("--rollback", "acme/web"), expected);
            const { out } = await run(["--rollback", "ws-1"]);
            assert.doesNotMatch(out, /planted/);
            assert.deepEqual(out.match(/lineage|encrypted|format/g), ["lineage", "format", "encrypted"]);
            assert.deepEqual(await simulator.writes(), []);
        });

        it("leaves out versions without content, and fails for a state that is not that of its record", async () => {
            version("sv-6").status = "discarded";
            version("sv-5").serial = 9;
            const [, newest, ...rest] = await found("--rollback", "acme/web");
            assert.deepEqual([newest, rest.length, rest.at(-1)], ["failed serial version sv-5", 5, 1]);
            version("sv-5").raw = "<p>Log in</p>";
            assert.equal((await found("--rollback", "acme/web"))[1], "failed content version sv-5");
            await simulator.fault({ path: "/v1/object/", status: 403 });
            assert.equal((await found("--rollback", "acme/web"))[1], "failed denied version sv-5");
            assert.deepEqual(await found("--rollback", "acme/empty"), ["warning absent workspace acme/empty", 0]);
        });

        it("warns of a state of which no part can come back", async () => {
            const twice = {
                mode: "managed",
                type: "aws_vpc",
                name: "a",
                provider: "p",
                instances: [{ attributes: {} }],
            };
            const state = JSON.parse(version("sv-5").raw ?? "");
            version("sv-5").raw = JSON.stringify({ ...state, resources: [twice, twice] });
            const { out } = await run(["--rollback", "acme/web"]);
            assert.match(out, /^warning version sv-5: .*only a rollback to the whole version is possible/m);
        });

        it("finds what the preview of a rollback finds: a lock, a missing right, an open run and auto-apply", async () => {
            workspace().lock = { by: { type: "users", id: "user-9" }, reason: `freeze ${token}` };
            const locked = await run(["--rollback", "acme/web"]);
            assert.match(locked.out, /^failed {2}workspace acme\/web: .*user-9.*freeze.*\[locked\]$/m);
            const reader = await run(["--rollback", "acme/web"], { TFE_TOKEN: "planted-reader" });
            assert.deepEqual([reader.code, reader.out.match(/^failed .*\[\w+\]$/gm)?.length], [1, 3]);
            assert.match(reader.out, /can-create-state-versions.*\[denied\]$/m);
            Object.assign(workspace(), { lock: null, autoApply: true });
            assert.equal((await found("--rollback", "ws-1"))[0], "warning preview workspace ws-1");
            assert.doesNotMatch(locked.out, /planted/);
        });

        it("says that a service does not show rights, and that a workspace does not exist", async () => {
            simulator.answerWith(
                withJson(/workspaces\/[\w-]+$/, ({ data }: { data: Record<"attributes", object> }) => ({
                    data: { ...data, attributes: { ...data.attributes, permissions: undefined } },
                })),
            );
            assert.equal((await found("--rollback", "acme/web"))[0], "warning not-shown workspace acme/web");
            simulator.answerWith();
            assert.deepEqual(await found("--rollback", "acme/none"), ["failed absent workspace acme/none", 1]);
        });
    });
});
