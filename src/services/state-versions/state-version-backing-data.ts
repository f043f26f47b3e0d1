/** StateVersionBackingData: whether a version's content is kept, retired or gone (document "State Versions", the three self-hosted actions). */

import * as z from "zod";
import { oneShotAction } from "../../core/one-shot-action";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { type State, unfinishedSteps } from "../../core/resource";
import { Unfinished } from "../../core/unfinished";
import { mayHaveActed, NotFoundError, reworded, ServiceError } from "../../errors";
import { property, type Rule, withRules } from "../../schema/facts";
import { wholeNumber } from "../../schema/property-types";
import { holdsUnknown } from "../../schema/unknown";
import { connectionProperty } from "../shared-options";
import {
    absentOrNotOwner,
    goneForGood,
    halfway,
    notHeeded,
    nothingBringsBack,
    otherStatus,
    perhapsGone,
    permanentDeletion,
    selfHostedOnly,
    stillCurrent,
    unknownState,
    unusedDays,
} from "./backing-data-failures";
import { otherForm, versionUnseen } from "./failures";
import { idOf, parseId } from "./inputs";
import { holdsContent, mayBeRetired, readCurrent, readVersion, type StateVersion } from "./records";
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

/** The record, or `undefined` where it cannot be read, as that of a retired one may not be. */
function look(context: RequestContext, id: string): Promise<StateVersion | undefined> {
    return readVersion(context, id).catch((error: unknown) => {
        if (mayBeRetired(error)) return undefined;
        throw error;
    });
}

/** What a status stands for where `wanted` is declared, or `undefined` for any other, such as that of a version that waits for its content. */
function declaredBy(status: string | undefined, wanted: Declared | undefined): Declared | undefined {
    if (holdsContent({ status })) return "available";
    if (status === states.softDeleted.status) return "softDeleted";
    if (status !== states.permanentlyDeleted.status) return undefined;
    // Retired content is deleted for good after some days: just what was asked for.
    return wanted === "softDeleted" ? "softDeleted" : "permanentlyDeleted";
}

/** The states that lead from a status to what is declared. An unknown one is most probably that of a soft-deleted version. */
function stepsTo(status: string | undefined, to: Declared): Declared[] {
    const from = declaredBy(status, to);
    if (from === to) return [];
    if (from === "permanentlyDeleted") throw nothingBringsBack();
    return from === "available" && to === "permanentlyDeleted" ? ["softDeleted", to] : [to];
}

/** Brings a version to what is declared. */
async function reconcile(
    context: RequestContext,
    values: Inputs,
    olds: State<typeof inputs, typeof outputs> = {},
): Promise<Outputs> {
    const { stateVersionId: id, state } = values;
    const live = await look(context, id);
    // What was available when it was last seen and cannot be read now is so no more.
    const isOpen = unfinishedSteps(olds).includes("state") || declaredBy(olds.status, state) === "available";
    const from = live ? live.status : isOpen ? undefined : olds.status;
    const before = known(live, olds);
    // Only what was answered counts as done.
    let status = from;
    try {
        for (const step of stepsTo(from, state)) {
            await act(context, values, step);
            status = states[step].status;
        }
    } catch (error) {
        if (mayHaveActed(error)) {
            const now = await look(context, id).catch(() => "unknown" as const);
            // What could be read before and cannot be now is retired.
            const isRetired = now === undefined && live !== undefined && state === "softDeleted";
            const isDone = isRetired || (now !== "unknown" && declaredBy(now?.status, state) === state);
            if (!isDone) throw unfinished(values, { ...before, status }, "state", error);
        } else if (!isRefusedAsDone(error, live, state)) {
            const refusal = await explain(context, live && { ...live, status }, values, error);
            if (status === from) throw refusal;
            throw new Unfinished({ ...before, status }, ["state"], halfway({ id, status: String(status) }), refusal);
        }
        status = states[state].status;
    }
    return confirmed(context, values, { ...before, status });
}

function act({ client }: RequestContext, values: Inputs, step: Declared) {
    const { stateVersionId: id, deleteOlderThanNDays: days } = values;
    const attributes = days === undefined ? {} : { "delete-older-than-n-days": days };
    const body = step === "softDeleted" ? { body: { data: { type: "state-versions", attributes } } } : {};
    return client.call(states[step].action, { parameters: { id }, ...body });
}

