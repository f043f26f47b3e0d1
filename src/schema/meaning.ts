/** What properties mean: each value decoded by its type, defaults filled in. Equal meanings may be spelled differently: `"1h"`, `3600`. */

import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Facts, Node, ObjectNode, Property, UnionNode } from "./property";
import { isRecord, mapValues, type Values } from "./values";

declare const meaning: unique symbol;

/** Decoded properties with their defaults. The compiler tells them from properties as written. */
export type Meaning = Values & { readonly [meaning]: true };

/** Decodes the properties of an object and fills in defaults. A property with neither value nor default is absent. */
export function meaningOf(node: ObjectNode, written: Values): Meaning {
    const result: Record<string, unknown> = {};
    const computed: Property[] = [];
    for (const property of node.properties.values()) {
        const value = written[property.name] ?? undefined;
        const { default: fallback } = property.facts;
        if (value !== undefined) result[property.name] = decoded(property.node, value);
        else if (typeof fallback === "function") computed.push(property);
        else if (fallback !== undefined) result[property.name] = decoded(property.node, fallback);
    }
    for (const property of computed) {
        const value = defaultOf(property, result);
        if (value !== undefined) result[property.name] = value;
    }
    return result as Meaning;
}

/** What leaving a property out means beside these other properties, decoded. */
export function defaultOf({ facts: { default: fallback }, node }: Property, siblings: Values): unknown {
    const value: unknown = typeof fallback === "function" ? fallback(siblings) : fallback;
    return value === undefined ? undefined : decoded(node, value);
}

/** Decodes a value. A value that its type refuses, as a server may send one, is returned as it is. */
export function decoded(node: Node, value: unknown): unknown {
    switch (node.kind) {
        case "leaf":
            return decodedLeaf(node.type, value);
        case "object":
            return isRecord(value) ? meaningOf(node, value) : value;
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
    return form ? { ...meaningOf(form.node, value), [node.discriminator]: form.names[0] } : value;
}

/** Whether two decoded values of a property are equal. */
export function isSame({ facts, node }: Pick<Property, "facts" | "node">, left: unknown, right: unknown): boolean {
    return (
        isDeepStrictEqual(left, right) ||
        isDeepStrictEqual(comparable(node, facts, left), comparable(node, facts, right))
    );
}

/** The part of a decoded value that is compared, by the `equality` of the value and of the properties inside it. */
export function comparable(node: Node, { equality }: Pick<Facts, "equality">, value: unknown): unknown {
    const inside = changeObjects(node, value, comparableObject);
    return equality ? equality(inside) : inside;
}

function comparableObject(node: ObjectNode, value: Values): Values {
    const result: Record<string, unknown> = {};
    for (const [name, inner] of Object.entries(value)) {
        const property = node.properties.get(name);
        // An optional property without a value equals an absent one.
        if (inner !== undefined) result[name] = property ? comparable(property.node, property.facts, inner) : inner;
    }
    return result;
}

/** The schema of a value that is an object: of a union, the form that the value names. */
export function objectIn(node: Node, value: Values): ObjectNode | undefined {
    if (node.kind === "object") return node;
    return node.kind === "union" ? node.byName.get(value[node.discriminator])?.node : undefined;
}

/** Changes the outermost objects inside a value. */
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
