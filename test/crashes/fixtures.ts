/**
 * The resources of the crash tests, from `test/resources`. Each resource has a copy for the moment before and after each request of its operations,
 * so that one crash happens at all these boundaries at once.
 */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import type { Seed } from "../../src/simulator/seed";
import type { Store } from "../../src/simulator/store";
import { type Moment, momentOf } from "../faults/moment";
import type { Moment as Side } from "../support/gate";
import type { SentRequest } from "../support/injector";
import { type CopyFacts, copiesIn, isNamedObject, joined, resourceFacts } from "../support/resource-facts";
import { Simulator } from "../support/simulator";

/** The user's commands. `up` creates; `change` is an `up` of a changed program. */
export const commands = ["up", "change", "refresh", "destroy"] as const;
export type Command = (typeof commands)[number];

/** A resource that waits at one boundary of each command. */
export interface Copy extends CopyFacts {
    readonly type: string;
    /** The resource, and what its copies have in common. */
    readonly kind: string;
    /** The name of the copy in the program and at the service, and its key at the gate. */
    readonly key: string;
    readonly number: number;
    /** Whether the next `up` refuses an object that a killed run created, because another program could have created it. */
    readonly isRefused: boolean;
}

/** The numbers of requests of a resource in each command, one number for each operation. */
export type Counts = Readonly<Record<Command, readonly number[]>>;

/** Creates copies of each kind. `countOf` returns their number. */
export function copiesOf(countOf: (kind: string) => number): Copy[] {
    return resourceFacts.flatMap((facts) =>
        copiesIn(facts).flatMap((copy, variant) => {
            const kind = `copy-${facts.type}-${variant}`.toLowerCase();
            return Array.from({ length: countOf(kind) }, (_, number) => {
                const key = `${kind}-${number}`;
                return { ...copy(key), type: facts.type, kind, key, number, isRefused: isNamedObject(facts) };
            });
        }),
    );
}

/** Counts the requests of each resource, without the engine. */
export async function measure(): Promise<ReadonlyMap<string, Counts>> {
    const copies = copiesOf(() => 1);
    const simulator = await Simulator.start(seedFor(copies));
    const counted = async (command: () => Promise<unknown>) => {
        await simulator.forget();
        const result = await command();
        const { length: count } = await simulator.requests();
        // A crash waits until each copy sends a request.
        assert(count > 0, "each command sends requests");
        return { result, count };
    };
    const counts = new Map<string, Counts>();
    try {
        for (const { type, kind, inputs, edited } of copies) {
            const resource = simulator.resource(type);
            await resource.check(inputs);
            const up = await counted(() => resource.up(inputs));
            const refresh = await counted(() => resource.refresh());
            const change = await counted(() => resource.up(edited));
            const destroy = await counted(() => resource.destroy());
            counts.set(kind, {
                up: [up.count],
                change: change.result === "replaced" ? [destroy.count, change.count - destroy.count] : [change.count],
                refresh: [refresh.count],
                destroy: [destroy.count],
            });
        }
    } finally {
        await simulator.close();
    }
    return counts;
}

const total = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0);

/** Creates a copy of each resource for each boundary of its longest command. */
export function copiesFor(counts: ReadonlyMap<string, Counts>): Copy[] {
    return copiesOf((kind) => 2 * Math.max(0, ...Object.values(counts.get(kind) ?? {}).map(total)));
}

/** The moment before or after the effect of one of a resource's requests. */
export interface Boundary {
    readonly index: number;
    readonly side: Side;
    /** The number of requests that the command sends up to the end of the operation with this boundary. */
    readonly end: number;
}

/** Returns a boundary of the command for each copy. Copies beyond the number of boundaries get none. */
export function planFor(
    command: Command,
    copies: readonly Copy[],
    counts: ReadonlyMap<string, Counts>,
): Map<string, Boundary> {
    const plan = new Map<string, Boundary>();
    for (const { kind, key, number } of copies) {
        const operations = counts.get(kind)?.[command] ?? [];
        const index = Math.floor(number / 2);
        if (index >= total(operations)) continue;
        let end = 0;
        for (const count of operations) if (end <= index) end += count;
        plan.set(key, { index, side: number % 2 === 0 ? "before" : "after", end });
    }
    return plan;
}

/** Returns the server's objects before the first command. */
export const seedFor = (copies: readonly Copy[]): Seed =>
    joined({ ...demonstration, mounts: ["azure"], workspaces: [] }, ...copies.map(({ seed }) => seed ?? {}));

/** Returns a program that declares all copies. */
export function programOf(copies: readonly Copy[], changed = false): string {
    const lines = copies.map(
        ({ type, key, inputs, edited }) => `new s.${type}("${key}", ${JSON.stringify(changed ? edited : inputs)});`,
    );
    return ['const s = require("pulumi-statecraft");', ...lines].join("\n");
}

const sorted = <Item>(items: readonly Item[], keyOf: (item: Item) => string) =>
    [...items].sort((one, other) => keyOf(one).localeCompare(keyOf(other)));

/** Returns the server's objects in an order that does not depend on their creation. */
export function comparable({ manager, volumes, stateVersions }: Store): Moment {
    const { versions, workspaces } = stateVersions;
    return momentOf({
        manager,
        volumes: sorted(volumes.volumes, ({ ID }) => ID),
        // A new version discards the pending one of a run that crashed.
        versions: sorted(
            versions.filter(({ status }) => status !== "discarded"),
            ({ workspace }) => workspace,
        ),
        workspaces,
    });
}

/** Returns the server's objects without workspaces and their versions. */
export const objectsIn = (store: Store): Moment =>
    comparable({ ...store, stateVersions: { ...store.stateVersions, versions: [], workspaces: [] } });

/** The server's objects after each command. */
export type Undisturbed = Readonly<Record<"up" | "change" | "destroy", Moment>>;

/** Runs the commands without the engine and without a crash. */
export async function undisturbed(copies: readonly Copy[]): Promise<Undisturbed> {
    const simulator = await Simulator.start(seedFor(copies));
    try {
        const resources = copies.map((copy) => ({ copy, resource: simulator.resource(copy.type) }));
        for (const { copy, resource } of resources) await resource.up(copy.inputs);
        const up = comparable(simulator.store);
        for (const { copy, resource } of resources) await resource.up(copy.edited);
        const change = comparable(simulator.store);
        for (const { resource } of resources) await resource.destroy();
        return { up, change, destroy: objectsIn(simulator.store) };
    } finally {
        await simulator.close();
    }
}

/** Returns the key of the copy that sent a request: a name in the path, or else the workspace of a version or an uploaded object. */
export function keyOf({ stateVersions }: Store, { path }: SentRequest): string {
    const [named] = /copy-[a-z]+-\d+-\d+/.exec(path) ?? [];
    if (named !== undefined) return named;
    const isIn = (id: string) => path.includes(id);
    const found = stateVersions.versions.find(({ id, objects }) => [id, objects.raw, objects.json].some(isIn));
    return found?.workspace ?? path;
}
