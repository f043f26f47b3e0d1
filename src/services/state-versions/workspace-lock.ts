/**
 * The lock of a workspace. The reason of every lock that a resource takes ends in the resource's mark.
 *
 * | workspace                | `lock: true`                            | `lock: false`                         |
 * | ------------------------ | --------------------------------------- | ------------------------------------- |
 * | not locked               | lock it, unlock it afterwards           | fail, if the workspace can be read    |
 * | locked with this mark    | run the action, unlock it afterwards,   | run the action                        |
 * |                          | because an interrupted run locked it    |                                       |
 * | locked without this mark | fail with the lock's holder and reason  | run the action: the service decides   |
 *
 * A lock with the resource's mark is also released if there is no action to run, unless `keepLocked` is `true`.
 *
 * After each release the current version is read once more: the last `intermediate` version becomes current when a workspace is unlocked
 * (document "State Versions", Resources and their fields).
 */

import * as z from "zod";
import type { Context, DeploymentContext } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { HalfMade } from "../../core/resource";
import type { Answer } from "../../core/service";
import { shellWord } from "../../core/shell-word";
import {
    AnswerError,
    asStatecraftError,
    ConflictError,
    mayHaveActed,
    NotFoundError,
    ServiceError,
    StatecraftError,
    sentencesOf,
} from "../../errors";
import { property } from "../../schema/property";
import { holdsUnknown, type Values } from "../../schema/values";
import { ended, runText, showWithRun, showWorkspace, workspaceIn } from "./get-workspace";
import { readCurrent, type StateVersion } from "./records";
import { adviceOnRight, inDoubt, unexpectedBody } from "./service";

const lockWorkspace = endpoint("POST /workspaces/{workspaceId}/actions/lock");
const unlockWorkspace = endpoint("POST /workspaces/{workspaceId}/actions/unlock");

const lockMust = { error: "must be true, false, or an object with a reason" };
const lockType = property(
    z.strictObject({ reason: property(z.string().optional(), { description: "Reason of the lock." }) }, lockMust),
    { typeName: "WorkspaceLock", description: "How the workspace's lock is taken." },
);

/** The inputs `lock` and `lockMarks`. `action`: what the resource locks the workspace for, such as `the rollback`. */
export const lockProperties = (action: string) => ({
    lock: property(z.union([z.boolean(), lockType], lockMust).optional(), {
        default: true,
        description:
            `Whether to lock the workspace during ${action}, with this \`reason\` if one is given. Default: \`true\`, ` +
            "which fails if the workspace is locked. `false`: this account has locked it already.",
    }),
    lockMarks: property(z.array(z.string()).optional(), {
        internal: true,
        description:
            "The mark that ends the reason of every lock that this resource takes, and the marks that it used before it was renamed.",
    }),
});

/** The inputs on which the lock of a resource depends. */
export interface LockInputs {
    readonly workspaceId: string;
    readonly lock?: boolean | { reason?: string | undefined } | undefined;
    readonly keepLocked?: boolean | undefined;
    readonly lockMarks?: readonly string[] | undefined;
}

type Lock = ReturnType<typeof lockIn>;

export const readLock = async (context: Context, workspaceId: string): Promise<Lock> =>
    lockIn(context, await context.client.call(showWorkspace, { parameters: { workspaceId } }));

const readLockAndRun = async (context: Context, id: string): Promise<Lock> =>
    lockIn(context, await showWithRun(context, { id }));

/**
 * The lock of the workspace in an answer, and what runs do with it. `run`: the id of the run that locked. `holder`: text for messages, such as
 * ` by user user-1 ("deploy freeze")`.
 * @throws AnswerError for any other answer, and for one that does not show whether the workspace is locked
 */
