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
import { step } from "../../core/steps";
import { ServiceError, StatecraftError, unlessAbsent } from "../../errors";
import { failAbout, property, withRules } from "../../schema/property";
import { wholeNumber } from "../../schema/property-types";
import { holdsUnknown } from "../../schema/values";
import { readBack } from "./new-version";
import {
    holdsContent,
    readCurrent,
    readVersion,
    recordProperties,
    retiredAsAbsent,
    type StateVersion,
    unlessRetired,
    versionIn,
} from "./records";
import { idOf, stateVersions } from "./service";

/** The status of a version in each declared state, the action that leads to the state, which versions the action accepts, and its effect. */
const states = {
    available: {
        status: "finalized",
        action: endpoint("POST /state-versions/{id}/actions/restore_backing_data", "always"),
        needs: "whose content was not permanently deleted",
        effect: "available",
    },
    softDeleted: {
        status: "backing_data_soft_deleted",
        action: endpoint("POST /state-versions/{id}/actions/soft_delete_backing_data", "always"),
        needs: "that is finalized and not current",
        effect: "soft-deleted: reads of the version fail until it is made available again",
    },
    permanentlyDeleted: {
        status: "backing_data_permanently_deleted",
        action: endpoint("POST /state-versions/{id}/actions/permanently_delete_backing_data", "always"),
        needs: "whose content was soft-deleted",
        effect: "permanently deleted, which cannot be undone",
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
const outputs = z.object({
    ...{ status, workspaceId, serial, createdAt },
    grantedDays: property(z.int().optional(), {
        description: "Days until the permanent deletion, as the service answered to the soft deletion.",
    }),
});

/** The value of the input `state` for a status; `undefined` for pending and unknown ones. */
function contentStateOf(status: string | undefined, declared: ContentState | undefined): ContentState | undefined {
    if (holdsContent(status)) return "available";
    if (status === states.softDeleted.status) return "softDeleted";
    if (status !== states.permanentlyDeleted.status) return undefined;
    // Not drift: the service permanently deletes soft-deleted content after some days.
    return declared === "softDeleted" ? "softDeleted" : "permanentlyDeleted";
}

/** Sends the action for a state, and returns the record in the answer if it has one. A 400 is a success if the version has the state already. */
async function bringTo(context: Context, id: string, wanted: ContentState, days: number | undefined) {
    const attributes = days === undefined ? {} : { "delete-older-than-n-days": days };
    const body = wanted === "softDeleted" ? { body: { data: { type: "state-versions", attributes } } } : {};
    try {
        const answer = await context.client.call(states[wanted].action, { parameters: { id }, ...body });
        const shown = versionIn(answer);
        return shown?.id === id ? shown : undefined;
    } catch (error) {
        if (!(error instanceof ServiceError) || ![400, 404].includes(error.status)) throw error;
        if (error.status === 400 && (await isIn(context, id, wanted))) return undefined;
        throw error.reword({
            hint: `This action needs Terraform Enterprise, a token of an organization owner, and a version ${states[wanted].needs}`,
        });
    }
}

/** The error with which the service would refuse the action for a state. `current`: the current version of the workspace, if it is known. */
function actionProblem({ id, status, workspaceId }: StateVersion, wanted: ContentState, current: string | undefined) {
    const isDeletion = wanted !== "available";
    if (isDeletion && id === current) {
        const hint = "Choose another version, or make another one current first (StateVersionRollback)";
        return new StatecraftError("in-use", `${id} is the current version of ${workspaceId}`, { hint });
    }
    const now = contentStateOf(status, undefined);
    if (status === undefined || (isDeletion ? now !== undefined : now !== "permanentlyDeleted")) return undefined;
    const hint = `Choose a version ${states[wanted].needs}`;
    return new StatecraftError("not-finalized", `the status of ${id} is ${status}`, { hint });
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
        const first = state === "permanentlyDeleted" ? await bringTo(context, id, "softDeleted", days) : undefined;
        const answered = await bringTo(context, id, state, days);
        const { status } = states[state];
        const read = async () => {
            const reading = readVersion(context, id);
            return readBack({ status }, state === "available" ? reading : reading.catch(unlessRetired));
        };
        const version = answered ?? (await read());
        // An answer may omit the status.
        if (answered?.status !== undefined && contentStateOf(answered.status, undefined) !== state) {
            const message = `state: ${context.product} accepted the action, but the status of ${id} is ${answered.status}, not ${status}`;
            context.warn("dropped", `${message}. Run ${step.reread()}, and ${step.again()} if it shows a change.`);
        }
        const grantedDays = answered?.deleteOlderThanNDays ?? first?.deleteOlderThanNDays;
        const record = version ?? first;
        const shown = record === undefined ? {} : outputs.parse(record);
        return { outputs: { ...shown, status: version?.status ?? status, grantedDays } };
    },

    async read(context, { stateVersionId: id }, state) {
        const isExpected = state !== undefined && state.state !== "available";
        const version = await readVersion(context, id).catch(isExpected ? unlessRetired : retiredAsAbsent);
        if (version === undefined) return {};
        const declared = contentStateOf(version.status, state?.state) ?? state?.state ?? "available";
        return { inputs: { stateVersionId: id, state: declared }, outputs: outputs.parse(version) };
    },

    async preview(context, { stateVersionId: id, state: wanted }, before) {
        if (holdsUnknown([id, wanted]) || (before?.stateVersionId === id && before.state === wanted)) return;
        const version = await readVersion(context, id).catch(unlessRetired);
        const current = version?.workspaceId && (await readCurrent(context, version.workspaceId).catch(unlessAbsent));
        const problem = version && actionProblem(version, wanted, current ? current.id : undefined);
        if (problem !== undefined) return context.reportBlocker(problem);
        const what = version
            ? `serial ${version.serial ?? "unknown"} of ${version.workspaceId ?? "an unknown workspace"}, status ${version.status ?? "unknown"}`
            : "its record cannot be read: its content is deleted already, it does not exist, or the token may not see it";
        context.inform("preview", `the content of ${id} (${what}) will be ${states[wanted].effect}.`);
    },
});
