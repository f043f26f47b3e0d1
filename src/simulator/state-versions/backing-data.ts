/** The three actions of the self-hosted edition: soft-deleting, restoring and permanently deleting what backs a version. */
import type { Request } from "../route";
import { recordOf } from "./answers";
import { isCount, isObject } from "./content";
import { laterThan, type StateVersion, type Workspace } from "./records";
import { badRequest, bodyOf, type StateVersionsContext } from "./rules";

const DAY = 86_400_000;

/** Whether reads of a version fail. */
export function isRetired({ status }: StateVersion): boolean {
    return status === "backing_data_soft_deleted" || status === "backing_data_permanently_deleted";
}

/** Marks the backing data of a finalized version for garbage collection. */
export function softDelete(
    request: Request,
    context: StateVersionsContext,
    workspace: Workspace,
    version: StateVersion,
): object {
    const days = daysIn(request);
    demand(version.status === "finalized", `is ${version.status}, not finalized`, "soft-deleted");
    demand(workspace.current !== version.id, "is the current state version", "soft-deleted");
    version.status = "backing_data_soft_deleted";
    const until = days === null ? null : laterThan(context.now(), days * DAY);
    version.softDeleted = { days, until };
    const record = recordOf(version, context);
    const told = days === null ? {} : { "delete-older-than-n-days": days };
    return { ...record, attributes: { ...record.attributes, ...told } };
}

/** Brings a version back to be finalized. */
export function restore(
    _request: Request,
    context: StateVersionsContext,
    _workspace: Workspace,
    version: StateVersion,
): object {
    demand(version.status !== "backing_data_permanently_deleted", `is ${version.status}`, "finalized");
    demand(version.raw !== null, "has no content", "finalized");
    version.status = "finalized";
    delete version.softDeleted;
    return recordOf(version, context);
}

/** Deletes the backing data of a soft-deleted version for good. */
export function permanentlyDelete(
    _request: Request,
    context: StateVersionsContext,
    workspace: Workspace,
    version: StateVersion,
): object {
    demand(version.status === "backing_data_soft_deleted", `is ${version.status}`, "permanently deleted");
    demand(workspace.current !== version.id, "is the current state version", "permanently deleted");
    lose(version);
    return recordOf(version, context);
}

/** What was soft-deleted long enough ago is deleted for good. */
export function expireSoftDeleted({ world, now }: StateVersionsContext): void {
    for (const version of world.versions) {
        const until = version.softDeleted?.until;
        if (version.status === "backing_data_soft_deleted" && until && Date.parse(until) <= now().getTime()) {
            lose(version);
        }
    }
}

function lose(version: StateVersion): void {
    version.status = "backing_data_permanently_deleted";
    version.raw = null;
    version.json = null;
    delete version.softDeleted;
}

function demand(fits: boolean, why: string, to: string): void {
    if (!fits) {
        throw badRequest(`The state version cannot become ${to}: it ${why}`);
    }
}

/** Whether the attribute is required is not shown; it is taken where it is. */
function daysIn(request: Request): number | null {
    if (request.body.length === 0) {
        return null;
    }
    const { data } = bodyOf(request);
    const attributes = isObject(data) && isObject(data["attributes"]) ? data["attributes"] : {};
    const days = attributes["delete-older-than-n-days"] ?? null;
    if (days !== null && !isCount(days)) {
        throw badRequest("delete-older-than-n-days is not an integer");
    }
    return days;
}
