/** Configurations of the secrets manager's automated snapshots. A write is a merge: what it leaves out stays, whatever the storage type. */

import { absent, type Call, found, managerRoute, nameIn, Refusal, unsupportedOperation, written } from "./manager-door";
import { mergeSnapshotFields, readableFields, snapshotFieldNames } from "./manager-snapshot-fields";
import { newStatus, type SnapshotOrder, takeSnapshot } from "./manager-snapshot-runs";
import type { ManagerWorld, StoredSnapshotConfig } from "./manager-world";
import type { Reply, Route } from "./route";

const base = "/v1/sys/storage/raft/snapshot-auto";
const one = `${base}/config/:name+`;
const all = `${base}/config`;
const status = `${base}/status/:name+`;
const mountType = "system";

/** The routes of snapshots. */
export const snapshotRoutes: readonly Route<ManagerWorld>[] = [
    managerRoute("GET", one, readConfig),
    managerRoute("POST", one, writeConfig),
    managerRoute("PUT", one, writeConfig),
    managerRoute("DELETE", one, deleteConfig),
    managerRoute("LIST", all, listConfigs),
    managerRoute("LIST", `${all}/`, listConfigs),
    managerRoute("GET", all, listConfigs),
    managerRoute("GET", `${all}/`, listConfigs),
    managerRoute("GET", status, readStatus),
    ...[one, all, `${all}/`, status].map((path) =>
        managerRoute("*", path, () => {
            throw unsupportedOperation;
        }),
    ),
    {
        method: "POST",
        path: "/simulator/snapshots/:name",
        respond: (request, { world, parameters: { name = "" }, now }) => {
            const config = configOf(world, name);
            if (config === undefined) return { status: 404, body: { errors: [`no snapshot configuration ${name}`] } };
            const order = orderOf(request.body.toString("utf8"));
            if (order === undefined)
                return { status: 400, body: { errors: ["an order is { error?: text, size?: bytes }"] } };
            takeSnapshot(world, config, now(), order);
            return { status: 200, body: config.status };
        },
    },
];

/** Lays a configuration as if it had been written. Throws what a write would answer. */
export function laySnapshotConfig(world: ManagerWorld, name: string, fields: Readonly<Record<string, unknown>>): void {
    store(world, nameIn(name), fields);
}

function readConfig(call: Call): Reply {
    if (call.isList) throw unsupportedOperation;
    const config = configOf(call.world, nameOf(call));
    if (config === undefined) throw absent;
    return found(call, mountType, readableFields(config.fields));
}

function writeConfig(call: Call): Reply {
    store(call.world, nameOf(call), call.body);
    return written(call, mountType, [], snapshotFieldNames);
}

function deleteConfig(call: Call): Reply {
    delete call.world.snapshotConfigs[nameOf(call)];
    return written(call, mountType, [], snapshotFieldNames);
}

function listConfigs(call: Call): Reply {
    checkRoot(call);
    if (!call.isList) throw unsupportedOperation;
    const keys = Object.keys(call.world.snapshotConfigs).sort();
    if (keys.length === 0) throw absent;
    return found(call, mountType, { keys });
}

function readStatus(call: Call): Reply {
    const config = configOf(call.world, nameOf(call));
    if (config === undefined) throw absent;
    return found(call, mountType, config.status);
}

function checkRoot(call: Call): void {
    if (call.namespace !== "") {
        throw new Refusal(400, ["automated snapshots can only be managed in the root namespace"]);
    }
}

function nameOf(call: Call): string {
    checkRoot(call);
    return nameIn(call.parameters["name"] ?? "");
}

function configOf(world: ManagerWorld, name: string): StoredSnapshotConfig | undefined {
    return Object.hasOwn(world.snapshotConfigs, name) ? world.snapshotConfigs[name] : undefined;
}

function store(world: ManagerWorld, name: string, body: Readonly<Record<string, unknown>>): void {
    const before = configOf(world, name);
    const fields = mergeSnapshotFields(before?.fields ?? {}, body);
    const config: StoredSnapshotConfig = { snapshots: [], status: newStatus, ...before, fields };
    // Entries, not assignment: a configuration may be named like something that every object has.
    world.snapshotConfigs = Object.fromEntries([...Object.entries(world.snapshotConfigs), [name, config]]);
}

function orderOf(text: string): SnapshotOrder | undefined {
    if (text.trim() === "") return {};
    try {
        const order: unknown = JSON.parse(text);
        if (typeof order !== "object" || order === null) return undefined;
        const { error, size }: { error?: unknown; size?: unknown } = order;
        if (error !== undefined && typeof error !== "string") return undefined;
        if (size !== undefined && typeof size !== "number") return undefined;
        return { ...(error !== undefined && { error }), ...(size !== undefined && { size }) };
    } catch {
        return undefined;
    }
}
