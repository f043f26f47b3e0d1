/**
 * StateVersionRollback: makes the content of an older state version current again (document "State Versions", Roll back).
 *
 * Every request creates another version. So the resource first compares the current version with the declared one, sends the request once,
 * and reads the current version if the answer is lost.
 *
 * With `only`, it uploads a new version instead: the current state with a part of the older one. With `upload`, it uploads the older state.
 */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { type IdParts, identity } from "../../core/identity";
import { defineAction, type Inputs as InputsOf, type State as StateOf } from "../../core/resource";
import { step } from "../../core/steps";
import { NotFoundError, ServiceError, StatecraftError } from "../../errors";
import { failAbout, property, withRules } from "../../schema/property";
import { asSet } from "../../schema/property-types";
import { holdsUnknown } from "../../schema/values";
import { triggersProperty } from "../shared-options";
import { digestsOf, isEncrypted } from "./content";
import { type LockInputs, Locking, readLock } from "./lock";
import { lockMark, withLockMarks } from "./lock-marks";
import { previewRuns } from "./lock-preview";
import { finalized, finishEarlierRun, newVersionInputs, newVersionOutputs, resourcesOf, until } from "./new-version";
import {
    currentAfter,
    download,
    holdsContent,
    isDiverted,
    isUnclear,
    type ManagedResource,
    parseVersion,
    readCurrent,
    readVersion,
    type StateVersion,
    unlessRetired,
} from "./records";
import { adviceOnRight, idOf, inDoubt, onRefusal, stateVersions } from "./service";
import { addVersion } from "./state-version";
import { addressProblem, isNamed, shortList, stepsOf } from "./terraform-address";
import type * as UploadedState from "./uploaded-state";
import type { Changes, Upload } from "./uploaded-state";

/** Loads the comparison of states with the first upload, because most rollbacks copy a version. */
async function uploadOver(...given: Parameters<typeof UploadedState.uploadOver>): Promise<Upload | undefined> {
    const [, , , { only, upload }] = given;
    return only || upload ? (require("./uploaded-state") as typeof UploadedState).uploadOver(...given) : undefined;
}

// Not repeated after a lost answer, because every request creates another version.
const rollBack = endpoint(
    "PATCH /workspaces/{workspaceId}/state-versions",
    "refused",
    onRefusal(
        `Choose a finalized version of this workspace, or run ${step.again()} again if the workspace has changed meanwhile`,
    ),
);

const addressesMust = "must be a list of Terraform addresses, each once, and not empty";
const address = z.string({ error: addressesMust }).check((context) => {
    const problem = addressProblem(context.value);
    if (problem !== undefined) context.issues.push({ code: "custom", input: context.value, message: problem });
});
const addresses = z
    .array(address, { error: addressesMust })
    .refine((list) => list.length > 0 && new Set(list).size === list.length, { error: addressesMust });

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const covers = (some: readonly string[], address: string) =>
    some.some((each) => isNamed(stepsOf(each), stepsOf(address)));

/** The rule that `only` covers each address of another input. */
const coveredByOnly = (name: "except" | "distinct") =>
    failAbout(name, ["only"], ({ only, [name]: others }) => {
        const named = textsIn(only);
        const outside = textsIn(others).find((each) => !covers(named, each));
        if (outside === undefined) return undefined;
        return named.length === 0 ? "needs `only`" : `${outside} is not below an address of \`only\``;
    });
/** The rule that one input says what is uploaded. */
const uploadsWhole = failAbout("upload", ["only"], ({ only, upload }) =>
    upload === true && only !== undefined ? "is for a whole version: `only` uploads anyway" : undefined,
);
/** The rule that `except` leaves something. */
const exceptLeaves = failAbout("except", ["only"], ({ only, except }) => {
    const [named, others] = [textsIn(only), textsIn(except)];
    const isAll = named.length > 0 && named.every((each) => covers(others, each));
    return isAll ? "leaves nothing of `only`: name less" : undefined;
});

