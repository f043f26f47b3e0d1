/** StateVersionRollback: makes an older state version's content current again (document "State Versions", Roll back). */

import * as z from "zod";
import { oneShotAction } from "../../core/one-shot-action";
import type { RequestContext } from "../../core/request-context";
import {
    type Inputs as InputsOf,
    type Outputs as OutputsOf,
    type State as StateOf,
    unfinishedSteps,
} from "../../core/resource";
import { Unfinished } from "../../core/unfinished";
import { NotFoundError } from "../../errors";
import { property, type Rule, withRules } from "../../schema/facts";
import { holdsUnknown } from "../../schema/unknown";
import { connectionProperty, timeoutsProperty, triggersProperty } from "../shared-options";
import { absentOrDenied, changedMeanwhile, notProcessed, otherForm, otherToken } from "./failures";
import {
    idOf,
    lockMarkProperty,
    lockOptions,
    lockProperty,
    parseId,
    processingSeconds,
    waitForProcessingProperty,
} from "./inputs";
import { explainedByLock, lockErrors, warnOfKeptLock } from "./lock-failures";
import { knownResources, managedResource, readCurrent, readVersion, type StateVersion } from "./records";
import {
    lockedAfterRollback,
    lockLeft,
    neededToRestore,
    noTarget,
    notRestorable,
    notRestored,
    otherWorkspace,
    overtakenRollback,
    refusedRollback,
    restoreUnseen,
    rollbackNotAwaited,
    rollbackUnread,
    rollbackUnseen,
    undone,
    unfinishedRollback,
    versionInBetween,
    workspaceUnseen,
} from "./rollback-failures";
import { previewRollback } from "./rollback-preview";
import { isSameContent, problemWith, rollBackOnce, rollbackTo } from "./rollback-request";
import { deleteRollback } from "./rollback-restore";
import {
    type Attempt,
    isAskedAgain,
    isOfKilledRun,
    isOpen,
    isOwn,
    type RollbackStatus,
    statusAfter,
    statusAt,
    statusIn,
} from "./rollback-status";
import { stateVersions } from "./service";
import { untilProcessed } from "./until";
import { inTurn, recoverStaleLock, releaseRecorded, staleLockIn, withLock } from "./workspace-lock";
import type { Account } from "./workspace-records";

const lockToKeep: Rule = {
    uses: ["lock", "keepLocked"],
    severity: "warning",
    test: ({ lock, keepLocked }) =>
        keepLocked === true && lock === false
            ? { path: "keepLocked", reason: "has no effect with lock: false" }
            : undefined,
};

const inputs = withRules(
    z.strictObject({
        workspaceId: property(idOf("workspace"), { immutable: true, description: "The workspace to roll back." }),
        stateVersionId: property(idOf("state version"), {
            description: "The version whose content becomes current again. Another one rolls back again, in place.",
        }),
        triggers: triggersProperty("rolls back"),
        lock: lockProperty("the rollback"),
        keepLocked: property(z.boolean().optional(), {
            option: true,
            default: false,
            description:
                "Keep the lock that was taken, so that nothing runs on the rolled-back state until somebody releases it. Off by default.",
        }),
        onDelete: property(z.enum(["keep", "restore"]).optional(), {
            option: true,
            default: "keep",
            description:
                "What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` if nothing newer has become current since.",
        }),
        enforce: property(z.boolean().optional(), {
            option: true,
            default: false,
            description:
                "Treat a newer version that has become current as drift, and roll back again. Off by default: newer versions are normal life.",
        }),
        waitForProcessing: waitForProcessingProperty,
        timeouts: timeoutsProperty,
        connection: connectionProperty,
        lockMark: lockMarkProperty,
    }),
    [lockToKeep],
);

