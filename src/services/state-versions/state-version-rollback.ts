/**
 * StateVersionRollback: makes an older state version's content current again (document "State Versions", Roll back).
 *
 * Every request makes another version. So the current version is compared with the wanted one first, the request is sent once, and after
 * a lost answer the version that is current tells whether it was done.
 */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { oneShotAction } from "../../core/one-shot-action";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { type Inputs as InputsOf, type State as StateOf, unfinishedSteps } from "../../core/resource";
import { Unfinished } from "../../core/unfinished";
import { mayHaveActed, NotFoundError, reworded, StatecraftError } from "../../errors";
import { property, type Rule, type Values, withRules } from "../../schema/facts";
import { asJson } from "../../schema/property-types";
import { holdsUnknown, isRecord } from "../../schema/unknown";
import { connectionProperty, timeoutsProperty, triggersProperty } from "../shared-options";
import {
    changeErrors,
    lockedAfter,
    noTarget,
    notRestorable,
    notRestored,
    otherWorkspace,
    overtakenRollback,
    refusedRollback,
    rollbackUnseen,
    undone,
    workspaceUnseen,
} from "./failures";
import { idOf, lockMarkProperty, lockProperty, parseId } from "./inputs";
import {
    holdsContent,
    knownResources,
    managedResource,
    mayBeRetired,
    parseVersion,
    readCurrent,
    readVersion,
    type StateVersion,
} from "./records";
import { rollbackChange } from "./rollback-preview";
import { stateVersions } from "./service";
import { readMade, waitForProcessingProperty } from "./wait-for-processing";
import {
    explained,
    inTurn,
    type LockedAction,
    previewLock,
    releaseMarked,
    releaseOnDelete,
    withWorkspaceLock,
} from "./workspace-lock";

// It is sent again only if the service surely did nothing.
const rollBack = operation("PATCH /workspaces/{workspaceId}/state-versions");

const lockToKeep: Rule = {
    uses: ["lock", "keepLocked"],
    severity: "warning",
    test: ({ lock, keepLocked }) =>
        keepLocked === true && lock === false
            ? { path: "keepLocked", reason: "lock: false takes no lock that could be kept" }
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
                "What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` while the version that this resource made is current.",
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
            "The version that `onDelete: restore` goes back to: what was current before this resource's rollbacks. Empty if nothing had to be rolled back.",
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
});

type Inputs = InputsOf<typeof inputs>;
type State = StateOf<typeof inputs, typeof outputs>;

/** What a rollback leaves in state of the versions before and after it. */
interface Outcome {
    readonly currentStateVersionId: string;
    readonly previousStateVersionId: string;
    readonly rolledBackFrom: string;
}

const rollbackTo = (stateVersionId: string): LockedAction => ({
    noun: "a rollback",
    reason: `rolling back to ${stateVersionId}`,
    refused: refusedRollback(),
});

/** Why a version cannot be rolled back to. */
function problemWith(target: StateVersion, workspaceId: string): StatecraftError | undefined {
    const { id, status, workspaceId: other } = target;
    if (other !== undefined && other !== workspaceId) return otherWorkspace({ id, other, workspace: workspaceId });
    return status === undefined || holdsContent(target) ? undefined : noTarget({ id, status });
}

/** Whether the records say that the current version is the wanted one or a copy of it. */
const isKnownCopy = (current: StateVersion, target: StateVersion) =>
    current.id === target.id || current.rollbackStateVersionId === target.id;

/** The same, or both states are equal without their serials. */
async function isCopy(context: RequestContext, current: StateVersion, target: StateVersion): Promise<boolean> {
    if (isKnownCopy(current, target)) return true;
    const [left, right] = await Promise.all([downloadedState(context, current), downloadedState(context, target)]);
    return left !== undefined && right !== undefined && isDeepStrictEqual(left, right);
}

