/** Snapshots as they are taken: where they go, how many are kept, and what the status tells. */

import { z } from "zod";
import { controlRoute } from "../control-route";
import type { Route } from "../route";
import { SimulatorError } from "../simulator-error";
import type { Store } from "../store";
import { absent, found, managerRoute, otherMethods } from "./call";
import { checkCall, pathOf, storedObject } from "./named-object";
import type { Fields, ManagerStore, StoredSnapshotConfig } from "./records";
import { readableFields, snapshotConfig } from "./snapshot-config";

const status = "sys/storage/raft/snapshot-auto/status/:name+";

/** How to take a snapshot. */
const run = z
    .object({
        /** Makes it fail with this message. */
        error: z.string().optional(),
        /** In bytes. */
        size: z.number().default(1024),
    })
    .prefault({});

/** The status endpoint, and the control API's route that takes a snapshot now. */
export const snapshotRunRoutes: readonly Route[] = [
    managerRoute("GET", status, (call) => {
        checkCall(snapshotConfig, call);
        const config = storedObject(snapshotConfig, call);
        if (config === undefined) throw absent;
        return found(call, snapshotConfig.mountType, config.status);
    }),
    otherMethods(status),
    controlRoute("POST", "/snapshots/:name", run, ({ error, size }, { store, parameters, now }) => {
        const config = store.manager.snapshotConfigs[pathOf(snapshotConfig, parameters)];
        if (config === undefined) throw new SimulatorError(404, `no snapshot configuration ${parameters["name"]}`);
        take(store, config, now, size, error);
        return config.status;
    }),
];

/** Takes one. `snapshot_…` tells of the newest attempt, `last_…` of the newest that has ended, which here is the same one. */
function take({ manager, vocabulary }: Store, config: StoredSnapshotConfig, now: Date, size: number, failure?: string) {
    const fields = readableFields(config.fields, vocabulary);
    const time = now.toISOString().replace(/\.\d+Z$/, "+00:00");
    const url = urlOf(config, fields, now);
    const error = failure ?? spaceError(manager, config, fields, size);
    config.status = {
        last_snapshot_start: time,
        last_snapshot_end: time,
        last_snapshot_error: error,
        // The newest that there is: a failed attempt leaves none.
        last_snapshot_url: error === "" ? url : (config.status["last_snapshot_url"] ?? ""),
        snapshot_start: time,
        snapshot_url: url,
    };
    if (error !== "") return;
    const kept = [...config.snapshots, { url, size }];
    config.snapshots = kept.slice(Math.max(0, kept.length - Number(fields["retain"])));
}

/** After a long time only the last ones are taken: those before would not be kept anyway. */
const mostAtOnce = 1000;

/** Takes every snapshot that fell due, in the order of time. Without the licence none is taken. */
export function takeDueSnapshots(store: Store, now: Date): void {
    if (!store.manager.licensed) return;
    const waiting = Object.values(store.manager.snapshotConfigs).map((config) => {
        const interval = Number(config.fields["interval"]) * 1000;
        // A clock that was set back makes nobody wait longer than the interval.
        const due = Math.min(config.due, now.getTime() + interval);
        const missed = Math.max(0, Math.floor((now.getTime() - due) / interval) - mostAtOnce);
        return { config, interval, due: due + missed * interval };
    });
    for (;;) {
        const next = waiting.toSorted((a, b) => a.due - b.due)[0];
        if (next === undefined || next.due > now.getTime()) break;
        take(store, next.config, new Date(next.due), 1024);
        next.due += next.interval;
    }
    for (const { config, due } of waiting) config.due = due;
}

function urlOf(config: StoredSnapshotConfig, fields: Fields, now: Date): string {
    const place = placeOf(fields);
    // Two at the same moment of the clock are two all the same.
    for (let number = BigInt(now.getTime()) * 1_000_000n; ; number += 1n) {
        const url = `${place}-${number}.snap`;
        if (config.snapshots.every((snapshot) => snapshot.url !== url)) return url;
    }
}

/** Address up to the number. */
function placeOf(fields: Fields): string {
    const type = String(fields["storage_type"]);
    const file = String(fields["file_prefix"]);
    const path = String(fields["path_prefix"]).replace(/\/+$/, "");
    if (type === "local") return `file://${path}/${file}`;
    const container = fields["cloudb_s3_bucket"] || fields["cloudc_gcs_bucket"] || fields["clouda_container_name"];
    return `${type}://${container}/${path}/${file}`;
}

/** The space counts for all snapshots of that name in that directory, whoever made them, and before the oldest go. */
function spaceError(
    { snapshotConfigs }: ManagerStore,
    config: StoredSnapshotConfig,
    fields: Fields,
    size: number,
): string {
    if (fields["storage_type"] !== "local") return "";
    const place = `${placeOf(fields)}-`;
    const taken = Object.values(snapshotConfigs)
        .flatMap(({ snapshots }) => snapshots)
        .filter(({ url }) => url.startsWith(place) && /^\d+\.snap$/.test(url.slice(place.length)))
        .reduce((sum, snapshot) => sum + snapshot.size, 0);
    const space = Number(config.fields["local_max_space"]);
    if (taken + size <= space) return "";
    return `not enough space left: ${taken} of ${space} bytes are used, ${size} are needed`;
}
