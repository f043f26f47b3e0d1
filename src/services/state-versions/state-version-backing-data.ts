/** StateVersionBackingData: whether a version's content is kept, retired or gone (document "State Versions", the three self-hosted actions). */

import { type Definition, HalfMadeError, type Made, unfinishedSteps } from "../../core/definition";
import { holdsUnknown } from "../../core/engine-values";
import { type Fields, field, type InputsOf, outputsOnly, type Props, type Rule } from "../../core/field";
import { choice, count, flag } from "../../core/kind";
import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { mayHaveActed, NotFoundError, reworded, ServiceError, StatecraftError } from "../../errors";
import { connectionField } from "../options";
import { backingDataFailures } from "./failures";
import { idText } from "./inputs";
import { holdsContent, mayBeRetired, readCurrent, readVersion, type StateVersion, withoutUndefined } from "./records";
import { stateVersions } from "./service";

/** What a program declares, the status that it comes to, and the action that leads there. */
const states = {
    available: {
        status: "finalized",
        action: operation("POST /state-versions/{id}/actions/restore_backing_data", "refused"),
    },
    softDeleted: {
        status: "backing_data_soft_deleted",
        action: operation("POST /state-versions/{id}/actions/soft_delete_backing_data", "refused"),
    },
    permanentlyDeleted: {
        status: "backing_data_permanently_deleted",
        action: operation("POST /state-versions/{id}/actions/permanently_delete_backing_data", "refused"),
    },
} as const;
type Declared = keyof typeof states;

const inputs = {
    stateVersionId: field(idText("state version"), {
        required: true,
        replaces: true,
        doc: "The version. Its content can only be retired while it is not the current version of its workspace.",
    }),
    state: field(choice(["available", "softDeleted", "permanentlyDeleted"]), {
        required: true,
        doc: "`available`: the content is there. `softDeleted`: reads of the version fail, and the content is deleted for good some days later unless it is made available again. `permanentlyDeleted`: it is deleted for good now, which cannot be undone.",
    }),
    deleteOlderThanNDays: field(count(), {
        doc: "Sent along with a soft deletion. A change takes effect with the next one.",
    }),
    allowPermanentDeletion: field(flag, {
        option: true,
        default: false,
        doc: "Must be `true` for `permanentlyDeleted`, which cannot be undone.",
    }),
    connection: connectionField,
} as const satisfies Fields;

type Inputs = InputsOf<typeof inputs>;

const rules: readonly Rule[] = [
    {
        uses: ["state", "allowPermanentDeletion"],
        test: (values) =>
            values["state"] === "permanentlyDeleted" && values["allowPermanentDeletion"] !== true
                ? "state: permanentlyDeleted cannot be undone; to ask for it all the same, set allowPermanentDeletion: true"
                : undefined,
    },
    {
        uses: ["state", "deleteOlderThanNDays"],
        severity: "warning",
        test: (values) =>
            values["deleteOlderThanNDays"] !== undefined && values["state"] === "available"
                ? "deleteOlderThanNDays: is only sent with a soft deletion"
                : undefined,
    },
];

/** The record, or `undefined` where it cannot be read, as that of a retired one may not be. */
async function look(session: Session, id: string): Promise<StateVersion | undefined> {
    return readVersion(session, id).catch((error: unknown) => {
        if (mayBeRetired(error)) return undefined;
        throw error;
    });
}

/** What a status stands for where `wanted` is declared, or `undefined` for any other, such as that of a version that waits for its content. */
function declaredBy(status: unknown, wanted: unknown): Declared | undefined {
    if (typeof status === "string" && holdsContent({ status })) return "available";
    if (status === states.softDeleted.status) return "softDeleted";
    if (status !== states.permanentlyDeleted.status) return undefined;
    // Retired content is deleted for good after some days: just what was asked for.
    return wanted === "softDeleted" ? "softDeleted" : "permanentlyDeleted";
}

