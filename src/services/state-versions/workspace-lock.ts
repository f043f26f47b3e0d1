/** The lock of a workspace: taken, marked as ours, and released by whoever took it, also after a failure. */

import * as z from "zod";
import { operation } from "../../core/operation";
import { asParagraph } from "../../core/paragraph";
import type { Answer } from "../../core/service";
import type { Session } from "../../core/session";
import { AnswerError, ConflictError, isLostAnswer, mayHaveActed, ServiceError, StatecraftError } from "../../errors";
import { stateVersions } from "./service";

const showWorkspace = operation("GET /workspaces/{workspaceId}");
const lockWorkspace = operation("POST /workspaces/{workspaceId}/actions/lock", "refused");
const unlockWorkspace = operation("POST /workspaces/{workspaceId}/actions/unlock", "refused");
const forceUnlock = operation("POST /workspaces/{workspaceId}/actions/force-unlock", "never");
const showAccount = operation("GET /account/details");

const holder = z.object({ id: z.string(), type: z.string() });
const workspaceDocument = z.object({
    data: z.looseObject({
        attributes: z.looseObject({ locked: z.boolean().nullish(), "locked-reason": z.string().nullish() }),
        relationships: z.looseObject({ "locked-by": z.object({ data: holder.nullish() }).nullish() }).nullish(),
    }),
});
const accountDocument = z.object({ data: holder });

/** Where an administrator releases a lock, whoever holds it. Only for messages: we never do. */
export const forceUnlockPath = (workspaceId: string) => forceUnlock.path({ workspaceId });

/** Who holds a workspace's lock. */
export interface Lock {
    readonly locked: boolean;
    readonly reason: string;
    readonly by: { readonly id: string; readonly type: string } | undefined;
}

/** Reads whether a workspace is locked, and by whom as far as the server tells. */
export async function readLock({ client }: Session, workspaceId: string): Promise<Lock> {
    const lock = lockIn(await client.call(showWorkspace, { parameters: { workspaceId } }));
    if (lock !== undefined) return lock;
    const operationName = `GET ${showWorkspace.path({ workspaceId })}`;
    throw new AnswerError({ service: stateVersions.title, operation: operationName }, "it holds no workspace");
}

/** What a workspace's record says of its lock, or `undefined` for anything else. */
function lockIn(answer: Answer): Lock | undefined {
    const parsed = workspaceDocument.safeParse(answer.body);
    if (!parsed.success) return undefined;
    const { attributes, relationships } = parsed.data.data;
    return {
        locked: attributes.locked === true,
        reason: attributes["locked-reason"] ?? "",
        by: relationships?.["locked-by"]?.data ?? undefined,
    };
}

/** `locked by users user-1 ("deploy freeze")`, for messages. */
export function describeLock({ locked, by, reason }: Lock): string {
    if (!locked) return "not locked";
    return `locked${by ? ` by ${by.type.replace(/s$/, "")} ${by.id}` : ""}${reason ? ` (${JSON.stringify(reason)})` : ""}`;
}

/** What the reasons of a resource's locks end in: the mark it has now, and the one it had when it was deployed last, under another name. */
export type Marks = readonly [now: string, ...former: string[]];

/** A lock that is held while something is done. */
export interface HeldLock {
    readonly workspaceId: string;
    /** Tells that we took it, not the user; undefined for a lock that was there. */
    readonly taken: Marks | undefined;
}

/**
 * Takes the lock. A lock that carries our mark and is held by our own account is a dead run's, and is taken over: Pulumi lets a
 * stack run once at a time, and scripts have another mark each time.
 * @throws StatecraftError that says who holds it and how to release it
 */
export async function takeLock(session: Session, workspaceId: string, reason: string, marks: Marks): Promise<HeldLock> {
    const before = await readLock(session, workspaceId);
    if (before.locked) {
        const owner = await ownerOf(session, before, marks);
        if (owner === "us") return { workspaceId, taken: marks };
        throw held(workspaceId, before, owner);
    }
    const call = { parameters: { workspaceId }, body: { reason: `${reason} ${marks[0]}` } };
    try {
        await session.client.call(lockWorkspace, call);
    } catch (error) {
        const lost = mayHaveActed(error);
        if (!lost && !(error instanceof ConflictError)) throw error;
        const now = await readLock(session, workspaceId).catch((blind: unknown) => {
            throw lost ? perhapsLocked(workspaceId, error, blind) : error;
        });
        // It was seen unlocked just before, and our request was on its way: our mark, or a server that keeps no reasons.
        const isOurs = now.locked && lost && !isMarkedByAnother(now, marks);
        if (!isOurs) throw now.locked ? held(workspaceId, now, "another", error) : error;
    }
    return { workspaceId, taken: marks };
}

