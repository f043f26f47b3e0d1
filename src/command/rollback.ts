/**
 * `npx pulumi-statecraft rollback`: rolls a workspace back by the operations of `StateVersionRollback`, without a program.
 *
 * | step                                     | requests                                                       |
 * | ---------------------------------------- | -------------------------------------------------------------- |
 * | finds the workspace                      | the workspace                                                  |
 * | shows what changes, or why it would fail | those of the preview                                           |
 * | asks                                     | none                                                           |
 * | rolls back                               | those of the creation: nothing is sent twice after a lost one  |
 *
 * The mark of its lock has the arguments, the user, the host and the process, so that the same command finds the lock of a killed run, and
 * does not take that of one that still runs.
 */

import { hostname, userInfo } from "node:os";
import { createInterface } from "node:readline";
import { type Command, InvalidArgumentError } from "commander";
import { OperationError, Operations } from "../core/operations";
import { shellWord } from "../core/shell-word";
import type { Steps } from "../core/steps";
import { StatecraftError } from "../errors";
import { asSentence } from "../schema/check";
import { parseDuration } from "../schema/property-types";
import type { Values } from "../schema/values";
import { readWorkspace } from "../services/state-versions/get-workspace";
import { addressProblem } from "../services/state-versions/part-of-state";
import { stateVersions } from "../services/state-versions/service";
import { stateVersionRollback } from "../services/state-versions/state-version-rollback";
import { argument, nonEmpty, type Reference, versionOf, workspaceOf } from "./arguments";
import type { CommandProcess } from "./names";
import { inCommand, type Servers, withServers } from "./servers";

interface Flags {
    readonly only?: readonly string[];
    readonly keepLocked?: true;
    readonly reason?: string;
    readonly wait?: string;
    readonly yes?: true;
    readonly json?: true;
}

export function defineRollback(command: Command, around: CommandProcess): void {
    command
        .summary("rolls the state of a workspace back to an older version")
        .description("Rolls the state of a workspace back to an older version. Shows what changes, and asks.")
        .usage("<organization/name|id> <version> [--only ADDRESS ...] [--yes] ...")
        .argument("<workspace>", "organization/name, or an id", workspaceOf)
        .argument("<version>", "the id of a state version. `history` lists them", versionOf)
        .option(
            "--only <address...>",
            "brings back only these modules, resources or instances, and keeps the rest",
            addAddress,
        )
        .option("--keep-locked", "keeps the workspace locked, so that no run starts")
        .option("--reason <text>", "the reason of the lock", nonEmpty)
        .option(
            "--wait <duration>",
            "waits at most this long until the new version's resources are counted",
            durationOf,
        )
        .option("--yes", "does not ask")
        .option("--json", "prints the new version as JSON, and everything else on standard error")
        .action(async (reference: Reference, version: string, flags: Flags) => {
            const request = { ...flags, reference, version };
            const texts = textsOf(command.parent?.name() ?? "", around.argv.slice(2), request);
            const print = (text: string) => (flags.json ? console.error(text) : console.log(text));
            const options = {
                name: () => texts.name,
                steps: stepsOf(texts),
                say: (severity: string, message: string) =>
                    severity === "info" ? print(message) : severity !== "debug" && console.error(message),
            };
            const isAnswered = await withServers(around.env, options, (servers) =>
                rollBack(servers, request, texts, print),
            );
            if (!isAnswered) command.error("error: nothing was rolled back: without a terminal to ask on, set --yes");
        });
}

interface Request extends Flags {
    readonly reference: Reference;
    readonly version: string;
}

type Texts = ReturnType<typeof textsOf>;

/** The names and commands in the texts of a run. @param args those of the run */
function textsOf(program: string, args: readonly string[], { reference, version, only }: Request) {
    const name = Object.values(reference).join("/");
    return {
        name,
        /** The version, and what `--only` names. */
        part: [version, ...(only ? ["--only", ...only.toSorted().map(shellWord)] : [])].join(" "),
        again: `${program} ${args.map(shellWord).join(" ")}`,
        history: `${program} history ${shellWord(name)}`,
        rollbackTo: (part: string) => `${program} rollback ${shellWord(name)} ${part}`,
    };
}

