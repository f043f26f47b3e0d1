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
 * No run takes the lock of another run for its own: after a kill, `--under-lock` works under the lock, and `unlock` releases it.
 */

import { type Command, InvalidArgumentError } from "commander";
import { OperationError, Operations } from "../core/operations";
import { type Steps, shellWord } from "../core/steps";
import { StatecraftError } from "../errors";
import { asSentence } from "../schema/check";
import { parseDuration } from "../schema/property-types";
import type { Values } from "../schema/values";
import { readWorkspace } from "../services/state-versions/get-workspace";
import { stateVersions } from "../services/state-versions/service";
import { stateVersionRollback } from "../services/state-versions/state-version-rollback";
import { addressProblem } from "../services/state-versions/terraform-address";
import { argument, nonEmpty, type Reference, versionOf, withForms, workspaceOf } from "./arguments";
import { isConfirmed } from "./confirm";
import type { CommandProcess } from "./names";
import { ownerOfRun } from "./run-mark";
import { inCommand, type Servers, withServers } from "./servers";
import { refuseSerial } from "./version";

interface Flags {
    readonly only?: readonly string[];
    readonly except?: readonly string[];
    readonly distinct?: readonly string[];
    readonly upload?: true;
    readonly keepLocked?: true;
    readonly underLock?: true;
    readonly reason?: string;
    readonly wait?: string;
    readonly yes?: true;
    readonly json?: true;
}

export function defineRollback(command: Command, around: CommandProcess): void {
    withForms(
        command,
        "<organization/name|id> <version> [--only ADDRESS ... | --upload] [--reason TEXT] [--keep-locked] [--wait DURATION] [--yes] [--json]",
        "<organization/name|id> <version> --under-lock [--only ADDRESS ... | --upload] [--wait DURATION] [--yes] [--json]",
    )
        .summary("rolls the state of a workspace back to an older version")
        .description("Rolls the state of a workspace back to an older version. Shows what changes, and asks.")
        .argument("<workspace>", "organization/name, or an id", workspaceOf)
        .argument("<version>", "the id of a state version. `history` lists them", versionOf)
        .option(
            "--only <address...>",
            "brings back only these modules, resources or instances, and keeps the rest",
            addAddress,
        )
        .option("--except <address...>", "leaves out these addresses, which are below those of --only", addAddress)
        .option(
            "--distinct <address...>",
            "brings these addresses of --only back although another one has their id, because they are other objects",
            addAddress,
        )
        .option("--upload", "uploads the older state with a higher serial, for servers that do not offer rollbacks")
        .option("--keep-locked", "keeps the workspace locked, so that no run starts")
        .option("--under-lock", "works under a lock that this account has, and leaves it")
        .option("--reason <text>", "the reason of the lock", nonEmpty)
        .option(
            "--wait <duration>",
            "waits at most this long until the new version's resources are counted",
            durationOf,
        )
        .option("--yes", "does not ask")
        .option("--json", "prints the new version as JSON, and everything else on standard error")
        .action(async (reference: Reference, version: string, flags: Flags) => {
            if (flags.underLock && (flags.keepLocked || flags.reason))
                command.error("error: --under-lock takes no lock, and so neither --keep-locked nor --reason");
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
                rollBack(servers, request, texts, ownerOfRun("rollback", around.env)),
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
function textsOf(program: string, args: readonly string[], { reference, version, ...flags }: Request) {
    const name = Object.values(reference).join("/");
    return {
        name,
        /** The version, and what comes back of it. */
        part: [version, ...addressFlags.flatMap((flag) => flagText(flag, flags[flag]?.toSorted()))].join(" "),
        again: `${program} ${args.map(shellWord).join(" ")}`,
        history: `${program} history ${shellWord(name)}`,
        unlock: `${program} unlock ${shellWord(name)}`,
        rollbackTo: (part: string) =>
            `${program} rollback ${shellWord(name)} ${part}${flags.upload ? " --upload" : ""}`,
    };
}

/** Rolls back, and prints what changed. Resolves with false if nothing was rolled back because there is no terminal to ask on. */
async function rollBack(
    { context, runtime, voice }: Servers,
    request: Request,
    texts: Texts,
    owner: string,
): Promise<boolean> {
    const { reference, version, underLock, reason, wait, yes, json: _, ...options } = request;
    const workspace = { ...(await readWorkspace(context(stateVersions), reference)), ...reference };
    const { id: workspaceId } = workspace;
    await refuseSerial(context(stateVersions), workspace, version);
    const about = { owner };
    // A blocker is an error before the question.
    const operations = new Operations(stateVersionRollback, { ...runtime, strict: "blockers" });
    const lock = underLock ? false : reason && { reason };
    const given = { workspaceId, stateVersionId: version, ...options, lock, waitForProcessing: wait };
    const { inputs, failures } = await operations.check(undefined, given, { ...about, isPreview: true });
    const [failure] = failures;
    if (failure) throw new StatecraftError(failure.code ?? "input", failures.map(asSentence).join(" "));
    if (!(await isConfirmed(`Roll ${texts.name} back to ${texts.part}?`, "nothing was rolled back", yes))) return false;
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
    return true;
}

/** The lines about the new version, or its JSON. */
function reportOf(
    outputs: Values,
    { json, keepLocked, only, except, version }: Request,
    { unlock, rollbackTo }: Texts,
) {
    const { lockMarks: _, server: __, keepLocked: ___, previousStateVersionId: before, ...shown } = outputs;
    const undo = before ? rollbackTo(String(before)) : undefined;
    if (json)
        return [JSON.stringify({ ...shown, previousStateVersionId: before, ...(keepLocked && { unlock }), undo })];
    const left = except ? ` without ${except.join(", ")}` : "";
    const made = `${shown["currentStateVersionId"]} has ${only?.join(", ") ?? "the content"} of ${version}${left}`;
    return [
        undo ? `${made}.` : `Nothing was rolled back: ${made} already.`,
        ...(keepLocked ? [`To unlock the workspace: ${unlock}`] : []),
        ...(undo ? [`To undo the rollback${keepLocked ? ", after the unlock" : ""}: ${undo}`] : []),
    ];
}

const addressFlags = ["only", "except", "distinct"] as const;
const flagText = (flag: string, addresses: readonly string[] = []) =>
    addresses.length === 0 ? [] : [`--${flag}`, ...addresses.map(shellWord)];

function addAddress(text: string, others: readonly string[] = []): readonly string[] {
    const problem = addressProblem(text);
    if (problem === undefined) return [...new Set([...others, text])];
    throw new InvalidArgumentError(`${JSON.stringify(text)} ${problem}.`);
}

const durationOf = argument("be a duration such as 2m", (text) => (parseDuration(text) ? text : undefined));

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
const stepsOf = ({ name, again, history, unlock }: Texts): Steps => ({
    ...inCommand,
    subject: () => name,
    deployment: () => "The rollback",
    again: () => `\`${again}\``,
    reread: () => `\`${history}\``,
    versions: () => `\`${history}\``,
    option: (text) => (text === "lock: false" ? "--under-lock" : inCommand.option(text)),
    underLock: (form) => form.replace("{}", "add `--under-lock`"),
    unlock: (flags) => `\`${unlock}${flags.replace(/^\S+/, "")}\``,
    relock: () => `run \`${again}\` again`,
    repeat: () => `run \`${again}\``,
    longer: () => "set a longer `--wait`",
});
