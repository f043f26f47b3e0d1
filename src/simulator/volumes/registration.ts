/**
 * Registering volumes. All volumes of a payload are registered, or none. Their own ids count, not the path's.
 *
 * | what is there     | by the document       | as measured on real servers                            |
 * |-------------------|-----------------------|--------------------------------------------------------|
 * | nothing           | registered            | registered                                             |
 * | a volume          | `volume exists`       | updated in place, unless a field changes that cannot   |
 * | no plugin         | refused               | refused                                                |
 */

import type { Manners } from "../manners";
import type { Context, Reply } from "../route";
import { counted, SimulatorError } from "../simulator-error";
import type { Store } from "../store";
import { indexed } from "./blocking";
import { nothingMeasured, readPayload } from "./payload";
import {
    addVolume,
    claimsOn,
    findVolume,
    type MeasuredFields,
    namespaceOf,
    type Volume,
    type VolumeFields,
    type VolumesStore,
} from "./records";

/** Registers the volumes of a payload. */
export function register({ request, store }: Context): Reply {
    const { volumes, vocabulary } = store;
    const wanted = readPayload(request.body, namespaceOf(request), vocabulary);
    checkEach(wanted, volumes);
    return vocabulary === "product" ? addOrUpdate(wanted, store) : addNew(wanted, volumes);
}

function addNew(wanted: readonly VolumeFields[], volumes: VolumesStore): Reply {
    const existing = wanted.find(
        (volume, position) =>
            findVolume(volumes, volume.Namespace, volume.ID) !== undefined ||
            wanted.findIndex(({ ID, Namespace }) => ID === volume.ID && Namespace === volume.Namespace) < position,
    );
    if (existing !== undefined) throw refused(`volume exists: ${existing.ID}`);
    for (const volume of wanted) addVolume(volumes, volume);
    return { status: 200 };
}

function addOrUpdate(wanted: readonly VolumeFields[], store: Store): Reply {
    const { volumes } = store;
    const { volumes: manners = [] } = store.manners;
    const registered = wanted.map((volume) => {
        const { ID, Namespace, measured = nothingMeasured() } = volume;
        const before = findVolume(volumes, Namespace, ID);
        if (before) update(volumes, before, measured, manners);
        else addVolume(volumes, volume);
        return { ID, Namespace, CreateIndex: before?.CreateIndex ?? 0, Schedulable: false };
    });
    // The document shows no answer to a registration.
    if (manners.includes("tells-documented")) return { status: 200 };
    return indexed({ status: 200, body: { Index: volumes.index, Volumes: registered, Warnings: "" } }, store);
}

function checkEach(wanted: readonly VolumeFields[], store: VolumesStore): void {
    if (wanted.length === 0) throw refused("missing volume definition");
    for (const volume of wanted) {
        const problem = missingIn(volume) ?? pluginProblem(volume, store) ?? updateProblem(volume, store);
        if (problem !== undefined) throw refused(problem);
    }
}

function missingIn({ ID, PluginID, measured }: VolumeFields): string | undefined {
    const missing = [
        ...(ID === "" ? ["missing volume id"] : []),
        ...(PluginID === "" ? ["missing plugin id"] : []),
        ...(measured?.RequestedCapabilities.length === 0 ? ["must include at least one capability block"] : []),
    ];
    return missing.length > 0 ? `validation: ${missing.join(", ")}` : undefined;
}

/** A volume of a plugin with a controller can only be registered while the controller answers. */
function pluginProblem({ PluginID: id }: VolumeFields, store: VolumesStore): string | undefined {
    const plugin = store.plugins.find((candidate) => candidate.id === id);
    if (!plugin) return `no CSI plugin named: ${id} could be found`;
    return plugin.controllerRequired && !plugin.healthy ? `no healthy controllers for CSI plugin: ${id}` : undefined;
}

/** Why a real server does not update a volume, such as that its name is another one. */
function updateProblem(volume: VolumeFields, store: VolumesStore): string | undefined {
    const before = findVolume(store, volume.Namespace, volume.ID);
    const { measured } = volume;
    if (!before || !measured) return undefined;
    const had = before.measured ?? nothingMeasured();
    const isClaimed = claimsOn(store, before).length > 0;
    const isInUse = before.AccessMode !== "" || before.AttachmentMode !== "";
    const holdsModes = measured.RequestedCapabilities.some(
        (pair) => pair.AccessMode === before.AccessMode && pair.AttachmentMode === before.AttachmentMode,
    );
    const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
        [volume.Name !== "" && volume.Name !== before.Name, "volume name cannot be updated"],
        [volume.ExternalID !== "" && volume.ExternalID !== before.ExternalID, "volume external ID cannot be updated"],
        [volume.PluginID !== before.PluginID, "volume plugin ID cannot be updated"],
        [
            isFull(measured.Parameters) && !isSame(measured.Parameters, had.Parameters),
            "volume parameters cannot be updated",
        ],
        [
            had.Topologies.length > 0 && !isSame(measured.RequestedTopologies, had.RequestedTopologies),
            "volume topology request update was not compatible with existing topology",
        ],
        [
            isInUse && !holdsModes,
            "volume requested capabilities update was not compatible with existing capability in use",
        ],
        [
            isClaimed && !isSame(measured.MountOptions, had.MountOptions),
            "can not update mount options while volume is in use",
        ],
        [
            measured.RequestedCapacityMin > had.RequestedCapacityMin,
            "expand is not implemented by this controller plugin",
        ],
    ];
    const problems = rules.flatMap(([isBroken, problem]) => (isBroken ? [problem] : []));
    return problems.length === 0 ? undefined : `unable to update volume: ${counted(problems)}`;
}

/** What real servers do unless told otherwise: some fields that are left out, or empty, stay as they were, and others do not. */
function update(store: VolumesStore, volume: Volume, measured: MeasuredFields, manners: Manners): void {
    const had = volume.measured ?? nothingMeasured();
    const [merges, replaces] = [manners.includes("merges"), manners.includes("replaces")];
    const stays = (name: string) => merges && !measured.named.includes(name);
    store.index += 1;
    volume.ModifyIndex = store.index;
    volume.measured = {
        ...measured,
        Topologies: had.Topologies,
        Parameters: had.Parameters,
        MountOptions: stays("mountoptions") ? had.MountOptions : measured.MountOptions,
        Secrets: stays("secrets") ? had.Secrets : measured.Secrets,
        Context: replaces || isFull(measured.Context) ? measured.Context : had.Context,
        RequestedTopologies: had.Topologies.length > 0 ? had.RequestedTopologies : measured.RequestedTopologies,
        RequestedCapacityMin: replaces
            ? measured.RequestedCapacityMin
            : measured.RequestedCapacityMin || had.RequestedCapacityMin,
        RequestedCapacityMax: replaces
            ? measured.RequestedCapacityMax
            : measured.RequestedCapacityMax || had.RequestedCapacityMax,
    };
}

const isFull = (values: object) => Object.keys(values).length > 0;
const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

function refused(problem: string): SimulatorError {
    return new SimulatorError(500, problem);
}
