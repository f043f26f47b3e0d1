/** Whether a new state may follow a workspace's current version: it is current already, may become so, or is in conflict with it. */

import { unlessAbsent } from "../../core/named-object-spec";
import type { RequestContext } from "../../core/request-context";
import { isLostAnswer, ServiceError, type StatecraftError } from "../../errors";
import { digestOf, md5Of, type RawState, readRawState } from "./content";
import { lowSerial, otherLineage, sameSerial } from "./failures";
import { readCurrent, type StateVersion } from "./records";

/** What a new version is made of. */
export interface Given {
    readonly raw: RawState;
    /** The state in the stable JSON format. */
    readonly json: Buffer | undefined;
    readonly jsonOutputs: Buffer | undefined;
    readonly runId: string | undefined;
}

/** Whether a version belongs to the wanted run, as far as its record tells: servers may leave it out. */
export const isOfRun = ({ runId: told }: StateVersion, { runId }: Given): boolean =>
    runId === undefined || told === undefined || told === runId;

/** A new state and the current version. */
export interface Comparison {
    /** `undefined` for a workspace without state. */
    readonly current: StateVersion | undefined;
    /** Whether the current version has exactly this content, and belongs to the same run. */
    readonly isSame: boolean;
    /** Whether it has exactly this raw state, with or without the JSON form. */
    readonly isSameState: boolean;
    /** The conflict: why the state cannot follow the current version, and what to do. */
    readonly problem: StatecraftError | undefined;
}

/** The bytes at an address of a record, or `undefined` where they cannot be had. */
export async function downloaded(context: RequestContext, address: string | undefined): Promise<Buffer | undefined> {
    if (address === undefined) return undefined;
    try {
        return await context.client.download(address);
    } catch (error) {
        if (error instanceof ServiceError || isLostAnswer(error)) return undefined;
        throw error;
    }
}

/** Compares a state with what is current. */
export async function compareWithCurrent(
    context: RequestContext,
    workspaceId: string,
    given: Given,
): Promise<Comparison> {
    // The service answers alike for a workspace without a version and for one that may not be seen.
    const current = await readCurrent(context, workspaceId).catch(unlessAbsent);
    if (current === undefined) return { current, isSame: false, isSameState: false, problem: undefined };
    const bytes = await downloaded(context, current.hostedStateDownloadUrl);
    const isSameState = bytes !== undefined && md5Of(bytes) === given.raw.md5;
    if (isSameState) {
        // The first copy may have been made without the JSON form, and a finished version takes none any more.
        const isSame = isOfRun(current, given) && (await hasJson(context, current, given));
        return { current, isSame, isSameState, problem: undefined };
    }
    return { current, isSame: false, isSameState, problem: conflictOf(current, bytes, given.raw) };
}

async function hasJson(context: RequestContext, current: StateVersion, { json }: Given): Promise<boolean> {
    if (json === undefined || current.hostedJsonStateUploadUrl !== undefined) return true;
    const there = await downloaded(context, current.hostedJsonStateDownloadUrl);
    return there !== undefined && digestOf(there) === digestOf(json);
}

function conflictOf(current: StateVersion, bytes: Buffer | undefined, raw: RawState): StatecraftError | undefined {
    const parsed = bytes && readRawState(bytes);
    const known = typeof parsed === "object" ? parsed : undefined;
    const serial = current.serial ?? known?.serial;
    const { id } = current;
    if (known?.lineage !== undefined && raw.lineage !== undefined && known.lineage !== raw.lineage) {
        return otherLineage({ lineage: raw.lineage, other: known.lineage, id });
    }
    if (serial !== undefined && raw.serial < serial) {
        return lowSerial({ serial: String(raw.serial), current: String(serial), id, next: String(serial + 1) });
    }
    if (known !== undefined && raw.serial === serial) {
        const [own, next] = [String(raw.serial), String(raw.serial + 1)];
        return sameSerial({ serial: own, id, theirs: known.md5, ours: raw.md5, next });
    }
    return undefined;
}
