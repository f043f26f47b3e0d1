/** What the volumes' resources and functions say when something is wrong, for the reference pages. */

import type { ToldError } from "../../core/told-error";

/** Of volumes. */
export const volumeFailures: readonly ToldError[] = [
    {
        says: "is in use by …, so it was left registered",
        means: "Allocations claim the volume, so deleting or replacing it was refused before anything was sent. The message names them, their jobs and nodes.",
        todo: "Stop these jobs. For claims of allocations that have ended, set `force: true` and run `pulumi up` before deleting or replacing.",
    },
    {
        says: "No node runs the plugin …: check `pluginId`, and that the plugin's job is running and healthy",
        means: "The scheduler knows no such plugin.",
        todo: "Check `pluginId` and the plugin's job.",
    },
    {
        says: "is known, but none of its controllers is healthy: check the plugin's job",
        means: "The plugin needs a controller, and none is healthy.",
        todo: "Mend the plugin's job, then run `pulumi up` again.",
    },
    {
        says: "the volume is not schedulable after …",
        means: "`waitUntilSchedulable` ended. The volume is registered and in state; the message tells how many nodes are healthy.",
        todo: "Check the plugin's job; the next `pulumi up` waits again.",
    },
    {
        says: "The former registration was removed already; to put it back, PUT this to …",
        means: "A replacement removed the old registration, and the service refused the new one.",
        todo: "Correct the arguments and run `pulumi up` again, or put the old registration back with the payload in the message.",
    },
    {
        says: "cannot change now, because the volume … is …: stop these jobs first",
        means: "A warning of the preview: the service refuses this change while allocations claim the volume. The message names them, their jobs and nodes.",
        todo: "Stop these jobs, or leave the arguments that the message begins with as they were.",
    },
    {
        says: "the creation was granted, but somebody else has made the … at the same time, and the service took it for a change of that",
        means: "Real servers (`vocabulary: product`) take a second registration for a change. The volume was not there when this program looked, and was registered by another one before this program registered it. It is not in this stack's state.",
        todo: "Give one of the two another `volumeId`, or leave the volume to one program. `adopt: true` takes it over.",
    },
    {
        says: "accessMode: a volume needs to say how it may be used: give accessMode and attachmentMode, or capabilities",
        means: "Real servers (`vocabulary: product`) refuse a volume without them.",
        todo: "Give both modes, or `capabilities`.",
    },
    {
        says: "broke off while the service asked it about the volume, which is all that these words say",
        means: "The server said no more than `EOF`: the plugin's controller ended the call.",
        todo: "Look at the log of the plugin's controller, and whether the versions of plugin and server fit.",
    },
    {
        says: "Create the namespace first, or correct `namespace`",
        means: "The server has no such namespace.",
        todo: "Create it, or correct `namespace`.",
    },
    {
        says: "detachOnDelete: node …",
        means: "A warning: a node could not be asked to detach. Deregistering goes on.",
        todo: "Nothing, unless the deregistration fails as well.",
    },
];

/** Of detachments. */
export const detachmentFailures: readonly ToldError[] = [
    {
        says: "is in use by …, so it was not detached from node …",
        means: "Allocations on the node claim the volume. The message names them and their jobs.",
        todo: "Stop these jobs, or drain the node, and run `pulumi up` again.",
    },
    {
        says: "the volume … in namespace … does not exist",
        means: "There is nothing to detach.",
        todo: "Check `volumeId` and `namespace`; for a volume that was deregistered take the resource out of the program.",
    },
    {
        says: "the server refused the detachment …, as some versions always do",
        means: "A warning: this version of the server detaches by itself after the job has stopped, and not on request. The output `detached` tells how it was.",
        todo: "Nothing, unless the node still holds the volume a while after its job has stopped.",
    },
    {
        says: "the node was asked to let go of the volume, but the volume could not be read afterwards",
        means: "The request was sent; only `detached` is not known yet. The resource is in state.",
        todo: "Run `pulumi up` again: it looks again, and asks for nothing.",
    },
];

const waitAlone: ToldError = {
    says: "wait: has no meaning without index",
    means: "A query only waits for something newer than a result that you have.",
    todo: "Give the `index` of that result, or leave `wait` out.",
};

/** Of looking a volume up. */
export const volumeLookupFailures: readonly ToldError[] = [
    {
        says: "the volume … in namespace … does not exist, or may not be seen",
        means: "The namespace has no volume of this id, or the token may not see it.",
        todo: 'Check `volumeId` and `namespace`; `getCsiVolumes` with `namespace: "*"` lists them all.',
    },
    waitAlone,
];

/** Of listing volumes. */
export const volumeListFailures: readonly ToldError[] = [
    {
        says: "must be an even number of hexadecimal digits (0-9, a-f)",
        means: "The service decodes `nodeId` and `pluginId` to bytes, and finds nothing where that fails.",
        todo: "Write another digit or one less. Real servers (`vocabulary: product`) take any text.",
    },
    waitAlone,
    {
        says: "it is not a list of volumes",
        means: "Something else than the scheduler answered, such as a proxy.",
        todo: "Check `address` in the settings.",
    },
];
