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
import { type Context, perServer } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { HalfMade } from "../../core/resource";
import type { Answer } from "../../core/service";
import { shellWord, step } from "../../core/steps";
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
import type { Values } from "../../schema/values";
import { showWithRun, showWorkspace, workspaceIn } from "./get-workspace";
import {
    type Freeze,
    isMarkedReason,
    isOfStack,
    lockMarksProperty,
    type Marked,
    marksOf,
    readableReason,
} from "./lock-marks";
import { readCurrent, type StateVersion } from "./records";
import { adviceOnRight, inDoubt, unexpectedBody } from "./service";

/** The workspaces that were unlocked, and whose waiting runs a message has named. */
const startingRuns = perServer(() => new Set<string>());

const advice = { 403: adviceOnRight("can-lock") };
const lockWorkspace = endpoint("POST /workspaces/{workspaceId}/actions/lock", "refused", advice);
const unlockWorkspace = endpoint("POST /workspaces/{workspaceId}/actions/unlock", "refused", advice);

const lockMust = { error: "must be true, false, or an object with a reason" };
const lockType = property(
    z.strictObject({ reason: property(z.string().optional(), { description: "Reason of the lock." }) }, lockMust),
    { typeName: "LockReason", description: "How the workspace's lock is taken." },
);

/** The inputs `lock` and `lockMarks`. `action`: what the resource locks the workspace for, such as `the rollback`. */
export const lockProperties = (action: string) => ({
    lock: property(z.union([z.boolean(), lockType], lockMust).optional(), {
        default: true,
        description:
            `Whether to lock the workspace during ${action}, with this \`reason\` if one is given. Default: \`true\`, ` +
            "which fails if the workspace is locked. `false`: this account has locked it already.",
    }),
    lockMarks: lockMarksProperty,
});

/** The inputs on which the lock of a resource depends. */
export interface LockInputs extends Marked {
    readonly workspaceId: string;
    readonly lock?: boolean | { reason?: string | undefined } | undefined;
    readonly keepLocked?: boolean | undefined;
    /** Only in the inputs of WorkspaceLock. */
    readonly adopt?: boolean | undefined;
}

/** The lock that the service shows. */
export type Lock = ReturnType<typeof lockIn>;

export const readLock = async (context: Context, workspaceId: string): Promise<Lock> =>
    lockIn(context, await context.client.call(showWorkspace, { parameters: { workspaceId } }));

/** Reads the lock, and the current run, of a workspace by its id, or by its organization and name. */
export const readLockOf = async (context: Context, reference: Parameters<typeof showWithRun>[1]): Promise<Lock> =>
    lockIn(context, await showWithRun(context, reference));

/**
 * The workspace in an answer with its lock. `run`: the id of the run that locked. `holder`: text for messages, such as
 * ` by user user-1 ("deploy freeze")`.
 * @throws AnswerError for any other answer, and for one that does not show whether the workspace is locked
 */
export function lockIn(context: Context, answer: Answer) {
    const shown = workspaceIn(context, answer);
    const { locked, lockedReason: reason = "", lockedById: id, lockedByType: type = "" } = shown;
    if (locked === undefined) throw new AnswerError(answer.exchange, unexpectedBody);
    const who = id === undefined ? "" : ` by ${type.replace(/s$/, "")} ${id}`;
    const run = type === "runs" ? id : undefined;
    return {
        ...{ ...shown, locked, reason, run },
        // A getter, because the search for secrets takes time, and only messages need it.
        get holder() {
            const { since } = readableReason(reason);
            return `${who}${since ? ` since ${since}` : ""}${reason && ` (${JSON.stringify(context.quoted(reason))})`}`;
        },
        /** The holder, or that it is unknown. */
        get by(): string {
            return this.holder || `, and ${context.product} does not say by whom`;
        },
    };
}

/** Advice on how to end a run. Terraform's own commands print the address of its page in this form. */
export function endOf({ server }: Context, { organization, name }: Partial<Lock>, run: string): string {
    const path = organization && name ? [organization, name, "runs", run].map(encodeURIComponent).join("/") : undefined;
    return `discard or cancel it on its page${path ? `, ${new URL(server).origin}/app/${path}` : ""}`;
}

/** Whether the service refuses to unlock because another account has the lock: with 409, and the open-source server OTF with 500. */
export const isOfOther = (error: unknown): boolean =>
    (error instanceof ConflictError && !isPending(error)) ||
    (error instanceof ServiceError && error.reasons.some((reason) => /\blocked by\b/i.test(reason)));

