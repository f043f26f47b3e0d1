/** Diff: compares what two sets of properties mean, at any depth. */

import { isDeepStrictEqual } from "node:util";
import type { Facts, Values } from "./facts";
import type { Node, ObjectNode, Property } from "./node";
import { holdsUnknown, isRecord } from "./unknown";
import { comparable, decodedWithDefaults, objectIn, written, writtenName } from "./values";

/** One difference. */
export interface Change {
    /** Where it is: `storage.bucket`, `capabilities[0]`. */
    readonly path: string;
    readonly kind: "add" | "delete" | "update";
    /** Whether it needs another object. */
    readonly replaces: boolean;
    /** Whether the property only steers statecraft. */
    readonly isOption: boolean;
}

/**
 * How new inputs differ from the state of the last deployment. An unknown value counts as changed, and one inside a list makes the list
 * changed.
 */
export function diffValues(node: ObjectNode, olds: Values, news: Values): Change[] {
    // Mostly nothing has changed, and this tells so at a third of the price.
    if (node.meaningful.every((property) => isWrittenAlike(property, olds, news))) return [];
    return diffObject(node, olds, news, { path: "", replaces: false, isOption: false });
}

function isWrittenAlike(property: Property, olds: Values, news: Values): boolean {
    const given = written(property, news);
    return (
        isLeftToState(property, given) || (isDeepStrictEqual(written(property, olds), given) && !holdsUnknown(given))
    );
}

/** Whether this is not for the program to say, or is settled and not said. */
const isLeftToState = ({ facts }: Property, given: unknown) => facts.internal || (facts.sticky && given === undefined);

/** The property of the whole that a path leads into. */
export const topLevel = (path: string): string => path.replace(/[.[].*/s, "");

/** The names of the properties that changes are in, each once. */
export function changedNames(changes: readonly Change[]): string[] {
    return [...new Set(changes.map(({ path }) => topLevel(path)))];
}

/** The names of the properties whose changes need another object. */
export const replacing = (changes: readonly Change[]): string[] =>
    changedNames(changes.filter(({ replaces }) => replaces));

/** The change under the name that the program writes, which may be a former one: the engine looks it up in the inputs. */
export function asWritten({ properties }: ObjectNode, change: Change, olds: Values, news: Values): Change {
    const property = properties.get(change.path);
    if (property?.alias === undefined) return change;
    const path = writtenName(property, written(property, news) === undefined ? olds : news);
    return { ...change, path, kind: kindOf(olds[path] ?? undefined, news[path] ?? undefined) };
}

interface Place {
    readonly path: string;
    /** Whether a change here needs another object. */
    readonly replaces: boolean;
    readonly isOption: boolean;
}

function diffObject(node: ObjectNode, olds: Values, news: Values, place: Place): Change[] {
    const [before, after] = [decodedWithDefaults(node, olds), decodedWithDefaults(node, news)];
    return node.meaningful.flatMap((property) => {
        const { facts, name } = property;
        const given = written(property, news);
        if (isLeftToState(property, given)) return [];
        const [old, now] = [before[name], after[name]];
        const inside = {
            path: place.path === "" ? name : `${place.path}.${name}`,
            replaces: place.replaces || isReplacement(facts, old, now),
            isOption: place.isOption || facts.option === true,
        };
        // A default is in no program: what takes its place is added.
        return diffProperty(property, old, now, inside, kindOf(written(property, olds), given));
    });
}

function isReplacement({ immutable }: Facts, old: unknown, now: unknown): boolean {
    if (typeof immutable === "function") return holdsUnknown(now) || immutable(old, now);
    return immutable === true;
}

function diffProperty(
    { node, facts }: Pick<Property, "node" | "facts">,
    old: unknown,
    now: unknown,
    place: Place,
    kind = kindOf(old, now),
): Change[] {
    const [left, right] = [comparable(node, facts, old), comparable(node, facts, now)];
    if (!holdsUnknown(now) && isDeepStrictEqual(left, right)) return [];
    if (facts.equality === undefined) {
        const inside = diffInside(node, old, now, place);
        if (inside !== undefined) return inside;
    }
    return [change(kind, place)];
}

/** The differences inside a value, or `undefined` where it is to be told as a whole. */
function diffInside(node: Node, old: unknown, now: unknown, place: Place): Change[] | undefined {
    if (isRecord(old) && isRecord(now)) {
        if (node.kind === "map") return diffMap(old, now, place);
        const object = objectIn(node, now);
        return object && object === objectIn(node, old) ? diffObject(object, old, now, place) : undefined;
    }
    if (node.kind === "list" && Array.isArray(old) && Array.isArray(now)) {
        const length = Math.max(old.length, now.length);
        return Array.from({ length }).flatMap((_, index) =>
            diffProperty({ node: node.item, facts: noFacts }, old[index], now[index], {
                ...place,
                path: `${place.path}[${index}]`,
            }),
        );
    }
    return undefined;
}

const noFacts: Facts = { description: "" };

/** A path cannot name a key that ends in a backslash: then the map is told as a whole. */
function diffMap(old: Values, now: Values, place: Place): Change[] {
    const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
        (key) => holdsUnknown(now[key]) || !isDeepStrictEqual(old[key], now[key]),
    );
    if (changed.some((key) => key.endsWith("\\"))) return [change("update", place)];
    return changed.map((key) =>
        change(kindOf(old[key], now[key]), { ...place, path: `${place.path}[${quoted(key)}]` }),
    );
}

/** A key as the engine reads it in a path: of its escapes, it knows that of a quotation mark alone. */
const quoted = (key: string) => `"${key.replaceAll('"', '\\"')}"`;

const change = (kind: Change["kind"], { path, replaces, isOption }: Place): Change => ({
    path,
    kind,
    replaces,
    isOption,
});

function kindOf(old: unknown, now: unknown): Change["kind"] {
    if (old === undefined && now !== undefined) return "add";
    return now === undefined && old !== undefined ? "delete" : "update";
}