const outputs = z.strictObject({
    currentStateVersionId: property(z.string(), {
        description: "The version that this resource made current, or found current with the wanted content.",
    }),
    previousStateVersionId: property(z.string(), {
        description:
            "What was current before this resource's latest rollbacks, between which nobody else made a version; `onDelete: restore` goes back to it. Empty if nothing had to be rolled back.",
    }),
    rolledBackFrom: property(z.string(), {
        description: "What was current before the last rollback. Empty if nothing had to be rolled back.",
    }),
    serial: property(z.number().optional(), {
        description: "Serial of the current version. Serials may repeat after rollbacks.",
    }),
    createdAt: property(z.string().optional(), { description: "When the current version was made: ISO 8601." }),
    resources: property(z.array(managedResource).optional(), {
        description:
            "Resources that the current version counts; absent until the service has processed them (see `waitForProcessing`).",
    }),
    superseded: property(z.boolean(), {
        description: "Whether a newer version has become current since. Drift only with `enforce`.",
    }),
    // States of the version 0.1.0 may hold one that succeeded, with what it made: of another form, it counts as none.
    attempt: property(
        z
            .strictObject({
                from: z.string(),
                target: z.string(),
                undone: z.boolean().optional(),
            })
            .optional(),
        { internal: true, description: "A rollback that was requested, and is not known to be done." },
    ),
});

type Inputs = InputsOf<typeof inputs>;
type Outputs = OutputsOf<typeof outputs>;
type State = StateOf<typeof inputs, typeof outputs>;

/** What is known of the version that this resource made or found. */
function recordOutputs(version: StateVersion) {
    const { id, serial, createdAt } = version;
    return { currentStateVersionId: id, serial, createdAt, resources: knownResources(version) };
}

/** Makes the wanted content current, unless it is so already. */
async function rollBack(context: RequestContext, inputs: Inputs, state: State): Promise<RollbackStatus> {
    const { workspaceId, stateVersionId } = inputs;
    const options = lockOptions(inputs, state);
    const action = rollbackTo(stateVersionId);
    const reads = [readCurrent(context, workspaceId), readVersion(context, stateVersionId)] as const;
    const [before, target] = await Promise.all(reads).catch(explainedByLock(context, options, action));
    const problem = problemWith(target, workspaceId);
    if (problem !== undefined) throw problem;
    const isAnew = isAskedAgain(inputs, state, before);
    const isThere = (current: StateVersion) => isSameContent(context, current, target);
    if (!isAnew && (await isThere(before))) {
        const stale = await recoverStaleLock(context, options);
        return found(state, inputs, before, stale);
    }

    const status = statusAt(state, before);
    const { result, unreleased } = await withLock(context, options, action, async ({ isOurs, stale }) => {
        // Until the lock was held, others could work.
        const now = await readCurrent(context, workspaceId);
        if (now.id !== before.id) {
            if (!isAnew && (await isThere(now))) return found(state, inputs, now);
            throw versionInBetween({ now: now.id, before: before.id });
        }
        // A run that was killed under this lock may have done it already.
        const isUnknown = !isOpen(state) && now.id !== status.currentStateVersionId;
        if (isOfKilledRun(stale, now) && isUnknown && (await isThere(now))) return found(state, inputs, now, stale);
        const done = await rollBackOnce(context, workspaceId, before, target, isOurs);
        if (done.failure === undefined) return statusAfter(status, before.id, done.made);
        throw withoutAnswer(status, { from: before.id, target: stateVersionId, undone: done.undone }, done.failure);
    });
    if (unreleased !== undefined) {
        const kept = { ...result, superseded: false };
        throw new Unfinished(kept, ["unlock", "readBack"], lockedAfterRollback(), unreleased);
    }
    return result;
}

/** What this resource made before, if anything, is still its own. */
function withoutAnswer(status: RollbackStatus, attempt: Attempt, failure: unknown): Unfinished {
    const currentStateVersionId = status.currentStateVersionId || attempt.from;
    const kept = { ...status, currentStateVersionId, attempt, superseded: false };
    return new Unfinished(kept, ["rollback"], unfinishedRollback(), failure);
}

/** What is kept of a version that was found with the wanted content, perhaps under a stale lock. */
function found(state: State, { stateVersionId }: Inputs, current: StateVersion, stale?: Account): RollbackStatus {
    const status = statusAt(state, current, stateVersionId);
    if (isOwn(status, current)) return status;
    // What somebody else has made current is not to be undone when this resource is deleted.
    const before = isOfKilledRun(stale, current) ? status : statusIn({});
    return { ...before, currentStateVersionId: current.id, attempt: undefined };
}

/** Reads what the answer to a rollback lacks, waits if asked, and keeps in state what is left to do when that fails. */
async function finish(
    context: RequestContext,
    { waitForProcessing }: Inputs,
    status: RollbackStatus & Pick<Outputs, "superseded">,
): Promise<Outputs> {
    const waits = processingSeconds(waitForProcessing) > 0;
    const { currentStateVersionId: id } = status;
    try {
        const version = await (waits ? untilProcessed(context, id, waitForProcessing) : readVersion(context, id));
        return { ...status, ...recordOutputs(version) };
    } catch (error) {
        throw waits
            ? new Unfinished({ ...status }, ["waitForProcessing"], rollbackNotAwaited(), error)
            : new Unfinished({ ...status }, ["readBack"], rollbackUnread(), error);
    }
}

