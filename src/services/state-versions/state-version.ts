/**
 * StateVersion: a new version of a workspace's state, with a content that the program gives (document "State Versions", Create and Upload).
 *
 * If the upload fails, the create fails, and a version without content remains. The service discards it as soon as the content of another
 * version is uploaded, and may refuse to unlock the workspace until then.
 */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { type IdParts, identity } from "../../core/identity";
import { defineAction, defineListing, type Inputs as InputsOf } from "../../core/resource";
import { step } from "../../core/steps";
import { StatecraftError, unlessAbsent } from "../../errors";
import { property } from "../../schema/property";
import { holdsUnknown } from "../../schema/values";
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
import { listArguments, versionPages } from "./get-state-versions";
import { Locking } from "./lock";
import { withLockMarks } from "./lock-marks";
import { previewLock } from "./lock-preview";
import {
    finalized,
    finishEarlierRun,
    type MadeOf,
    newVersionInputs,
    newVersionOutputs,
    resourcesOf,
    until,
} from "./new-version";
import {
    currentAfter,
    download,
    isUnclear,
    parseVersion,
    readCurrent,
    readVersion,
    recordProperties,
    retiredAsAbsent,
    type SignedUrl,
    type StateVersion,
} from "./records";
import { idOf, onRefusal, stateVersions } from "./service";

const contentNames = ["content", "jsonContent", "jsonStateOutputs"] as const;

// Not repeated after a lost answer, because every request creates another version.
const createVersion = endpoint(
    "POST /workspaces/{workspaceId}/state-versions",
    "refused",
    onRefusal(`Give the state the lineage of the current version and a higher serial, and run ${step.again()} again`),
);

const inputs = z.strictObject({
    workspaceId: property(idOf("workspace"), { immutable: true, description: "The workspace that gets the version." }),
    content: property(rawStateContent, {
        immutable: true,
        description:
            "The Terraform state: a Pulumi asset, a path, or its text. Serial, lineage and MD5 are taken from it. " +
            "Pulumi's state contains only its SHA-256 digest.",
    }),
    jsonContent: property(jsonContent.optional(), {
        immutable: true,
        description:
            "The state in the format of `terraform show -json`: a Pulumi asset, a path, or its text. Only its digest is stored.",
    }),
    jsonStateOutputs: property(jsonContent.optional(), {
        immutable: true,
        description:
            "The `values/outputs` of the JSON format: a Pulumi asset, a path, or its text. The workspace's outputs are " +
            "then available at once. Only its digest is stored.",
    }),
    runId: property(idOf("run").optional(), { immutable: true, description: "The run that the version belongs to." }),
    inline: property(z.boolean().optional(), {
        default: false,
        description:
            "Whether to send the content in the request that creates the version, instead of a separate upload, which is recommended.",
    }),
    ...newVersionInputs("the creation"),
});

const { status, size, resourcesProcessed, toolVersion } = recordProperties;
const outputs = z.strictObject({
    serial: property(z.number(), { description: "The state's serial." }),
    lineage: property(z.string().optional(), { description: "Lineage. Old Terraform versions wrote none." }),
    md5: property(z.string(), { description: "MD5 of the raw state." }),
    ...{ status, size, resourcesProcessed, toolVersion },
    ...newVersionOutputs,
});

type Inputs = InputsOf<typeof inputs>;
type Outputs = Partial<z.input<typeof outputs>>;

const contentsOf = (context: Context, { content, jsonContent: json, jsonStateOutputs: jsonOutputs }: Inputs) => ({
    raw: readRawState(contentBehind(context, "content", content)),
    json: json === undefined ? undefined : contentBehind(context, "jsonContent", json),
    jsonOutputs: jsonOutputs === undefined ? undefined : contentBehind(context, "jsonStateOutputs", jsonOutputs),
});
type Contents = Pick<ReturnType<typeof contentsOf>, "raw"> & Partial<ReturnType<typeof contentsOf>>;

function recordOutputs(version: StateVersion): Outputs {
    const { serial, status, createdAt, size, resourcesProcessed, toolVersion } = version;
    const always = { status, createdAt, size, resources: resourcesOf(version), resourcesProcessed, toolVersion };
    return serial === undefined ? always : { serial, ...always };
}

/**
 * Whether a version has exactly this content and, if its record names a run, belongs to the declared run.
 * @throws StatecraftError if a version with this content cannot follow it
 */
async function isSame(context: Context, version: StateVersion, raw: RawState, runId: string | undefined) {
    const isOfRun = runId === undefined || version.runId === undefined || version.runId === runId;
    const bytes = isOfRun ? await download(context, version) : undefined;
    if (bytes !== undefined && md5Of(bytes) === raw.md5) return true;
    const problem = orderProblem(raw, version, bytes && rawStateIn(bytes));
    if (problem !== undefined) throw problem;
    return false;
}

