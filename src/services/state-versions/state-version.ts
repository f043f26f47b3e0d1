/** StateVersion: a new state version of a workspace, from a state that the program gives (document "State Versions", Create and Upload). */

import { type Definition, HalfMadeError, type Made, unfinishedSteps } from "../../core/definition";
import { holdsUnknown } from "../../core/engine-values";
import { type Fields, field, type InputsOf, outputsOnly, type Props } from "../../core/field";
import { flag } from "../../core/kind";
import type { Session } from "../../core/session";
import { StatecraftError } from "../../errors";
import { connectionField, timeoutsField } from "../options";
import { contentBehind, digestOf, jsonContent, rawStateContent, readRawState } from "./content";
import { versionFailures } from "./failures";
import { idText, lockField, lockMarkField, processingSeconds, waitForProcessingField } from "./inputs";
import { fill, fillJson, makeVersion } from "./new-version";
import { mayBeRetired, readVersion, type StateVersion, withoutUndefined } from "./records";
import { stateVersions } from "./service";
import { compareWithCurrent, downloaded, type Given } from "./succession";
import {
    afterDeployment,
    type Deed,
    explain,
    hindrance,
    leftIn,
    releaseOwn,
    settleLeft,
    underLock,
} from "./under-lock";
import { untilProcessed } from "./until";
import { forceUnlockPath } from "./workspace-lock";

const inputs = {
    workspaceId: field(idText("workspace"), {
        required: true,
        replaces: true,
        doc: "The workspace that gets the version.",
    }),
    content: field(rawStateContent, {
        required: true,
        replaces: true,
        doc: "The raw state: a Pulumi asset, a path, or the text itself. Serial, lineage and MD5 are taken from it. Pulumi's state keeps its SHA-256 digest only.",
    }),
    jsonContent: field(jsonContent, {
        replaces: true,
        doc: "The same state in the stable JSON format that the client tool shows: a Pulumi asset, a path, or the text itself. Only its digest is kept.",
    }),
    jsonStateOutputs: field(jsonContent, {
        replaces: true,
        doc: "The `values/outputs` of the JSON form, in the same ways: the workspace's outputs are then there at once instead of after a short time. Only its digest is kept.",
    }),
    runId: field(idText("run"), { replaces: true, doc: "The run that the version belongs to." }),
    inline: field(flag, {
        option: true,
        default: false,
        doc: "Send the content in the request that makes the version, instead of uploading it separately, which the service recommends.",
    }),
    lock: lockField("the creation"),
    waitForProcessing: waitForProcessingField,
    timeouts: timeoutsField,
    connection: connectionField,
    lockMark: lockMarkField,
} as const satisfies Fields;

type Inputs = InputsOf<typeof inputs>;

/** Contents stand in checked inputs by their digests. */
function givenIn({ memory }: Session, values: Props): Given {
    const behind = (name: string) =>
        typeof values[name] === "string" ? contentBehind(memory, name, values[name]) : undefined;
    const raw = readRawState(behind("content") ?? Buffer.alloc(0));
    if (typeof raw === "string") throw new StatecraftError("content", `content: ${raw}`);
    return { raw, json: behind("jsonContent"), jsonOutputs: behind("jsonStateOutputs") };
}

const deedOf = ({ raw }: Given): Deed => ({
    noun: "a new state version",
    reason: `uploading the state with serial ${raw.serial}`,
    malformed: "The service does not take the content for a state of this workspace: look at its serial and lineage",
});

function recordOutputs(version: StateVersion): Props {
    const isFilledIn = version.processed || version.resources.length > 0;
    return withoutUndefined({
        serial: version.serial,
        status: version.status,
        createdAt: version.createdAt,
        size: version.size,
        // Until they are processed, empty resources are not the truth.
        resources: isFilledIn ? version.resources : undefined,
        resourcesProcessed: version.processed,
        toolVersion: version.toolVersion,
    });
}

function givenOutputs({ raw }: Given): Props {
    return withoutUndefined({ serial: raw.serial, lineage: raw.lineage, md5: raw.md5 });
}

