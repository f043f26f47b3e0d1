import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/simulator/seed";
import { identityToken, withJson } from "../support/injector";
import { withSimulator } from "../support/simulator";
import { temporaryFolder } from "../support/temporary-folder";
import { describeSessions, statecraft } from "./support";

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
    afterEach(() => simulator.answerWith());
    const folder = temporaryFolder();

    const run = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
        const { url } = simulator;
        const servers = { VAULT_ADDR: url, VAULT_TOKEN: token, NOMAD_ADDR: url, NOMAD_TOKEN: token };
        return statecraft(["doctor", ...args], { ...servers, TFE_ADDRESS: url, TFE_TOKEN: token, ...environment });
    };
    const snapshot = (name: string, body = {}) => simulator.control("POST", `/simulator/snapshots/${name}`, body);
    const claim = (body: object) => simulator.control("POST", "/simulator/claims", { node: "node-1", ...body });

    const listed = (Schedulable: boolean, counts: object) => {
        const volumes = [{ ...volume("data", "disks"), Schedulable, ...counts }];
        return simulator.fault({ path: "/v1/volumes$", status: 200, body: JSON.stringify(volumes) });
    };
    const workspace = () => simulator.store.stateVersions.workspaces[0] ?? assert.fail();
    const version = (id: string) =>
        simulator.store.stateVersions.versions.find((each) => each.id === id) ?? assert.fail();
    beforeEach(() => {
        version("sv-2").raw = JSON.stringify(encrypted);
    });

    describeSessions(
        "doctor-checks",
        simulator,
        {
            "prints one list, and ends with 1 only if a finding is failed": async () => {
                await claim({ volume: "data" });
                await snapshot("daily");
            },
            "--snapshots finds a last snapshot that is old or missing": async () => {
                await simulator.control("POST", "/simulator/clock", { advance: -25 * 3600 });
                await snapshot("daily");
            },
            "--snapshots shows the error of the last snapshot without secrets": async () => {
                await snapshot("daily");
                await snapshot("weekly", { error: `no space for ${token}\u001b[2J` });
            },
            "--snapshots finds that there are none": () => simulator.control("POST", "/simulator/reset", {}),
            "--snapshots shows the start of the next one, and a status that Vault does not show": async () => {
                const data = {
                    last_snapshot_end: new Date().toISOString(),
                    next_snapshot_start: "2031-01-01T00:00:00Z",
                };
                await simulator.fault({ path: "/daily", status: 200, body: JSON.stringify({ data }) });
                await simulator.fault({ path: "/weekly", status: 403, body: '{"errors":["permission denied"]}' });
            },
            "--snapshots finds a status that Vault does not have": () =>
                simulator.fault({ path: "/status/", status: 404, body: '{"errors":[]}', times: 2 }),
            "--volumes finds plugins that are gone or unhealthy, and claims of ended allocations": async () => {
                const volumes = [volume("gone", "removed"), volume("sick", "broken")];
                await simulator.control("POST", "/simulator/seed", { volumes });
                await claim({ volume: "sick" });
                await claim({ volume: "data", status: "failed", job: `${token}\u001b[2J` });
            },
            "--volumes does not call a plugin gone that is healthy on more nodes than Nomad expects": () =>
                listed(false, { NodesHealthy: 4, NodesExpected: 0, ControllersHealthy: 4, ControllersExpected: 0 }),
            "--volumes warns of a plugin that is healthy on some nodes, and of an empty list": async () => {
                await claim({ volume: "data" });
                await listed(true, { NodesHealthy: 1, NodesExpected: 3 });
            },
            "--role fails without a configuration": () =>
                simulator.outside("DELETE", "/v1/auth/azure/config", undefined, { "x-vault-token": token }),
            "--rollback leaves out versions without content, and fails for a state that is not that of its record":
                () => {
                    version("sv-6").status = "discarded";
                    version("sv-5").serial = 9;
                },
            "--rollback fails for a state that is no state": () => {
                version("sv-6").raw = "<p>Log in</p>";
            },
            "--rollback fails for a state that cannot be downloaded": () =>
                simulator.fault({ path: "/v1/object/", status: 403 }),
            "--rollback warns of a state of which no part can come back": () => {
                const twice = {
                    mode: "managed",
                    type: "aws_vpc",
                    name: "a",
                    provider: "p",
                    instances: [{ attributes: {} }],
                };
                const state = JSON.parse(version("sv-5").raw ?? "");
                version("sv-5").raw = JSON.stringify({ ...state, resources: [twice, twice] });
            },
            "--rollback finds a lock, as the preview of a rollback does": () => {
                workspace().lock = { by: { type: "users", id: "user-9" }, reason: `freeze ${token}` };
            },
            "--rollback warns of auto-apply, as the preview of a rollback does": () => {
                workspace().autoApply = true;
            },
            "--rollback says that a service does not show rights": () =>
                simulator.answerWith(
                    withJson(/workspaces\/[\w-]+$/, ({ data }: { data: Record<"attributes", object> }) => ({
                        data: { ...data, attributes: { ...data.attributes, permissions: undefined } },
                    })),
                ),
        },
        (session) => assert.doesNotMatch(session.replace(/^\$ .*/gm, ""), /planted|(?!\n)\p{Cc}/u),
    );

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

    it("`--role` fails for a JWT that shows no location and no scale set, and for a file that is no regular one", async () => {
        const codeOf = async (role: string, file: string) => {
            const { code, out } = await run(["--role", role, "--jwt-file", file]);
            return `${code} ${/\[(.*)\]$/m.exec(out)?.[1]}`;
        };
        const [file, fifo] = [join(folder, "identity"), join(folder, "fifo")];
        writeFileSync(file, identityToken({ ...claims, xms_mirid: undefined }));
        execFileSync("mkfifo", [fifo]);
        for (const role of ["anyone", "scaled"]) assert.equal(await codeOf(role, file), "1 refused");
        for (const path of [folder, fifo]) assert.equal(await codeOf("web", path), "1 input");
    });
});
