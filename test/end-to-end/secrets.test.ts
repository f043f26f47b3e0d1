/** Runs the real engine with all its logs, and asserts that no output or file contains a planted token or secret, even if a server quotes requests. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canary, canaryHeader, formsOf, holdsNone, tracesOf } from "../support/canaries";
import { descendants } from "../support/process-tree";
import { type Outcome, workspace } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";
import { stepsOf } from "../support/stack";

const token = canaryHeader("token");
const configured = canaryHeader("configured token");
const key = { type: "service_account", private_key: canary("private key") };
const content = JSON.stringify({
    version: 4,
    serial: 1,
    lineage: "l",
    outputs: { a: { value: canary("in state") } },
    resources: [],
});
const values = {
    token,
    configured,
    clientSecret: canary("client secret"),
    changedSecret: canary("changed secret"),
    accessKey: canary("access key"),
    outsideKey: canary("outside key"),
    changedKey: canary("changed key"),
    accountKey: canary("account key"),
    key: key.private_key,
    inState: canary("in state"),
};

/** The first values of the inputs that the test changes. */
const first = { clientSecret: values.clientSecret, retryDelay: "5s", accessKey: values.accessKey };

const program = (inputs: typeof first) => `
    const s = require("pulumi-statecraft");
    const method = new s.AuthConfig("method", { tenantId: "t", resource: "r",
        clientSecret: ${JSON.stringify(inputs.clientSecret)}, retryDelay: "${inputs.retryDelay}" });
    new s.RootRotation("rotation", {}, { dependsOn: method });
    exports.shown = s.getAuthConfigOutput({ mount: method.mount }).clientSecret;
    const snapshots = (name, storage) => new s.SnapshotConfig(name, { name, interval: "1h", storage });
    snapshots("one", { type: "cloudb-s3", pathPrefix: "p", bucket: "b", region: "r", accessKeyId: "public-1",
        secretAccessKey: ${JSON.stringify(inputs.accessKey)} });
    snapshots("two", { type: "cloudc-gcs", pathPrefix: "p/", bucket: "b", serviceAccountKey: ${JSON.stringify(key)} });
    snapshots("three", { type: "clouda-blob", pathPrefix: "p/", container: "c", accountKey: ${JSON.stringify(values.accountKey)} });
    new s.StateVersion("state", { workspaceId: "ws-1", content: ${JSON.stringify(content)}, inline: true, lock: true });
    new s.CsiVolume("data", { volumeId: "data", pluginId: "disks" });`;

const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/one";

/** Lines in which Pulumi itself logs secrets, with `-v=9` and `--debug`. A provider cannot prevent these. */
const pulumisOwn = /(Marshaling|Unmarshaling) property for RPC\[|RegisterResource RPC finished: /;

/** Returns the texts of all files below a folder. Skips files that are deleted during the search. */
function filesBelow(folder: string): readonly (readonly [path: string, text: string])[] {
    const unlessGone = <Result>(look: () => readonly Result[]): readonly Result[] => {
        try {
            return look();
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
            throw error;
        }
    };
    return unlessGone(() => readdirSync(folder, { withFileTypes: true })).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return filesBelow(path);
        return entry.isFile() ? unlessGone(() => [[path, readFileSync(path, "utf8")] as const]) : [];
    });
}

