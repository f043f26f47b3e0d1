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
import { type IdParts, identity } from "../../core/identity";
import { defineAction, HalfMade } from "../../core/resource";
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
    unlessAbsent,
} from "../../errors";
import { property } from "../../schema/property";
import { holdsUnknown, type Values } from "../../schema/values";
import { connectionProperty } from "../shared-options";
import { ended, runText, showWithRun, showWorkspace, workspace, workspaceIn } from "./get-workspace";
import { afterNotFound, readCurrent, type StateVersion } from "./records";
import { adviceOnRight, idOf, inDoubt, stateVersions, unexpectedBody } from "./service";

const lockWorkspace = endpoint("POST /workspaces/{workspaceId}/actions/lock");
const unlockWorkspace = endpoint("POST /workspaces/{workspaceId}/actions/unlock");

const lockMust = { error: "must be true, false, or an object with a reason" };
const lockType = property(
    z.strictObject({ reason: property(z.string().optional(), { description: "Reason of the lock." }) }, lockMust),
    { typeName: "LockReason", description: "How the workspace's lock is taken." },
);
const lockMarks = property(z.array(z.string()).optional(), {
    internal: true,
    description: "The mark that ends the reason of the resource's locks, and those from before it was renamed.",
});

/** The inputs `lock` and `lockMarks`. `action`: what the resource locks the workspace for, such as `the rollback`. */
export const lockProperties = (action: string) => ({
    lock: property(z.union([z.boolean(), lockType], lockMust).optional(), {
        default: true,
        description:
            `Whether to lock the workspace during ${action}, with this \`reason\` if one is given. Default: \`true\`, ` +
            "which fails if the workspace is locked. `false`: this account has locked it already.",
    }),
    lockMarks,
});

