/** The two comparisons of a resource: the program with state (`diff`), and the program with the server (`compare`). */

import { isDeepStrictEqual } from "node:util";
import type { Declared } from "./declared";
import { comparable, defaultOf, isSame, type Live, mapNode, objectIn } from "./meaning";
import type { Facts, Node, ObjectNode, Property, Spelled } from "./property";
import { holdsUnknown, isRecord, type Values, withoutUndefined } from "./values";

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
export function diff(before: Declared, declared: Declared): PropertyChange[] {
    return diffObject(declared.node, spellingOf(before), spellingOf(declared), {
        path: "",
        replaces: false,
        isOption: false,
    });
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

type Spot = Omit<PropertyChange, "kind">;

/** Reads a `Declared` once, because its `meaning` is a getter, which a comparison would call for each property. */
const spellingOf = ({ written, meaning }: Declared): Spelled<Values> => ({ written, meaning });

function diffObject(node: ObjectNode, before: Spelled<Values>, value: Spelled<Values>, spot: Spot): PropertyChange[] {
    return [...node.properties.values()].flatMap((property) => {
        const { facts, name } = property;
        // An omitted input with the fact `chosen` has the value that was chosen at creation, so it does not change.
        if (facts.internal || (facts.chosen && (value.written[name] ?? undefined) === undefined)) return [];
        const inside = {
            path: spot.path === "" ? name : `${spot.path}.${name}`,
            replaces: spot.replaces || isReplacement(facts, before.meaning[name], value.meaning[name]),
            isOption: spot.isOption || facts.option === true,
        };
        // The engine shows values as the program writes them, so the kind of change does not depend on defaults.
        const kind = kindOf(before.written[name], value.written[name]);
        return diffProperty(property, before.meaning[name], value.meaning[name], inside, kind);
    });
}

function isReplacement({ immutable }: Facts, before: unknown, value: unknown): boolean {
    return typeof immutable === "function" ? holdsUnknown(value) || immutable(before, value) : immutable === true;
}

function diffProperty(
    { node, facts }: Pick<Property, "node" | "facts">,
    before: unknown,
    value: unknown,
    spot: Spot,
    kind = kindOf(before, value),
): PropertyChange[] {
    if (!holdsUnknown(value) && isSame({ node, facts }, before, value)) return [];
    const inside = facts.equality === undefined ? diffInside(node, before, value, spot) : undefined;
    return inside ?? [{ ...spot, kind }];
}

/** The differences inside a value, or `undefined` if only the value as a whole differs. */
function diffInside(node: Node, before: unknown, value: unknown, spot: Spot): PropertyChange[] | undefined {
    if (isRecord(before) && isRecord(value)) {
        if (node.kind === "map") return diffMap(before, value, spot);
        const object = objectIn(node, value);
        if (object === undefined || object !== objectIn(node, before)) return undefined;
        return diffObject(object, { written: before, meaning: before }, { written: value, meaning: value }, spot);
    }
    if (node.kind !== "list" || !Array.isArray(before) || !Array.isArray(value)) return undefined;
    const item = { node: node.item, facts: { description: "" } };
    return Array.from({ length: Math.max(before.length, value.length) }).flatMap((_, index) =>
        diffProperty(item, before[index], value[index], { ...spot, path: `${spot.path}[${index}]` }),
    );
}

function diffMap(before: Values, value: Values, spot: Spot): PropertyChange[] {
    const changed = [...new Set([...Object.keys(before), ...Object.keys(value)])].filter(
        (key) => holdsUnknown(value[key]) || !isDeepStrictEqual(before[key], value[key]),
    );
    // The engine's paths cannot express a key that ends in a backslash.
    if (changed.some((key) => key.endsWith("\\"))) return [{ ...spot, kind: "update" }];
    return changed.map((key) => ({
        ...spot,
        kind: kindOf(before[key], value[key]),
        path: `${spot.path}["${key.replaceAll('"', '\\"')}"]`,
    }));
}

/** Absent values are `undefined` or `null`. */
function kindOf(before: unknown, value: unknown): PropertyChange["kind"] {
    if (before == null && value != null) return "add";
    return value == null && before != null ? "delete" : "update";
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
 * | shows a left-out `chosen` property         | the server's value    |
 *
 * @param declared what the program declares; `undefined` for an import, which takes everything that differs from a default
 */
export function compare(node: ObjectNode, declared: Declared | undefined, live: Live): Comparison {
    const found = nothing();
    return { outputs: compareObject(node, declared && spellingOf(declared), live, "", found), ...found };
}

type Found = Record<"drift" | "hidden" | "dropped", string[]>;

const nothing = (): Found => ({ drift: [], hidden: [], dropped: [] });

/** Compares an object that the program declares with an object on the server, and returns the outputs. */
function compareObject(
    node: ObjectNode,
    declared: Spelled<Values> | undefined,
    live: Values,
    prefix: string,
    found: Found,
): Record<string, unknown> {
    const outputs: Record<string, unknown> = {};
    for (const property of node.properties.values()) {
        const { name, facts } = property;
        const path = prefix + name;
        const value = {
            written: declared?.written[name] ?? undefined,
            meaning: declared ? declared.meaning[name] : defaultOf(property, live),
            live: live[name],
        };
        if (declared && value.written === undefined && (facts.leaveAlone || facts.chosen)) {
            if (facts.chosen && !isSame(property, value.meaning, value.live)) outputs[name] = value.live;
            continue;
        }
        const isSatisfied = declared !== undefined && facts.satisfiedBy?.(value.meaning, value.live) === true;
        const isWritten = value.live === undefined || isSatisfied;
        outputs[name] = isWritten ? value.written : compareValue(property, value, path, found);
        if (value.live !== undefined || !declared || !mayDiffer(property, value, declared.meaning)) continue;
        found.hidden.push(path);
        if (!facts.secret && !facts.optionalInAnswers && !isEmpty(property, value.meaning)) found.dropped.push(path);
    }
    return withoutUndefined(outputs);
}

/** A value that is compared with that of the server. */
type Compared = Spelled & { readonly live: unknown };

/** The output of a property that the server shows. */
function compareValue(property: Property, { written, meaning, live }: Compared, path: string, found: Found): unknown {
    const { node } = property;
    const object = isRecord(live) ? objectIn(node, live) : undefined;
    if (object && isRecord(live) && isRecord(written) && isRecord(meaning) && objectIn(node, meaning) === object) {
        // Both name the same form, perhaps by different names; the program's name is used.
        const form = discriminatorOf(node, written);
        const pair = { written, meaning: { ...meaning, ...form } };
        return compareObject(object, pair, { ...live, ...form }, `${path}.`, found);
    }
    const value = withHidden(node, meaning, live);
    if (isSame(property, meaning, value)) return written;
    found.drift.push(path);
    if (!object || !isRecord(live)) return value;
    return compareObject(object, undefined, live, `${path}.`, nothing());
}

const discriminatorOf = (node: Node, value: Values): Values =>
    node.kind === "union" ? { [node.discriminator]: value[node.discriminator] } : {};

/** The server's value, with the program's values for parts that the server does not show. */
function withHidden(node: Node, meaning: unknown, live: unknown): unknown {
    if (node.kind === "leaf") return live;
    if (node.kind === "list" && Array.isArray(meaning) && Array.isArray(live) && meaning.length === live.length) {
        return live.map((item, index) => withHidden(node.item, meaning[index], item));
    }
    const object = (inside: ObjectNode, shown: Values) => {
        if (!isRecord(meaning) || objectIn(node, meaning) !== inside) return shown;
        const parts = [...inside.properties.values()].map(({ name, node: inner }) => {
            return [name, shown[name] === undefined ? meaning[name] : withHidden(inner, meaning[name], shown[name])];
        });
        return { ...shown, ...withoutUndefined(Object.fromEntries(parts)) };
    };
    return mapNode(node, live, { object });
}

/**
 * Whether a property that the server does not show may differ from the program's value. Servers often omit defaults, so a default counts as
 * equal. A secret may always differ.
 */
function mayDiffer(property: Property, { written, meaning }: Compared, values: Values): boolean {
    const { secret, sourceOf, wire } = property.facts;
    if (sourceOf !== undefined) return written !== undefined;
    if (values[`${property.name}From`] !== undefined) return false;
    if (wire === undefined || secret) return wire !== undefined;
    return written !== undefined && !isSame(property, meaning, defaultOf(property, values));
}

function isEmpty({ node, facts }: Property, meaning: unknown): boolean {
    const value = comparable(node, facts, meaning);
    return !value || (typeof value === "object" && Object.keys(value).length === 0);
}
