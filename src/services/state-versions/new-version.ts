/** Making a version: announcing it, and bringing its content to it (document "State Versions", Create a state version and Upload). */

import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { LimitedError, mayHaveActed, reworded, ServiceError, StatecraftError } from "../../errors";
import { holdsContent, parseVersion, readVersion, type StateVersion } from "./records";
import { compareWithCurrent, type Given } from "./succession";
import { untilFinal } from "./until";
import { readPending } from "./version-list";

// Every request makes another version.
const createVersion = operation("POST /workspaces/{workspaceId}/state-versions", "refused");

/** What a new version is to be. */
export interface Plan {
    readonly workspaceId: string;
    readonly given: Given;
    /** The content travels in the request that makes the version. */
    readonly inline: boolean;
    readonly runId: string | undefined;
}

/**
 * Makes a version, once, and brings its content to it. One that an earlier run announced and did not fill is used instead of another;
 * while the lock is held, it can only be that. `announced` is told as soon as there is a version.
 */
export async function makeVersion(
    session: Session,
    plan: Plan,
    before: StateVersion | undefined,
    announced: (version: StateVersion) => void,
): Promise<StateVersion> {
    const orphan = plan.inline ? undefined : await findAnnounced(session, plan).catch(unlessRefused);
    if (orphan !== undefined) {
        announced(orphan);
        try {
            return await fill(session, orphan, plan.given);
        } catch (error) {
            // Refused, it was announced for another content: it becomes discarded as soon as ours is there.
            const isRefused = error instanceof ServiceError && error.status < 500 && !(error instanceof LimitedError);
            if (!isRefused) throw error;
        }
    }
    const version = await announce(session, plan, before);
    announced(version);
    return fill(session, version, plan.given);
}

async function announce(session: Session, plan: Plan, before: StateVersion | undefined): Promise<StateVersion> {
    const { workspaceId } = plan;
    try {
        const secrets = contentsOf(plan.given);
        const call = { parameters: { workspaceId }, body: bodyOf(plan), secrets };
        const answer = await session.client.call(createVersion, call);
        return parseVersion(answer, `POST ${createVersion.path({ workspaceId })}`);
    } catch (error) {
        if (!mayHaveActed(error)) throw error;
        return recovered(session, plan, before, error);
    }
}

/** Nothing is known of earlier runs then, as with most servers most of the time. */
function unlessRefused(error: unknown): undefined {
    if (error instanceof ServiceError) return undefined;
    throw error;
}

/** The version that a request with a lost answer has made. */
async function recovered(session: Session, plan: Plan, before: StateVersion | undefined, lost: StatecraftError) {
    const open = (what: string) =>
        reworded(lost, {
            code: "open",
            message: `${lost.message}; ${what}`,
            hint: "Run `pulumi up` again: it looks for the version first, and makes none where there is one",
        });
    let made: StateVersion | undefined;
    try {
        made = plan.inline ? await filled(session, plan, before) : await findAnnounced(session, plan);
    } catch {
        throw open("whether the version was made cannot be seen either");
    }
    if (made === undefined) throw open("no such version can be seen");
    return made;
}

async function filled(session: Session, { workspaceId, given }: Plan, before: StateVersion | undefined) {
    const { current, isSameState } = await compareWithCurrent(session, workspaceId, given);
    // The JSON form went with it; what the service shows of that depends on the tool that wrote the state.
    return isSameState && current?.id !== before?.id ? current : undefined;
}

/** The newest version of this serial that still waits for its content. Records hold no MD5; the service compares it when the content comes. */
async function findAnnounced(session: Session, { workspaceId, given }: Plan): Promise<StateVersion | undefined> {
    const pending = await readPending(session, workspaceId);
    return pending?.find(
        ({ serial, hostedStateUploadUrl }) => serial === given.raw.serial && hostedStateUploadUrl !== undefined,
    );
}

function bodyOf({ given: { raw, json, jsonOutputs }, inline, runId }: Plan): object {
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

/** States hold secrets: no message may hold a piece of one. */
function contentsOf({ raw, json, jsonOutputs }: Given): Buffer[] {
    return [raw.bytes, json, jsonOutputs].filter((content) => content !== undefined);
}

/** Brings the content to an announced version, and returns it finalized. What is there already is not sent again. */
export async function fill(session: Session, announced: StateVersion, given: Given): Promise<StateVersion> {
    const { id } = announced;
    if (announced.status === "discarded") throw discarded(id);
    // The raw state comes last: it is what makes the version final.
    await fillJson(session, announced, given);
    if (announced.status === undefined || announced.status === "pending") {
        await put(session, id, announced.hostedStateUploadUrl, given.raw.bytes, (version) => {
            return (
                holdsContent(version) || (version.hostedStateUploadUrl === undefined && version.status !== "discarded")
            );
        });
    }
    const version = await untilFinal(session, id);
    if (version.status === "discarded") throw discarded(id);
    return version;
}

/** Brings the JSON form to a version that has none yet. */
export async function fillJson(session: Session, version: StateVersion, { json }: Given): Promise<void> {
    if (json === undefined || version.hostedJsonStateUploadUrl === undefined) return;
    await put(
        session,
        version.id,
        version.hostedJsonStateUploadUrl,
        json,
        ({ hostedJsonStateUploadUrl }) => hostedJsonStateUploadUrl === undefined,
    );
}

async function put(
    session: Session,
    id: string,
    address: string | undefined,
    content: Buffer,
    isThere: (version: StateVersion) => boolean,
): Promise<void> {
    if (address === undefined) {
        throw new StatecraftError("no-upload", `the version ${id} is pending, but its record names no upload address`);
    }
    try {
        await session.client.upload(address, content);
    } catch (error) {
        // Its answer may have been lost, and an address serves once.
        const now = await readVersion(session, id).catch(() => undefined);
        if (now === undefined || !isThere(now)) throw error;
    }
}

function discarded(id: string): StatecraftError {
    return new StatecraftError(
        "discarded",
        `the version ${id} was discarded: a newer one became current before its content came`,
        {
            hint: "Give the state a serial above that of the current version, or make this resource again with `pulumi up --replace <its URN>`",
        },
    );
}
