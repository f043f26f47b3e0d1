/**
 * Runs the real engine with all its logs, and asserts that no output or file contains a planted token or secret. `test/secrets.test.ts` has the
 * errors of servers that quote requests. The secrets that both hosts read from variables and files are not even in the decrypted state.
 */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canary, canaryHeader, formsOf, holdsNone, tracesOf } from "../support/canaries";
import { descendants } from "../support/process-tree";
import type { Deployment, Outcome } from "../support/pulumi-cli";
import { hosts, stepsOf, withStage } from "../support/stack";
import { stateOf } from "../support/workspaces";

const token = canaryHeader("token");
const configured = canaryHeader("configured token");
/** The characters of a Bearer token alone. */
const bearer = canaryHeader("bearer token").slice(0, 20);
const key = { type: "service_account", private_key: canary("private key") };
const content = JSON.stringify({ ...stateOf(1), outputs: { a: { value: canary("in state") } } });
const values = {
    token,
    configured,
    bearer,
    clientSecret: canary("client secret"),
    accessKey: canary("access key"),
    outsideKey: canary("outside key"),
    changedKey: canary("changed key"),
    accountKey: canary("account key"),
    key: key.private_key,
    inState: canary("in state"),
};
/** The values of variables. */
const variables: Record<string, string> = {
    ...Object.fromEntries(
        ["CLIENT", "ACCESS_ID", "SESSION", "ACCOUNT", "CSI_USER", "CSI_PASSWORD"].map((name) => [name, canary(name)]),
    ),
    GOOGLE: JSON.stringify({ type: "service_account", private_key: canary("GOOGLE") }),
};
const inFile = canary("file");
const sources = { ...variables, GOOGLE: canary("GOOGLE"), inFile };

/** The first values of the inputs that the test changes. */
const first = { retryDelay: "5s", accessKey: values.accessKey };

const program = (inputs: typeof first) => `
    for (const [kind, from] of Object.entries(${JSON.stringify(hosts)})) {
        const s = require(from);
        const variable = (name) => ({ variable: name });
        new s.AuthConfig(kind + "-method", { mount: kind, tenantId: "t", resource: "r", clientSecretFrom: variable("CLIENT") });
        const snapshots = (name, storage) =>
            new s.SnapshotConfig(kind + "-" + name, { name: kind + "-" + name, interval: "1h", storage });
        snapshots("s3", { type: "cloudb-s3", pathPrefix: "p", bucket: "b", region: "r", accessKeyIdFrom: variable("ACCESS_ID"),
            secretAccessKeyFrom: { file: "key" }, sessionTokenFrom: variable("SESSION") });
        snapshots("gcs", { type: "cloudc-gcs", pathPrefix: "p/", bucket: "b", serviceAccountKeyFrom: variable("GOOGLE") });
        snapshots("blob", { type: "clouda-blob", pathPrefix: "p/", container: "c", accountKeyFrom: variable("ACCOUNT") });
        new s.CsiVolume(kind + "-data", { volumeId: kind, pluginId: "disks", accessMode: "single-node-writer", attachmentMode: "file-system",
            secretsFrom: { user: variable("CSI_USER"), password: variable("CSI_PASSWORD") } });
    }
    const s = require("pulumi-statecraft");
    const method = new s.AuthConfig("method", { tenantId: "t", resource: "r",
        clientSecret: ${JSON.stringify(values.clientSecret)}, retryDelay: "${inputs.retryDelay}" });
    new s.RootRotation("rotation", {}, { dependsOn: method });
    exports.shown = s.getAuthConfigOutput({ mount: method.mount }).clientSecret;
    const snapshots = (name, storage) => new s.SnapshotConfig(name, { name, interval: "1h", storage });
    snapshots("one", { type: "cloudb-s3", pathPrefix: "p", bucket: "b", region: "r", accessKeyId: "public-1",
        secretAccessKey: ${JSON.stringify(inputs.accessKey)} });
    snapshots("two", { type: "cloudc-gcs", pathPrefix: "p/", bucket: "b", serviceAccountKey: ${JSON.stringify(key)} });
    snapshots("three", { type: "clouda-blob", pathPrefix: "p/", container: "c", accountKey: ${JSON.stringify(values.accountKey)} });
    new s.StateVersion("state", { workspaceId: "ws-1", content: ${JSON.stringify(content)}, inline: true, lock: true });`;

const seed = {
    mounts: ["clouda", ...Object.keys(hosts)],
    plugins: [{ id: "disks", nodes: ["node-1"] }],
    workspaces: [{ id: "ws-1", name: "app", organization: "example" }],
};
const snapshotPath = (name: string) => `/v1/sys/storage/raft/snapshot-auto/config/${name}`;

