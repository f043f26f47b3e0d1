/** The status of a configuration's snapshots (document "Secrets Manager", Automated snapshot status). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { property } from "../../schema/property";
import { recordReader } from "../../schema/record";
import { field, text } from "../record-fields";
import { dataOf } from "./service";

const showStatus = endpoint("GET /v1/sys/storage/raft/snapshot-auto/status/{name}");

const time = (wire: string, description: string) => text(wire, `${description} ISO 8601.`);
const newer = <Type extends z.ZodType>(wire: string, type: Type, description: string) =>
    field(wire, type.optional(), `${description} Newer servers only.`);

export const statusSchema = property(
    z.strictObject({
        lastSnapshotStart: time("last_snapshot_start", "When the last snapshot started. Empty before the first."),
        lastSnapshotEnd: time("last_snapshot_end", "When the last snapshot ended. Empty before the first."),
        lastSnapshotError: text("last_snapshot_error", "Error of the last snapshot. Empty if it succeeded."),
        lastSnapshotUrl: text("last_snapshot_url", "Address of the last snapshot."),
        snapshotStart: time("snapshot_start", "Start of a snapshot, as Vault returns it beside `lastSnapshotStart`."),
        snapshotUrl: text("snapshot_url", "Address of a snapshot, as Vault returns it beside `lastSnapshotUrl`."),
        consecutiveErrors: newer("consecutive_errors", z.int(), "Number of failed snapshots in a row."),
        nextSnapshotStart: newer("next_snapshot_start", z.string(), "When the next snapshot starts. ISO 8601."),
    }),
    { description: "How the snapshots of a configuration went.", typeName: "SnapshotStatus" },
);

const { node, read } = recordReader(statusSchema);

export type SnapshotStatus = z.infer<typeof statusSchema>;

/** The status before the first snapshot. */
export const emptyStatus: SnapshotStatus = read({});

/** Reads the status of a configuration's snapshots. @throws NotFoundError if the server has none, as before the first snapshot */
export async function readStatus(context: Context, name: string): Promise<SnapshotStatus> {
    const status = read(dataOf(await context.client.call(showStatus, { parameters: { name } })));
    context.assertKinds(node, status);
    return status;
}
