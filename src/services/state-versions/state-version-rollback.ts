/** StateVersionRollback: makes an older state version's content current again (document "State Versions", Roll back). */

import { type Definition, HalfMadeError, unfinishedSteps } from "../../core/definition";
import { diffInputs } from "../../core/diff";
import { holdsUnknown } from "../../core/engine-values";
import { type Fields, field, type InputsOf, outputsOnly, type Props, type Rule } from "../../core/field";
import { choice, flag } from "../../core/kind";
import { asParagraph } from "../../core/paragraph";
import type { Session } from "../../core/session";
import { InputError, NotFoundError, StatecraftError } from "../../errors";
import { connectionField, timeoutsField, triggersField } from "../options";
import { rollbackFailures } from "./failures";
import { idText, lockField, lockMarkField, processingSeconds, waitForProcessingField } from "./inputs";
import { readCurrent, readVersion, type StateVersion, withoutUndefined } from "./records";
import { foretell } from "./rollback-preview";
import { isSameContent, readWanted, rollBackOnce, rollbackTo, UndoneRollback } from "./rollback-request";
import { firstPrevious, isAskedAgain, isOpen, isOwn, standing } from "./rollback-standing";
import { stateVersions } from "./service";
import {
    afterDeployment,
    explain,
    leftIn,
    marksOf,
    releaseLeft,
    releaseOwn,
    settleLeft,
    underLock,
} from "./under-lock";
import { untilProcessed } from "./until";
import { warnOfKeptLock } from "./workspace-lock";

const inputs = {
    workspaceId: field(idText("workspace"), { required: true, replaces: true, doc: "The workspace to roll back." }),
    stateVersionId: field(idText("state version"), {
        required: true,
        doc: "The version whose content becomes current again. Another one rolls back again, in place.",
    }),
    triggers: triggersField("rolls back"),
    lock: lockField("the rollback"),
    keepLocked: field(flag, {
        option: true,
        default: false,
        doc: "Keep the lock that was taken, so that nothing runs on the rolled-back state until somebody releases it. Off by default.",
    }),
    onDelete: field(choice(["keep", "restore"]), {
        option: true,
        default: "keep",
        doc: "What deleting this resource does: `keep` leaves the workspace as it is; `restore` rolls back to `previousStateVersionId` if nothing newer has become current since.",
    }),
    enforce: field(flag, {
        option: true,
        default: false,
        doc: "Treat a newer version that has become current as drift, and roll back again. Off by default: newer versions are normal life.",
    }),
    waitForProcessing: waitForProcessingField,
    timeouts: timeoutsField,
    connection: connectionField,
    lockMark: lockMarkField,
} as const satisfies Fields;

type Inputs = InputsOf<typeof inputs>;

const rules: readonly Rule[] = [
    {
        uses: ["lock", "keepLocked"],
        severity: "warning",
        test: (values) =>
            values["keepLocked"] === true && values["lock"] === false
                ? "keepLocked: has no effect with lock: false"
                : undefined,
    },
];

function recordOutputs(version: StateVersion): Props {
    return withoutUndefined({
        currentStateVersionId: version.id,
        serial: version.serial,
        createdAt: version.createdAt,
        // Until they are processed, empty resources are not the truth.
        resources: version.processed || version.resources.length > 0 ? version.resources : undefined,
        superseded: false,
    });
}

/** Brings the wanted content to be current, unless it is so already. `olds` are the outputs of an earlier run. */
async function ensure(session: Session, values: Inputs, olds: Props): Promise<Props> {
    const { workspaceId } = values;
    const past = standing(olds);
    const wishes = afterDeployment(values, olds);
    const [before, wanted] = await Promise.all([readCurrent(session, workspaceId), readWanted(session, values)]).catch(
        async (error: unknown) => {
            throw await explain(session, wishes, error, rollbackTo(values.stateVersionId));
        },
    );

    // What is current already needs no rollback, but a run that broke off may have left its lock.
    const found = (current: StateVersion, unreleased?: unknown) => {
        // What somebody else has made current is not to be undone when this resource is deleted.
        const { previousStateVersionId, rolledBackFrom } = isOwn(values.stateVersionId, olds, current)
            ? past
            : standing({});
        const outputs = { ...recordOutputs(current), previousStateVersionId, rolledBackFrom };
        return finish(session, values, outputs, unreleased);
    };
    if (!isAskedAgain(values, olds, before) && (await isSameContent(session, before, wanted))) {
        await settleLeft(session, wishes);
        return found(before);
    }

    const trail = { previousStateVersionId: firstPrevious(olds, before), rolledBackFrom: before.id };
    const attempt = underLock(session, wishes, rollbackTo(values.stateVersionId), async ({ by }) => {
        // Until the lock was held, others could work.
        const now = await readCurrent(session, workspaceId);
        if (now.id === before.id) return rollBackOnce(session, values, before, wanted, by !== "user");
        if (await isSameContent(session, now, wanted)) return now;
        throw overtaken(now, before);
    });
    const { result, unreleased } = await attempt.catch(async (error: unknown) => {
        if (!(error instanceof UndoneRollback)) throw error;
        // What this resource made before, if anything, is still its own; `rolledBackFrom` tells what was current when this was tried.
        const currentStateVersionId = past.currentStateVersionId || before.id;
        const outputs = { ...values, ...trail, currentStateVersionId, superseded: false };
        const problem = "the rollback is not known to be done; the next `pulumi up` looks again and does what is left";
        throw new HalfMadeError(workspaceId, outputs, ["rollback"], problem, error);
    });
    if (typeof result !== "string") return found(result, unreleased);
    return finish(session, values, { ...trail, currentStateVersionId: result, superseded: false }, unreleased);
}