async function create(session: Session, values: Inputs): Promise<Made> {
    const { workspaceId } = values;
    const given = givenIn(session, values);
    const deed = deedOf(given);
    let announced: StateVersion | undefined;
    const explained = (error: unknown) => explain(session, values, error, deed);
    const tell = async (error: unknown): Promise<never> => {
        throw await explained(error);
    };
    const { current, isSame, problem } = await compareWithCurrent(session, workspaceId, given).catch(tell);
    if (problem !== undefined) throw problem;
    if (isSame && current !== undefined) {
        await fillJson(session, current, given).catch(tell);
        await settleLeft(session, values).catch(tell);
        return finish(session, values, current.id, givenOutputs(given));
    }
    const plan = { workspaceId, given, inline: values.inline === true, runId: values.runId };
    const make = async () => {
        try {
            await makeVersion(session, plan, current, (version) => {
                announced = version;
            });
            return undefined;
        } catch (error) {
            if (announced === undefined) throw error;
            return { failure: await explained(error) };
        }
    };
    // A workspace cannot be unlocked while its latest version waits for its content.
    const { result: broken, isOurs, unreleased } = await underLock(session, values, deed, make, Boolean);
    const id = announced?.id ?? "";
    const outputs = { ...values, ...givenOutputs(given), status: "pending" };
    if (broken !== undefined) throw unfilled(id, outputs, isOurs ? ["upload", "unlock"] : ["upload"], broken);
    if (unreleased !== undefined) throw unlocked(id, { ...outputs, status: "finalized" }, unreleased);
    return finish(session, values, id, givenOutputs(given));
}

function unfilled(id: string, outputs: Props, left: string[], { failure }: { failure: unknown }): HalfMadeError {
    const lock = left.includes("unlock") ? ", and the workspace stays locked until then" : "";
    const problem = `the version ${id} was made, but its content is not there yet; the next \`pulumi up\` brings it${lock}`;
    return new HalfMadeError(id, outputs, left, problem, failure);
}

function unlocked(id: string, outputs: Props, cause: unknown): HalfMadeError {
    return new HalfMadeError(
        id,
        outputs,
        ["unlock", "readBack"],
        "the version is made, but its lock was not released",
        cause,
    );
}

/** Reads what the service says of a version that holds its content, and waits if asked. */
async function finish(session: Session, values: Inputs, id: string, known: Props): Promise<Made> {
    const asked = values.waitForProcessing;
    try {
        const waits = processingSeconds(asked) > 0;
        const version = waits ? await untilProcessed(session, id, asked) : await readVersion(session, id);
        return { id, outputs: { ...values, ...known, ...recordOutputs(version) } };
    } catch (error) {
        const step = processingSeconds(asked) > 0 ? "waitForProcessing" : "readBack";
        const problem = "the version is made, but could not be read to the end";
        throw new HalfMadeError(id, { ...values, ...known, status: "finalized" }, [step], problem, error);
    }
}

/** Goes on where an earlier run stopped. */
async function resume(session: Session, id: string, values: Inputs, olds: Props, left: readonly string[]) {
    const known = { ...outputsOnly(inputs, olds), unfinished: undefined };
    if (left.includes("upload")) {
        try {
            await fill(session, await readVersion(session, id), givenIn(session, values));
        } catch (failure) {
            throw unfilled(id, { ...values, ...withoutUndefined(known) }, [...left], { failure });
        }
    }
    if (left.includes("unlock")) {
        await releaseOwn(session, afterDeployment(values, olds)).catch((stuck: unknown) => {
            throw unlocked(id, { ...values, ...withoutUndefined(known), status: "finalized" }, stuck);
        });
    }
    return (await finish(session, values, id, withoutUndefined(known))).outputs;
}

/** What can be known of a version from its id alone. */
async function found(session: Session, version: StateVersion): Promise<Props> {
    const bytes = await downloaded(session, version.downloadUrl);
    const raw = bytes && readRawState(bytes);
    const state = typeof raw === "object" ? { lineage: raw.lineage, md5: raw.md5 } : {};
    const content = typeof raw === "object" && bytes ? digestOf(bytes) : undefined;
    return withoutUndefined({ workspaceId: version.workspaceId, runId: version.runId, content, ...state });
}

