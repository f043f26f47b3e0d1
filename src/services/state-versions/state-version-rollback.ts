/**
 * StateVersionRollback: makes the content of an older state version current again (document "State Versions", Roll back).
 *
 * Every request makes another version. So the current version is compared with the wanted one first, the request is sent once, and after
 * a lost answer the version that is current shows whether it was done.
 */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Context } from "../../core/context";
import { operation } from "../../core/operation";
import { defineResource, type Inputs as InputsOf, type State as StateOf } from "../../core/resource";
import { mayHaveActed, NotFoundError, reworded, StatecraftError } from "../../errors";
import { property, withRules } from "../../schema/property";
import { asJson } from "../../schema/property-types";
import { holdsUnknown, isRecord, type Values } from "../../schema/values";
import { connectionProperty, timeoutsProperty, triggersProperty } from "../shared-options";
import {
    holdsContent,
    knownResources,
    type ManagedResource,
    managedResource,
    mayBeRetired,
    parseVersion,
    readCurrent,
    readVersion,
    type StateVersion,
    warnUnseen,
} from "./records";
import { idOf, parseId, stateVersions } from "./service";
import { readMade, untilProcessed, waitForProcessingProperty } from "./wait-for-processing";
import {
    explained,
    inTurn,
    type LockedAction,
    lockProperties,
    previewLock,
    releaseMarked,
    releaseOnDelete,
    withWorkspaceLock,
} from "./workspace-lock";

// It is sent again only if the service surely did nothing.
const rollBack = operation("PATCH /workspaces/{workspaceId}/state-versions");