const properties = z.strictObject({
    workspaceId: property(idOf("workspace"), { immutable: true, description: "The workspace to roll back." }),
    stateVersionId: property(idOf("state version"), {
        description:
            "The version to roll back to. A change rolls back again, in place. HCP Terraform's free tier keeps at least the last 100 " +
            "states of all workspaces and the most recent one of each, and others for six months.",
    }),
    only: property(addresses.optional(), {
        equality: asSet,
        description:
            "Terraform addresses of modules, resources or instances that come back, such as `module.db` or " +
            "`aws_instance.web[2]`. Everything else in the current state stays. The new version has no JSON download. " +
            "Default: the whole version.",
    }),
    except: property(addresses.optional(), {
        equality: asSet,
        description: "Terraform addresses below those of `only` that do not come back.",
    }),
    distinct: property(addresses.optional(), {
        option: true,
        equality: asSet,
        description:
            "Terraform addresses below those of `only` that come back although another address in the current state has an " +
            "object with the same `id` (or the same attributes, if it has none): you know that they are two objects.",
    }),
    upload: property(z.boolean().optional(), {
        default: false,
        option: true,
        description:
            "Upload the whole older state with a higher serial, for servers that do not offer rollbacks. " +
            "The state must not be encrypted. The new version has no JSON download.",
    }),
    triggers: triggersProperty("rolls back"),
    keepLocked: property(z.boolean().optional(), {
        default: false,
        description: "Keep the workspace locked after the rollback, so that no run starts on the rolled-back state.",
    }),
    onDelete: property(z.enum(["keep", "restore"]).optional(), {
        default: "keep",
        description:
            "What deleting this resource does: `keep` leaves the workspace as it is, `restore` rolls back to " +
            "`previousStateVersionId` unless a newer version is current.",
    }),
    enforce: property(z.boolean().optional(), {
        default: false,
        description: "Treat a newer current version as drift, and roll back again.",
    }),
    ...newVersionInputs("the rollback"),
});
const inputs = withRules(properties, [coveredByOnly("except"), coveredByOnly("distinct"), exceptLeaves, uploadsWhole]);

const outputs = z.strictObject({
    currentStateVersionId: property(z.string(), {
        description: "The version that this resource created, or found current with the same content.",
    }),
    previousStateVersionId: property(z.string(), {
        description:
            "The version that `onDelete: restore` goes back to: the current version before this resource's rollbacks. " +
            "Empty if nothing had to be rolled back.",
    }),
    rolledBackFrom: property(z.string(), {
        description: "The current version before the last rollback. Empty if nothing had to be rolled back.",
    }),
    serial: property(z.number().optional(), {
        description: "Serial of the current version. Serials may repeat after rollbacks.",
    }),
    ...newVersionOutputs,
    superseded: property(z.boolean(), {
        description: "Whether a newer version is current. Drift only with `enforce`.",
    }),
});

type Inputs = InputsOf<typeof inputs>;
type Outputs = Partial<z.input<typeof outputs>>;
type State = StateOf<typeof inputs, typeof outputs>;

/** The error for a version to which the workspace cannot be rolled back. */
export function targetProblem(version: StateVersion, workspaceId: string): StatecraftError | undefined {
    const { id, status } = version;
    if (version.workspaceId !== undefined && version.workspaceId !== workspaceId) {
        const message = `${step.about("stateVersionId")}${id} is a version of the workspace ${version.workspaceId}, not of ${workspaceId}`;
        const hint = `Choose a version of this workspace: ${step.versions()} lists them`;
        return new StatecraftError("wrong-workspace", message, { hint });
    }
    if (status === undefined || holdsContent(status)) return undefined;
    const hint = "Choose a finalized version, or make the content available again (StateVersionBackingData)";
    return new StatecraftError("not-finalized", `${step.about("stateVersionId")}${id} is ${status} and has no state`, {
        hint,
    });
}

/** Whether the record of the current version shows that it is the target version or a copy of it. */
const isKnownCopy = (current: StateVersion, id: string) => current.id === id || current.rollbackStateVersionId === id;

/** Whether the current version is the target version or has the same state, except for the serial. `isNeeded`: see `download`. */
async function isCopy(
    context: Context,
    current: StateVersion,
    target: StateVersion,
    isNeeded = false,
): Promise<boolean> {
    if (isKnownCopy(current, target.id)) return true;
    const digests = async (version: StateVersion) => {
        const bytes = await download(context, version, isNeeded);
        if (bytes && isEncrypted(bytes)) {
            const what = `the state of ${version.id} is encrypted, so it is compared byte by byte`;
            context.warn("content", `${what}: another encryption of the same state counts as another state.`);
        }
        return bytes && digestsOf(bytes);
    };
    const now = await digests(current);
    const wanted = now && (await digests(target));
    return wanted?.some((digest) => now?.includes(digest)) === true;
}