/** A version of a workspace's state. */
export const stateVersion = {
    type: "StateVersion",
    service: stateVersions,
    doc: "A new version of a workspace's state, which becomes current. Another content, and so another serial, or another workspace makes another version; versions are never changed, and deleting this resource deletes none.",
    inputs,
    outputs: {
        serial: { doc: "The state's serial.", type: "number" },
        lineage: { doc: "The state's lineage; early client tools wrote none.", type: "string", optional: true },
        md5: { doc: "MD5 of the raw state.", type: "string" },
        status: {
            doc: "`pending` until the content is there, then `finalized`; `discarded` when another version came before it.",
            type: "string",
            optional: true,
        },
        createdAt: { doc: "When the version was made: ISO 8601.", type: "string", optional: true },
        size: {
            doc: "Size of the state as the service tells it; its document names no unit.",
            type: "number",
            optional: true,
        },
        resources: {
            doc: "Resources that the version counts; absent until the service has processed them (see `waitForProcessing`).",
            type: "{ readonly name: string; readonly type: string; readonly count: number; readonly module: string; readonly provider: string }[]",
            optional: true,
        },
        resourcesProcessed: { doc: "Whether the service has processed the version's resources.", type: "boolean" },
        toolVersion: {
            doc: "Version of the client tool that created the state; absent until processed.",
            type: "string",
            optional: true,
        },
    },
    rules: [],
    errors: versionFailures,
    verbs: {
        create: (session, news) => create(session, news as unknown as Inputs),

        async read(session, id, state) {
            let version: StateVersion;
            try {
                version = await readVersion(session, id);
            } catch (error) {
                if (!mayBeRetired(error)) throw error;
                if (Object.keys(state).length === 0) return undefined;
                session.warn(
                    `the version ${id} does not exist any more, its content was retired, or the token may not see it: the service answers alike, ` +
                        "so the state is kept. `pulumi state delete` forgets this resource",
                );
                return { id, outputs: state };
            }
            const base = Object.keys(state).length === 0 ? await found(session, version) : state;
            const left = await leftIn(session, state as unknown as Inputs, state);
            return { id, outputs: { ...base, ...recordOutputs(version), ...left } };
        },

        async update(session, id, olds, news) {
            const values = news as unknown as Inputs;
            const left = unfinishedSteps(olds);
            if (left.length > 0) return resume(session, id, values, olds, left);
            return { ...outputsOnly(inputs, olds), ...values };
        },

        async delete(session, id, state) {
            const { workspaceId, lockMark } = state as unknown as Inputs;
            const left = unfinishedSteps(state);
            if (left.includes("unlock") && left.includes("upload")) {
                session.warn(
                    `the content of ${id} never came, and the service keeps the workspace ${workspaceId} locked until then: to release it ` +
                        `all the same, an administrator can POST ${forceUnlockPath(workspaceId)}`,
                );
            } else if (left.includes("unlock")) await releaseOwn(session, { workspaceId, lockMark });
            session.warn(
                `state versions cannot be deleted, so ${id} stays in its workspace; StateVersionBackingData retires the content of one`,
            );
        },
    },

    async preview(session, news, olds, hinder) {
        const { workspaceId, content } = news;
        if (typeof workspaceId !== "string" || typeof content !== "string" || holdsUnknown([workspaceId, content]))
            return;
        if (olds?.["workspaceId"] === workspaceId && olds["content"] === content) return;
        const given = givenIn(session, {
            content,
            jsonContent: holdsUnknown(news["jsonContent"]) ? undefined : news["jsonContent"],
        });
        const { current, isSame, problem } = await compareWithCurrent(session, workspaceId, given);
        if (problem !== undefined) return hinder(problem);
        const now = current === undefined ? "no state yet" : `${current.id}, serial ${current.serial ?? "unknown"}`;
        if (isSame) {
            return session.inform(
                `the current version of ${workspaceId} (${now}) has exactly this content, so nothing will be sent`,
            );
        }
        session.inform(
            `a new state with serial ${given.raw.serial} will become current in ${workspaceId} (now: ${now})`,
        );
        const hindering = await hindrance(session, news as unknown as Inputs, deedOf(given));
        if (hindering !== undefined) hinder(hindering);
    },
} as const satisfies Definition;
