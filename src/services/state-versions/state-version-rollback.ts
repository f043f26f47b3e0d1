/** StateVersionRollback: makes an older state version's content current again (document "State Versions", Roll back). */

import { type Definition, HalfMadeError, unfinishedSteps } from "../../core/definition";
import { diffInputs } from "../../core/diff";
import { holdsUnknown } from "../../core/engine-values";
import { type Fields, field, type InputsOf, outputsOnly, type Props, type Rule } from "../../core/field";
import { choice, flag } from "../../core/kind";
import type { Session } from "../../core/session";
import { NotFoundError, StatecraftError } from "../../errors";
import { connectionField, timeoutsField, triggersField } from "../options";
import { rollbackFailures } from "./failures";
import { idText, lockField, lockMarkField, processingSeconds, waitForProcessingField } from "./inputs";
import type { Lock } from "./lock-owner";
import { readCurrent, readVersion, type StateVersion, withoutUndefined } from "./records";
import { endRollback } from "./rollback-end";
import { foretell } from "./rollback-preview";
import { isSameContent, problemWith, rollBackOnce, rollbackTo, UndoneRollback } from "./rollback-request";
import { chained, isAskedAgain, isOfDeadRun, isOpen, isOwn, standing, written } from "./rollback-standing";
import { stateVersions } from "./service";
import { afterDeployment, explain, leftIn, marksOf, releaseOwn, settleLeft, underLock } from "./under-lock";
import { untilProcessed } from "./until";
import { type HeldLock, warnOfKeptLock } from "./workspace-lock";

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

/** What came of a run: a version that it made, or one that it found with the wanted content. */
type Outcome = { readonly made: string } | Found;

/** `left`: the lock of a run that broke off, which it was found under. */
interface Found {
    readonly seen: StateVersion;
    readonly left?: Lock | undefined;
}

/** Brings the wanted content to be current, unless it is so already. `olds` are the outputs of an earlier run. */
async function ensure(session: Session, values: Inputs, olds: Props): Promise<Props> {
    const { workspaceId, stateVersionId } = values;
    const deed = rollbackTo(stateVersionId);
    const wishes = afterDeployment(values, olds);
    const reads = [readCurrent(session, workspaceId), readVersion(session, stateVersionId)] as const;
    const [before, wanted] = await Promise.all(reads).catch(async (error: unknown) => {
        throw await explain(session, wishes, error, deed);
    });
    const problem = problemWith(wanted, values);
    if (problem !== undefined) throw problem;
    const isAnew = isAskedAgain(values, olds, before);
    const isThere = (current: StateVersion) => isSameContent(session, current, wanted);
    if (!isAnew && (await isThere(before))) {
        // What is current already needs no rollback, but a run that broke off may have left its lock.
        const left = await settleLeft(session, wishes);
        return finish(session, values, found(olds, values, { seen: before, left }));
    }

    const past = standing(olds, before);
    const act = async ({ isOurs, left }: HeldLock): Promise<Outcome> => {
        // Until the lock was held, others could work.
        const now = await readCurrent(session, workspaceId);
        if (now.id !== before.id) {
            if (!isAnew && (await isThere(now))) return { seen: now };
            throw overtaken(now, before);
        }
        // A run that was killed under this lock may have done it already.
        const isUnknown = !isOpen(olds) && now.id !== past.currentStateVersionId;
        if (isOfDeadRun(left, now) && isUnknown && (await isThere(now))) return { seen: now, left };
        return { made: await rollBackOnce(session, values, before, wanted, isOurs) };
    };
    const { result, unreleased } = await underLock(session, wishes, deed, act).catch((error: unknown) => {
        if (!(error instanceof UndoneRollback)) throw error;
        // What this resource made before, if anything, is still its own; `rolledBackFrom` tells what was current when this was tried.
        const currentStateVersionId = past.currentStateVersionId || before.id;
        const outputs = { ...values, ...past, currentStateVersionId, rolledBackFrom: before.id, superseded: false };
        const problem = "the rollback is not known to be done; the next `pulumi up` looks again and does what is left";
        throw new HalfMadeError(workspaceId, outputs, ["rollback"], problem, error.failure);
    });
    const done =
        "made" in result
            ? { ...chained(past, before.id), currentStateVersionId: result.made, superseded: false }
            : found(olds, values, result);
    return finish(session, values, done, unreleased);
}

/** What is kept of a version that was found with the wanted content. */
function found(olds: Props, { stateVersionId }: Inputs, { seen, left }: Found): Props {
    const past = standing(olds, seen, stateVersionId);
    // What somebody else has made current is not to be undone when this resource is deleted.
    const { previousStateVersionId, rolledBackFrom } =
        isOfDeadRun(left, seen) || isOwn(past, seen) ? past : written({});
    return { ...recordOutputs(seen), previousStateVersionId, rolledBackFrom };
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
async function finish(session: Session, values: Inputs, done: Props, unreleased?: unknown): Promise<Props> {
    const { workspaceId } = values;
    const id = written(done).currentStateVersionId;
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
            doc: "What was current before this resource's latest rollbacks, between which nobody else made a version; `onDelete: restore` goes back to it. Empty if nothing had to be rolled back.",
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
            return left.length > 0 ? finish(session, values, outputsOnly(inputs, outputs)) : outputs;
        },

        delete: endRollback,

        named: (workspaceId) => ({ workspaceId }),

        // Another resource may stand for the version that this one made; the lock is this one's all the same.
        holds: (_, state) => written(state).currentStateVersionId || undefined,
        leave: (session, id, state) => endRollback(session, id, { ...state, onDelete: "keep" }),

        outdated: (olds, news) => (isOvertaken(olds, news) ? ["superseded"] : []),
    },

    async preview(session, news, olds, hinder) {
        const { workspaceId, stateVersionId } = news;
        if (holdsUnknown([workspaceId, stateVersionId])) return;
        if (olds && olds["workspaceId"] === workspaceId && olds["stateVersionId"] === stateVersionId) return;
        const problem = await foretell(session, afterDeployment(news as Inputs, olds ?? {}));
        if (problem !== undefined) hinder(problem);
    },
};

function seenIn(state: Props, id: string, current: StateVersion): Props {
    const known = written(state).currentStateVersionId;
    if (known !== "" && known !== current.id) return { ...state, superseded: !isOpen(state) };
    const asked = { workspaceId: id, stateVersionId: current.copyOf ?? current.id };
    return { ...asked, previousStateVersionId: "", rolledBackFrom: "", ...state, ...recordOutputs(current) };
}

function isOvertaken(olds: Props, news: Props): boolean {
    return news["enforce"] === true && olds["superseded"] === true;
}