function lockIn(context: Context, answer: Answer) {
    const workspace = workspaceIn(context, answer);
    const { locked, lockedReason: reason = "", lockedById: id, lockedByType: type = "" } = workspace;
    if (locked === undefined) throw new AnswerError(answer.exchange, unexpectedBody);
    const who = id === undefined ? "" : ` by ${type.replace(/s$/, "")} ${id}`;
    const run = type === "runs" ? id : undefined;
    const holder = who + (reason && ` (${JSON.stringify(context.quoted(reason))})`);
    const { autoApply, currentRun, permissions, terraformVersion } = workspace;
    return { locked, reason, run, holder, autoApply, currentRun, permissions, terraformVersion };
}

/** Reads the lock. With `lock: false`, returns `undefined` if the workspace cannot be read. */
function readLockFor(context: Context, { workspaceId, lock }: LockInputs, read = readLock): Promise<Lock | undefined> {
    return read(context, workspaceId).catch((error: unknown) => {
        if (lock === false && error instanceof StatecraftError) return undefined;
        throw error;
    });
}

const markStart = "[statecraft";

/** The mark of a resource. `owner` is that of `DeploymentContext`. */
export const lockMark = (owner: string): string => `${markStart} ${owner}]`;

/** Adds the marks of a resource to its inputs: that of this run first, then those of earlier runs. */
export function withLockMarks(inputs: Values, { owner }: DeploymentContext, before: Values): Values {
    const former = z.array(z.string()).safeParse(before["lockMarks"]).data ?? [];
    const marks = [...new Set([...(owner === undefined ? [] : [lockMark(owner)]), ...former])];
    return marks.length === 0 || inputs["lock"] === false ? inputs : { ...inputs, lockMarks: marks };
}

const marksOf = ({ lockMarks = [] }: LockInputs) => (lockMarks.length > 0 ? lockMarks : [`${markStart}]`]);

function isMarked(lock: Lock | undefined, inputs: LockInputs): boolean {
    if (lock?.locked !== true) return false;
    const mark = lock.reason.slice(lock.reason.lastIndexOf(markStart));
    return marksOf(inputs).some((each) => each === mark || each === shortMark(mark) || shortMark(each) === mark);
}

