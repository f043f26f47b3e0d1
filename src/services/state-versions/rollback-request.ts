/** The one request that rolls back, what surrounds it, and what its failures mean (document "State Versions", Roll back). */

import { isDeepStrictEqual } from "node:util";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { mayHaveActed, reworded, StatecraftError } from "../../errors";
import { downloadState, holdsContent, parseVersion, readCurrent, readVersion, type StateVersion } from "./records";
import type { Deed, LockWishes } from "./under-lock";

// Every request makes another version, so it is sent again only where the service surely did nothing.
const rollBack = operation("PATCH /workspaces/{workspaceId}/state-versions", "refused");

/** What a rollback needs to know of its resource's inputs. */
export interface Wanted extends LockWishes {
    readonly stateVersionId: string;
}

/** What is done under the lock. */
export const rollbackTo = (stateVersionId: string): Deed => ({
    noun: "a rollback",
    reason: `rolling back to ${stateVersionId}`,
    malformed:
        "The service refused the request's form: check that `stateVersionId` is a finalized version of this workspace",
});

/** Whether two versions have one content: by their ids, by the record of a rollback, else by the states themselves. */
export async function isSameContent(
    context: RequestContext,
    current: StateVersion,
    wanted: StateVersion,
): Promise<boolean> {
    if (current.id === wanted.id || current.rollbackStateVersionId === wanted.id) return true;
    if (current.size !== undefined && wanted.size !== undefined) {
        // A serial has few digits: sizes further apart than that belong to different states.
        if (Math.abs(current.size - wanted.size) > Math.max(64, current.size / 10)) return false;
    }
    const [left, right] = await Promise.all([downloadState(context, current), downloadState(context, wanted)]);
    return (
        left !== undefined && right !== undefined && isDeepStrictEqual({ ...left, serial: 0 }, { ...right, serial: 0 })
    );
}

/** The version to roll back to. */
export async function readWanted(context: RequestContext, values: Wanted): Promise<StateVersion> {
    const wanted = await readVersion(context, values.stateVersionId);
    const problem = problemWith(wanted, values);
    if (problem !== undefined) throw problem;
    return wanted;
}

/** Why a version cannot be the one to roll back to, if it cannot. */
export function problemWith(wanted: StateVersion, { workspaceId }: Wanted): StatecraftError | undefined {
    if (wanted.workspaceId !== undefined && wanted.workspaceId !== workspaceId) {
        return new StatecraftError(
            "wrong-workspace",
            `stateVersionId: ${wanted.id} is a version of the workspace ${wanted.workspaceId}, not of ${workspaceId}`,
        );
    }
    if (wanted.status !== undefined && !holdsContent(wanted)) {
        return new StatecraftError(
            "not-finalized",
            `stateVersionId: ${wanted.id} is ${wanted.status} and holds no state to roll back to`,
        );
    }
    return undefined;
}

/** The one request did not have its effect, or nobody can see whether it had. */
export class UndoneRollback extends Error {
    constructor(readonly failure: StatecraftError) {
        super(failure.message);
    }
}

/**
 * Sends the one request and finds out which version it made. `isLocked` tells that nobody else can have made one meanwhile.
 * @throws UndoneRollback where the answer was lost, and the look that followed showed no rollback
 */
export async function rollBackOnce(
    context: RequestContext,
    values: Wanted,
    before: StateVersion,
    wanted: StateVersion,
    isLocked: boolean,
): Promise<string> {
    const { workspaceId } = values;
    const type = "state-versions";
    const body = { data: { type, relationships: { "rollback-state-version": { data: { type, id: wanted.id } } } } };
    try {
        const answer = await context.client.call(rollBack, { parameters: { workspaceId }, body });
        return parseVersion(answer, `PATCH ${rollBack.path({ workspaceId })}`).id;
    } catch (error) {
        if (!mayHaveActed(error)) throw error;
        const undone = (code: string, what: string) =>
            new UndoneRollback(reworded(error, { code, message: `${error.message}; ${what}` }));
        const now = await readCurrent(context, workspaceId).catch(() => undefined);
        if (now === undefined) throw undone("open", "whether the rollback was done cannot be seen either");
        if (now.id === before.id) throw undone("undone", `nothing was rolled back: ${before.id} is still current`);
        if (isLocked || (await isSameContent(context, now, wanted))) return now.id;
        throw undone("overtaken", `another version, ${now.id}, has become current meanwhile`);
    }
}
