/**
 * Functions about automated snapshots: the names of their configurations, and the status of the snapshots of one (document "Secrets
 * Manager", Automated snapshot status).
 */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { asAbsent, defineFunction } from "../../core/functions";
import { property } from "../../schema/property";
import { recordReader } from "../../schema/record";
import { connectionProperty, shown } from "../shared-options";
import { dataOf, listNames, manager, objectName } from "./service";

const list = endpoint("LIST /v1/sys/storage/raft/snapshot-auto/config");
const showStatus = endpoint("GET /v1/sys/storage/raft/snapshot-auto/status/{name}");

const text = (wire: string, description: string) => shown(wire, z.string(), "", description);
const newer = <Type extends z.ZodType>(wire: string, type: Type, description: string) =>
    shown(wire, type.optional(), undefined, `${description} Newer servers only.`);
const time = (wire: string, description: string) => text(wire, `${description} ISO 8601.`);

/** The status of a configuration's snapshots. */
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

const statuses = recordReader(statusSchema);

/** The status of a configuration's snapshots. Vault has none before the first snapshot. */
export type SnapshotStatus = z.infer<typeof statusSchema>;

/** The status before the first snapshot. */
export const emptyStatus: SnapshotStatus = statuses.read({});

/** Reads the status of a configuration's snapshots. @throws NotFoundError if the server has none */
export async function readStatus({ client }: Context, name: string): Promise<SnapshotStatus> {
    return statuses.read(dataOf(await client.call(showStatus, { parameters: { name } })));
}

/** Lists the configurations of automated snapshots. */
export const getSnapshotConfigs = defineFunction({
    name: "getSnapshotConfigs",
    service: manager,
    description: "Lists the names of the configurations of Vault's automated snapshots.",
    inputs: z.strictObject({ connection: connectionProperty }),
    result: z.strictObject({
        names: property(z.array(z.string()), { description: "Names of the configurations. Empty if there are none." }),
    }),
    async invoke({ client }) {
        return { names: await listNames(client.call(list, { parameters: {} })) };
    },
});

/** Looks up the status of the snapshots of a configuration. */
export const getSnapshotStatus = defineFunction({
    name: "getSnapshotStatus",
    service: manager,
    description: "Looks up how the automated snapshots of a configuration went: the last one, and where it is.",
    inputs: z.strictObject({
        name: property(objectName, { description: "Name of the configuration." }),
        connection: connectionProperty,
    }),
    result: statusSchema,
    async invoke(context, { name }) {
        return readStatus(context, name).catch(asAbsent(`snapshot configuration ${name}`));
    },
});
