/**
 * Registers volumes: all volumes of a payload, or none. The ids in the payload are used, not the id in the path.
 *
 * | the id belongs to | with the documents' names | with the product's names                                 |
 * |-------------------|---------------------------|----------------------------------------------------------|
 * | no volume         | registered                | registered                                               |
 * | a volume          | `volume exists`           | updated in place, if each changed field allows an update |
 */

import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { parsed } from "../json";
import { badRequest, Refusal, refuse, validated } from "../refusal";
import type { Names, World } from "../store";
import {
    addVolume,
    claimsOn,
    findVolume,
    moreFields,
    type Volume,
    type VolumeFields,
    type VolumesStore,
    volumeFields,
} from "./records";

const payload = z.object({ Volumes: z.array(z.unknown()).nullish() });

/** Parses one volume of a payload. `namespace`: the default for a volume without a namespace. */
export function volumeIn(item: unknown, namespace: string, names: Names): VolumeFields {
    const fields = validated(volumeFields, item);
    const more = names === "product" ? { more: validated(moreFields, item) } : {};
    return { ...fields, Namespace: fields.Namespace || namespace, ...more };
}

export function register(body: string, namespace: string, { store: { volumes }, names }: World): Response {
    if (body === "") throw badRequest("Request body is empty");
    const items = validated(payload, parsed(body)).Volumes ?? [];
    const wanted = items.map((item) => volumeIn(item, namespace, names));
    if (wanted.length === 0) throw new Refusal(500, "missing volume definition");
    for (const volume of wanted) check(volume, volumes);
    const registered = wanted.map((volume) => {
        const { ID, Namespace } = volume;
        const before = findVolume(volumes, Namespace, ID);
        if (before && volume.more) update(volumes, before, volume.more);
        else addVolume(volumes, volume);
        return { ID, Namespace, CreateIndex: before?.CreateIndex ?? 0, Schedulable: false };
    });
    // The API documents show no body of the answer to a registration.
    if (names === "documents") return new Response();
    return Response.json({ Index: volumes.index, Volumes: registered, Warnings: "" });
}

function check(volume: VolumeFields, store: VolumesStore): void {
    const { ID, Namespace, PluginID, more } = volume;
    const plugin = store.plugins.find(({ id }) => id === PluginID);
    const before = findVolume(store, Namespace, ID);
    const problems: readonly (readonly [isPresent: boolean, text: string])[] = [
        [ID === "", "missing volume id"],
        [PluginID === "", "missing plugin id"],
        [more?.RequestedCapabilities.length === 0, "must include at least one capability block"],
        [hasBare(more, "Required"), "required topology is missing segments field"],
        [hasBare(more, "Preferred"), "preferred topology is missing segments field"],
    ];
    const texts = problems.flatMap(([isPresent, text]) => (isPresent ? [text] : []));
    refuse(
        500,
        [texts.length > 0, `validation: ${texts.join(", ")}`],
        [plugin === undefined, `no CSI plugin named: ${PluginID} could be found`],
        [plugin?.controllerRequired === true && !plugin.healthy, `no healthy controllers for CSI plugin: ${PluginID}`],
        [before !== undefined && !more, `volume exists: ${ID}`],
    );
    if (!more) return;
    if (before) checkUpdate(volume, before, claimsOn(store, before).length > 0, plugin?.expands === true);
    const unknown = more.RequestedCapabilities.flatMap(({ AccessMode, AttachmentMode }) => [
        ...(attachmentModes.includes(AttachmentMode) ? [] : [`attachment mode: ${AttachmentMode}`]),
        ...(accessModes.includes(AccessMode) ? [] : [`access mode: ${AccessMode}`]),
    ]);
    refuse(
        500,
        [
            plugin?.controllerRequired === true && unknown.length > 0,
            `controller validate volume: CSI.ControllerValidateVolume: unknown volume ${unknown[0]}`,
        ],
        [!store.namespaces.includes(Namespace), `volume ${ID} is in nonexistent namespace ${Namespace}`],
    );
}

const accessModes = [
    ...["single-node-reader-only", "single-node-writer", "multi-node-reader-only"],
    ...["multi-node-single-writer", "multi-node-multi-writer"],
];
const attachmentModes = ["file-system", "block-device"];

