/** What the volumes' resources and functions say when something is wrong. */

import { failure, finding, refusal, sentence } from "../../catalogue";
import { absence } from "../../core/failures";

/** Allocations claim a volume that was to be deregistered. */
export const volumeInUse = failure({
    code: "in-use",
    message: "the volume {id} is in use by {held}, so it was left registered",
    cause: "Allocations claim the volume, so deleting or replacing it was refused before anything was sent. The message names them, their jobs and nodes.",
    action: "Stop these jobs first. For claims of allocations that have ended, set `force: true` and run {up} before deleting or replacing",
});

/** The same with `force`. */
export const volumeInUseByRunning = failure({
    code: "in-use",
    message: "the volume {id} is in use by {held}, which `force` does not drop, so it was left registered",
    cause: "Running allocations claim the volume: `force` drops only claims of those that have ended. The message names them, their jobs and nodes.",
    action: "Stop these jobs first",
});

/** The same in a preview. */
export const noChangeInUse = sentence({
    message: "{names}: cannot change now, because the volume {id} is in use by {held}: stop these jobs first",
    cause: "A warning of the preview: the service refuses this change while allocations claim the volume. The message names them, their jobs and nodes.",
    action: "Stop these jobs, or leave the arguments that the message begins with as they were.",
});

/** A volume was not schedulable in time. */
export const notSchedulable = failure({
    code: "timeout",
    message: "the volume is not schedulable after {seconds} s: {health}",
    cause: "`waitUntilSchedulable` ended. The volume is registered and in state; the message tells how many nodes are healthy.",
    action: "Check the plugin {plugin}; the next {up} waits again",
});

/** A node did not let go before the deregistration. */
export const notDetached = sentence({
    message: "detachOnDelete: node {node}: {problem}",
    cause: "A warning: a node could not be asked to detach. Deregistering goes on.",
    action: "Nothing, unless the deregistration fails as well.",
});

/** Neither modes nor capabilities. */
export const noCapability = finding({
    path: "accessMode",
    message: "a volume needs to say how it may be used: give accessMode and attachmentMode, or capabilities",
    cause: "Real servers (`vocabulary: product`) refuse a volume without them.",
    action: "Give both modes, or `capabilities`.",
});

/** Both modes and capabilities. */
export const saidTwice = finding({
    path: "capabilities",
    message: "say the same as accessMode and attachmentMode: give either these two or the list",
    cause: "The modes are a single capability by another name.",
    action: "Leave out the modes, or `capabilities`.",
});

/** Bounds the wrong way round. */
export const capacityBounds = finding({
    path: "capacityMin",
    message: "must not be more than capacityMax",
    cause: "No size fits both bounds.",
    action: "Lower `capacityMin`, or raise `capacityMax`. One that is left out stays as it was.",
});

/** A mode that no scheduler is known to act on. */
export const unknownMode = sentence({
    message: "{mode} is none of the words that schedulers act on, which are {known}",
    cause: "A warning: the document shows no words for the modes. These are sent as they are.",
    action: "Correct `accessMode` or `attachmentMode` if it is misspelt.",
});

