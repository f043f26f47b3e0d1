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
import { inDoubt, unexpectedBody } from "./service";

const showWorkspace = endpoint("GET /workspaces/{workspaceId}");
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

const holderForm = z.object({ data: z.object({ id: z.string(), type: z.string() }).nullish() });
const workspaceDocument = z.object({
    data: z.object({
        attributes: z.object({ locked: z.boolean().nullish(), "locked-reason": z.string().nullish() }),
        relationships: z.object({ "locked-by": holderForm.nullish() }).nullish(),
    }),
});

type Lock = ReturnType<typeof lockIn>;

export async function readLock({ client }: Context, workspaceId: string): Promise<Lock> {
    return lockIn(await client.call(showWorkspace, { parameters: { workspaceId } }));
}

/** The lock in the record of a workspace. `holder`: text for messages, such as ` by user user-1 ("deploy freeze")`. */
function lockIn({ body, exchange }: Answer) {
    const workspace = workspaceDocument.safeParse(body).data?.data;
    if (workspace === undefined) throw new AnswerError(exchange, unexpectedBody);
    const { locked, "locked-reason": words } = workspace.attributes;
    const reason = words ?? "";
    const by = workspace.relationships?.["locked-by"]?.data;
    const who = by ? ` by ${by.type.replace(/s$/, "")} ${by.id}` : "";
    return { locked: locked === true, reason, holder: who + (reason && ` (${JSON.stringify(reason)})`) };
}