describe("secrets under the real engine: state, screen, logs, temporary files, arguments of processes", () => {
    it("contain no unencrypted secret and no token", async () => {
        const folder = mkdtempSync(join(tmpdir(), "statecraft-secrets-"));
        const simulator = await Simulator.start(
            {
                plugins: [{ id: "disks", nodes: ["node-1"] }],
                workspaces: [{ id: "ws-1", name: "app", organization: "example" }],
            },
            "documented",
        );
        const stack = await workspace({
            program: { source: program(first) },
            config: {
                "statecraft:manager": { address: simulator.url, maxRetries: 0 },
                "statecraft:volumes": { address: simulator.url, maxRetries: 0 },
                "statecraft:stateVersions": { address: `${simulator.url}/api/v2`, maxRetries: 0 },
            },
            environment: {
                STATECRAFT_MANAGER_TOKEN: token,
                STATECRAFT_STATE_VERSIONS_TOKEN: token,
                STATECRAFT_LOG: "requests",
                TMPDIR: folder,
            },
        });
        // Proves that the search finds planted values in temporary files.
        const control = canary("control");
        const controlFile = join(folder, "control");
        writeFileSync(controlFile, formsOf(control)["in base64"] ?? "");
        const temporary = new Map<string, string>();
        const traces: string[] = [];
        const searchTemporary = () => {
            for (const [path, text] of filesBelow(folder)) {
                if (temporary.get(path) === text) continue;
                temporary.set(path, text);
                traces.push(...tracesOf({ ...values, control }, text).map((trace) => `${path}: ${trace}`));
            }
        };
        const onlyControlIsFound = () => {
            const [found = "", ...more] = traces;
            assert.match(found, /: control, in base64: /, "temporary files are searched");
            assert.deepEqual(more, [], "planted values in temporary files");
        };

        const commands = new Set<string>();
        const watch = setInterval(() => {
            searchTemporary();
            for (const pid of descendants(process.pid)) {
                try {
                    commands.add(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
                } catch {
                    // The process has ended.
                }
            }
        }, 300);
        try {
            await stack.config("statecraft:volumes.token", configured, { secret: true });
            // The test passed the token as an argument of `pulumi config set`.
            commands.clear();
            const read = (outcome: Outcome, code: "done" | "failed"): string => {
                assert.equal(outcome.code === 0, code === "done", outcome.stdout);
                return outcome.stdout + outcome.stderr + JSON.stringify(outcome.diagnostics);
            };
            const everything = ["--diff", "--debug", "--logtostderr", "-v=9"];
            const up = await stack.up("--skip-preview=false", ...everything);
            const logged = read(up, "done");
            // A planted value contains a line break, so each line is checked separately.
            const ours = logged.split("\n").map((line) => (pulumisOwn.test(line) ? "" : line));
            assert.match(logged, pulumisOwn);
            holdsNone(values, ours.join("\n"), "the preview, the update and the log");
            assert.match(logged, /secrets manager: POST \/v1\/auth\/clouda\/config: 204, \d+ ms, try 1/);
            assert.match(logged, /volumes service: PUT \/v1\/volume\/csi\/data: 200, \d+ ms, try 1/);
            assert.match(logged, /warning: .*auth\/clouda.*\[rotation\]/);
            onlyControlIsFound();

            // State contains the program's secrets encrypted, but neither tokens nor the content of a state version.
            const clear = JSON.stringify(await stack.resources({ showSecrets: true }));
            const { clientSecret: client, accessKey, accountKey } = values;
            const stored = { client, accessKey, accountKey, key: key.private_key };
            for (const [name, value] of Object.entries(stored))
                assert(tracesOf({ [name]: value }, clear).length > 0, name);
            holdsNone({ token, configured, inState: values.inState }, clear, "the exported resources");

            await simulator.outside("POST", snapshotPath, { cloudb_secret_access_key: values.outsideKey });
            const refresh = await stack.refresh("--diff");
            holdsNone(values, read(refresh, "done"), "the refresh");
            assert.equal(stepsOf(refresh)["one"], "update");

            simulator.answerWith(({ method, path, headers, body }, act) =>
                method === "GET" || !path.endsWith("/config")
                    ? act()
                    : {
                          status: 400,
                          headers: { "content-type": "application/json" },
                          body: Buffer.from(JSON.stringify({ errors: [`no: ${body} ${JSON.stringify(headers)}`] })),
                      },
            );
            stack.write(program({ ...first, clientSecret: values.changedSecret }));
            const refused = read(await stack.up("--diff"), "failed");
            assert.match(
                refused,
                /AuthConfig auth\/clouda\/config: POST \/v1\/auth\/clouda\/config: 400: no: .*\[secret\]/,
            );
            holdsNone(values, refused, "the failure");

            simulator.answerWith();
            stack.write(program({ ...first, retryDelay: "9s", accessKey: values.changedKey }));
            holdsNone(values, read(await stack.up("--diff"), "done"), "the update");
            const { data } = (await simulator.outside("GET", snapshotPath)) as { data: Record<string, unknown> };
            assert.equal(data["cloudb_secret_access_key"], values.changedKey);

            // The files of the backend: state, history and backups.
            const files = filesBelow(join(stack.folder, "..", "backend"));
            assert(files.some(([, text]) => text.includes('"clientSecret"')));
            for (const [path, text] of files) holdsNone(values, text, path);

            holdsNone(values, read(await stack.destroy(), "done"), "the destruction");
            searchTemporary();
            onlyControlIsFound();
            assert([...commands].some((command) => command.includes("pulumi up") || command.includes(" up ")));
            holdsNone(values, [...commands].join("\n"), "the arguments of processes");
        } finally {
            clearInterval(watch);
            stack.dispose();
            await simulator.close();
            rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
        }
    });
});
