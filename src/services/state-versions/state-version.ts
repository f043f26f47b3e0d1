/**
 * StateVersion: a new version of a workspace's state, from a content that the program gives (document "State Versions", Create and Upload).
 *
 * The version is there once its content is: a failed upload is a failed creation. The service discards a version without content as soon as
 * another one gets its content; until then it may refuse to unlock the workspace.
 */

import * as z from "zod";
import { unlessAbsent } from "../../core/named-object-spec";
import { oneShotAction } from "../../core/one-shot-action";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { type Inputs as InputsOf, type Outputs as OutputsOf, unfinishedSteps } from "../../core/resource";
import { Unfinished } from "../../core/unfinished";
import { InputError, mayHaveActed, ServiceError, type StatecraftError } from "../../errors";
import { property } from "../../schema/facts";
import { holdsUnknown } from "../../schema/unknown";
import { connectionProperty, timeoutsProperty } from "../shared-options";
import {
    contentBehind,
    contentDigest,
    digestOf,
    jsonContent,
    md5Of,
    type RawState,
    rawStateContent,
    readRawState,
} from "./content";
import {
    changedFile,
    changeErrors,
    contentNotAtHand,
    discarded,
    formsUnsent,
    jsonUnsent,
    lockedAfter,
    lowSerial,
    noState,
    noUpload,
    refusedContent,
    versionStays,
    versionUnseen,
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
import { stateVersions } from "./service";
import { readMade, untilFinal, waitForProcessingProperty } from "./wait-for-processing";
import {
    explained,
    inTurn,
    type LockedAction,
    previewLock,
    releaseMarked,
    releaseOnDelete,
    withWorkspaceLock,
} from "./workspace-lock";

// Every request makes another version.
const createVersion = operation("POST /workspaces/{workspaceId}/state-versions");

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
        description: "`finalized` once the content is there.",
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

type Inputs = InputsOf<typeof inputs>;
type Outputs = Partial<OutputsOf<typeof outputs>>;

/** What a new version is made of. */
interface Given {
    readonly raw: RawState;
    /** The state in the stable JSON format. */
    readonly json: Buffer | undefined;
    readonly jsonOutputs: Buffer | undefined;
}

/** The contents behind the digests in checked inputs. */
function givenIn(context: RequestContext, { content, jsonContent, jsonStateOutputs }: Inputs): Given {
    const behind = (name: string, digest: string | undefined) =>
        digest === undefined ? undefined : contentBehind(context, name, digest);
    return {
        raw: rawIn(context, content),
        json: behind("jsonContent", jsonContent),
        jsonOutputs: behind("jsonStateOutputs", jsonStateOutputs),
    };
}

function rawIn(context: RequestContext, content: string): RawState {
    const raw = readRawState(contentBehind(context, "content", content));
    if (typeof raw === "string") throw new InputError("nothing was done", [`content: ${raw}`]);
    return raw;
}

const uploadOf = ({ serial }: RawState): LockedAction => ({
    noun: "a new state version",
    reason: `uploading the state with serial ${serial}`,
    refused: refusedContent(),
});

function recordOutputs(version: StateVersion): Outputs {
    const { serial, status, createdAt, size, resourcesProcessed, toolVersion } = version;
    const resources = knownResources(version);
    return {
        ...(serial !== undefined && { serial }),
        status,
        createdAt,
        size,
        resources,
        resourcesProcessed,
        toolVersion,
    };
}

/** The raw state of a version, or `undefined` if the download is refused. */
async function downloaded(
    { client }: RequestContext,
    { hostedStateDownloadUrl: address }: StateVersion,
): Promise<Buffer | undefined> {
    if (address === undefined) return undefined;
    return client.download(address).catch((error: unknown) => {
        if (error instanceof ServiceError && !mayHaveActed(error)) return undefined;
        throw error;
    });
}

/** Whether a version has just this content, and belongs to the wanted run, as far as its record says. */
async function isSame(context: RequestContext, version: StateVersion, { md5 }: RawState, runId: string | undefined) {
    if (runId !== undefined && version.runId !== undefined && version.runId !== runId) return false;
    const bytes = await downloaded(context, version);
    return bytes !== undefined && md5Of(bytes) === md5;
}

/** Why a state cannot follow the current version, by the serials of the two. */
function serialProblem({ serial }: RawState, current: StateVersion | undefined): StatecraftError | undefined {
    if (current?.serial === undefined || serial >= current.serial) return undefined;
    const { serial: now, id } = current;
    return lowSerial({ serial: String(serial), current: String(now), id, next: String(now + 1) });
}

/** Makes the content current, unless it is so already. */
async function makeCurrent(context: RequestContext, inputs: Inputs, given: Given) {
    const { workspaceId, runId } = inputs;
    const { raw, json, jsonOutputs } = given;
    // The service answers alike for a workspace without a version and for one that may not be seen.
    const current = await readCurrent(context, workspaceId).catch(unlessAbsent);
    if (current !== undefined && (await isSame(context, current, raw, runId))) {
        if (json !== undefined || jsonOutputs !== undefined) context.warn(formsUnsent({ id: current.id }));
        const stuck = await releaseMarked(context, inputs).catch((error: unknown) => error);
        return { result: current.id, stuck };
    }
    const problem = serialProblem(raw, current);
    if (problem !== undefined) throw problem;
    return withWorkspaceLock(context, inputs, uploadOf(raw), () => makeVersion(context, inputs, given));
}

/** Announces a version, and brings its content to it. */
async function makeVersion(context: RequestContext, inputs: Inputs, given: Given): Promise<string> {
    const { json, raw } = given;
    const version = await announce(context, inputs, given);
    const { id } = version;
    if (inputs.inline !== true) {
        // The raw state comes last: it makes the version final.
        if (json !== undefined && version.hostedJsonStateUploadUrl === undefined) context.warn(jsonUnsent({ id }));
        else if (json !== undefined) await upload(context, version, "hostedJsonStateUploadUrl", json);
        await upload(context, version, "hostedStateUploadUrl", raw.bytes);
    }
    const { status } = await untilFinal(context, id);
    if (status === "discarded") throw discarded({ id });
    return id;
}

/** Sends the one request that makes a version. */
async function announce(context: RequestContext, inputs: Inputs, given: Given): Promise<StateVersion> {
    const { workspaceId, runId, inline } = inputs;
    const { raw, json, jsonOutputs } = given;
    // States hold secrets: no message may hold one.
    const secrets = [raw.bytes, json, jsonOutputs].flatMap((content) => content?.toString() ?? []);
    const call = { parameters: { workspaceId }, body: bodyOf(inputs, given), secrets };
    try {
        return parseVersion(await context.client.call(createVersion, call));
    } catch (error) {
        // Only a version that came with its content can be recognised after a lost answer.
        if (inline !== true || !mayHaveActed(error)) return explained(uploadOf(raw))(error);
        const { cleanUp } = context;
        const now = await readCurrent(cleanUp, workspaceId).catch(() => undefined);
        if (now !== undefined && (await isSame(cleanUp, now, raw, runId))) return now;
        throw error;
    }
}

function bodyOf({ runId, inline }: Inputs, { raw, json, jsonOutputs }: Given): object {
    const attributes = {
        serial: raw.serial,
        md5: raw.md5,
        ...(raw.lineage !== undefined && { lineage: raw.lineage }),
        ...(inline && { state: raw.bytes.toString("base64") }),
        ...(inline && json && { "json-state": json.toString("base64") }),
        ...(jsonOutputs && { "json-state-outputs": jsonOutputs.toString("base64") }),
    };
    const relationships = runId === undefined ? {} : { relationships: { run: { data: { type: "runs", id: runId } } } };
    return { data: { type: "state-versions", attributes, ...relationships } };
}

async function upload(
    context: RequestContext,
    { id, ...version }: StateVersion,
    name: "hostedStateUploadUrl" | "hostedJsonStateUploadUrl",
    content: Buffer,
): Promise<void> {
    const address = version[name];
    if (address === undefined) throw noUpload({ id });
    try {
        await context.client.upload(address, content);
    } catch (error) {
        // The answer may have been lost, and an address serves once. Some servers go on naming the address of a state that is there.
        const now = await readVersion(context, id).catch(() => undefined);
        if (now?.status === "discarded") throw discarded({ id });
        const isThere = now !== undefined && (now[name] === undefined || holdsContent(now));
        if (!isThere) throw error;
    }
}

/** Inputs and outputs that an import learns from the state itself. */
async function learned(context: RequestContext, version: StateVersion) {
    const { workspaceId, runId } = version;
    const bytes = await downloaded(context, version);
    const raw = bytes && readRawState(bytes);
    const known = { ...(workspaceId !== undefined && { workspaceId }), runId };
    if (bytes === undefined || typeof raw !== "object") return known;
    return { ...known, content: digestOf(bytes), lineage: raw.lineage, md5: raw.md5 };
}

/** A version of a workspace's state. */
export const stateVersion = oneShotAction<typeof inputs, typeof outputs, string>({
    type: "StateVersion",
    service: stateVersions,
    description:
        "A new version of a workspace's state, which becomes current. Another content, and so another serial, or another workspace makes another version; versions are never changed, and deleting this resource deletes none.",
    inputs,
    outputs,
    errors: [
        noState,
        changedFile,
        contentNotAtHand,
        lowSerial,
        refusedContent,
        discarded,
        noUpload,
        formsUnsent,
        jsonUnsent,
        versionStays,
        versionUnseen,
        ...changeErrors,
    ],
    idForm: "<stateVersionId>",
    id: (id) => id,
    parse: parseId,
    named: () => ({}),

    act: (context, _, values) => {
        const { workspaceId, waitForProcessing } = values;
        const given = givenIn(context, values);
        const { serial, lineage, md5 } = given.raw;
        return inTurn(context, workspaceId, async () => {
            const { result: id, stuck } = await makeCurrent(context, values, given);
            const known = { serial, lineage, md5, status: "finalized", resourcesProcessed: false };
            if (stuck !== undefined) {
                throw new Unfinished(known, ["unlock", "readBack"], lockedAfter({ id }), stuck, id);
            }
            const version = await readMade(context, id, waitForProcessing, known);
            return { address: id, outputs: { ...known, ...recordOutputs(version) } };
        });
    },

    async resume(context, id, values, state) {
        await inTurn(context, values.workspaceId, () => releaseMarked(context, values));
        if (unfinishedSteps(state).length === 0) return {};
        return recordOutputs(await readMade(context, id, values.waitForProcessing, {}));
    },

    async read(context, id, state) {
        try {
            const version = await readVersion(context, id);
            const live = recordOutputs(version);
            return state === undefined ? { ...(await learned(context, version)), ...live } : live;
        } catch (error) {
            if (!mayBeRetired(error)) throw error;
            if (state === undefined) return undefined;
            context.warn(versionUnseen({ id }));
            return {};
        }
    },

    async remove(context, id, { workspaceId, ...state }) {
        context.warn(versionStays({ id }));
        // Not every server says it to an import, and a state may have been edited.
        if (typeof workspaceId !== "string") return;
        await inTurn(context, workspaceId, () => releaseOnDelete(context, { ...state, workspaceId }));
    },

    async previewChange(context, values, olds) {
        const { workspaceId, content, runId } = values;
        if (holdsUnknown([workspaceId, content])) return;
        if (olds?.workspaceId === workspaceId && olds.content === content && olds.runId === runId) return;
        const raw = rawIn(context, content);
        const current = await readCurrent(context, workspaceId).catch(unlessAbsent);
        const problem = serialProblem(raw, current);
        if (problem !== undefined) return context.reportBlocker(problem);
        const now = current === undefined ? "no state yet" : `${current.id}, serial ${current.serial ?? "unknown"}`;
        const same = raw.serial === current?.serial ? ", unless that has the same content already" : "";
        context.inform(`a state with serial ${raw.serial} will become current in ${workspaceId} (now: ${now})${same}`);
        await previewLock(context, values, "a new state version");
    },
});