/** Reads the lock. With `lock: false`, returns `undefined` if the workspace cannot be read. */
function readLockFor(context: Context, { workspaceId, lock }: LockInputs): Promise<Lock | undefined> {
    return readLock(context, workspaceId).catch((error: unknown) => {
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
const mayBeOurs = (lock: Lock, inputs: LockInputs) => lock.locked && (lock.reason === "" || isMarked(lock, inputs));

/** The command with which an administrator releases a lock of any holder. */
const forceUnlock = ({ server }: Context, { workspaceId }: LockInputs) =>
    `\`curl -X POST -H "Authorization: Bearer $TFE_TOKEN" ${shellWord(`${server}/workspaces/${workspaceId}/actions/force-unlock`)}\``;

/** The error for a lock with which the resource cannot run its action. */
function lockProblem(context: Context, lock: Lock | undefined, inputs: LockInputs): StatecraftError | undefined {
    const { workspaceId } = inputs;
    if (inputs.lock === false && lock?.locked === false) {
        const message = `the workspace ${workspaceId} is not locked, and \`lock: false\` takes no lock`;
        const hint = "Leave out `lock: false`, or lock the workspace by the same account";
        return new StatecraftError("not-locked", message, { hint });
    }
    if (inputs.lock === false || !lock?.locked || isMarked(lock, inputs)) return undefined;
    const by = lock.holder || `, and ${context.product} does not say by whom`;
    const message = `set \`lock: false\` if the lock is yours: the workspace ${workspaceId} is locked${by}`;
    const advice = "Otherwise wait until it is unlocked, or if no run needs the lock any more, run as an administrator";
    return new StatecraftError("locked", message, { hint: `${advice} ${forceUnlock(context, inputs)}` });
}

/** Reports in a preview why the deployment could not lock the workspace now. */
export async function previewLock(context: Context, inputs: LockInputs): Promise<void> {
    if (holdsUnknown(inputs.lock)) return;
    const problem = lockProblem(context, await readLockFor(context, inputs), inputs);
    if (problem !== undefined) context.reportBlocker(problem);
}

/** Runs work on a workspace after earlier work of this process on it: a lock with the mark is then that of an earlier process. */
const exclusively = <Result>(context: Context, { workspaceId }: LockInputs, work: () => Promise<Result>) =>
    context.exclusive(`workspace ${workspaceId}`, work);

/**
 * Locks the workspace, runs an action, and releases the lock, also after a failure or a cancellation. Not reentrant.
 * @param reason the reason of the lock, unless the program gives one
 * @throws HalfMade if only the release failed
 */
export const withWorkspaceLock = <Acted extends { readonly id?: string; readonly outputs: Values }>(
    context: Context,
    inputs: LockInputs,
    reason: string,
    act: () => Promise<Acted>,
): Promise<Acted> =>
    exclusively(context, inputs, async () => {
        const lock = await readLockFor(context, inputs);
        const problem = lockProblem(context, lock, inputs);
        if (problem !== undefined) throw problem;
        const isEarlier = isMarked(lock, inputs);
        const isTaken = inputs.lock !== false && !isEarlier;
        if (isTaken) await takeLock(context, inputs, reason);
        const acted = await act().catch(async (error: unknown) => {
            if (isTaken || (isEarlier && inputs.keepLocked !== true)) {
                await releaseLock(context, inputs).catch((stuck: unknown) => warnStillLocked(context, stuck));
            }
            throw error;
        });
        if ((isTaken || isEarlier) && inputs.keepLocked !== true) {
            await releaseLock(context, inputs).catch((error: unknown) => {
                const problem = "it was done, but the workspace was not unlocked";
                throw new HalfMade(problem, { ...acted, steps: ["unlock"], cause: error });
            });
        }
        return acted;
    });

/** Releases a lock from an earlier run of this resource, which was interrupted or had `keepLocked` set. */
export const releaseEarlierLock = (context: Context, inputs: LockInputs): Promise<void> =>
    exclusively(context, inputs, async () => {
        if (inputs.keepLocked === true) return;
        if (isMarked(await readLockFor(context, inputs), inputs)) await releaseLock(context, inputs);
    });

/**
 * Releases a lock from an earlier run when the resource is deleted. If the workspace does not exist, or a pending version prevents the
 * release, it only warns, because a version may stay pending for ever.
 */
export async function releaseOnDelete(context: Context, state: LockInputs): Promise<void> {
    if (context.isRetained && state.keepLocked) {
        const advice = `To unlock it, run as an administrator ${forceUnlock(context, state)}`;
        return context.inform("lock-kept", `a lock of ${state.workspaceId} stays, if it has one. ${advice}.`);
    }
    await releaseEarlierLock(context, { ...state, keepLocked: false }).catch((error: unknown) => {
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

/** Unlocks the workspace, also after a cancellation. Repeats the request if its answer is lost or a version is pending. */
async function releaseLock({ cleanUp: context }: Context, inputs: LockInputs): Promise<void> {
    const { workspaceId } = inputs;
    // `timeouts` does not change this limit: a lock that stays prevents every run, and a longer wait rarely ends it.
    const wait = { for: "the workspace to be unlocked", limit: 60, interval: 2_000 };
    const { still: failure } = await context.poll(wait, async () => {
        try {
            // An answer that does not show the workspace may be that of a gateway.
            return { done: lockIn(await context.client.call(unlockWorkspace, { parameters: { workspaceId } })) };
        } catch (error) {
            const now = await readLock(context, workspaceId).catch(() => undefined);
            // The workspace is unlocked already, or another account has locked it since.
            if (now && !mayBeOurs(now, inputs)) return { done: now };
            if (!(error instanceof StatecraftError)) throw error;
            error.reword({
                code: "lock-kept",
                message: `the workspace ${workspaceId} is still locked${now?.holder ?? ""}: ${error.message}`,
                hint: adviceToUnlock(context, inputs),
            });
            if (isPending(error) || mayHaveActed(error)) return { still: error };
            throw error;
        }
    });
    if (failure !== undefined) throw failure;
}

/** Whether the service refuses to unlock because a version waits for its content. Servers answer this with 400, 409 or 503. */
const isPending = (error: unknown) =>
    error instanceof ServiceError && error.reasons.some((reason) => /pending/i.test(reason));
