/** Making a version: announcing it, and bringing its content to it (document "State Versions", Create a state version and Upload). */

import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import type { Once } from "../../core/server-assigned";
import { LimitedError, ServiceError, StatecraftError } from "../../errors";
import { discarded, jsonUnsent, noUpload } from "./failures";
import { holdsContent, parseVersion, readVersion, type StateVersion } from "./records";
import { untilFinal } from "./until";
import { compareWithCurrent, type Given, isOfRun } from "./version-conflict";
import { readPending } from "./version-list";

// Every request makes another version.
const createVersion = operation("POST /workspaces/{workspaceId}/state-versions");

/** What a new version is to be. */
export interface Plan {
    readonly workspaceId: string;
    readonly given: Given;
    /** The content travels in the request that makes the version. */
    readonly inline: boolean;
}

/** A version that was made. */
export interface MadeVersion {
    readonly id: string;
    /** Why its content is not there yet. */
    readonly failure?: unknown;
}

/** One that was announced. */
interface Announced {
    readonly id: string;
    readonly version: StateVersion;
    /** What came of bringing its content, where that was tried. */
    readonly made?: MadeVersion;
}

/**
 * Makes a version, once, and brings its content to it. One that an earlier run announced and did not fill is used instead of another;
 * while the lock is held, it can only be that.
 */
export async function makeVersion(context: RequestContext, plan: Plan, once: Once<string>): Promise<MadeVersion> {
    const { version, made } = await once<Announced>({
        noun: "version",
        find: async () => (await (plan.inline ? copies : pending)(context, plan)).map(announced),
        ...(plan.inline ? {} : { claim: ({ version: left }) => claim(context, left, plan) }),
        send: async () => announced(await announce(context, plan)),
    });
    return made ?? bringContent(context, version, plan);
}

const announced = (version: StateVersion): Announced => ({ id: version.id, version });

/** Refused, it was announced for another content: it becomes discarded as soon as ours is there. */
async function claim(context: RequestContext, left: StateVersion, plan: Plan): Promise<Announced | undefined> {
    const made = await bringContent(context, left, plan);
    const { failure } = made;
    const isRefused = failure instanceof ServiceError && failure.status < 500 && !(failure instanceof LimitedError);
    return isRefused || isDiscarded(failure) ? undefined : { ...announced(left), made };
}

async function bringContent(context: RequestContext, version: StateVersion, { given }: Plan): Promise<MadeVersion> {
    const { id } = version;
    return fill(context, version, given).then(
        () => ({ id }),
        (failure: unknown) => ({ id, failure }),
    );
}

async function announce(context: RequestContext, plan: Plan): Promise<StateVersion> {
    const { workspaceId, given } = plan;
    const call = { parameters: { workspaceId }, body: bodyOf(plan), secrets: contentsOf(given) };
    const answer = await context.client.call(createVersion, call);
    const version = parseVersion(answer);
    const hasNowhere = given.json !== undefined && version.hostedJsonStateUploadUrl === undefined;
    if (hasNowhere && !plan.inline) context.warn(jsonUnsent({ id: version.id }));
    return version;
}

/** The current version, where it has this state. The JSON form went with it; what the service shows of that depends on the tool that wrote the state. */
async function copies(context: RequestContext, { workspaceId, given }: Plan): Promise<StateVersion[]> {
    const { current, isSameState } = await compareWithCurrent(context, workspaceId, given);
    return isSameState && current !== undefined ? [current] : [];
}

/** The versions of this serial and run that still wait for their content. Records hold no MD5; the service compares it when the content comes. */
async function pending(context: RequestContext, { workspaceId, given }: Plan): Promise<StateVersion[]> {
    const all = await readPending(context, workspaceId);
    return all.filter(
        (version) =>
            version.serial === given.raw.serial &&
            version.hostedStateUploadUrl !== undefined &&
            isOfRun(version, given),
    );
}

function bodyOf({ given: { raw, json, jsonOutputs, runId }, inline }: Plan): object {
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

/** States hold secrets: no message may hold one. */
function contentsOf({ raw, json, jsonOutputs }: Given): string[] {
    return [raw.bytes, json, jsonOutputs].flatMap((content) => content?.toString() ?? []);
}

/** Brings the content to an announced version, and waits until it is final. What is there already is not sent again. @throws StatecraftError for a discarded one */
export async function fill(context: RequestContext, announced: StateVersion, given: Given): Promise<void> {
    const { id } = announced;
    if (announced.status === "discarded") throw discarded({ id });
    // The raw state comes last: it is what makes the version final.
    await fillJson(context, announced, given);
    if (announced.status === undefined || announced.status === "pending") {
        await put(context, announced, "hostedStateUploadUrl", given.raw.bytes);
    }
    const { status } = await untilFinal(context, id);
    if (status === "discarded") throw discarded({ id });
}

/** Whether a version did not get its content because it was discarded. */
export const isDiscarded = (failure: unknown): boolean =>
    failure instanceof StatecraftError && failure.code === discarded.doc.code;

/** Brings the JSON form to a version that has none yet. */
export async function fillJson(context: RequestContext, version: StateVersion, { json }: Given): Promise<void> {
    if (json === undefined || version.hostedJsonStateUploadUrl === undefined) return;
    await put(context, version, "hostedJsonStateUploadUrl", json);
}

async function put(
    context: RequestContext,
    { id, ...version }: StateVersion,
    name: "hostedStateUploadUrl" | "hostedJsonStateUploadUrl",
    content: Buffer,
): Promise<void> {
    const address = version[name];
    if (address === undefined) {
        throw noUpload({ id });
    }
    try {
        await context.client.upload(address, content);
    } catch (error) {
        // Its answer may have been lost, and an address serves once.
        const now = await readVersion(context, id).catch(() => undefined);
        if (now?.status === "discarded") throw discarded({ id });
        if (now === undefined) throw error;
        // Servers may go on naming the address of a state that is there.
        const isThere = now[name] === undefined || (name === "hostedStateUploadUrl" && holdsContent(now));
        if (!isThere) throw error;
    }
}
