/** CsiVolume: an external volume, registered with the scheduler (document "Volumes"). */

import type { Writes } from "../../core/creation";
import { declared } from "../../core/declared";
import type { Definition } from "../../core/definition";
import { diffInputs } from "../../core/diff";
import { secondsOf } from "../../core/duration";
import { type Defaults, type Fields, field, type Props } from "../../core/field";
import { duration, flag, someText, text, textMaps } from "../../core/kind";
import { fromWire, toWire } from "../../core/meaning";
import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { fieldsIn } from "../../core/vocabularies";
import { NotFoundError, ServiceError, StatecraftError } from "../../errors";
import { adoptField, connectionField, timeoutsField } from "../options";
import { volumeFailures } from "./failures";
import { mode, modeRules, wordsOf } from "./modes";
import { modeIn, productFields, productRules, seenModes, unseenIn } from "./product-fields";
import { explained } from "./refusals";
import { dropRegistration, formerRegistration, keepRegistration } from "./removed-registrations";
import { toldIndex, volumes } from "./service";
import { type Address, at, claimsOf, look, type WholeVolume } from "./whole-volume";

// Registering an existing volume is an error, so a second registration would fail where the first one worked.
const register = operation("PUT /v1/volume/csi/{id}", "refused");
const deregister = operation("DELETE /v1/volume/csi/{id}");
const detach = operation("DELETE /v1/volume/csi/{id}/detach");

/** Where a volume is whose program names no namespace. */
export const homeNamespace = ({ namespace }: Pick<Defaults, "namespace">) => namespace ?? "default";