/** The states that lead from a status to what is declared. An unknown one is most probably that of a soft-deleted version. */
function way(status: unknown, to: Declared): Declared[] {
    const from = declaredBy(status, to);
    if (from === to) return [];
    if (from === "permanentlyDeleted") throw new StatecraftError("deleted", nothingBringsBack);
    return from === "available" && to === "permanentlyDeleted" ? ["softDeleted", to] : [to];
}

const nothingBringsBack = "state: the content of this version was deleted for good, and nothing brings it back";

/** Brings a version to what is declared. `olds` are the outputs of an earlier run. */
async function bring(session: Session, values: Inputs, olds: Props): Promise<Props> {
    const { stateVersionId: id, state } = values;
    const seen = await look(session, id);
    // What was available when it was last seen and cannot be read now is so no more.
    const isOpen = unfinishedSteps(olds).includes("state") || declaredBy(olds["status"], state) === "available";
    const from = seen ? seen.status : isOpen ? undefined : olds["status"];
    const before = { ...outsideInputs(olds), ...values, ...recordOutputs(seen) };
    // Only what was answered counts as done.
    let status = from;
    try {
        for (const step of way(from, state)) {
            await act(session, values, step);
            status = states[step].status;
        }
    } catch (error) {
        if (mayHaveActed(error)) {
            const now = await look(session, id).catch(() => "unknown" as const);
            // What could be read before and cannot be now is retired.
            const isRetired = now === undefined && seen !== undefined && state === "softDeleted";
            const isDone = isRetired || (now !== "unknown" && declaredBy(now?.status, state) === state);
            if (!isDone) throw unfinished({ ...before, status }, "state", error);
        } else if (!isRefusedAsDone(error, seen, state)) {
            throw await explain(session, seen, values, error);
        }
        status = states[state].status;
    }
    return confirmed(session, values, { ...before, status });
}

function act({ client }: Session, values: Inputs, step: Declared) {
    const { stateVersionId: id, deleteOlderThanNDays: days } = values;
    const attributes = days === undefined ? {} : { "delete-older-than-n-days": days };
    const body = step === "softDeleted" ? { body: { data: { type: "state-versions", attributes } } } : {};
    return client.call(states[step].action, { parameters: { id }, ...body });
}

/** What can neither be read nor retired is retired already, perhaps by a request whose answer was lost. */
function isRefusedAsDone(error: unknown, seen: StateVersion | undefined, state: Declared): boolean {
    return seen === undefined && state !== "available" && error instanceof ServiceError && error.status === 400;
}

/** Reads what was granted. Reads of a retired version may fail: what was granted is then all that is known. */
async function confirmed(session: Session, { stateVersionId: id, state }: Inputs, granted: Props): Promise<Props> {
    const after = await (state === "available" ? readVersion : look)(session, id).catch((error: unknown) => {
        throw unfinished(granted, mayBeRetired(error) ? "state" : "readBack", error);
    });
    const now = { ...granted, ...recordOutputs(after), status: after?.status ?? granted["status"] };
    if (declaredBy(now.status, state) === state) return now;
    const unheeded = `the service granted it, but says that the version is ${now.status}`;
    throw unfinished(now, "state", new StatecraftError("unheeded", unheeded));
}

function outsideInputs(state: Props): Props {
    const { unfinished: _, ...outputs } = outputsOnly(inputs, state);
    return outputs;
}

function recordOutputs(version: StateVersion | undefined): Props {
    return withoutUndefined({
        workspaceId: version?.workspaceId,
        serial: version?.serial,
        createdAt: version?.createdAt,
    });
}

function unfinished(outputs: Props, step: "state" | "readBack", cause: unknown): HalfMadeError {
    const { stateVersionId: id, state } = outputs;
    const problem = `whether the content of ${id} is ${state} now is unknown; the next \`pulumi up\` looks again`;
    return new HalfMadeError(String(id), withoutUndefined(outputs), [step], problem, cause);
}

async function explain(session: Session, seen: StateVersion | undefined, values: Inputs, error: unknown) {
    if (!(error instanceof ServiceError)) return error;
    const hint = await hintFor(session, seen, values, error);
    return hint === undefined ? error : reworded(error, { hint });
}

