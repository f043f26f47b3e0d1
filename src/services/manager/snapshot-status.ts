/** How automated snapshots went (document "Secrets Manager", Automated snapshot status). */

import * as z from "zod";
import { recordReader } from "../../core/defined-function";
import { unlessAbsent } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { property } from "../../schema/facts";
import { dataOf } from "./service";

const status = operation("GET /v1/sys/storage/raft/snapshot-auto/status/{name}");

const textIn = (told: unknown) => (typeof told === "string" ? told : "");
/** Some servers write a time that never was as one of the year 1. */
const timeIn = (told: unknown) => textIn(told).replace(/^0001-01-01T00:00:00.*/s, "");

const text = (wire: string, description: string, decode = textIn) =>
    property(z.string(), { wire, default: "", wireForm: { decode }, description });
const time = (wire: string, description: string) => text(wire, description, timeIn);

/** The status. What newer servers add is left out where the server does not tell it. */
export const statusSchema = property(
    z.strictObject({
        lastSnapshotStart: time(
            "last_snapshot_start",
            "When the last snapshot began: ISO 8601; empty before the first.",
        ),
        lastSnapshotEnd: time("last_snapshot_end", "When the last snapshot ended: ISO 8601; empty before the first."),
        lastSnapshotError: text("last_snapshot_error", "Why the last snapshot failed; empty when it succeeded."),
        lastSnapshotUrl: text("last_snapshot_url", "Where the last snapshot is."),
        snapshotStart: time(
            "snapshot_start",
            "When a snapshot began: ISO 8601. The service's document does not say how it differs from `lastSnapshotStart`.",
        ),
        snapshotUrl: text(
            "snapshot_url",
            "Where a snapshot goes. The service's document does not say how it differs from `lastSnapshotUrl`.",
        ),
        consecutiveErrors: property(z.int().optional(), {
            wire: "consecutive_errors",
            wireForm: { decode: (told) => (typeof told === "number" ? told : undefined) },
            description: "How many snapshots failed in a row. Only newer servers tell it.",
        }),
        nextSnapshotStart: property(z.string().optional(), {
            wire: "next_snapshot_start",
            wireForm: { decode: (told) => timeIn(told) || undefined },
            description: "When the next snapshot begins: ISO 8601. Only newer servers tell it.",
        }),
    }),
    { description: "How the snapshots of a configuration went.", typeName: "SnapshotStatus" },
);

const statuses = recordReader(statusSchema);

/** A status. */
export type SnapshotStatus = z.infer<typeof statusSchema>;

/** The status of a configuration that is there: before the first snapshot, servers may have none. */
export async function readStatusYet(context: RequestContext, name: string): Promise<SnapshotStatus> {
    return (await readStatus(context, name).catch(unlessAbsent)) ?? statuses.read({});
}

/** The status of a configuration's snapshots. */
export async function readStatus({ client }: RequestContext, name: string): Promise<SnapshotStatus> {
    return statuses.read(dataOf(await client.call(status, { parameters: { name } })));
}