/** A state without its serial, numbers digit by digit. `undefined` if it cannot be downloaded: then no state is equal to it. */
async function downloadedState(
    { client }: RequestContext,
    { hostedStateDownloadUrl: address }: StateVersion,
): Promise<Values | undefined> {
    if (address === undefined) return undefined;
    try {
        const state = asJson((await client.download(address)).toString("utf8"));
        return isRecord(state) ? { ...state, serial: 0 } : undefined;
    } catch {
        return undefined;
    }
}

/** Sends the one request, and returns the version that it made. `isLocked`: nobody else can make one meanwhile. */
async function rollBackOnce(
    context: RequestContext,
    workspaceId: string,
    before: StateVersion,
    target: StateVersion,
    isLocked: boolean,
): Promise<string> {
    const type = "state-versions";
    const body = { data: { type, relationships: { "rollback-state-version": { data: { type, id: target.id } } } } };
    try {
        return parseVersion(await context.client.call(rollBack, { parameters: { workspaceId }, body })).id;
    } catch (error) {
        if (!mayHaveActed(error)) return explained(rollbackTo(target.id))(error);
        const failed = error.message;
        const { cleanUp } = context;
        const now = await readCurrent(cleanUp, workspaceId).catch(() => undefined);
        // The service may not have acted yet on a request that was cancelled a moment ago.
        if (now === undefined || (now.id === before.id && context.isCancelled)) {
            throw rollbackUnseen.of(error, { failed });
        }
        if (now.id === before.id) throw undone.of(error, { failed, id: before.id });
        if (isLocked || (await isCopy(cleanUp, now, target))) return now.id;
        throw overtakenRollback.of(error, { failed, id: now.id });
    }
}

/** Makes the wanted content current, unless it is so already. */
async function makeCurrent(context: RequestContext, inputs: Inputs, state: State) {
    const { workspaceId, stateVersionId } = inputs;
    const action = rollbackTo(stateVersionId);
    const reads = [readCurrent(context, workspaceId), readVersion(context, stateVersionId)] as const;
    const [current, target] = await Promise.all(reads).catch(explained(action));
    const problem = problemWith(target, workspaceId);
    if (problem !== undefined) throw problem;
    const isAnew =
        state.currentStateVersionId !== undefined && !isDeepStrictEqual(inputs.triggers ?? [], state.triggers ?? []);
    const isThere = async (version: StateVersion) => !isAnew && (await isCopy(context, version, target));
    if (await isThere(current)) {
        const stuck = await releaseMarked(context, inputs).catch((error: unknown) => error);
        return { result: found(state, current), stuck };
    }
    return withWorkspaceLock(context, inputs, action, async () => {
        const before = await readCurrent(context, workspaceId);
        if (before.id !== current.id && (await isThere(before))) return found(state, before);
        const made = await rollBackOnce(context, workspaceId, before, target, inputs.lock !== false);
        return {
            currentStateVersionId: made,
            previousStateVersionId: (isOwn(state, before) && state.previousStateVersionId) || before.id,
            rolledBackFrom: before.id,
        };
    });
}

/** Whether a version is the one that this resource made or found. */
const isOwn = ({ currentStateVersionId }: State, { id }: StateVersion) => currentStateVersionId === id;

/** A version of somebody else is not to be taken back when this resource is deleted. */
function found(state: State, current: StateVersion): Outcome {
    const { previousStateVersionId = "", rolledBackFrom = "" } = isOwn(state, current) ? state : {};
    return { currentStateVersionId: current.id, previousStateVersionId, rolledBackFrom };
}

