/** The end of a rollback, when its resource is deleted: its lock is released, and with `onDelete: "restore"` it is taken back. */

import { asParagraph } from "../../core/paragraph";
import type { RequestContext } from "../../core/request-context";
import { unfinishedSteps } from "../../core/resource";
import { InputError } from "../../errors";
import { readCurrent, type StateVersion } from "./records";
import { readWanted, rollBackOnce, rollbackTo, UndoneRollback } from "./rollback-request";
import { isOpen, isOwn, type Past, standing, written } from "./rollback-standing";
import { explain, type LockWishes, releaseLeft, releaseOwn, underLock } from "./under-lock";

/** What state says of a rollback that is to end. */
type Ended = Past & Omit<LockWishes, "workspaceId"> & { readonly onDelete?: string | undefined };

/** What deleting the resource does. */
export async function endRollback(context: RequestContext, workspaceId: string, state: Ended): Promise<void> {
    const values = { ...state, workspaceId };
    const wasLeft = unfinishedSteps(state).includes("unlock");
    if (state.onDelete === "restore") requireTrail(state);
    const hasMade = isOpen(state) || written(state).previousStateVersionId !== "";
    if (state.onDelete === "restore" && hasMade) {
        await restore(context, wasLeft ? { ...values, lock: true } : values, state);
    } else if (!wasLeft) {
        // Nothing of the service is needed to leave a workspace as it is.
        await releaseLeft(context, values, (problem) => context.warn(asParagraph(problem)));
    }
    if (wasLeft) await releaseOwn(context, values);
}

/** Scripts may delete by the id alone, which does not tell what was current before. */
function requireTrail(state: Past): void {
    const needed = ["previousStateVersionId", "currentStateVersionId"] as const;
    const lacking = needed.filter((name) => state[name] === undefined);
    if (lacking.length === 0) return;
    const why = "is needed to restore: give the outputs that create, update or read returned";
    throw new InputError(
        "nothing was done",
        lacking.map((name) => `${name}: ${why}`),
    );
}

/** Goes back to what was current before this resource's latest chain of rollbacks, while its last one is current. */
async function restore(context: RequestContext, values: LockWishes, state: Past): Promise<void> {
    const { workspaceId } = values;
    const look = async () => {
        const current = await readCurrent(context, workspaceId);
        return { current, stateVersionId: wayBack(context, state, current) };
    };
    const { stateVersionId } = await look().catch(async (error: unknown) => {
        throw await explain(context, values, error, rollbackTo(written(state).previousStateVersionId));
    });
    if (stateVersionId === undefined) {
        await releaseLeft(context, values);
        return;
    }
    const deed = rollbackTo(stateVersionId);
    const target = { ...values, stateVersionId, keepLocked: false };
    const wanted = await readWanted(context, target).catch(async (error: unknown) => {
        throw await explain(context, values, error, deed);
    });
    const { unreleased } = await underLock(context, target, deed, async ({ isOurs }) => {
        // Until the lock was held, others could work.
        const now = await look();
        if (now.stateVersionId === stateVersionId) await rollBackOnce(context, target, now.current, wanted, isOurs);
    }).catch((error: unknown) => {
        throw error instanceof UndoneRollback ? error.failure : error;
    });
    if (unreleased !== undefined) throw unreleased;
}

/** The version to go back to, where this resource has made what is current. Warns where somebody else has. */
function wayBack(context: RequestContext, state: Past, current: StateVersion): string | undefined {
    const past = standing(state, current);
    if (isOwn(past, current)) return past.previousStateVersionId;
    const before = past.previousStateVersionId || past.rolledBackFrom;
    if (current.id !== before && current.rollbackStateVersionId !== before) {
        context.warn(
            `onDelete: the newer version ${current.id} is current, so the workspace was left as it is instead of restoring ${before}`,
        );
    }
    return undefined;
}
