/** Volumes as the service tells them, in the words of programs: the listed form, and the read form with its allocations (document "Volumes"). */

import type { OutputField } from "../../core/definition";
import { isRecord } from "../../core/engine-values";
import type { Props } from "../../core/field";
import type { RecordType } from "../../core/function";

/** A field of an answer: how it is shown, and how a value of the answer is read, whatever a server makes of it. */
interface Told extends OutputField {
    /** Its name in the answer, where that does not follow from ours. */
    readonly wire?: string;
    read(value: unknown): unknown;
}

type Form = Readonly<Record<string, Told>>;

interface ToldRecord extends RecordType {
    readonly fields: Form;
}

const text = (doc: string): Told => ({
    doc,
    type: "string",
    read: (value) => (typeof value === "string" ? value : ""),
});
const flag = (doc: string): Told => ({ doc, type: "boolean", read: (value) => value === true });
const count = (doc: string): Told => ({ doc, type: "number", read: countOf });
const ids = (doc: string): Told => ({
    doc,
    type: "string[]",
    read: (value) => Object.keys(isRecord(value) ? value : {}),
});
const list = (record: ToldRecord, doc: string): Told => ({
    doc,
    type: `${record.name}[]`,
    read: (value) => (Array.isArray(value) ? value : []).map((item) => told(record.fields, item)),
});

/** Some servers tell a moment where the document has a number. */
function countOf(value: unknown): number {
    if (typeof value === "number") return value;
    const moment = typeof value === "string" ? Date.parse(value) : Number.NaN;
    return moment > 0 ? Math.floor(moment / 1000) : 0;
}

const taskEvent: ToldRecord = {
    name: "CsiVolumeTaskEvent",
    doc: "Something that happened to a task of an allocation.",
    fields: {
        type: text("What happened."),
        time: count("When, as the service counts it."),
        message: text("The event in words."),
        restartReason: text("Why the task was restarted."),
        setupError: text("Why the task could not be set up."),
        driverError: text("What the driver failed at."),
        driverMessage: text("What the driver said."),
        exitCode: count("Exit code of the task."),
        signal: count("Number of the signal that ended the task."),
        killTimeout: count("How long the task had to end by itself, as the service counts it."),
        killError: text("Why the task could not be ended."),
        killReason: text("Why the task was ended."),
        startDelay: count("How long the start was put off, as the service counts it."),
        downloadError: text("Why a download failed."),
        validationError: text("What was wrong with the task."),
        diskLimit: count("Limit of the disk that was exceeded."),
        failedSibling: text("The task whose failure ended this one."),
        secretsError: text("What the secrets manager failed at."),
        taskSignalReason: text("Why a signal was sent."),
        taskSignal: text("The signal that was sent."),
        failsTask: flag("Whether the event makes the task a failed one."),
    },
};

const taskState: ToldRecord = {
    name: "CsiVolumeTaskState",
    doc: "How a task of an allocation is doing.",
    fields: {
        state: text("State of the task."),
        failed: flag("Whether the task has failed."),
        restarts: count("How often the task was restarted."),
        startedAt: text("When the task was started: ISO 8601."),
        lastRestart: text("When the task was restarted last: ISO 8601."),
        finishedAt: text("When the task ended: ISO 8601."),
        events: list(taskEvent, "What happened to the task, oldest first."),
    },
};

const rescheduleEvent: ToldRecord = {
    name: "CsiVolumeRescheduleEvent",
    doc: "One time that the work of an allocation was put elsewhere.",
    fields: {
        prevAllocId: text("Id of the allocation before."),
        prevNodeId: text("Id of its node."),
        rescheduleTime: count("When, as the service counts it."),
        delay: text("How long it was put off."),
    },
};

const rescheduleTracker: ToldRecord = {
    name: "CsiVolumeRescheduleTracker",
    doc: "How often the work of an allocation was put elsewhere.",
    fields: { events: list(rescheduleEvent, "Each time, oldest first.") },
};