/** Advice on an answer of a server that may not know the request of a rollback. @param way how to roll back there */
async function adviceOnUnknown(context: Context, error: StatecraftError, workspaceId: string, way: string) {
    if (!(error instanceof ServiceError) || ![404, 405, 500, 501].includes(error.status)) return undefined;
    if (error.status === 500) return `Run ${step.again()} again. If the server does not offer rollbacks, ${way}`;
    const advice = `This server does not offer rollbacks: ${way}`;
    if (!(error instanceof NotFoundError)) return advice;
    // The workspace and the version have just been read, so the server does not know the path, or hides it.
    const lock = await readLock(context.cleanUp, workspaceId).catch(() => undefined);
    const right = lock?.permissions?.["can-create-state-versions"];
    if (right === false) return adviceOnRight("can-create-state-versions");
    return right ? advice : `${advice}; or the token may not write state versions`;
}

/**
 * Sends the request once, and returns the new version.
 * @param lock unless it is `false`, the lock is ours, and no other account can create a version meanwhile
 * @param way how to roll back on a server that does not know the request
 */
async function rollBackOnce(
    context: Context,
    before: StateVersion,
    target: StateVersion,
    { workspaceId, lock }: LockInputs,
    way = `set \`${step.option("upload: true")}\`, which uploads the older state`,
): Promise<StateVersion> {
    const type = "state-versions";
    const body = { data: { type, relationships: { "rollback-state-version": { data: { type, id: target.id } } } } };
    try {
        return parseVersion(await context.client.call(rollBack, { parameters: { workspaceId }, body }));
    } catch (error) {
        if (!(error instanceof StatecraftError)) throw error;
        const failure = error;
        const advice = () => adviceOnUnknown(context, failure, workspaceId, way);
        if (!isUnclear(error)) throw failure.reword({ hint: (await advice()) ?? failure.hint });
        const now = await currentAfter(context, error, workspaceId, before);
        const isOther = now !== undefined && now.id !== before.id;
        if (isOther && (lock !== false || (await isCopy(context.cleanUp, now, target).catch(() => false)))) return now;
        // The service may still process a cancelled request.
        if (now === undefined || isOther || context.isCancelled) throw inDoubt(error, "the rollback was done");
        const rest = `${before.id} is still current`;
        const hint = await advice();
        if (isDiverted(error)) {
            const message = `${error.message}; the request was not sent on: ${rest}`;
            throw error.reword({ message, hint: hint ?? error.hint });
        }
        const message = `${error.message}; ${rest}, so the rollback counts as not done`;
        throw error.reword({ code: "undone", message, hint: hint ?? `Run ${step.again()} again` });
    }
}

const isTriggered = ({ triggers = [] }: Inputs, state: State) => !isDeepStrictEqual(triggers, state.triggers ?? []);

/** Whether the inputs name other content than the last deployment did. */
const isOther = (inputs: Inputs, state: State) =>
    state.stateVersionId !== inputs.stateVersionId ||
    (["only", "except"] as const).some((name) => !isDeepStrictEqual(asSet(inputs[name]), asSet(state[name])));

/** Whether the inputs require a rollback that the last deployment did not do. */
const isDue = (inputs: Inputs, state: State) =>
    isOther(inputs, state) || isTriggered(inputs, state) || (inputs.enforce === true && state.superseded === true);

/** Reads the current version and the version to roll back to. */
const readBoth = (context: Context, { workspaceId, stateVersionId }: Inputs) =>
    Promise.all([readCurrent(context, workspaceId), readVersion(context, stateVersionId)]);

