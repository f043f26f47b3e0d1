/** StateVersion: a new state version of a workspace, from a state that the program gives (document "State Versions", Create and Upload). */

import * as z from "zod";
import type { RequestContext } from "../../core/request-context";
import { type State, unfinishedSteps } from "../../core/resource";
import { type Once, serverAssigned } from "../../core/server-assigned";
import { Unfinished } from "../../core/unfinished";
import { NotFoundError } from "../../errors";
import { property } from "../../schema/facts";
import { holdsUnknown } from "../../schema/unknown";
import { connectionProperty, timeoutsProperty } from "../shared-options";
import { contentBehind, contentDigest, digestOf, jsonContent, rawStateContent, readRawState } from "./content";
import {
    absentOrDenied,
    changedFile,
    changedMeanwhile,
    contentNoState,
    contentNotAtHand,
    discarded,
    endlessPages,
    jsonUnsent,
    lockedAfterVersion,
    lockedForContent,
    lockUnseen,
    lowSerial,
    noState,
    notFinalYet,
    notProcessed,
    noUpload,
    noVersionInList,
    otherForm,
    otherLineage,
    otherToken,
    outputsUnsent,
    refusedContent,
    sameSerial,
    tooLate,
    unfilled,
    unfilledUnderLock,
    versionStays,
    versionUnseen,
} from "./failures";
import {
    idOf,
    isRecorded,
    lockMarkProperty,
    lockOptions,
    lockProperty,
    parseId,
    processingSeconds,
    waitForProcessingProperty,
} from "./inputs";
import { explainedByLock, forceUnlocking, type LockedAction, lockErrors } from "./lock-failures";
import { fill, fillJson, isDiscarded, makeVersion } from "./new-version";
import { knownResources, managedResource, mayBeRetired, readVersion, type StateVersion } from "./records";
import { stateVersions } from "./service";
import { untilProcessed } from "./until";
import { compareWithCurrent, downloaded, type Given } from "./version-conflict";
import {
    type HeldLock,
    inTurn,
    previewLock,
    recoverStaleLock,
    releaseRecorded,
    staleLockIn,
    withLock,
} from "./workspace-lock";

const inputs = z.strictObject({
    workspaceId: property(idOf("workspace"), { immutable: true, description: "The workspace that gets the version." }),
    content: property(rawStateContent, {
        immutable: true,
        standIn: contentDigest,
        description:
            "The raw state: a Pulumi asset, a path, or the text itself. Serial, lineage and MD5 are taken from it. Pulumi's state keeps its SHA-256 digest only.",
    }),
    jsonContent: property(jsonContent.optional(), {
        immutable: true,
        standIn: contentDigest,
        description:
            "The same state in the stable JSON format that the client tool shows: a Pulumi asset, a path, or the text itself. Only its digest is kept.",
    }),
    jsonStateOutputs: property(jsonContent.optional(), {
        immutable: true,
        standIn: contentDigest,
        description:
            "The `values/outputs` of the JSON form, in the same ways: the workspace's outputs are then there at once instead of after a short time. Only its digest is kept.",
    }),
    runId: property(idOf("run").optional(), {
        immutable: true,
        description: "The run that the version belongs to.",
    }),
    inline: property(z.boolean().optional(), {
        option: true,
        default: false,
        description:
            "Send the content in the request that makes the version, instead of uploading it separately, which the service recommends.",
    }),
    lock: lockProperty("the creation"),
    waitForProcessing: waitForProcessingProperty,
    timeouts: timeoutsProperty,
    connection: connectionProperty,
    lockMark: lockMarkProperty,
});

const outputs = z.strictObject({
    serial: property(z.number(), { description: "The state's serial." }),
    lineage: property(z.string().optional(), {
        description: "The state's lineage; early client tools wrote none.",
    }),
    md5: property(z.string(), { description: "MD5 of the raw state." }),
    status: property(z.string().optional(), {
        description:
            "`pending` until the content is there, then `finalized`; `discarded` when another version came before it.",
    }),
    createdAt: property(z.string().optional(), { description: "When the version was made: ISO 8601." }),
    size: property(z.number().optional(), {
        description: "Size of the state as the service tells it; its document names no unit.",
    }),
    resources: property(z.array(managedResource).optional(), {
        description:
            "Resources that the version counts; absent until the service has processed them (see `waitForProcessing`).",
    }),
    resourcesProcessed: property(z.boolean(), {
        description: "Whether the service has processed the version's resources.",
    }),
    toolVersion: property(z.string().optional(), {
        description: "Version of the client tool that created the state; absent until processed.",
    }),
});

type Inputs = z.output<typeof inputs>;
type Outputs = Partial<z.input<typeof outputs>>;
type Olds = State<typeof inputs, typeof outputs>;

