/** What deleting a rollback does: its lock is released, and with `onDelete: "restore"` it is taken back. */

import { formatError, joinSentences } from "../../core/format-error";
import type { RequestContext } from "../../core/request-context";
import { InputError, NotFoundError, reworded, StatecraftError } from "../../errors";
import { isRecorded, type LockInputs, type LockOptions, lockOptions } from "./inputs";
import { explainedByLock } from "./lock-failures";
import { holdsContent, mayBeRetired, readCurrent, readVersion, type StateVersion } from "./records";
import { lockLeft, neededToRestore, notRestorable, notRestored, restoreUnseen } from "./rollback-failures";
import { rollBackOnce, rollbackTo } from "./rollback-request";
import { isOpen, isOwn, type RollbackState, statusAt, statusIn } from "./rollback-status";
import { inTurn, recoverStaleLock, releaseRecorded, withLock } from "./workspace-lock";

/** The state of a rollback that is deleted. */
type Deleted = RollbackState & Omit<LockInputs, "workspaceId"> & { readonly onDelete?: string | undefined };

/** Deletes a rollback. */
export const deleteRollback = (context: RequestContext, workspaceId: string, state: Deleted): Promise<void> =>
    inTurn(context, workspaceId, () => undo(context, workspaceId, state));

async function undo(context: RequestContext, workspaceId: string, state: Deleted): Promise<void> {
    const options = lockOptions({ ...state, workspaceId }, state);
    if (state.onDelete === "restore") requireTrail(state);
    await releaseRecorded(context, options);
    if (state.onDelete === "restore" && (isOpen(state) || statusIn(state).previousStateVersionId !== "")) {
        // The lock that `lock: false` would work under was just released.
        await restore(context, isRecorded(options) ? { ...options, lock: true } : options, state);
    } else if (options.lock !== false && !isRecorded(options)) {
        // Nothing of the service is needed to leave a workspace as it is.
        await recoverStaleLock(context, options, (problem) =>
            context.warn(lockLeft({ problem: formatError(problem) })),
        );
    }
}

/** Scripts may delete by the id alone, which does not tell what was current before. */
function requireTrail(state: RollbackState): void {
    const needed = ["previousStateVersionId", "currentStateVersionId"] as const;
    const lacking = needed.filter((name) => state[name] === undefined);
    if (lacking.length === 0) return;
    throw new InputError(
        "nothing was done",
        lacking.map((name) => neededToRestore({ name })),
    );
}

/** Goes back to what was current before this resource's latest chain of rollbacks, while its last one is current. */
async function restore(context: RequestContext, options: LockOptions, state: RollbackState): Promise<void> {
    const { workspaceId } = options;
    const look = async () => {
        const current = await readCurrent(context, workspaceId);
        return { current, stateVersionId: restorable(context, state, current) };
    };
    const explain = explainedByLock(context, options, rollbackTo(statusIn(state).previousStateVersionId));
    const { stateVersionId } = await look()
        .catch(explain)
        .catch((error: unknown) => {
            if (!(error instanceof NotFoundError)) throw error;
            throw reworded(error, { hint: joinSentences(restoreUnseen(), error.hint) });
        });
    if (stateVersionId === undefined) {
        await recoverStaleLock(context, options);
        return;
    }
    const target = await targetOf(context, stateVersionId);
    const action = rollbackTo(stateVersionId);
    const { unreleased } = await withLock(context, { ...options, keepLocked: false }, action, async ({ isOurs }) => {
        // Until the lock was held, others could work.
        const now = await look();
        if (now.stateVersionId !== stateVersionId) return;
        const { failure } = await rollBackOnce(context, workspaceId, now.current, target, isOurs);
        if (failure !== undefined) throw failure;
    });
    if (unreleased !== undefined) throw unreleased;
}

/** The version to go back to. @throws StatecraftError where it holds no content, or cannot be read as if it held none */
async function targetOf(context: RequestContext, id: string): Promise<StateVersion> {
    const target = await readVersion(context, id).catch((error: unknown) => {
        if (!(error instanceof StatecraftError && mayBeRetired(error))) throw error;
        throw notRestorable.of(error, { id, problem: "is gone, was retired, or may not be seen by the token" });
    });
    const { status } = target;
    if (status === undefined || holdsContent(target)) return target;
    throw notRestorable({ id, problem: `is ${status} and holds no state` });
}

/** The version to go back to, where this resource has made what is current. Warns where somebody else has. */
function restorable(context: RequestContext, state: RollbackState, current: StateVersion): string | undefined {
    const status = statusAt(state, current);
    if (isOwn(status, current)) return status.previousStateVersionId;
    const before = status.previousStateVersionId || status.attempt?.from;
    if (current.id !== before && current.rollbackStateVersionId !== before) {
        context.warn(notRestored({ id: current.id, before: before ?? "" }));
    }
    return undefined;
}
