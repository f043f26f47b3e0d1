/**
 * StateVersionBackingData: whether the content of a version is available, soft-deleted or permanently deleted (document "State Versions", the
 * three self-hosted actions).
 *
 * It sends the action of the declared state. After a 400 or a lost answer it reads the version: the declared status, or for a deletion a
 * record that cannot be read, counts as done.
 */

import * as z from "zod";
import type { Context } from "../../core/context";
import { operation } from "../../core/operation";
import { defineResource, HalfMade } from "../../core/resource";
import { mayHaveActed, NotFoundError, reworded, ServiceError } from "../../errors";
import { property, withRules } from "../../schema/property";
import { wholeNumber } from "../../schema/property-types";
import { connectionProperty } from "../shared-options";
import { holdsContent, mayBeRetired, readVersion, type StateVersion, warnUnseen } from "./records";
import { idOf, parseId, stateVersions } from "./service";

/** The status of each declared state, and the action that leads to it. */
const states = {
    available: {
        status: "finalized",
        action: operation("POST /state-versions/{id}/actions/restore_backing_data"),
    },
    softDeleted: {
        status: "backing_data_soft_deleted",
        action: operation("POST /state-versions/{id}/actions/soft_delete_backing_data"),
    },
    permanentlyDeleted: {
        status: "backing_data_permanently_deleted",
        action: operation("POST /state-versions/{id}/actions/permanently_delete_backing_data"),
    },
} as const;
type Declared = keyof typeof states;

const inputs = withRules(
    z.strictObject({
        stateVersionId: property(idOf("state version"), {
            immutable: true,
            description:
                "The version. Its content can only be retired while it is not the current version of its workspace.",
        }),
        state: property(z.enum(["available", "softDeleted", "permanentlyDeleted"]), {
            // In Go, the default name, resource plus `State`, is the type of the resource's state.
            typeName: "BackingDataState",
            description:
                "`available`: the content is there. `softDeleted`: reads of the version fail, and the content is deleted for good some days later unless it is made available again. `permanentlyDeleted`: it is deleted for good now, which cannot be undone.",
        }),
        deleteOlderThanNDays: property(wholeNumber().optional(), {
            option: true,
            description: "Sent along with a soft deletion. A change takes effect with the next one.",
        }),
        allowPermanentDeletion: property(z.boolean().optional(), {
            option: true,
            default: false,
            description: "Must be `true` for `permanentlyDeleted`, which cannot be undone.",
        }),
        connection: connectionProperty,
    }),
    [
        {
            uses: ["state", "allowPermanentDeletion"],
            test: ({ state, allowPermanentDeletion }) =>
                state === "permanentlyDeleted" && allowPermanentDeletion !== true
                    ? {
                          path: "state",
                          reason: "permanentlyDeleted cannot be undone: set allowPermanentDeletion: true to delete the content all the same",
                      }
                    : undefined,
        },
        {
            uses: ["state", "deleteOlderThanNDays"],
            severity: "warning",
            test: ({ state, deleteOlderThanNDays }) =>
                deleteOlderThanNDays !== undefined && state === "available"
                    ? { path: "deleteOlderThanNDays", reason: "is only sent with a soft deletion" }
                    : undefined,
        },
    ],
);

const outputs = z.strictObject({
    status: property(z.string().optional(), { description: "Status of the version as last known." }),
    workspaceId: property(z.string().optional(), {
        description: "The version's workspace, where the service shows it.",
    }),
    serial: property(z.number().optional(), { description: "The version's serial." }),
    createdAt: property(z.string().optional(), { description: "When the version was made: ISO 8601." }),
});

/** The record, or `undefined` if it cannot be read, as may be for a version whose content was deleted. */
function look(context: Context, id: string): Promise<StateVersion | undefined> {
    return readVersion(context, id).catch((error: unknown) => {
        if (mayBeRetired(error)) return undefined;
        throw error;
    });
}