const isMarked = ({ reason }: Lock, marks: Marks) => marks.some((mark) => reason.endsWith(mark));

/** Every lock of ours has a reason, but not every server keeps reasons. */
const isMarkedByAnother = (lock: Lock, marks: Marks) => lock.reason !== "" && !isMarked(lock, marks);

function perhapsLocked(workspaceId: string, lost: unknown, cause: unknown): StatecraftError {
    const said = lost instanceof Error ? lost.message : String(lost);
    return new StatecraftError(
        "open",
        `${said}; whether the workspace ${workspaceId} is locked now cannot be seen either`,
        {
            hint: `The next \`pulumi up\` takes the lock over if this run took it; to release it by hand, POST ${unlockWorkspace.path({ workspaceId })} with the same token`,
            cause,
        },
    );
}

/** Checks a lock that the user holds, for `a rollback` or its like. Servers that do not tell who holds it decide for themselves later. */
export async function checkLock(session: Session, workspaceId: string, deed: string): Promise<HeldLock> {
    const lock = await readLock(session, workspaceId);
    if (!lock.locked) {
        throw new StatecraftError(
            "unlocked",
            `the workspace ${workspaceId} is not locked, and ${deed} needs its lock`,
            {
                hint: "Set `lock: true` to take the lock for that time, or lock the workspace with the same token before",
            },
        );
    }
    const account = lock.by && (await ownAccount(session));
    if (lock.by && account && lock.by.id !== account) throw held(workspaceId, lock, "another");
    await warnOfForgottenLock(session, workspaceId, lock);
    return { workspaceId, taken: undefined };
}

function held(workspaceId: string, lock: Lock, owner: Exclude<Owner, "us">, cause?: unknown): StatecraftError {
    const release = `POST ${unlockWorkspace.path({ workspaceId })}`;
    const byHand = `release it by hand (${release} with the token that took it; an administrator may use actions/force-unlock)`;
    return new StatecraftError("locked", `the workspace ${workspaceId} is ${describeLock(lock)}`, {
        hint:
            owner === "unknown"
                ? "Whether a run of this resource that broke off left it, or somebody else holds it, cannot be told, so it was left alone. " +
                  `If nobody works on the workspace, ${byHand}, then run this again`
                : `Wait until it is released, or let its holder ${byHand}. To work under a lock that you hold yourself, leave out \`lock\``,
        cause,
    });
}

/** Whose a lock is: of an earlier run of this resource, somebody else's, or not to be told. */
type Owner = "us" | "another" | "unknown";

async function ownerOf(session: Session, lock: Lock, marks: Marks): Promise<Owner> {
    const { by } = lock;
    if (isMarkedByAnother(lock, marks)) return "another";
    const account = by && (await ownAccount(session));
    if (isMarked(lock, marks)) return by !== undefined && by.id === account ? "us" : "unknown";
    return by !== undefined && account !== undefined && by.id !== account ? "another" : "unknown";
}

async function ownAccount({ client }: Session): Promise<string | undefined> {
    try {
        const answer = await client.call(showAccount, { parameters: {} });
        return accountDocument.safeParse(answer.body).data?.data.id;
    } catch (error) {
        // Not every kind of token has an account.
        if (error instanceof ServiceError) return undefined;
        throw error;
    }
}

const usualPendingSeconds = 60;
const pollMilliseconds = 2_000;

/**
 * Releases a lock that we took; one that we did not take stays. Asked again for a while where the server says that a version is pending.
 * @throws StatecraftError that says who holds what and how to release it
 */
