/**
 * One zod schema describes a resource: `property(type, facts)` adds facts to each property that zod has no place for. Checks, differences,
 * requests, secrets, docs and generated types are derived from the schema.
 *
 * | form of a value | where                        | how                                                        |
 * | --------------- | ---------------------------- | ---------------------------------------------------------- |
 * | written         | programs, state              | `z.input` of the type                                      |
 * | meaning         | resource files, comparisons  | `z.output`: decoded by the type's codec, with defaults     |
 * | wire            | requests and answers         | the meaning under the name `wire`, converted by `wireForm` |
 */

import * as z from "zod";
import type { SecretPart, SecretProperties } from "./secrets";
import type { Values } from "./values";

/** A rule over several properties of an object. It runs only if all of them are known and each is valid by itself. */
export interface Rule {
    readonly uses: readonly string[];
    /** A failure stops the deployment, a warning only if `strict` is set, a note never. Default: `failure`. */
    readonly severity?: "failure" | "warning" | "note";
    /** Returns the problem, if there is one. */
    test(values: Checked): { readonly path: string; readonly reason: string } | undefined;
}

/** A value in two forms. */
export interface Spelled<Value = unknown> {
    /** As a program or a state contains it. */
    readonly written: Value;
    /** Decoded, with defaults. */
    readonly meaning: Value;
}

/** A value that is checked. */
export interface Checked<Value = Values> extends Spelled<Value> {
    /** That of the last deployment, decoded. */
    readonly before: Value | undefined;
}

/**
 * Makes the rules of a severity about a property.
 *
 * @param others the other properties that the rule uses
 * @param problem returns the problem, if there is one
 */
const ruleOf =
    (severity: NonNullable<Rule["severity"]>) =>
    (
        path: string,
        others: readonly string[],
        problem: (meaning: Values, before: Values | undefined) => string | undefined,
    ): Rule => ({
        uses: [path, ...others],
        severity,
        test({ meaning, before }) {
            const reason = problem(meaning, before);
            return reason === undefined ? undefined : { path, reason };
        },
    });

/** A rule that warns about a property. */
export const warnAbout = ruleOf("warning");

/** A rule about a property, whose problem stops the deployment. */
export const failAbout = ruleOf("failure");

/** A rule about what the program declares on purpose. */
export const noteAbout = ruleOf("note");

/** Facts about a property. */
export interface Facts {
    /** A description of the property, with units, in the document's terms. */
    readonly description: string;
    /** Field name in requests and answers. A property without one is not part of the body. */
    readonly wire?: string | undefined;
    /** Conversion between the decoded value and the JSON of the API, where the two differ. */
    readonly wireForm?: WireForm | undefined;
    /**
     * The value of an omitted property, as a program would write it. A function `({ path }: Values) => …` computes it from the properties that are
     * declared before it; such a property also needs `defaultText` and `optionalInAnswers`.
     */
    readonly default?: unknown;
    /** Text for a computed default in the docs. */
    readonly defaultText?: string | undefined;
    /** The value is encrypted in state and in previews, and removed from messages. */
    readonly secret?: true | undefined;
    /** The property names the source of this secret: see `secret-sources.ts`. */
    readonly sourceOf?: string | undefined;
    /** An answer may lack the property although the server has a value. */
    readonly optionalInAnswers?: true | undefined;
    /** A change replaces the object: always, or if the function returns true for the two decoded values. */
    readonly immutable?: true | ((old: unknown, now: unknown) => boolean) | undefined;
    /** Two decoded values are equal if this function returns equal values for them. Default: the values themselves are compared. */
    readonly equality?: Equality | undefined;
    /** Whether a value on the server is as declared although the two are not equal, such as a size that the server rounded up. */
    readonly satisfiedBy?: ((declared: unknown, live: unknown) => boolean) | undefined;
    /** The property changes what statecraft does and is never sent: a change of it is only stored. */
    readonly option?: true | undefined;
    /**
     * If the program leaves the property out, the settings (mount, namespace) or the server (capacity, topologies) choose the value. The
     * outputs contain the value unless it is the default, and leaving it out later is no change.
     */
    readonly chosen?: true | undefined;
    /** If the program leaves the property out, it is neither sent nor compared, so the value on the server does not change. */
    readonly leaveAlone?: true | undefined;
    /** Another property has replaced it: no message suggests it. */
    readonly deprecated?: true | undefined;
    /** Set by statecraft; not an argument of programs. */
    readonly internal?: true | undefined;
    /** Name of the generated type. Default: the names of the resource and the property. */
    readonly typeName?: string | undefined;
    /** The known values of a string that may have others too. Editors suggest them. */
    readonly suggestions?: readonly string[] | undefined;
    /** The property is a whole number that may exceed 2^31. Generated SDKs have the type `number` for it. */
    readonly large?: true | undefined;
    /** Rules over the properties of this object. */
    readonly rules?: readonly Rule[] | undefined;
}

/** Conversion between a decoded value and the JSON of the API. */
interface WireForm {
    /** Decodes the field of an answer. `undefined`: the answer does not show the property. */
    readonly decode?: ((answer: unknown) => unknown) | undefined;
    readonly encode?: ((meaning: unknown) => unknown) | undefined;
}

/** Returns the part of a decoded value that is compared. */
export type Equality = (meaning: unknown) => unknown;

