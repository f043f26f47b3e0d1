/** What an object's properties mean: aliases under their real names, defaults filled in, each value in its decoded form. */

import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Values } from "./facts";
import type { Node, ObjectNode, Property, UnionNode } from "./node";
import { isRecord } from "./unknown";

/** The name under which a property was written: its former one if only that is there. */
export function writtenName({ name, alias }: Property, values: Values): string {
    return alias !== undefined && values[name] === undefined && values[alias] !== undefined ? alias : name;
}

/** What was written for a property. */
export function written(property: Property, values: Values): unknown {
    return values[writtenName(property, values)] ?? undefined;
}

/** The object as handlers get it: decoded, with its defaults. A property without a value and without a default is absent. */
export function decodedWithDefaults(node: ObjectNode, values: Values): Record<string, unknown> {
    const result: Record<string, unknown> = { ...node.defaults };
    for (const name in values) {
        const value = values[name];
        const real = node.aliases.get(name) ?? name;
        const property = value === undefined || value === null ? undefined : node.properties.get(real);
        // Its own name comes first, should both be there.
        if (property !== undefined && (real === name || values[real] === undefined)) {
            result[real] = decoded(property.node, value);
        }
    }
    for (const { name, node: inner, facts } of node.conditional) {
        const value = hasNone(result[name]) ? facts.defaultFrom?.of(result) : undefined;
        if (value !== undefined) result[name] = decoded(inner, value);
    }
    return result;
}

/** Whether this is no value where a default depends on other properties: an empty string is none there. */
export const hasNone = (value: unknown) => value === undefined || value === "";

/** The decoded form of a value. What is outside its type, as a server's may be, stands for itself. */
export function decoded(node: Node, value: unknown): unknown {
    switch (node.kind) {
        case "leaf":
            return decodedLeaf(node.type, value);
        case "object":
            return isRecord(value) ? decodedWithDefaults(node, value) : value;
        case "list":
            return Array.isArray(value) ? value.map((item) => decoded(node.item, item)) : value;
        case "map":
            return isRecord(value) ? mapValues(value, (item) => decoded(node.value, item)) : value;
        case "union":
            return decodedForm(node, value);
    }
}

function decodedLeaf(type: z.ZodType, value: unknown): unknown {
    const result = type.safeParse(value);
    return result.success ? result.data : value;
}

function decodedForm(node: UnionNode, value: unknown): unknown {
    if (!isRecord(value)) return value;
    const form = node.byName.get(value[node.discriminator]);
    return form ? { ...decodedWithDefaults(form.node, value), [node.discriminator]: form.names[0] } : value;
}

/** Whether two decoded values of a property are the same. */
export function isSame({ facts, node }: Pick<Property, "facts" | "node">, left: unknown, right: unknown): boolean {
    if (isDeepStrictEqual(left, right)) return true;
    return isDeepStrictEqual(comparable(node, facts, left), comparable(node, facts, right));
}

/** What is compared of a decoded value, the facts of what is inside it heeded. */
export function comparable(node: Node, { equality }: Pick<Property["facts"], "equality">, value: unknown): unknown {
    const inside = changeObjects(node, value, comparableObject);
    return equality ? equality(inside) : inside;
}

/** An optional property that is there without a value is not there. */
function comparableObject(node: ObjectNode, value: Values): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const [name, inner] of Object.entries(value)) {
        const property = node.properties.get(name);
        if (inner !== undefined) result[name] = property ? comparable(property.node, property.facts, inner) : inner;
    }
    return result;
}

/** The object that a value is, in the form that it says of itself; `undefined` where it is none. */
export function objectIn(node: Node, value: Values): ObjectNode | undefined {
    if (node.kind === "object") return node;
    return node.kind === "union" ? node.byName.get(value[node.discriminator])?.node : undefined;
}

/** Changes the outermost objects of a value; what is in none of them stays. */
export function changeObjects(
    node: Node,
    value: unknown,
    change: (node: ObjectNode, object: Values) => unknown,
): unknown {
    if (node.kind === "list" && Array.isArray(value))
        return value.map((item) => changeObjects(node.item, item, change));
    if (!isRecord(value)) return value;
    if (node.kind === "map") return mapValues(value, (item) => changeObjects(node.value, item, change));
    const object = objectIn(node, value);
    return object ? change(object, value) : value;
}

/** Changes every value of an object. */
export function mapValues<Value, Result>(
    values: Readonly<Record<string, Value>>,
    change: (value: Value, name: string) => Result,
): Record<string, Result> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

/** The values that say something. */
export function withoutUndefined(values: Values): Record<string, unknown> {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