/** The inputs on which the lock of a resource depends. */
export interface LockInputs {
    readonly workspaceId: string;
    readonly lock?: boolean | { reason?: string | undefined } | undefined;
    readonly keepLocked?: boolean | undefined;
    readonly lockMarks?: readonly string[] | undefined;
    /** Only in the inputs of WorkspaceLock. */
    readonly adopt?: boolean | undefined;
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
    const shown = workspaceIn(context, answer);
    const { locked, lockedReason: reason = "", lockedById: id, lockedByType: type = "" } = shown;
    if (locked === undefined) throw new AnswerError(answer.exchange, unexpectedBody);
    const who = id === undefined ? "" : ` by ${type.replace(/s$/, "")} ${id}`;
    const run = type === "runs" ? id : undefined;
    const holder = who + (reason && ` (${JSON.stringify(context.quoted(reason))})`);
    const { autoApply, currentRun, permissions, terraformVersion } = shown;
    return { locked, reason, id, run, holder, autoApply, currentRun, permissions, terraformVersion };
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

const marksOf = ({ lockMarks = [] }: Pick<LockInputs, "lockMarks">) =>
    lockMarks.length > 0 ? lockMarks : [`${markStart}]`];

function isMarked(lock: Lock | undefined, inputs: Pick<LockInputs, "lockMarks">): boolean {
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
    const { workspaceId, adopt } = inputs;
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
    const way = adopt === undefined ? "lock: false" : "adopt: true";
    const lead = adopt ? "`adopt: true` takes over a lock of this account only" : `set \`${way}\` if the lock is yours`;
    const message = `${lead}: the workspace ${workspaceId} is locked${by}`;
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
    // A WorkspaceLock of the same program may lock before.
    const isAwaited = context.memory.has(`${problem?.code} ${inputs.workspaceId}`);
    if (problem !== undefined && !isAwaited) context.reportBlocker(problem);
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
async function takeLock({ cleanUp: context }: Context, inputs: LockInputs, reason: string): Promise<Lock> {
    const { workspaceId, lock } = inputs;
    const body = { reason: `${(typeof lock === "object" && lock.reason) || reason} ${marksOf(inputs)[0]}` };
    try {
        return lockIn(context, await context.client.call(lockWorkspace, { parameters: { workspaceId }, body }));
    } catch (error) {
        const isLost = mayHaveActed(error);
        if (!isLost && !(error instanceof ConflictError)) throw error;
        const now = await readLock(context, workspaceId).catch(() => {
            throw inDoubt(error, `the workspace ${workspaceId} is locked now`, adviceToUnlock(context, inputs));
        });
        // The workspace was not locked before, so the lock is new.
        if (isLost && mayBeOurs(now, inputs)) return now;
        throw lockProblem(context, now, inputs) ?? error;
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

const inputs = z.strictObject({
    workspaceId: property(idOf("workspace"), { immutable: true, description: "The workspace to lock." }),
    reason: property(z.string().trim().min(1, { error: "must not be empty" }).optional(), {
        immutable: true,
        default: "locked by Pulumi",
        description: "Why, which others see. For another reason, it is unlocked and locked again: a run may start.",
    }),
    adopt: property(z.boolean().optional(), {
        option: true,
        default: false,
        description: "Whether to take over another lock of this account: the workspace is unlocked and locked again.",
    }),
    connection: connectionProperty,
    lockMarks,
});
const outputs = z.strictObject({ lockedBy: workspace.shape.lockedById });

const shownOf = ({ id }: Lock) => ({ outputs: { lockedBy: id } });

/** The reason of a lock without the marks at its end, and the marks. */
const partsOf = ({ reason }: Lock) => reason.split(/ *(?=\[statecraft )/);

/** Whether a workspace has the lock of a state. The open-source server OTF shows of a lock only that it exists. */
const isStored = (lock: Lock, state: Pick<LockInputs, "lockMarks">) =>
    lock.locked && (lock.holder === "" || isMarked(lock, state));

/** The error for a lock that a WorkspaceLock cannot replace. */
const obstacle = (context: Context, lock: Lock, inputs: LockInputs) =>
    inputs.adopt === true && lock.run === undefined ? undefined : lockProblem(context, lock, inputs);

export const workspaceLock = defineAction<typeof inputs, typeof outputs, IdParts<"workspaceId">>({
    type: "WorkspaceLock",
    service: stateVersions,
    description: "Locks a workspace of HCP Terraform, so that no run starts. Deleting this resource unlocks it.",
    inputs,
    outputs,
    identity: identity("<workspaceId>", { workspaceId: idOf("workspace") }),
    title: ({ workspaceId }) => `lock of the workspace ${workspaceId}`,
    address: ({ workspaceId }) => ({ workspaceId }),
    deletesFirst: true,
    // A rollback of the same name must not release this lock.
    prepare: (values, { owner }, before) => withLockMarks(values, { owner: owner && `${owner}::lock` }, before),

    act: (context, { workspaceId }, inputs) =>
        exclusively(context, inputs, async () => {
            const lock = await readLock(context, workspaceId);
            if (isMarked(lock, inputs) && partsOf(lock)[0] === inputs.reason) return shownOf(lock);
            const problem = obstacle(context, lock, inputs);
            if (problem !== undefined) throw problem;
            // If this does not release the lock of another account, the next request fails.
            if (lock.locked) await releaseLock(context, inputs);
            return shownOf(await takeLock(context, inputs, inputs.reason ?? ""));
        }),

    async read(context, { workspaceId }, state) {
        const lock = await readLock(context, workspaceId).catch(unlessAbsent);
        if (lock === undefined) return afterNotFound(context, `the workspace ${workspaceId}`, state);
        if (!lock.locked || (state && !isStored(lock, state))) return undefined;
        const [reason, ...marks] = partsOf(lock);
        const inputs = { workspaceId, ...(!["", state?.reason].includes(reason) && { reason }) };
        return { ...shownOf(lock), inputs: { ...inputs, lockMarks: state?.lockMarks ?? marks } };
    },

    remove: (context, { workspaceId }, known) =>
        exclusively(context, { workspaceId }, async () => {
            if (context.options.isRetained) return;
            const lock = await readLock(context, workspaceId).catch(unlessAbsent);
            const why = lock ? `locked${lock.holder}, not by this resource` : "absent, or hidden from the token";
            if (lock && isStored(lock, known)) await releaseLock(context, { ...known, workspaceId });
            else if (lock?.locked !== false)
                context.warn("lock-kept", `the workspace ${workspaceId} was not unlocked: it is ${why}.`);
        }),

    async preview(context, inputs, state, changes) {
        const { workspaceId, adopt, reason } = inputs;
        if (holdsUnknown([workspaceId, adopt]) || (state && changes.every(({ isOption }) => isOption))) return;
        const lock = await readLock(context, workspaceId);
        const problem = obstacle(context, lock, inputs);
        if (problem !== undefined) return context.reportBlocker(problem);
        context.memory.add(`not-locked ${workspaceId}`);
        if (!lock.locked || (isMarked(lock, inputs) && partsOf(lock)[0] === reason)) return;
        const again = `the workspace ${workspaceId}, locked${lock.holder}, will be unlocked and locked again`;
        context.inform("preview", `${again}: a run may start in between.`);
    },
});
