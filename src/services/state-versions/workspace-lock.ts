/**
 * The lock of a workspace. The reason of every lock that a resource takes ends in its mark.
 *
 * | workspace                  | `lock: true`                           | `lock: false`                          |
 * | -------------------------- | -------------------------------------- | -------------------------------------- |
 * | unlocked                   | take it, release it afterwards         | fail, if the workspace can be read     |
 * | locked, reason ends in our | a killed run of ours left it: use it,  | work under it                          |
 * | mark                       | release it afterwards                  |                                        |
 * | locked otherwise           | fail: say who holds it and why         | work under it: the service decides     |
 *
 * A lock with our mark is released even where nothing else had to be done, unless `keepLocked` is `true`.
 */

import * as z from "zod";
import { formatError } from "../../core/format-error";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import type { Answer } from "../../core/service";
import {
    AnswerError,
    ConflictError,
    mayHaveActed,
    NotFoundError,
    reworded,
    ServiceError,
    StatecraftError,
} from "../../errors";
import { holdsUnknown } from "../../schema/unknown";
import { absentOrDenied, anothersLock, lockUnseen, notLocked, otherForm, perhapsLocked, unreleased } from "./failures";

const showWorkspace = operation("GET /workspaces/{workspaceId}");
const lockWorkspace = operation("POST /workspaces/{workspaceId}/actions/lock");
const unlockWorkspace = operation("POST /workspaces/{workspaceId}/actions/unlock");
/** Only for messages: no lock is ever broken. */
const forceUnlock = operation("POST /workspaces/{workspaceId}/actions/force-unlock");

/** The inputs of a resource that concern the lock. */
export interface LockInputs {
    readonly workspaceId: string;
    readonly lock?: boolean | { reason?: string | undefined } | undefined;
    readonly keepLocked?: boolean | undefined;
    /** Ends the reason of every lock that the resource takes. */
    readonly lockMark?: string | undefined;
}

/** An action that needs the lock. */
export interface LockedAction {
    /** What messages call it: `a rollback`. */
    readonly noun: string;
    /** The reason of the lock, unless the user gives one. */
    readonly reason: string;
    /** What to look at when the service answers 409, 412 or 422. */
    readonly refused: string;
}

/** The lock of a workspace, as its record shows it. */
export interface Lock {
    readonly locked: boolean;
    readonly reason: string;
    /** ` by user user-1 ("deploy freeze")`, for messages. */
    readonly holder: string;
}

const workspaceDocument = z.object({
    data: z.looseObject({
        attributes: z.looseObject({ locked: z.boolean().nullish(), "locked-reason": z.string().nullish() }),
        relationships: z
            .looseObject({
                "locked-by": z.object({ data: z.object({ id: z.string(), type: z.string() }).nullish() }).nullish(),
            })
            .nullish(),
    }),
});

/** Reads whether a workspace is locked, by whom and why. */
export async function readLock({ client }: RequestContext, workspaceId: string): Promise<Lock> {
    return lockIn(await client.call(showWorkspace, { parameters: { workspaceId } }));
}

function lockIn(answer: Answer): Lock {
    const parsed = workspaceDocument.safeParse(answer.body).data?.data;
    if (parsed === undefined) throw new AnswerError(answer.exchange, otherForm());
    const { attributes, relationships } = parsed;
    const reason = attributes["locked-reason"] ?? "";
    const by = relationships?.["locked-by"]?.data;
    const who = by ? ` by ${by.type.replace(/s$/, "")} ${by.id}` : "";
    return { locked: attributes.locked === true, reason, holder: who + (reason && ` (${JSON.stringify(reason)})`) };
}

/** Reads the lock. With `lock: false` the workspace need not be readable. */
function look(context: RequestContext, { workspaceId, lock }: LockInputs): Promise<Lock | undefined> {
    return readLock(context, workspaceId).catch((error: unknown) => {
        if (lock === false && error instanceof StatecraftError) return undefined;
        throw error;
    });
}

const markOf = ({ lockMark = "[statecraft]" }: LockInputs) => lockMark;

const isMarked = (lock: Lock, want: LockInputs) => lock.locked && lock.reason.endsWith(markOf(want));

function problemWith(lock: Lock, want: LockInputs, noun: string): StatecraftError | undefined {
    if (want.lock === false) return lock.locked ? undefined : notLocked({ workspace: want.workspaceId, noun });
    return lock.locked && !isMarked(lock, want) ? anothersLock(anothers(lock, want)) : undefined;
}

const anothers = ({ holder }: Lock, { workspaceId }: LockInputs) => ({
    workspace: workspaceId,
    holder,
    request: `POST ${unlockWorkspace.path({ workspaceId })}`,
});

/**
 * Runs work on a workspace after earlier work of this process on it has finished: a lock that carries our mark by then was left by
 * an earlier process. Not reentrant.
 */
export const inTurn = <Result>(context: RequestContext, workspaceId: string, work: () => Promise<Result>) =>
    context.exclusive(`workspace ${workspaceId}`, work);

/** Says in a preview why an action could not have the lock now. */
export async function previewLock(context: RequestContext, want: LockInputs, noun: string): Promise<void> {
    if (holdsUnknown(want.lock)) return;
    const lock = await look(context, want);
    const problem = lock && problemWith(lock, want, noun);
    if (problem !== undefined) context.reportBlocker(problem);
}

/**
 * Runs an action under the lock, and releases the lock afterwards, also after a failure or a cancellation.
 * @returns `stuck`: why the lock could not be released
 */
