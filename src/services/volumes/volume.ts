/** Volumes of Nomad: their addresses, their properties in answers, and the read of one (document "Volumes"). */

import * as z from "zod";
import type { Context, ServerDefaults } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import type { IdParts } from "../../core/identity";
import type { Body } from "../../core/resource";
import type { Answer } from "../../core/service";
import { AnswerError, ConfigError, unlessAbsent } from "../../errors";
import { property } from "../../schema/property";
import { pathSegment, stringMap, stringOf } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import { isRecord } from "../../schema/values";
import { count, field, flag, list, number, text } from "../record-fields";
import { onRead } from "./service";

/** The default namespace of volumes: that of the settings, else `default`. */
export const homeNamespace = ({ namespace }: Pick<ServerDefaults, "namespace">) => namespace ?? "default";

/** The two inputs that name a volume. */
export const addressProperties = {
    volumeId: property(pathSegment, { wire: "ID", immutable: true, description: "Id of the volume, which jobs use." }),
    namespace: property(stringOf(/^[^/*]+$/, "must be the name of one namespace").optional(), {
        wire: "Namespace",
        immutable: true,
        chosen: true,
        description: "Namespace of the volume. Defaults to the `namespace` of the settings, else `default`.",
    }),
};

/** A list of ids. Nomad shows them as the keys of an object. */
const ids = (wire: string, description: string) =>
    field(wire, z.array(z.string()), description, {
        default: [],
        wireForm: { decode: (answer) => (isRecord(answer) ? Object.keys(answer) : []) },
    });

const taskEvent = property(
    z.strictObject({
        type: text("Type", "What happened."),
        time: number("Time", "When, in the service's unit."),
        message: text("Message", "The event in words."),
        restartReason: text("RestartReason", "Why the task was restarted."),
        setupError: text("SetupError", "Why the task could not be set up."),
        driverError: text("DriverError", "Why the driver failed."),
        driverMessage: text("DriverMessage", "What the driver said."),
        exitCode: number("ExitCode", "Exit code of the task."),
        signal: number("Signal", "Number of the signal that ended the task."),
        killTimeout: number("KillTimeout", "How long the task had to end by itself, in the service's unit."),
        killError: text("KillError", "Why the task could not be ended."),
        killReason: text("KillReason", "Why the task was ended."),
        startDelay: number("StartDelay", "How long the start was delayed, in the service's unit."),
        downloadError: text("DownloadError", "Why a download failed."),
        validationError: text("ValidationError", "What was wrong with the task."),
        diskLimit: number("DiskLimit", "Limit of the disk that was exceeded."),
        failedSibling: text("FailedSibling", "The task whose failure ended this one."),
        secretsError: text("SecretsError", "Why Vault failed."),
        taskSignalReason: text("TaskSignalReason", "Why a signal was sent."),
        taskSignal: text("TaskSignal", "The signal that was sent."),
        failsTask: flag("FailsTask", "Whether the event makes the task a failed one."),
    }),
    { typeName: "CsiVolumeTaskEvent", description: "Something that happened to a task of an allocation." },
);

const taskState = property(
    z.strictObject({
        state: text("State", "State of the task."),
        failed: flag("Failed", "Whether the task has failed."),
        restarts: count("Restarts", "How often the task was restarted."),
        startedAt: text("StartedAt", "When the task was started: ISO 8601."),
        lastRestart: text("LastRestart", "When the task was restarted last: ISO 8601."),
        finishedAt: text("FinishedAt", "When the task ended: ISO 8601."),
        events: list("Events", taskEvent, "What happened to the task, oldest first."),
    }),
    { typeName: "CsiVolumeTaskState", description: "The state of a task of an allocation." },
);

const rescheduleEvent = property(
    z.strictObject({
        prevAllocId: text("PrevAllocID", "Id of the allocation before."),
        prevNodeId: text("PrevNodeID", "Id of its node."),
        rescheduleTime: number("RescheduleTime", "When, in the service's unit."),
        delay: text("Delay", "How long it was delayed."),
    }),
    { typeName: "CsiVolumeRescheduleEvent", description: "One rescheduling of an allocation." },
);

const rescheduleTracker = property(
    z.strictObject({ events: list("Events", rescheduleEvent, "The reschedulings, oldest first.") }),
    { typeName: "CsiVolumeRescheduleTracker", description: "The reschedulings of an allocation." },
);

const allocation = property(
    z.strictObject({
        id: text("ID", "Id of the allocation."),
        evalId: text("EvalID", "Id of the evaluation that created it."),
        name: text("Name", "Name of the allocation."),
        nodeId: text("NodeID", "Id of the node that it runs on."),
        previousAllocation: text("PreviousAllocation", "Id of the allocation that it replaced."),
        nextAllocation: text("NextAllocation", "Id of the allocation that replaced it."),
        jobId: text("JobID", "Id of its job."),
        taskGroup: text("TaskGroup", "Its group of tasks."),
        desiredStatus: text("DesiredStatus", "The status that the scheduler wants."),
        desiredDescription: text("DesiredDescription", "Why it wants that."),
        clientStatus: text("ClientStatus", "Its status on its node."),
        clientDescription: text("ClientDescription", "The same in words."),
        rescheduleTracker: field("RescheduleTracker", rescheduleTracker, "Its reschedulings.", { default: {} }),
        taskStates: field("TaskStates", z.record(z.string(), taskState), "The states of its tasks, by name.", {
            default: {},
        }),
        createIndex: number("CreateIndex", "Index of the write that created it."),
        modifyIndex: number("ModifyIndex", "Index of the write that changed it last."),
        createTime: number("CreateTime", "When it was created, in the service's unit."),
        modifyTime: number("ModifyTime", "When it was changed last, in the service's unit."),
    }),
    { typeName: "CsiVolumeAllocation", description: "An allocation that claims a volume." },
);

/** The health of a volume's plugin. It changes without a write of the volume. */
export const healthProperties = {
    schedulable: flag("Schedulable", "Whether the volume is schedulable, as of the last read."),
    controllersHealthy: count("ControllersHealthy", "Healthy controllers of the plugin."),
    controllersExpected: count("ControllersExpected", "Controllers of the plugin."),
    nodesHealthy: count("NodesHealthy", "Nodes with a healthy plugin."),
    nodesExpected: count("NodesExpected", "Nodes with the plugin."),
};

/** Converts the time or `null` that Nomad returns to the seconds of the API documents. */
const secondsIn = (answer: unknown) =>
    typeof answer === "string" ? Math.max(0, Math.floor(Date.parse(answer) / 1000)) : (answer ?? 0);

const listedProperties = {
    volumeId: text("ID", "Id of the volume, which jobs use."),
    externalId: text("ExternalID", "Id of the volume at the storage provider."),
    namespace: text("Namespace", "Namespace of the volume."),
    name: text("Name", "Display name."),
    topologies: list("Topologies", stringMap, "Topologies from which the volume is accessible."),
    accessMode: text("AccessMode", "Access mode."),
    attachmentMode: text("AttachmentMode", "Attachment mode."),
    pluginId: text("PluginID", "Id of the plugin."),
    provider: text("Provider", "Name of the storage provider."),
    controllerRequired: flag("ControllerRequired", "Whether the plugin needs a controller."),
    ...healthProperties,
    resourceExhausted: field(
        "ResourceExhausted",
        z.number(),
        "Value of Nomad for exhausted resources, a time in seconds.",
        { default: 0, wireForm: { decode: secondsIn } },
    ),
    createIndex: number("CreateIndex", "Index of the write that created the volume."),
    modifyIndex: number("ModifyIndex", "Index of the write that changed it last."),
};

/** The properties of a volume that a read returns. */
export const wholeVolumeProperties = {
    ...listedProperties,
    version: text("Version", "Version of the plugin."),
    allocations: list("Allocations", allocation, "The allocations that claim the volume."),
    readAllocs: ids("ReadAllocs", "Ids of the allocations that claim it for reading."),
    writeAllocs: ids("WriteAllocs", "Ids of the allocations that claim it for writing."),
};

/** The properties of a volume that a list returns. */
export const listedVolume = property(z.strictObject(listedProperties), {
    typeName: "ListedCsiVolume",
    description: "A volume as listed.",
});

export const showVolume = endpoint("GET /v1/volume/csi/{id}", "always", onRead);

/** The namespace and the id of a volume. */
export type VolumeAddress = IdParts<"namespace" | "volumeId">;

/** The types of its parameters in ids. */
export const volumeTypes = { namespace: stringOf(/^[^*]+$/, "must be one namespace") };

/** The address of the volume that inputs name. */
export const addressOf = (
    { namespace, volumeId }: { readonly namespace?: string | undefined; readonly volumeId: string },
    settings: ServerDefaults,
): VolumeAddress => ({ namespace: namespace ?? oneNamespace(settings), volumeId });

/** @throws ConfigError for the settings of all namespaces, which a list accepts */
function oneNamespace(settings: ServerDefaults): string {
    const namespace = homeNamespace(settings);
    if (namespace !== "*") return namespace;
    const problem = "namespace: is required, because that of the settings is *, which means all (`NOMAD_NAMESPACE`)";
    throw new ConfigError("namespace", problem);
}

/** The name of a volume in messages. */
export const titleOf = ({ namespace, volumeId }: VolumeAddress) => `volume ${volumeId} in namespace ${namespace}`;

/** The parameters of a request for a volume. */
export const atVolume = ({ namespace, volumeId: id }: VolumeAddress) => ({ parameters: { id }, query: { namespace } });

export const volumeReader = recordReader(z.strictObject(wholeVolumeProperties));

/** Whether a record is a volume. Only the field `ID` is required, because servers may leave out every other one. */
export const isVolume = (record: unknown): record is Body => isRecord(record) && typeof record["ID"] === "string";

/** The error for an answer without volumes. */
export const noVolumes = ({ exchange }: Answer) =>
    new AnswerError(exchange, "it contains no volume", "Check `address` in the settings");

/**
 * The volume in an answer: its record, its properties, and the ids of the allocations that claim it.
 * @throws AnswerError for an answer without a volume
 */
export function volumeIn(answer: Answer) {
    const { body } = answer;
    if (!isVolume(body)) throw noVolumes(answer);
    const volume = volumeReader.read(body);
    return { body, volume, claimants: [...new Set([...volume.readAllocs, ...volume.writeAllocs])] };
}

/** Reads a volume. Returns `undefined` if it does not exist. */
export async function readVolume({ client }: Context, address: VolumeAddress) {
    const answer = await client.call(showVolume, atVolume(address)).catch(unlessAbsent);
    return answer && volumeIn(answer);
}
