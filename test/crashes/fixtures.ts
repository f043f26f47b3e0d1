/**
 * The resources that crashes are tried on. There is a copy of a resource for each side of each request that its verbs send, so that one
 * crash of the engine finds a copy at every boundary at once.
 */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import type { Request } from "../../src/simulator/route";
import type { Seed } from "../../src/simulator/seed";
import type { Moment } from "../support/gate";
import type { ManagedResource } from "../support/managed-resource";
import type { StoredResource } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";

type Props = Record<string, unknown>;

/** What the user runs. `up` creates; `change` is an `up` of a changed program. */
export const commands = ["up", "change", "refresh", "destroy"] as const;
export type Command = (typeof commands)[number];

/** A resource, and a place in its requests where it is to be when the crash comes. */
export interface Copy {
    readonly kind: Kind;
    /** Its name in the program, at the service, and at the gate. */
    readonly key: string;
    readonly number: number;
}

interface Kind {
    readonly type: string;
    readonly prefix: string;
    inputs(name: string, changed: boolean): Props;
    /** Whether a change deletes the object and makes another. */
    readonly replaced?: true;
    /** Whether an object that a dead run has made is one that nobody can tell from another's. */
    readonly refused: boolean;
}

/** The four resources. */
export const kinds: readonly Kind[] = [
    {
        type: "AuthRole",
        prefix: "role-",
        inputs: (name, changed) => ({ name, boundLocations: ["north"], tokenTtl: changed ? "2h" : "1h" }),
        refused: true,
    },
    {
        type: "SnapshotConfig",
        prefix: "snap-",
        inputs: (name, changed) => ({
            name,
            interval: changed ? "2h" : "1h",
            storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1_000_000 },
        }),
        refused: true,
    },
    {
        type: "CsiVolume",
        prefix: "vol-",
        inputs: (volumeId, changed) => ({ volumeId, pluginId: "disks", externalId: changed ? "vol-2" : "vol-1" }),
        replaced: true,
        refused: true,
    },
    {
        type: "StateVersionRollback",
        prefix: "ws-",
        inputs: (workspaceId, changed) => ({
            workspaceId,
            stateVersionId: versionOf(workspaceId, changed ? "older" : "old"),
            lock: true,
            onDelete: "restore",
        }),
        refused: false,
    },
];

const versionOf = (workspaceId: string, age: "older" | "old" | "new") => `sv-${workspaceId}-${age}`;

/** How many requests a resource sends for each command: one number for each of its verbs. */
export type Counts = Readonly<Record<Command, readonly number[]>>;

/** Which boundaries there are, measured on the provider without the engine. */
export async function measure(): Promise<ReadonlyMap<string, Counts>> {
    const copies = kinds.map((kind) => ({ kind, key: `${kind.prefix}0`, number: 0 }));
    const simulator = await Simulator.start(seedFor(copies));
    const counted = async (verb: Promise<unknown>) => {
        await verb;
        const { length } = await simulator.requests();
        await simulator.forget();
        return length;
    };
    const counts = new Map<string, Counts>();
    try {
        for (const { kind, key } of copies) {
            const life: ManagedResource = simulator.resource(kind.type);
            await life.check(kind.inputs(key, false));
            await simulator.forget();
            const up = await counted(life.up(kind.inputs(key, false)));
            const refresh = await counted(life.refresh());
            const whole = await counted(life.up(kind.inputs(key, true)));
            const destroy = await counted(life.destroy());
            const change = kind.replaced ? [destroy, up] : [whole];
            assert.equal(
                whole,
                change.reduce((sum, one) => sum + one),
                `what ${kind.type} sends for a change`,
            );
            counts.set(kind.type, { up: [up], change, refresh: [refresh], destroy: [destroy] });
        }
    } finally {
        await simulator.close();
    }
    return counts;
}

const total = (verbs: readonly number[]) => verbs.reduce((sum, one) => sum + one, 0);

/** As many copies of each kind as the longest command has boundaries. */
export function copiesFor(counts: ReadonlyMap<string, Counts>): Copy[] {
    return kinds.flatMap((kind) => {
        const most = Math.max(...commands.map((command) => total(counts.get(kind.type)?.[command] ?? [])));
        return Array.from({ length: 2 * most }, (_, number) => ({ kind, key: `${kind.prefix}${number}`, number }));
    });
}

/** A place in a resource's requests. */
export interface Boundary {
    readonly index: number;
    readonly moment: Moment;
    /** How many requests of the command have been sent when the verb ends that this one belongs to. */
    readonly verbEnd: number;
}

/** Where each copy is to be: one at each boundary; copies that are left over are nowhere. */
export function planFor(
    command: Command,
    copies: readonly Copy[],
    counts: ReadonlyMap<string, Counts>,
): Map<string, Boundary> {
    const plan = new Map<string, Boundary>();
    for (const { kind, key, number } of copies) {
        const verbs = counts.get(kind.type)?.[command] ?? [];
        const index = Math.floor(number / 2);
        if (index >= total(verbs)) continue;
        let verbEnd = 0;
        for (const verb of verbs) if (verbEnd <= index) verbEnd += verb;
        plan.set(key, { index, moment: number % 2 === 0 ? "before" : "after", verbEnd });
    }
    return plan;
}

const stateOf = (serial: number, names: readonly string[]) => ({
    version: 4,
    tool_version: "1.9.0",
    serial,
    lineage: "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10",
    outputs: {},
    resources: names.map((name) => ({
        mode: "managed",
        type: "example_server",
        name,
        provider: "example",
        instances: [],
    })),
});

