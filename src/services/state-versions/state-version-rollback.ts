/** StateVersionRollback: makes an older state version's content current again (document "State Versions", Roll back). */

import * as z from "zod";
import { type Definition, HalfMadeError, unfinishedSteps } from "../../core/definition";
import { diffInputs } from "../../core/diff";
import { secondsOf } from "../../core/duration";
import { type Fields, field, type InputsOf, type Props, type Rule } from "../../core/field";
import { choice, duration, flag, json, text } from "../../core/kind";
import type { Session } from "../../core/session";
import { NotFoundError, StatecraftError } from "../../errors";
import { connectionField } from "../options";
import { readCurrent, readVersion, type StateVersion } from "./records";
import { explain, isSameContent, readWanted, rollBackOnce, UndoneRollback, underLock } from "./rollback-request";
import { stateVersions } from "./service";
import { releaseLeftLock } from "./workspace-lock";

const idText = (what: string) => text({ pattern: /^[\w-]+$/, must: `must be the id of a ${what}` });
const wait = duration();
const lockObject = z.strictObject({ reason: z.string().optional() });
const isLockSetting = (value: unknown) => typeof value === "boolean" || lockObject.safeParse(value).success;
const isWait = (value: unknown) => typeof value === "boolean" || wait.schema.safeParse(value).success;

const inputs = {
    workspaceId: field(idText("workspace"), { required: true, replaces: true, doc: "The workspace to roll back." }),
    stateVersionId: field(idText("state version"), {
        required: true,
        doc: "The version whose content becomes current again. Another one rolls back again, in place.",
    }),
    triggers: field(json("readonly unknown[]", z.array(z.unknown(), { error: "must be a list" })), {
        doc: "Any values: a change of them rolls back again.",
        default: [],
    }),
    lock: field(
        json(
            "boolean | { reason?: pulumi.Input<string> }",
            z.custom<boolean | { reason?: string | undefined }>(isLockSetting, {
                error: "must be true, false, or an object with a reason",
            }),
        ),
        {
            option: true,
            default: false,
            doc: "Take the workspace's lock for the time of the rollback, and release it afterwards. Off by default: the workspace must be locked by the same account already.",
        },
    ),
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
    waitForProcessing: field(
        {
            ...wait,
            type: "boolean | number | string",
            schema: z.custom<boolean | number | string>(isWait, {
                error: 'must be true, false, or a duration: whole seconds, or text such as "5m"',
            }),
            canonical: (value: boolean | number | string) => processingSeconds(value),
        },
        {
            option: true,
            default: false,
            doc: "Wait until the service has processed the new version's resources: `true` (5 minutes at most) or the longest time to wait. Off by default.",
        },
    ),
    connection: connectionField,
    lockMark: field(text(), { hidden: true, doc: "Ends the reason of every lock that this resource takes." }),
} as const satisfies Fields;

type Inputs = InputsOf<typeof inputs>;

function processingSeconds(value: unknown): number {
    return value === true ? 300 : secondsOf(value);
}

const rules: readonly Rule[] = [
    {
        uses: ["lock", "keepLocked"],
        severity: "warning",
        test: (values) =>
            values["keepLocked"] === true && !values["lock"] ? "keepLocked: has no effect without lock" : undefined,
    },
];

/** Where a rollback left the workspace: the outputs that are not inputs. */
interface Standing {
    readonly currentStateVersionId: string;
    readonly previousStateVersionId: string;
    readonly rolledBackFrom: string;
    readonly serial?: number | undefined;
    readonly createdAt?: string | undefined;
    readonly resources?: StateVersion["resources"] | undefined;
    readonly superseded: boolean;
}

function standing(state: Props): Standing {
    const word = (name: string) => (typeof state[name] === "string" ? state[name] : "");
    return {
        currentStateVersionId: word("currentStateVersionId"),
        previousStateVersionId: word("previousStateVersionId"),
        rolledBackFrom: word("rolledBackFrom"),
        superseded: state["superseded"] === true,
    };
}

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