/** A mark without the organization, as the native plugin writes it. */
const shortMark = (mark: string) => mark.replace(/^(\[statecraft )[^/ ]+\/(?=[^/ ]+\/[^/ ]+ )/, "$1");

/** Whether this resource may have taken a lock: the open-source server OTF stores no reasons. */
const mayBeOurs = (lock: Lock, inputs: LockInputs) =>
    lock.locked && lock.run === undefined && (lock.reason === "" || isMarked(lock, inputs));

/** The command that sends an action to the API. */
const commandFor = ({ server }: Context, action: string) =>
    `\`curl -X POST -H "Authorization: Bearer $TFE_TOKEN" -H "Content-Type: application/vnd.api+json" ${shellWord(server + action)}\``;

/** The command with which an administrator releases a lock of any holder except a run. */
const forceUnlock = (context: Context, { workspaceId }: LockInputs) =>
    commandFor(context, `/workspaces/${workspaceId}/actions/force-unlock`);

/** Advice on how to end a run. */
const endOf = (context: Context, run: string) =>
    `discard it while it waits for a confirmation: ${commandFor(context, `/runs/${run}/actions/discard`)}; ` +
    "cancel it at any other time, with `cancel` instead of `discard`";

/** The error for a lock with which the resource cannot run its action. */
function lockProblem(context: Context, lock: Lock | undefined, inputs: LockInputs): StatecraftError | undefined {
    const { workspaceId } = inputs;
    if (inputs.lock === false && lock?.locked === false) {
        const message = `the workspace ${workspaceId} is not locked, and \`lock: false\` takes no lock`;
        const hint = "Leave out `lock: false`, or lock the workspace by the same account";
        return new StatecraftError("not-locked", message, { hint });
    }
    if (inputs.lock === false || !lock?.locked || isMarked(lock, inputs)) return undefined;
    if (lock.run !== undefined) {
        const hint = `Wait until the run ends, or ${endOf(context, lock.run)}`;
        return new StatecraftError("locked", `the workspace ${workspaceId} is locked${lock.holder}`, { hint });
    }
    const by = lock.holder || `, and ${context.product} does not say by whom`;
    const message = `set \`lock: false\` if the lock is yours: the workspace ${workspaceId} is locked${by}`;
    const advice = "Otherwise wait until it is unlocked, or if no run needs the lock any more, run as an administrator";
    return new StatecraftError("locked", message, { hint: `${advice} ${forceUnlock(context, inputs)}` });
}

/**
 * Reports in a preview why the deployment could not lock the workspace now, and warns of a state that runs may not be able to read. Returns
 * the lock if it could be read.
 * @param toolVersion the Terraform version of the state that will be current
 */
export async function previewLock(
    context: Context,
    inputs: LockInputs,
    toolVersion = "",
    read = readLock,
): Promise<Lock | undefined> {
    if (holdsUnknown(inputs.lock)) return undefined;
    const lock = await readLockFor(context, inputs, read);
    const problem = lockProblem(context, lock, inputs);
    if (problem !== undefined) context.reportBlocker(problem);
    const { terraformVersion = "" } = lock ?? {};
    // The version of a workspace may also be a range, or `latest`.
    const areKnown = [toolVersion, terraformVersion].every((version) => /^\d+\.\d+\.\d+/.test(version));
    if (areKnown && toolVersion.localeCompare(terraformVersion, "en", { numeric: true }) > 0) {
        const what = `the state is of Terraform ${toolVersion}, and ${inputs.workspaceId} runs ${terraformVersion}`;
        const advice = `Set the Terraform version of the workspace to ${toolVersion} or newer`;
        context.warn("preview", `${what}: runs may fail to read it, and Terraform before 0.14 refuses it. ${advice}.`);
    }
    return lock;
}

/** Reports in the preview of a rollback what `previewLock` reports, which right the token lacks, and what runs will do afterwards. */
export async function previewRuns(context: Context, inputs: LockInputs, toolVersion?: string): Promise<void> {
    const { workspaceId } = inputs;
    const lock = await previewLock(context, inputs, toolVersion, readLockAndRun);
    const { currentRun: run, autoApply, permissions } = lock ?? {};
    const takesLock = inputs.lock !== false && !isMarked(lock, inputs);
    for (const right of ["can-create-state-versions", "can-lock"] as const) {
        if (permissions?.[right] !== false || (right === "can-lock" && !takesLock)) continue;
        const message = `the token lacks the permission \`${right}\` of the workspace ${workspaceId}`;
        context.reportBlocker(new StatecraftError("denied", message, { hint: adviceOnRight(right) }));
    }
    if (run?.status !== undefined && !ended.test(run.status) && inputs.keepLocked !== true) {
        const title = `${runText(run)} (${run.status})`;
        const advice = `Set \`keepLocked: true\`, or ${endOf(context, run.id)}`;
        context.inform("preview", `the current run of ${workspaceId} is not finished: ${title}. ${advice}.`);
    }
    if (autoApply === true) {
        const advice = "Revert it while `keepLocked: true` keeps the workspace locked";
        const reason = "the next run repeats the change unless the configuration is reverted";
        context.inform("preview", `${workspaceId} applies plans by itself (auto-apply): ${reason}. ${advice}.`);
    }
}

/** Runs work on a workspace after earlier work of this process on it: a lock with the mark is then that of an earlier process. */
const exclusively = <Result>(context: Context, { workspaceId }: LockInputs, work: () => Promise<Result>) =>
    context.exclusive(`workspace ${workspaceId}`, work);

/** The version that a resource knows to be current while the workspace is locked. */
export type Known = Pick<StateVersion, "id" | "createdAt">;

/**
 * Locks the workspace, runs an action, and releases the lock, also after a failure or a cancellation. Not reentrant.
 * @param reason the reason of the lock, unless the program gives one
 * @param act calls `know` with each version that it reads or makes current
 * @returns the result of the action, and whether another version is current after the release
 * @throws HalfMade if only the release failed
 */
export const withWorkspaceLock = <Acted extends { readonly id?: string; readonly outputs: Values }>(
    context: Context,
    inputs: LockInputs,
    reason: string,
    act: (know: (version: Known | undefined) => void) => Promise<Acted>,
): Promise<Acted & { readonly isSuperseded: boolean }> =>
    exclusively(context, inputs, async () => {
        const lock = await readLockFor(context, inputs);
        const problem = lockProblem(context, lock, inputs);
        if (problem !== undefined) throw problem;
        const isEarlier = isMarked(lock, inputs);
        const isTaken = inputs.lock !== false && !isEarlier;
        if (isTaken) await takeLock(context, inputs, reason);
        let known: Known | undefined;
        const acting = act((version) => {
            known = version;
        });
        const acted = await acting.catch(async (error: unknown) => {
            if (isTaken || (isEarlier && inputs.keepLocked !== true)) {
                // After a lost answer the version of the action may become current late.
                const sure = mayHaveActed(error) ? undefined : known;
                await releaseLock(context, inputs, sure).catch((stuck: unknown) => warnStillLocked(context, stuck));
            }
            // The mark is that of this resource, but the lock that of another account.
            if (isEarlier && error instanceof ConflictError)
                error.reword({ hint: adviceOnHolder(context, lock, inputs) });
            throw error;
        });
        if ((!isTaken && !isEarlier) || inputs.keepLocked === true) return { ...acted, isSuperseded: false };
        const isSuperseded = await releaseLock(context, inputs, known).catch((error: unknown) => {
            const problem = "it was done, but the workspace was not unlocked";
            throw new HalfMade(problem, { ...acted, steps: ["unlock"], cause: error });
        });
        return { ...acted, isSuperseded };
    });

/**
 * Releases a lock from an earlier run of this resource, which was interrupted or had `keepLocked` set. Returns whether another version
 * than `known` is current then.
 */
export const releaseEarlierLock = (context: Context, inputs: LockInputs, known?: Known): Promise<boolean> =>
    exclusively(context, inputs, async () => {
        const isOurs = inputs.keepLocked !== true && isMarked(await readLockFor(context, inputs), inputs);
        return isOurs && (await releaseLock(context, inputs, known));
    });

/**
 * Releases a lock from an earlier run when the resource is deleted. If the workspace does not exist, or a pending version prevents the
 * release, it only warns, because a version may stay pending for ever.
 */
export async function releaseOnDelete(context: Context, state: LockInputs, known?: Known): Promise<void> {
    if (context.options.isRetained && state.keepLocked) {
        const advice = `To unlock it, run as an administrator ${forceUnlock(context, state)}`;
        return context.inform("lock-kept", `a lock of ${state.workspaceId} stays, if it has one. ${advice}.`);
    }
    await releaseEarlierLock(context, { ...state, keepLocked: false }, known).catch((error: unknown) => {
        if (!(error instanceof NotFoundError) && !isPending(error)) throw error;
        warnStillLocked(context, error);
    });
}

/** Warns that the workspace is still locked. */
function warnStillLocked(context: Context, error: unknown): void {
    const failure = asStatecraftError(error);
    context.warn(failure.code, `the workspace was not unlocked: ${sentencesOf(failure)}`);
}

const adviceToUnlock = (context: Context, inputs: LockInputs) =>
    `Run \`pulumi up\` again, which unlocks it, or run as an administrator ${forceUnlock(context, inputs)}`;

/** Advice for a lock with the mark of this resource that the service does not take for one of this account. */
const adviceOnHolder = (context: Context, lock: Lock | undefined, inputs: LockInputs) =>
    `Use a token of the account that took the lock${lock?.holder ?? ""}, or run as an administrator ${forceUnlock(context, inputs)}`;

/** Locks the workspace. A cancellation does not stop the request, because a lock that the server grants must be released. */
async function takeLock({ cleanUp: context }: Context, inputs: LockInputs, reason: string): Promise<void> {
    const { workspaceId, lock } = inputs;
    const body = { reason: `${(typeof lock === "object" && lock.reason) || reason} ${marksOf(inputs)[0]}` };
    try {
        await context.client.call(lockWorkspace, { parameters: { workspaceId }, body });
    } catch (error) {
        const isLost = mayHaveActed(error);
        if (!isLost && !(error instanceof ConflictError)) throw error;
        const now = await readLock(context, workspaceId).catch(() => {
            throw inDoubt(error, `the workspace ${workspaceId} is locked now`, adviceToUnlock(context, inputs));
        });
        // The workspace was not locked before, so the lock is new.
        if (!isLost || !mayBeOurs(now, inputs)) throw lockProblem(context, now, inputs) ?? error;
    }
}

/**
 * Unlocks the workspace, also after a cancellation. Repeats the request if its answer is lost or a version is pending. Returns whether
 * another version than `known` is current then.
 */
async function releaseLock({ cleanUp: context }: Context, inputs: LockInputs, known?: Known): Promise<boolean> {
    const { workspaceId } = inputs;
    let isLost = false;
    // `timeouts` does not change this limit: a lock that stays prevents every run, and a longer wait rarely ends it.
    const wait = { for: "the workspace to be unlocked", limit: 60, interval: 2_000 };
    const { done, still: failure } = await context.poll(wait, async () => {
        try {
            // An answer that does not show the workspace may be that of a gateway.
            const answer = await context.client.call(unlockWorkspace, { parameters: { workspaceId } });
            return { done: { ...lockIn(context, answer), isUnlocked: true } };
        } catch (error) {
            isLost ||= mayHaveActed(error);
            const now = await readLock(context, workspaceId).catch(() => undefined);
            // The workspace is unlocked already, or another account has locked it since.
            if (now && !mayBeOurs(now, inputs)) return { done: { ...now, isUnlocked: isLost } };
            if (!(error instanceof StatecraftError)) throw error;
            error.reword({
                code: "lock-kept",
                message: `the workspace ${workspaceId} is still locked${now?.holder ?? ""}: ${error.message}`,
                hint:
                    error instanceof ConflictError && !isPending(error)
                        ? adviceOnHolder(context, now, inputs)
                        : adviceToUnlock(context, inputs),
            });
            if (isPending(error) || mayHaveActed(error)) return { still: error };
            throw error;
        }
    });
    if (failure !== undefined) throw failure;
    if (done?.locked === false && done.autoApply === true && !context.memory.has(`start ${workspaceId}`)) {
        context.memory.add(`start ${workspaceId}`);
        const now = "runs that waited behind the lock start now and apply by themselves";
        context.inform("auto-apply", `the workspace ${workspaceId} was unlocked: ${now}.`);
    }
    return done?.isUnlocked === true && known !== undefined && (await isReplaced(context, workspaceId, known));
}

/** Whether another version than `known` is current after a release. Warns of it, unless it is that of a run that began after the release. */
async function isReplaced(context: Context, workspaceId: string, known: Known): Promise<boolean> {
    const unlocked = `the workspace ${workspaceId} was unlocked`;
    try {
        const { id, createdAt = "", runId } = await readCurrent(context, workspaceId);
        if (id === known.id) return false;
        // No run makes a version while this resource holds the lock.
        const isLater = runId !== undefined && Date.parse(createdAt) > Date.parse(known.createdAt ?? "");
        if (!isLater) {
            const reason = "the last intermediate version becomes current when a workspace is unlocked";
            const advice = `To make ${known.id} current again, change \`triggers\` of its StateVersionRollback, or declare one, and run \`pulumi up\``;
            context.warn(
                "superseded",
                `${unlocked}, and now ${id} is current instead of ${known.id}: ${reason}. ${advice}.`,
            );
        }
        return true;
    } catch (error) {
        const failure = asStatecraftError(error);
        const what = `${unlocked}, but whether ${known.id} is still current is not known: ${failure.message}`;
        context.warn(failure.code, `${what}. Run \`pulumi refresh\`, which reads it again.`);
        return false;
    }
}

/** Whether the service refuses to unlock because a version waits for its content. Servers answer this with 400, 409 or 503. */
const isPending = (error: unknown) =>
    error instanceof ServiceError && error.reasons.some((reason) => /pending/i.test(reason));