/** Nothing is sent for a changed option. */
async function warnOfLockKeptBefore(context: RequestContext, inputs: Inputs, state: State): Promise<void> {
    if (state.keepLocked !== true || inputs.keepLocked === true) return;
    await warnOfKeptLock(context, lockOptions(inputs, state));
}

/** What a look at the current version adds to state. */
function liveState(state: State, current: StateVersion) {
    const { currentStateVersionId, previousStateVersionId, rolledBackFrom } = statusIn(state);
    const isKnown = currentStateVersionId !== "";
    if (isKnown && currentStateVersionId !== current.id) return { superseded: !isOpen(state) };
    return { previousStateVersionId, rolledBackFrom, ...recordOutputs(current), superseded: false };
}

const isOvertaken = ({ superseded }: State, { enforce }: Inputs) => enforce === true && superseded === true;

/** A rollback of a workspace's state. */
export const stateVersionRollback = oneShotAction<typeof inputs, typeof outputs, string>({
    type: "StateVersionRollback",
    service: stateVersions,
    description:
        "Rolls a workspace's state back: the content of an older version is copied into a new version, which becomes current. Nothing is edited or deleted.",
    inputs,
    outputs,
    errors: [
        otherWorkspace,
        noTarget,
        refusedRollback,
        versionInBetween,
        unfinishedRollback,
        rollbackUnseen,
        undone,
        overtakenRollback,
        lockedAfterRollback,
        rollbackUnread,
        rollbackNotAwaited,
        notProcessed,
        notRestored,
        notRestorable,
        neededToRestore,
        restoreUnseen,
        lockLeft,
        workspaceUnseen,
        absentOrDenied,
        otherToken,
        changedMeanwhile,
        ...lockErrors,
        otherForm,
    ],
    idForm: "<workspaceId>",
    address: ({ workspaceId }) => workspaceId,
    id: (workspaceId) => workspaceId,
    parse: parseId,
    named: (workspaceId) => ({ workspaceId }),

    async act(context, workspaceId, values, state = {}) {
        const status = await inTurn(context, workspaceId, async () => {
            await releaseRecorded(context, lockOptions(values, state));
            return rollBack(context, values, state);
        });
        return finish(context, values, { ...status, superseded: false });
    },

    async resume(context, workspaceId, values, state) {
        await inTurn(context, workspaceId, () => releaseRecorded(context, lockOptions(values, state)));
        await warnOfLockKeptBefore(context, values, state);
        // A refresh may have seen a newer version since.
        return finish(context, values, { ...statusIn(state), superseded: state.superseded === true });
    },

    async read(context, workspaceId, state) {
        let current: StateVersion;
        try {
            current = await readCurrent(context, workspaceId);
        } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
            if (state === undefined) return undefined;
            context.warn(workspaceUnseen({ workspace: workspaceId }));
            return {};
        }
        const asked = { workspaceId, stateVersionId: current.rollbackStateVersionId ?? current.id };
        const known = { ...asked, ...state };
        return {
            workspaceId: known.workspaceId,
            stateVersionId: known.stateVersionId,
            ...liveState(known, current),
            ...(await staleLockIn(context, lockOptions({ ...known, workspaceId }, known))),
        };
    },

    // An open attempt is looked at anew.
    isDue: (state, values) => [
        ...(isOvertaken(state, values) ? ["superseded"] : []),
        ...(unfinishedSteps(state).includes("rollback") ? ["unfinished"] : []),
    ],

    optionsChanged: (context, _, values, state) => warnOfLockKeptBefore(context, values, state),

    remove: deleteRollback,

    // Another resource may stand for the version that this one made; the lock is this one's all the same.

    async previewChange(context, values, state) {
        const { workspaceId, stateVersionId } = values;
        if (holdsUnknown([workspaceId, stateVersionId])) return;
        if (state?.workspaceId === workspaceId && state.stateVersionId === stateVersionId) return;
        await previewRollback(context, stateVersionId, lockOptions(values, state));
    },
});