/** Whether two reads show one lock. */
export const isSameLock = (one: Lock, other: Lock): boolean =>
    one.locked === other.locked && one.lockedById === other.lockedById && one.reason === other.reason;

/** The version that a resource knows to be current while the workspace is locked. */
export type Known = Pick<StateVersion, "id" | "createdAt">;

/** The lock of one workspace in one operation of a resource. */
export class Locking {
    constructor(
        private readonly context: Context,
        private readonly inputs: LockInputs,
    ) {}

    /** Reads the lock. With `lock: false`, returns `undefined` if the workspace cannot be read. */
    async read({ withRun = false } = {}): Promise<Lock | undefined> {
        const { context, inputs } = this;
        const { workspaceId: id, lock } = inputs;
        try {
            return await (withRun ? readLockOf(context, { id }) : readLock(context, id));
        } catch (error) {
            if (lock === false && error instanceof StatecraftError) return undefined;
            throw error;
        }
    }

    /** Whether the workspace is locked with a mark of this resource. */
    isMarked(lock: Lock | undefined): boolean {
        return lock?.locked === true && isMarkedReason(lock.reason, this.inputs);
    }

    /** Whether a lock is still the one that this resource took: the open-source server OTF stores no reasons. */
    private isOurs(lock: Lock): boolean {
        return lock.locked && lock.run === undefined && (this.isMarked(lock) || !lock.showsReasons);
    }

    /** The error for a lock with which the resource cannot run its action. */
    problem(lock: Lock | undefined): StatecraftError | undefined {
        const { workspaceId, lock: wanted } = this.inputs;
        if (wanted === false && lock?.locked === false) {
            const option = `\`${step.option("lock: false")}\``;
            const message = `the workspace ${workspaceId} is not locked, and ${option} takes no lock`;
            const hint = `Leave out ${option}, or lock the workspace by the same account`;
            return new StatecraftError("not-locked", message, { hint });
        }
        if (wanted === false || !lock?.locked || this.isMarked(lock)) return undefined;
        const [message, hint] = this.wordsOn(lock);
        return new StatecraftError("locked", message, { hint });
    }

    /** The holder of a lock, its reason, and the next step. */
    private wordsOn(lock: Lock): readonly [message: string, hint: string] {
        const { context } = this;
        const { workspaceId, adopt } = this.inputs;
        const locked = `the workspace ${workspaceId} is locked${lock.by}`;
        if (lock.run !== undefined) return [locked, `Wait until the run ends, or ${endOf(context, lock, lock.run)}`];
        const { command, freeze } = readableReason(lock.reason);
        if (freeze !== undefined) return this.wordsOnFreeze(freeze, locked);
        const others = `otherwise wait until it is unlocked, or as an administrator run ${this.unlockCommand(lock, " --force")}`;
        if (adopt) return [locked, `\`adopt: true\` takes over a lock of this account only: ${others}`];
        const unlock = `run ${this.unlockCommand(lock)} first`;
        if (adopt === false) return [locked, `If this account took the lock, set \`adopt: true\`; ${others}`];
        if (command === undefined)
            return [locked, `If this account took the lock, ${unlock}${step.underLock(", or {}")}; ${others}`];
        const ended = "If this account took the lock and that run has ended";
        return [locked, `${ended}, ${step.underLock("{}, or ")}${unlock}; ${others}`];
    }

    private wordsOnFreeze(freeze: Freeze, locked: string): readonly [message: string, hint: string] {
        const { name, stack } = freeze;
        const { adopt } = this.inputs;
        const words = (whose: string) =>
            `the lock of the WorkspaceLock ${name}${whose} freezes the workspace: ${locked}`;
        if (!isOfStack(freeze, this.inputs)) {
            const way = adopt === undefined ? step.underLock(", or, if its people agree, {}") : "";
            return [words(` of ${stack}`), `Wait until ${stack} removes it${way}`];
        }
        const option = `\`aliases: [{ name: ${JSON.stringify(name)} }]\``;
        return adopt === undefined
            ? [
                  words(" of this stack"),
                  `To work under it, set \`lock: false\`, and let this resource depend on ${name}`,
              ]
            : [
                  words(", which leaves this program,"),
                  `If this resource is ${name} under another name, set its option ${option}`,
              ];
    }

    /** The command that releases the lock. */
    private unlockCommand(lock: Lock | undefined, flags = ""): string {
        const { organization, name } = lock ?? {};
        const workspace = organization && name ? `${organization}/${name}` : this.inputs.workspaceId;
        return step.unlock(shellWord(workspace) + flags);
    }