/** The declared state of a status; `undefined` for pending and unknown ones. */
function stateOf(status: string | undefined, wanted: Declared | undefined): Declared | undefined {
    if (holdsContent({ status })) return "available";
    if (status === states.softDeleted.status) return "softDeleted";
    if (status !== states.permanentlyDeleted.status) return undefined;
    // Soft-deleted content is deleted for good after some days.
    return wanted === "softDeleted" ? "softDeleted" : "permanentlyDeleted";
}

/** Sends one action, unless its effect is there already. */
async function bringTo(context: Context, id: string, wanted: Declared, days: number | undefined): Promise<void> {
    const attributes = days === undefined ? {} : { "delete-older-than-n-days": days };
    const body = wanted === "softDeleted" ? { body: { data: { type: "state-versions", attributes } } } : {};
    try {
        await context.client.call(states[wanted].action, { parameters: { id }, ...body });
    } catch (error) {
        const isRefused = error instanceof ServiceError && error.status === 400;
        if (!isRefused && !mayHaveActed(error)) throw explained(error, id);
        const version = await look(context, id).catch(() => {
            throw explained(error, id);
        });
        // A soft-deleted version may be unreadable: that proves nothing of a permanent deletion whose answer is lost.
        const isGone = isRefused ? wanted !== "available" : wanted === "softDeleted";
        const isDone = version === undefined ? isGone : stateOf(version.status, wanted) === wanted;
        if (!isDone) throw explained(error, id, version?.status);
    }
}

/** Adds to a refusal what to do next. */
function explained(error: unknown, id: string, status = "in a status that cannot be read"): unknown {
    if (!(error instanceof ServiceError)) return error;
    if (error instanceof NotFoundError) {
        return reworded(error, {
            hint: `${id} does not exist, or the token may not do this: the server answers both alike. Check \`stateVersionId\`, and use a token of an organization owner`,
        });
    }
    if (error.status === 404) {
        return reworded(error, {
            hint: "Only Terraform Enterprise has these actions: take the resource out of the program",
        });
    }
    if (error.status !== 400) return error;
    return reworded(error, {
        hint: `${id} is ${status}: only a finalized version that is not current can be soft-deleted, and only one that was not deleted for good can be made available again. To retire the current version, make another one current first`,
    });
}

const recordOutputs = ({ status, workspaceId, serial, createdAt }: StateVersion) => ({
    status,
    workspaceId,
    serial,
    createdAt,
});

/** Whether the content of a version is available. */
export const stateVersionBackingData = defineResource<typeof inputs, typeof outputs, string>({
    type: "StateVersionBackingData",
    service: stateVersions,
    description:
        "Whether the content of a state version is kept, soft-deleted or permanently deleted: the actions of the self-hosted edition as a declared state. Deleting this resource leaves the content as it is.",
    inputs,
    outputs,
    idForm: "<stateVersionId>",
    title: (id) => `content of the state version ${id}`,
    address: ({ stateVersionId }) => stateVersionId,
    id: (id) => id,
    parse: parseId,
    named: (stateVersionId) => ({ stateVersionId }),

    async act(context, id, { state, deleteOlderThanNDays: days }, { workspaceId, serial, createdAt } = {}) {
        // Only soft-deleted content can be deleted for good.
        if (state === "permanentlyDeleted") await bringTo(context, id, "softDeleted", days);
        await bringTo(context, id, state, days);
        const { status } = states[state];
        const version = await (state === "available" ? readVersion : look)(context, id).catch((error: unknown) => {
            const problem = `the content of ${id} is ${state} now, but the version could not be read`;
            throw new HalfMade({ status }, ["readBack"], problem, error);
        });
        return { outputs: version ? recordOutputs(version) : { status, workspaceId, serial, createdAt } };
    },

    async read(context, id, state) {
        const version = await look(context, id);
        if (version !== undefined) {
            const declared = stateOf(version.status, state?.state) ?? state?.state ?? "available";
            return { inputs: { stateVersionId: id, state: declared }, outputs: recordOutputs(version) };
        }
        if (state === undefined) return undefined;
        // The document says that reads of a retired version fail.
        if (state.state === "available") warnUnseen(context, `the version ${id}`);
        return { inputs: { stateVersionId: id } };
    },
});