const inputs = {
    volumeId: field(
        text({
            pattern: /^(?!\.{1,2}$)[^/\p{Cc}]+$/u,
            must: "must not be empty, nor . or .., nor hold / or control characters",
        }),
        {
            wire: "ID",
            required: true,
            replaces: true,
            doc: "The volume's `ID`: what jobs name it by.",
        },
    ),
    name: field(someText, {
        wire: "Name",
        defaultFrom: "volumeId",
        replaces: true,
        doc: "Name shown to people. Defaults to `volumeId`.",
    }),
    namespace: field(text({ pattern: /^[^/*]+$/, must: "must be the name of one namespace" }), {
        wire: "Namespace",
        replaces: true,
        settled: homeNamespace,
        doc: "Namespace of the volume. Defaults to the `namespace` of the settings, else `default`.",
    }),
    externalId: field(text(), {
        wire: "ExternalID",
        default: "",
        replaces: true,
        doc: "The volume's ID at the storage provider. Left out, the plugin is given `volumeId`.",
    }),
    pluginId: field(someText, {
        wire: "PluginID",
        required: true,
        replaces: true,
        doc: "The CSI plugin that serves the volume.",
    }),
    topologies: field(textMaps, {
        wire: "Topologies",
        default: [],
        replaces: true,
        doc: "Where the volume can be reached from: flat maps of segments. Their order carries no meaning.",
    }),
    accessMode: field(mode, {
        wire: "AccessMode",
        default: "",
        replaces: "documented",
        product: { wire: undefined, defaultBy: (written: Props) => modeIn(written["capabilities"], "accessMode") },
        doc: `How many nodes may use the volume at once, and how: ${wordsOf("accessMode")}. Other words are sent with a warning.`,
    }),
    attachmentMode: field(mode, {
        wire: "AttachmentMode",
        default: "",
        replaces: "documented",
        product: { wire: undefined, defaultBy: (written: Props) => modeIn(written["capabilities"], "attachmentMode") },
        doc: `What the volume looks like to a task: ${wordsOf("attachmentMode")}. Other words are sent with a warning.`,
    }),
    ...productFields,
    force: field(flag, {
        option: true,
        default: false,
        doc: "Deregister with `force`: claims of allocations that have ended are dropped at once. Running allocations still prevent it. Off by default.",
    }),
    detachOnDelete: field(flag, {
        option: true,
        default: false,
        doc: "Before deregistering, ask the scheduler to detach the volume from the nodes that hold it. A failure of that is a warning. Off by default.",
    }),
    waitUntilSchedulable: field(duration(), {
        option: true,
        default: 0,
        doc: "After registering, wait this long at most until the volume is schedulable: whole seconds, or text such as `2m`. Off by default.",
    }),
    adopt: adoptField,
    timeouts: timeoutsField,
    connection: connectionField,
} as const satisfies Fields;

/** What names a volume. Lookups and detachments share it. */
export const volumeFields = { volumeId: inputs.volumeId, namespace: inputs.namespace } as const;

/** Which writes made a volume and changed it last. Real servers take a second registration for a change. */
function writesOf({ CreateIndex: made, ModifyIndex: changed }: WholeVolume): Writes | undefined {
    return made === undefined || changed === undefined ? undefined : { made, changed };
}

/** The outputs that are not inputs. */
function toldOf(volume: WholeVolume): Props {
    return {
        provider: volume.Provider,
        version: volume.Version,
        schedulable: volume.Schedulable,
        controllersHealthy: volume.ControllersHealthy,
        controllersExpected: volume.ControllersExpected,
        nodesHealthy: volume.NodesHealthy,
        nodesExpected: volume.NodesExpected,
    };
}

function heldBy(volume: WholeVolume): string {
    const holders = claimsOf(volume).map(
        ({ allocation, node, job }) =>
            `allocation ${allocation}${job && ` of job ${job}`}${node && ` on node ${node}`}`,
    );
    return `in use by ${holders.join(", ")}`;
}

function inUse(address: Address, volume: WholeVolume): StatecraftError {
    return new StatecraftError("in-use", `the volume ${address.id} is ${heldBy(volume)}, so it was left registered`, {
        hint: "Stop these jobs first. For claims of allocations that have ended, set `force: true` and run `pulumi up` before deleting or replacing",
    });
}

/** Asks each node that holds the volume to let go of it. What fails here may still be well for deregistering. */
async function detachAll(session: Session, address: Address, volume: WholeVolume): Promise<void> {
    for (const node of new Set(claimsOf(volume).flatMap((claim) => claim.node || []))) {
        const call = { ...at(address), query: { namespace: address.namespace, node } };
        await session.client.call(detach, call).catch((error: unknown) => {
            session.warn(`detachOnDelete: node ${node}: ${error instanceof Error ? error.message : String(error)}`);
        });
    }
}

const pollMilliseconds = 1_000;

/** An external volume. */
export const csiVolume: Definition = {
    type: "CsiVolume",
    service: volumes,
    doc: "An external volume of type `csi`, registered with the workload scheduler. The storage itself is neither created nor deleted.",
    inputs,
    outputs: {
        provider: { doc: "Name of the storage provider, as last read.", type: "string" },
        version: { doc: "Version of the plugin, as last read.", type: "string" },
        schedulable: { doc: "Whether the volume could be scheduled when last read.", type: "boolean" },
        controllersHealthy: { doc: "Healthy controllers of the plugin, as last read.", type: "number" },
        controllersExpected: { doc: "Controllers of the plugin, as last read.", type: "number" },
        nodesHealthy: { doc: "Nodes with a healthy plugin, as last read.", type: "number" },
        nodesExpected: { doc: "Nodes with the plugin, as last read.", type: "number" },
    },
    rules: [...productRules, ...modeRules],
    errors: volumeFailures,
    deleteBeforeReplace: true,
    preview: async (session, news, olds) => {
        if (olds !== undefined) await foretell(session, news, olds);
    },
    verbs: declared<Address>({
        inputs,
        title: ({ namespace, id }) => `volume ${id} in namespace ${namespace}`,
        address: (values, session) => ({
            namespace: String(values["namespace"] ?? homeNamespace(session)),
            id: String(values["volumeId"]),
        }),
        id: ({ namespace, id }) => `${namespace}/${id}`,
        idForm: "<namespace>/<volumeId>",
        parse(id) {
            const [, namespace, volumeId] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
            return namespace && volumeId ? { namespace, id: volumeId } : undefined;
        },
        named: ({ namespace, id }) => ({ namespace, volumeId: id }),

        async observe(session, address) {
            const volume = await look(session, address);
            if (volume === undefined) return undefined;
            const fields = fromWire(fieldsIn(inputs, session.vocabulary), volume);
            const modes = session.vocabulary === "product" ? seenModes(fields["capabilities"]) : {};
            return {
                // A name that was never given is stored empty by some servers.
                fields: { ...fields, ...modes, name: fields["name"] || address.id },
                unseen: session.vocabulary === "product" ? unseenIn(fields) : [],
                outputs: toldOf(volume),
                writes: writesOf(volume),
            };
        },

        async write(session, address, values) {
            const body = {
                Volumes: [{ ...toWire(fieldsIn(inputs, session.vocabulary), values), Namespace: address.namespace }],
            };
            const answer = await session.client.call(register, { ...at(address), body }).catch((error: unknown) => {
                throw explained(error, values["pluginId"]);
            });
            dropRegistration(session, address);
            return toldIndex(answer);
        },

        recover(session, address) {
            const former = formerRegistration(session, address);
            return (
                former &&
                `The former registration was removed already; to put it back, PUT this to ${register.path(address)}: ${former}`
            );
        },

        async remove(session, address, state) {
            const volume = await look(session, address);
            if (volume === undefined) return;
            if (state["detachOnDelete"] === true) await detachAll(session, address, volume);
            await untilFree(session, address, state["force"] === true);
            keepRegistration(session, address, fieldsIn(inputs, session.vocabulary), volume);
            await deregisterVolume(session, address, state["force"] === true).catch((error: unknown) => {
                // A repetition finds nothing where the first request worked and only its answer was lost.
                if (!(error instanceof NotFoundError)) dropRegistration(session, address);
                throw error;
            });
        },

        waits: (values) => (secondsOf(values["waitUntilSchedulable"]) > 0 ? ["waitUntilSchedulable"] : []),

        async settle(session, address, values) {
            const begun = session.now();
            const limit = session.waitLimit(secondsOf(values["waitUntilSchedulable"]), 0);
            for (;;) {
                const volume = await look(session, address);
                if (volume?.Schedulable) return toldOf(volume);
                const waited = Math.round((session.now() - begun) / 1000);
                const health = volume
                    ? `${volume.NodesHealthy} of ${volume.NodesExpected} nodes healthy`
                    : "the volume is gone";
                if (session.now() - begun >= limit * 1000) {
                    throw new StatecraftError("timeout", `the volume is not schedulable after ${waited} s: ${health}`, {
                        hint: `Check the plugin ${JSON.stringify(values["pluginId"])}; the next \`pulumi up\` waits again`,
                    });
                }
                session.progress(`waiting until the volume is schedulable, ${waited} s so far: ${health}`);
                await session.sleep(pollMilliseconds);
            }
        },
    }),
};

/** Tells in a preview of changes that the service refuses while the volume is held. */
async function foretell(session: Session, news: Props, olds: Props): Promise<void> {
    const fields = fieldsIn(inputs, session.vocabulary);
    const { changed, replaces } = diffInputs(fields, olds, news, session.vocabulary);
    const refusedInUse = changed.filter((name) => replaces.includes(name) || name === "mountOptions");
    const [namespace, id] = [olds["namespace"] ?? homeNamespace(session), olds["volumeId"]];
    if (refusedInUse.length === 0 || typeof id !== "string") return;
    const volume = await look(session, { namespace: String(namespace), id });
    const force = olds["force"] === true;
    if (volume === undefined || claimsOf(volume).every(({ ended }) => force && ended)) return;
    session.warn(
        `${refusedInUse.join(", ")}: cannot change now, because the volume ${id} is ${heldBy(volume)}: stop these jobs first`,
    );
}

/** How often to look again where a state passes within seconds after a job has stopped. */
const passingTries = 5;

/** Refuses a volume that is held, before anything is sent. Claims of ended allocations go by themselves, or with `force`. */
async function untilFree(session: Session, address: Address, force: boolean): Promise<void> {
    for (let tries = 1; ; tries++) {
        const volume = await look(session, address);
        const holding = volume ? claimsOf(volume).filter(({ ended }) => !(force && ended)) : [];
        if (volume === undefined || holding.length === 0) return;
        if (tries === passingTries || holding.some(({ ended }) => !ended)) throw inUse(address, volume);
        await session.sleep(pollMilliseconds);
    }
}

async function deregisterVolume(session: Session, address: Address, force: boolean): Promise<void> {
    const call = { ...at(address), query: { namespace: address.namespace, ...(force ? { force } : {}) } };
    for (let tries = 1; ; tries++) {
        try {
            await session.client.call(deregister, call);
            return;
        } catch (refusal) {
            const isInUse =
                refusal instanceof ServiceError && refusal.reasons.some((reason) => reason.startsWith("volume in use"));
            if (!isInUse) throw refusal;
            const volume = tries === passingTries ? await look(session, address) : undefined;
            if (tries === passingTries) throw volume && claimsOf(volume).length > 0 ? inUse(address, volume) : refusal;
            await session.sleep(pollMilliseconds);
        }
    }
}