/** Rolls back, and prints what changed. Resolves with false if nothing was rolled back because there is no terminal to ask on. */
async function rollBack(
    { context, runtime, voice }: Servers,
    request: Request,
    texts: Texts,
    print: (text: string) => void,
): Promise<boolean> {
    const { reference, version, only, keepLocked, reason, wait, yes } = request;
    const { name, part, history, rollbackTo } = texts;
    const { id: workspaceId, lockedReason } = await readWorkspace(context(stateVersions), reference);
    const { owner, killed } = await lockAfter(lockedReason);
    const about = { owner: `rollback ${workspaceId} ${part} ${owner}` };
    // What would make the rollback fail is an error before the question.
    const operations = new Operations(stateVersionRollback, { ...runtime, strict: "blockers" });
    const lock = reason && { reason };
    const given = { workspaceId, stateVersionId: version, only, keepLocked, lock, waitForProcessing: wait };
    const { inputs, failures } = await operations.check(undefined, given, { ...about, isPreview: true });
    const [failure] = failures;
    if (failure) {
        const hint = failure.code === "locked" && killed ? `To unlock it, run \`${rollbackTo(killed)}\`` : undefined;
        throw new StatecraftError(failure.code ?? "input", failures.map(asSentence).join(" "), { hint });
    }
    if (!yes && !process.stdin.isTTY) return false;
    if (!yes && !(await isConfirmed(`Roll ${name} back to ${part}? Type yes: `)))
        throw new StatecraftError("cancelled", "nothing was rolled back");
    const report = ({ outputs }: { readonly outputs: Values }): void => {
        for (const line of reportOf(outputs, request, texts)) console.log(voice.clean(line));
    };
    const rollback = withSignal((signal) => operations.create(inputs, { ...about, signal }));
    const made = await rollback.catch((error: unknown) => {
        // A step after the rollback failed.
        if (error instanceof OperationError && error.partial) report(error.partial);
        throw error;
    });
    report(made);
    if (killed === part && !keepLocked)
        print(`${name} was unlocked. An earlier run had locked it, and may have rolled back: see ${history}`);
    return true;
}

/** The lines about the new version, or its JSON. */
function reportOf(outputs: Values, { json, keepLocked, yes, only, version }: Request, { part, rollbackTo }: Texts) {
    const { lockMarks: _, server: __, keepLocked: ___, previousStateVersionId: before, ...shown } = outputs;
    const undo = before ? rollbackTo(String(before)) : undefined;
    const unlock = keepLocked && rollbackTo(yes ? `${part} --yes` : part);
    if (json) return [JSON.stringify({ ...shown, previousStateVersionId: before, unlock, undo })];
    const made = `${shown["currentStateVersionId"]} has ${only?.join(", ") ?? "the content"} of ${version}`;
    return [
        undo ? `${made}.` : `Nothing was rolled back: ${made} already.`,
        ...(unlock ? [`To unlock the workspace: ${unlock}`] : []),
        ...(undo ? [`To undo the rollback${keepLocked ? ", after the unlock" : ""}: ${undo}`] : []),
    ];
}

/**
 * Reads the mark of an earlier run of this command by this user on this host in the reason of a workspace's lock.
 * @returns `killed`: the part of the command of that run, if it was killed; `owner`: the end of the mark, with the process of the killed run
 */
async function lockAfter(reason = "") {
    const [, part, locker, id = process.pid] = lockForm.exec(reason) ?? [];
    const user = `${userName()}@${hostname()}`;
    const isKilled = !(await isRunning(Number(id)).catch(() => false));
    return { owner: `${user} ${isKilled ? id : process.pid}`, killed: isKilled && locker === user ? part : undefined };
}

/** The name of the user; of one without a name, as in a container, the id. */
function userName(): string {
    try {
        return userInfo().username;
    } catch {
        return `user-${process.getuid?.()}`;
    }
}

/**
 * The mark of this command at the end of a lock's reason: the version and what `--only` names, the user and the host, and the process. Only
 * words that a shell does not evaluate match, because a message prints them as a command.
 */
const lockForm = /\[statecraft rollback \S+ ([\w-]+(?: --only(?: (?:[\w@:./-]+|'[^']*'))+)?) (\S+) (\d+)\]$/;

function addAddress(text: string, others: readonly string[] = []): readonly string[] {
    const problem = addressProblem(text);
    if (problem === undefined) return [...new Set([...others, text])];
    throw new InvalidArgumentError(`${JSON.stringify(text)} ${problem}.`);
}

const durationOf = argument("be a duration such as 2m", (text) => (parseDuration(text) ? text : undefined));

/** Asks on the terminal. The end of the input is no. */
async function isConfirmed(question: string): Promise<boolean> {
    process.stderr.write(question);
    let answer = "";
    for await (const line of createInterface({ input: process.stdin })) {
        answer = line.trim();
        break;
    }
    // A terminal that is read keeps the process alive.
    process.stdin.destroy();
    return answer === "yes";
}

/** Rejects unless a process of this user runs. */
const isRunning = async (pid: number) => process.kill(pid, 0);

/** Cancels work at the first signal, so that it releases its lock. The second one ends the process. */
async function withSignal<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    const cancel = () => controller.abort();
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    for (const signal of signals) process.once(signal, cancel);
    return await work(controller.signal).finally(() => {
        for (const signal of signals) process.removeListener(signal, cancel);
    });
}

/** The words of this run. */
const stepsOf = ({ name, again, history }: Texts): Steps => ({
    ...inCommand,
    subject: () => name,
    deployment: () => "The rollback",
    again: () => `\`${again}\``,
    reread: () => `\`${history}\``,
    versions: () => `\`${history}\``,
    about: (input) => (input === "stateVersionId" ? "" : inCommand.about(input)),
    relock: () => `run \`${again}\` again`,
    repeat: () => `run \`${again}\``,
    longer: () => "set a longer `--wait`",
});