const registry = z.registry<Facts>();

/** Adds facts to a property: `tokenTtl: property(duration().optional(), { description: …, wire: "token_ttl" })`. */
export function property<Type extends z.ZodType>(type: Type, facts: Facts): Type {
    // The registry has one entry for each instance of a type, and several properties may share a type.
    const copy = type.clone();
    registry.add(copy, facts);
    return copy;
}

/** Adds rules to an object that is not a property: a resource's inputs, a function's arguments. */
export const withRules = <Type extends z.ZodObject>(type: Type, rules: readonly Rule[]): Type =>
    property(type, { description: "", rules });

/** The facts about a property. @throws TypeError for a type that `property` did not make */
export function factsOf(type: z.ZodType): Facts {
    const facts = registry.get(type);
    if (facts === undefined) throw new TypeError(`a property of the type ${type.def.type} has no facts`);
    return facts;
}

/** The facts about a type that may have none, such as the type of items in a list. */
export function factsOrNone(type: z.ZodType): Facts | undefined {
    return registry.get(type);
}

/** A value without properties. */
interface LeafNode {
    readonly kind: "leaf";
    readonly type: z.ZodType;
}

/** An object with named properties. */
export interface ObjectNode {
    readonly kind: "object";
    readonly properties: ReadonlyMap<string, Property>;
    readonly secrets: SecretProperties;
    readonly rules: readonly Rule[];
    /** The discriminator, with the first of its values, which requests contain. Absent for an object that is no form of a union. */
    readonly form?: Values;
}

/** A list, or an object whose keys the program chooses. All items have one type. */
export interface ItemsNode {
    readonly kind: "list" | "map";
    readonly item: Node;
    readonly type: z.ZodType;
}

/** An object of one of several forms, chosen by the value of one property, the discriminator. */
export interface UnionNode {
    readonly kind: "union";
    readonly discriminator: string;
    /** The forms by the values of the discriminator. */
    readonly forms: ReadonlyMap<unknown, ObjectNode>;
}

/** The schema of a value. */
export type Node = LeafNode | ObjectNode | ItemsNode | UnionNode;

/** A property of an object. */
export interface Property {
    readonly name: string;
    readonly facts: Facts;
    readonly node: Node;
    readonly required: boolean;
}

/** The schema of an object as a tree of nodes. */
export function objectNode(schema: z.ZodObject): ObjectNode {
    const properties = Object.entries(schema.shape).map(([name, shape]): Property => {
        const type = asType(shape);
        const isRequired = !(type instanceof z.ZodOptional);
        return { name, facts: factsOf(type), node: nodeOf(required(type)), required: isRequired };
    });
    const secrets = properties.flatMap(({ name, facts, node }): [string, SecretPart][] => {
        const part = facts.secret ? "whole" : secretsInside(node);
        return part === undefined ? [] : [[name, part]];
    });
    return {
        kind: "object",
        properties: new Map(properties.map((each) => [each.name, each])),
        secrets: Object.fromEntries(secrets),
        rules: factsOrNone(schema)?.rules ?? [],
    };
}

function nodeOf(type: z.ZodType): Node {
    if (type instanceof z.ZodObject) return objectNode(type);
    if (type instanceof z.ZodArray) return { kind: "list", item: nodeOf(asType(type.element)), type };
    if (type instanceof z.ZodRecord) return { kind: "map", item: nodeOf(asType(type.valueType)), type };
    if (!(type instanceof z.ZodDiscriminatedUnion)) return { kind: "leaf", type };
    const { discriminator } = type.def;
    const forms = type.options.flatMap((option) => {
        const form = asType(option);
        if (!(form instanceof z.ZodObject)) throw new TypeError("a form of a union must be an object");
        const names = wordsOf(asType(form.shape[discriminator]));
        const node: ObjectNode = { ...objectNode(form), form: { [discriminator]: names[0] } };
        return names.map((name) => [name, node] as const);
    });
    return { kind: "union", discriminator, forms: new Map(forms) };
}

function secretsInside(node: Node): SecretPart | undefined {
    if (node.kind === "leaf") return undefined;
    if ("item" in node) {
        const items = secretsInside(node.item);
        return items && { items };
    }
    // A secret of one form is treated as a secret in all forms, because the discriminator may be unknown or misspelt.
    const objects = node.kind === "object" ? [node] : [...node.forms.values()];
    const properties: SecretProperties = Object.assign({}, ...objects.map(({ secrets }) => secrets));
    return Object.keys(properties).length === 0 ? undefined : { properties };
}

/** The strings that an enumeration allows. */
export function wordsOf(type: z.ZodType): string[] {
    const inner = required(type);
    if (inner instanceof z.ZodEnum) return inner.options.map(String);
    if (inner instanceof z.ZodLiteral) return [...inner.values].map(String);
    throw new TypeError(`a ${inner.def.type} is not an enumeration`);
}

/** A type without its `.optional()`. */
export function required(type: z.ZodType): z.ZodType {
    return type instanceof z.ZodOptional ? required(asType(type.unwrap())) : type;
}

/** Checks the type of a schema that zod returns with a less specific type. */
export function asType(type: unknown): z.ZodType {
    if (type instanceof z.ZodType) return type;
    throw new TypeError("not a type of zod");
}
