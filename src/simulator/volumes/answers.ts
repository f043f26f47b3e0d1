/** The answers about volumes. Health is that of the plugin at the time of the read. */

import { type Claim, claimsOn, type Plugin, type Volume, type VolumesStore } from "./records";

/** The record of a volume in a list. */
export function listedVolume(store: VolumesStore, volume: Volume): object {
    const { more, ...fields } = volume;
    const plugin = pluginOf(store, volume);
    // `ResourceExhausted` is a number in the API documents, and a time or `null` in answers of Nomad.
    return { ...fields, Provider: plugin?.provider ?? "", ...health(plugin), ResourceExhausted: more ? null : 0 };
}

/** The record of a volume in a read. Nomad hides secrets and mount flags. */
export function readVolume(store: VolumesStore, volume: Volume): object {
    const { more } = volume;
    const claims = claimsOn(store, volume);
    const idsOf = (write: boolean) =>
        Object.fromEntries(claims.filter((claim) => claim.write === write).map(({ allocation }) => [allocation, null]));
    return {
        ...listedVolume(store, volume),
        Version: pluginOf(store, volume)?.version ?? "",
        Allocations: claims.map(allocation),
        ReadAllocs: idsOf(false),
        WriteAllocs: idsOf(true),
        ...(more && {
            ...more,
            Secrets: null,
            MountOptions: { ...more.MountOptions, MountFlags: more.MountOptions.MountFlags && ["[REDACTED]"] },
        }),
    };
}

function pluginOf(store: VolumesStore, volume: Volume): Plugin | undefined {
    return store.plugins.find(({ id }) => id === volume.PluginID);
}

/** The record of a plugin, without the version, allocations and jobs that a read of Nomad shows too. */
export function listedPlugin(plugin: Plugin): object {
    const { Schedulable: _, ...counts } = health(plugin);
    return { ID: plugin.id, Provider: plugin.provider, ...counts };
}

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

/** The time of an event that has not happened. */
const never = "0001-01-01T00:00:00Z";
const nanoseconds = (time: string) => Date.parse(time) * 1_000_000;

function allocation({ job, status, index, createdAt, modifiedAt, ...claim }: Claim): object {
    const isRunning = status === "running";
    const task = {
        State: isRunning ? "running" : "dead",
        StartedAt: createdAt,
        LastRestart: never,
        FinishedAt: isRunning ? never : modifiedAt,
        Restarts: 0,
        Failed: status === "failed",
        Events: [{ Type: "Started", Time: nanoseconds(createdAt), Message: "", SecretsError: "", ExitCode: 0 }],
    };
    return {
        ID: claim.allocation,
        EvalID: "",
        Name: `${job}.main[0]`,
        NodeID: claim.node,
        PreviousAllocation: "",
        NextAllocation: "",
        JobID: job,
        TaskGroup: "main",
        DesiredStatus: isRunning ? "run" : "stop",
        DesiredDescription: "",
        ClientStatus: status,
        ClientDescription: "",
        CreateIndex: index,
        ModifyIndex: index,
        CreateTime: nanoseconds(createdAt),
        ModifyTime: nanoseconds(modifiedAt),
        RescheduleTracker: { Events: [] },
        TaskStates: { main: task },
    };
}