/** What can neither be read nor retired is retired already, perhaps by a request whose answer was lost. */
function isRefusedAsDone(error: unknown, live: StateVersion | undefined, state: Declared): boolean {
    return live === undefined && state !== "available" && error instanceof ServiceError && error.status === 400;
}

/** Reads what was granted. Reads of a retired version may fail: what was granted is then all that is known. */
async function confirmed(context: RequestContext, values: Inputs, granted: Outputs): Promise<Outputs> {
    const { stateVersionId: id, state } = values;
    const after = await (state === "available" ? readVersion : look)(context, id).catch((error: unknown) => {
        throw unfinished(values, granted, mayBeRetired(error) ? "state" : "readBack", error);
    });
    const now = { ...known(after, granted), status: after?.status ?? granted.status };
    if (declaredBy(now.status, state) === state) return now;
    throw unfinished(values, now, "state", notHeeded({ status: String(now.status) }));
}

/** What is known of a version beside its status. */
function known(live: Outputs = {}, before: Outputs = {}): Omit<Outputs, "status"> {
    return {
        workspaceId: live.workspaceId ?? before.workspaceId,
        serial: live.serial ?? before.serial,
        createdAt: live.createdAt ?? before.createdAt,
    };
}

function unfinished(
    { stateVersionId: id, state }: Inputs,
    outputs: Outputs,
    step: "state" | "readBack",
    cause: unknown,
): Unfinished {
    return new Unfinished(outputs, [step], unknownState({ id, state }), cause);
}

async function explain(context: RequestContext, live: StateVersion | undefined, values: Inputs, error: unknown) {
    if (!(error instanceof ServiceError)) return error;
    const hint = await hintFor(context, live, values, error);
    return hint === undefined ? error : reworded(error, { hint });
}

async function hintFor(context: RequestContext, live: StateVersion | undefined, values: Inputs, error: ServiceError) {
    const { stateVersionId: id, state } = values;
    if (error instanceof NotFoundError) {
        return absentOrNotOwner({ id });
    }
    if (error.status === 404) return selfHostedOnly();
    if (error.status !== 400) return undefined;
    // What never had content was not deleted either.
    const isRetired = live === undefined || declaredBy(live.status, state) !== undefined;
    if (state === "available" && isRetired) return goneForGood();
    const workspaceId = live?.workspaceId;
    const current = workspaceId && (await readCurrent(context, workspaceId).catch(() => undefined));
    if (current && current.id === id) {
        return stillCurrent({ id, workspace: workspaceId });
    }
    const status = live?.status ?? "in a status that may not be read";
    return otherStatus({ id, status });
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
        nothingBringsBack,
        perhapsGone,
        stillCurrent,
        otherStatus,
        goneForGood,
        selfHostedOnly,
        absentOrNotOwner,
        unknownState,
        halfway,
        notHeeded,
        versionUnseen,
        otherForm,
    ],
    idForm: "<stateVersionId>",
    address: ({ stateVersionId }) => stateVersionId,
    id: (stateVersionId) => stateVersionId,
    parse: parseId,
    named: (stateVersionId) => ({ stateVersionId }),

    act: (context, _, values, state) => reconcile(context, values, state),

    async read(context, id, state) {
        const version = await look(context, id);
        if (version !== undefined) {
            const declared = declaredBy(version.status, state?.state) ?? state?.state ?? "available";
            const { status } = version;
            return { stateVersionId: id, state: declared, ...known(version), status };
        }
        if (state === undefined) return undefined;
        // Of a retired one it is what the document says.
        if (state.state === "available") {
            context.warn(versionUnseen({ id }));
        }
        return { stateVersionId: id };
    },

    // What is known for certain of a version that cannot be read stands in the outputs, which only update sees.
    async previewChange(context, { stateVersionId: id, state }, olds) {
        if (holdsUnknown([id, state]) || state !== "available") return;
        const before = olds?.stateVersionId === id ? olds.state : undefined;
        if (before === state) return;
        const live = await look(context, id);
        if (declaredBy(live?.status, state) === "permanentlyDeleted") {
            context.warn(nothingBringsBack().message);
        } else if (live === undefined && before === "permanentlyDeleted") {
            context.warn(perhapsGone());
        }
    },
});