/** Refusals of a registration; what is known to be done about each. `plugin` is the volume's plugin, in quotes. */
export const registrationRefusals = [
    refusal({
        code: "exists",
        message: "volume exists…",
        cause: "The volume was registered by somebody else after this program looked.",
        action: "The service does not change a registered volume: to take it over, `adopt: true` needs every field to match",
    }),
    refusal({
        message: "…no CSI plugin named…",
        cause: "The scheduler knows no such plugin.",
        action: "No node runs the plugin {plugin}: check `pluginId`, and that the plugin's job is running and healthy",
    }),
    refusal({
        message: "…no healthy controllers…",
        cause: "The plugin needs a controller, and none is healthy.",
        action: "The plugin {plugin} is known, but none of its controllers is healthy: check the plugin's job",
    }),
    refusal({
        message: "…must include at least one capability block…",
        cause: "The server is a real one, and the settings do not say so.",
        action: "This server wants to know how the volume may be used, which the document does not provide for: set `vocabulary` to `product` in the settings of the volumes service, and give `accessMode` and `attachmentMode`, or `capabilities`",
    }),
    refusal({
        message: "…is in nonexistent namespace…",
        cause: "The server has no such namespace.",
        action: "Create the namespace first, or correct `namespace`",
    }),
    refusal({
        message: "…controller validate volume…",
        cause: "The plugin asked the storage provider, which refused.",
        action: "The storage provider does not take the volume: check that `externalId` exists there, and that it allows these modes",
    }),
    refusal({
        message: "…capabilities update was not compatible…",
        cause: "Allocations claim the volume in a mode that is no longer among its capabilities.",
        action: "The volume is in use: keep the modes in use among its capabilities, or stop the jobs that use it first",
    }),
    refusal({
        message: "…can not update mount options while volume is in use…",
        cause: "Allocations claim the volume.",
        action: "Stop the jobs that use the volume first, or leave `mountOptions` as they were",
    }),
    refusal({
        message: "…volume … cannot be updated…",
        cause: "The volume is registered with another value, which the service does not change.",
        action: "The volume is registered with another value, which the service does not change: declare the value that it has, or replace the volume ({replace}), which registers it anew and leaves the storage as it is",
    }),
    refusal({
        message: "…topology request update was not compatible…",
        cause: "The volume is registered with other topologies, which the service does not change.",
        action: "The volume is registered with another value, which the service does not change: declare the value that it has, or replace the volume ({replace}), which registers it anew and leaves the storage as it is",
    }),
    refusal({
        message: "…expand is not implemented…",
        cause: "The plugin cannot enlarge volumes.",
        action: "The plugin {plugin} cannot enlarge volumes: leave `capacityMin` and `capacityMax` as they were",
    }),
    refusal({
        message: "…EOF",
        cause: "The server said no more than that: the plugin's controller ended the call.",
        action: "The plugin {plugin} broke off while the service asked it about the volume, which is all that these words say: look at the log of the plugin's controller, and whether the plugin's version fits the server's",
    }),
    refusal({
        message: "Permission denied…",
        cause: "The service answers the same to an invalid token and to a missing right.",
        action: "The token is invalid, or lacks a right: registering needs csi-write-volume in the namespace, and on some servers the right to read plugins",
    }),
];

/** The volume of a detachment does not exist. */
export const nothingToDetach = refusal({
    code: "absent",
    message: "no such volume…",
    cause: "The namespace has no volume of this id.",
    action: "Check `volumeId` and `namespace`; a volume that was deregistered needs no detachment",
});

/** Nomad refuses each detachment since 1.4. */
export const detachesByItself = sentence({
    message:
        "the server refused the detachment (Unknown allocation), as Nomad always does since 1.4: it detaches a volume by itself after its job has stopped",
    cause: "A warning: this version of the server detaches by itself, and not on request.",
    action: "Stop the job, and wait a few seconds.",
});

/** A wait without anything to wait for. */
export const waitAlone = finding({
    path: "wait",
    message: "has no meaning without index",
    cause: "A query only waits for something newer than a result that you have.",
    action: "Give the `index` of that result, or leave `wait` out.",
});

/** A lookup of a volume found nothing. */
export const noVolume = absence({
    cause: "The namespace has no volume of this id, or the token may not see it.",
    action: 'Check `volumeId` and `namespace`; `getCsiVolumes` with `namespace: "*"` lists them all',
});

/** A prefix that the service cannot decode. */
export const noHexadecimal = sentence({
    message: "must be an even number of hexadecimal digits (0-9, a-f)",
    cause: "The service decodes `nodeId` and `pluginId` to bytes, and finds nothing where that fails.",
    action: "Write another digit or one less. Real servers (`vocabulary: product`) take any string.",
});

/** An answer in another form. */
export const otherForm = sentence({
    message: "it does not hold what was asked for",
    cause: "Something else than the scheduler answered, such as a proxy.",
    action: "Check `address` in the settings.",
});
