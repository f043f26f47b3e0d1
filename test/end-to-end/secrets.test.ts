/**
 * Runs the real engine with all its logs, and asserts that no output or file contains a planted token or secret. `test/secrets.test.ts` has the
 * errors of servers that quote requests. The secrets that both hosts read from variables and files are not even in the decrypted state.
 */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canary, canaryHeader, formsOf, holdsNone, tracesOf } from "../support/canaries";
import { type Planted, plantedPrograms, sourcedPrograms } from "../support/planting";
import { descendants } from "../support/process-tree";
import type { Deployment, Outcome } from "../support/pulumi-cli";
import { factsOf, isNamedObject, joined } from "../support/resource-facts";
import { hosts, stepsOf, withStage } from "../support/stack";

const token = canaryHeader("token");
const configured = canaryHeader("configured token");
/** The characters of a Bearer token alone. */
const bearer = canaryHeader("bearer token").slice(0, 20);
const outsideKey = canary("outside key");

/** Gives each program an object of its own, unless its type has no named objects. */
const declared = (kind: string, from: string, programs: readonly Planted[]) =>
    programs.map((program, index) => {
        const [facts, name] = [factsOf(program.type), `${kind}-${index}`];
        const isNamed = isNamedObject(facts);
        const own = isNamed ? { [facts.naming ?? "name"]: name } : {};
        return { ...program, from, name, isNamed, inputs: { ...program.inputs, ...own } };
    });

// Pulumi's log has several secrets in one line, so these have no line break.
const planted = declared("planted", hosts.dynamic, plantedPrograms(canaryHeader));
/** The same objects with other secrets. A state version cannot change. */
const edited = declared(
    "planted",
    hosts.dynamic,
    plantedPrograms((text) => canary(`edited ${text}`)),
).filter(({ isNamed }) => isNamed);
const sourced = sourcedPrograms((text) => canary(`source of ${text}`));
const variables: Record<string, string> = Object.assign({}, ...sourced.map((each) => each.variables));
/** The programs of both hosts whose secrets come from variables. */
const inBothHosts = Object.entries(hosts).flatMap(([kind, from]) => declared(kind, from, sourced));

const canariesOf = (programs: readonly Planted[]): Record<string, string> =>
    Object.fromEntries(programs.flatMap(({ canaries }) => Object.values(canaries).map((value) => [value, value])));
const tokens = { token, configured, bearer };
const values = { ...tokens, outsideKey, ...canariesOf([...planted, ...edited]) };
const sources = canariesOf(sourced);

/** The second secret of each program comes from a file. */
const program = (programs: typeof planted) => `
    const last = {};
    for (const { from, type, name, isNamed, inputs } of ${JSON.stringify([...inBothHosts, ...programs]).replace(/{"variable":"(\w+_1)"}/g, '{"file":"$1"}')}) {
        last[type] = new (require(from)[type])(name, inputs, { dependsOn: isNamed ? [] : last[type] ?? [] });
    }
    exports.shown = require("pulumi-statecraft").getSnapshotConfigOutput({ name: last.SnapshotConfig.name }).storage;`;

const seed = joined(...planted.map(({ type }) => factsOf(type).seed ?? {}), {
    mounts: [...inBothHosts, ...planted].map(({ name }) => name),
});
const snapshot = planted.find(({ type }) => type === "SnapshotConfig")?.name ?? assert.fail();
const snapshotPath = `/v1/sys/storage/raft/snapshot-auto/config/${snapshot}`;

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

    const shared = withStage(
        seed,
        program(planted),
        async ({ simulator, stack }) => {
            const temporary = join(stack.root, "temporary");
            mkdirSync(temporary);
            const searched = new Map<string, string>();
            const searchTemporary = () => {
                for (const [path, text] of filesBelow(temporary)) {
                    if (searched.get(path) === text) continue;
                    searched.set(path, text);
                    traces.push(
                        ...tracesOf({ ...values, ...sources, control }, text).map((trace) => `${path}: ${trace}`),
                    );
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

            Reflect.deleteProperty(stack.environment, "NOMAD_TOKEN");
            await stack.config("statecraft:nomad.token", configured, { secret: true });
            Object.assign(stack.environment, variables, {
                VAULT_TOKEN: token,
                TFE_TOKEN: bearer,
                STATECRAFT_LOG: "requests",
                TMPDIR: temporary,
            });
            writeFileSync(join(temporary, "control"), formsOf(control)["in base64"] ?? "");
            for (const [name, value] of Object.entries(variables))
                writeFileSync(join(stack.folder, name), `${value}\n`);
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
                stack.write(program(planted.map((each) => edited.find(({ name }) => name === each.name) ?? each)));
                await run("update", () => stack.up("--diff"));
                const stored = JSON.stringify(simulator.store);
                for (const value of Object.values(canariesOf(edited)))
                    assert(tracesOf({ value }, stored).length > 0, value);
                await simulator.outside("POST", snapshotPath, { aws_secret_access_key: outsideKey });
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
        },
        { names: "product" },
    );

    it("is in the preview, the update and their logs with `-v=9` and `--debug`, except in lines of Pulumi itself", () => {
        const logged = ran.preview.text + ran.up.text;
        const ours = logged.split("\n").map((line) => (pulumisOwn.test(line) ? "" : line));
        assert.match(logged, pulumisOwn);
        holdsNone(values, ours.join("\n"), "the preview, the update and the log");
        assert.match(logged, /Vault: POST \/v1\/auth\/planted-\d\/config: 204, \d+ ms, try 1/);
        assert.match(logged, /Nomad: PUT \/v1\/volume\/csi\/dynamic-\d: 200, \d+ ms, try 1/);
    });

    it("is in state unencrypted; encrypted, state contains the program's secrets, without tokens and content of a state version", () => {
        // A provider has the token of the configuration.
        const resources = decrypted[0]?.resources?.filter(({ type }) => !type.startsWith("pulumi:providers:"));
        const clear = JSON.stringify(resources);
        const [stored, unstored] = [true, false].map((named) =>
            canariesOf(planted.filter((each) => each.isNamed === named)),
        );
        for (const value of Object.values({ ...stored })) assert(tracesOf({ value }, clear).length > 0, value);
        holdsNone({ ...tokens, ...unstored }, clear, "the exported resources");
    });

    for (const command of ["update", "refresh", "destroy"] as const) {
        it(`is shown by the ${command} of a changed secret`, () => {
            holdsNone(values, ran[command].text, command);
            assert.equal(stepsOf(ran[command].outcome)[snapshot], command === "destroy" ? "delete" : "update");
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