/** Contents stand in checked inputs by their digests. */
function givenIn(
    context: RequestContext,
    { content, runId, ...values }: Pick<Inputs, "content" | "jsonContent" | "jsonStateOutputs" | "runId">,
): Given {
    const raw = readRawState(contentBehind(context, "content", content));
    if (typeof raw === "string") throw contentNoState({ problem: raw });
    const written = (name: "jsonContent" | "jsonStateOutputs") => {
        const digest = values[name];
        return digest === undefined ? undefined : contentBehind(context, name, digest);
    };
    return { raw, json: written("jsonContent"), jsonOutputs: written("jsonStateOutputs"), runId };
}

const creationOf = ({ raw }: Given): LockedAction => ({
    noun: "a new state version",
    reason: `uploading the state with serial ${raw.serial}`,
    malformed: refusedContent(),
});

function recordOutputs(version: StateVersion): Outputs {
    const { serial, status, createdAt, size, resourcesProcessed, toolVersion } = version;
    return {
        ...(serial === undefined ? {} : { serial }),
        status,
        createdAt,
        size,
        resources: knownResources(version),
        resourcesProcessed,
        toolVersion,
    };
}

const givenOutputs = ({ raw: { serial, lineage, md5 } }: Given): Outputs => ({ serial, lineage, md5 });

async function create(
    context: RequestContext,
    values: Inputs,
    once: Once<string>,
): Promise<{ readonly id: string; readonly outputs: Outputs }> {
    const { workspaceId } = values;
    const given = givenIn(context, values);
    const action = creationOf(given);
    const options = lockOptions(values);
    const explain = explainedByLock(context, options, action);
    const { current, isSame, problem } = await compareWithCurrent(context, workspaceId, given).catch(explain);
    if (problem !== undefined) throw problem;
    if (isSame && current !== undefined) {
        await fillJson(context, current, given).catch(explain);
        if (given.jsonOutputs !== undefined) context.warn(outputsUnsent({ id: current.id }));
        await recoverStaleLock(context, options).catch(explain);
        return { id: current.id, outputs: givenOutputs(given) };
    }
    const plan = { workspaceId, given, inline: values.inline === true };
    const make = async ({ isOurs }: HeldLock) => {
        const { id, failure } = await makeVersion(context, plan, once);
        // A workspace cannot be unlocked while its latest version waits for its content.
        const keepsLock = isOurs && failure !== undefined && !isDiscarded(failure);
        return { id, keepsLock, failure: failure && (await explain(failure).catch((explained: unknown) => explained)) };
    };
    const { result, unreleased } = await withLock(context, options, action, make, ({ keepsLock }) => keepsLock);
    const { id, keepsLock, failure } = result;
    if (failure !== undefined) {
        const left = keepsLock || unreleased !== undefined ? ["upload", "unlock"] : ["upload"];
        throw withoutContent(id, givenOutputs(given), left, failure);
    }
    const created = { ...givenOutputs(given), status: "finalized" };
    if (unreleased !== undefined) throw unreleasedAfter(created, unreleased);
    return { id, outputs: created };
}

function withoutContent(id: string, given: Outputs, left: readonly string[], failure: unknown): Unfinished {
    if (isDiscarded(failure)) return new Unfinished({ ...given, status: "discarded" }, left, tooLate({ id }), failure);
    const created = { ...given, status: "pending" };
    const told = left.includes("unlock") ? unfilledUnderLock({ id }) : unfilled({ id });
    return new Unfinished(created, left, told, failure);
}

function unreleasedAfter(created: Outputs, cause: unknown): Unfinished {
    return new Unfinished(created, ["unlock", "readBack"], lockedAfterVersion(), cause);
}

/** Goes on where an earlier run stopped. */
async function complete(context: RequestContext, id: string, values: Inputs, olds: Olds): Promise<Outputs> {
    const left = unfinishedSteps(olds);
    const options = lockOptions(values, olds);
    const release = (unfinished: (stuck: unknown) => Unfinished) =>
        releaseRecorded(context, options).catch((stuck: unknown) => {
            throw unfinished(stuck);
        });
    if (left.includes("upload")) {
        try {
            await fill(context, await readVersion(context, id), givenIn(context, values));
        } catch (failure) {
            if (!isDiscarded(failure)) throw withoutContent(id, {}, left, failure);
            await release((stuck) => new Unfinished({ status: "discarded" }, left, tooLate({ id }), stuck));
            throw withoutContent(id, {}, ["upload"], failure);
        }
    }
    const created = { status: "finalized" };
    await release((stuck) => unreleasedAfter(created, stuck));
    return created;
}

/** Whether a version waits for its content, as far as a look tells. */
const mayWait = (context: RequestContext, id: string): Promise<boolean> =>
    readVersion(context, id).then(
        ({ status }) => status === "pending",
        () => true,
    );

