/** Configurations of the secrets manager's automated snapshots. A write is a merge unless told otherwise: what it leaves out stays, whatever the storage type. */

import type { Reply, Route } from "../route";
import type { Vocabulary } from "../vocabulary";
import type { ManagerWorld, StoredSnapshotConfig } from "./records";
import {
    absent,
    type Call,
    found,
    kept,
    managerRoute,
    type Needs,
    nameIn,
    Refusal,
    unsupportedOperation,
    written,
} from "./rules";
import { mergeSnapshotFields, readableFields, snapshotFieldNames, snapshotTelling } from "./snapshot-fields";
import { newStatus, type SnapshotOrder, takeDueSnapshots, takeSnapshot } from "./snapshot-runs";

const base = "/v1/sys/storage/raft/snapshot-auto";
const one = `${base}/config/:name+`;
const all = `${base}/config`;
const status = `${base}/status/:name+`;
const mountType = "system";

/** The routes of snapshots. */
export const snapshotRoutes: readonly Route<ManagerWorld>[] = [
    snapshotRoute("GET", one, readConfig, { sudo: true }),
    snapshotRoute("POST", one, writeConfig, { sudo: true, exists: isThere }),
    snapshotRoute("PUT", one, writeConfig, { sudo: true, exists: isThere }),
    snapshotRoute("DELETE", one, deleteConfig, { sudo: true }),
    snapshotRoute("LIST", all, listConfigs, { sudo: true }),
    snapshotRoute("LIST", `${all}/`, listConfigs, { sudo: true }),
    snapshotRoute("GET", all, listConfigs, { sudo: true }),
    snapshotRoute("GET", `${all}/`, listConfigs, { sudo: true }),
    snapshotRoute("GET", status, readStatus),
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

/** Time passes by itself as well: who looks sees what fell due. */
function snapshotRoute(
    method: string,
    path: string,
    answer: (call: Call) => Reply,
    needs?: Needs,
): Route<ManagerWorld> {
    return managerRoute(
        method,
        path,
        (call) => {
            takeDueSnapshots(call.world, call.now());
            return answer(call);
        },
        needs,
    );
}

/** Lays a configuration as if it had been written. Throws what a write would answer. */
export function laySnapshotConfig(
    world: ManagerWorld,
    name: string,
    fields: Readonly<Record<string, unknown>>,
    now: Date,
    vocabulary: Vocabulary,
): void {
    const key = nameIn(name);
    store(world, key, mergeSnapshotFields(configOf(world, key)?.fields ?? {}, fields, vocabulary), now, vocabulary);
}

function readConfig(call: Call): Reply {
    if (call.isList) throw unsupportedOperation;
    const config = configOf(call.world, nameOf(call));
    if (config === undefined) throw absent;
    return found(call, mountType, readableFields(config.fields, call.vocabulary), snapshotTelling(config.fields));
}

function writeConfig(call: Call): Reply {
    const { world, body, vocabulary } = call;
    const name = nameOf(call);
    const fields = mergeSnapshotFields(kept(call, configOf(world, name)?.fields) ?? {}, body, vocabulary);
    store(world, name, fields, call.now(), vocabulary);
    return written(call, mountType, [], snapshotFieldNames);
}

function deleteConfig(call: Call): Reply {
    delete call.world.snapshotConfigs[nameOf(call)];
    return written(call, mountType, [], snapshotFieldNames);
}

function listConfigs(call: Call): Reply {
    checkPlace(call);
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

/** Without the licence the calls are known, and refused. */
function checkPlace(call: Call): void {
    if (!call.world.licensed) throw new Refusal(404, ["enterprise-only feature"]);
    if (call.namespace !== "") {
        throw new Refusal(400, ["automated snapshots can only be managed in the root namespace"]);
    }
}

function nameOf(call: Call): string {
    const name = nameIn(call.parameters["name"] ?? "");
    checkPlace(call);
    return name;
}

/** Whether there is such a configuration; asked before the path is judged. */
function isThere({ world, parameters: { name = "" } }: Call): boolean {
    return configOf(world, name) !== undefined;
}

function configOf(world: ManagerWorld, name: string): StoredSnapshotConfig | undefined {
    return Object.hasOwn(world.snapshotConfigs, name) ? world.snapshotConfigs[name] : undefined;
}

function store(
    world: ManagerWorld,
    name: string,
    fields: StoredSnapshotConfig["fields"],
    now: Date,
    vocabulary: Vocabulary,
): void {
    const before = configOf(world, name);
    // Another interval begins now.
    const isSamePace = before !== undefined && before.fields["interval"] === fields["interval"];
    const due = (isSamePace ? before.due : undefined) ?? now.getTime() + Number(fields["interval"]) * 1000;
    const presets = vocabulary === "product" ? { vocabulary } : {};
    const config: StoredSnapshotConfig = { snapshots: [], status: newStatus, ...before, fields, due, ...presets };
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
