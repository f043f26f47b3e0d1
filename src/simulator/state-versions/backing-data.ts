/** The three actions of the self-hosted edition: soft-deleting, restoring and permanently deleting what backs a version. */

import { isCount } from "../json";
import type { Request } from "../route";
import { badRequest } from "../simulator-error";
import { recordOf } from "./answers";
import { laterThan, type StateVersion, type StateVersionsStore, type Workspace } from "./records";
import { bodyOf, type Call, objectAt } from "./rules";

const day = 86_400_000;

/** Whether reads of a version fail. */
export function isRetired({ status }: StateVersion): boolean {
    return status === "backing_data_soft_deleted" || status === "backing_data_permanently_deleted";
}

/** Marks the backing data of a finalized version for garbage collection. */
export function softDelete(call: Call, workspace: Workspace, version: StateVersion): object {
    const days = daysIn(call.request);
    check(version.status === "finalized", `is ${version.status}, not finalized`, "soft-deleted");
    check(workspace.current !== version.id, "is the current state version", "soft-deleted");
    version.status = "backing_data_soft_deleted";
    const record = recordOf(version, call);
    if (days === null) return record;
    version.deletedFrom = laterThan(call.now, days * day);
    return { ...record, attributes: { ...record.attributes, "delete-older-than-n-days": days } };
}

/** Brings a version back to be finalized. */
export function restore(call: Call, _workspace: Workspace, version: StateVersion): object {
    check(version.status !== "backing_data_permanently_deleted", `is ${version.status}`, "finalized");
    check(version.raw !== null, "has no content", "finalized");
    version.status = "finalized";
    delete version.deletedFrom;
    return recordOf(version, call);
}

/** Deletes the backing data of a soft-deleted version for good. */
export function permanentlyDelete(call: Call, _workspace: Workspace, version: StateVersion): object {
    // The current version is none of these: it cannot be soft-deleted.
    check(version.status === "backing_data_soft_deleted", `is ${version.status}`, "permanently deleted");
    deleteForGood(version);
    return recordOf(version, call);
}

/** What was soft-deleted long enough ago is deleted for good. */
export function expireSoftDeleted({ versions }: StateVersionsStore, now: Date): void {
    for (const version of versions) {
        if (version.deletedFrom !== undefined && Date.parse(version.deletedFrom) <= now.getTime()) {
            deleteForGood(version);
        }
    }
}

function deleteForGood(version: StateVersion): void {
    Object.assign(version, { status: "backing_data_permanently_deleted", raw: null, json: null });
    delete version.deletedFrom;
}

function check(fits: boolean, problem: string, target: string): void {
    if (!fits) throw badRequest(`The state version cannot become ${target}: it ${problem}`);
}

/** The document does not show whether the attribute is required; it is taken where it is. */
function daysIn(request: Request): number | null {
    if (request.body.length === 0) return null;
    const attributes = objectAt(objectAt(bodyOf(request), "data"), "attributes");
    const days = attributes["delete-older-than-n-days"] ?? null;
    if (days !== null && !isCount(days)) throw badRequest("delete-older-than-n-days is not an integer");
    return days;
}