export async function releaseLock(session: Session, { workspaceId, taken }: HeldLock): Promise<void> {
    if (taken === undefined) return;
    // Whoever locks it next may do so before we have learned that it was free.
    const isReleased = (lock: Lock | undefined) => lock && (!lock.locked || isMarkedByAnother(lock, taken));
    const begun = session.now();
    const limit = session.waitLimit(undefined, usualPendingSeconds);
    for (let tries = 0; ; tries++) {
        try {
            const answer = await session.client.call(unlockWorkspace, { parameters: { workspaceId } });
            // An answer that says nothing of the lock, such as an empty one, is checked by a look.
            const now = lockIn(answer) ?? (await readLock(session, workspaceId));
            if (isReleased(now)) return;
            const operationName = `POST ${unlockWorkspace.path({ workspaceId })}`;
            throw new AnswerError({ service: stateVersions.title, operation: operationName }, "the lock is still held");
        } catch (error) {
            const now = await readLock(session, workspaceId).catch(() => undefined);
            if (isReleased(now)) return;
            const mayPass = isPending(error) || isLostAnswer(error);
            const waited = session.now() - begun;
            if (!mayPass || waited >= limit * 1000) throw stuck(workspaceId, now, error);
            const why = isPending(error) ? "a version is still pending" : "the answer was lost";
            session.progress(`waiting to unlock the workspace, ${Math.round(waited / 1000)} s so far: ${why}`);
            // A service in trouble is not asked that often.
            await session.sleep(isPending(error) ? pollMilliseconds : pollMilliseconds * 2 ** tries);
        }
    }
}

/** Servers say it with different statuses. */
function isPending(error: unknown): boolean {
    return (
        error instanceof ServiceError &&
        [400, 409, 503].includes(error.status) &&
        error.reasons.some((reason) => /pending/i.test(reason))
    );
}

function stuck(workspaceId: string, lock: Lock | undefined, cause: unknown): StatecraftError {
    const said = cause instanceof Error ? `: ${cause.message}` : "";
    return new StatecraftError(
        "still-locked",
        `the workspace ${workspaceId} is still ${lock ? describeLock(lock) : "locked"}${said}`,
        {
            hint:
                `The next \`pulumi up\` tries to release it again; to do it by hand, POST ${unlockWorkspace.path({ workspaceId })} with the same token, or, ` +
                `while a version waits for its content, POST ${forceUnlockPath(workspaceId)} as an administrator`,
            cause,
        },
    );
}

/** Tells of a lock that an earlier run was asked to keep, as long as it may still be there. Nobody asked to release it. */
export async function warnOfKeptLock(session: Session, workspaceId: string, marks: Marks): Promise<void> {
    const lock = await readLock(session, workspaceId).catch(() => undefined);
    const mayBeThere = lock === undefined || (lock.locked && !isMarkedByAnother(lock, marks));
    if (!mayBeThere) return;
    session.warn(
        `keepLocked: the lock that was kept before stays for now, because a change of this option releases nothing: with \`lock\` still set, \`pulumi refresh\` and then \`pulumi up\` do, or \`pulumi destroy\`; to release it by hand, POST ${unlockWorkspace.path({ workspaceId })} with the same token`,
    );
}

/** Whether a run of this resource that broke off has left its lock. Warns of one that may be its, where that cannot be told. */
export async function isLockLeft(session: Session, workspaceId: string, marks: Marks): Promise<boolean> {
    const lock = await readLock(session, workspaceId);
    const owner = lock.locked ? await ownerOf(session, lock, marks) : "another";
    if (owner === "unknown") session.warn(asParagraph(held(workspaceId, lock, owner)));
    return owner === "us";
}

/**
 * Warns of a lock that a run of this package has taken, for a resource that takes none (any more) and so releases none: nobody else will.
 * What was looked up before is not looked up again.
 */
export async function warnOfForgottenLock(session: Session, workspaceId: string, seen?: Lock): Promise<void> {
    const lock = seen ?? (await readLock(session, workspaceId).catch(() => undefined));
    if (!lock?.locked || !/\[statecraft[^\]]*\]$/.test(lock.reason)) return;
    session.warn(
        `the workspace ${workspaceId} stays ${describeLock(lock)}: a run with \`lock\` has kept that lock or broke off, and without \`lock\` nothing releases it; ` +
            `if nobody works under it, POST ${unlockWorkspace.path({ workspaceId })} with the token that took it`,
    );
}

/**
 * Releases the lock that an earlier run of this resource left. A lock of somebody else stays.
 * @param unsure what to do about a lock that may be either's, or cannot be looked at; by default the problem is thrown
 */
export async function releaseLeftLock(
    session: Session,
    workspaceId: string,
    marks: Marks,
    unsure = (problem: unknown): void => {
        throw problem;
    },
): Promise<void> {
    const lock = await readLock(session, workspaceId).catch(unsure);
    if (!lock?.locked) return;
    const owner = await ownerOf(session, lock, marks);
    if (owner === "us") await releaseLock(session, { workspaceId, taken: marks });
    else if (owner === "unknown") unsure(held(workspaceId, lock, owner));
}
