/**
 * Hourly snapshots of the secrets manager in two clouds, so that the loss of one of them loses no snapshot, and a check
 * in every deployment that both are still being taken.
 */
import * as pulumi from "@pulumi/pulumi";
import * as statecraft from "pulumi-statecraft";

const config = new pulumi.Config();

// Two days of snapshots in each place.
const hourly = { interval: "1h", retain: 48 };

const bucket = new statecraft.SnapshotConfig("bucket", {
    name: "hourly-bucket",
    ...hourly,
    storage: {
        type: "cloudb-s3",
        bucket: "snapshots",
        region: "north-1",
        pathPrefix: "secrets-manager",
        accessKeyId: config.requireSecret("bucketKeyId"),
        secretAccessKey: config.requireSecret("bucketKey"),
        serverSideEncryption: true,
    },
});

const container = new statecraft.SnapshotConfig("container", {
    name: "hourly-container",
    ...hourly,
    storage: {
        type: "clouda-blob",
        container: "snapshots",
        pathPrefix: "secrets-manager/",
        accountName: "snapshots",
        accountKey: config.requireSecret("accountKey"),
        authMode: "shared",
    },
});

/** What is wrong with a configuration's snapshots, if anything is. */
function problemOf(name: string, status: pulumi.Unwrap<statecraft.GetSnapshotStatusResult>): string | undefined {
    if (status.lastSnapshotError !== "") return `${name}: the last snapshot failed: ${status.lastSnapshotError}`;
    // Before the first hour is over there is none yet.
    if (status.lastSnapshotEnd === "") return undefined;
    const hours = (Date.now() - Date.parse(status.lastSnapshotEnd)) / 3_600_000;
    return hours > 2 ? `${name}: the last snapshot is ${Math.floor(hours)} hours old` : undefined;
}

// The ids are the names, and known only when the configurations are there: a first preview asks nothing.
const checked = [bucket, container].map(({ id }) =>
    pulumi.all([id, statecraft.getSnapshotStatusOutput({ name: id })]).apply(([name, status]) => {
        const problem = problemOf(name, status);
        if (problem !== undefined) void pulumi.log.warn(problem);
        return { name, newest: status.lastSnapshotUrl, problem };
    }),
);

/** Where the newest snapshots are. */
export const newest = pulumi.all(checked).apply((all) => all.map((one) => one.newest));

/** What is wrong: empty when all is well. */
export const problems = pulumi.all(checked).apply((all) => all.flatMap(({ problem }) => problem ?? []));
