/**
 * StateVersionBackingData: whether a version's content is kept, retired or gone (document "State Versions", the three self-hosted actions).
 *
 * It sends the action of the declared state. After a 400 or a lost answer it reads the version: the wanted status, or no readable record if
 * a deletion is wanted, counts as done.
 */

import * as z from "zod";
import { oneShotAction } from "../../core/one-shot-action";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { Unfinished } from "../../core/unfinished";
import { mayHaveActed, NotFoundError, reworded, ServiceError } from "../../errors";
import { property, type Rule, withRules } from "../../schema/facts";
import { wholeNumber } from "../../schema/property-types";
import { connectionProperty } from "../shared-options";
import {
    absentOrNotOwner,
    otherForm,
    permanentDeletion,
    refusedState,
    selfHostedOnly,
    unreadContent,
    unusedDays,
    versionUnseen,
} from "./failures";
import { idOf, parseId } from "./inputs";
import { holdsContent, mayBeRetired, readVersion, type StateVersion } from "./records";
import { stateVersions } from "./service";

/** What a program declares, the status that it comes to, and the action that leads there. */
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

const rules: readonly Rule[] = [
    {
        uses: ["state", "allowPermanentDeletion"],
        test: ({ state, allowPermanentDeletion }) =>
            state === "permanentlyDeleted" && allowPermanentDeletion !== true ? permanentDeletion() : undefined,
    },
    {
        uses: ["state", "deleteOlderThanNDays"],
        severity: "warning",
        test: ({ state, deleteOlderThanNDays }) =>
            deleteOlderThanNDays !== undefined && state === "available" ? unusedDays() : undefined,
    },
];

const inputs = withRules(
    z.strictObject({
        stateVersionId: property(idOf("state version"), {
            immutable: true,
            description:
                "The version. Its content can only be retired while it is not the current version of its workspace.",
        }),
        state: property(z.enum(["available", "softDeleted", "permanentlyDeleted"]), {
            // In Go, what a resource's name and "State" make is the type of its state.
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
    rules,
);

const outputs = z.strictObject({
    status: property(z.string().optional(), { description: "Status of the version as last known." }),
    workspaceId: property(z.string().optional(), {
        description: "The version's workspace, where the service tells.",
    }),
    serial: property(z.number().optional(), { description: "The version's serial." }),
    createdAt: property(z.string().optional(), { description: "When the version was made: ISO 8601." }),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** The record, or `undefined` if it cannot be read, as that of a retired version may not be. */
function look(context: RequestContext, id: string): Promise<StateVersion | undefined> {
    return readVersion(context, id).catch((error: unknown) => {
        if (mayBeRetired(error)) return undefined;
        throw error;
    });
}

/** Maps a status to the declared state; `undefined` for pending and unknown ones. */
function stateOf(status: string | undefined, wanted: Declared | undefined): Declared | undefined {
    if (holdsContent({ status })) return "available";
    if (status === states.softDeleted.status) return "softDeleted";
    if (status !== states.permanentlyDeleted.status) return undefined;
    // Soft-deleted content is deleted for good after some days.
    return wanted === "softDeleted" ? "softDeleted" : "permanentlyDeleted";
}

/** Sends one action, unless its effect is there already. */
async function bringTo(
    context: RequestContext,
    step: Declared,
    { stateVersionId: id, deleteOlderThanNDays: days }: Inputs,
) {
    const attributes = days === undefined ? {} : { "delete-older-than-n-days": days };
    const body = step === "softDeleted" ? { body: { data: { type: "state-versions", attributes } } } : {};
    try {
        await context.client.call(states[step].action, { parameters: { id }, ...body });
    } catch (error) {
        const isRefused = error instanceof ServiceError && error.status === 400;
        if (!isRefused && !mayHaveActed(error)) throw explained(error, id, undefined);
        const version = await look(context, id).catch(() => {
            throw explained(error, id, undefined);
        });
        // A soft-deleted version may be unreadable: that proves nothing of a permanent deletion whose answer is lost.
        const isGone = isRefused ? step !== "available" : step === "softDeleted";
        const isDone = version === undefined ? isGone : stateOf(version.status, step) === step;
        if (!isDone) throw explained(error, id, version);
    }
}

/** Adds to a refusal what to do next. */
function explained(error: unknown, id: string, version: StateVersion | undefined): unknown {
    if (!(error instanceof ServiceError)) return error;
    if (error instanceof NotFoundError) return reworded(error, { hint: absentOrNotOwner({ id }) });
    if (error.status === 404) return reworded(error, { hint: selfHostedOnly() });
    if (error.status !== 400) return error;
    return reworded(error, {
        hint: refusedState({ id, status: version?.status ?? "in a status that cannot be read" }),
    });
}

function recordOutputs({ status, workspaceId, serial, createdAt }: StateVersion): Outputs {
    return { status, workspaceId, serial, createdAt };
}

/** Whether a version's content is kept, retired or gone. */
export const stateVersionBackingData = oneShotAction<typeof inputs, typeof outputs, string>({
    type: "StateVersionBackingData",
    service: stateVersions,
    description:
        "Whether the content of a state version is kept, soft-deleted or permanently deleted: the actions of the self-hosted edition as a declared state. Deleting this resource leaves the content as it is.",
    inputs,
    outputs,
    errors: [
        permanentDeletion,
        unusedDays,
        refusedState,
        unreadContent,
        selfHostedOnly,
        absentOrNotOwner,
        versionUnseen,
        otherForm,
    ],
    idForm: "<stateVersionId>",
    address: ({ stateVersionId }) => stateVersionId,
    id: (stateVersionId) => stateVersionId,
    parse: parseId,
    named: (stateVersionId) => ({ stateVersionId }),

    async act(context, id, values, { workspaceId, serial, createdAt } = {}) {
        // Only what is soft-deleted can be deleted for good.
        if (values.state === "permanentlyDeleted") await bringTo(context, "softDeleted", values);
        await bringTo(context, values.state, values);
        const { status } = states[values.state];
        const version = await (values.state === "available" ? readVersion : look)(context, id).catch(
            (error: unknown) => {
                throw new Unfinished({ status }, ["readBack"], unreadContent({ id, state: values.state }), error);
            },
        );
        return { outputs: version ? recordOutputs(version) : { status, workspaceId, serial, createdAt } };
    },

    async read(context, id, state) {
        const version = await look(context, id);
        if (version !== undefined) {
            const declared = stateOf(version.status, state?.state) ?? state?.state ?? "available";
            return { stateVersionId: id, state: declared, ...recordOutputs(version) };
        }
        if (state === undefined) return undefined;
        // The document says that reads of a retired version fail.
        if (state.state === "available") context.warn(versionUnseen({ id }));
        return { stateVersionId: id };
    },
});
