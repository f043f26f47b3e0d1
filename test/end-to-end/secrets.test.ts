/** Planted tokens and secrets under the real engine, which is asked to log all that it can, and a server that repeats what it was sent. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEcho } from "../support/echo";
import { holdsNone, planted, plantedHeader } from "../support/planted";
import { type Outcome, workspace } from "../support/pulumi-cli";
import { World } from "../support/world";

const token = plantedHeader("token");
const configured = plantedHeader("configured token");
const key = { type: "service_account", private_key: planted("private key") };
const content = JSON.stringify({
    version: 4,
    serial: 1,
    lineage: "l",
    outputs: { a: { value: planted("in state") } },
    resources: [],
});
const [clientSecret, changed] = [planted("client secret"), planted("changed secret")];
const accessKey = planted("access key");
const values = {
    token,
    configured,
    clientSecret,
    changed,
    accessKey,
    key: key.private_key,
    inState: planted("in state"),
};

const program = (secret: string) => `
    const s = require("pulumi-statecraft");
    new s.AuthConfig("method", { tenantId: "t", resource: "r", clientSecret: ${JSON.stringify(secret)} });
    const snapshots = (name, storage) => new s.SnapshotConfig(name, { name, interval: "1h", storage });
    snapshots("one", { type: "cloudb-s3", pathPrefix: "p", bucket: "b", region: "r", accessKeyId: "public-1",
        secretAccessKey: ${JSON.stringify(accessKey)} });
    snapshots("two", { type: "cloudc-gcs", pathPrefix: "p/", bucket: "b", serviceAccountKey: ${JSON.stringify(key)} });
    new s.StateVersion("state", { workspaceId: "ws-1", content: ${JSON.stringify(content)}, inline: true, lock: true });
    new s.CsiVolume("data", { volumeId: "data", pluginId: "disks" });`;

/**
 * What Pulumi itself writes down of the secrets that it is given, where it is asked to log all: the engine every property that passes, at
 * level 9, and its SDK in the program what the engine answers, with `--debug`. No provider can change that.
 */
const pulumisOwn = /(Marshaling|Unmarshaling) property for RPC\[|RegisterResource RPC finished: /;

/** Every file below a folder, with what is in it. */
function filesBelow(folder: string): readonly (readonly [path: string, text: string])[] {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path, readFileSync(path, "utf8")] as const);
}

describe("secrets under the real engine", function () {
    // Four runs of the engine that write down everything they do.
    this.timeout(240_000);

    it("are in clear nowhere: state, screen, logs, temporary files and arguments of processes", async () => {
        const { descendants } = await import("../../scripts/processes.mjs");
        const folder = mkdtempSync(join(tmpdir(), "statecraft-secrets-"));
        const world = await World.start({
            plugins: [{ id: "disks", nodes: ["node-1"] }],
            workspaces: [{ id: "ws-1", name: "app", organization: "example" }],
        });
        const echo = await startEcho(world.url);
        const stack = await workspace({
            program: { source: program(clientSecret) },
            config: {
                "statecraft:manager": { address: echo.url, maxRetries: 0 },
                "statecraft:volumes": { address: echo.url, maxRetries: 0 },
                "statecraft:stateVersions": { address: `${echo.url}/api/v2`, maxRetries: 0 },
            },
            environment: {
                STATECRAFT_MANAGER_TOKEN: token,
                STATECRAFT_STATE_VERSIONS_TOKEN: token,
                STATECRAFT_LOG: "requests",
                TMPDIR: folder,
            },
        });
        const commands = new Set<string>();
        const watch = setInterval(() => {
            for (const pid of descendants(process.pid)) {
                try {
                    commands.add(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
                } catch {
                    // It ended meanwhile.
                }
            }
        }, 300);
        try {
            await stack.config("statecraft:volumes.token", configured, { secret: true });
            // Until here the test itself was the user, who typed a token.
            commands.clear();
            const read = (outcome: Outcome, code: "done" | "failed"): string => {
                assert.equal(outcome.code === 0, code === "done", outcome.stdout);
                return outcome.stdout + outcome.stderr + JSON.stringify(outcome.diagnostics);
            };
            const everything = ["--diff", "--debug", "--logtostderr", "-v=9"];
            const logged = read(await stack.up("--skip-preview=false", ...everything), "done");
            const ours = logged.split("\n").filter((line) => !pulumisOwn.test(line));
            assert.match(logged, pulumisOwn);
            holdsNone(values, ours.join("\n"), "the preview, the update and the engine's log, but for its own lines");
            assert.match(logged, /secrets manager: POST \/v1\/auth\/clouda\/config: 204, \d+ ms, try 1/);
            assert.match(logged, /volumes service: PUT \/v1\/volume\/csi\/data: 200, \d+ ms, try 1/);

            echo.retort = ({ method, path, headers, body }) =>
                method === "GET" || !path.endsWith("/config")
                    ? undefined
                    : {
                          status: 400,
                          headers: { "content-type": "application/json" },
                          body: JSON.stringify({ errors: [`no: ${body} ${JSON.stringify(headers)}`] }),
                      };
            stack.write(program(changed));
            const refused = read(await stack.up("--diff"), "failed");
            assert.match(
                refused,
                /AuthConfig auth\/clouda\/config: POST \/v1\/auth\/clouda\/config: 400: no: .*\[secret\]/,
            );
            holdsNone(values, refused, "the failure");

            // Its backend: state, history and backups.
            const kept = filesBelow(join(stack.folder, "..", "backend"));
            assert(kept.some(([, text]) => text.includes('"clientSecret"')));
            for (const [path, text] of kept) holdsNone(values, text, path);

            echo.retort = () => undefined;
            holdsNone(values, read(await stack.destroy(), "done"), "the destruction");
            for (const [path, text] of filesBelow(folder)) holdsNone(values, text, path);
            assert([...commands].some((command) => command.includes("pulumi up") || command.includes(" up ")));
            holdsNone(values, [...commands].join("\n"), "the arguments of processes");
        } finally {
            clearInterval(watch);
            stack.dispose();
            await echo.close();
            await world.close();
            rmSync(folder, { recursive: true });
        }
    });
});
