/**
 * Registering volumes. All volumes of a payload are registered, or none. Their own ids count, not the path's.
 *
 * | already there     | with the documents' names | with the product's names                               |
 * |-------------------|---------------------------|--------------------------------------------------------|
 * | nothing           | registered                | registered                                             |
 * | a volume          | `volume exists`           | updated in place, unless a field changes that cannot   |
 * | no plugin         | refused                   | refused                                                |
 */

import { z } from "zod";
import type { World } from "../app";
import { parsed } from "../json";
import { badRequest, Refusal, validated } from "../refusal";
import type { Names } from "../store";
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

/** One volume of a payload, in its own namespace or else in the given one. */
export function volumeIn(item: unknown, namespace: string, names: Names): VolumeFields {
    const fields = validated(volumeFields, item);
    const more = names === "product" ? { more: validated(moreFields, item) } : {};
    return { ...fields, Namespace: fields.Namespace || namespace, ...more };
}

/** Registers the volumes of a payload. */
export function register(body: string, namespace: string, { store: { volumes }, names }: World): Response {
    if (body === "") throw badRequest("Request body is empty");
    const items = validated(payload, parsed(body)).Volumes ?? [];
    const wanted = items.map((item) => volumeIn(item, namespace, names));
    if (wanted.length === 0) throw refused("missing volume definition");
    for (const volume of wanted) check(volume, volumes);
    const registered = wanted.map((volume) => {
        const { ID, Namespace } = volume;
        const before = findVolume(volumes, Namespace, ID);
        if (before && volume.more) update(volumes, before, volume.more);
        else addVolume(volumes, volume);
        return { ID, Namespace, CreateIndex: before?.CreateIndex ?? 0, Schedulable: false };
    });
    // The document shows no answer to a registration.
    if (names === "documents") return new Response();
    return Response.json({ Index: volumes.index, Volumes: registered, Warnings: "" });
}

function check(volume: VolumeFields, store: VolumesStore): void {
    const missing = [
        ...(volume.ID === "" ? ["missing volume id"] : []),
        ...(volume.PluginID === "" ? ["missing plugin id"] : []),
        ...(volume.more?.RequestedCapabilities.length === 0 ? ["must include at least one capability block"] : []),
    ];
    if (missing.length > 0) throw refused(`validation: ${missing.join(", ")}`);
    const plugin = store.plugins.find(({ id }) => id === volume.PluginID);
    if (!plugin) throw refused(`no CSI plugin named: ${volume.PluginID} could be found`);
    if (plugin.controllerRequired && !plugin.healthy) {
        throw refused(`no healthy controllers for CSI plugin: ${plugin.id}`);
    }
    const before = findVolume(store, volume.Namespace, volume.ID);
    if (before && !volume.more) throw refused(`volume exists: ${volume.ID}`);
    if (before) checkUpdate(volume, before, claimsOn(store, before).length > 0);
}

/** Refuses an update of what a real server cannot change. An empty name or external ID stays as it was. */
function checkUpdate(volume: VolumeFields, before: Volume, isClaimed: boolean): void {
    const isOther = (name: "Parameters" | "MountOptions") =>
        JSON.stringify(volume.more?.[name]) !== JSON.stringify(before.more?.[name]);
    const changed = (["Name", "ExternalID", "PluginID"] as const).find(
        (name) => volume[name] !== "" && volume[name] !== before[name],
    );
    if (changed !== undefined) throw refused(`unable to update volume: volume ${words[changed]} cannot be updated`);
    if (isFull(volume.more?.Parameters) && isOther("Parameters")) {
        throw refused("unable to update volume: volume parameters cannot be updated");
    }
    if (isClaimed && isOther("MountOptions")) {
        throw refused("unable to update volume: can not update mount options while volume is in use");
    }
}

const words = { Name: "name", ExternalID: "external ID", PluginID: "plugin ID" };

/** An empty context, parameters, and capacities of 0 stay as they were; the other fields are replaced. */
function update(store: VolumesStore, volume: Volume, given: NonNullable<Volume["more"]>): void {
    const { more: before = given } = volume;
    store.index += 1;
    volume.ModifyIndex = store.index;
    volume.more = {
        ...given,
        Parameters: before.Parameters,
        Context: isFull(given.Context) ? given.Context : before.Context,
        RequestedCapacityMin: given.RequestedCapacityMin || before.RequestedCapacityMin,
        RequestedCapacityMax: given.RequestedCapacityMax || before.RequestedCapacityMax,
    };
}

const isFull = (values: object = {}) => Object.keys(values).length > 0;

function refused(problem: string): Refusal {
    return new Refusal(500, problem);
}