async function hintFor(session: Session, seen: StateVersion | undefined, values: Inputs, error: ServiceError) {
    const { stateVersionId: id, state } = values;
    if (error instanceof NotFoundError) {
        return (
            `Either ${id} does not exist, or the token may not do this: the service answers both alike. These actions need ` +
            "permission of an organization owner"
        );
    }
    if (error.status === 404) return "These actions exist in the self-hosted edition of the service only";
    if (error.status !== 400) return undefined;
    const workspaceId = seen?.workspaceId;
    const current = workspaceId && (await readCurrent(session, workspaceId).catch(() => undefined));
    if (current && current.id === id && state !== "available") {
        return `${id} is the current version of ${workspaceId}, whose content cannot be retired: make another version current first`;
    }
    if (state === "available") return "What was deleted for good cannot be brought back";
    const status = seen?.status ?? "in a status that may not be read";
    return `${id} is ${status}: only a finalized version that is not current can be soft-deleted, and only a soft-deleted one permanently`;
}

/** Whether a version's content is kept, retired or gone. */
export const stateVersionBackingData = {
    type: "StateVersionBackingData",
    service: stateVersions,
    doc: "Whether the content of a state version is kept, soft-deleted or permanently deleted: the actions of the self-hosted edition as a declared state. Deleting this resource leaves the content as it is.",
    inputs,
    outputs: {
        status: { doc: "Status of the version as last known.", type: "string", optional: true },
        workspaceId: { doc: "The version's workspace, where the service tells.", type: "string", optional: true },
        serial: { doc: "The version's serial.", type: "number", optional: true },
        createdAt: { doc: "When the version was made: ISO 8601.", type: "string", optional: true },
    },
    rules,
    errors: backingDataFailures,
    verbs: {
        async create(session, news): Promise<Made> {
            const values = news as unknown as Inputs;
            return { id: values.stateVersionId, outputs: await bring(session, values, {}) };
        },

        async read(session, id, state) {
            const written = state["state"];
            let version: StateVersion;
            try {
                version = await readVersion(session, id);
            } catch (error) {
                if (!mayBeRetired(error)) throw error;
                if (Object.keys(state).length === 0) return undefined;
                // Of a retired one it is what the document says.
                if (written === "available") {
                    session.warn(
                        `the version ${id} cannot be read: it does not exist any more, its content was retired, or the token may not see it; ` +
                            "the service answers alike, so the state is kept. `pulumi state delete` forgets this resource",
                    );
                }
                return { id, outputs: state };
            }
            const found = {
                state: declaredBy(version.status, written) ?? written ?? "available",
                status: version.status,
            };
            return {
                id,
                outputs: { ...state, stateVersionId: id, ...recordOutputs(version), ...withoutUndefined(found) },
            };
        },

        async update(session, _id, olds, news) {
            const values = news as unknown as Inputs;
            if (unfinishedSteps(olds).length > 0 || olds["state"] !== values.state) return bring(session, values, olds);
            return { ...outsideInputs(olds), ...values };
        },

        async delete() {
            // Nothing is made by this resource: content that is retired stays so.
        },

        named: (stateVersionId) => ({ stateVersionId }),
    },

    // What is known for certain of a version that cannot be read stands in the outputs, which only update sees.
    async preview(session, { stateVersionId: id, state }, olds) {
        if (typeof id !== "string" || holdsUnknown([id, state]) || state !== "available") return;
        const before = olds?.["stateVersionId"] === id ? olds["state"] : undefined;
        if (before === state) return;
        const seen = await look(session, id);
        if (declaredBy(seen?.status, state) === "permanentlyDeleted") session.warn(nothingBringsBack);
        else if (seen === undefined && before === "permanentlyDeleted") {
            session.warn(
                "state: the version cannot be read: if its content was deleted for good, nothing brings it back",
            );
        }
    },
} as const satisfies Definition;
