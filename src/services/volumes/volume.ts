/** A volume as the service shows it: where it is, its listed and its read form, and which allocations claim it (document "Volumes"). */

import * as z from "zod";
import { recordReader } from "../../core/defined-function";
import { type Body, unlessAbsent } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import type { Answer } from "../../core/service";
import { AnswerError } from "../../errors";
import { type Defaults, property } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";
import { isRecord } from "../../schema/unknown";
import { otherForm } from "./failures";

/** The namespace of a volume whose program names none. */
export const homeNamespace = ({ namespace }: Pick<Defaults, "namespace">) => namespace ?? "default";

/** The two properties that name a volume. */
export const placeProperties = {
    volumeId: property(
        stringOf(/^(?!\.{1,2}$)[^/\p{Cc}]+$/u, "must not be empty, nor . or .., nor hold / or control characters"),
        { wire: "ID", immutable: true, description: "The volume's `ID`: what jobs name it by." },
    ),
    namespace: property(stringOf(/^[^/*]+$/, "must be the name of one namespace").optional(), {
        wire: "Namespace",
        immutable: true,
        sticky: true,
        description: "Namespace of the volume. Defaults to the `namespace` of the settings, else `default`.",
    }),
};

const text = (wire: string, description: string) =>
    property(z.string(), {
        wire,
        default: "",
        wireForm: { decode: (answer) => (typeof answer === "string" ? answer : "") },
        description,
    });
const flag = (wire: string, description: string) =>
    property(z.boolean(), { wire, default: false, wireForm: { decode: (answer) => answer === true }, description });
const number = (wire: string, description: string, type = z.number()) =>
    property(type, { wire, default: 0, wireForm: { decode: countOf }, description });
/** How many of something, and not a moment or an index. */
const count = (wire: string, description: string) => number(wire, description, z.int());
const ids = (wire: string, description: string) =>
    property(z.array(z.string()), {
        wire,
        default: [],
        wireForm: { decode: (answer) => Object.keys(recordOf(answer)) },
        description,
    });
const list = <Item extends z.ZodType>(wire: string, item: Item, description: string) =>
    property(z.array(item), {
        wire,
        default: [],
        wireForm: { decode: (answer) => (Array.isArray(answer) ? answer : []) },
        description,
    });

const recordOf = (answer: unknown) => (isRecord(answer) ? answer : {});

/** Nomad shows a moment where the document has a number. */
function countOf(value: unknown): number {
    if (typeof value === "number") return value;
    const moment = typeof value === "string" ? Date.parse(value) : Number.NaN;
    return moment > 0 ? Math.floor(moment / 1000) : 0;
}

const taskEvent = property(
    z.strictObject({
        type: text("Type", "What happened."),
        time: number("Time", "When, as the service counts it."),
        message: text("Message", "The event in words."),
        restartReason: text("RestartReason", "Why the task was restarted."),
        setupError: text("SetupError", "Why the task could not be set up."),
        driverError: text("DriverError", "What the driver failed at."),
        driverMessage: text("DriverMessage", "What the driver said."),
        exitCode: number("ExitCode", "Exit code of the task."),
        signal: number("Signal", "Number of the signal that ended the task."),
        killTimeout: number("KillTimeout", "How long the task had to end by itself, as the service counts it."),
        killError: text("KillError", "Why the task could not be ended."),
        killReason: text("KillReason", "Why the task was ended."),
        startDelay: number("StartDelay", "How long the start was put off, as the service counts it."),
        downloadError: text("DownloadError", "Why a download failed."),
        validationError: text("ValidationError", "What was wrong with the task."),
        diskLimit: number("DiskLimit", "Limit of the disk that was exceeded."),
        failedSibling: text("FailedSibling", "The task whose failure ended this one."),
        secretsError: text("SecretsError", "What the secrets manager failed at."),
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
    { typeName: "CsiVolumeTaskState", description: "How a task of an allocation is doing." },
);

const rescheduleEvent = property(
    z.strictObject({
        prevAllocId: text("PrevAllocID", "Id of the allocation before."),
        prevNodeId: text("PrevNodeID", "Id of its node."),
        rescheduleTime: number("RescheduleTime", "When, as the service counts it."),
        delay: text("Delay", "How long it was put off."),
    }),
    { typeName: "CsiVolumeRescheduleEvent", description: "One time that the work of an allocation was put elsewhere." },
);

const rescheduleTracker = property(
    z.strictObject({ events: list("Events", rescheduleEvent, "Each time, oldest first.") }),
    { typeName: "CsiVolumeRescheduleTracker", description: "How often the work of an allocation was put elsewhere." },
);

const allocation = property(
    z.strictObject({
        id: text("ID", "Id of the allocation."),
        evalId: text("EvalID", "Id of the evaluation that made it."),
        name: text("Name", "Name of the allocation."),
        nodeId: text("NodeID", "Id of the node that it runs on."),
        previousAllocation: text("PreviousAllocation", "Id of the allocation that it followed."),
        nextAllocation: text("NextAllocation", "Id of the allocation that follows it."),
        jobId: text("JobID", "Id of its job."),
        taskGroup: text("TaskGroup", "Its group of tasks."),
        desiredStatus: text("DesiredStatus", "What the scheduler wants of it."),
        desiredDescription: text("DesiredDescription", "Why it wants that."),
        clientStatus: text("ClientStatus", "What its node says of it."),
        clientDescription: text("ClientDescription", "That in words."),
        rescheduleTracker: property(rescheduleTracker, {
            wire: "RescheduleTracker",
            default: {},
            wireForm: { decode: recordOf },
            description: "How often its work was put elsewhere.",
        }),
        taskStates: property(z.record(z.string(), taskState), {
            wire: "TaskStates",
            default: {},
            wireForm: { decode: recordOf },
            description: "How its tasks are doing, by their names.",
        }),
        createIndex: number("CreateIndex", "The write that made it."),
        modifyIndex: number("ModifyIndex", "The write that changed it last."),
        createTime: number("CreateTime", "When it was made, as the service counts it."),
        modifyTime: number("ModifyTime", "When it was changed last, as the service counts it."),
    }),
    { typeName: "CsiVolumeAllocation", description: "An allocation that claims a volume." },
);

const listedProperties = {
    volumeId: text("ID", "The volume's `ID`: what jobs name it by."),
    externalId: text("ExternalID", "Id of the volume at the storage provider."),
    namespace: text("Namespace", "Namespace of the volume."),
    name: text("Name", "Name shown to people."),
    topologies: property(z.array(z.record(z.string(), z.string())), {
        wire: "Topologies",
        default: [],
        wireForm: { decode: (answer) => (Array.isArray(answer) ? answer.filter(isRecord) : []) },
        description: "Where the volume can be reached from.",
    }),
    accessMode: text("AccessMode", "How many nodes may use the volume at once, and how."),
    attachmentMode: text("AttachmentMode", "What the volume looks like to a task."),
    schedulable: flag("Schedulable", "Whether the volume can be scheduled now."),
    pluginId: text("PluginID", "Id of the plugin."),
    provider: text("Provider", "Name of the storage provider."),
    controllerRequired: flag("ControllerRequired", "Whether the plugin needs a controller."),
    controllersHealthy: count("ControllersHealthy", "Healthy controllers of the plugin."),
    controllersExpected: count("ControllersExpected", "Controllers of the plugin."),
    nodesHealthy: count("NodesHealthy", "Nodes with a healthy plugin."),
    nodesExpected: count("NodesExpected", "Nodes with the plugin."),
    resourceExhausted: number(
        "ResourceExhausted",
        "What the service says of exhausted resources: 0 where it says nothing.",
    ),
    createIndex: number("CreateIndex", "The write that made the volume."),
    modifyIndex: number("ModifyIndex", "The write that changed it last."),
};

/** The properties of a volume as read. */
export const wholeVolumeProperties = {
    ...listedProperties,
    version: text("Version", "Version of the plugin."),
    allocations: list("Allocations", allocation, "The allocations that claim the volume."),
    readAllocs: ids("ReadAllocs", "Ids of those that claim it for reading."),
    writeAllocs: ids("WriteAllocs", "Ids of those that claim it for writing."),
};

/** A volume as listed. */
export const listedVolume = property(z.strictObject(listedProperties), {
    typeName: "ListedCsiVolume",
    description: "A volume as listed.",
});

/** Shows a volume. */
export const showVolume = operation("GET /v1/volume/csi/{id}");

/** The path and the query of a request for one volume. */
export interface Address {
    readonly namespace: string;
    readonly id: string;
}

/** The same as parameters of a request. */
export const at = ({ namespace, id }: Address) => ({ parameters: { id }, query: { namespace } });

const { read } = recordReader(z.strictObject(wholeVolumeProperties));

/** A volume as read. */
export type Volume = ReturnType<typeof read>;

/** Whether a record is one of a volume: servers may leave out every field but the ID. */
export const isVolume = (record: unknown): record is Body => isRecord(record) && typeof record["ID"] === "string";

/** The volume that an answer shows, with the record as it came. @throws AnswerError for what is no volume */
export function volumeIn({ body, exchange }: Answer): { readonly body: Body; readonly volume: Volume } {
    if (!isVolume(body)) throw new AnswerError(exchange, otherForm());
    return { body, volume: read(body) };
}

/** The volume, or `undefined` when there is none. */
export async function look({ client }: RequestContext, address: Address) {
    const answer = await client.call(showVolume, at(address)).catch(unlessAbsent);
    return answer && volumeIn(answer);
}

const endedStatuses: readonly string[] = ["complete", "failed", "lost"];

/** The allocations that claim a volume. */
export function claimsOf({ readAllocs, writeAllocs, allocations }: Volume) {
    return [...new Set([...readAllocs, ...writeAllocs])].map((id) => {
        const { jobId = "", nodeId = "", clientStatus = "" } = allocations.find((record) => record.id === id) ?? {};
        return { id, jobId, nodeId, hasEnded: endedStatuses.includes(clientStatus) };
    });
}
