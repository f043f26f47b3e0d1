/** The one request that rolls back, what surrounds it, and what its failures mean (document "State Versions", Roll back). */

import { isDeepStrictEqual } from "node:util";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { mayHaveActed, type StatecraftError } from "../../errors";
import type { Values } from "../../schema/facts";
import { asJson } from "../../schema/property-types";
import { isRecord } from "../../schema/unknown";
import type { LockedAction } from "./lock-failures";
import { holdsContent, parseVersion, readCurrent, type StateVersion } from "./records";
import {
    noTarget,
    otherWorkspace,
    overtakenRollback,
    refusedRollback,
    rollbackUnseen,
    undone,
} from "./rollback-failures";

// Every request makes another version, so it is sent again only where the service surely did nothing.
const rollBack = operation("PATCH /workspaces/{workspaceId}/state-versions");

/** What is done under the lock. */
export const rollbackTo = (stateVersionId: string): LockedAction => ({
    noun: "a rollback",
    reason: `rolling back to ${stateVersionId}`,
    malformed: refusedRollback(),
});

/** Whether two versions have one content: by their ids, by the record of a rollback, else by the states themselves. */
export async function isSameContent(
    context: RequestContext,
    current: StateVersion,
    target: StateVersion,
): Promise<boolean> {
    if (current.id === target.id || current.rollbackStateVersionId === target.id) return true;
    if (current.size !== undefined && target.size !== undefined) {
        // A serial has few digits: sizes further apart than that belong to different states.
        if (Math.abs(current.size - target.size) > Math.max(64, current.size / 10)) return false;
    }
    const [left, right] = await Promise.all([downloadState(context, current), downloadState(context, target)]);
    return (
        left !== undefined && right !== undefined && isDeepStrictEqual({ ...left, serial: 0 }, { ...right, serial: 0 })
    );
}

/** The raw state of a version as JSON, for comparing, or `undefined` where it cannot be had. */
async function downloadState(
    { client }: RequestContext,
    { hostedStateDownloadUrl: address }: StateVersion,
): Promise<Values | undefined> {
    if (address === undefined) return undefined;
    try {
        const state = asJson((await client.download(address)).toString("utf8"));
        return isRecord(state) ? state : undefined;
    } catch {
        // Refused or soft-deleted: whoever compares must then take it for different.
        return undefined;
    }
}

/** Why a version cannot be the one to roll back to, if it cannot. */
export function problemWith(target: StateVersion, workspaceId: string): StatecraftError | undefined {
    if (target.workspaceId !== undefined && target.workspaceId !== workspaceId) {
        return otherWorkspace({ id: target.id, other: target.workspaceId, workspace: workspaceId });
    }
    if (target.status !== undefined && !holdsContent(target)) {
        return noTarget({ id: target.id, status: target.status });
    }
    return undefined;
}

/**
 * Sends the one request and finds out which version it made. `isLocked` tells that nobody else can have made one meanwhile.
 * @returns `failure` where the answer was lost, and no rollback was seen; `undone` tells whether the look for it could be had
 */
export async function rollBackOnce(
    context: RequestContext,
    workspaceId: string,
    before: StateVersion,
    target: StateVersion,
    isLocked: boolean,
): Promise<{ made: string; failure?: never } | { undone: boolean; failure: StatecraftError }> {
    const type = "state-versions";
    const body = { data: { type, relationships: { "rollback-state-version": { data: { type, id: target.id } } } } };
    try {
        const answer = await context.client.call(rollBack, { parameters: { workspaceId }, body });
        return { made: parseVersion(answer).id };
    } catch (error) {
        if (!mayHaveActed(error)) throw error;
        const failed = error.message;
        // Also where it was cancelled: what has become current under the lock, only a look under the lock can tell.
        const { cleanUp } = context;
        const now = await readCurrent(cleanUp, workspaceId).catch(() => undefined);
        // A request that was cancelled has perhaps just come to the service, which may do it yet.
        if (now === undefined || (now.id === before.id && context.isCancelled)) {
            return { undone: false, failure: rollbackUnseen.of(error, { failed }) };
        }
        if (now.id === before.id) return { undone: true, failure: undone.of(error, { failed, id: before.id }) };
        if (isLocked || (await isSameContent(cleanUp, now, target))) return { made: now.id };
        return { undone: true, failure: overtakenRollback.of(error, { failed, id: now.id }) };
    }
}