export async function withWorkspaceLock<Result>(
    context: RequestContext,
    want: LockInputs,
    action: LockedAction,
    work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly stuck: unknown }> {
    const lock = await look(context, want).catch(explained(action));
    const problem = lock && problemWith(lock, want, action.noun);
    if (problem !== undefined) throw problem;
    const isLeftOver = lock !== undefined && isMarked(lock, want);
    const isTaken = want.lock !== false && !isLeftOver;
    if (isTaken) await takeLock(context, want, action);
    const result = await work().catch(async (error: unknown) => {
        const releases = isTaken || (isLeftOver && want.keepLocked !== true);
        // Nothing will finish a version that is still pending after a failure.
        if (releases)
            await releaseLock(context, want, false).catch((stuck: unknown) => context.warn(formatError(stuck)));
        throw error;
    });
    const releases = (isTaken || isLeftOver) && want.keepLocked !== true;
    const stuck = releases ? await releaseLock(context, want).catch((error: unknown) => error) : undefined;
    return { result, stuck };
}

/** Releases a lock that carries our mark where no action needs the lock. */
export async function releaseMarked(context: RequestContext, want: LockInputs, pendingEnds = true): Promise<void> {
    if (want.keepLocked === true) return;
    const lock = await look(context, want);
    if (lock !== undefined && isMarked(lock, want)) await releaseLock(context, want, pendingEnds);
}

/** The same when the resource is deleted: `keepLocked` no longer counts, the workspace may be gone, and a version may wait in vain for its content. */
export async function releaseOnDelete(
    context: RequestContext,
    state: LockInputs & { readonly unfinished?: readonly string[] | undefined },
): Promise<void> {
    try {
        await releaseMarked(context, { ...state, keepLocked: false }, false);
    } catch (error) {
        if (isPending(error)) return context.warn(formatError(error));
        if (!(error instanceof NotFoundError)) throw error;
        const parts = { failed: error.message, workspace: state.workspaceId };
        if (state.unfinished?.includes("unlock")) throw lockUnseen.of(error, parts);
        context.warn(lockUnseen(parts).message);
    }
}

/** Goes on after a cancellation: a lock that was granted must be known, to be released. */
async function takeLock({ cleanUp: context }: RequestContext, want: LockInputs, action: LockedAction): Promise<void> {
    const { workspaceId, lock } = want;
    const reason = `${(typeof lock === "object" && lock.reason) || action.reason} ${markOf(want)}`;
    try {
        await context.client.call(lockWorkspace, { parameters: { workspaceId }, body: { reason } });
    } catch (error) {
        if (!(error instanceof ConflictError) && !mayHaveActed(error)) return explained(action)(error);
        const now = await readLock(context, workspaceId).catch(() => undefined);
        if (now === undefined && mayHaveActed(error)) {
            throw perhapsLocked.of(error, { failed: error.message, ...anothers(unlocked, want) });
        }
        if (!now?.locked) throw error;
        // It was unlocked just before, and not every server keeps reasons.
        const isOurs = mayHaveActed(error) && (isMarked(now, want) || now.reason === "");
        if (!isOurs) throw anothersLock.of(error, anothers(now, want));
    }
}

const unlocked: Lock = { locked: false, reason: "", holder: "" };

const releaseSeconds = 60;
const releaseInterval = 2_000;

/**
 * Releases our lock, also after a cancellation. Asks again for a while when the answer is lost, and when a version is pending.
 * @param pendingEnds whether a pending version is waited for
 */
async function releaseLock({ cleanUp: context }: RequestContext, want: LockInputs, pendingEnds = true): Promise<void> {
    const { workspaceId } = want;
    let now: Lock | undefined;
    let last: unknown;
    const limit = context.waitLimit(undefined, releaseSeconds);
    const wait = { for: "the workspace to be unlocked", limit, interval: releaseInterval };
    const released = await context.poll(wait, async () => {
        try {
            // An answer that does not show the workspace is one that a gateway may have given: a look tells.
            lockIn(await context.client.call(unlockWorkspace, { parameters: { workspaceId } }));
            return true;
        } catch (error) {
            now = await readLock(context, workspaceId).catch(() => undefined);
            // Unlocked already, perhaps even locked by somebody else since.
            if (now && !isMarked(now, want) && !(now.locked && now.reason === "")) return true;
            last = error;
            if (isPending(error) ? pendingEnds : mayHaveActed(error)) return undefined;
            throw stillLocked(error, now, want);
        }
    });
    if (released === undefined) throw stillLocked(last, now, want);
}

/** Servers answer it with different statuses. */
const isPending = (error: unknown) =>
    error instanceof ServiceError &&
    [400, 409, 503].includes(error.status) &&
    error.reasons.some((reason) => /pending/i.test(reason));

function stillLocked(error: unknown, now: Lock | undefined, want: LockInputs): unknown {
    if (!(error instanceof StatecraftError)) return error;
    const force = `POST ${forceUnlock.path({ workspaceId: want.workspaceId })}`;
    return unreleased.of(error, { failed: error.message, force, ...anothers(now ?? unlocked, want) });
}

/** Adds to a refusal of an action what to do next: for `catch`. */
export function explained({ noun, refused }: LockedAction): (error: unknown) => never {
    return (error) => {
        if (error instanceof NotFoundError) {
            const what = noun.charAt(0).toUpperCase() + noun.slice(1);
            throw reworded(error, { hint: absentOrDenied({ what }) });
        }
        const isRefused = error instanceof ServiceError && [409, 412, 422].includes(error.status);
        throw isRefused ? reworded(error, { hint: refused }) : error;
    };
}