/** Refuses a change of a field that Nomad does not change in place. An empty name or external ID is no change. */
function checkUpdate(volume: VolumeFields, before: Volume, isClaimed: boolean, canExpand: boolean): void {
    const isChanged = (name: "Name" | "ExternalID" | "PluginID") =>
        volume[name] !== "" && volume[name] !== before[name];
    const isOther = (name: "Parameters" | "MountOptions") =>
        !isDeepStrictEqual(volume.more?.[name], before.more?.[name]);
    const areOther = !isDeepStrictEqual(requestedIn(volume.more), requestedIn(before.more));
    const { min, max, capacity, isResized } = sizes(volume.more, before.more);
    // The modes remain until the first claim has ended.
    const isUsable =
        before.AccessMode === "" ||
        volume.more?.RequestedCapabilities.some(
            ({ AccessMode, AttachmentMode }) =>
                AccessMode === before.AccessMode && AttachmentMode === before.AttachmentMode,
        );
    const refused = "unable to update volume:";
    const unmerged = (text: string) => `${refused} 1 error occurred:\n\t* ${text}\n\n`;
    refuse(
        500,
        [isChanged("Name"), unmerged("volume name cannot be updated")],
        [isChanged("ExternalID"), unmerged("volume external ID cannot be updated")],
        [isChanged("PluginID"), unmerged("volume plugin ID cannot be updated")],
        [isFull(volume.more?.Parameters) && isOther("Parameters"), unmerged("volume parameters cannot be updated")],
        [
            !isUsable,
            unmerged("volume requested capabilities update was not compatible with existing capability in use"),
        ],
        [
            before.Topologies.length > 0 && areOther,
            unmerged("volume topology request update was not compatible with existing topology"),
        ],
        [
            isResized && max > 0 && max < min,
            `${refused} max requested capacity (${max} B) less than or equal to min (${min} B)`,
        ],
        [
            isResized && max > 0 && max < capacity,
            `${refused} max requested capacity (${max} B) less than or equal to current (${capacity} B)`,
        ],
        [isResized && min > capacity && !canExpand, `${refused} expand is not implemented by this controller plugin`],
        [isClaimed && isOther("MountOptions"), unmerged("can not update mount options while volume is in use")],
    );
}

type More = VolumeFields["more"];

const hasBare = (more: More, list: "Required" | "Preferred") =>
    more?.RequestedTopologies?.[list]?.some(({ Segments }) => Object.keys(Segments ?? {}).length === 0) === true;

/** The topologies that a registration requests. An omitted list equals an empty one. */
function requestedIn(more: More) {
    const { Required, Preferred } = more?.RequestedTopologies ?? {};
    return more?.RequestedTopologies && [Required ?? [], Preferred ?? []];
}

/** The sizes that an update requests, and the present one. Two sizes of 0 request nothing. */
function sizes(given: More, before: More) {
    const [min, max] = [given?.RequestedCapacityMin ?? 0, given?.RequestedCapacityMax ?? 0];
    const isOther = min !== before?.RequestedCapacityMin || max !== before.RequestedCapacityMax;
    return { min, max, capacity: before?.Capacity ?? 0, isResized: min + max > 0 && isOther };
}

/** Replaces all fields but the parameters and the requested topologies. An empty context and sizes of 0 change nothing. */
function update(store: VolumesStore, volume: Volume, given: NonNullable<Volume["more"]>): void {
    const { more: before = given } = volume;
    const { min, max, capacity, isResized } = sizes(given, before);
    store.index += 1;
    volume.ModifyIndex = store.index;
    volume.more = {
        ...given,
        Parameters: before.Parameters,
        RequestedTopologies: before.RequestedTopologies,
        Context: isFull(given.Context) ? given.Context : before.Context,
        RequestedCapacityMin: isResized ? min : before.RequestedCapacityMin,
        RequestedCapacityMax: isResized ? max : before.RequestedCapacityMax,
        Capacity: isResized ? Math.max(min, capacity) : capacity,
    };
}

const isFull = (values: object = {}) => Object.keys(values).length > 0;
