/**
 * The resources that crashes are tried on, from the facts of each. There is a copy of a resource for each side of each request that its
 * operations send, so that one crash of the engine finds a copy at every boundary at once.
 */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import type { Seed } from "../../src/simulator/seed";
import { type Moment, momentOf } from "../faults/moment";
import type { Moment as Side } from "../support/gate";
import type { SentRequest } from "../support/injector";
import { type CopyFacts, copyOf, isNamedObject, joined, resourceFacts } from "../support/resource-facts";
import { Simulator } from "../support/simulator";

/** What the user runs. `up` creates; `change` is an `up` of a changed program. */
export const commands = ["up", "change", "refresh", "destroy"] as const;
export type Command = (typeof commands)[number];

/** A resource, which stands at a place in its requests when the crash comes. */
export interface Copy extends CopyFacts {
    readonly type: string;
    /** Its name in the program, at the service, and at the gate. */
    readonly key: string;
    readonly number: number;
    /** Whether an object that a dead run has made is one that nobody can tell from another's. */
    readonly refused: boolean;
}

/** How many requests a resource sends for each command: one number for each of its operations. */
export type Counts = Readonly<Record<Command, readonly number[]>>;

/** As many copies of each resource as `count` says. */
export function copiesOf(count: (type: string) => number): Copy[] {
    return resourceFacts.flatMap((facts) => {
        const { type } = facts;
        const copies = Array.from({ length: count(type) }, (_, number) => ({
            key: `copy-${type}-${number}`.toLowerCase(),
            number,
        }));
        return copies.flatMap(({ key, number }) => {
            const copy = copyOf(facts, key);
            return copy ? [{ ...copy, type, key, number, refused: isNamedObject(facts) }] : [];
        });
    });
}

/** Which boundaries there are, measured on the provider without the engine. */
export async function measure(): Promise<ReadonlyMap<string, Counts>> {
    const copies = copiesOf(() => 1);
    const simulator = await Simulator.start(seedFor(copies));
    const counted = async (command: () => Promise<unknown>) => {
        await simulator.forget();
        const result = await command();
        const { length: count } = await simulator.requests();
        // A boundary that nobody comes to would be waited for without end.
        assert(count > 0, "each command sends requests");
        return { result, count };
    };
    const counts = new Map<string, Counts>();
    try {
        for (const { type, inputs, edited } of copies) {
            const resource = simulator.resource(type);
            await resource.check(inputs);
            const up = await counted(() => resource.up(inputs));
            const refresh = await counted(() => resource.refresh());
            const change = await counted(() => resource.up(edited));
            const destroy = await counted(() => resource.destroy());
            counts.set(type, {
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

/** As many copies of each resource as the longest command has boundaries. */
export function copiesFor(counts: ReadonlyMap<string, Counts>): Copy[] {
    return copiesOf((type) => 2 * Math.max(0, ...Object.values(counts.get(type) ?? {}).map(total)));
}

/** A place in a resource's requests. */
export interface Boundary {
    readonly index: number;
    readonly side: Side;
    /** How many requests of the command have been sent when the operation ends that this one belongs to. */
    readonly end: number;
}

/** Where each copy is to be: one at each boundary; copies that are left over are nowhere. */
export function planFor(
    command: Command,
    copies: readonly Copy[],
    counts: ReadonlyMap<string, Counts>,
): Map<string, Boundary> {
    const plan = new Map<string, Boundary>();
    for (const { type, key, number } of copies) {
        const operations = counts.get(type)?.[command] ?? [];
        const index = Math.floor(number / 2);
        if (index >= total(operations)) continue;
        let end = 0;
        for (const count of operations) if (end <= index) end += count;
        plan.set(key, { index, side: number % 2 === 0 ? "before" : "after", end });
    }
    return plan;
}

/** What is on the server before. */
export const seedFor = (copies: readonly Copy[]): Seed =>
    joined({ ...demonstration, mounts: ["clouda"], workspaces: [] }, ...copies.map(({ seed }) => seed ?? {}));

/** The program that declares all copies. */
export function programOf(copies: readonly Copy[], changed = false): string {
    const lines = copies.map(
        ({ type, key, inputs, edited }) => `new s.${type}("${key}", ${JSON.stringify(changed ? edited : inputs)});`,
    );
    return ['const s = require("pulumi-statecraft");', ...lines].join("\n");
}

/** What the server holds. */
export interface Held {
    readonly manager: unknown;
    readonly volumes: unknown;
    readonly stateVersions: {
        readonly versions: readonly {
            readonly id: string;
            readonly workspace: string;
            readonly rollbackOf: string | null;
            /** The ids of its contents, which downloads name. */
            readonly objects: Readonly<Record<"raw" | "json", string>>;
        }[];
        readonly workspaces: readonly { readonly id: string; readonly lock: unknown }[];
    };
}

export const heldBy = async (simulator: Simulator) => (await simulator.control("GET", "/simulator/state")) as Held;

/** The same, to be compared with what was made in another order. */
export function comparable({ manager, volumes, stateVersions }: Held): Moment {
    const versions = [...stateVersions.versions].sort((one, other) => one.workspace.localeCompare(other.workspace));
    return momentOf({ manager, volumes: sorted(volumes), stateVersions: { ...stateVersions, versions } });
}

function sorted(value: unknown): unknown {
    if (Array.isArray(value))
        return value.map(sorted).sort((one, other) => momentOf(one).localeCompare(momentOf(other)));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner)]));
}

/** What the server holds after each command. */
export type Undisturbed = Readonly<Record<"up" | "change" | "destroy", Moment>>;

/** What the server must hold after an `up`, and after a change: the same without the engine, and without a crash. */
export async function undisturbed(copies: readonly Copy[]): Promise<Undisturbed> {
    const simulator = await Simulator.start(seedFor(copies));
    try {
        const resources = copies.map((copy) => ({ copy, resource: simulator.resource(copy.type) }));
        const all = async (act: (one: (typeof resources)[number]) => Promise<unknown>) => {
            for (const one of resources) await act(one);
            return comparable(await heldBy(simulator));
        };
        const up = await all(({ copy, resource }) => resource.up(copy.inputs));
        const change = await all(({ copy, resource }) => resource.up(copy.edited));
        for (const { resource } of resources) await resource.destroy();
        return { up, change, destroy: objectsIn(await heldBy(simulator)) };
    } finally {
        await simulator.close();
    }
}

const nothing: Held["stateVersions"] = { versions: [], workspaces: [] };

/** What is left of objects, whatever became of the workspaces. */
export const objectsIn = (held: Held): Moment => comparable({ ...held, stateVersions: nothing });

/** Which copy a request belongs to. */
export async function keyOf(simulator: Simulator, { path }: SentRequest): Promise<string> {
    const [named] = /copy-[a-z]+-\d+/.exec(path) ?? [];
    if (named !== undefined) return named;
    const { stateVersions } = await heldBy(simulator);
    const isIn = (id: string) => path.includes(id);
    const found = stateVersions.versions.find(({ id, objects }) => [id, objects.raw, objects.json].some(isIn));
    return found?.workspace ?? path;
}
