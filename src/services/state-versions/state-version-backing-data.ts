/**
 * StateVersionBackingData: whether the content of a version is available, soft-deleted or permanently deleted
 * (document "State Versions", the three self-hosted actions).
 *
 * The resource sends the action for the declared state. After a 400 it reads the version. The action has succeeded if the version has the
 * declared status, or for a deletion if the version cannot be read.
 */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { type IdParts, identity } from "../../core/identity";
import { defineAction } from "../../core/resource";
import { ServiceError } from "../../errors";
import { failAbout, property, withRules } from "../../schema/property";
import { wholeNumber } from "../../schema/property-types";
import { connectionProperty } from "../shared-options";
import { readBack } from "./new-version";
import { afterNotFound, holdsContent, readVersion, recordProperties, unlessRetired } from "./records";
import { idOf, stateVersions } from "./service";

/** The status of a version in each declared state, the action that leads to the state, and which versions the action accepts. */
const states = {
    available: {
        status: "finalized",
        action: endpoint("POST /state-versions/{id}/actions/restore_backing_data", "always"),
        needs: "whose content was not permanently deleted",
    },
    softDeleted: {
        status: "backing_data_soft_deleted",
        action: endpoint("POST /state-versions/{id}/actions/soft_delete_backing_data", "always"),
        needs: "that is finalized and not current",
    },
    permanentlyDeleted: {
        status: "backing_data_permanently_deleted",
        action: endpoint("POST /state-versions/{id}/actions/permanently_delete_backing_data", "always"),
        needs: "whose content was soft-deleted",
    },
} as const;
type ContentState = keyof typeof states;

const properties = {
    stateVersionId: property(idOf("state version"), {
        immutable: true,
        description: "The version. It must not be the current version of its workspace.",
    }),
    state: property(z.enum(["available", "softDeleted", "permanentlyDeleted"]), {
        // By default the type would be named `StateVersionBackingDataState`, which Go SDKs use for the state of the resource.
        typeName: "BackingDataState",
        description:
            "`available`: the content exists. `softDeleted`: reads of the version fail, and the content is " +
            "permanently deleted some days later unless it is made available again. `permanentlyDeleted`: " +
            "it is deleted now, which cannot be undone.",
    }),
    deleteOlderThanNDays: property(wholeNumber().optional(), {
        option: true,
        description: "Sent with a soft deletion. A change applies to the next one.",
    }),
    allowPermanentDeletion: property(z.boolean().optional(), {
        option: true,
        default: false,
        description: "Must be `true` for `permanentlyDeleted`, which cannot be undone.",
    }),
    connection: connectionProperty,
};

const inputs = withRules(z.strictObject(properties), [
    failAbout("state", ["allowPermanentDeletion"], ({ state, allowPermanentDeletion }) =>
        state === "permanentlyDeleted" && allowPermanentDeletion !== true
            ? "permanentlyDeleted cannot be undone: set allowPermanentDeletion: true to delete the content"
            : undefined,
    ),
]);

const { status, workspaceId, serial, createdAt } = recordProperties;
/** `outputs.parse` takes these properties from the record of a version. */
const outputs = z.object({ status, workspaceId, serial, createdAt });

/** The value of the input `state` for a status; `undefined` for pending and unknown ones. */
function contentStateOf(status: string | undefined, declared: ContentState | undefined): ContentState | undefined {
    if (holdsContent(status)) return "available";
    if (status === states.softDeleted.status) return "softDeleted";
    if (status !== states.permanentlyDeleted.status) return undefined;
    // Not drift: the service permanently deletes soft-deleted content after some days.
    return declared === "softDeleted" ? "softDeleted" : "permanentlyDeleted";
}

/** Sends the action for a state. A 400 is a success if the version has the state already. */
async function bringTo(context: Context, id: string, wanted: ContentState, days: number | undefined): Promise<void> {
    const attributes = days === undefined ? {} : { "delete-older-than-n-days": days };
    const body = wanted === "softDeleted" ? { body: { data: { type: "state-versions", attributes } } } : {};
    try {
        await context.client.call(states[wanted].action, { parameters: { id }, ...body });
    } catch (error) {
        if (!(error instanceof ServiceError) || ![400, 404].includes(error.status)) throw error;
        if (error.status === 400 && (await isIn(context, id, wanted))) return;
        throw error.reword({
            hint: `This action needs Terraform Enterprise, a token of an organization owner, and a version ${states[wanted].needs}`,
        });
    }
}

/** Whether a version has the wanted state. The API documents say that reads of a version without content fail. */
async function isIn(context: Context, id: string, wanted: ContentState): Promise<boolean> {
    const version = await readVersion(context, id).catch(unlessRetired);
    return version === undefined ? wanted !== "available" : contentStateOf(version.status, wanted) === wanted;
}

export const stateVersionBackingData = defineAction<typeof inputs, typeof outputs, IdParts<"stateVersionId">>({
    type: "StateVersionBackingData",
    service: stateVersions,
    description:
        "Whether the content of a state version of Terraform Enterprise is available, soft-deleted or permanently deleted. " +
        "Deleting this resource leaves the content as it is.",
    inputs,
    outputs,
    identity: identity("<stateVersionId>", { stateVersionId: idOf("state version") }),
    title: ({ stateVersionId }) => `content of the state version ${stateVersionId}`,
    address: ({ stateVersionId }) => ({ stateVersionId }),

    async act(context, { stateVersionId: id }, { state, deleteOlderThanNDays: days }) {
        // Only soft-deleted content can be permanently deleted.
        if (state === "permanentlyDeleted") await bringTo(context, id, "softDeleted", days);
        await bringTo(context, id, state, days);
        const { status } = states[state];
        const reading = readVersion(context, id);
        const version = await readBack({ status }, state === "available" ? reading : reading.catch(unlessRetired));
        return { outputs: version ? outputs.parse(version) : { status } };
    },

    async read(context, { stateVersionId: id }, state) {
        const version = await readVersion(context, id).catch(unlessRetired);
        if (version !== undefined) {
            const declared = contentStateOf(version.status, state?.state) ?? state?.state ?? "available";
            return { inputs: { stateVersionId: id, state: declared }, outputs: outputs.parse(version) };
        }
        const isExpected = state !== undefined && state.state !== "available";
        return isExpected ? {} : afterNotFound(context, `the version ${id}`, state);
    },
});
