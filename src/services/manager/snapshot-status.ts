/** How automated snapshots went (document "Secrets Manager", Automated snapshot status). */

import * as z from "zod";
import { type Body, unlessAbsent } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { property } from "../../schema/facts";
import { dataOf } from "./service";

const status = operation("GET /v1/sys/storage/raft/snapshot-auto/status/{name}");

/** The status. What newer servers add is left out where the server does not tell it. */
export const statusSchema = property(
    z.strictObject({
        lastSnapshotStart: property(z.string(), {
            wire: "last_snapshot_start",
            description: "When the last snapshot began: ISO 8601; empty before the first.",
        }),
        lastSnapshotEnd: property(z.string(), {
            wire: "last_snapshot_end",
            description: "When the last snapshot ended: ISO 8601; empty before the first.",
        }),
        lastSnapshotError: property(z.string(), {
            wire: "last_snapshot_error",
            description: "Why the last snapshot failed; empty when it succeeded.",
        }),
        lastSnapshotUrl: property(z.string(), {
            wire: "last_snapshot_url",
            description: "Where the last snapshot is.",
        }),
        snapshotStart: property(z.string(), {
            wire: "snapshot_start",
            description:
                "When a snapshot began: ISO 8601. The service's document does not say how it differs from `lastSnapshotStart`.",
        }),
        snapshotUrl: property(z.string(), {
            wire: "snapshot_url",
            description:
                "Where a snapshot goes. The service's document does not say how it differs from `lastSnapshotUrl`.",
        }),
        consecutiveErrors: property(z.int().optional(), {
            wire: "consecutive_errors",
            description: "How many snapshots failed in a row. Only newer servers tell it.",
        }),
        nextSnapshotStart: property(z.string().optional(), {
            wire: "next_snapshot_start",
            description: "When the next snapshot begins: ISO 8601. Only newer servers tell it.",
        }),
    }),
    { description: "How the snapshots of a configuration went.", typeName: "SnapshotStatus" },
);

/** A status. */
export type SnapshotStatus = z.infer<typeof statusSchema>;

/** How some servers write a time that never was. */
const noTime = "0001-01-01T00:00:00";

const text = z.string().catch("");
const time = text.transform((told) => (told.startsWith(noTime) ? "" : told));
const answer = z.object({
    last_snapshot_start: time,
    last_snapshot_end: time,
    last_snapshot_error: text,
    last_snapshot_url: text,
    snapshot_start: time,
    snapshot_url: text,
    consecutive_errors: z.number().optional().catch(undefined),
    next_snapshot_start: time,
});

/** The status of a configuration that is there: before the first snapshot, servers may have none. */
export async function readStatusYet(context: RequestContext, name: string): Promise<SnapshotStatus> {
    return (await readStatus(context, name).catch(unlessAbsent)) ?? statusIn({});
}

/** The status of a configuration's snapshots. */
export async function readStatus({ client }: RequestContext, name: string): Promise<SnapshotStatus> {
    return statusIn(dataOf(await client.call(status, { parameters: { name } }), `GET ${status.path({ name })}`));
}

function statusIn(body: Body): SnapshotStatus {
    const told = answer.parse(body);
    return {
        lastSnapshotStart: told.last_snapshot_start,
        lastSnapshotEnd: told.last_snapshot_end,
        lastSnapshotError: told.last_snapshot_error,
        lastSnapshotUrl: told.last_snapshot_url,
        snapshotStart: told.snapshot_start,
        snapshotUrl: told.snapshot_url,
        ...(told.consecutive_errors === undefined ? {} : { consecutiveErrors: told.consecutive_errors }),
        ...(told.next_snapshot_start === "" ? {} : { nextSnapshotStart: told.next_snapshot_start }),
    };
}