/** The error for a state that cannot follow the current version. `other`: the content of that version, if it is known. */
function orderProblem({ serial, lineage }: RawState, current: StateVersion | undefined, other?: RawState) {
    const now = current?.serial ?? other?.serial ?? -1;
    const isForeign = lineage !== undefined && other?.lineage !== undefined && lineage !== other.lineage;
    if (!isForeign && (serial > now || (serial === now && other === undefined))) return undefined;
    const message = isForeign
        ? `content: its lineage ${lineage} is not that of the current version ${current?.id}`
        : `content: its serial ${serial} is not higher than ${now}, that of the current version ${current?.id}, which has other content`;
    const hint = isForeign
        ? `Set \`workspaceId\` to the workspace of this lineage, or \`lineage\` in the state to ${JSON.stringify(other.lineage)}`
        : `Set \`serial\` in the state to ${now + 1} to let it follow the current version, or declare a StateVersionRollback to go back to an older version`;
    return new StatecraftError("serial", message, { hint });
}

/** Creates a version with the declared content, unless the current version has the content already. */
async function makeCurrent(context: Context, inputs: Inputs, contents: Contents) {
    const { workspaceId, runId } = inputs;
    const { raw } = contents;
    const { bytes: _, ...made } = raw;
    const result = (version: StateVersion) => ({ id: version.id, outputs: { ...made, ...recordOutputs(version) } });
    const locking = new Locking(context, inputs);
    // The service answers 404 both for a workspace without versions and for one that the token may not read.
    const current = await readCurrent(context, workspaceId).catch(unlessAbsent);
    if (current !== undefined && (await isSame(context, current, raw, runId))) {
        await locking.releaseEarlier(current);
        return result(current);
    }
    return locking.around(`uploading the state with serial ${raw.serial}`, async (know) => {
        const before = await readCurrent(context, workspaceId).catch(unlessAbsent);
        know(before);
        if (before && before.id !== current?.id && (await isSame(context, before, raw, runId))) return result(before);
        return result(await addVersion(context, inputs, contents, (id) => ({ id, outputs: made }), know, before));
    });
}

/** Creates a version with a content, and waits until it is current, as `finalized` does. `before`: the current version. */
export async function addVersion(
    context: Context,
    inputs: Pick<Inputs, "workspaceId" | "runId" | "inline">,
    contents: Contents,
    madeOf: MadeOf,
    know: (version: StateVersion | undefined) => void,
    before?: StateVersion,
): Promise<StateVersion> {
    const created = await create(context, inputs, contents, before);
    if (inputs.inline !== true) await uploadContents(context, created, contents);
    return finalized(context, created, madeOf, know);
}

async function uploadContents(context: Context, version: StateVersion, { raw, json }: Contents): Promise<void> {
    if (json !== undefined) await upload(context, version, "hosted-json-state-upload-url", json);
    // The raw state is uploaded last, because its upload finalizes the version.
    await upload(context, version, "hosted-state-upload-url", raw.bytes);
}

/** The sentences that messages may quote if a request with a content is refused: others may contain a piece of the state. */
const quotable =
    /^data(?:\.[\w-]+)+ is refused(?=: |$)|(lineage|serial) provided in the state file (does not match|is not greater than)( the \1 currently known remotely)?|does not match what is currently known for the same serial number|workspace is (not )?locked/gi;

/** Sends the one request that creates a version. `before`: the current version. */
async function create(
    context: Context,
    inputs: Pick<Inputs, "workspaceId" | "runId" | "inline">,
    { raw, json, jsonOutputs }: Contents,
    before?: StateVersion,
) {
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
    const request = { parameters: { workspaceId }, body, ...((inline || jsonOutputs) && { quotable }) };
    try {
        return parseVersion(await context.client.call(createVersion, request));
    } catch (error) {
        // After a lost answer, only the content identifies the new version, so the request must have contained it.
        if (inline !== true || !isUnclear(error)) throw error;
        const now = await currentAfter(context, error, workspaceId, before);
        if (now && (await isSame(context.cleanUp, now, raw, runId).catch(() => false))) return now;
        throw error;
    }
}