const inputs = withRules(
    z.strictObject({
        workspaceId: property(idOf("workspace"), { immutable: true, description: "The workspace to roll back." }),
        stateVersionId: property(idOf("state version"), {
            description: "The version whose content becomes current again. Another one rolls back again, in place.",
        }),
        triggers: triggersProperty("rolls back"),
        keepLocked: property(z.boolean().optional(), {
            default: false,
            description:
                "Keep the lock that was taken, so that nothing runs on the rolled-back state until somebody releases it. Off by default.",
        }),
        onDelete: property(z.enum(["keep", "restore"]).optional(), {
            default: "keep",
            description:
                "What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` while the version that this resource made is current.",
        }),
        enforce: property(z.boolean().optional(), {
            default: false,
            description:
                "Treat a newer version that has become current as drift, and roll back again. Off by default: newer versions are normal life.",
        }),
        waitForProcessing: waitForProcessingProperty,
        timeouts: timeoutsProperty,
        connection: connectionProperty,
        ...lockProperties("the rollback"),
    }),
    [
        {
            uses: ["lock", "keepLocked"],
            severity: "warning",
            test: ({ lock, keepLocked }) =>
                keepLocked === true && lock === false
                    ? { path: "keepLocked", reason: "lock: false takes no lock that could be kept" }
                    : undefined,
        },
    ],
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

const rollbackTo = (stateVersionId: string): LockedAction => ({
    noun: "a rollback",
    reason: `rolling back to ${stateVersionId}`,
    refused:
        "Check that `stateVersionId` is a finalized version of this workspace and that this token's account holds the lock; if the workspace has changed meanwhile, run `pulumi up` again",
});

/** Why a version cannot be rolled back to. */
function problemWith(target: StateVersion, workspaceId: string): StatecraftError | undefined {
    const { id, status, workspaceId: other } = target;
    if (other !== undefined && other !== workspaceId) {
        const message = `stateVersionId: ${id} is a version of the workspace ${other}, not of ${workspaceId}`;
        return new StatecraftError("wrong-workspace", message, {
            hint: "Give a version of this workspace; `getStateVersions` lists them",
        });
    }
    if (status === undefined || holdsContent(target)) return undefined;
    return new StatecraftError("not-finalized", `stateVersionId: ${id} is ${status} and has no state to roll back to`, {
        hint: "Choose a finalized version, or make the content available again (StateVersionBackingData)",
    });
}

/** Whether the records show that the current version is the wanted one or a copy of it. */
const isKnownCopy = (current: StateVersion, target: StateVersion) =>
    current.id === target.id || current.rollbackStateVersionId === target.id;

/** The same, or both states are equal without their serials. */
async function isCopy(context: Context, current: StateVersion, target: StateVersion): Promise<boolean> {
    if (isKnownCopy(current, target)) return true;
    const [left, right] = await Promise.all([downloadedState(context, current), downloadedState(context, target)]);
    return left !== undefined && right !== undefined && isDeepStrictEqual(left, right);
}

/** A state without its serial, numbers digit by digit. `undefined` if it cannot be downloaded: then no state is equal to it. */
async function downloadedState(
    { client }: Context,
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

/** Sends the one request, and returns the version that it made. `isLocked`: no other account can make one meanwhile. */
async function rollBackOnce(
    context: Context,
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
        const { cleanUp } = context;
        const now = await readCurrent(cleanUp, workspaceId).catch(() => undefined);
        // The service may not have acted yet on a request that was cancelled a moment ago.
        if (now === undefined || (now.id === before.id && context.isCancelled)) {
            throw reworded(error, {
                code: "open",
                message: `${error.message}; whether the rollback was done is unknown`,
                hint: "Run `pulumi up` again, which compares first and never rolls back twice",
            });
        }
        if (now.id === before.id) {
            throw reworded(error, {
                code: "undone",
                message: `${error.message}; nothing was rolled back: ${before.id} is still current`,
                hint: "Run `pulumi up` again",
            });
        }
        if (isLocked || (await isCopy(cleanUp, now, target))) return now.id;
        throw reworded(error, {
            code: "overtaken",
            message: `${error.message}; another version, ${now.id}, has become current meanwhile`,
            hint: "Look at what others did to the workspace, then run `pulumi up` again, which compares first",
        });
    }
}

const isTriggered = ({ triggers = [] }: Inputs, state: State) => !isDeepStrictEqual(triggers, state.triggers ?? []);

/** Whether the inputs ask for a rollback that the last deployment did not do. */
const isDue = (inputs: Inputs, state: State) =>
    state.stateVersionId !== inputs.stateVersionId ||
    isTriggered(inputs, state) ||
    (inputs.enforce === true && state.superseded === true);

/** Makes the wanted content current, unless it is current already. */
async function makeCurrent(context: Context, inputs: Inputs, state: State) {
    const { workspaceId, stateVersionId } = inputs;
    const action = rollbackTo(stateVersionId);
    const reads = [readCurrent(context, workspaceId), readVersion(context, stateVersionId)] as const;
    const [current, target] = await Promise.all(reads).catch(explained(action));
    const problem = problemWith(target, workspaceId);
    if (problem !== undefined) throw problem;
    const isAnew = state.currentStateVersionId !== undefined && isTriggered(inputs, state);
    const isThere = async (version: StateVersion) => !isAnew && (await isCopy(context, version, target));
    if (await isThere(current)) {
        return { result: found(state, current), stuck: await releaseMarked(context, inputs) };
    }
    return withWorkspaceLock(context, inputs, action, async () => {
        const before = await readCurrent(context, workspaceId);
        if (before.id !== current.id && (await isThere(before))) return found(state, before);
        const made = await rollBackOnce(context, workspaceId, before, target, inputs.lock !== false);
        return {
            currentStateVersionId: made,
            previousStateVersionId: (isOwn(state, before) && state.previousStateVersionId) || before.id,
            rolledBackFrom: before.id,
            superseded: false,
        };
    });
}

/** Whether a version is the one that this resource made or found. */
const isOwn = ({ currentStateVersionId }: State, { id }: StateVersion) => currentStateVersionId === id;

/** Outputs where nothing had to be rolled back. A version that another account made is not taken back when this resource is deleted. */
function found(state: State, current: StateVersion) {
    const { previousStateVersionId = "", rolledBackFrom = "" } = isOwn(state, current) ? state : {};
    return { currentStateVersionId: current.id, previousStateVersionId, rolledBackFrom, superseded: false };
}

/** Goes back to what was current before, while this resource's version is current. */
async function restore(context: Context, workspaceId: string, state: State): Promise<void> {
    const want = { ...state, workspaceId, keepLocked: false };
    const previous = state.previousStateVersionId ?? "";
    const isRestorable = (current: StateVersion) => {
        if (previous !== "" && isOwn(state, current)) return true;
        const isRestored = previous !== "" && [current.id, current.rollbackStateVersionId].includes(previous);
        if (!isRestored) {
            context.warn(
                "not-restored",
                `onDelete: nothing was restored, and ${current.id} stays current. This resource did not make it, or nothing had to be rolled back.`,
            );
        }
        return false;
    };
    const current = await readCurrent(context, workspaceId).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
        const hint = `The workspace ${workspaceId} or its current version does not exist any more, or the token may not see it. Check the token; if the workspace is gone, \`pulumi state delete\` forgets this resource`;
        throw reworded(error, { hint });
    });
    if (!isRestorable(current)) return releaseOnDelete(context, want);
    const notRestorable = {
        code: "not-finalized",
        message: `onDelete: ${previous}, the version to restore, has no state any more, or the token may not see it`,
        hint: 'To leave the workspace as it is, set `onDelete: "keep"`, run `pulumi up`, and delete then; or make the content available again (StateVersionBackingData)',
    };
    const target = await readVersion(context, previous).catch((error: unknown) => {
        throw error instanceof StatecraftError && mayBeRetired(error) ? reworded(error, notRestorable) : error;
    });
    const problem = problemWith(target, workspaceId);
    if (problem !== undefined) throw reworded(problem, notRestorable);
    const { stuck } = await withWorkspaceLock(context, want, rollbackTo(previous), async () => {
        const before = await readCurrent(context, workspaceId);
        if (isRestorable(before)) await rollBackOnce(context, workspaceId, before, target, want.lock !== false);
    });
    if (stuck !== undefined) throw stuck;
}

