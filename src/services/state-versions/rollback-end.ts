/** The end of a rollback, when its resource is deleted: its lock is released, and with `onDelete: "restore"` it is taken back. */

import { unfinishedSteps } from "../../core/definition";
import type { Props } from "../../core/field";
import { asParagraph } from "../../core/paragraph";
import type { Session } from "../../core/session";
import { InputError } from "../../errors";
import { readCurrent, type StateVersion } from "./records";
import { readWanted, rollBackOnce, rollbackTo, UndoneRollback, type Wanted } from "./rollback-request";
import { isOpen, isOwn, standing, written } from "./rollback-standing";
import { explain, releaseLeft, releaseOwn, underLock } from "./under-lock";

interface Ended extends Wanted {
    readonly onDelete?: string | undefined;
}

/** What deleting the resource does. */
export async function endRollback(session: Session, id: string, state: Props): Promise<void> {
    const values = { ...state, workspaceId: id } as Ended;
    const wasLeft = unfinishedSteps(state).includes("unlock");
    if (values.onDelete === "restore") requireTrail(state);
    const hasMade = isOpen(state) || written(state).previousStateVersionId !== "";
    if (values.onDelete === "restore" && hasMade) {
        await restore(session, wasLeft ? { ...values, lock: true } : values, state);
    } else if (!wasLeft) {
        // Nothing of the service is needed to leave a workspace as it is.
        await releaseLeft(session, values, (problem) => session.warn(asParagraph(problem)));
    }
    if (wasLeft) await releaseOwn(session, values);
}

/** Scripts may delete by the id alone, which does not tell what was current before. */
function requireTrail(state: Props): void {
    const lacking = ["previousStateVersionId", "currentStateVersionId"].filter((name) => state[name] === undefined);
    if (lacking.length === 0) return;
    const why = "is needed to restore: give the outputs that create, update or read returned";
    throw new InputError(
        "nothing was done",
        lacking.map((name) => `${name}: ${why}`),
    );
}

/** Goes back to what was current before this resource's latest chain of rollbacks, while its last one is current. */
async function restore(session: Session, values: Wanted, state: Props): Promise<void> {
    const { workspaceId } = values;
    const look = async () => {
        const current = await readCurrent(session, workspaceId);
        return { current, stateVersionId: wayBack(session, state, current) };
    };
    const { stateVersionId } = await look().catch(async (error: unknown) => {
        throw await explain(session, values, error, rollbackTo(written(state).previousStateVersionId));
    });
    if (stateVersionId === undefined) {
        await releaseLeft(session, values);
        return;
    }
    const deed = rollbackTo(stateVersionId);
    const target = { ...values, stateVersionId, keepLocked: false };
    const wanted = await readWanted(session, target).catch(async (error: unknown) => {
        throw await explain(session, values, error, deed);
    });
    const { unreleased } = await underLock(session, target, deed, async ({ isOurs }) => {
        // Until the lock was held, others could work.
        const now = await look();
        if (now.stateVersionId === stateVersionId) await rollBackOnce(session, target, now.current, wanted, isOurs);
    }).catch((error: unknown) => {
        throw error instanceof UndoneRollback ? error.failure : error;
    });
    if (unreleased !== undefined) throw unreleased;
}

/** The version to go back to, where this resource has made what is current. Warns where somebody else has. */
function wayBack(session: Session, state: Props, current: StateVersion): string | undefined {
    const past = standing(state, current);
    if (isOwn(past, current)) return past.previousStateVersionId;
    const before = past.previousStateVersionId || past.rolledBackFrom;
    if (current.id !== before && current.copyOf !== before) {
        session.warn(
            `onDelete: the newer version ${current.id} is current, so the workspace was left as it is instead of restoring ${before}`,
        );
    }
    return undefined;
}
