/** A schema as nodes: the zod tree with its facts, walked once. Everything else is derived from these nodes. */

import * as z from "zod";
import { type Facts, factsOf, factsOrNone, type Rule, type Values } from "./facts";
import type { SecretPlace, SecretProperties } from "./secrets";
import { decoded } from "./values";

/** A value without properties of its own, whatever its type. */
export interface LeafNode {
    readonly kind: "leaf";
    readonly type: z.ZodType;
}

/** An object with named properties. */
export interface ObjectNode {
    readonly kind: "object";
    readonly properties: ReadonlyMap<string, Property>;
    /** Those that mean something by themselves: no former names. */
    readonly meaningful: readonly Property[];
    /** Where secrets are inside it. */
    readonly secrets: SecretProperties;
    readonly rules: readonly Rule[];
    /** What left-out properties mean, decoded, where that is always the same. */
    readonly defaults: Values;
    /** The properties whose defaults depend on others. */
    readonly conditional: readonly Property[];
    /** The properties that keep a stored value when they are left out. */
    readonly sticky: readonly Property[];
    /** The real names of former names. */
    readonly aliases: ReadonlyMap<string, string>;
}

/** A list whose items are all alike. */
export interface ListNode {
    readonly kind: "list";
    readonly item: Node;
    readonly type: z.ZodType;
}

/** An object whose entries are all alike, under names of the user's choice. */
export interface MapNode {
    readonly kind: "map";
    readonly value: Node;
    readonly type: z.ZodType;
}

/** An object of one of several forms, told apart by one of its properties. */
export interface UnionNode {
    readonly kind: "union";
    readonly discriminator: string;
    readonly forms: readonly Form[];
    /** The form that a discriminator names. */
    readonly byName: ReadonlyMap<unknown, Form>;
}

/** One form of a union. */
export interface Form {
    /** What the discriminator may be, the first one being what is sent. */
    readonly names: readonly string[];
    readonly description: string;
    readonly node: ObjectNode;
}

/** A type with its facts. */
export type Node = LeafNode | ObjectNode | ListNode | MapNode | UnionNode;

/** A property of an object. */
export interface Property {
    readonly name: string;
    readonly facts: Facts;
    readonly node: Node;
    readonly required: boolean;
    /** Its former name, which programs may still use. */
    readonly alias: string | undefined;
}

/** The nodes of an object's schema. */
export function objectNode(schema: z.ZodObject): ObjectNode {
    const declared = shapeOf(schema).map(([name, type]) => ({ name, type, facts: factsOf(type) }));
    const aliases = new Map(
        declared.flatMap(({ name, facts: { aliasOf } }) => (aliasOf === undefined ? [] : [[name, aliasOf] as const])),
    );
    const formerNames = new Map([...aliases].map(([former, name]) => [name, former]));
    const properties = declared.map(({ name, type, facts }) => propertyOf(name, type, facts, formerNames.get(name)));
    const constant = properties.filter(({ facts }) => facts.default !== undefined && !facts.sticky && !facts.aliasOf);
    return {
        kind: "object",
        properties: new Map(properties.map((property) => [property.name, property])),
        secrets: secretProperties(properties),
        meaningful: properties.filter(({ facts }) => facts.aliasOf === undefined),
        rules: factsOrNone(schema)?.rules ?? [],
        defaults: Object.fromEntries(constant.map(({ name, node, facts }) => [name, decoded(node, facts.default)])),
        conditional: properties.filter(({ facts }) => facts.defaultFrom !== undefined),
        sticky: properties.filter(({ facts }) => facts.sticky),
        aliases,
    };
}

function propertyOf(name: string, type: z.ZodType, facts: Facts, alias: string | undefined): Property {
    return {
        name,
        facts,
        node: nodeOf(required(type)),
        required: !(type instanceof z.ZodOptional),
        alias,
    };
}

/** The node of any type. */
function nodeOf(type: z.ZodType): Node {
    if (type instanceof z.ZodObject) return objectNode(type);
    if (type instanceof z.ZodArray) return { kind: "list", item: nodeOf(asType(type.element)), type };
    if (type instanceof z.ZodRecord) return { kind: "map", value: nodeOf(asType(type.valueType)), type };
    if (type instanceof z.ZodDiscriminatedUnion) return unionNode(type);
    return { kind: "leaf", type };
}

function unionNode(type: z.ZodDiscriminatedUnion): UnionNode {
    const { discriminator } = type.def;
    const forms = type.options.map((option): Form => {
        const form = asType(option);
        if (!(form instanceof z.ZodObject)) throw new TypeError("a form of a union is no object");
        return {
            names: wordsOf(asType(form.shape[discriminator])),
            description: factsOrNone(form)?.description ?? "",
            node: objectNode(form),
        };
    });
    const byName = new Map(forms.flatMap((form) => form.names.map((name) => [name, form])));
    return { kind: "union", discriminator, forms, byName };
}

function secretProperties(properties: readonly Property[]): SecretProperties {
    return Object.fromEntries(
        properties.flatMap(({ name, facts, node }) => {
            const place = facts.secret ? "whole" : secretsInside(node);
            return place === undefined ? [] : [[name, place]];
        }),
    );
}

function secretsInside(node: Node): SecretPlace | undefined {
    if (node.kind === "leaf") return undefined;
    if (node.kind === "list" || node.kind === "map") {
        const items = secretsInside(node.kind === "list" ? node.item : node.value);
        return items && { items };
    }
    const properties = node.kind === "object" ? node.secrets : secretsOfForms(node);
    return Object.keys(properties).length === 0 ? undefined : { properties };
}

/** What is secret in one form is secret in all of them: which form is meant may be unknown, or misspelt. */
function secretsOfForms({ forms }: UnionNode): SecretProperties {
    const all = forms.flatMap((form) => Object.entries(form.node.secrets));
    // The later entry of a name counts.
    return Object.fromEntries(all.sort(([, one], [, other]) => Number(one === "whole") - Number(other === "whole")));
}

/** The words of an enumeration. */
export function wordsOf(type: z.ZodType): string[] {
    const inner = required(type);
    if (inner instanceof z.ZodEnum) return inner.options.map(String);
    if (inner instanceof z.ZodLiteral) return [...inner.values].map(String);
    throw new TypeError(`a ${inner.def.type} is no enumeration`);
}

function shapeOf(schema: z.ZodObject): [string, z.ZodType][] {
    return Object.entries(schema.shape).map(([name, type]) => [name, asType(type)]);
}

/** A type without its `.optional()`. */
export function required(type: z.ZodType): z.ZodType {
    return type instanceof z.ZodOptional ? required(asType(type.unwrap())) : type;
}

/** zod's accessors are typed by its core; everything that is made through zod's own functions is one of these. */
export function asType(type: unknown): z.ZodType {
    if (type instanceof z.ZodType) return type;
    throw new TypeError("not a type of zod");
}