const allocation: ToldRecord = {
    name: "CsiVolumeAllocation",
    doc: "An allocation that claims a volume.",
    fields: {
        id: text("Id of the allocation."),
        evalId: text("Id of the evaluation that made it."),
        name: text("Name of the allocation."),
        nodeId: text("Id of the node that it runs on."),
        previousAllocation: text("Id of the allocation that it followed."),
        nextAllocation: text("Id of the allocation that follows it."),
        jobId: text("Id of its job."),
        taskGroup: text("Its group of tasks."),
        desiredStatus: text("What the scheduler wants of it."),
        desiredDescription: text("Why it wants that."),
        clientStatus: text("What its node says of it."),
        clientDescription: text("That in words."),
        rescheduleTracker: {
            doc: "How often its work was put elsewhere.",
            type: rescheduleTracker.name,
            read: (value) => told(rescheduleTracker.fields, value),
        },
        taskStates: {
            doc: "How its tasks are doing, by their names.",
            type: `Record<string, ${taskState.name}>`,
            read: (value) =>
                Object.fromEntries(
                    Object.entries(isRecord(value) ? value : {}).map(([task, state]) => [
                        task,
                        told(taskState.fields, state),
                    ]),
                ),
        },
        createIndex: count("The write that made it."),
        modifyIndex: count("The write that changed it last."),
        createTime: count("When it was made, as the service counts it."),
        modifyTime: count("When it was changed last, as the service counts it."),
    },
};

const listed = {
    volumeId: { ...text("The volume's `ID`: what jobs name it by."), wire: "ID" },
    externalId: text("Id of the volume at the storage provider."),
    namespace: text("Namespace of the volume."),
    name: text("Name shown to people."),
    topologies: {
        doc: "Where the volume can be reached from.",
        type: "Record<string, string>[]",
        read: (value) => (Array.isArray(value) ? value : []).filter(isRecord),
    },
    accessMode: text("How many nodes may use the volume at once, and how."),
    attachmentMode: text("What the volume looks like to a task."),
    schedulable: flag("Whether the volume can be scheduled now."),
    pluginId: text("Id of the plugin."),
    provider: text("Name of the storage provider."),
    controllerRequired: flag("Whether the plugin needs a controller."),
    controllersHealthy: count("Healthy controllers of the plugin."),
    controllersExpected: count("Controllers of the plugin."),
    nodesHealthy: count("Nodes with a healthy plugin."),
    nodesExpected: count("Nodes with the plugin."),
    resourceExhausted: count("What the service says of exhausted resources: 0 where it says nothing."),
    createIndex: count("The write that made the volume."),
    modifyIndex: count("The write that changed it last."),
} as const satisfies Form;

const whole = {
    ...listed,
    version: text("Version of the plugin."),
    allocations: list(allocation, "The allocations that claim the volume."),
    readAllocs: ids("Ids of those that claim it for reading."),
    writeAllocs: ids("Ids of those that claim it for writing."),
} as const satisfies Form;

/** A volume as listed. */
export const listedVolume: RecordType = { name: "ListedCsiVolume", doc: "A volume as listed.", fields: listed };

/** The fields of a volume as read. */
export const wholeVolumeFields: Readonly<Record<string, OutputField>> = whole;

/** The types that these fields name. */
export const allocationRecords: readonly RecordType[] = [
    allocation,
    rescheduleTracker,
    rescheduleEvent,
    taskState,
    taskEvent,
];

/** A volume of a list. */
export function readListed(item: unknown): Props {
    return told(listed, item);
}

/** A volume as read. */
export function readWhole(body: unknown): Props {
    return told(whole, body);
}

function told(form: Form, value: unknown): Record<string, unknown> {
    const data = isRecord(value) ? value : {};
    return Object.fromEntries(
        Object.entries(form).map(([name, { read, wire = wireName(name) }]) => [name, read(data[wire])]),
    );
}

/** `externalId` is `ExternalID`. */
function wireName(name: string): string {
    return (name.charAt(0).toUpperCase() + name.slice(1)).replace(/Id$/, "ID");
}