async function upload(context: Context, version: StateVersion, name: SignedUrl, content: Buffer): Promise<void> {
    const { id } = version;
    const url = version.signedUrl(name);
    if (url === undefined) {
        const hint = "Set `inline: true`: the content is then sent in the request that makes the version";
        throw new StatecraftError("no-upload", `the version ${id} is pending, but its record has no ${name}`, { hint });
    }
    try {
        await context.client.upload(url, content);
    } catch (error) {
        // The answer to a successful upload may be lost. Afterwards the version is not pending, or its record has no upload URL.
        // The open-source server OTF does not remove the URL.
        const now = await readVersion(context, id).catch(() => undefined);
        // A version that may have its content stays in state, and a later read of its record decides.
        if (now === undefined && isUnclear(error)) return;
        if (now !== undefined && (now.status !== "pending" || now.signedUrl(name) === undefined)) return;
        if (!(error instanceof StatecraftError)) throw error;
        throw error.reword({ message: `the content of the version ${id} was not uploaded: ${error.message}` });
    }
}

export const stateVersion = defineAction<typeof inputs, typeof outputs, IdParts<"stateVersionId">>({
    type: "StateVersion",
    service: stateVersions,
    description:
        "A new state version of a workspace of HCP Terraform, which becomes current. Other content, or another workspace, " +
        "creates another version. Versions are never changed, and deleting this resource deletes none.",
    inputs,
    outputs,
    identity: identity("<stateVersionId>", { stateVersionId: idOf("state version") }),
    title: ({ stateVersionId }) => `state version ${stateVersionId}`,
    prepare: (inputs, about, before, runtime) => withLockMarks(toDigests(runtime, inputs, contentNames), about, before),
    // The service assigns the id.
    address: () => ({ stateVersionId: "" }),

    list: defineListing({
        inputs: listArguments.pick({ organization: true, workspaceName: true }),
        async find(context, workspace, limit) {
            const found: StateVersion[] = [];
            for await (const page of versionPages(context, { ...workspace, limit })) {
                found.push(...page.items);
                if (found.length >= limit) break;
            }
            return found.map(({ id }) => [{ stateVersionId: id }, ""]);
        },
    }),

    /** Creates the version. An update does not change it: it stores options, or completes the creation. */
    async act(context, { stateVersionId: id }, inputs, state) {
        if (state !== undefined) {
            if (state.unfinished?.includes("readBack")) {
                const created = await readVersion(context, id);
                // The upload failed, although its answer was a success.
                if (created.status === "pending") await uploadContents(context, created, contentsOf(context, inputs));
            }
            const made = { id, createdAt: state.createdAt };
            const { outputs } = await finishEarlierRun(context, inputs, state, made, recordOutputs);
            return { outputs };
        }
        const made = await makeCurrent(context, inputs, contentsOf(context, inputs));
        for (const name of contentNames) forgetContent(context, inputs[name]);
        return { address: { stateVersionId: made.id }, outputs: made.outputs };
    },

    async wait(context, { stateVersionId: id }, { waitForProcessing: wait }, { resourcesProcessed }) {
        return wait && !resourcesProcessed ? recordOutputs(await until(context, "processed", id, wait)) : {};
    },

    async read(context, { stateVersionId: id }, state) {
        const version = await readVersion(context, id).catch(retiredAsAbsent);
        const shown = recordOutputs(version);
        if (state !== undefined) return { outputs: shown };
        const { workspaceId, runId } = version;
        const origin = { ...(workspaceId !== undefined && { workspaceId }), runId };
        const bytes = await download(context, version);
        const raw = bytes && rawStateIn(bytes);
        if (raw === undefined) return { inputs: origin, outputs: shown };
        const { lineage, md5 } = raw;
        return { inputs: { ...origin, content: digestOf(raw.bytes) }, outputs: { ...shown, lineage, md5 } };
    },

    stays: () =>
        "the version stays in its workspace. StateVersionBackingData deletes the content of a version on Terraform Enterprise",

    async remove(context, _, { workspaceId, ...state }) {
        // Unknown after an import from the open-source server OTF, whose records do not contain the workspace.
        if (typeof workspaceId === "string") await new Locking(context, { ...state, workspaceId }).releaseOnDelete();
    },

    async preview(context, inputs, olds) {
        const { workspaceId, content, runId } = inputs;
        if (holdsUnknown([workspaceId, content])) return;
        if (olds?.workspaceId === workspaceId && olds.content === content && olds.runId === runId) return;
        const raw = readRawState(contentBehind(context, "content", content));
        const current = await readCurrent(context, workspaceId).catch(unlessAbsent);
        const problem = orderProblem(raw, current);
        if (problem !== undefined) return context.reportBlocker(problem);
        const now = current ? `${current.id}, serial ${current.serial ?? "unknown"}` : "no state yet";
        context.inform("preview", `a state with serial ${raw.serial} will be current in ${workspaceId} (now: ${now}).`);
        await previewLock(context, inputs, raw.toolVersion);
    },
});
