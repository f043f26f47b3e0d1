/** The two comparisons of a resource: the program with state (`diff`), and the program with the server (`compare`). */

import { isDeepStrictEqual } from "node:util";
import { changeObjects, comparable, defaultOf, isSame, type Meaning, meaningOf, objectIn } from "./meaning";
import type { Facts, Node, ObjectNode, Property } from "./property";
import { holdsUnknown, isRecord, type Values } from "./values";
import type { Live } from "./wire";

/** One difference between the program and state. */
export interface PropertyChange {
    /** `storage.bucket`, `capabilities[0]`. */
    readonly path: string;
    readonly kind: "add" | "delete" | "update";
    /** Whether the change needs another object. */
    readonly replaces: boolean;
    /** Whether the property only steers statecraft. */
    readonly isOption: boolean;
}

/** How new inputs differ from the state of the last deployment, by meaning. An unknown value counts as changed. */
export function diff(node: ObjectNode, state: Values, inputs: Values): PropertyChange[] {
    // Most previews find no change, and this finds that out at a third of the price.
    const isUnchanged = ({ name, facts }: Property) => {
        const now = inputs[name] ?? undefined;
        return isIgnored(facts, now) || (isDeepStrictEqual(state[name] ?? undefined, now) && !holdsUnknown(now));
    };
    if ([...node.properties.values()].every(isUnchanged)) return [];
    return diffObject(node, state, inputs, { path: "", replaces: false, isOption: false });
}

/** A place that the program leaves out was resolved at create and cannot change. */
const isIgnored = (facts: Facts, now: unknown) => facts.internal || (facts.place && now === undefined);

/** The property of the resource that a path leads into. */
export const topLevel = (path: string): string => path.replace(/[.[].*/s, "");

/** The top-level properties that changes are in, each once. */
export function changedNames(changes: readonly PropertyChange[]): string[] {
    return [...new Set(changes.map(({ path }) => topLevel(path)))];
}

/** The top-level properties whose changes need another object. */
export const replacing = (changes: readonly PropertyChange[]): string[] =>
    changedNames(changes.filter(({ replaces }) => replaces));

type Place = Omit<PropertyChange, "kind">;

function diffObject(node: ObjectNode, state: Values, inputs: Values, place: Place): PropertyChange[] {
    const [before, after] = [meaningOf(node, state), meaningOf(node, inputs)];
    return [...node.properties.values()].flatMap((property) => {
        const { facts, name } = property;
        const now = inputs[name] ?? undefined;
        if (isIgnored(facts, now)) return [];
        const inside = {
            path: place.path === "" ? name : `${place.path}.${name}`,
            replaces: place.replaces || isReplacement(facts, before[name], after[name]),
            isOption: place.isOption || facts.option === true,
        };
        // The engine shows what the program writes, so the kind comes from the written values and not from defaults.
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

/** The differences inside a value, or `undefined` if only the whole value can be named. */
function diffInside(node: Node, old: unknown, now: unknown, place: Place): PropertyChange[] | undefined {
    if (isRecord(old) && isRecord(now)) {
        if (node.kind === "map") return diffMap(old, now, place);
        const object = objectIn(node, now);
        return object && object === objectIn(node, old) ? diffObject(object, old, now, place) : undefined;
    }
    if (node.kind !== "list" || !Array.isArray(old) || !Array.isArray(now)) return undefined;
    return Array.from({ length: Math.max(old.length, now.length) }).flatMap((_, index) =>
        diffProperty({ node: node.item, facts: { description: "" } }, old[index], now[index], {
            ...place,
            path: `${place.path}[${index}]`,
        }),
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
    /** What state stores: the program's spelling where both mean the same, else the server's value. */
    readonly outputs: Values;
    /** Paths of properties that the server shows with another value. */
    readonly drift: readonly string[];
    /** Paths of properties that the server does not show and that may have another value, such as secrets. */
    readonly hidden: readonly string[];
    /** Those of the hidden paths whose value the document says is shown: the server ignored what was written. */
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
    const found = { drift: [], hidden: [], dropped: [] };
    return { outputs: compareObject(node, program, server, "", found), ...found };
}

interface Found {
    readonly drift: string[];
    readonly hidden: string[];
    readonly dropped: string[];
}

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
        const written = program?.[name] ?? undefined;
        const [wanted, live] = [means ? means[name] : defaultOf(property, server), server[name]];
        if (program && written === undefined && (facts.leaveAlone || facts.place)) {
            if (facts.place && live !== undefined) outputs[name] = live;
            continue;
        }
        const value =
            facts.option || facts.internal
                ? written
                : compareProperty(property, written, { wanted, live, means, path: prefix + name }, found);
        if (value !== undefined) outputs[name] = value;
    }
    return outputs;
}

/** The values of one property: what the program means, and what the server shows. */
interface Sides {
    readonly wanted: unknown;
    readonly live: unknown;
    readonly means: Meaning | undefined;
    readonly path: string;
}

function compareProperty(property: Property, written: unknown, sides: Sides, found: Found): unknown {
    const { wanted, live, path, means } = sides;
    const { facts, node } = property;
    if (live === undefined) {
        if (facts.wire !== undefined && means && mayDiffer(property, written, wanted, means)) {
            found.hidden.push(path);
            const isShown = !facts.secret && !facts.optionalInAnswers && !isEmpty(property, wanted);
            if (isShown) found.dropped.push(path);
        }
        return written;
    }
    const whole = withHidden(node, wanted, live);
    if (isSame(property, wanted, whole)) return hiddenInside(property, written, sides, found);
    const inner = isRecord(live) ? objectIn(node, live) : undefined;
    if (inner && isRecord(live)) {
        const isSameForm = isRecord(written) && isRecord(wanted) && objectIn(node, wanted) === inner;
        if (isSameForm) return insideOf(node, inner, written, live, path, found);
        found.drift.push(path);
        return { ...compareObject(inner, undefined, live, `${path}.`, noted()), ...discriminatorOf(node, live) };
    }
    found.drift.push(path);
    return whole;
}

/** The property means the same as far as the server shows it; what is inside may still be hidden. */
function hiddenInside(property: Property, written: unknown, { live, path, means }: Sides, found: Found): unknown {
    const inner = means && isRecord(written) && isRecord(live) ? objectIn(property.node, live) : undefined;
    if (inner && isRecord(written) && isRecord(live)) insideOf(property.node, inner, written, live, path, found);
    return written;
}

function insideOf(node: Node, inner: ObjectNode, written: Values, live: Values, path: string, found: Found): Values {
    // A form has several names, and both sides name the same form.
    return compareObject(inner, written, { ...live, ...discriminatorOf(node, written) }, `${path}.`, found);
}

const discriminatorOf = (node: Node, value: Values): Values =>
    node.kind === "union" ? { [node.discriminator]: value[node.discriminator] } : {};

const noted = (): Found => ({ drift: [], hidden: [], dropped: [] });

/** What the server shows, completed by the parts of the program's value that it does not show. */
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

/** Servers often omit defaults, so a hidden default counts as equal. A hidden secret may be an older one. */
function mayDiffer(property: Property, written: unknown, wanted: unknown, means: Meaning): boolean {
    if (property.facts.secret) return true;
    return written !== undefined && !isSame(property, wanted, defaultOf(property, means));
}

function isEmpty({ node, facts }: Property, wanted: unknown): boolean {
    const value = comparable(node, facts, wanted);
    return !value || (typeof value === "object" && Object.keys(value).length === 0);
}