/** Rolls back to the declared version, unless its content is current already. */
async function makeCurrent(context: Context, inputs: Inputs, state: State): Promise<{ outputs: Outputs }> {
    const { workspaceId, stateVersionId } = inputs;
    const locking = new Locking(context, inputs);
    const [current, target] = await readBoth(context, inputs);
    const problem = targetProblem(target, workspaceId);
    if (problem !== undefined) throw problem;
    const isUnfinished = state.unfinished !== undefined;
    const isRetriggered = state.currentStateVersionId !== undefined && isTriggered(inputs, state);
    const compare = async (version: StateVersion) => {
        const upload = await uploadOver(context, version, target, inputs);
        const isSame = () => upload?.isSame ?? isCopy(context, version, target, isUnfinished);
        return { upload, isDone: !isRetriggered && (await isSame()) };
    };
    const first = await compare(current);
    if (first.isDone) {
        const superseded = await locking.releaseEarlier(current);
        return { outputs: { ...outputsWithoutAct(context, inputs, state, current), superseded } };
    }
    const done = await locking.around(reasonFor(stateVersionId), async (know) => {
        const before = await readCurrent(context, workspaceId);
        know(before);
        const { upload, isDone } = before.id === current.id ? first : await compare(before);
        if (isDone) return { outputs: outputsWithoutAct(context, inputs, state, before) };
        const madeOf = (id: string) => ({
            outputs: {
                currentStateVersionId: id,
                previousStateVersionId: (isInState(state, before) && state.previousStateVersionId) || before.id,
                rolledBackFrom: before.id,
                superseded: false,
            },
        });
        const raw = upload?.stateAfter(before.serial ?? 0);
        const version = raw
            ? await addVersion(context, { workspaceId }, { raw }, madeOf, know, before)
            : await finalized(context, await rollBackOnce(context, before, target, inputs), madeOf, know);
        return { outputs: { ...madeOf(version.id).outputs, ...recordOutputs(version) } };
    });
    return { outputs: { ...done.outputs, superseded: done.isSuperseded } };
}

/** The outputs if the content is current already. Warns if `onDelete: restore` therefore has nothing to restore. */
function outputsWithoutAct(context: Context, inputs: Inputs, state: State, current: StateVersion): Outputs {
    const outputs = unchangedOutputs(state, current);
    if (inputs.onDelete === "restore" && outputs.previousStateVersionId === "") {
        const reason = `this resource rolled nothing back: ${current.id} has the content of ${inputs.stateVersionId} already`;
        context.warn("not-restored", `onDelete: there is nothing to restore, because ${reason}.`);
    }
    return outputs;
}

const reasonFor = (stateVersionId: string) => `rolling back to ${stateVersionId}`;

/** Whether this resource created a version, or found that version to be current. */
const isInState = ({ currentStateVersionId }: State, { id }: StateVersion) => currentStateVersionId === id;

/**
 * The outputs if there is nothing to roll back. If another account created the current version, `previousStateVersionId` is empty,
 * so that `onDelete: restore` does not undo that version.
 */
function unchangedOutputs(state: State, current: StateVersion): Outputs {
    const { previousStateVersionId = "", rolledBackFrom = "" } = isInState(state, current) ? state : {};
    return { previousStateVersionId, rolledBackFrom, superseded: false, ...recordOutputs(current) };
}

function recordOutputs(version: StateVersion): Outputs {
    const { id, serial, createdAt } = version;
    return { currentStateVersionId: id, serial, createdAt, resources: resourcesOf(version) };
}

/** Performs `onDelete: restore`: rolls back to the previous version, if this resource's version is current. */
async function restore(context: Context, workspaceId: string, state: State): Promise<void> {
    const locking = new Locking(context, { ...state, workspaceId, keepLocked: false });
    const { previousStateVersionId: previous = "" } = state;
    // The content of the version that an update made may never have arrived.
    const isFormer = ({ id }: StateVersion) =>
        state.unfinished?.includes("readBack") === true && id === state.rolledBackFrom && id !== previous;
    const isRestorable = (current: StateVersion) => previous !== "" && (isInState(state, current) || isFormer(current));
    const uploaded = (current: StateVersion, target: StateVersion) =>
        uploadOver(context, current, target, { upload: state.upload });
    const isUploaded = async (current: StateVersion) =>
        (await uploaded(current, await readVersion(context, previous)))?.isSame;
    const warnUnlessRestored = async (current: StateVersion) => {
        if (isKnownCopy(current, previous)) return;
        if (state.upload && previous !== "" && (await isUploaded(current).catch(() => false))) return;
        const reason = `this resource did not make the current version ${current.id}, or rolled nothing back`;
        const advice = "To go back to another version, declare a StateVersionRollback.";
        context.warn("not-restored", `onDelete: nothing was restored, because ${reason}. ${advice}`);
    };
    const current = await readCurrent(context, workspaceId);
    if (!isRestorable(current)) {
        await warnUnlessRestored(current);
        return locking.releaseOnDelete(current);
    }
    const target = await readVersion(context, previous).catch(unlessRetired);
    if (target === undefined || targetProblem(target, workspaceId) !== undefined) {
        const message = `onDelete: ${previous}, the version to restore, has no state any more, or the token may not see it`;
        throw new StatecraftError("not-finalized", message, {
            hint: `Set \`onDelete: "keep"\`, run ${step.again()} and delete the resource then, which leaves the workspace as it is`,
        });
    }
    await locking.around(reasonFor(previous), async (know) => {
        const before = await readCurrent(context, workspaceId);
        know(before);
        if (isRestorable(before)) {
            const raw = (await uploaded(before, target))?.stateAfter(before.serial ?? 0);
            const way = `set \`onDelete: "keep"\`, and declare a StateVersionRollback to ${previous} with \`upload: true\``;
            const restored = raw
                ? addVersion(context, { workspaceId }, { raw }, () => ({ outputs: {} }), know, before)
                : rollBackOnce(context, before, target, { ...state, workspaceId }, way);
            know(await restored);
        } else await warnUnlessRestored(before);
        return { outputs: {} };
    });
}