/** Goes back to what was current before, while this resource's version is current. */
async function restore(context: RequestContext, workspaceId: string, state: State): Promise<void> {
    const want = { ...state, workspaceId, keepLocked: false };
    const previous = state.previousStateVersionId ?? "";
    const action = rollbackTo(previous);
    const isRestorable = (current: StateVersion) => {
        if (previous !== "" && isOwn(state, current)) return true;
        const isRestored = previous !== "" && [current.id, current.rollbackStateVersionId].includes(previous);
        if (!isRestored) context.warn(notRestored({ id: current.id }));
        return false;
    };
    const current = await readCurrent(context, workspaceId).catch((error: unknown) => {
        throw error instanceof NotFoundError
            ? reworded(error, { hint: workspaceUnseen({ workspace: workspaceId }) })
            : error;
    });
    if (!isRestorable(current)) return releaseOnDelete(context, want);
    const target = await readVersion(context, previous).catch((error: unknown) => {
        throw error instanceof StatecraftError && mayBeRetired(error)
            ? notRestorable.of(error, { id: previous })
            : error;
    });
    if (problemWith(target, workspaceId) !== undefined) throw notRestorable({ id: previous });
    const { stuck } = await withWorkspaceLock(context, want, action, async () => {
        const before = await readCurrent(context, workspaceId);
        if (isRestorable(before)) await rollBackOnce(context, workspaceId, before, target, want.lock !== false);
    });
    if (stuck !== undefined) throw stuck;
}

function recordOutputs(version: StateVersion) {
    const { id, serial, createdAt } = version;
    return { currentStateVersionId: id, serial, createdAt, resources: knownResources(version) };
}

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
        rollbackUnseen,
        undone,
        overtakenRollback,
        notRestored,
        notRestorable,
        workspaceUnseen,
        ...changeErrors,
    ],
    idForm: "<workspaceId>",
    address: ({ workspaceId }) => workspaceId,
    id: (workspaceId) => workspaceId,
    parse: parseId,
    named: (workspaceId) => ({ workspaceId }),

    async act(context, workspaceId, values, state = {}) {
        const { result, stuck } = await inTurn(context, workspaceId, () => makeCurrent(context, values, state));
        const status = { ...result, superseded: false };
        if (stuck !== undefined) {
            const problem = lockedAfter({ id: result.currentStateVersionId });
            throw new Unfinished(status, ["unlock", "readBack"], problem, stuck);
        }
        const version = await readMade(context, result.currentStateVersionId, values.waitForProcessing, status);
        return { outputs: { ...status, ...recordOutputs(version) } };
    },

    async resume(context, workspaceId, values, state) {
        await inTurn(context, workspaceId, () => releaseMarked(context, values));
        if (unfinishedSteps(state).length === 0) return {};
        return recordOutputs(await readMade(context, state.currentStateVersionId ?? "", values.waitForProcessing, {}));
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
        if (state?.currentStateVersionId !== undefined && !isOwn(state, current)) return { superseded: true };
        return {
            workspaceId,
            stateVersionId: state?.stateVersionId ?? current.rollbackStateVersionId ?? current.id,
            previousStateVersionId: state?.previousStateVersionId ?? "",
            rolledBackFrom: state?.rolledBackFrom ?? "",
            ...recordOutputs(current),
            superseded: false,
        };
    },

    isDue: ({ superseded }, { enforce }) => (enforce === true && superseded === true ? ["superseded"] : []),

    remove: (context, workspaceId, state) =>
        inTurn(context, workspaceId, () =>
            state.onDelete === "restore"
                ? restore(context, workspaceId, state)
                : releaseOnDelete(context, { ...state, workspaceId }),
        ),

    async previewChange(context, values, state) {
        const { workspaceId, stateVersionId } = values;
        if (holdsUnknown([workspaceId, stateVersionId])) return;
        if (state?.workspaceId === workspaceId && state.stateVersionId === stateVersionId) return;
        const reads = [readCurrent(context, workspaceId), readVersion(context, stateVersionId)] as const;
        const [current, target] = await Promise.all(reads);
        const problem = problemWith(target, workspaceId);
        if (problem !== undefined) return context.reportBlocker(problem);
        context.inform(rollbackChange(workspaceId, current, target, isKnownCopy(current, target)));
        if (!isKnownCopy(current, target)) await previewLock(context, values, "a rollback");
    },
});
