/** Runs the commands that pages show, on a terminal, and compares what they print with the page. `RECORD=1` writes it into the page. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../src/simulator/demonstration";
import type { Seed } from "../src/simulator/seed";
import { identityToken } from "./support/injector";
import { filesIn, root, textOf } from "./support/repository";
import { Shell } from "./support/shell";
import { Simulator } from "./support/simulator";
import { temporaryFolder } from "./support/temporary-folder";

const pages = ["README.md", "examples/README.md", ...filesIn("docs").filter((file) => file.endsWith(".md"))];
const shown = /^```console\n([\s\S]*?)^```$/gm;

/** The demonstration, whose newest version is 18 hours old. */
const age = Date.now() - Date.parse("2026-01-09T03:00:00Z");
const recent: Seed = JSON.parse(JSON.stringify(demonstration), (name, value) =>
    name === "createdAt" ? new Date(Date.parse(value) + age).toISOString().replace(/\.\d+/, "") : value,
);
const disks = { id: "disks", controllerRequired: true, nodes: ["node-1", "node-2"] };
const local = { interval: "72h", path_prefix: "/snapshots", storage_type: "local", local_max_space: 1_000_000 };
const volume = (ID: string, Namespace: string, PluginID: string) => ({
    ...{ ID, Namespace, PluginID, RequestedCapabilities: [{ AccessMode: "a", AttachmentMode: "b" }] },
});
const state = { version: 4, serial: 1, lineage: "5d1c", outputs: {}, resources: [] };
const claims = { aud: "https://management.azure.com", oid: "9a1f0c5e-0000-4000-8000-000000000003" };

/** What a page finds on the servers: the demonstration, or a seed of its own, and what happens before its commands run. */
const worlds: Readonly<
    Record<string, { seed: Seed; before?: (simulator: Simulator, shell: Shell) => Promise<unknown> }>
> = {
    "docs/tasks/import-a-server.md": {
        seed: demonstration,
        before: async (_, shell) => {
            const [, setup = ""] =
                /^ {2}```sh\n([\s\S]*?)^ {2}```$/m.exec(textOf("docs/tasks/import-a-server.md")) ?? [];
            assert.equal((await shell.run(`set -e\n${setup}`)).code, 0);
        },
    },
    "docs/doctor.md": {
        seed: {
            namespaces: ["team-a"],
            snapshotConfigs: ["daily", "hourly"].map((name) => ({ name, fields: local })),
            plugins: [disks, { ...disks, id: "ebs", healthy: false }],
            volumes: [volume("logs", "team-a", "ebs"), volume("old", "default", "disks")],
            loginConfigs: [{ fields: { tenant_id: "t", resource: "https://management.azure.com/" } }],
            roles: [
                { name: "web", fields: { bound_service_principal_ids: [claims.oid], bound_locations: ["westeurope"] } },
            ],
            workspaces: [
                {
                    ...{ id: "ws-1", name: "web", organization: "acme", autoApply: true },
                    stateVersions: [
                        { id: "sv-8", state: { ...state, serial: 2, version: 3 } },
                        { id: "sv-9", state: { ...state, serial: 3 } },
                    ],
                },
            ],
        },
        before: async (simulator, shell) => {
            const at = (advance: number) => simulator.control("POST", "/simulator/clock", { advance });
            await at(-28 * 3600);
            await simulator.control("POST", "/simulator/snapshots/daily", {});
            await at(28 * 3600);
            await simulator.control("POST", "/simulator/snapshots/hourly", { error: "not enough space left" });
            writeFileSync(join(shell.folder, "jwt"), identityToken(claims));
        },
    },
};

/** A printed text with names instead of random ids, of this machine and of its user. */
const asShown = (text: string) =>
    text
        .replace(/\bsv-[0-9a-f]{16}\b/g, "sv-5")
        .replace(/\buser-[0-9a-f]{8}\b/g, "user-1")
        .replace(/\[statecraft (\w+) \S+@\S+ (\S+) [0-9a-f]{16}\]/g, "[statecraft $1 jane@laptop $2 8c1f0d2e6a4b7395]");

/** A text without what differs in each run: times and ages. */
const lasting = (text: string) =>
    text
        .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+]*/g, "<time>")
        .replace(/\b[\d.]+ ?(s|min|h|d)\b/g, "<age>")
        .replace(/ +/g, " ");

describe("what a page shows of a command is what the command prints", () => {
    for (const page of pages.filter((file) => textOf(file).match(shown))) {
        it(page, async () => {
            const { seed, before } = worlds[page] ?? { seed: recent };
            const simulator = await Simulator.start(seed, "product");
            const shell = new Shell(temporaryFolder(), simulator.url);
            try {
                await before?.(simulator, shell);
                for (const [block, text = ""] of textOf(page).matchAll(shown)) {
                    const commands = [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
                    assert(
                        commands.length > 0 && text.startsWith("$ "),
                        `${page}: a block of code begins without a command`,
                    );
                    let printed = "";
                    for (const command of commands)
                        printed += `$ ${command}\n${asShown((await shell.run(command)).text)}`;
                    if (process.env["RECORD"] === "1" && lasting(printed) !== lasting(text))
                        writeFileSync(
                            join(root, page),
                            textOf(page).replace(block, () => `\`\`\`console\n${printed}\`\`\``),
                        );
                    else assert.equal(lasting(text), lasting(printed));
                }
            } finally {
                await simulator.close();
            }
        }).timeout(120_000);
    }
});