/** The changes by an upload. Reports in a preview why the upload cannot succeed. */
async function previewUpload(context: Context, current: StateVersion, target: StateVersion, inputs: Inputs) {
    try {
        return await uploadOver(context, current, target, inputs);
    } catch (error) {
        if (!(error instanceof StatecraftError) || !["only", "content"].includes(error.code)) throw error;
        context.reportBlocker(error);
        return "blocked";
    }
}

/** Text about a rollback for previews: its versions, and what the state gains and loses. */
function rollbackChange(
    workspaceId: string,
    current: StateVersion,
    target: StateVersion,
    isSame: boolean,
    upload?: Upload,
): string {
    const now = `${described(current)}, which is current in ${workspaceId}`;
    if (upload && "newer" in upload) {
        const lead = isSame ? "nothing to bring back now" : "bringing a part back";
        const parts = [...changesByAddress(upload), `kept: ${upload.newer} newer`];
        return `${lead}: from ${described(target)} into ${now}: ${parts.join("; ")}`;
    }
    if (isSame) return `nothing to roll back now: ${now}, has the content of ${target.id} already`;
    const change = `rolling back ${workspaceId} from ${described(current)} to ${described(target)}`;
    if (upload?.changes)
        return `${change}: ${changesByAddress(upload.changes).join("; ") || "the same resources, with other outputs or data"}`;
    const [before, after] = [resourcesOf(current), resourcesOf(target)];
    if (before === undefined || after === undefined) {
        return `${change}: what it gains and loses is unknown, because the service does not list the resources of both`;
    }
    const counted = (resources: readonly ManagedResource[]) =>
        resources.map((each) => terraformAddress(each) + (each.count === 1 ? "" : ` (${each.count})`));
    const parts = [
        ...signed("+", counted(additions(after, before))),
        ...signed("-", counted(additions(before, after))),
    ];
    return `${change}: ${parts.join("; ") || "the same resources, with other values"}`;
}

/** The addresses that come back, are replaced or are lost. */
const changesByAddress = ({ comesBack, replaced, lost }: Changes) => [
    ...signed("+", comesBack),
    ...signed("~", replaced),
    ...signed("-", lost),
];

/** Names as text, such as `+ server.a, server.b`. An empty list if there are none. */
const signed = (sign: string, names: readonly string[]) => (names.length === 0 ? [] : [`${sign} ${shortList(names)}`]);

const described = ({ id, serial }: StateVersion) => `${id} (serial ${serial ?? "unknown"})`;

/** The resources that have more instances in `resources` than in `others`, with the difference as `count`. */
export function additions(
    resources: readonly ManagedResource[],
    others: readonly ManagedResource[],
): ManagedResource[] {
    const counts = new Map(others.map((each) => [terraformAddress(each), each.count]));
    const more = resources.map((each) => ({ ...each, count: each.count - (counts.get(terraformAddress(each)) ?? 0) }));
    return more.filter(({ count }) => count > 0);
}

/** The address of a resource as Terraform writes it: `module.web.server.a`. In records, `root` is the outermost module. */
export function terraformAddress({ module, type, name }: ManagedResource): string {
    const prefix = module === "" || module === "root" ? "" : `${module}.`;
    return `${prefix}${type}.${name}`;
}

