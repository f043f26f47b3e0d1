/**
 * StateVersion: a new version of a workspace's state, with a content that the program gives (document "State Versions", Create and Upload).
 *
 * The version is there once its content is: a failed upload is a failed create. The service discards a version without content as soon as
 * another version gets its content; until then it may refuse to unlock the workspace.
 */

import * as z from "zod";
import type { Context } from "../../core/context";
import { unlessAbsent } from "../../core/named-object";
import { operation } from "../../core/operation";
import {
    defineResource,
    type Inputs as InputsOf,
    type Outputs as OutputsOf,
    type State as StateOf,
} from "../../core/resource";
import { mayHaveActed, ServiceError, StatecraftError } from "../../errors";
import { property } from "../../schema/property";
import { holdsUnknown } from "../../schema/values";
import { connectionProperty, timeoutsProperty } from "../shared-options";
import {
    contentBehind,
    digestOf,
    forgetContent,
    jsonContent,
    md5Of,
    type RawState,
    rawStateContent,
    rawStateIn,
    readRawState,
    toDigests,
} from "./content";
import {
    holdsContent,
    knownResources,
    managedResource,
    mayBeRetired,
    parseVersion,
    readCurrent,
    readVersion,
    type StateVersion,
    warnUnseen,
} from "./records";
import { idOf, parseId, stateVersions } from "./service";
import { readMade, untilFinal, untilProcessed, waitForProcessingProperty } from "./wait-for-processing";
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

// Every request makes another version.
const createVersion = operation("POST /workspaces/{workspaceId}/state-versions");