function overtaken(now: StateVersion, before: StateVersion): StatecraftError {
    return new StatecraftError(
        "overtaken",
        `the version ${now.id} has become current in the place of ${before.id} since this run looked, so nothing was rolled back`,
        {
            hint: "Somebody else works on this workspace: see what they did (`pulumi preview` tells), then run `pulumi up` again",
        },
    );
}

/** Reads what the answer to a rollback lacks, waits if asked, and keeps in state what is left to do when that fails. */
async function finish(session: Session, values: Inputs, done: Props, unreleased: unknown): Promise<Props> {
    const { workspaceId } = values;
    const id = standing(done).currentStateVersionId;
    const longest = processingSeconds(values.waitForProcessing);
    const outputs: Props = { ...values, ...done };
    if (unreleased !== undefined) {
        throw new HalfMadeError(
            workspaceId,
            outputs,
            ["unlock", "readBack"],
            "the rollback is done, but its lock was not released",
            unreleased,
        );
    }
    try {
        const version =
            longest > 0 ? await untilProcessed(session, id, values.waitForProcessing) : await readVersion(session, id);
        return { ...outputs, ...recordOutputs(version) };
    } catch (error) {
        const step = longest > 0 ? "waitForProcessing" : "readBack";
        throw new HalfMadeError(
            workspaceId,
            outputs,
            [step],
            "the rollback is done, but its version could not be read to the end",
            error,
        );
    }
}

/** A rollback of a workspace's state. */
export const stateVersionRollback: Definition = {
    type: "StateVersionRollback",
    service: stateVersions,
    doc: "Rolls a workspace's state back: the content of an older version is copied into a new version, which becomes current. Nothing is edited or deleted.",
    inputs,
    outputs: {
        currentStateVersionId: {
            doc: "The version that this resource made current, or found current with the wanted content.",
            type: "string",
        },
        previousStateVersionId: {
            doc: "What was current before this resource's first rollback; `onDelete: restore` goes back to it. Empty if nothing had to be rolled back.",
            type: "string",
        },
        rolledBackFrom: {
            doc: "What was current before the last rollback. Empty if nothing had to be rolled back.",
            type: "string",
        },
        serial: {
            doc: "Serial of the current version. Serials may repeat after rollbacks.",
            type: "number",
            optional: true,
        },
        createdAt: { doc: "When the current version was made: ISO 8601.", type: "string", optional: true },
        resources: {
            doc: "Resources that the current version counts; absent until the service has processed them (see `waitForProcessing`).",
            type: "{ readonly name: string; readonly type: string; readonly count: number; readonly module: string; readonly provider: string }[]",
            optional: true,
        },
        superseded: {
            doc: "Whether a newer version has become current since. Drift only with `enforce`.",
            type: "boolean",
        },
    },
    rules,
    errors: rollbackFailures,
    verbs: {
        async create(session, news) {
            const values = news as Inputs;
            return { id: values.workspaceId, outputs: await ensure(session, values, {}) };
        },

        async read(session, id, state) {
            let current: StateVersion;
            try {
                current = await readCurrent(session, id);
            } catch (error) {
                if (!(error instanceof NotFoundError)) throw error;
                if (Object.keys(state).length === 0) return undefined;
                session.warn(
                    `the workspace ${id} or its current version does not exist any more, or the token may not see it: the service answers both alike, ` +
                        "so the state is kept. If the workspace is gone, `pulumi state delete` forgets this resource",
                );
                return { id, outputs: state };
            }
            return {
                id,
                outputs: {
                    ...seenIn(state, id, current),
                    ...(await leftIn(session, { ...state, workspaceId: id }, state)),
                },
            };
        },

        async update(session, _id, olds, news) {
            const values = news as Inputs;
            const left = unfinishedSteps(olds);
            const { sends } = diffInputs(inputs, olds, news, session.vocabulary);
            const wishes = afterDeployment(values, olds);
            if (left.includes("unlock") && values.keepLocked !== true) await releaseOwn(session, wishes);
            const kept = { ...olds, unfinished: undefined };
            if (sends || isOpen(olds) || isOvertaken(olds, news)) return ensure(session, values, olds);
            if (olds["keepLocked"] === true && values.keepLocked !== true)
                await warnOfKeptLock(session, values.workspaceId, marksOf(wishes));
            const outputs = withoutUndefined({ ...outputsOnly(inputs, kept), ...values });
            return left.length > 0 ? finish(session, values, outputsOnly(inputs, outputs), undefined) : outputs;
        },

        delete: end,

        named: (workspaceId) => ({ workspaceId }),

        // Another resource may stand for the version that this one made; the lock is this one's all the same.
        holds: (_, state) => standing(state).currentStateVersionId || undefined,
        leave: (session, id, state) => end(session, id, { ...state, onDelete: "keep" }),

        outdated: (olds, news) => (isOvertaken(olds, news) ? ["superseded"] : []),
    },

    async preview(session, news, olds) {
        const { workspaceId, stateVersionId } = news;
        if (typeof workspaceId !== "string" || typeof stateVersionId !== "string") return;
        if (holdsUnknown(workspaceId) || holdsUnknown(stateVersionId)) return;
        if (olds?.["workspaceId"] === workspaceId && olds["stateVersionId"] === stateVersionId) return;
        await foretell(session, { workspaceId, stateVersionId });
    },
};