function withoutUndefined(props: Props): Props {
    return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

const processingPollMilliseconds = 1_000;

async function untilProcessed(session: Session, id: string, longest: number): Promise<StateVersion> {
    const begun = session.now();
    for (;;) {
        const version = await readVersion(session, id);
        if (version.processed) return version;
        const waited = Math.round((session.now() - begun) / 1000);
        if (waited >= longest) {
            throw new StatecraftError("timeout", `the service has not processed the version ${id} after ${waited} s`, {
                hint: "The next `pulumi up` waits again; `waitForProcessing` takes a longer time",
            });
        }
        session.progress(`waiting until the version ${id} is processed, ${waited} s so far`);
        await session.sleep(processingPollMilliseconds);
    }
}

/** Brings the wanted content to be current, unless it is so already. `olds` are the outputs of an earlier run. */
async function ensure(session: Session, values: Inputs, olds: Props): Promise<Props> {
    const { workspaceId } = values;
    const past = standing(olds);
    const wasOpen = unfinishedSteps(olds).includes("rollback");
    const [before, wanted] = await Promise.all([readCurrent(session, workspaceId), readWanted(session, values)]).catch(
        async (error: unknown) => {
            throw await explain(session, workspaceId, error);
        },
    );

    if (await isSameContent(session, before, wanted)) {
        // An earlier run's request whose answer was lost made this version after all.
        const isOurs = wasOpen && before.id !== past.currentStateVersionId;
        const from = isOurs ? past.currentStateVersionId : wasOpen ? "" : past.rolledBackFrom;
        const previous = isOurs || !wasOpen ? past.previousStateVersionId : "";
        return finish(
            session,
            values,
            { ...recordOutputs(before), previousStateVersionId: previous, rolledBackFrom: from },
            undefined,
        );
    }

    const trail = { previousStateVersionId: past.previousStateVersionId || before.id, rolledBackFrom: before.id };
    const attempt = underLock(session, values, ({ taken }) => rollBackOnce(session, values, before, wanted, taken));
    const { result: id, unreleased } = await attempt.catch(async (error: unknown) => {
        if (!(error instanceof UndoneRollback)) throw await explain(session, workspaceId, error);
        const outputs = { ...values, ...trail, currentStateVersionId: before.id, superseded: false };
        const problem = "the rollback is not known to be done; the next `pulumi up` looks again and does what is left";
        throw new HalfMadeError(workspaceId, outputs, ["rollback"], problem, error);
    });
    return finish(session, values, { ...trail, currentStateVersionId: id, superseded: false }, unreleased);
}

/** Reads what the answer to a rollback lacks, waits if asked, and keeps in state what is left to do when that fails. */
async function finish(session: Session, values: Inputs, done: Props, unreleased: unknown): Promise<Props> {
    const { workspaceId } = values;
    const id = String(done["currentStateVersionId"]);
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
        const version = longest > 0 ? await untilProcessed(session, id, longest) : await readVersion(session, id);
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
            const known = standing(state).currentStateVersionId;
            if (known !== "" && known !== current.id)
                return { id, outputs: { ...state, superseded: !unfinishedSteps(state).includes("rollback") } };
            const asked = { workspaceId: id, stateVersionId: current.copyOf ?? current.id };
            return {
                id,
                outputs: {
                    ...asked,
                    previousStateVersionId: "",
                    rolledBackFrom: "",
                    ...state,
                    ...recordOutputs(current),
                },
            };
        },

        async update(session, _id, olds, news) {
            const values = news as Inputs;
            const left = unfinishedSteps(olds);
            const { sends } = diffInputs(inputs, olds, news, session.vocabulary);
            if (left.includes("unlock"))
                await releaseLeftLock(session, values.workspaceId, values.lockMark ?? "[statecraft]");
            const kept = { ...olds, unfinished: undefined };
            if (sends || left.includes("rollback") || isOvertaken(olds, news)) return ensure(session, values, olds);
            const outputs = withoutUndefined({ ...outputsOnly(kept), ...values });
            return left.length > 0 ? finish(session, values, outputsOnly(outputs), undefined) : outputs;
        },

        async delete(session, id, state) {
            const values = state as Inputs;
            const { previousStateVersionId, currentStateVersionId } = standing(state);
            if (values.onDelete !== "restore" || previousStateVersionId === "") return;
            const current = await readCurrent(session, id).catch(async (error: unknown) => {
                throw await explain(session, id, error);
            });
            const wasOpen = unfinishedSteps(state).includes("rollback");
            if (wasOpen && current.id === currentStateVersionId) return;
            const isOurs = wasOpen ? current.copyOf === values.stateVersionId : current.id === currentStateVersionId;
            if (!isOurs) {
                if (current.copyOf !== previousStateVersionId) {
                    session.warn(
                        `onDelete: the newer version ${current.id} is current, so the workspace was left as it is instead of restoring ${previousStateVersionId}`,
                    );
                }
                return;
            }
            const target = { ...values, stateVersionId: previousStateVersionId, keepLocked: false };
            await restore(session, target, current);
        },

        outdated: (olds, news) => (isOvertaken(olds, news) ? ["superseded"] : []),
    },
};

async function restore(session: Session, values: Inputs, current: StateVersion): Promise<void> {
    try {
        const wanted = await readWanted(session, values);
        const { unreleased } = await underLock(session, values, ({ taken }) =>
            rollBackOnce(session, values, current, wanted, taken),
        );
        if (unreleased !== undefined) throw unreleased;
    } catch (error) {
        throw await explain(session, values.workspaceId, error);
    }
}

function isOvertaken(olds: Props, news: Props): boolean {
    return news["enforce"] === true && olds["superseded"] === true;
}

function outputsOnly(state: Props): Props {
    return Object.fromEntries(Object.entries(state).filter(([name]) => !(name in inputs)));
}