/** Lines in which Pulumi itself logs secrets, with `-v=9` and `--debug`. A provider cannot prevent these. */
const pulumisOwn = /(Marshaling|Unmarshaling) property for RPC\[|RegisterResource RPC finished: /;

/** Returns the texts of all files below a path. Skips files that are deleted during the search. */
function filesBelow(path: string): (readonly [path: string, text: string])[] {
    try {
        const found = statSync(path);
        if (found.isDirectory()) return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
        return found.isFile() ? [[path, readFileSync(path, "utf8")]] : [];
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
    }
}

/** A command of the test. */
interface Command {
    readonly outcome: Outcome;
    /** The output and the messages of the command. */
    readonly text: string;
}

/** A canary in a temporary file, which proves that the search finds planted values there. */
const control = canary("control");

describe("no planted secret and no token under the real engine", () => {
    const ran = {} as Record<"preview" | "up" | "update" | "refresh" | "destroy", Command>;
    /** The decrypted state after `up` and the refresh. */
    const decrypted: Deployment[] = [];
    /** Traces of planted values in temporary files. */
    const traces: string[] = [];
    /** The command lines of all processes of the test. */
    const commands = new Set<string>();

    const shared = withStage(seed, program(first), async ({ simulator, stack }) => {
        const temporary = join(stack.root, "temporary");
        mkdirSync(temporary);
        const searched = new Map<string, string>();
        const searchTemporary = () => {
            for (const [path, text] of filesBelow(temporary)) {
                if (searched.get(path) === text) continue;
                searched.set(path, text);
                traces.push(...tracesOf({ ...values, ...sources, control }, text).map((trace) => `${path}: ${trace}`));
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
        const run = async (name: keyof typeof ran, command: () => Promise<Outcome>) => {
            const outcome = await command();
            const text = outcome.stdout + outcome.stderr + JSON.stringify(outcome.diagnostics);
            assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
            ran[name] = { outcome, text };
        };
        const decrypt = async () => decrypted.push(await stack.export({ showSecrets: true }));

        Reflect.deleteProperty(stack.environment, "STATECRAFT_VOLUMES_TOKEN");
        await stack.config("statecraft:volumes.token", configured, { secret: true });
        Object.assign(stack.environment, variables, {
            STATECRAFT_MANAGER_TOKEN: token,
            STATECRAFT_STATE_VERSIONS_TOKEN: bearer,
            STATECRAFT_LOG: "requests",
            TMPDIR: temporary,
        });
        writeFileSync(join(temporary, "control"), formsOf(control)["in base64"] ?? "");
        writeFileSync(join(stack.folder, "key"), `${inFile}\n`);
        // The search begins after the command that has a token as an argument.
        const watch = setInterval(() => {
            searchTemporary();
            searchProcesses();
        }, 300);
        try {
            const plan = join(stack.folder, "plan.json");
            const noisy = ["--diff", "--debug", "--logtostderr", "-v=9"];
            await run("preview", () => stack.preview("--save-plan", plan, ...noisy));
            await run("up", () => stack.up("--plan", plan, ...noisy));
            await decrypt();
            stack.write(program({ retryDelay: "9s", accessKey: values.changedKey }));
            await run("update", () => stack.up("--diff"));
            const { data } = (await simulator.outside("GET", snapshotPath("one"))) as { data: object };
            assert.deepEqual({ cloudb_secret_access_key: values.changedKey, ...data }, data);
            await simulator.outside("POST", snapshotPath("one"), { cloudb_secret_access_key: values.outsideKey });
            await run("refresh", () => stack.refresh("--diff"));
            await decrypt();
            const files = filesBelow(join(stack.root, "backend"));
            await run("destroy", () => stack.destroy());
            const logs = readdirSync(stack.root).filter((file) => file.endsWith(".jsonl"));
            const written = [plan, ...logs.map((file) => join(stack.root, file))];
            return { files, written: written.map((file) => readFileSync(file, "utf8")).join("\n") };
        } finally {
            clearInterval(watch);
            searchTemporary();
        }
    });

    it("is in the preview, the update and their logs with `-v=9` and `--debug`, except in lines of Pulumi itself", () => {
        const logged = ran.preview.text + ran.up.text;
        // A planted value contains a line break, so each line is checked separately.
        const ours = logged.split("\n").map((line) => (pulumisOwn.test(line) ? "" : line));
        assert.match(logged, pulumisOwn);
        holdsNone(values, ours.join("\n"), "the preview, the update and the log");
        assert.match(logged, /secrets manager: POST \/v1\/auth\/clouda\/config: 204, \d+ ms, try 1/);
        assert.match(logged, /volumes service: PUT \/v1\/volume\/csi\/dynamic: 200, \d+ ms, try 1/);
        assert.match(logged, /auth\/clouda.*\[rotation\]/);
    });

    it("is in state unencrypted; encrypted, state contains the program's secrets, without tokens and content of a state version", () => {
        const { clientSecret: client, accessKey, accountKey } = values;
        const stored = { client, accessKey, accountKey, key: key.private_key };
        // A provider has the token of the configuration.
        const resources = decrypted[0]?.resources?.filter(({ type }) => !type.startsWith("pulumi:providers:"));
        const clear = JSON.stringify(resources);
        for (const [name, value] of Object.entries(stored)) assert(tracesOf({ [name]: value }, clear).length > 0, name);
        holdsNone({ token, configured, bearer, inState: values.inState }, clear, "the exported resources");
    });

    for (const command of ["update", "refresh", "destroy"] as const) {
        it(`is shown by the ${command} of a changed secret`, () => {
            holdsNone(values, ran[command].text, command);
            assert.equal(stepsOf(ran[command].outcome)["one"], command === "destroy" ? "delete" : "update");
        });
    }

    it("is in a file of the backend, which has state, history and backups", () => {
        assert(shared.files.some(([, text]) => text.includes('"clientSecret"')));
        for (const [path, text] of shared.files) holdsNone(values, text, path);
    });

    it("is in a temporary file of any command", () => {
        const [found = "", ...more] = traces;
        assert.match(found, /: control, in base64: /, "temporary files are searched");
        assert.deepEqual(more, []);
    });

    it("is an argument of a process of any command", () => {
        assert([...commands].some((command) => command.includes("pulumi up") || command.includes(" up ")));
        holdsNone({ ...values, ...sources }, [...commands].join("\n"), "the arguments of processes");
    });

    it("of a variable or a file is in the decrypted state, plans, event logs and any output", () => {
        const shown = [JSON.stringify(decrypted), ...Object.values(ran).map(({ text }) => text), shared.written].join(
            "\n",
        );
        holdsNone(sources, shown, "everything that the engine wrote");
    });
});