/** What can be known of a version from its id alone. */
async function found(context: RequestContext, version: StateVersion) {
    const bytes = await downloaded(context, version.hostedStateDownloadUrl);
    const raw = bytes && readRawState(bytes);
    const isState = bytes !== undefined && typeof raw === "object";
    const { workspaceId, runId } = version;
    return {
        inputs: {
            ...(workspaceId === undefined ? {} : { workspaceId }),
            ...(isState ? { content: digestOf(bytes) } : {}),
            runId,
        },
        outputs: isState ? { lineage: raw.lineage, md5: raw.md5 } : {},
    };
}

/** A version of a workspace's state. */
export const stateVersion = serverAssigned<typeof inputs, typeof outputs, string>({
    type: "StateVersion",
    service: stateVersions,
    description:
        "A new version of a workspace's state, which becomes current. Another content, and so another serial, or another workspace makes another version; versions are never changed, and deleting this resource deletes none.",
    inputs,
    outputs,
    errors: [
        noState,
        contentNoState,
        changedFile,
        contentNotAtHand,
        lowSerial,
        sameSerial,
        otherLineage,
        refusedContent,
        unfilled,
        unfilledUnderLock,
        tooLate,
        discarded,
        noUpload,
        notFinalYet,
        notProcessed,
        outputsUnsent,
        jsonUnsent,
        lockedAfterVersion,
        lockedForContent,
        lockUnseen,
        versionStays,
        versionUnseen,
        absentOrDenied,
        otherToken,
        changedMeanwhile,
        ...lockErrors,
        otherForm,
        noVersionInList,
        endlessPages,
    ],
    idForm: "<stateVersionId>",
    title: (id) => `version ${id}`,
    id: (id) => id,
    parse: parseId,

    create: (context, { inputs: values }, once) =>
        inTurn(context, values.workspaceId, () => create(context, values, once)),
    complete: (context, id, values, olds) =>
        inTurn(context, values.workspaceId, () => complete(context, id, values, olds)),

    read: async (context, id) => ({ body: {}, outputs: recordOutputs(await readVersion(context, id)) }),

    async refresh(context, id, state) {
        let version: StateVersion;
        try {
            version = await readVersion(context, id);
        } catch (error) {
            if (!mayBeRetired(error)) throw error;
            if (state === undefined) return undefined;
            context.warn(versionUnseen({ id }));
            return { body: {} };
        }
        const live = recordOutputs(version);
        if (state === undefined) {
            const { inputs: known, outputs: learned } = await found(context, version);
            return { body: {}, inputs: known, outputs: { ...learned, ...live } };
        }
        const { workspaceId } = state;
        const stale =
            workspaceId === undefined ? {} : await staleLockIn(context, lockOptions({ ...state, workspaceId }, state));
        return { body: {}, outputs: { ...live, ...stale } };
    },

    wait: {
        name: "waitForProcessing",
        isWanted: ({ waitForProcessing }) => processingSeconds(waitForProcessing) > 0,
        until: async (context, id, { waitForProcessing }) =>
            recordOutputs(await untilProcessed(context, id, waitForProcessing)),
    },

    async remove(context, id, state) {
        const { workspaceId = "", lockMark } = state;
        const options = lockOptions({ workspaceId, lockMark }, state);
        context.warn(versionStays({ id }));
        if (!isRecorded(options)) return;
        if (unfinishedSteps(state).includes("upload") && (await mayWait(context, id))) {
            context.warn(lockedForContent({ id, workspace: workspaceId, request: forceUnlocking(workspaceId) }));
            return;
        }
        await inTurn(context, workspaceId, () => releaseRecorded(context, options)).catch((error: unknown) => {
            // What is gone counts as deleted, but the lock is not known to be gone.
            throw error instanceof NotFoundError
                ? lockUnseen({ failed: error.message, workspace: workspaceId })
                : error;
        });
    },

    async previewChange(context, { jsonContent, runId, ...values }, olds) {
        const { workspaceId, content } = values;
        if (holdsUnknown([workspaceId, content])) return;
        if (olds?.workspaceId === workspaceId && olds.content === content && olds.runId === runId) return;
        const known = Object.entries({ jsonContent, runId }).filter(([, value]) => !holdsUnknown(value));
        const given = givenIn(context, { content, ...Object.fromEntries(known) });
        const { current, isSame, problem } = await compareWithCurrent(context, workspaceId, given);
        if (problem !== undefined) return context.reportBlocker(problem);
        const now = current === undefined ? "no state yet" : `${current.id}, serial ${current.serial ?? "unknown"}`;
        if (isSame) {
            return context.inform(
                `the current version of ${workspaceId} (${now}) has exactly this content, so nothing will be sent`,
            );
        }
        context.inform(
            `a new state with serial ${given.raw.serial} will become current in ${workspaceId} (now: ${now})`,
        );
        await previewLock(context, lockOptions(values), creationOf(given));
    },
});
