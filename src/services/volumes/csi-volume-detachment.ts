/** CsiVolumeDetachment: a volume, let go of by a node (document "Volumes"). */

import { type Definition, HalfMadeError, type Made, unfinishedSteps } from "../../core/definition";
import { diffInputs } from "../../core/diff";
import { type Fields, field, type Props } from "../../core/field";
import { text } from "../../core/kind";
import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { ServiceError, StatecraftError } from "../../errors";
import { connectionField, triggersField } from "../options";
import { homeNamespace, volumeFields } from "./csi-volume";
import { detachmentFailures } from "./failures";
import { volumes } from "./service";
import { type Claim, claimsOf, look } from "./whole-volume";

const detach = operation("DELETE /v1/volume/csi/{id}/detach");

const inputs = {
    volumeId: field(volumeFields.volumeId.kind, {
        required: true,
        replaces: true,
        doc: "The volume's `ID`.",
    }),
    namespace: field(volumeFields.namespace.kind, {
        replaces: true,
        settled: homeNamespace,
        doc: "Namespace of the volume. Defaults to the `namespace` of the settings, else `default`.",
    }),
    node: field(text({ pattern: /^[^/\s\p{Cc}]+$/u, must: "must be the id of a node" }), {
        required: true,
        replaces: true,
        doc: "Id of the node that is to let go of the volume.",
    }),
    triggers: triggersField("detaches"),
    connection: connectionField,
} as const satisfies Fields;

interface Place {
    readonly namespace: string;
    readonly volumeId: string;
    readonly node: string;
}

/** Who claims the volume, or `undefined` when there is no such volume. */
async function claimsOn(session: Session, { namespace, volumeId }: Place): Promise<Claim[] | undefined> {
    const volume = await look(session, { namespace, id: volumeId });
    return volume && claimsOf(volume);
}

/** No allocation of the node claims a volume that is free or gone. */
function isDetached(claims: readonly Claim[] | undefined, { node }: Place): boolean {
    return !claims?.some((claim) => claim.node === node);
}

function absent({ volumeId, namespace }: Place): StatecraftError {
    return new StatecraftError("absent", `the volume ${volumeId} in namespace ${namespace} does not exist`, {
        hint: "Check `volumeId` and `namespace`; a volume that was deregistered need not be detached",
    });
}

function inUse({ volumeId, node }: Place, claims: readonly Claim[]): StatecraftError {
    const holders = claims.map(
        ({ allocation, job, node: where, ended }) =>
            `allocation ${allocation}${job && ` of job ${job}`}${where && where !== node ? ` on node ${where}` : ""}${ended ? ", which has ended" : ""}`,
    );
    return new StatecraftError(
        "in-use",
        `the volume ${volumeId} is in use by ${holders.join("; ")}, so it was not detached from node ${node}`,
        { hint: "Stop these jobs, or drain the node, and run `pulumi up` again" },
    );
}

/** Asks for the detachment. What would refuse it is looked at before, because the service's own words name nobody. */
async function ask(session: Session, place: Place): Promise<void> {
    const claims = await claimsOn(session, place);
    if (claims === undefined) throw absent(place);
    const running = claims.filter(({ node, ended }) => node === place.node && !ended);
    if (running.length > 0) throw inUse(place, running);
    const { volumeId: id, namespace, node } = place;
    try {
        await session.client.call(detach, { parameters: { id }, query: { namespace, node } });
    } catch (refusal) {
        if (!(refusal instanceof ServiceError)) throw refusal;
        const reason = refusal.reasons.join(" ");
        if (reason.startsWith("no such volume")) throw absent(place);
        // Servers of some versions give this to every detachment: they detach by themselves, and only then.
        if (reason === "Unknown allocation") {
            session.warn(
                `the server refused the detachment (${reason}), as some versions always do; it detaches by itself after the job has stopped`,
            );
            return;
        }
        if (!reason.startsWith("volume in use")) throw refusal;
        const holding = (await claimsOn(session, place)) ?? [];
        const here = holding.filter((claim) => claim.node === node);
        throw holding.length === 0 ? refusal : inUse(place, here.length > 0 ? here : holding);
    }
}

/** The outputs, with what the volume says now. */
async function outcome(session: Session, place: Place, values: Props): Promise<Made> {
    const id = idOf(place);
    const outputs = { ...values, namespace: place.namespace };
    try {
        return { id, outputs: { ...outputs, detached: isDetached(await claimsOn(session, place), place) } };
    } catch (error) {
        const problem = "the node was asked to let go of the volume, but the volume could not be read afterwards";
        throw new HalfMadeError(id, { ...outputs, detached: false }, ["readBack"], problem, error);
    }
}

function placeOf(values: Props, session: Session): Place {
    return {
        namespace: String(values["namespace"] ?? homeNamespace(session)),
        volumeId: String(values["volumeId"]),
        node: String(values["node"]),
    };
}

const idOf = ({ namespace, volumeId, node }: Place) => `${namespace}/${volumeId}/${node}`;

function parse(id: string): Place {
    const [, namespace, volumeId, node] = /^([^/]+)\/([^/]+)\/([^/]+)$/.exec(id) ?? [];
    if (namespace && volumeId && node) return { namespace, volumeId, node };
    throw new StatecraftError(
        "id",
        `the id ${JSON.stringify(id)} does not have the form <namespace>/<volumeId>/<node>`,
    );
}

/** A volume, let go of by a node. */
export const csiVolumeDetachment: Definition = {
    type: "CsiVolumeDetachment",
    service: volumes,
    doc: "Asks the workload scheduler to detach a volume from a node, once, and again when `triggers` change. Deleting it does nothing.",
    inputs,
    outputs: {
        detached: {
            doc: "Whether no allocation of the node claimed the volume any more when it was read after the request. The service does its part in the background.",
            type: "boolean",
        },
    },
    rules: [],
    errors: detachmentFailures,
    verbs: {
        async create(session, values) {
            const place = placeOf(values, session);
            await ask(session, place);
            return outcome(session, place, values);
        },

        // It is a deed and no object, so it cannot be gone.
        async read(session, id, state) {
            if (Object.keys(state).length > 0) return { id, outputs: state };
            const place = parse(id);
            const claims = await claimsOn(session, place);
            return claims && { id, outputs: { ...place, detached: isDetached(claims, place) } };
        },

        async update(session, id, olds, news) {
            const place = parse(id);
            const { sends } = diffInputs(inputs, olds, news, session.vocabulary);
            const looksAgain = unfinishedSteps(olds).includes("readBack");
            if (sends) await ask(session, place);
            else if (!looksAgain) return { ...news, namespace: place.namespace, detached: olds["detached"] };
            return (await outcome(session, place, news)).outputs;
        },

        async delete() {},

        named: (id) => ({ ...parse(id) }),
    },
};