    private adviceToUnlock(lock: Lock | undefined, flags = ""): string {
        return `To unlock it, ${step.release()}${this.unlockCommand(lock, flags)}`;
    }

    /** Advice for a lock that the service does not take for one of this account. */
    private adviceOnHolder(lock: Lock | undefined): string {
        const force = this.unlockCommand(lock, " --force");
        return `Use a token of the account that took the lock${lock?.holder ?? ""}, or run as an administrator ${force}`;
    }

    /** Runs work on the workspace after earlier work of this process on it: a lock with the mark is then that of an earlier process. */
    exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
        return this.context.exclusive(`workspace ${this.inputs.workspaceId}`, work);
    }

    /**
     * Locks the workspace, runs an action, and releases the lock, also after a failure or a cancellation. Not reentrant.
     * @param reason the reason of the lock, unless the program gives one
     * @param act calls `know` with each version that it reads or makes current
     * @returns the result of the action, and whether another version is current after the release
     * @throws HalfMade if only the release failed
     */
    around<Acted extends { readonly id?: string; readonly outputs: Values }>(
        reason: string,
        act: (know: (version: Known | undefined) => void) => Promise<Acted>,
    ): Promise<Acted & { readonly isSuperseded: boolean }> {
        const { lock: wanted, keepLocked } = this.inputs;
        return this.exclusively(async () => {
            const lock = await this.read();
            const problem = this.problem(lock);
            if (problem !== undefined) throw problem;
            const isEarlier = this.isMarked(lock);
            const isTaken = wanted !== false && !isEarlier;
            if (isTaken) await this.take(reason);
            let known: Known | undefined;
            const acting = act((version) => {
                known = version;
            });
            const acted = await acting.catch(async (error: unknown) => {
                if (isTaken || (isEarlier && keepLocked !== true)) {
                    // After a lost answer the version of the action may become current late.
                    const sure = mayHaveActed(error) ? undefined : known;
                    await this.release(sure).catch((stuck: unknown) => this.warnStillLocked(stuck));
                }
                // The mark is that of this resource, but the lock that of another account.
                if (isEarlier && error instanceof ConflictError) error.reword({ hint: this.adviceOnHolder(lock) });
                throw error;
            });
            if ((!isTaken && !isEarlier) || keepLocked === true) return { ...acted, isSuperseded: false };
            const isSuperseded = await this.release(known).catch((error: unknown) => {
                const problem = "it was done, but the workspace was not unlocked";
                throw new HalfMade(problem, { ...acted, steps: ["unlock"], cause: error });
            });
            return { ...acted, isSuperseded };
        });
    }

    /**
     * Releases a lock from an earlier run of this resource, which was interrupted or had `keepLocked` set. Returns whether another version
     * than `known` is current then.
     */
    releaseEarlier(known?: Known): Promise<boolean> {
        return this.exclusively(async () => {
            const lock = this.inputs.keepLocked === true ? undefined : await this.read();
            return this.isMarked(lock) && (await this.release(known, lock));
        });
    }

    /**
     * Releases a lock from an earlier run when the resource is deleted, also one that `keepLocked` kept. If the workspace does not exist, or a
     * pending version prevents the release, it only warns, because a version may stay pending for ever.
     */
    async releaseOnDelete(known?: Known): Promise<void> {
        const { context, inputs } = this;
        if (context.options.isRetained && inputs.keepLocked) {
            const advice = `To unlock it, run ${this.unlockCommand(undefined)}`;
            return context.inform("lock-kept", `a lock of ${inputs.workspaceId} stays, if it has one. ${advice}.`);
        }
        const released = new Locking(context, { ...inputs, keepLocked: false }).releaseEarlier(known);
        await released.catch((error: unknown) => {
            if (!(error instanceof NotFoundError) && !isPending(error)) throw error;
            this.warnStillLocked(error);
        });
    }

    /** Warns that the workspace is still locked. */
    private warnStillLocked(error: unknown): void {
        const failure = asStatecraftError(error);
        this.context.warn(failure.code, `the workspace was not unlocked: ${sentencesOf(failure)}`);
    }

    /** Locks the workspace. A cancellation does not stop the request, because a lock that the server grants must be released. */
    async take(reason: string): Promise<Lock> {
        const { workspaceId, lock } = this.inputs;
        const context = this.context.cleanUp;
        const body = { reason: `${(typeof lock === "object" && lock.reason) || reason} ${marksOf(this.inputs)[0]}` };
        try {
            return lockIn(context, await context.client.call(lockWorkspace, { parameters: { workspaceId }, body }));
        } catch (error) {
            const isLost = mayHaveActed(error);
            if (!isLost && !(error instanceof ConflictError)) throw error;
            const now = await readLock(context, workspaceId).catch(() => {
                throw inDoubt(error, `the workspace ${workspaceId} is locked now`, this.adviceToUnlock(undefined));
            });
            // The workspace was not locked before, so the lock is new. Where holders are shown, ours has a reason.
            if (isLost && now.locked && (this.isMarked(now) || now.holder === "")) return now;
            throw this.problem(now) ?? error;
        }
    }

    /**
     * Releases the lock, also after a cancellation. Returns whether another version than `known` is current then. A lock that another run or
     * account has taken since stays.
     * @param read the lock to release, if it has just been read. Default: that of this resource
     */
    async release(known?: Known, read?: Lock): Promise<boolean> {
        const { workspaceId } = this.inputs;
        const context = this.context.cleanUp;
        const { isUnlocked, lock: now } = await this.unlock(read);
        if (!isUnlocked && now.locked)
            context.inform(
                "lock-kept",
                `the workspace ${workspaceId} was not unlocked: it is locked${now.holder} now.`,
            );
        return isUnlocked && known !== undefined && (await isReplaced(context, workspaceId, known));
    }

    /**
     * Unlocks the workspace, unless it has another lock than this resource's, or than the one that was `read`. Repeats the request if its
     * answer is lost or a version is pending.
     * @returns the workspace, and whether this has unlocked it
     */
    async unlock(read?: Lock): Promise<{ readonly lock: Lock; readonly isUnlocked: boolean }> {
        const { workspaceId } = this.inputs;
        const context = this.context.cleanUp;
        const isIt = (lock: Lock) => (read === undefined ? this.isOurs(lock) : lock.locked && isSameLock(lock, read));
        let fresh = read;
        let isLost = false;
        // `timeouts` does not change this limit: a lock that stays prevents every run, and a longer wait rarely ends it.
        const wait = { for: "the workspace to be unlocked", limit: 60, interval: 2_000 };
        const { done, still } = await context.poll(wait, async () => {
            let isSent = false;
            try {
                const before = fresh ?? (await readLock(context, workspaceId));
                fresh = undefined;
                if (!isIt(before)) return { done: { lock: before, isUnlocked: isLost } };
                isSent = true;
                // An answer that does not show the workspace may be that of a gateway.
                const answer = await context.client.call(unlockWorkspace, { parameters: { workspaceId } });
                return { done: { lock: lockIn(context, answer), isUnlocked: true } };
            } catch (error) {
                isLost ||= isSent && mayHaveActed(error);
                const now = await readLock(context, workspaceId).catch(() => undefined);
                // The workspace is unlocked already, or another account has locked it since.
                if (now && !isIt(now)) return { done: { lock: now, isUnlocked: isLost } };
                if (!(error instanceof StatecraftError)) throw error;
                error.reword({
                    code: "lock-kept",
                    message: `the workspace ${workspaceId} ${now ? `is still locked${now.holder}` : "may still be locked"}: ${error.message}`,
                    hint: isOfOther(error)
                        ? this.adviceOnHolder(now)
                        : this.adviceToUnlock(now, isPending(error) ? " --force" : ""),
                });
                if (isPending(error) || (mayHaveActed(error) && !isOfOther(error))) return { still: error };
                throw error;
            }
        });
        if (done === undefined) throw still;
        const { locked, autoApply } = done.lock;
        const starting = startingRuns(context);
        if (!locked && autoApply === true && !starting.has(workspaceId)) {
            starting.add(workspaceId);
            const start = "runs that waited behind the lock start now and apply by themselves";
            context.inform("auto-apply", `the workspace ${workspaceId} was unlocked: ${start}.`);
        }
        return done;
    }
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
            const advice = `To make ${known.id} current again, ${step.repeat()}`;
            context.warn(
                "superseded",
                `${unlocked}, and now ${id} is current instead of ${known.id}: ${reason}. ${advice}.`,
            );
        }
        return true;
    } catch (error) {
        const failure = asStatecraftError(error);
        const what = `${unlocked}, but whether ${known.id} is still current is not known: ${failure.message}`;
        context.warn(failure.code, `${what}. Run ${step.reread()}, which reads it again.`);
        return false;
    }
}

/** Whether the service refuses to unlock because a version waits for its content. Servers answer this with 400, 409 or 503. */
export const isPending = (error: unknown): error is ServiceError =>
    error instanceof ServiceError && error.reasons.some((reason) => /pending/i.test(reason));
