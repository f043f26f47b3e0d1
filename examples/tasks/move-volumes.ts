/**
 * Registers the volumes of an old Nomad cluster with a new one, as soon as no allocation claims them. Run it again while
 * jobs move. Both clusters are connections in the stack's configuration.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const namespace = new pulumi.Config().get("namespace") ?? "default";

/** Reads the volumes of the old cluster, then declares the unclaimed ones. */
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
                        // Nomad empties the modes of a volume when its last claim ends.
                        accessMode: accessMode || "single-node-writer",
                        attachmentMode: attachmentMode || "file-system",
                        connection: "new",
                        waitUntilSchedulable: "2m",
                    },
                    // A volume that is deregistered from the old cluster leaves this program, and stays in the new one.
                    { retainOnDelete: true },
                ),
        );
    return {
        moved: moved.map(({ id, schedulable }) => ({ id, schedulable })),
        /** Volumes with claims in the old cluster, and the jobs that claim them. */
        left: looked.filter(isClaimed).map(({ volumeId, allocations }) => ({
            volumeId,
            jobs: allocations.map(({ jobId }) => jobId),
        })),
    };
}

const result = move();

/** The volumes in the new cluster. */
export const moved = result.then((all) => all.moved);

/** The volumes whose jobs still run in the old cluster. */
export const left = result.then((all) => all.left);