function seenIn(state: Props, id: string, current: StateVersion): Props {
    const known = standing(state).currentStateVersionId;
    if (known !== "" && known !== current.id) return { ...state, superseded: !isOpen(state) };
    const asked = { workspaceId: id, stateVersionId: current.copyOf ?? current.id };
    return { ...asked, previousStateVersionId: "", rolledBackFrom: "", ...state, ...recordOutputs(current) };
}

/** Scripts may delete by the id alone, which does not tell what was current before. */
function requireTrail(state: Props): void {
    const lacking = ["previousStateVersionId", "currentStateVersionId"].filter((name) => state[name] === undefined);
    if (lacking.length === 0) return;
    const why = "is needed to restore: give the outputs that create, update or read returned";
    throw new InputError(
        "nothing was done",
        lacking.map((name) => `${name}: ${why}`),
    );
}

async function end(session: Session, id: string, state: Props): Promise<void> {
    const values = { ...state, workspaceId: id } as Inputs;
    const wasLeft = unfinishedSteps(state).includes("unlock");
    if (values.onDelete === "restore") requireTrail(state);
    if (values.onDelete === "restore" && standing(state).previousStateVersionId !== "") {
        await restore(session, wasLeft ? { ...values, lock: true } : values, state);
    } else if (!wasLeft) {
        // Nothing of the service is needed to leave a workspace as it is.
        await releaseLeft(session, values, (problem) => session.warn(asParagraph(problem)));
    }
    if (wasLeft) await releaseOwn(session, values);
}

/** Goes back to what was current before this resource's first rollback, while its last one is current. */
async function restore(session: Session, values: Inputs, state: Props): Promise<void> {
    const { workspaceId } = values;
    const { previousStateVersionId, currentStateVersionId, rolledBackFrom } = standing(state);
    const isOurs = (current: StateVersion) => {
        if (current.id === previousStateVersionId) return false;
        const isDone = isOpen(state) && current.id !== rolledBackFrom;
        if (isDone ? current.copyOf === values.stateVersionId : current.id === currentStateVersionId) return true;
        if (current.copyOf !== previousStateVersionId) {
            session.warn(
                `onDelete: the newer version ${current.id} is current, so the workspace was left as it is instead of restoring ${previousStateVersionId}`,
            );
        }
        return false;
    };
    const deed = rollbackTo(previousStateVersionId);
    const target = { ...values, stateVersionId: previousStateVersionId, keepLocked: false };
    const tell = async (error: unknown): Promise<never> => {
        throw await explain(session, values, error, deed);
    };
    if (!isOurs(await readCurrent(session, workspaceId).catch(tell))) {
        await releaseLeft(session, values).catch(tell);
        return;
    }
    const wanted = await readWanted(session, target).catch(tell);
    const { unreleased } = await underLock(session, target, deed, async ({ by }) => {
        // Until the lock was held, others could work.
        const current = await readCurrent(session, workspaceId);
        if (isOurs(current)) await rollBackOnce(session, target, current, wanted, by !== "user");
    });
    if (unreleased !== undefined) throw unreleased;
}

function isOvertaken(olds: Props, news: Props): boolean {
    return news["enforce"] === true && olds["superseded"] === true;
}
