/**
 * The lock of a workspace. The reason of every lock that a resource takes ends in the mark of the resource.
 *
 * | workspace                  | `lock: true`                           | `lock: false`                          |
 * | -------------------------- | -------------------------------------- | -------------------------------------- |
 * | unlocked                   | take it, release it afterwards         | fail, if the workspace can be read     |
 * | locked, the reason ends in | a killed run left it: use it, release  | work under it                          |
 * | our mark                   | it afterwards                          |                                        |
 * | locked otherwise           | fail: say who holds it and why         | work under it: the service decides     |
 *
 * A lock with our mark is released even where nothing else had to be done, unless `keepLocked` is `true`.
 */

import * as z from "zod";
import type { Context } from "../../core/context";
import { operation } from "../../core/operation";
import { ofFamily } from "../../core/operations";
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
import { property } from "../../schema/property";
import { holdsUnknown } from "../../schema/values";
import { otherForm } from "./service";

const showWorkspace = operation("GET /workspaces/{workspaceId}");
const lockWorkspace = operation("POST /workspaces/{workspaceId}/actions/lock");
const unlockWorkspace = operation("POST /workspaces/{workspaceId}/actions/unlock");

const lockMust = { error: "must be true, false, or an object with a reason" };
const lockType = z.union(
    [
        z.boolean(),
        property(
            z.strictObject(
                { reason: property(z.string().optional(), { description: "What the lock shows as its reason." }) },
                lockMust,
            ),
            { typeName: "WorkspaceLock", description: "How the workspace's lock is taken." },
        ),
    ],
    lockMust,
);

/** The inputs `lock` and `lockMark`. `action` is what the lock is taken for: `the rollback`. */
export const lockProperties = (action: string) => ({
    lock: property(lockType.optional(), {
        default: true,
        description: `Take the workspace's lock for the time of ${action}, and release it afterwards; the lock shows the \`reason\`, if one is given. On by default; fails if the workspace is locked. \`false\`: this account holds the lock already.`,
    }),
    lockMark: property(z.string().optional(), {
        internal: true,
        description: "Ends the reason of every lock that this resource takes.",
    }),
});

/** The inputs of a resource that concern the lock. */
export interface LockInputs {
    readonly workspaceId: string;
    readonly lock?: boolean | { reason?: string | undefined } | undefined;
    readonly keepLocked?: boolean | undefined;
    readonly lockMark?: string | undefined;
}

/** An action that needs the lock. */
export interface LockedAction {
    /** What messages call it: `a rollback`. */
    readonly noun: string;
    /** The reason of the lock, unless the program gives one. */
    readonly reason: string;
    /** What to check if the service answers 409, 412 or 422. */
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
export async function readLock({ client }: Context, workspaceId: string): Promise<Lock> {
    return lockIn(await client.call(showWorkspace, { parameters: { workspaceId } }));
}

function lockIn(answer: Answer): Lock {
    const parsed = workspaceDocument.safeParse(answer.body).data?.data;
    if (parsed === undefined) throw new AnswerError(answer.exchange, otherForm);
    const { attributes, relationships } = parsed;
    const reason = attributes["locked-reason"] ?? "";
    const by = relationships?.["locked-by"]?.data;
    const who = by ? ` by ${by.type.replace(/s$/, "")} ${by.id}` : "";
    return { locked: attributes.locked === true, reason, holder: who + (reason && ` (${JSON.stringify(reason)})`) };
}

/** Reads the lock. With `lock: false` the workspace need not be readable. */
function look(context: Context, { workspaceId, lock }: LockInputs): Promise<Lock | undefined> {
    return readLock(context, workspaceId).catch((error: unknown) => {
        if (lock === false && error instanceof StatecraftError) return undefined;
        throw error;
    });
}

const markOf = ({ lockMark = "[statecraft]" }: LockInputs) => lockMark;

const isMarked = (lock: Lock, want: LockInputs) => lock.locked && lock.reason.endsWith(markOf(want));

const unlockRequest = (workspaceId: string) => `POST ${unlockWorkspace.path({ workspaceId })}`;

/** What to say of a lock without our mark. */
const lockedByOther = ({ holder }: Lock, { workspaceId }: LockInputs) => ({
    code: "locked",
    message: `set \`lock: false\` if the lock is yours: the workspace ${workspaceId} is locked${holder}`,
    hint: `Otherwise wait until its holder releases it (${unlockRequest(workspaceId)}); an administrator can force that`,
});

function problemWith(lock: Lock, want: LockInputs, noun: string): StatecraftError | undefined {
    if (want.lock === false && !lock.locked) {
        return new StatecraftError(
            "not-locked",
            `the workspace ${want.workspaceId} is not locked, and ${noun} needs its lock`,
            {
                hint: "Leave out `lock: false` to take the lock for that time, or lock the workspace by the same account",
            },
        );
    }
    if (want.lock === false || !lock.locked || isMarked(lock, want)) return undefined;
    const { code, message, hint } = lockedByOther(lock, want);
    return new StatecraftError(code, message, { hint });
}

/**
 * Runs work on a workspace after earlier work of this process on it has finished: a lock that carries our mark then was left by an earlier
 * process. Not reentrant.
 */
export const inTurn = <Result>(context: Context, workspaceId: string, work: () => Promise<Result>) =>
    context.exclusive(`workspace ${workspaceId}`, work);

/** Reports in a preview why an action could not have the lock now. */
export async function previewLock(context: Context, want: LockInputs, noun: string): Promise<void> {
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
    context: Context,
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
        // A version that is pending after a failure stays pending.
        if (releases) await releaseLock(context, want, false).catch((stuck: unknown) => warnOf(context, stuck));
        throw error;
    });
    const releases = (isTaken || isLeftOver) && want.keepLocked !== true;
    const stuck = releases ? await releaseLock(context, want).catch((error: unknown) => error) : undefined;
    return { result, stuck };
}

