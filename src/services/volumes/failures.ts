/** What the volumes' resources and functions say when something is wrong. */

import { failure, finding, refusal, sentence } from "../../catalogue";
import { absence } from "../../core/failures";

/** Allocations claim a volume that was to be deregistered. */
export const volumeInUse = failure({
    code: "in-use",
    message: "the volume {id} is in use by {claims}, so it stays registered",
    cause: "Allocations claim the volume, so the service refused to deregister it. The message names them, their jobs and nodes.",
    action: "Stop these jobs first. For claims of allocations that have ended, set `force: true` and run {up} before deleting or replacing",
});

/** The same in a preview. */
export const noChangeInUse = sentence({
    message: "{names}: cannot change now, because the volume {id} is in use by {claims}: stop these jobs first",
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

/** Neither modes nor capabilities. */
export const noCapability = finding({
    path: "accessMode",
    message: "a volume needs to say how it may be used: give accessMode and attachmentMode, or capabilities",
    cause: "A warning: the document does not say so, but Nomad refuses a volume without a capability.",
    action: "Give both modes, or `capabilities`.",
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

/** Refusals of a registration whose words do not say what to do. `plugin` is the volume's plugin, in quotes. */
export const registrationRefusals = [
    refusal({
        code: "exists",
        message: "volume exists…",
        cause: "The volume is registered already, and this server does not change a registered volume.",
        action: "This server does not change a registered volume: to change it, replace it ({replace}), which leaves the storage as it is; to take it over, `adopt: true` needs every field to match",
    }),
    refusal({
        message: "…must include at least one capability block…",
        cause: "Nomad wants to know how the volume may be used.",
        action: "Say how the volume may be used: give `accessMode` and `attachmentMode`, or `capabilities`",
    }),
    refusal({
        message: "…volume … cannot be updated…",
        cause: "The volume is registered with another value, which the service does not change.",
        action: "The volume is registered with another value, which the service does not change: declare the value that it has, or replace the volume ({replace}), which registers it anew and leaves the storage as it is",
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
    action: "Write another digit or one less. Nomad takes any string, so this is a warning.",
});

/** An answer in another form. */
export const otherForm = sentence({
    message: "it does not hold what was asked for",
    cause: "Something else than the scheduler answered, such as a proxy.",
    action: "Check `address` in the settings.",
});
