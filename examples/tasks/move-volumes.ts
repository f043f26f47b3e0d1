/**
 * Makes the volumes of an old cluster known to a new one: those that no allocation claims any more. Runs again and again
 * while jobs are being moved, until nothing is left behind. Both clusters are connections in the stack's configuration.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const namespace = new pulumi.Config().get("namespace") ?? "default";

/** What moves and what stays depends on the old cluster, so it is asked before anything is declared. */
async function move() {
    const { volumes } = await statecraft.getCsiVolumes({ namespace, connection: "old" });
    const looked = await Promise.all(
        volumes.map(({ volumeId }) => statecraft.getCsiVolume({ volumeId, namespace, connection: "old" })),
    );
    const isClaimed = ({ readAllocs, writeAllocs }: (typeof looked)[number]) =>
        readAllocs.length + writeAllocs.length > 0;

    const moved = looked
        .filter((volume) => !isClaimed(volume))
        .map(
            ({ volumeId, name, externalId, pluginId, topologies, accessMode, attachmentMode }) =>
                new statecraft.CsiVolume(
                    volumeId,
                    {
                        volumeId,
                        name,
                        namespace,
                        externalId,
                        pluginId,
                        topologies,
                        // Some servers forget the modes of a volume as soon as its last claim has ended.
                        accessMode: accessMode || "single-node-writer",
                        attachmentMode: attachmentMode || "file-system",
                        connection: "new",
                        waitUntilSchedulable: "2m",
                    },
                    // A volume that leaves the old cluster leaves this program, and stays in the new cluster.
                    { retainOnDelete: true },
                ),
        );
    return {
        moved: moved.map(({ id, schedulable }) => ({ id, schedulable })),
        /** Claimed in the old cluster still, and by whose allocations. */
        left: looked.filter(isClaimed).map(({ volumeId, allocations }) => ({
            volumeId,
            jobs: allocations.map(({ jobId }) => jobId),
        })),
    };
}

const result = move();

/** The volumes that the new cluster knows now. */
export const moved = result.then((all) => all.moved);

/** The volumes whose jobs still run in the old cluster. */
export const left = result.then((all) => all.left);
