/** How automated snapshots went (document "Secrets Manager", Automated snapshot status). */

import { unlessAbsent } from "../../core/declared";
import type { Props } from "../../core/field";
import { operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { dataOf } from "./service";

const status = operation("GET /v1/sys/storage/raft/snapshot-auto/status/{name}");

/** The fields of the status, by the names of outputs. What `newer` servers add is left out where the server does not tell it. */
export const statusFields = {
    lastSnapshotStart: {
        wire: "last_snapshot_start",
        type: "string",
        doc: "When the last snapshot began: ISO 8601; empty before the first.",
    },
    lastSnapshotEnd: {
        wire: "last_snapshot_end",
        type: "string",
        doc: "When the last snapshot ended: ISO 8601; empty before the first.",
    },
    lastSnapshotError: {
        wire: "last_snapshot_error",
        type: "string",
        doc: "Why the last snapshot failed; empty when it succeeded.",
    },
    lastSnapshotUrl: { wire: "last_snapshot_url", type: "string", doc: "Where the last snapshot is." },
    snapshotStart: {
        wire: "snapshot_start",
        type: "string",
        doc: "When a snapshot began: ISO 8601. The service's document does not say how it differs from `lastSnapshotStart`.",
    },
    snapshotUrl: {
        wire: "snapshot_url",
        type: "string",
        doc: "Where a snapshot goes. The service's document does not say how it differs from `lastSnapshotUrl`.",
    },
    consecutiveErrors: {
        wire: "consecutive_errors",
        type: "number",
        doc: "How many snapshots failed in a row. Only newer servers tell it.",
        optional: true,
    },
    nextSnapshotStart: {
        wire: "next_snapshot_start",
        type: "string",
        doc: "When the next snapshot begins: ISO 8601. Only newer servers tell it.",
        optional: true,
    },
} as const;

/** The status as a type of programs. */
export const statusType = `{ ${Object.entries(statusFields)
    .map(([name, { type, ...marks }]) => `readonly ${name}${"optional" in marks ? "?" : ""}: ${type}`)
    .join("; ")} }`;

/** A status. */
export interface SnapshotStatus {
    readonly lastSnapshotStart: string;
    readonly lastSnapshotEnd: string;
    readonly lastSnapshotError: string;
    readonly lastSnapshotUrl: string;
    readonly snapshotStart: string;
    readonly snapshotUrl: string;
    readonly consecutiveErrors?: number;
    readonly nextSnapshotStart?: string;
}

/** How some servers write a time that never was. */
const noTime = "0001-01-01T00:00:00";

/** The status of a configuration that is there: before the first snapshot, servers may have none. */
export async function readStatusYet(session: Session, name: string): Promise<SnapshotStatus> {
    return (await readStatus(session, name).catch(unlessAbsent)) ?? statusIn({});
}

/** The status of a configuration's snapshots. */
export async function readStatus({ client }: Session, name: string): Promise<SnapshotStatus> {
    return statusIn(dataOf(await client.call(status, { parameters: { name } }), `GET ${status.path({ name })}`));
}

function statusIn(data: Props): SnapshotStatus {
    const text = ({ wire }: { wire: string }) => {
        const value = data[wire];
        return typeof value === "string" && !value.startsWith(noTime) ? value : "";
    };
    const errors = data[statusFields.consecutiveErrors.wire];
    const next = data[statusFields.nextSnapshotStart.wire];
    return {
        lastSnapshotStart: text(statusFields.lastSnapshotStart),
        lastSnapshotEnd: text(statusFields.lastSnapshotEnd),
        lastSnapshotError: text(statusFields.lastSnapshotError),
        lastSnapshotUrl: text(statusFields.lastSnapshotUrl),
        snapshotStart: text(statusFields.snapshotStart),
        snapshotUrl: text(statusFields.snapshotUrl),
        ...(typeof errors === "number" ? { consecutiveErrors: errors } : {}),
        ...(typeof next === "string" && !next.startsWith(noTime) ? { nextSnapshotStart: next } : {}),
    };
}
