/** Volumes as the API shows them. Health follows the plugin at the moment of reading. */

import { asRead, type Manners, type ReadFields } from "../manners";
import type { Store } from "../store";
import { nothingMeasured } from "./payload";
import { type Claim, claimsOn, type Plugin, type Volume, type VolumesStore } from "./records";

/** What the document shows of a volume. None of its fields is secret. */
const fieldsOf = (documented: object): ReadFields => ({
    documented: new Set(Object.keys(documented)),
    secret: new Set(),
});

/** A volume as listed. */
export function listedVolume(volume: Volume, { volumes, vocabulary, manners }: Store): object {
    const documented = documentedList(volumes, volume);
    const measured = vocabulary === "product" ? measuredList(volume) : {};
    return asRead(manners.volumes ?? [], { ...documented, ...measured }, fieldsOf(documented));
}

/** A volume as read. */
export function readVolumeAnswer(volume: Volume, store: Store): object {
    const { volumes, vocabulary } = store;
    const { volumes: manners = [] } = store.manners;
    const claims = claimsOn(volumes, volume);
    const idsOf = (write: boolean) =>
        Object.fromEntries(claims.filter((claim) => claim.write === write).map(({ allocation }) => [allocation, null]));
    const documented = {
        ...documentedList(volumes, volume),
        Version: pluginOf(volumes, volume)?.version ?? "",
        Allocations: claims.map(allocation),
        ReadAllocs: idsOf(false),
        WriteAllocs: idsOf(true),
    };
    const measured = vocabulary === "product" ? { ...measuredList(volume), ...measuredRead(volume, manners) } : {};
    return asRead(manners, { ...documented, ...measured }, fieldsOf(documented));
}

function documentedList(store: VolumesStore, volume: Volume): object {
    const { CreateIndex, ModifyIndex, measured: _, ...fields } = volume;
    const plugin = pluginOf(store, volume);
    return {
        ...fields,
        Provider: plugin?.provider ?? "",
        ...health(plugin),
        ResourceExhausted: 0,
        CreateIndex,
        ModifyIndex,
    };
}

/** What a list of a real server shows otherwise than the document. */
function measuredList({ measured = nothingMeasured() }: Volume): object {
    return { ResourceExhausted: null, Topologies: measured.Topologies.map((Segments) => ({ Segments })) };
}

/** What a read of a real server shows beside the document's fields. Secrets are masked unless told otherwise. */
function measuredRead({ measured = nothingMeasured() }: Volume, manners: Manners): object {
    const { named: _, Topologies: __, MountOptions, Secrets, ...fields } = measured;
    if (manners.includes("shows-secrets")) return { ...fields, MountOptions, Secrets };
    const masked = { ...MountOptions, MountFlags: MountOptions.MountFlags && ["[REDACTED]"] };
    return { ...fields, MountOptions: asRead(manners, masked, fieldsOf({})), Secrets: null };
}

function pluginOf(store: VolumesStore, volume: Volume): Plugin | undefined {
    return store.plugins.find(({ id }) => id === volume.PluginID);
}

function health(plugin: Plugin | undefined): object {
    const healthy = plugin?.healthy === true;
    const nodes = plugin?.nodes.length ?? 0;
    const controllers = plugin?.controllerRequired ? 1 : 0;
    return {
        Schedulable: healthy,
        ControllerRequired: plugin?.controllerRequired ?? false,
        ControllersHealthy: healthy ? controllers : 0,
        ControllersExpected: controllers,
        NodesHealthy: healthy ? nodes : 0,
        NodesExpected: nodes,
    };
}

/** What the scheduler writes for a moment that has not come. */
const never = "0001-01-01T00:00:00Z";

function allocation(claim: Claim): object {
    const isRunning = claim.status === "running";
    return {
        ID: claim.allocation,
        EvalID: claim.evaluation,
        Name: `${claim.job}.main[0]`,
        NodeID: claim.node,
        PreviousAllocation: "",
        NextAllocation: "",
        JobID: claim.job,
        TaskGroup: "main",
        DesiredStatus: isRunning ? "run" : "stop",
        DesiredDescription: "",
        ClientStatus: claim.status,
        ClientDescription: isRunning ? "Tasks are running" : "All tasks have ended",
        CreateIndex: claim.createIndex,
        ModifyIndex: claim.modifyIndex,
        CreateTime: nanoseconds(claim.createdAt),
        ModifyTime: nanoseconds(claim.modifiedAt),
        RescheduleTracker: { Events: [] },
        TaskStates: {
            main: {
                State: isRunning ? "running" : "dead",
                StartedAt: claim.createdAt,
                LastRestart: never,
                FinishedAt: isRunning ? never : claim.modifiedAt,
                Restarts: 0,
                Failed: claim.status === "failed",
                Events: [{ Type: "Started", Time: nanoseconds(claim.createdAt), ...uneventful }],
            },
        },
    };
}

/** The fields of a task's event that say nothing. */
const uneventful = {
    ...withValue("", "RestartReason", "SetupError", "DriverError", "Message", "KillError", "KillReason"),
    ...withValue("", "DownloadError", "ValidationError", "FailedSibling", "SecretsError", "TaskSignalReason"),
    ...withValue("", "TaskSignal", "DriverMessage"),
    ...withValue(0, "ExitCode", "Signal", "KillTimeout", "StartDelay", "DiskLimit"),
    FailsTask: false,
};

function withValue(value: string | number, ...names: readonly string[]): object {
    return Object.fromEntries(names.map((name) => [name, value]));
}

function nanoseconds(time: string): number {
    return Date.parse(time) * 1_000_000;
}
