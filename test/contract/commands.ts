/** Runs every command of `test/documents/commands.ts` with the real program. Vault and Nomad are those of `STATECRAFT_CONTRACT_…_ADDRESS`. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { printedCommands, wayOf } from "../documents/commands";
import { Shell } from "../support/shell";
import { Simulator } from "../support/simulator";
import { done, leaveOut, onStage } from "../support/stack";

const fields = { tenant_id: "t", resource: "r" };
const local = { interval: "1h", path_prefix: "/p", storage_type: "local", local_max_space: 1_000_000 };
const capability = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const seed = {
    ...demonstration,
    namespaces: ["team-a"],
    roles: ["web", "dev"].map((name) => ({ name, fields: { bound_service_principal_ids: ["p"] } })),
    loginConfigs: [{ fields }, { fields, namespace: "team" }],
    snapshotConfigs: [{ name: "hourly", fields: local }],
    volumes: [{ ID: "data", Namespace: "prod", PluginID: "disks", RequestedCapabilities: [capability] }],
};
const storage = { type: "local", pathPrefix: "/p", maxSpace: 1_000_000 };
const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
const resources = {
    api: { type: "statecraft:AuthRole", properties: { name: "api", boundGroupIds: ["g"] } },
    daily: { type: "statecraft:SnapshotConfig", properties: { name: "daily", interval: "24h", storage } },
    disk: { type: "statecraft:CsiVolume", properties: { volumeId: "disk", pluginId: "disks", ...modes } },
    undo: { type: "statecraft:StateVersionRollback", properties: { workspaceId: "ws-1", stateVersionId: "sv-3" } },
};
const { STATECRAFT_TOFU = "" } = process.env;
const shared = { REPOSITORY: join(__dirname, "..", ".."), STATECRAFT_TOFU };
const server = (product: string) => ({
    [`${product}_ADDR`]: process.env[`STATECRAFT_CONTRACT_${product}_ADDRESS`],
    [`${product}_TOKEN`]: process.env[`STATECRAFT_CONTRACT_${product}_TOKEN`],
});

/** Commands that need no deployed stack. */
const withoutState = /^pulumi (config|do|install|login|package|plugin|schema) ?/;

describe("the commands of pages and messages, with the real programs", function () {
    this.timeout(120_000);
    for (const command of printedCommands()) {
        it(command, async function () {
            const {
                on = "simulator",
                before = "",
                values = {},
                codes = [0],
                by,
                never = by && `${by} runs it`,
            } = wayOf(command) ?? assert.fail("no way to run it");
            if (never) leaveOut(this, never);
            if (on === "terraform" && !existsSync(STATECRAFT_TOFU)) leaveOut(this, "STATECRAFT_TOFU names no OpenTofu");
            const text = Object.entries(values).reduce(
                (all, [what, value]) => all.replace(new RegExp(what), () => value),
                command,
            );
            const runIn = async (shell: Shell) => {
                const { code, text: out } = await shell.run(`set -e\n${before}${text}`);
                assert(codes.includes(code), `${code}: ${out}`);
            };
            if (on === "stack") {
                const test: Parameters<typeof onStage>[2] = async ({ simulator, stack }) => {
                    if (!withoutState.test(command)) done(await stack.up());
                    await runIn(new Shell(stack.folder, simulator.url, stack.environment));
                };
                const environment = { ...shared, PULUMI_SKIP_CONFIRMATIONS: "true" };
                return onStage(seed, { yaml: { resources } }, test, environment, { names: "product" });
            }
            const simulator = await Simulator.start(seed, "product");
            const environment = { ...shared, ...(/^(vault|nomad)$/.test(on) && server(on.toUpperCase())) };
            const shell = new Shell(mkdtempSync(join(tmpdir(), "statecraft-command-")), simulator.url, environment);
            try {
                await runIn(shell);
            } finally {
                await simulator.close();
                rmSync(shell.folder, { recursive: true });
            }
        });
    }
});
