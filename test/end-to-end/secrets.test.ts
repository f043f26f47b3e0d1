/** Runs the real engine with all its logs, and asserts that no output or file contains a planted token or secret, even if a server quotes requests. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canary, canaryHeader, formsOf, holdsNone, tracesOf } from "../support/canaries";
import type { Answerer } from "../support/injector";
import { descendants } from "../support/process-tree";
import { type Outcome, type Workspace, workspace } from "../support/pulumi-cli";
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

/** Each command of the test, by the name of what it shows. */
type Command = "up" | "refresh" | "failure" | "update" | "destroy";

const read = ({ stdout, stderr, diagnostics }: Outcome) => stdout + stderr + JSON.stringify(diagnostics);

/** A canary in a temporary file, which proves that the search finds planted values there. */
const control = canary("control");

describe("no planted secret and no token under the real engine", () => {
    const folder = mkdtempSync(join(tmpdir(), "statecraft-secrets-"));
    const shown = new Map<Command, string>();
    const temporary = new Map<string, string>();
    /** Traces of planted values in temporary files. */
    const traces: string[] = [];
    /** The command lines of all processes of the test. */
    const commands = new Set<string>();
    let simulator: Simulator;
    let stack: Workspace;
    let refresh: Outcome;
    /** The exported resources after the first `up`, with readable secrets. */
    let clear: string;
    /** The files of the backend after the update: state, history and backups. */
    let files: ReturnType<typeof filesBelow>;

    const searchTemporary = () => {
        for (const [path, text] of filesBelow(folder)) {
            if (temporary.get(path) === text) continue;
            temporary.set(path, text);
            traces.push(...tracesOf({ ...values, control }, text).map((trace) => `${path}: ${trace}`));
        }
    };
    const searchProcesses = () => {
        for (const pid of descendants(process.pid)) {
            try {
                commands.add(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
            } catch {
                // The process has ended.
            }
        }
    };
    /** A server that quotes the request to the configuration of the login method in its error. */
    const quoting: Answerer = ({ method, path, headers, body }, act) => {
        if (method === "GET" || !path.endsWith("/config")) return act();
        const errors = [`no: ${body} ${JSON.stringify(headers)}`];
        const type = { "content-type": "application/json" };
        return { status: 400, headers: type, body: Buffer.from(JSON.stringify({ errors })) };
    };

    before(async () => {
        const workspaces = [{ id: "ws-1", name: "app", organization: "example" }];
        simulator = await Simulator.start({ plugins: [{ id: "disks", nodes: ["node-1"] }], workspaces }, "documented");
        const at = (path = "") => ({ address: simulator.url + path, maxRetries: 0 });
        stack = await workspace({
            program: { source: program(first) },
            config: {
                "statecraft:manager": at(),
                "statecraft:volumes": at(),
                "statecraft:stateVersions": at("/api/v2"),
            },
            environment: {
                STATECRAFT_MANAGER_TOKEN: token,
                STATECRAFT_STATE_VERSIONS_TOKEN: token,
                STATECRAFT_LOG: "requests",
                TMPDIR: folder,
            },
        });
        writeFileSync(join(folder, "control"), formsOf(control)["in base64"] ?? "");
        await stack.config("statecraft:volumes.token", configured, { secret: true });
        // The search begins after this command, which has the token as an argument.
        const watch = setInterval(() => {
            searchTemporary();
            searchProcesses();
        }, 300);
        try {
            await runCommands();
        } finally {
            clearInterval(watch);
            searchTemporary();
        }
    });
    after(async () => {
        stack?.dispose();
        await simulator?.close();
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });

    async function runCommands(): Promise<void> {
        const run = async (command: Command, ends: "done" | "failed", outcome: Promise<Outcome>) => {
            const ended = await outcome;
            shown.set(command, read(ended));
            assert.equal(ended.code === 0, ends === "done", ended.stdout);
            return ended;
        };
        await run("up", "done", stack.up("--skip-preview=false", "--diff", "--debug", "--logtostderr", "-v=9"));
        clear = JSON.stringify(await stack.resources({ showSecrets: true }));
        await simulator.outside("POST", snapshotPath, { cloudb_secret_access_key: values.outsideKey });
        refresh = await run("refresh", "done", stack.refresh("--diff"));
        simulator.answerWith(quoting);
        stack.write(program({ ...first, clientSecret: values.changedSecret }));
        await run("failure", "failed", stack.up("--diff"));
        simulator.answerWith();
        stack.write(program({ ...first, retryDelay: "9s", accessKey: values.changedKey }));
        await run("update", "done", stack.up("--diff"));
        files = filesBelow(join(stack.folder, "..", "backend"));
        const { data } = (await simulator.outside("GET", snapshotPath)) as { data: Record<string, unknown> };
        assert.equal(data["cloudb_secret_access_key"], values.changedKey);
        await run("destroy", "done", stack.destroy());
    }

    it("is in the preview, the update and their logs with `-v=9` and `--debug`, except in lines of Pulumi itself", () => {
        const logged = shown.get("up") ?? "";
        // A planted value contains a line break, so each line is checked separately.
        const ours = logged.split("\n").map((line) => (pulumisOwn.test(line) ? "" : line));
        assert.match(logged, pulumisOwn);
        holdsNone(values, ours.join("\n"), "the preview, the update and the log");
        assert.match(logged, /secrets manager: POST \/v1\/auth\/clouda\/config: 204, \d+ ms, try 1/);
        assert.match(logged, /volumes service: PUT \/v1\/volume\/csi\/data: 200, \d+ ms, try 1/);
        assert.match(logged, /warning: .*auth\/clouda.*\[rotation\]/);
    });

    it("is in state unencrypted; encrypted, state contains the program's secrets, without tokens and content of a state version", () => {
        const { clientSecret: client, accessKey, accountKey } = values;
        const stored = { client, accessKey, accountKey, key: key.private_key };
        for (const [name, value] of Object.entries(stored)) assert(tracesOf({ [name]: value }, clear).length > 0, name);
        holdsNone({ token, configured, inState: values.inState }, clear, "the exported resources");
    });

    it("is shown by a refresh that finds another secret at the server", () => {
        holdsNone(values, shown.get("refresh") ?? "", "the refresh");
        assert.equal(stepsOf(refresh)["one"], "update");
    });

    it("is in the error if a server quotes the request with its headers", () => {
        const refused = shown.get("failure") ?? "";
        const reason = /AuthConfig auth\/clouda\/config: POST \/v1\/auth\/clouda\/config: 400: no: .*\[secret\]/;
        assert.match(refused, reason);
        holdsNone(values, refused, "the failure");
    });

    for (const command of ["update", "destroy"] as const) {
        it(`is shown by the ${command} of a changed secret`, () => {
            holdsNone(values, shown.get(command) ?? "", command);
        });
    }

    it("is in a file of the backend, which has state, history and backups", () => {
        assert(files.some(([, text]) => text.includes('"clientSecret"')));
        for (const [path, text] of files) holdsNone(values, text, path);
    });

    it("is in a temporary file of any command", () => {
        const [found = "", ...more] = traces;
        assert.match(found, /: control, in base64: /, "temporary files are searched");
        assert.deepEqual(more, []);
    });

    it("is an argument of a process of any command", () => {
        assert([...commands].some((command) => command.includes("pulumi up") || command.includes(" up ")));
        holdsNone(values, [...commands].join("\n"), "the arguments of processes");
    });
});
