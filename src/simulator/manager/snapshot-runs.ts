/** Snapshots as they are taken: where they go, how many are kept, and what the status tells. */

import type { ManagerWorld, SnapshotStatus, StoredSnapshotConfig } from "./records";
import { readableFields } from "./snapshot-fields";

/** How to take a snapshot. */
export interface SnapshotOrder {
    /** Makes it fail with this text. */
    readonly error?: string;
    /** Bytes; default 1024. */
    readonly size?: number;
}

/** The status before the first snapshot. */
export const newStatus: SnapshotStatus = {
    last_snapshot_start: "",
    last_snapshot_end: "",
    last_snapshot_error: "",
    last_snapshot_url: "",
    snapshot_start: "",
    snapshot_url: "",
};

/** Takes one now. `snapshot_…` tells of the newest attempt, `last_…` of the newest that has ended, which here is the same one. */
export function takeSnapshot(
    world: ManagerWorld,
    config: StoredSnapshotConfig,
    now: Date,
    order: SnapshotOrder = {},
): void {
    const fields = readableFields(config.fields, config.vocabulary ?? "documented");
    const size = order.size ?? 1024;
    const time = now.toISOString().replace(/\.\d+Z$/, "+00:00");
    const url = urlOf(config, fields, now);
    const error = order.error ?? spaceError(world, config, fields, size);
    config.status = {
        last_snapshot_start: time,
        last_snapshot_end: time,
        last_snapshot_error: error,
        // The newest that there is: a failed attempt leaves none.
        last_snapshot_url: error === "" ? url : config.status.last_snapshot_url,
        snapshot_start: time,
        snapshot_url: url,
    };
    if (error !== "") return;
    const kept = [...config.snapshots, { url, size }];
    config.snapshots = kept.slice(Math.max(0, kept.length - Number(fields["retain"])));
}

/** Of a long time only the end is lived through: what came before is not kept anyway. */
const mostAtOnce = 1000;

/** Takes every snapshot that fell due, in the order of time. Without the licence none is taken. */
export function takeDueSnapshots(world: ManagerWorld, now: Date): void {
    if (!world.licensed) return;
    const waiting = Object.values(world.snapshotConfigs).map((config) => {
        const interval = Number(config.fields["interval"]) * 1000;
        // A clock that was set back makes nobody wait longer than the interval.
        const due = Math.min(config.due ?? Number.POSITIVE_INFINITY, now.getTime() + interval);
        const missed = Math.max(0, Math.floor((now.getTime() - due) / interval) - mostAtOnce);
        return { config, interval, due: due + missed * interval };
    });
    for (;;) {
        const next = waiting.reduce<(typeof waiting)[number] | undefined>(
            (first, other) => (first === undefined || other.due < first.due ? other : first),
            undefined,
        );
        if (next === undefined || next.due > now.getTime()) break;
        takeSnapshot(world, next.config, new Date(next.due));
        next.due += next.interval;
    }
    for (const { config, due } of waiting) config.due = due;
}

function urlOf(config: StoredSnapshotConfig, fields: Readonly<Record<string, unknown>>, now: Date): string {
    const place = placeOf(fields);
    // Two at the same moment of the clock are two all the same.
    for (let number = BigInt(now.getTime()) * 1_000_000n; ; number += 1n) {
        const url = `${place}-${number}.snap`;
        if (config.snapshots.every((snapshot) => snapshot.url !== url)) return url;
    }
}

/** Address up to the number. */
function placeOf(fields: Readonly<Record<string, unknown>>): string {
    const type = String(fields["storage_type"]);
    const file = String(fields["file_prefix"]);
    const path = String(fields["path_prefix"]).replace(/\/+$/, "");
    if (type === "local") return `file://${path}/${file}`;
    const container = fields["cloudb_s3_bucket"] || fields["cloudc_gcs_bucket"] || fields["clouda_container_name"];
    return `${type}://${container}/${path}/${file}`;
}

/** The space counts for all snapshots of that name in that directory, whoever made them, and before the oldest go. */
function spaceError(
    world: ManagerWorld,
    config: StoredSnapshotConfig,
    fields: Readonly<Record<string, unknown>>,
    size: number,
): string {
    if (fields["storage_type"] !== "local") return "";
    const place = `${placeOf(fields)}-`;
    const taken = Object.values(world.snapshotConfigs)
        .flatMap((other) => other.snapshots)
        .filter((snapshot) => snapshot.url.startsWith(place) && /^\d+\.snap$/.test(snapshot.url.slice(place.length)))
        .reduce((sum, snapshot) => sum + snapshot.size, 0);
    const space = Number(config.fields["local_max_space"]);
    return taken + size <= space
        ? ""
        : `not enough space left: ${taken} of ${space} bytes are used, ${size} are needed`;
}