/** Releases a lock that carries our mark where no action needs the lock. Returns why that failed. */
export const releaseMarked = (context: Context, want: LockInputs): Promise<unknown> =>
    want.keepLocked === true ? Promise.resolve() : releaseIfMarked(context, want).catch((error: unknown) => error);

async function releaseIfMarked(context: Context, want: LockInputs, pendingEnds = true): Promise<void> {
    const lock = await look(context, want);
    if (lock !== undefined && isMarked(lock, want)) await releaseLock(context, want, pendingEnds);
}

/** The same when the resource is deleted: with `keepLocked` too. The workspace may be gone, and a version may stay pending. */
export async function releaseOnDelete(
    context: Context,
    state: LockInputs & { readonly unfinished?: readonly string[] | undefined },
): Promise<void> {
    try {
        await releaseIfMarked(context, state, false);
    } catch (error) {
        if (isPending(error)) return warnOf(context, error);
        if (!(error instanceof NotFoundError)) throw error;
        const unseen = reworded(error, {
            code: "open",
            message: `${error.message}; whether the workspace ${state.workspaceId} is still locked by this resource is unknown`,
            hint: "Check the token. If the workspace is gone, `pulumi state delete` forgets this resource",
        });
        if (state.unfinished?.includes("unlock")) throw unseen;
        warnOf(context, unseen);
    }
}

/** Shows a failure that does not fail the operation. */
function warnOf(context: Context, error: unknown): void {
    const { code, message, hint } = ofFamily(error);
    context.warn(code, hint === undefined ? `${message}.` : `${message}. ${hint}.`);
}

/** Continues after a cancellation: a lock that was granted must be known, to be released. */
async function takeLock({ cleanUp: context }: Context, want: LockInputs, action: LockedAction): Promise<void> {
    const { workspaceId, lock } = want;
    const reason = `${(typeof lock === "object" && lock.reason) || action.reason} ${markOf(want)}`;
    try {
        await context.client.call(lockWorkspace, { parameters: { workspaceId }, body: { reason } });
    } catch (error) {
        if (!(error instanceof ConflictError) && !mayHaveActed(error)) return explained(action)(error);
        const now = await readLock(context, workspaceId).catch(() => undefined);
        if (now === undefined && mayHaveActed(error)) {
            throw reworded(error, {
                code: "open",
                message: `${error.message}; whether the workspace ${workspaceId} is locked now is unknown`,
                hint: `Run \`pulumi up\` again, which uses the lock if this run took it. To release it by hand, send ${unlockRequest(workspaceId)} with a token of the same account`,
            });
        }
        if (!now?.locked) throw error;
        // It was unlocked just before, and not every server stores reasons.
        const isOurs = mayHaveActed(error) && (isMarked(now, want) || now.reason === "");
        if (!isOurs) throw reworded(error, lockedByOther(now, want));
    }
}

const releaseSeconds = 60;
const releaseInterval = 2_000;

/**
 * Releases our lock, also after a cancellation. Repeats the request for a while when its answer is lost, and while a version is pending.
 * @param pendingEnds whether a pending version is waited for
 */
async function releaseLock({ cleanUp: context }: Context, want: LockInputs, pendingEnds = true): Promise<void> {
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
            // It is unlocked already, and may be locked by another account since.
            if (now && !isMarked(now, want) && !(now.locked && now.reason === "")) return true;
            last = error;
            if (isPending(error) ? pendingEnds : mayHaveActed(error)) return undefined;
            throw stillLocked(error, now, want);
        }
    });
    if (released === undefined) throw stillLocked(last, now, want);
}

/** Whether the service refuses because a version waits for its content. Servers answer this with different statuses. */
const isPending = (error: unknown) =>
    error instanceof ServiceError &&
    [400, 409, 503].includes(error.status) &&
    error.reasons.some((reason) => /pending/i.test(reason));

function stillLocked(error: unknown, now: Lock | undefined, { workspaceId }: LockInputs): unknown {
    if (!(error instanceof StatecraftError)) return error;
    const request = unlockRequest(workspaceId);
    return reworded(error, {
        code: "lock-kept",
        message: `the workspace ${workspaceId} is still locked${now?.holder ?? ""}: ${error.message}`,
        hint: `Run \`pulumi up\` again, which releases it. To do it by hand, send ${request} with a token of the same account, or ${request.replace(/unlock$/, "force-unlock")} as an administrator, which works while a version is pending too`,
    });
}

/** Adds to a refusal of an action what to do next: for `catch`. */
export function explained({ noun, refused }: LockedAction): (error: unknown) => never {
    return (error) => {
        if (error instanceof NotFoundError) {
            throw reworded(error, {
                hint: `It does not exist, its content was deleted, or the token may not use it: the server answers alike. Check the ids (\`workspaceId\` takes an id, not a name); ${noun} needs a user or team token that may read and write state versions of the workspace, and organization tokens cannot do it`,
            });
        }
        const isRefused = error instanceof ServiceError && [409, 412, 422].includes(error.status);
        throw isRefused ? reworded(error, { hint: refused }) : error;
    };
}