function recordOutputs(version: StateVersion) {
    const { id, serial, createdAt } = version;
    return { currentStateVersionId: id, serial, createdAt, resources: knownResources(version) };
}

/** Which versions a rollback leads from and to, and which counted resources the state gains and loses. */
function rollbackChange(workspaceId: string, current: StateVersion, target: StateVersion): string {
    if (isKnownCopy(current, target)) {
        return `nothing to roll back now: ${described(current)}, which is current in ${workspaceId}, has the content of ${target.id} already`;
    }
    const change = `rolling back ${workspaceId} from ${described(current)} to ${described(target)}`;
    return `${change}: ${difference(current, target)}`;
}

function described({ id, serial, resources }: StateVersion): string {
    const total = resources.reduce((sum, { count }) => sum + count, 0);
    const counted = resources.length === 0 ? "" : `, ${total} ${total === 1 ? "resource" : "resources"}`;
    return `${id} (serial ${serial ?? "unknown"}${counted})`;
}

/** `+ server.a; - server.b`: what the state gains and loses. */
function difference(current: StateVersion, target: StateVersion): string {
    const unknown = [current, target].filter((version) => knownResources(version) === undefined);
    if (unknown.length > 0) {
        const ids = unknown.map(({ id }) => id).join(" and ");
        return `what it gains and loses is unknown, because the service does not list the resources of ${ids}`;
    }
    const [now, then] = [countsOf(current), countsOf(target)];
    const parts = [grown("+", then, now), grown("-", now, then)].filter((part) => part !== "");
    return parts.join("; ") || "the same resources, with other values";
}

function countsOf({ resources }: StateVersion): Map<string, number> {
    const counts = new Map<string, number>();
    for (const resource of resources) {
        const address = addressOf(resource);
        counts.set(address, (counts.get(address) ?? 0) + resource.count);
    }
    return counts;
}

/** Records say `root` for the outermost module. */
function addressOf({ module, type, name }: ManagedResource): string {
    const prefix = module === "" || module === "root" ? "" : `${module}.`;
    return `${prefix}${type}.${name}`;
}

const mostNames = 20;

