/** The two comparisons of a resource: the program with state (`diff`), and the program with the server (`compare`). */

import { isDeepStrictEqual } from "node:util";
import { changeObjects, comparable, defaultOf, isSame, type Live, type Meaning, meaningOf, objectIn } from "./meaning";
import type { Facts, Node, ObjectNode, Property } from "./property";
import { holdsUnknown, isRecord, type Values } from "./values";

/** One difference between the program and state. */
export interface PropertyChange {
    /** Path of the property, such as `storage.bucket` or `capabilities[0]`. */
    readonly path: string;
    readonly kind: "add" | "delete" | "update";
    /** Whether the change replaces the object. */
    readonly replaces: boolean;
    /** Whether the property is an option, which changes what statecraft does and not the object. */
    readonly isOption: boolean;
}

/** How new inputs differ from the state of the last deployment, by meaning. An unknown value counts as changed. */
export function diff(node: ObjectNode, state: Values, inputs: Values): PropertyChange[] {
    return diffObject(node, state, inputs, { path: "", replaces: false, isOption: false });
}

/** The property of the resource that a path leads into. */
export const topLevel = (path: string): string => path.replace(/[.[].*/s, "");

/** The top-level properties that change, without duplicates. */
export function changedNames(changes: readonly PropertyChange[]): string[] {
    return [...new Set(changes.map(({ path }) => topLevel(path)))];
}

/** The top-level properties whose changes replace the object. */
export const replacing = (changes: readonly PropertyChange[]): string[] =>
    changedNames(changes.filter(({ replaces }) => replaces));

type Place = Omit<PropertyChange, "kind">;

function diffObject(node: ObjectNode, state: Values, inputs: Values, place: Place): PropertyChange[] {
    const [before, after] = [meaningOf(node, state), meaningOf(node, inputs)];
    return [...node.properties.values()].flatMap((property) => {
        const { facts, name } = property;
        const now = inputs[name] ?? undefined;
        // An omitted input with the fact `place` has the value that was chosen at creation, so it does not change.
        if (facts.internal || (facts.place && now === undefined)) return [];
        const inside = {
            path: place.path === "" ? name : `${place.path}.${name}`,
            replaces: place.replaces || isReplacement(facts, before[name], after[name]),
            isOption: place.isOption || facts.option === true,
        };
        // The engine shows values as the program writes them, so the kind of change does not depend on defaults.
        return diffProperty(property, before[name], after[name], inside, kindOf(state[name] ?? undefined, now));
    });
}

function isReplacement({ immutable }: Facts, old: unknown, now: unknown): boolean {
    return typeof immutable === "function" ? holdsUnknown(now) || immutable(old, now) : immutable === true;
}

function diffProperty(
    { node, facts }: Pick<Property, "node" | "facts">,
    old: unknown,
    now: unknown,
    place: Place,
    kind = kindOf(old, now),
): PropertyChange[] {
    const [left, right] = [comparable(node, facts, old), comparable(node, facts, now)];
    if (!holdsUnknown(now) && isDeepStrictEqual(left, right)) return [];
    const inside = facts.equality === undefined ? diffInside(node, old, now, place) : undefined;
    return inside ?? [{ ...place, kind }];
}

/** The differences inside a value, or `undefined` if only the value as a whole differs. */
function diffInside(node: Node, old: unknown, now: unknown, place: Place): PropertyChange[] | undefined {
    if (isRecord(old) && isRecord(now)) {
        if (node.kind === "map") return diffMap(old, now, place);
        const object = objectIn(node, now);
        return object && object === objectIn(node, old) ? diffObject(object, old, now, place) : undefined;
    }
    if (node.kind !== "list" || !Array.isArray(old) || !Array.isArray(now)) return undefined;
    const item = { node: node.item, facts: { description: "" } };
    return Array.from({ length: Math.max(old.length, now.length) }).flatMap((_, index) =>
        diffProperty(item, old[index], now[index], { ...place, path: `${place.path}[${index}]` }),
    );
}

function diffMap(old: Values, now: Values, place: Place): PropertyChange[] {
    const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
        (key) => holdsUnknown(now[key]) || !isDeepStrictEqual(old[key], now[key]),
    );
    // The engine's paths cannot express a key that ends in a backslash.
    if (changed.some((key) => key.endsWith("\\"))) return [{ ...place, kind: "update" }];
    return changed.map((key) => ({
        ...place,
        kind: kindOf(old[key], now[key]),
        path: `${place.path}["${key.replaceAll('"', '\\"')}"]`,
    }));
}

function kindOf(old: unknown, now: unknown): PropertyChange["kind"] {
    if (old === undefined && now !== undefined) return "add";
    return now === undefined && old !== undefined ? "delete" : "update";
}

