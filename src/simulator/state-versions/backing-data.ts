/** The three actions of the self-hosted edition: soft-deleting, restoring and permanently deleting the backing data of a version. */

import { z } from "zod";
import { badRequest, validated } from "../refusal";
import { recordOf } from "./answers";
import type { Call } from "./call";
import type { StateVersion, Workspace } from "./records";

/** The document does not show whether the attribute is required; a body without it is accepted. */
const deletion = z
    .object({
        data: z
            .object({
                attributes: z.object({ "delete-older-than-n-days": z.int().nonnegative().nullish() }).optional(),
            })
            .optional(),
    })
    .optional();

/** Whether reads of a version fail. */
export function isRetired({ status }: StateVersion): boolean {
    return status === "backing_data_soft_deleted" || status === "backing_data_permanently_deleted";
}

/** Marks the backing data of a finalized version for garbage collection. */
export function softDelete(call: Call, workspace: Workspace, version: StateVersion): object {
    const days = validated(deletion, call.body)?.data?.attributes?.["delete-older-than-n-days"];
    check(version.status === "finalized", `is ${version.status}, not finalized`, "soft-deleted");
    check(workspace.current !== version.id, "is the current state version", "soft-deleted");
    version.status = "backing_data_soft_deleted";
    const record = recordOf(version, call);
    return { ...record, attributes: { ...record.attributes, ...(days && { "delete-older-than-n-days": days }) } };
}

/** Brings a version back to be finalized. */
export function restore(call: Call, _workspace: Workspace, version: StateVersion): object {
    check(version.status !== "backing_data_permanently_deleted", `is ${version.status}`, "finalized");
    check(version.raw !== null, "has no content", "finalized");
    version.status = "finalized";
    return recordOf(version, call);
}

/** Deletes the backing data of a soft-deleted version for good. */
export function permanentlyDelete(call: Call, _workspace: Workspace, version: StateVersion): object {
    check(version.status === "backing_data_soft_deleted", `is ${version.status}`, "permanently deleted");
    Object.assign(version, { status: "backing_data_permanently_deleted", raw: null, json: null });
    return recordOf(version, call);
}

function check(fits: boolean, problem: string, target: string): void {
    if (!fits) throw badRequest(`The state version cannot become ${target}: it ${problem}`);
}