/** What stands on the server before: a workspace with three versions for each rollback. */
export function seedFor(copies: readonly Copy[]): Seed {
    const workspaces = copies
        .filter(({ kind }) => kind.type === "StateVersionRollback")
        .map(({ key }) => ({
            id: key,
            name: key,
            organization: "example",
            stateVersions: [
                { id: versionOf(key, "older"), state: stateOf(1, ["web"]) },
                { id: versionOf(key, "old"), state: stateOf(2, ["web", "cache", "queue", "database"]) },
                { id: versionOf(key, "new"), state: stateOf(3, []) },
            ],
        }));
    return { ...demonstration, workspaces };
}

/** The program that declares all copies. */
export function programOf(copies: readonly Copy[], changed = false): string {
    const lines = copies.map(
        ({ kind, key }) => `new s.${kind.type}("${key}", ${JSON.stringify(kind.inputs(key, changed))});`,
    );
    return ['const s = require("pulumi-statecraft");', ...lines].join("\n");
}

interface Version {
    readonly id: string;
    readonly workspace: string;
    readonly rollbackOf: string | null;
}

interface Simulated {
    readonly stateVersions: {
        readonly versions: readonly Version[];
        readonly workspaces: readonly { readonly id: string; readonly lock: unknown }[];
    };
}

const simulated = async (simulator: Simulator) => (await simulator.control("GET", "/simulator/state")) as Simulated;

/** Which copy a request belongs to. */
export async function keyOf(simulator: Simulator, { path }: Request): Promise<string> {
    const [named] = /(?:role|snap|vol|ws)-\d+(?=[/-]|$)/.exec(path) ?? [];
    if (named !== undefined) return named;
    const { stateVersions } = await simulated(simulator);
    return stateVersions.versions.find(({ id }) => path.includes(id))?.workspace ?? path;
}

/** Each workspace's versions, the newest last, and whether it is locked. */
export async function workspacesOf(
    simulator: Simulator,
): Promise<Map<string, { versions: Version[]; locked: boolean }>> {
    const { stateVersions } = await simulated(simulator);
    return new Map(
        stateVersions.workspaces.map(({ id, lock }) => [
            id,
            { versions: stateVersions.versions.filter(({ workspace }) => workspace === id), locked: lock !== null },
        ]),
    );
}

const roleAt = (key: string) => `/v1/auth/clouda/role/${key}`;
const snapshotAt = (key: string) => `/v1/sys/storage/raft/snapshot-auto/config/${key}`;
const volumeAt = (key: string) => `/v1/volume/csi/${key}`;
const paths: Readonly<Record<string, (key: string) => string>> = {
    "role-": roleAt,
    "snap-": snapshotAt,
    "vol-": volumeAt,
};

/** Whether an object is on the server, and as the program wants it. */
export async function shownAt(simulator: Simulator, { kind, key }: Copy): Promise<Props | undefined> {
    const answer = (await simulator.outside("GET", paths[kind.prefix]?.(key) ?? "")) as Props | undefined;
    return (answer?.["data"] as Props | undefined) ?? answer;
}

/** The server holds what the program says, once, and nothing is locked. */
export async function isAsDeclared(simulator: Simulator, copies: readonly Copy[], changed: boolean): Promise<void> {
    const workspaces = await workspacesOf(simulator);
    for (const copy of copies) {
        const { kind, key } = copy;
        if (kind.type === "StateVersionRollback") {
            const found = workspaces.get(key);
            const rollbacks = found?.versions.filter(({ rollbackOf }) => rollbackOf !== null) ?? [];
            const wanted = ["old", ...(changed ? (["older"] as const) : [])] as const;
            assert.deepEqual(
                rollbacks.map(({ rollbackOf }) => rollbackOf),
                wanted.map((age) => versionOf(key, age)),
                `the rollbacks of ${key}`,
            );
            assert.equal(found?.locked, false, `${key} is locked`);
        } else {
            const seen = await shownAt(simulator, copy);
            const seconds = changed ? 7200 : 3600;
            const [is, should] =
                kind.type === "AuthRole"
                    ? [seen?.["token_ttl"], seconds]
                    : kind.type === "SnapshotConfig"
                      ? [seen?.["interval"], seconds]
                      : [seen?.["ExternalID"], changed ? "vol-2" : "vol-1"];
            assert.equal(is, should, key);
        }
    }
}

/** Nothing is left but the workspaces, restored once where the stack knew what had been there before. */
export async function isGone(
    simulator: Simulator,
    copies: readonly Copy[],
    before: readonly StoredResource[],
): Promise<void> {
    const workspaces = await workspacesOf(simulator);
    for (const copy of copies) {
        if (copy.kind.type !== "StateVersionRollback") {
            assert.equal(await shownAt(simulator, copy), undefined, `${copy.key} is still there`);
            continue;
        }
        const stored = before.find(({ urn }) => urn.endsWith(`::${copy.key}`));
        const previous = stored?.outputs?.["previousStateVersionId"];
        const found = workspaces.get(copy.key);
        const restores = found?.versions.filter(({ rollbackOf }) => rollbackOf === previous) ?? [];
        assert.equal(restores.length, previous === "" ? 0 : 1, `${copy.key} is restored to ${previous}`);
        assert.equal(found?.locked, false, `${copy.key} is locked`);
    }
}