/** How an object on the server compares with what the program wrote. */
export interface Comparison {
    /** The outputs to store in state: the program's spelling where it equals the server's value after decoding, else the server's value. */
    readonly outputs: Values;
    /** Paths of properties that the server shows with another value. */
    readonly drift: readonly string[];
    /** Paths of properties that the server does not show and that may have another value, such as secrets. */
    readonly hidden: readonly string[];
    /** Hidden paths of properties that the API documents in answers: the server ignored the written value. */
    readonly dropped: readonly string[];
}

/**
 * Compares the program with the server.
 *
 * | the server                                 | the output is         |
 * | ------------------------------------------ | --------------------- |
 * | shows what the program means               | what the program wrote |
 * | shows something else                       | the server's value    |
 * | does not show the property                 | what the program wrote |
 * | shows the default of a left-out property   | absent                |
 * | shows a left-out place                     | the server's value    |
 *
 * @param program what the program wrote; `undefined` for an import, which takes everything that differs from a default
 */
export function compare(node: ObjectNode, program: Values | undefined, server: Live): Comparison {
    const found = nothing();
    return { outputs: compareObject(node, program, server, "", found), ...found };
}

type Found = Record<"drift" | "hidden" | "dropped", string[]>;

const nothing = (): Found => ({ drift: [], hidden: [], dropped: [] });

function compareObject(
    node: ObjectNode,
    program: Values | undefined,
    server: Values,
    prefix: string,
    found: Found,
): Record<string, unknown> {
    const outputs: Record<string, unknown> = {};
    const means = program && meaningOf(node, program);
    for (const property of node.properties.values()) {
        const { name, facts } = property;
        const [written, live, path] = [program?.[name] ?? undefined, server[name], prefix + name];
        const wanted = means ? means[name] : defaultOf(property, server);
        if (program && written === undefined && (facts.leaveAlone || facts.place)) {
            if (facts.place && live !== undefined) outputs[name] = live;
            continue;
        }
        const value = live === undefined ? written : compareValue(property, { written, wanted, live }, path, found);
        if (value !== undefined) outputs[name] = value;
        if (live !== undefined || !means || !mayDiffer(property, written, wanted, means)) continue;
        found.hidden.push(path);
        if (!facts.secret && !facts.optionalInAnswers && !isEmpty(property, wanted)) found.dropped.push(path);
    }
    return outputs;
}

/** The output of a property that the server shows. */
function compareValue(
    property: Property,
    { written, wanted, live }: Readonly<Record<"written" | "wanted" | "live", unknown>>,
    path: string,
    found: Found,
): unknown {
    const { node } = property;
    const object = isRecord(live) ? objectIn(node, live) : undefined;
    if (object && isRecord(live) && isRecord(written) && isRecord(wanted) && objectIn(node, wanted) === object) {
        // Both name the same form, perhaps by different names; the program's name is used.
        return compareObject(object, written, { ...live, ...discriminatorOf(node, written) }, `${path}.`, found);
    }
    const whole = withHidden(node, wanted, live);
    if (isSame(property, wanted, whole)) return written;
    found.drift.push(path);
    if (!object || !isRecord(live)) return whole;
    return { ...compareObject(object, undefined, live, `${path}.`, nothing()), ...discriminatorOf(node, live) };
}

const discriminatorOf = (node: Node, value: Values): Values =>
    node.kind === "union" ? { [node.discriminator]: value[node.discriminator] } : {};

/** The server's value, with the program's values for parts that the server does not show. */
function withHidden(node: Node, wanted: unknown, live: unknown): unknown {
    if (node.kind === "leaf") return live;
    if (node.kind === "list" && Array.isArray(wanted) && Array.isArray(live) && wanted.length === live.length) {
        return live.map((item, index) => withHidden(node.item, wanted[index], item));
    }
    return changeObjects(node, live, (object, shown) => {
        if (!isRecord(wanted) || objectIn(node, wanted) !== object) return shown;
        const parts = [...object.properties.values()].flatMap((property) => {
            const { name, node: inner } = property;
            const value = shown[name] === undefined ? wanted[name] : withHidden(inner, wanted[name], shown[name]);
            return value === undefined ? [] : [[name, value] as const];
        });
        return { ...shown, ...Object.fromEntries(parts) };
    });
}

/**
 * Whether a property that the server does not show may differ from the program's value. Servers often omit defaults, so a default counts as
 * equal. A secret may always differ.
 */
function mayDiffer(property: Property, written: unknown, wanted: unknown, means: Meaning): boolean {
    const { secret, wire } = property.facts;
    if (wire === undefined || secret) return wire !== undefined;
    return written !== undefined && !isSame(property, wanted, defaultOf(property, means));
}

function isEmpty({ node, facts }: Property, wanted: unknown): boolean {
    const value = comparable(node, facts, wanted);
    return !value || (typeof value === "object" && Object.keys(value).length === 0);
}
