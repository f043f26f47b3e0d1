/**
 * Hourly snapshots of Vault Enterprise in two clouds, and a check in every deployment that both are still taken.
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
        type: "aws-s3",
        bucket: "snapshots",
        region: "eu-central-1",
        pathPrefix: "vault",
        accessKeyId: config.requireSecret("bucketKeyId"),
        secretAccessKey: config.requireSecret("bucketKey"),
        serverSideEncryption: true,
    },
});

const container = new statecraft.SnapshotConfig("container", {
    name: "hourly-container",
    ...hourly,
    storage: {
        type: "azure-blob",
        container: "snapshots",
        pathPrefix: "vault/",
        accountName: "snapshots",
        accountKey: config.requireSecret("accountKey"),
        authMode: "shared",
    },
});

/** The problem of a configuration's snapshots, if there is one. */
function problemOf(name: string, status: pulumi.Unwrap<statecraft.GetSnapshotStatusResult>): string | undefined {
    if (status.lastSnapshotError !== "") return `${name}: the last snapshot failed: ${status.lastSnapshotError}`;
    // The first snapshot is taken after an hour.
    if (status.lastSnapshotEnd === "") return undefined;
    const hours = (Date.now() - Date.parse(status.lastSnapshotEnd)) / 3_600_000;
    return hours > 2 ? `${name}: the last snapshot is ${Math.floor(hours)} hours old` : undefined;
}

// An id is known only after the configuration is created, so a first preview sends no request.
const checked = [bucket, container].map(({ id }) =>
    pulumi.all([id, statecraft.getSnapshotStatusOutput({ name: id })]).apply(([name, status]) => {
        const problem = problemOf(name, status);
        if (problem !== undefined) void pulumi.log.warn(problem);
        return { name, newest: status.lastSnapshotUrl, problem };
    }),
);

/** Where the newest snapshots are. */
export const newest = pulumi.all(checked).apply((all) => all.map((one) => one.newest));

/** Empty if there are no problems. */
export const problems = pulumi.all(checked).apply((all) => all.flatMap(({ problem }) => problem ?? []));
