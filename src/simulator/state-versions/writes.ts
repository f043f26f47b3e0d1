/** What makes state versions: creating, uploading, rolling back. Everything is checked before anything changes. */

import { newId } from "../route";
import { SimulatorError } from "../simulator-error";
import { type Announced, checkContent } from "./bodies";
import { readState } from "./content";
import {
    currentOf,
    finalize,
    newVersion,
    rawOf,
    type StateVersion,
    type StateVersionsStore,
    type Workspace,
} from "./records";
import { type Call, conflict } from "./rules";

/** Creates a version; with a raw state it is current at once, without it waits for its upload. */
export function create(call: Call, workspace: Workspace, announced: Announced): StateVersion {
    const { versions, now } = call;
    checkFollows(versions, workspace, announced);
    const version = add(call, workspace, announced);
    if (version.raw === null) {
        version.objects.rawUpload = newId("object");
        version.objects.jsonUpload = version.json === null ? newId("object") : null;
    } else {
        finalize(versions, version, now);
    }
    return version;
}

/** Copies a version byte for byte, serial and all, and makes the copy current. */
export function rollBack(call: Call, workspace: Workspace, source: StateVersion): StateVersion {
    const { id, status, serial, md5, lineage, raw, json } = source;
    if (status !== "finalized") {
        throw conflict(`State version ${id} is ${status}; only a finalized one can be rolled back to`);
    }
    const version = add(call, workspace, { serial, md5, lineage, raw, json, rollbackOf: id });
    finalize(call.versions, version, call.now, false);
    return version;
}

/** What is not at an address of the object store, which is no part of the API. */
export const noObject = new SimulatorError(404, "object not found");

/** Takes content at an upload address, which serves once. Content that is refused leaves the address usable. */
export function upload(store: StateVersionsStore, objectId: string, content: Buffer, now: Date): void {
    const version = store.versions.find(({ objects }) => [objects.rawUpload, objects.jsonUpload].includes(objectId));
    if (version === undefined) throw noObject;
    if (version.objects.rawUpload === objectId) {
        checkContent(version, content);
        version.raw = content.toString("base64");
        finalize(store, version, now);
    } else {
        version.json = content.toString("base64");
        version.objects.jsonUpload = null;
    }
}

function add(
    { versions, caller, now }: Call,
    workspace: Workspace,
    content: Omit<Announced, "outputNames" | "run"> & Partial<StateVersion>,
): StateVersion {
    const origin = { workspace: workspace.id, createdAt: now.toISOString(), createdBy: caller.user };
    const version = newVersion({ ...content, ...origin });
    versions.versions.push(version);
    return version;
}

/** A new version must follow the current one: same lineage, a serial that is not lower, equal only with equal content. */
function checkFollows(store: StateVersionsStore, workspace: Workspace, announced: Announced): void {
    const current = currentOf(store, workspace);
    if (!current) return;
    const lineage = lineageIn(announced) ?? announced.lineage;
    const known = current.raw === null ? current.lineage : lineageIn(current);
    if (lineage !== null && known !== null && lineage !== known) {
        throw conflict("The lineage provided in the state file does not match the lineage currently known remotely");
    }
    if (announced.serial < current.serial) {
        throw conflict("The serial provided in the state file is not greater than the serial currently known remotely");
    }
    if (announced.serial === current.serial && announced.md5 !== current.md5) {
        throw conflict("The MD5 hash provided does not match what is currently known for the same serial number");
    }
}

function lineageIn(version: Pick<StateVersion, "raw">): string | null {
    const raw = rawOf(version);
    const content = raw === undefined ? "" : readState(raw);
    return typeof content === "string" ? null : content.lineage;
}