/** `+ server.a, server.b (2)`: the resources that one version has more of than the other. Empty if there are none. */
function grown(sign: string, counts: Map<string, number>, others: Map<string, number>): string {
    const more = [...counts].flatMap(([name, count]) => {
        const by = count - (others.get(name) ?? 0);
        return by <= 0 ? [] : [by === 1 ? name : `${name} (${by})`];
    });
    const rest = more.length > mostNames ? ` and ${more.length - mostNames} more` : "";
    return more.length === 0 ? "" : `${sign} ${more.slice(0, mostNames).join(", ")}${rest}`;
}

/** A rollback of a workspace's state. */
export const stateVersionRollback = defineResource<typeof inputs, typeof outputs, string>({
    type: "StateVersionRollback",
    service: stateVersions,
    description:
        "Rolls a workspace's state back: the content of an older version is copied into a new version, which becomes current. Nothing is edited or deleted.",
    inputs,
    outputs,
    idForm: "<workspaceId>",
    title: (workspaceId) => `rollback of the workspace ${workspaceId}`,
    address: ({ workspaceId }) => workspaceId,
    id: (workspaceId) => workspaceId,
    parse: parseId,
    named: (workspaceId) => ({ workspaceId }),

    async act(context, workspaceId, values, state = {}) {
        const { currentStateVersionId, previousStateVersionId = "", rolledBackFrom = "", superseded = false } = state;
        const { unfinished = [], serial, createdAt, resources } = state;
        const isDone = currentStateVersionId !== undefined && !isDue(values, state);
        const { result, stuck } = await inTurn(context, workspaceId, async () => {
            if (!isDone) return makeCurrent(context, values, state);
            const last = { currentStateVersionId, previousStateVersionId, rolledBackFrom, superseded };
            return { result: last, stuck: await releaseMarked(context, values) };
        });
        if (isDone && stuck === undefined && unfinished.length === 0) {
            return { outputs: { ...result, serial, createdAt, resources } };
        }
        const version = await readMade(context, result.currentStateVersionId, {
            id: workspaceId,
            outputs: result,
            stuck,
        });
        return { outputs: { ...result, ...recordOutputs(version) } };
    },

    async wait(context, _, { waitForProcessing: seconds }, { currentStateVersionId = "", resources }) {
        if (!seconds || resources !== undefined) return {};
        return recordOutputs(await untilProcessed(context, currentStateVersionId, seconds));
    },

    async read(context, workspaceId, state) {
        const current = await readCurrent(context, workspaceId).catch((error: unknown) => {
            if (error instanceof NotFoundError) return undefined;
            throw error;
        });
        if (current === undefined) {
            if (state === undefined) return undefined;
            warnUnseen(context, `the current version of the workspace ${workspaceId}`);
            return {};
        }
        if (state?.currentStateVersionId !== undefined && !isOwn(state, current)) {
            const drift = state.enforce === true ? { inputs: { stateVersionId: current.id } } : {};
            return { ...drift, outputs: { superseded: true } };
        }
        const { stateVersionId = current.rollbackStateVersionId ?? current.id } = state ?? {};
        const { previousStateVersionId = "", rolledBackFrom = "" } = state ?? {};
        return {
            inputs: { workspaceId, stateVersionId },
            outputs: { previousStateVersionId, rolledBackFrom, ...recordOutputs(current), superseded: false },
        };
    },

    remove: (context, workspaceId, state) =>
        inTurn(context, workspaceId, () =>
            state.onDelete === "restore"
                ? restore(context, workspaceId, state)
                : releaseOnDelete(context, { ...state, workspaceId }),
        ),

    async preview(context, values, state) {
        const { workspaceId, stateVersionId } = values;
        if (holdsUnknown([workspaceId, stateVersionId])) return;
        if (state?.workspaceId === workspaceId && state.stateVersionId === stateVersionId) return;
        const reads = [readCurrent(context, workspaceId), readVersion(context, stateVersionId)] as const;
        const [current, target] = await Promise.all(reads);
        const problem = problemWith(target, workspaceId);
        if (problem !== undefined) return context.reportBlocker(problem);
        context.inform("preview", `${rollbackChange(workspaceId, current, target)}.`);
        if (!isKnownCopy(current, target)) await previewLock(context, values, "a rollback");
    },
});