export const stateVersionRollback = defineAction<typeof inputs, typeof outputs, IdParts<"workspaceId">>({
    type: "StateVersionRollback",
    service: stateVersions,
    description:
        "Rolls the state of a workspace of HCP Terraform back: the content of an older version becomes a new version, " +
        "which is current. No version is changed or deleted. " +
        "Deleting this resource keeps the state, unless `onDelete` restores the former one.",
    inputs,
    outputs,
    identity: identity("<workspaceId>", { workspaceId: idOf("workspace") }),
    title: ({ workspaceId }) => `rollback of the workspace ${workspaceId}`,
    address: ({ workspaceId }) => ({ workspaceId }),
    prepare: withLockMarks,

    async act(context, _, inputs, state = {}) {
        const { currentStateVersionId: id } = state;
        // An uploaded version that could not be read may have no content.
        const isInDoubt =
            (inputs.only !== undefined || state.upload === true) && state.unfinished?.includes("readBack") === true;
        if (id === undefined || isInDoubt || isDue(inputs, state)) return makeCurrent(context, inputs, state);
        const made = { id, createdAt: state.createdAt };
        const { outputs, isSuperseded } = await finishEarlierRun(context, inputs, state, made, recordOutputs);
        return { outputs: { ...outputs, ...(isSuperseded && { superseded: true }) } };
    },

    async wait(context, _, { waitForProcessing: wait }, { currentStateVersionId = "", resources }) {
        if (!wait || resources !== undefined) return {};
        return recordOutputs(await until(context, "processed", currentStateVersionId, wait));
    },

    async read(context, { workspaceId }, state) {
        const current = await readCurrent(context, workspaceId);
        if (state?.currentStateVersionId !== undefined && !isInState(state, current)) {
            const drift = state.enforce === true ? { inputs: { stateVersionId: current.id } } : {};
            return { ...drift, outputs: { superseded: true } };
        }
        const { stateVersionId = current.rollbackStateVersionId ?? current.id } = state ?? {};
        return { inputs: { workspaceId, stateVersionId }, outputs: unchangedOutputs(state ?? {}, current) };
    },

    stays: ({ onDelete }) =>
        onDelete === "restore"
            ? undefined
            : 'the workspace keeps the state of the rollback. `onDelete: "restore"` rolls back to the version before it',

    async remove(context, { workspaceId }, known) {
        const { isRetained, owner } = context.options;
        const state = { ...(owner !== undefined && { lockMarks: [lockMark(owner)] }), ...known };
        if (state.onDelete === "restore" && !isRetained) return restore(context, workspaceId, state);
        const { currentStateVersionId: id, createdAt, superseded } = state;
        const made = id === undefined || superseded === true ? undefined : { id, createdAt };
        await new Locking(context, { ...state, workspaceId }).releaseOnDelete(made);
    },

    async preview(context, inputs, state) {
        const { workspaceId, stateVersionId, only, except, distinct } = inputs;
        if (holdsUnknown([workspaceId, stateVersionId, only, except, distinct])) return;
        const isSameWorkspace = state?.workspaceId === workspaceId;
        if (isSameWorkspace && !isOther(inputs, state)) return;
        const [current, target] = await readBoth(context, inputs);
        const problem = targetProblem(target, workspaceId);
        if (problem !== undefined) return context.reportBlocker(problem);
        const next = await previewUpload(context, current, target, inputs);
        if (next === "blocked") return;
        const isSame = next ? next.isSame : isKnownCopy(current, target.id);
        const change = `${rollbackChange(workspaceId, current, target, isSame, next)}.`;
        const losesOnly = isSameWorkspace && state.only !== undefined && only === undefined;
        if (losesOnly && !isSame && state.stateVersionId === stateVersionId)
            context.warn("preview", `${step.about("only")}without it the whole version comes back: ${change}`);
        else context.inform("preview", change);
        for (const { text, isWarning } of next?.notes ?? [])
            context[isWarning ? "warn" : "inform"]("preview", `${step.about("only")}${text}.`);
        if (isSame) return;
        if (target.intermediate && only === undefined) {
            const advice =
                "Choose the version that the apply ended with: `npx pulumi-statecraft history` marks the others as snapshots";
            const what = `${target.id} is intermediate: a snapshot in the middle of an apply, whose later changes it lacks`;
            context.warn("preview", `${what}. ${advice}.`);
        }
        await previewRuns(context, inputs, only ? undefined : target.toolVersion);
    },
});
