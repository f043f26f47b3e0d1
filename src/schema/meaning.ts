/**
 * The meaning of properties: their values decoded by their types, with defaults. Values with different spellings can have the same meaning:
 * `"1h"` and `3600`. Bodies of requests and answers contain decoded values under the field names of the API.
 */

import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Facts, Node, ObjectNode, Property, UnionNode } from "./property";
import { isRecord, mapValues, type Values, withoutUndefined } from "./values";

declare const decodedBrand: unique symbol;
declare const liveBrand: unique symbol;

/** Decoded properties with their defaults. The brand makes the compiler refuse properties as written in their place. */
export type Meaning = Values & { readonly [decodedBrand]: true };

/**
 * The decoded properties that an answer contains, under the names that programs use. The brand makes the compiler refuse a `Meaning` in
 * their place.
 */
export type Live = Values & { readonly [liveBrand]: true };

/** Decodes the properties of an object and fills in defaults. A property with neither value nor default is absent. */
export function meaningOf(node: ObjectNode, written: Values): Meaning {
    const meaning: Record<string, unknown> = {};
    for (const property of node.properties.values()) {
        let value: unknown = written[property.name] ?? undefined;
        value = value === undefined ? defaultOf(property, meaning) : mapNode(property.node, value, decoding);
        if (value !== undefined) meaning[property.name] = value;
    }
    return { ...meaning, ...node.form } as Meaning;
}

/** The decoded default of a property. It may depend on the properties that the schema declares before it, in `meaning`. */
export function defaultOf({ facts: { default: fallback }, node }: Property, meaning: Values): unknown {
    const value: unknown = typeof fallback === "function" ? fallback(meaning) : fallback;
    return value === undefined ? undefined : mapNode(node, value, decoding);
}

/** The changes of a walk through a value. */
interface Changes {
    /** Changes a value without properties. Default: it stays the same. */
    leaf?(type: z.ZodType, value: unknown): unknown;
    object(node: ObjectNode, value: Values): unknown;
}

/** Changes a value: it as a whole, or each item of a list or a map. A value of another kind than the schema's stays the same. */
export function mapNode(node: Node, value: unknown, changes: Changes): unknown {
    if (node.kind === "leaf") return changes.leaf ? changes.leaf(node.type, value) : value;
    if ("item" in node) return mapItems(value, (item) => mapNode(node.item, item, changes));
    if (!isRecord(value)) return value;
    const object = objectIn(node, value);
    return object ? changes.object(object, value) : value;
}

/** Applies `change` to the items of a list or a map. */
function mapItems(value: unknown, change: (item: unknown) => unknown): unknown {
    if (Array.isArray(value)) return value.map(change);
    return isRecord(value) ? mapValues(value, change) : value;
}

/** Decodes a value. A value that does not match its type, as servers may send it, stays the same. */
export const decoding: Changes = { leaf: decodedLeaf, object: meaningOf };

function decodedLeaf(type: z.ZodType, value: unknown): unknown {
    // A list is checked up to its first wrong item: zod alone makes an error for each, which may be millions.
    if (Array.isArray(value) && !value.every((item) => type.safeParse([item]).success)) return value;
    return type.safeParse(value).data ?? value;
}

/** Whether a decoded value of a property equals another one. */
export function isSame({ facts, node }: Pick<Property, "facts" | "node">, meaning: unknown, value: unknown): boolean {
    return (
        isDeepStrictEqual(meaning, value) ||
        isDeepStrictEqual(comparable(node, facts, meaning), comparable(node, facts, value))
    );
}

/** The part of a decoded value that is compared, by the `equality` of the value and of the properties inside it. */
export function comparable(node: Node, { equality }: Pick<Facts, "equality">, value: unknown): unknown {
    const inside = mapNode(node, value, { object: comparableObject });
    return equality ? equality(inside) : inside;
}

function comparableObject(node: ObjectNode, value: Values): Values {
    // An optional property without a value equals an absent one.
    return mapValues(withoutUndefined(value), (inner, name) => {
        const property = node.properties.get(name);
        return property ? comparable(property.node, property.facts, inner) : inner;
    });
}

/** The schema of a value that is an object: of a union, the form that the value names. */
export function objectIn(node: Node, value: Values): ObjectNode | undefined {
    if (node.kind === "object") return node;
    return node.kind === "union" ? node.forms.get(value[node.discriminator]) : undefined;
}

/** The complete body of a request: each property that has a value, under the field name of the API. */
export const encode: (node: ObjectNode, meaning: Meaning) => Record<string, unknown> = encodeObject;

function encodeObject(node: ObjectNode, meaning: Values): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const { name, facts, node: inner } of node.properties.values()) {
        const value = meaning[name];
        if (facts.wire === undefined || value === undefined) continue;
        const encoded = facts.wireForm?.encode ? facts.wireForm.encode(value) : value;
        body[facts.wire] = mapNode(inner, encoded, { object: encodeObject });
    }
    return body;
}

/** Reads the properties in an answer, without those that it lacks and secrets that it shows masked. `null` becomes the default. */
export const readAnswer = (node: ObjectNode, body: Values): Live => readObject(node, body, false) as Live;

/** Reads a record in an answer, with defaults for the properties that it lacks, at any depth. */
export const readRecord = (node: ObjectNode, body: Values): Meaning => readObject(node, body, true) as Meaning;

function readObject(node: ObjectNode, body: Values, isComplete: boolean): Values {
    const values: Record<string, unknown> = {};
    for (const property of node.properties.values()) {
        const { facts, name, node: inner } = property;
        const answer = facts.wire === undefined ? undefined : body[facts.wire];
        const isShown = answer !== undefined && !(facts.optionalInAnswers && answer === null);
        const isVisible = isShown && !(facts.secret && isMask(answer));
        const { decode = (shown: unknown) => readValue(inner, shown ?? facts.default, isComplete) } =
            facts.wireForm ?? {};
        let value = isVisible ? decode(answer) : undefined;
        if (isComplete) value ??= defaultOf(property, values);
        if (value !== undefined) values[name] = value;
    }
    return values;
}

function readValue(node: Node, value: unknown, isComplete: boolean): unknown {
    if (node.kind === "leaf") return decodedLeaf(node.type, value);
    if ("item" in node) return mapItems(value, (item) => readValue(node.item, item, isComplete));
    if (!isRecord(value)) return value;
    return node.kind === "object" ? readObject(node, value, isComplete) : readForm(node, value, isComplete);
}

/** Reads the form that the discriminator in an answer names. Returns `undefined` for an answer without the discriminator. */
function readForm(node: UnionNode, value: Values, isComplete: boolean): unknown {
    const [first] = node.forms.values();
    const name = value[first?.properties.get(node.discriminator)?.facts.wire ?? node.discriminator];
    const form = node.forms.get(name);
    if (form === undefined) return name === undefined ? undefined : { [node.discriminator]: name };
    return { ...readObject(form, value, isComplete), [node.discriminator]: name };
}

/** Whether a value is what servers show instead of a secret, such as `***` or `<redacted>`. */
function isMask(answer: unknown): boolean {
    if (Array.isArray(answer)) return answer.length > 0 && answer.every(isMask);
    return answer === null || (typeof answer === "string" && /^(\*+|[[(<]?redacted[\])>]?)$/i.test(answer));
}
