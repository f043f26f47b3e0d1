/** Volumes as the API shows them. Health follows the plugin at the moment of reading. */
import type { Telling } from "../manners";
import type { Claim, Plugin, Volume, VolumesWorld } from "./records";
import { claimsOn } from "./records";

/** A volume as listed. */
export function listed(world: VolumesWorld, volume: Volume) {
    const plugin = world.plugins.find(({ id }) => id === volume.PluginID);
    return {
        ID: volume.ID,
        ExternalID: volume.ExternalID,
        Namespace: volume.Namespace,
        Name: volume.Name,
        Topologies: volume.Topologies,
        AccessMode: volume.AccessMode,
        AttachmentMode: volume.AttachmentMode,
        PluginID: volume.PluginID,
        Provider: plugin?.provider ?? "",
        ...health(plugin),
        ResourceExhausted: 0,
        CreateIndex: volume.CreateIndex,
        ModifyIndex: volume.ModifyIndex,
    };
}

/** A volume as read. */
export function read(world: VolumesWorld, volume: Volume) {
    const claims = claimsOn(world, volume);
    const plugin = world.plugins.find(({ id }) => id === volume.PluginID);
    const idsOf = (write: boolean) =>
        Object.fromEntries(claims.filter((claim) => claim.write === write).map(({ allocation }) => [allocation, null]));
    return {
        ...listed(world, volume),
        Version: plugin?.version ?? "",
        Allocations: claims.map(allocationRecord),
        ReadAllocs: idsOf(false),
        WriteAllocs: idsOf(true),
    };
}

/** The document's tables of a listed volume and of one that is read. None of their fields is secret. */
export const volumeTelling: Telling = {
    documented: new Set([
        ...["ID", "ExternalID", "Namespace", "Name", "Topologies", "AccessMode", "AttachmentMode", "Schedulable"],
        ...["PluginID", "Provider", "ControllerRequired", "ControllersHealthy", "ControllersExpected"],
        ...["NodesHealthy", "NodesExpected", "ResourceExhausted", "CreateIndex", "ModifyIndex"],
        ...["Version", "Allocations", "ReadAllocs", "WriteAllocs"],
    ]),
    secret: new Set(),
};

function health(plugin: Plugin | undefined) {
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

function allocationRecord(claim: Claim) {
    const running = claim.status === "running";
    return {
        ID: claim.allocation,
        EvalID: claim.evaluation,
        Name: `${claim.job}.main[0]`,
        NodeID: claim.node,
        PreviousAllocation: "",
        NextAllocation: "",
        JobID: claim.job,
        TaskGroup: "main",
        DesiredStatus: running ? "run" : "stop",
        DesiredDescription: "",
        ClientStatus: claim.status,
        ClientDescription: running ? "Tasks are running" : "All tasks have ended",
        CreateIndex: claim.createIndex,
        ModifyIndex: claim.modifyIndex,
        CreateTime: nanoseconds(claim.createdAt),
        ModifyTime: nanoseconds(claim.modifiedAt),
        RescheduleTracker: { Events: [] },
        TaskStates: {
            main: {
                State: running ? "running" : "dead",
                StartedAt: claim.createdAt,
                LastRestart: NEVER,
                FinishedAt: running ? NEVER : claim.modifiedAt,
                Restarts: 0,
                Failed: claim.status === "failed",
                Events: [taskEvent(claim)],
            },
        },
    };
}

/** What the scheduler writes for a moment that has not come. */
const NEVER = "0001-01-01T00:00:00Z";

function taskEvent(claim: Claim) {
    return {
        Type: "Started",
        Time: nanoseconds(claim.createdAt),
        RestartReason: "",
        SetupError: "",
        DriverError: "",
        Message: "",
        KillError: "",
        KillReason: "",
        DownloadError: "",
        ValidationError: "",
        FailedSibling: "",
        SecretsError: "",
        TaskSignalReason: "",
        TaskSignal: "",
        DriverMessage: "",
        ExitCode: 0,
        Signal: 0,
        KillTimeout: 0,
        StartDelay: 0,
        DiskLimit: 0,
        FailsTask: false,
    };
}

function nanoseconds(time: string): number {
    return Date.parse(time) * 1_000_000;
}
