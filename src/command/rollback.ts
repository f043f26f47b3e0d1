/**
 * `statecraft rollback`: rolls a workspace back by the operations of `StateVersionRollback`, without a program.
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
import { StatecraftError } from "../errors";
import { asSentence } from "../schema/check";
import { parseDuration } from "../schema/property-types";
import type { Values } from "../schema/values";
import { readWorkspace } from "../services/state-versions/get-workspace";
import { addressProblem } from "../services/state-versions/part-of-state";
import { stateVersions } from "../services/state-versions/service";
import { stateVersionRollback } from "../services/state-versions/state-version-rollback";
import { type CommandProcess, nonEmpty } from "./program";
import { type Words, withServers } from "./servers";
import { type Reference, workspaceOf } from "./workspace-argument";

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
        .action(async (reference: Reference, version: string, { yes, json, only, keepLocked, reason, wait }: Flags) => {
            const name = Object.values(reference).join("/");
            const program = command.parent?.name();
            const rollbackTo = (what: string) => `${program} rollback ${shellWord(name)} ${what}`;
            const part = [version, ...(only ? ["--only", ...only.toSorted().map(shellWord)] : [])].join(" ");
            const content = only?.join(", ") ?? "the content";
            const again = `${program} ${around.argv.slice(2).map(shellWord).join(" ")}`;
            const history = `${program} history ${shellWord(name)}`;
            const print = (text: string) => (json ? console.error(text) : console.log(text));
            const options = {
                name: () => name,
                words: wordsOf(name, again, history),
                say: (severity: string, message: string) =>
                    severity === "info" ? print(message) : severity !== "debug" && console.error(message),
            };
            const isAnswered = await withServers(around.env, options, async ({ context, runtime, voice }) => {
                const { id: workspaceId, lockedReason = "" } = await readWorkspace(context(stateVersions), reference);
                // The lock of a killed run has the process of that run in its mark.
                const [, locked, locker, id = process.pid] = lockForm.exec(lockedReason) ?? [];
                const isKilled = !(await isRunning(Number(id)).catch(() => false));
                const user = `${userInfo().username}@${hostname()}`;
                const owner = `rollback ${workspaceId} ${part} ${user} ${isKilled ? id : process.pid}`;
                const isEarlier = isKilled && locker === user;
                // Strict, so that what would make the rollback fail is an error before the question.
                const operations = new Operations(stateVersionRollback, { ...runtime, strict: true });
                const lock = reason && { reason };
                const given = { workspaceId, stateVersionId: version, only, keepLocked, lock, waitForProcessing: wait };
                const { inputs, failures } = await operations.check(undefined, given, { owner, isPreview: true });
                const [failure] = failures;
                if (failure) {
                    const isOther = failure.code === "locked" && isEarlier && locked !== undefined;
                    const hint = isOther ? `To unlock it, run \`${rollbackTo(locked)}\`` : undefined;
                    throw new StatecraftError(failure.code ?? "input", failures.map(asSentence).join(" "), { hint });
                }
                if (!yes && !process.stdin.isTTY) return false;
                if (!yes && !(await isConfirmed(`Roll ${name} back to ${part}? Type yes: `)))
                    throw new StatecraftError("cancelled", "nothing was rolled back");
                const report = (outputs: Values): void => {
                    const {
                        lockMarks: _,
                        server: __,
                        keepLocked: ___,
                        previousStateVersionId: before,
                        ...shown
                    } = outputs;
                    const undo = before ? rollbackTo(String(before)) : undefined;
                    const unlock = keepLocked && rollbackTo(yes ? `${part} --yes` : part);
                    const made = `${shown["currentStateVersionId"]} has ${content} of ${version}`;
                    const lines = [
                        undo ? `${made}.` : `Nothing was rolled back: ${made} already.`,
                        unlock && `To unlock the workspace: ${unlock}`,
                        undo && `To undo the rollback${keepLocked ? ", after the unlock" : ""}: ${undo}`,
                    ];
                    const text = json ? JSON.stringify({ ...shown, previousStateVersionId: before, unlock, undo }) : "";
                    for (const line of json ? [text] : lines) if (line) console.log(voice.clean(line));
                };
                const rollback = withSignal((signal) => operations.create(inputs, { owner, signal }));
                const { outputs } = await rollback.catch((error: unknown) => {
                    // A step after the rollback failed.
                    if (error instanceof OperationError && error.partial) report(error.partial.outputs);
                    throw error;
                });
                report(outputs);
                if (isEarlier && locked === part && !keepLocked)
                    print(
                        `${name} was unlocked. An earlier run had locked it, and may have rolled back: see ${history}`,
                    );
                return true;
            });
            if (!isAnswered) command.error("error: nothing was rolled back: without a terminal to ask on, set --yes");
        });
}

/**
 * The mark of this command at the end of a lock's reason: the version and what `--only` names, the user and the host, and the process. Only
 * words that a shell does not evaluate match, because a message prints them as a command.
 */
const lockForm = /\[statecraft rollback \S+ ([\w-]+(?: --only(?: (?:[\w@:./-]+|'[^']*'))+)?) (\S+) (\d+)\]$/;

function addAddress(text: string, others: readonly string[] = []): readonly string[] {
    const problem = addressProblem(text);
    if (problem === undefined) return [...others, text];
    throw new InvalidArgumentError(`${JSON.stringify(text)} ${problem}.`);
}

function durationOf(text: string): string {
    if (parseDuration(text)) return text;
    throw new InvalidArgumentError("It must be a duration such as 2m.");
}

function versionOf(text: string): string {
    if (/^[\w-]+$/.test(text)) return text;
    throw new InvalidArgumentError("It must be the id of a state version.");
}

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

/** Replaces the advice of `StateVersionRollback` for programs by that for this command. @param again the command with its arguments */
const wordsOf = (name: string, again: string, history: string): Words => [
    [/^StateVersionRollback [\w-]+: /, `${name}: `],
    [/\bstateVersionId: /g, ""],
    [/`getStateVersions` lists/g, `\`${history}\` lists`],
    [/`pulumi refresh`, which reads it again/g, `\`${history}\`, which reads it again`],
    [/The deployment would/g, "The rollback would"],
    [/`only`|(?<![\w-])only(?=: |\[\d)/g, "--only"],
    [/`keepLocked: true`/g, "`--keep-locked`"],
    [/set `lock: false` if the lock is yours: /g, ""],
    [/Otherwise wait until it is unlocked/g, "Wait until it is unlocked"],
    [/ and set `lock: true`, or lock it with that account/g, ", and run `pulumi up` again"],
    [/change `triggers` of its StateVersionRollback, or declare one, and run/g, "run"],
    [/set longer `timeouts`/g, "set a longer `--wait`"],
    [/`pulumi up`/g, `\`${again}\``],
];
