/** Plants a canary in every field and header of every answer, one at a time, and searches what each command prints for it. */

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { canaryToken } from "../support/canaries";
import type { Answer } from "../support/injector";
import { textsIn, withTexts } from "../support/planting";
import { withSimulator } from "../support/simulator";
import { productVariables } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";
import { statecraft } from "./support";

const state = (serial: number, type: string) => ({
    ...{ version: 4, terraform_version: "1.9.0", serial, lineage: "5d1c", outputs: { address: { value: "a" } } },
    resources: [{ mode: "managed", type, name: "web", provider: "p", instances: [{ attributes: { id: "i-1" } }] }],
});
const local = { interval: "24h", path_prefix: "/snapshots", storage_type: "local", local_max_space: 1_000_000 };
const bounds = { bound_locations: ["north"], bound_service_principal_ids: ["principal-1"] };
const file = join(temporaryFolder(), "state.json");

const commands = [
    "doctor",
    "doctor --snapshots --volumes",
    "doctor --role web",
    "doctor --rollback acme/web",
    "doctor --role web --json",
    "history acme/web",
    "history acme/web --json",
    "history acme/web --count",
    "history acme/web --diff sv-1",
    `history acme/web --save sv-1 ${file}`,
    "rollback acme/web sv-1 --yes",
    "lock acme/web",
    "unlock acme/web --yes",
    `import --out ${file}`,
];

/** A text with the secret where commands cut a commit and the message of a run, and with characters that would control a terminal. */
const hostile = `${canaryToken} ${"x".repeat(27)} ${canaryToken}\u001b[2J\r\nAll well.\u202e`;

const jsonOf = ({ body }: Answer): unknown => {
    try {
        return JSON.parse(body.toString());
    } catch {
        return undefined;
    }
};

describe("no command prints a secret or a control character of an answer", () => {
    const simulator = withSimulator({
        tokens: [{ token: canaryToken, kind: "user", id: "user-1", sudo: true }],
        ...{ loginConfigs: [{ fields: { tenant_id: "t", resource: "https://vault.example" } }] },
        ...{ roles: [{ name: "web", fields: bounds }], snapshotConfigs: [{ name: "daily", fields: local }] },
        ...{ plugins: [{ id: "disks", nodes: ["node-1"] }] },
        volumes: [{ ID: "data", Namespace: "default", PluginID: "disks", RequestedCapabilities: [{}] }],
        workspaces: [
            {
                ...{ id: "ws-1", name: "web", organization: "acme" },
                locked: { by: { type: "users", id: "user-7" }, reason: "freeze" },
                runs: [{ id: "run-1", message: "Begin", createdBy: "ann", status: "planned" }],
                stateVersions: [
                    { id: "sv-1", createdAt: "2026-01-01T08:00:00Z", state: state(1, "aws_vpc") },
                    {
                        ...{ id: "sv-2", createdAt: "2026-01-01T09:00:00Z", state: state(2, "aws_db"), run: "run-1" },
                        vcsCommit: { sha: "0123456789abcdef", url: "https://code.example/0123" },
                    },
                ],
            },
        ],
    });
    beforeEach(() =>
        simulator.control("POST", "/simulator/claims", { volume: "data", node: "node-1", status: "failed" }),
    );
    afterEach(() => {
        simulator.answerWith();
        rmSync(file, { force: true });
    });

    const run = (command: string) => {
        rmSync(file, { force: true });
        // `--count` downloads the state of a version that is not processed.
        const unprocessed = command.includes("--count") ? Number.MAX_VALUE : 0;
        for (const version of simulator.store.stateVersions.versions) version.processing = unprocessed;
        const settings = { STATECRAFT_VAULT_MAX_RETRIES: "0", STATECRAFT_NOMAD_MAX_RETRIES: "0" };
        const environment = { ...productVariables(simulator), ...settings, STATECRAFT_TERRAFORM_MAX_RETRIES: "0" };
        return statecraft(command.split(" "), environment);
    };

    /** The places by what prints them: `--count` prints the same table, and every command reads headers alike. All states and versions are one place. */
    const searched = new Set<string>();
    const placeIn = (path: string) => path.replace(/\b(sv-\d|object-\w+)/, ":id");

    for (const command of commands) {
        it(`\`${command.replace(file, "FILE")}\``, async () => {
            /** The fields and headers of the answers, by the paths of the requests. */
            const places = new Set<string>();
            simulator.answerWith(async ({ path }, act) => {
                const answer = await act();
                const at = placeIn(path);
                for (const [, field] of textsIn(jsonOf(answer))) places.add(JSON.stringify([at, "body", field]));
                for (const name of Object.keys(answer.headers)) places.add(JSON.stringify([at, "header", name]));
                return answer;
            });
            await run(command);
            assert(places.size > 3, [...places].join());
            for (const place of places) {
                const [at, part, name = ""]: string[] = JSON.parse(place);
                const printed = (part === "header" ? "" : command.replace(" --count", "")) + place;
                if (searched.has(printed)) continue;
                searched.add(printed);
                simulator.answerWith(async ({ path }, act) => {
                    const answer = await act();
                    if (placeIn(path) !== at) return answer;
                    const text = hostile.replace(/[^ -~]/g, "");
                    if (part === "header") return { ...answer, headers: { ...answer.headers, [name]: text } };
                    const planted = withTexts(jsonOf(answer), (text, field) => (field === name ? hostile : text));
                    return { ...answer, body: Buffer.from(JSON.stringify(planted)) };
                });
                const { out, complaints } = await run(command);
                for (const text of [out, complaints]) {
                    assert(!text.includes(canaryToken.slice(0, 8)), `${place}: ${text}`);
                    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}]/u, place);
                }
            }
        }).timeout(120_000);
    }
});
