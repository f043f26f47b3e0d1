/** Types of the Pulumi package schema, from those of the definitions. */

import * as z from "zod";
import { asType, type Facts, factsOrNone, required, wordsOf } from "../src/schema/property";
import { asset } from "../src/schema/property-types";
import { productWords, productWordsFirst } from "./product-words";
import {
    type Form,
    innerName,
    isAlwaysThere,
    publicProperties,
    singular,
    unionFormName,
    wholeDescription,
} from "./property-texts";

/** A type or a property, as the package schema writes it. */
export type Spec = Readonly<Record<string, unknown>>;

/** Types by their tokens. */
export type Types = Record<string, Spec>;

export const token = (name: string) => `statecraft:index:${name}`;

/** The properties of an object, and which of them are always there. */
export function objectSpec(types: Types, name: string, schema: z.ZodObject, form: Form): Spec {
    const shown = publicProperties(schema);
    const specs = shown.map(([property, type, facts]): [string, Spec] => [
        property,
        { ...typeSpec(types, innerName(name, property), required(type), facts, form), ...propertyFacts(facts, form) },
    ]);
    return {
        properties: Object.fromEntries(specs),
        required: shown.filter(([, type, facts]) => isAlwaysThere(type, facts, form)).map(([property]) => property),
    };
}

function propertyFacts(facts: Facts, form: Form): Spec {
    const isReplaced = facts.immutable === true;
    return {
        description: wholeDescription(facts, form),
        ...(facts.secret ? { secret: true } : {}),
        ...(isReplaced && form === "args" ? { replaceOnChanges: true } : {}),
    };
}

export const any: Spec = { $ref: "pulumi.json#/Any" };

function typeSpec(types: Types, name: string, type: z.ZodType, facts: Facts, form: Form): Spec {
    // State holds the digest of a content.
    if (type === asset) return form === "state" ? { type: "string" } : { $ref: "pulumi.json#/Asset" };
    if (type instanceof z.ZodCodec)
        return typeSpec(types, name, asType(form === "result" ? type.out : type.in), facts, form);
    if (type instanceof z.ZodPipe) return typeSpec(types, name, asType(type.out), facts, form);
    if (type instanceof z.ZodReadonly) return typeSpec(types, name, asType(type.unwrap()), facts, form);
    if (type instanceof z.ZodString) return { type: "string" };
    if (type instanceof z.ZodNumber) return { type: type.isInt && !facts.large ? "integer" : "number" };
    if (type instanceof z.ZodBoolean) return { type: "boolean" };
    if (type instanceof z.ZodLiteral) return { type: "string", const: wordsOf(type)[0] };
    if (type instanceof z.ZodEnum) return wordsSpec(types, name, type, facts, form);
    if (type instanceof z.ZodArray) {
        return { type: "array", items: typeSpec(types, singular(name), asType(type.element), inside(facts), form) };
    }
    if (type instanceof z.ZodRecord) {
        return {
            type: "object",
            additionalProperties: typeSpec(types, singular(name), asType(type.valueType), inside(facts), form),
        };
    }
    if (type instanceof z.ZodDiscriminatedUnion) return unionSpec(types, name, type, facts, form);
    if (type instanceof z.ZodUnion) {
        // Only a property may have a constant.
        const options = type.options
            .map((option) => typeSpec(types, name, asType(option), inside(facts), form))
            .map(({ const: _word, ...option }) => option);
        // Pulumi's SDK for Python takes no list where the type is one of several: a list is all that SDKs offer there.
        const list = options.find((option) => option["type"] === "array");
        if (list !== undefined) return list;
        // Pulumi's SDK for Java reads no object where the type is one of several.
        if (form !== "args" && options.some((option) => "$ref" in option)) return any;
        const different = [...new Map(options.map((option) => [JSON.stringify(option), option])).values()];
        return different.length === 1 ? { ...different[0] } : { oneOf: different };
    }
    if (type instanceof z.ZodObject) return objectRef(types, name, type, facts, form);
    return any;
}

/** Items of a list, a map or a union without a description have that of the list, map or union. */
const inside = ({ description }: Facts): Facts => ({ description });

/** @param isForm a form of a union: a result tells its defaults otherwise than arguments do */
function objectRef(types: Types, name: string, type: z.ZodObject, facts: Facts, form: Form, isForm = false): Spec {
    const own = factsOrNone(type);
    const typeName = own?.typeName ?? facts.typeName;
    const stem = typeName ?? name;
    return add(types, stem + (form === "result" && (isForm || typeName === undefined) ? "Result" : ""), {
        type: "object",
        description: own?.description ?? facts.description,
        ...objectSpec(types, stem, type, form),
    });
}

/** The product's words. The documents' words for the same are accepted as plain strings. */
function wordsSpec(types: Types, inner: string, type: z.ZodEnum, facts: Facts, form: Form): Spec {
    const { description, typeName: name = inner } = facts;
    const all = wordsOf(type);
    const words = productWords(all);
    if (words.length === 1) return { type: "string", ...(all.length === 1 ? { const: words[0] } : {}) };
    const values = words.map((value) => ({ value }));
    const named = add(types, name + (form === "result" ? "Result" : ""), { type: "string", description, enum: values });
    return words.length < all.length ? { oneOf: [named, { type: "string" }] } : named;
}

/** One name is one type: where two schemas are called alike, one of them needs another name. */
function add(types: Types, name: string, spec: Spec): Spec {
    const full = token(name);
    const known = types[full];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(spec)) {
        throw new TypeError(`two different types are called ${name}`);
    }
    types[full] = spec;
    return { $ref: `#/types/${full}` };
}

function unionSpec(
    types: Types,
    name: string,
    { def, options }: z.ZodDiscriminatedUnion,
    facts: Facts,
    form: Form,
): Spec {
    const forms = options.map((option) => {
        const object = asType(option);
        if (!(object instanceof z.ZodObject)) throw new TypeError(`${name} has a form that is no object`);
        const words = productWordsFirst(wordsOf(asType(object.shape[def.discriminator])));
        return { words, ref: objectRef(types, unionFormName(name, words[0]), object, inside(facts), form, true) };
    });
    const mapping = Object.fromEntries(forms.flatMap(({ words, ref }) => words.map((word) => [word, ref["$ref"]])));
    return { oneOf: forms.map(({ ref }) => ref), discriminator: { propertyName: def.discriminator, mapping } };
}