const inputs = z.strictObject({
    workspaceId: property(idOf("workspace"), { immutable: true, description: "The workspace that gets the version." }),
    content: property(rawStateContent, {
        immutable: true,
        description:
            "The raw state: a Pulumi asset, a path, or the text itself. Serial, lineage and MD5 are taken from it. Pulumi's state keeps its SHA-256 digest only.",
    }),
    jsonContent: property(jsonContent.optional(), {
        immutable: true,
        description:
            "The same state in the stable JSON format that the client tool shows: a Pulumi asset, a path, or the text itself. Only its digest is kept.",
    }),
    jsonStateOutputs: property(jsonContent.optional(), {
        immutable: true,
        description:
            "The `values/outputs` of the JSON form, in the same ways: the workspace's outputs are then there at once instead of after a short time. Only its digest is kept.",
    }),
    runId: property(idOf("run").optional(), {
        immutable: true,
        description: "The run that the version belongs to.",
    }),
    inline: property(z.boolean().optional(), {
        default: false,
        description:
            "Send the content in the request that makes the version, instead of uploading it separately, which the service recommends.",
    }),
    waitForProcessing: waitForProcessingProperty,
    timeouts: timeoutsProperty,
    connection: connectionProperty,
    ...lockProperties("the creation"),
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
        description: "Size of the state as the service shows it; its document names no unit.",
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
type State = StateOf<typeof inputs, typeof outputs>;

const uploadOf = ({ serial }: RawState): LockedAction => ({
    noun: "a new state version",
    reason: `uploading the state with serial ${serial}`,
    refused:
        "Compare serial and lineage of the content with those of the current version; if the workspace has changed meanwhile, run `pulumi up` again",
});

/** The contents that a new version is made of. */
interface Contents {
    readonly raw: RawState;
    /** The state in the stable JSON format. */
    readonly json: Buffer | undefined;
    readonly jsonOutputs: Buffer | undefined;
}

function contentsOf({ content, jsonContent: json, jsonStateOutputs: jsonOutputs }: Inputs): Contents {
    return {
        raw: readRawState(contentBehind("content", content)),
        json: json === undefined ? undefined : contentBehind("jsonContent", json),
        jsonOutputs: jsonOutputs === undefined ? undefined : contentBehind("jsonStateOutputs", jsonOutputs),
    };
}

/** The version has its contents: the process needs them no more. */
function forgetContents({ content, jsonContent: json, jsonStateOutputs: jsonOutputs }: Inputs): void {
    for (const digest of [content, json, jsonOutputs]) if (digest !== undefined) forgetContent(digest);
}

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

/** What state stores of a version's record; of a new version only that its content is there. */
function recordIn({ status = "finalized", createdAt, size, resources, ...state }: State = {}) {
    const { resourcesProcessed = false, toolVersion } = state;
    return { status, createdAt, size, resources, resourcesProcessed, toolVersion };
}

/** The raw state of a version, or `undefined` if the download is refused. */
async function downloaded(
    { client }: Context,
    { hostedStateDownloadUrl: address }: StateVersion,
): Promise<Buffer | undefined> {
    if (address === undefined) return undefined;
    return client.download(address).catch((error: unknown) => {
        if (error instanceof ServiceError && !mayHaveActed(error)) return undefined;
        throw error;
    });
}

/** Whether a version has exactly this content and, as far as its record shows, belongs to the wanted run. */
async function isSame(context: Context, version: StateVersion, { md5 }: RawState, runId: string | undefined) {
    if (runId !== undefined && version.runId !== undefined && version.runId !== runId) return false;
    const bytes = await downloaded(context, version);
    return bytes !== undefined && md5Of(bytes) === md5;
}

/** Why a state cannot follow the current version, by the serials of the two. */
function serialProblem({ serial }: RawState, current: StateVersion | undefined): StatecraftError | undefined {
    if (current?.serial === undefined || serial >= current.serial) return undefined;
    const { serial: now, id } = current;
    const message = `content: its serial ${serial} is not higher than ${now}, the serial of the current version ${id}`;
    return new StatecraftError("serial", message, {
        hint: `Set \`serial\` in the state to at least ${now + 1} if it is to follow the current version; to go back to an older version, use StateVersionRollback`,
    });
}

/** Makes the content current, unless it is current already. */
async function makeCurrent(context: Context, inputs: Inputs, contents: Contents) {
    const { workspaceId, runId } = inputs;
    const { raw, json, jsonOutputs } = contents;
    // The service answers alike for a workspace without a version and for one that the token may not see.
    const current = await readCurrent(context, workspaceId).catch(unlessAbsent);
    if (current !== undefined && (await isSame(context, current, raw, runId))) {
        if (json !== undefined || jsonOutputs !== undefined) {
            context.warn(
                "content",
                `the current version ${current.id} has this content already, so no version was made, and neither jsonContent nor jsonStateOutputs was sent.`,
            );
        }
        return { result: current.id, stuck: await releaseMarked(context, inputs) };
    }
    const problem = serialProblem(raw, current);
    if (problem !== undefined) throw problem;
    return withWorkspaceLock(context, inputs, uploadOf(raw), () => makeVersion(context, inputs, contents));
}

const discardedError = (id: string) =>
    new StatecraftError(
        "discarded",
        `the version ${id} was discarded: a newer one became current before its content came`,
        {
            hint: "Give the state a serial above that of the current version, and run `pulumi up` again",
        },
    );

/** Creates a version, and uploads its content. */
async function makeVersion(context: Context, inputs: Inputs, contents: Contents): Promise<string> {
    const { raw, json } = contents;
    const version = await announce(context, inputs, contents);
    const { id } = version;
    if (inputs.inline !== true) {
        // The raw state comes last: it makes the version final.
        if (json !== undefined && version.hostedJsonStateUploadUrl === undefined) {
            context.warn(
                "no-upload",
                `jsonContent: the record of ${id} names no upload address for the JSON form, so it was not sent. Leave it out, or set \`inline: true\`.`,
            );
        } else if (json !== undefined) await upload(context, version, "hostedJsonStateUploadUrl", json);
        await upload(context, version, "hostedStateUploadUrl", raw.bytes);
    }
    const { status } = await untilFinal(context, id);
    if (status === "discarded") throw discardedError(id);
    return id;
}

/** Sends the one request that creates a version. */
async function announce(context: Context, inputs: Inputs, { raw, json, jsonOutputs }: Contents): Promise<StateVersion> {
    const { workspaceId, runId, inline } = inputs;
    const attributes = {
        serial: raw.serial,
        md5: raw.md5,
        ...(raw.lineage !== undefined && { lineage: raw.lineage }),
        ...(inline && { state: raw.bytes.toString("base64") }),
        ...(inline && json && { "json-state": json.toString("base64") }),
        ...(jsonOutputs && { "json-state-outputs": jsonOutputs.toString("base64") }),
    };
    const relationships = runId === undefined ? {} : { relationships: { run: { data: { type: "runs", id: runId } } } };
    const body = { data: { type: "state-versions", attributes, ...relationships } };
    // States contain secrets, and no message may.
    const secrets = [raw.bytes, json, jsonOutputs].flatMap((content) => content?.toString() ?? []);
    try {
        return parseVersion(await context.client.call(createVersion, { parameters: { workspaceId }, body, secrets }));
    } catch (error) {
        // Only a version that came with its content can be recognised after a lost answer.
        if (inline !== true || !mayHaveActed(error)) return explained(uploadOf(raw))(error);
        const { cleanUp } = context;
        const now = await readCurrent(cleanUp, workspaceId).catch(() => undefined);
        if (now !== undefined && (await isSame(cleanUp, now, raw, runId))) return now;
        throw error;
    }
}

async function upload(
    context: Context,
    { id, ...version }: StateVersion,
    name: "hostedStateUploadUrl" | "hostedJsonStateUploadUrl",
    content: Buffer,
): Promise<void> {
    const address = version[name];
    if (address === undefined) {
        throw new StatecraftError("no-upload", `the version ${id} is pending, but its record names no upload address`, {
            hint: "Set `inline: true`: the content is then sent in the request that makes the version",
        });
    }
    try {
        await context.client.upload(address, content);
    } catch (error) {
        // The answer may have been lost, and an address works once. Some servers still name the address after the upload.
        const now = await readVersion(context, id).catch(() => undefined);
        if (now?.status === "discarded") throw discardedError(id);
        const isThere = now !== undefined && (now[name] === undefined || holdsContent(now));
        if (!isThere) throw error;
    }
}

/** A version of a workspace's state. */
export const stateVersion = defineResource<typeof inputs, typeof outputs, string>({
    type: "StateVersion",
    service: stateVersions,
    description:
        "A new version of a workspace's state, which becomes current. Another content, and so another serial, or another workspace makes another version; versions are never changed, and deleting this resource deletes none.",
    inputs,
    outputs,
    idForm: "<stateVersionId>",
    title: (id) => `state version ${id}`,
    prepare: (values) => toDigests(values, ["content", "jsonContent", "jsonStateOutputs"]),
    // The service makes the id.
    address: () => "",
    id: (id) => id,
    parse: parseId,
    named: () => ({}),

    /** With a state, the version is there: only its lock or its record may be missing. */
    async act(context, address, values, state) {
        const contents = state === undefined ? contentsOf(values) : undefined;
        const { result: id, stuck } = await inTurn(context, values.workspaceId, async () =>
            contents === undefined
                ? { result: address, stuck: await releaseMarked(context, values) }
                : makeCurrent(context, values, contents),
        );
        if (contents !== undefined) forgetContents(values);
        const { serial = 0, lineage, md5 = "" } = contents?.raw ?? state ?? {};
        const outputs = { ...recordIn(state), serial, lineage, md5 };
        // The record of an older version may have expired.
        if (state !== undefined && stuck === undefined && !state.unfinished?.length) return { outputs };
        const version = await readMade(context, id, { id, outputs, stuck });
        return { address: id, outputs: { ...outputs, ...recordOutputs(version) } };
    },

    async wait(context, id, { waitForProcessing: seconds }, { resourcesProcessed }) {
        return seconds && !resourcesProcessed ? recordOutputs(await untilProcessed(context, id, seconds)) : {};
    },

    async read(context, id, state) {
        try {
            const version = await readVersion(context, id);
            const shown = recordOutputs(version);
            if (state !== undefined) return { outputs: shown };
            const { workspaceId, runId } = version;
            const place = { ...(workspaceId !== undefined && { workspaceId }), runId };
            const bytes = await downloaded(context, version);
            const raw = bytes && rawStateIn(bytes);
            if (raw === undefined) return { inputs: place, outputs: shown };
            const { lineage, md5 } = raw;
            return { inputs: { ...place, content: digestOf(raw.bytes) }, outputs: { ...shown, lineage, md5 } };
        } catch (error) {
            if (!mayBeRetired(error)) throw error;
            if (state === undefined) return undefined;
            warnUnseen(context, `the version ${id}`);
            return {};
        }
    },

    async remove(context, id, { workspaceId, ...state }) {
        context.warn(
            "not-deleted",
            `state versions cannot be deleted: ${id} stays in its workspace. StateVersionBackingData deletes the content of a version on Terraform Enterprise.`,
        );
        // A server may not show it to an import, and a state may have been edited.
        if (typeof workspaceId !== "string") return;
        await inTurn(context, workspaceId, () => releaseOnDelete(context, { ...state, workspaceId }));
    },

    async preview(context, values, olds) {
        const { workspaceId, content, runId } = values;
        if (holdsUnknown([workspaceId, content])) return;
        if (olds?.workspaceId === workspaceId && olds.content === content && olds.runId === runId) return;
        const raw = readRawState(contentBehind("content", content));
        const current = await readCurrent(context, workspaceId).catch(unlessAbsent);
        const problem = serialProblem(raw, current);
        if (problem !== undefined) return context.reportBlocker(problem);
        const now = current === undefined ? "no state yet" : `${current.id}, serial ${current.serial ?? "unknown"}`;
        const same = raw.serial === current?.serial ? ", unless that has the same content already" : "";
        context.inform(
            "preview",
            `a state with serial ${raw.serial} will become current in ${workspaceId} (now: ${now})${same}.`,
        );
        await previewLock(context, values, "a new state version");
    },
});
